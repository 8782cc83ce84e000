//! The Seed Bank: a GraphQL service with planted faults, and its corrected twin.
//!
//! `desk` speaks HTTP, `execute` runs an operation, `objects` leads from a field to the function
//! that knows its value: `queries`, `mutations` or `nested`. Those see plain JSON and the store.
//! Checking and executing is the compiler's work; `inputs` adds what it leaves open.

mod call;
mod desk;
mod execute;
mod faults;
mod inputs;
mod misprints;
mod mutations;
mod nested;
mod objects;
mod queries;
mod store;

use std::sync::OnceLock;

use apollo_compiler::Schema;
use apollo_compiler::validation::Valid;

pub(crate) use desk::Bank;
pub use faults::{GraphqlFault, PLANTED_GRAPHQL};

pub(crate) const SCHEMA_TEXT: &str = include_str!("schema.graphql");

fn schema() -> &'static Valid<Schema> {
    static SCHEMA: OnceLock<Valid<Schema>> = OnceLock::new();
    SCHEMA.get_or_init(|| {
        Schema::parse_and_validate(SCHEMA_TEXT, "schema.graphql").expect("the schema is ours")
    })
}
