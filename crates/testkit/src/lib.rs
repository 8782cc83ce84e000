//! Fake services and tiny documents for the tests of other crates.
//!
//! A [`Fake`] is a real HTTP server on loopback whose answers a closure gives, misbehaviour
//! included. [`pure_crud`] is one with a memory made of nothing, for tests of determinism. Only
//! for tests: what can't go on here panics.

mod body;
mod documents;
mod exchange;
mod fake;
pub mod postgres;
mod pure;
mod pure_document;

pub use documents::{document, document_with};
pub use exchange::{FakeRequest, FakeResponse};
pub use fake::Fake;
pub use pure::{pure_answer, pure_crud};
pub use pure_document::pure_document;
