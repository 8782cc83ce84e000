//! A tidy graph with the questions that every writer asks of it: what stands on a pill, in which
//! colour, and how an edge is classed.

use fossick_contract::{Deed, Method};
use fossick_trace::{GraphEdge, OperationNode, PropertyGraph};

use crate::edge::{EdgeKind, state_name};
use crate::text::{counted, number};

/// The first word of a label: `GET`, `mutation`.
pub(crate) fn badge(operation: &OperationNode) -> &str {
    operation
        .label
        .split_once(' ')
        .map_or(operation.method.as_str(), |(word, _)| word)
}

/// What follows it: a path, or a field.
pub(crate) fn place(operation: &OperationNode) -> &str {
    operation
        .label
        .split_once(' ')
        .map_or(operation.label.as_str(), |(_, rest)| rest)
}

/// Class of colour. Where every operation is a POST, as in GraphQL, what it does tells more.
pub(crate) fn tint(operation: &OperationNode) -> &'static str {
    if badge(operation).eq_ignore_ascii_case(operation.method.as_str()) {
        return of_method(operation.method);
    }
    match operation.deed {
        Deed::Read => "get",
        Deed::Create => "post",
        Deed::Replace => "put",
        Deed::Update => "patch",
        Deed::Delete => "delete",
        Deed::Other => "other",
    }
}

fn of_method(method: Method) -> &'static str {
    match method {
        Method::Get => "get",
        Method::Post => "post",
        Method::Put => "put",
        Method::Patch => "patch",
        Method::Delete => "delete",
        _ => "other",
    }
}

/// `e k-consumes s-added`.
pub(crate) fn classes(edge: &GraphEdge) -> String {
    let kind = EdgeKind::of(&edge.joins).name();
    format!("e k-{kind} s-{}", state_name(edge.state))
}

/// `6 operations, 2 schemas, 12 edges · after 1,204 requests`.
pub(crate) fn counts(graph: &PropertyGraph) -> String {
    let nodes = format!(
        "{}, {}, {}",
        counted(graph.operations.len(), "operation"),
        counted(graph.schemas.len(), "schema"),
        counted(graph.edges.len(), "edge")
    );
    match graph.requests {
        0 => format!("{nodes} · before a run"),
        sent => format!("{nodes} · after {} requests", number(sent)),
    }
}
