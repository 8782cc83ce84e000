//! A whole run in numbers and findings: what reports are written from.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::{Case, Coverage};

#[derive(Debug, Clone)]
pub struct Run {
    pub title: String,
    pub api_version: String,
    /// `OpenAPI 3.1`
    pub dialect: String,
    /// Where the document came from.
    pub schema: String,
    pub base_url: String,
    pub seed: u64,
    pub elapsed_seconds: f64,
    /// Processor time of this process, all of it.
    pub cpu_seconds: f64,
    pub requests: u64,
    pub targets: usize,
    pub operations: Vec<Tally>,
    /// Set where the service speaks GraphQL.
    pub graphql: Option<Schema>,
    pub graph: GraphFigures,
    /// Set where a probe inside the service told.
    pub coverage: Option<Coverage>,
    /// Ranked: what matters most comes first. Confirmed and unconfirmed ones.
    pub findings: Vec<Case>,
    /// Things a reader must know to trust the rest: lock-outs, operations kept for the end,
    /// what was not tried for safety, a service that died.
    pub notes: Vec<String>,
    pub ending: Ending,
}

/// What the property graph of the service came to.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct GraphFigures {
    /// Different call sequences that were taken from it.
    pub sequences: usize,
    pub edges_added: u32,
    pub edges_removed: u32,
    pub edges_returned: u32,
    /// Operations that had succeeded after so many requests of the search.
    pub succeeded: Vec<(u64, u64)>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Ending {
    /// The budget was used, or there was nothing left worth trying.
    Finished,
    Interrupted,
    /// The service stopped answering and did not come back.
    ServiceLost,
}

/// What an operation answered.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Tally {
    pub label: String,
    pub method: String,
    pub path: String,
    pub requests: u64,
    /// Answers by status; 0 stands for none.
    pub statuses: BTreeMap<u16, u64>,
    /// GraphQL answers without `errors`, and with.
    pub without_errors: u64,
    pub with_errors: u64,
    /// GraphQL answers with something other than null where it was asked for.
    pub with_data: u64,
    /// Why it never succeeded, in the service's own words, where it never did.
    pub last_refusal: Option<String>,
    /// Rules of its values that no schema tells, read from prose and refusals, in words.
    pub rules: Vec<String>,
}

impl Tally {
    pub fn succeeded(&self) -> bool {
        if self.without_errors + self.with_errors > 0 {
            return self.without_errors > 0;
        }
        self.statuses.range(200..300).next().is_some()
    }

    /// Counts by class: `2xx`, `4xx`, …, `none`.
    pub fn classes(&self) -> BTreeMap<String, u64> {
        let mut classes = BTreeMap::new();
        for (status, count) in &self.statuses {
            let class = match status / 100 {
                0 => "none".to_owned(),
                hundreds => format!("{hundreds}xx"),
            };
            *classes.entry(class).or_insert(0) += count;
        }
        classes
    }
}

/// How much of a GraphQL schema was asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Schema {
    /// Pairs of a type and one of its fields.
    pub tuples: usize,
    /// Those that were asked for in an operation which the service carried out.
    pub covered: usize,
}
