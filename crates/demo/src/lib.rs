//! Small services with planted faults to try fossick on, each with its corrected twin.
//!
//! The Shed is a REST service, a library that lends tools. It keeps everything in memory, needs nothing but a free port on
//! loopback, and behaves the same on every run. With [`Faults::Planted`] it has the faults that
//! [`PLANTED`] lists; with [`Faults::None`] it keeps every promise of its [`document`], so that
//! whatever a tester reports of it is a false alarm.
//!
//! The twin reads its rules from the document itself instead of repeating them in code: what is
//! written there is enforced, and the two can't drift apart.
//!
//! The Seed Bank is the same for GraphQL: [`serve_graphql`], [`PLANTED_GRAPHQL`], and a schema
//! that is served by introspection.

mod bank;
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

pub use bank::{GraphqlFault, PLANTED_GRAPHQL};
pub use desk::STAFF_TOKEN;
pub use faults::{Fault, Faults, PLANTED, Plant};
pub use service::{Service, serve, serve_graphql};

/// The OpenAPI 3.1 document of the service, as it is also served under `/openapi.json`.
pub fn document() -> &'static str {
    document::TEXT
}

/// The schema of the GraphQL service, as introspection tells it too.
pub fn graphql_schema() -> &'static str {
    bank::SCHEMA_TEXT
}
