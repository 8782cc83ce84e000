//! Values with their shapes: sampled, mutated, shrunk and written.
//!
//! A [`Gene`] is what fossick intends to send. A [`Maker`] makes genes from shapes so that they
//! are valid by construction; [`landmarks`] are the values worth trying first at a scalar place;
//! [`breakages`] break exactly one constraint, on purpose. [`Values`] remembers which values did
//! well. Pure: no clock, no disk, no network, and all chance comes from the generator passed in.

mod adopt;
mod breakages;
mod craft;
mod decimal;
mod depth;
mod dice;
mod fits;
mod gene;
mod kinds;
mod landmarks;
mod maker;
mod measure;
mod mutate;
mod names;
mod order;
mod pattern;
mod place;
mod pointer;
mod recipe;
mod scalar;
mod selection;
mod simpler;
mod slots;
mod source;
mod values;
mod within;
mod words;

pub use breakages::{Breakage, breakages, breakages_of, text_breakages};
pub use gene::{Field, Gene, Leaf};
pub use kinds::{
    Base64, Boolean, Choice, Date, DateTime, Enumerated, Integer, Number, Text, Time, Uuid,
};
pub use landmarks::{Landmark, is_path_safe, landmarks, parameter_landmarks};
pub use maker::{Maker, Manner};
pub use order::{beside, order};
pub use pattern::matching;
pub use selection::{Chosen, NotInSchema, Selection};
pub use slots::{Slot, slots};
pub use source::Source;
pub use values::Values;
pub use within::{keeps, told_landmarks};

/// The stream that all chance comes from.
pub type Rng = rand_xoshiro::Xoshiro256PlusPlus;
