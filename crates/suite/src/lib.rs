//! Tests that a team keeps.
//!
//! A [`Suite`] is neutral: requests with named holes, values that are taken from answers, and
//! checks. It knows nothing of genes, schemas or test frameworks. Whoever writes tests for a
//! framework renders only this, and `fossick replay` runs it as it stands.
//!
//! How one is made: the [`fewest`] scripts that keep every target are run a few times;
//! [`write()`] turns each into a test that expects what was the same each time.

mod alone;
mod check;
mod expect;
mod fewest;
pub mod holes;
mod join;
pub mod jq;
mod model;
mod naming;
mod own;
mod place;
mod play;
pub mod shell;
mod steps;
mod suspect;
mod test;
mod verdict;
mod volatile;
mod words;

pub use check::{Check, Is, Item, JsonKind, Key, What};
pub use expect::Limits;
pub use fewest::{Offer, fewest};
pub use join::{Joined, joined};
pub use model::{
    Body, Fault, Fresh, Group, Login, Piece, Request, Reset, Save, SecretHeader, Service, Step,
    Suite, Template, Test, User,
};
pub use play::{Broken, judge, script};
pub use test::{Sighting, Wavers, Written, asks_about_everything, write};
pub use volatile::{Change, Volatile};
pub use words::{singular, unique, words};
