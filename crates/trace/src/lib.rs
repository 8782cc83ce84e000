//! What happened: calls, answers, episodes, and what is thought of them.
//!
//! A [`Script`] is a plan in its final, neutral form: calls with holes that earlier answers fill.
//! A script that was run is an [`Episode`]. Both are plain data that can be stored, printed and
//! run again by somebody who knows nothing of genes or schemas.

mod answer;
mod calendar;
mod call;
mod capture;
mod case;
mod coverage;
mod episode;
mod finding;
mod graphql;
mod insight;
mod pointer;
mod property_graph;
mod remark;
mod rename;
mod run;
mod target;
mod unique;

pub use answer::{Answer, Failure, Outcome, header};
pub use calendar::leading_day;
pub use call::{Call, Cleanup, Fill, Intent, Payload, Role, Script, Telling};
pub use capture::{COMPONENT, Capture, Part, Take, Text};
pub use case::{Basis, Case, Names};
pub use coverage::{Branch, Count, Coverage, FileCoverage};
pub use episode::{Episode, Exchange, Heard, Removal, Request, stands_in};
pub use finding::{Evidence, Extent, Finding, Location, Severity, Sureness, Wrong, fingerprint};
pub use graphql::Said;
pub use insight::{Insight, Matching, Observation, Observed, Raised, ReadFrom, Scalar, SourceLine};
pub use property_graph::{
    EdgeEvent, EdgeState, GraphEdge, Joins, OperationNode, PropertyGraph, PropertyUse, SchemaNode,
    SchemaProperty,
};
pub use remark::{Remark, remarks};
pub use run::{Ending, GraphFigures, Run, Schema, Tally};
pub use target::{Class, Target};
pub use unique::{Free, Unique};
