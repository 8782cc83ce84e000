//! What is wrong with an episode.
//!
//! An oracle is a pure function of the contract and an episode: one file each, listed in one
//! table with a stable code. State oracles read the story from the episode itself (what was made,
//! changed, removed and looked at, by the paths that were really called), so they judge any
//! episode, whoever planned it.

mod amount;
mod compare;
mod conformance;
mod crash;
mod graphql;
mod judge;
mod message;
mod names;
mod orders;
mod refusal;
mod relations;
mod scene;
mod security;
mod sights;
mod state;
mod table;
mod takes;
mod thing;

pub use judge::Judge;
pub use message::normalised;
pub use table::{ORACLES, Oracle, find, needs_probe};
