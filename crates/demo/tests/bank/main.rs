//! The Seed Bank seen from outside: what the twin promises, and what the planted faults break.

mod client;
mod introspection;
mod limits;
mod planted;
mod refusals;
mod twin;
#[path = "../wire/mod.rs"]
mod wire;
