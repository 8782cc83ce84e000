//! The Shed seen from outside: what the twin promises, and what the planted faults break.

mod client;
mod judge;
mod planted;
mod twin;
mod violations;
#[path = "../wire/mod.rs"]
mod wire;
