//! Everything that a run leaves behind.

use std::time::Duration;

use fossick_minimise::Kept;
use fossick_trace::{Case, Ending, GraphFigures, PropertyGraph, Schema, Tally};

/// Everything that a run leaves behind.
#[derive(Debug)]
pub struct Outcome {
    pub tallies: Vec<Tally>,
    pub findings: Vec<Case>,
    pub notes: Vec<String>,
    pub requests: u64,
    pub targets: usize,
    /// How much of a GraphQL schema was asked for.
    pub graphql: Option<Schema>,
    pub elapsed: Duration,
    pub ending: Ending,
    /// Targets that were covered after so many requests of the search.
    pub curve: Vec<(u64, u64)>,
    /// The suite, where one was asked for.
    pub kept: Option<Kept>,
    pub graph: GraphFigures,
    /// What was believed of the service in the end.
    pub property_graph: PropertyGraph,
}
