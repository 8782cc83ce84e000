//! The Shed: a small service with planted faults to try fossick on, and its corrected twin.
//!
//! A library that lends tools. It keeps everything in memory, needs nothing but a free port on
//! loopback, and behaves the same on every run. With [`Faults::Planted`] it has the faults that
//! [`PLANTED`] lists; with [`Faults::None`] it keeps every promise of its [`document`], so that
//! whatever a tester reports of it is a false alarm.
//!
//! The twin reads its rules from the document itself instead of repeating them in code: what is
//! written there is enforced, and the two can't drift apart.

mod desk;
mod document;
mod exchange;
mod faults;
mod formats;
mod input;
mod loans;
mod members;
mod repairs;
mod schema;
mod service;
mod store;
mod tools;

pub use desk::STAFF_TOKEN;
pub use faults::{Fault, Faults, PLANTED, Plant};
pub use service::{Service, serve};

/// The OpenAPI 3.1 document of the service, as it is also served under `/openapi.json`.
pub fn document() -> &'static str {
    document::TEXT
}
