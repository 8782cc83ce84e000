//! Who makes what others need.
//!
//! Every operation *needs* values (holes of its path, identifiers in its query and body) and
//! *yields* values (fields of its answers, the `Location` header, what it was sent). Where a need
//! and a yield seem to mean the same, the graph holds an edge with its evidence and a posterior of
//! how often the edge worked. REST is joined by paths and names, GraphQL by types. It knows
//! nothing of HTTP clients or plans; it learns from episodes.

mod callers;
mod edge;
mod fields;
mod graph;
mod graphql;
mod links;
mod need;
mod path_words;
mod property;
mod resources;
mod values;
mod words;
mod yields;

pub use edge::{Edge, Evidence, Yield};
pub use graph::{Alternative, Doubt, Graph};
pub use need::{Need, Place};
pub use path_words::{is_singleton, nameless, same_place};
pub use property::{Changes, Flow, Inflow, Repair, Sequence, Sequences};
pub use words::{Words, split_words, stem_words};
