//! Evolution of call sequences: random search, MIO, WTS and MOSA, for REST and GraphQL alike.
//!
//! By ask and tell: [`Evolution::propose`] gives the next [`Individual`], whoever runs its plan
//! tells with [`Evolution::learn`] what each step reached. Many proposals may be under way at once.
//! With [`ResourceSettings`] an individual is a sequence of handlings of resources, sampled by
//! templates and changed with a view to which resource depends on which. Pure: no clock, no I/O,
//! and all chance comes from one seeded stream. It does not judge answers: targets and how near
//! they are come from outside.

mod archive;
mod binding;
mod caller;
mod change;
mod compare;
mod creation;
mod creators;
mod dependencies;
mod dice;
mod drawn;
mod evolution;
mod feedback;
mod impact;
mod individual;
mod likeness;
mod mentions;
mod method;
mod mio;
mod mosa;
mod observed;
mod places;
mod proposing;
mod quick;
mod relations;
mod resources;
mod sampling;
mod sequence;
mod settings;
mod smart;
mod structure;
mod template;
mod tested;
mod vocabulary;
mod workshop;
mod wts;

pub use dependencies::{Dependency, Evidence};
pub use evolution::{Context, Evolution, Scores};
pub use individual::{GenePlace, Individual, Origin};
pub use method::{Method, Strategy};
pub use observed::Operator;
pub use quick::{Quick, QuickBuilder};
pub use resources::{Resource, ResourceId, Resources};
pub use sequence::Handling;
pub use settings::{
    Algorithm, Feedback, ParentChoice, ResourceSettings, Settings, Slide, ValueSource,
};
pub use template::Template;
