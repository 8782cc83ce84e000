//! Tests that a team keeps.
//!
//! A [`Suite`] is neutral: requests with named holes, values that are taken from answers, and
//! checks. It knows nothing of genes, schemas or test frameworks. Whoever writes tests for a
//! framework renders only this, and `fossick replay` runs it as it stands.

mod check;
mod model;

pub use check::{Check, Is, JsonKind, Key, What};
pub use model::{
    Body, Fault, Fresh, Group, Login, Piece, Request, Reset, Save, SecretHeader, Service, Step,
    Suite, Template, Test, User,
};
