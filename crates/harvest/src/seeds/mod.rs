//! Records as seeds of a search: which operation each is a call of, and with which values.
//!
//! Values are typed as the document has them; variables of GraphQL are laid in. Whether a value
//! is allowed where it stands is for the search to say, which has validators anyway. What went from
//! one call into another is told by operation too, so that a search can make anew what a recorded
//! call only names.

mod flows;
mod graphql;
mod rest;
mod typed;

use fossick_contract::{Api, OperationIndex};
use fossick_query::Pick;
use serde_json::Value;

use crate::suite::told;
use crate::{Call, Flow, Record};

pub use crate::privacy::DROPPED;

/// What a store knows that a search can use.
#[derive(Debug, Clone, Default)]
pub struct Seeds {
    /// The most called first; those that never succeeded last.
    pub calls: Vec<Seed>,
    pub flows: Vec<Flowing>,
    pub left_out: Vec<LeftOut>,
}

/// A recorded call of an operation. An operation of GraphQL with several root fields is one of
/// each.
#[derive(Debug, Clone, PartialEq)]
pub struct Seed {
    /// `query products`, `GET /projects/7`.
    pub what: String,
    pub operation: OperationIndex,
    pub times: u64,
    /// It went well at least once, or nobody looked.
    pub succeeded: bool,
    /// By the operation's parameters.
    pub arguments: Vec<Option<Value>>,
    /// The place of its media type among the operation's, and the value. For GraphQL the arguments
    /// of the root field.
    pub body: Option<(usize, Value)>,
    /// What a GraphQL call wants to have of its root field; no variables are left in it.
    pub picks: Vec<Pick>,
}

/// A value of one operation's answer that went into a call of another.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Flowing {
    pub maker: OperationIndex,
    /// JSON pointer into the answer; the first item stands for any item of a list.
    pub pointer: String,
    pub consumer: OperationIndex,
    pub into: At,
    pub times: u64,
}

/// Where in a call a value stands.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum At {
    Parameter(usize),
    /// JSON pointer into the body, or into the arguments of a root field.
    Body(String),
}

/// A record that is no call of this API.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LeftOut {
    pub what: String,
    pub why: Why,
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Why {
    #[error("it is no call of this kind of API")]
    OtherKind,
    #[error("{0}")]
    NotReadable(#[from] fossick_query::NotReadable),
    #[error("the schema has no field {0} at its root")]
    NoRoot(String),
    #[error("the document has no operation for it")]
    NoOperation,
    #[error("{0} is required and was not sent")]
    Missing(String),
    #[error("the document has no body of its media type")]
    NoContent,
    #[error("its body was not kept")]
    NoBody,
}

/// Makes seeds of records.
pub fn seeds(api: &Api, records: &[Record], flows: &[Flow]) -> Seeds {
    let mut all = Seeds::default();
    for record in records {
        let made = match &record.call {
            Call::GraphQl(call) if api.is_graphql() => graphql::seeds(api, record, call),
            Call::Rest(call) if !api.is_graphql() => rest::seed(api, record, call).map(|s| vec![s]),
            _ => Err(Why::OtherKind),
        };
        match made {
            Ok(made) => all.calls.extend(made),
            Err(why) => all.left_out.push(LeftOut {
                what: told(&record.call),
                why,
            }),
        }
    }
    // Of equals the one that was seen first stays first.
    all.calls
        .sort_by_key(|seed| (!seed.succeeded, std::cmp::Reverse(seed.times)));
    all.flows = flows
        .iter()
        .filter_map(|flow| flows::flowing(api, flow))
        .collect();
    all.flows.sort();
    all
}

/// Whether a call went well at least once, as far as anybody knows.
fn succeeded(record: &Record) -> bool {
    let statuses = record.statuses;
    let refused = statuses.client_error + statuses.server_error + statuses.with_errors;
    statuses.successful + statuses.redirected > statuses.with_errors || refused == 0
}

#[cfg(test)]
mod tests;
