//! The property graph of a service, as it is drawn, stored and explained.
//!
//! Operations and schemas are nodes; four kinds of edges join them (Liu and others, "Morest",
//! definition 2). It is a picture of what the search believes at one moment: plain data, in the
//! order of the document, with the evidence of every edge.

use fossick_contract::{Deed, Method};
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct PropertyGraph {
    /// The format of this text, [`PropertyGraph::VERSION`].
    pub version: u32,
    pub title: String,
    pub operations: Vec<OperationNode>,
    pub schemas: Vec<SchemaNode>,
    pub edges: Vec<GraphEdge>,
    /// Requests that had been sent; zero before a run.
    pub requests: u64,
}

impl PropertyGraph {
    pub const VERSION: u32 = 1;
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct OperationNode {
    /// `GET /pet/{petId}`, `mutation addBook`.
    pub label: String,
    /// `getPetById`, where the document names it.
    pub name: Option<String>,
    pub method: Method,
    pub deed: Deed,
    pub calls: u64,
    pub successes: u64,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SchemaNode {
    pub name: String,
    pub properties: Vec<SchemaProperty>,
    /// False for one that the document does not have and answers showed.
    pub documented: bool,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SchemaProperty {
    pub name: String,
    /// `integer`, `string`, …; the name of a schema where it holds one.
    pub kind: String,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct GraphEdge {
    #[serde(flatten)]
    pub joins: Joins,
    pub state: EdgeState,
    /// Expected success, in [0, 1].
    pub confidence: f64,
    pub worked: u32,
    pub failed: u32,
    /// Why it is there, and what became of it, in the order in which it happened.
    pub history: Vec<EdgeEvent>,
}

/// What an edge joins; numbers are places in [`PropertyGraph::operations`] and
/// [`PropertyGraph::schemas`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum Joins {
    /// The operation answers with objects of the schema.
    Produces { operation: u32, schema: u32 },
    /// The operation takes the schema, or these of its properties, as parameters.
    Consumes {
        schema: u32,
        operation: u32,
        uses: Vec<PropertyUse>,
    },
    /// Properties of two schemas that mean the same.
    Equals {
        one: u32,
        other: u32,
        pairs: Vec<(String, String)>,
    },
    /// Both operations belong to the same endpoint.
    Endpoint { one: u32, other: u32 },
}

/// A property that goes into a parameter, perhaps under another name.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PropertyUse {
    pub property: String,
    pub parameter: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum EdgeState {
    /// The document says or suggests it.
    Told,
    /// Answers showed it.
    Added,
    /// It failed too often to be used.
    Removed,
    /// It had been removed, and answers showed it again.
    Returned,
}

impl EdgeState {
    /// Whether sequences are still built along it.
    pub fn is_used(self) -> bool {
        self != Self::Removed
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct EdgeEvent {
    /// Requests sent before it; zero for what the document says.
    pub after: u64,
    /// A sentence for people: `the answer of POST /pet has the properties of Pet`.
    pub why: String,
}
