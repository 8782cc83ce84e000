//! What happened: calls, answers, episodes, and what is thought of them.
//!
//! A [`Script`] is a plan in its final, neutral form: calls with holes that earlier answers fill.
//! A script that was run is an [`Episode`]. Both are plain data that can be stored, printed and
//! run again by somebody who knows nothing of genes or schemas.

mod answer;
mod calendar;
mod call;
mod capture;
mod episode;
mod finding;
mod graphql;
mod pointer;
mod property_graph;
mod rename;
mod run;
mod target;
mod unique;

pub use answer::{Answer, Failure, Outcome, header};
pub use call::{Call, Fill, Intent, Payload, Role, Script};
pub use capture::{COMPONENT, Capture, Part, Take, Text};
pub use episode::{Episode, Exchange, Request};
pub use finding::{Finding, Severity, Sureness, fingerprint};
pub use graphql::Said;
pub use property_graph::{
    EdgeEvent, EdgeState, GraphEdge, Joins, OperationNode, PropertyGraph, PropertyUse, SchemaNode,
    SchemaProperty,
};
pub use run::{Ending, GraphFigures, Reported, Run, Schema, Tally};
pub use target::{Class, Target};
pub use unique::{Free, Unique};
