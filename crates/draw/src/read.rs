//! The graph as JSON, and back. A file may have been edited, cut short or written by a newer
//! program: what is wrong is said, and nothing of it is drawn.

use fossick_trace::PropertyGraph;
use serde::Deserialize;

use crate::edge::{Node, ends};

#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    #[error("it is no JSON of a property graph")]
    Syntax(#[from] serde_json::Error),
    #[error(
        "it was written by a newer fossick (version {0} of the format; {known} is known)",
        known = PropertyGraph::VERSION
    )]
    Newer(u32),
    #[error("its edge number {0} joins something that is not there")]
    Loose(usize),
}

/// Enough to tell which version it is: a newer one may have another form.
#[derive(Deserialize)]
struct Head {
    version: u32,
}

pub fn read(text: &str) -> Result<PropertyGraph, ReadError> {
    let head: Head = serde_json::from_str(text)?;
    if head.version > PropertyGraph::VERSION {
        return Err(ReadError::Newer(head.version));
    }
    let graph: PropertyGraph = serde_json::from_str(text)?;
    match graph.edges.iter().position(|e| !is_whole(&graph, &e.joins)) {
        Some(edge) => Err(ReadError::Loose(edge)),
        None => Ok(graph),
    }
}

pub(crate) fn is_whole(graph: &PropertyGraph, joins: &fossick_trace::Joins) -> bool {
    let there = |node: Node| match node {
        Node::Operation(index) => index < graph.operations.len(),
        Node::Schema(index) => index < graph.schemas.len(),
    };
    let (from, to) = ends(joins);
    there(from) && there(to)
}

pub fn json(graph: &PropertyGraph) -> String {
    let mut text = serde_json::to_string_pretty(graph).expect("plain data has no way to fail");
    text.push('\n');
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_back() {
        let graph = PropertyGraph {
            version: PropertyGraph::VERSION,
            title: "</script>\u{2028}".to_owned(),
            ..PropertyGraph::default()
        };
        assert_eq!(read(&json(&graph)).expect("it is ours"), graph);
    }

    #[test]
    fn a_newer_version_is_told_even_where_the_form_changed() {
        let error = read(r#"{"version": 7, "nodes": []}"#).expect_err("it is newer");
        assert!(matches!(error, ReadError::Newer(7)), "{error}");
    }

    #[test]
    fn an_edge_to_nowhere_is_refused() {
        let text = r#"{"version":1,"title":"","operations":[],"schemas":[],"requests":0,"edges":[
            {"kind":"endpoint","one":0,"other":9,"state":"told","confidence":1,
             "worked":0,"failed":0,"history":[]}]}"#;
        let error = read(text).expect_err("there are no operations");
        assert!(matches!(error, ReadError::Loose(0)), "{error}");
        assert!(matches!(read("[]"), Err(ReadError::Syntax(_))));
        assert!(matches!(read("{}"), Err(ReadError::Syntax(_))));
    }
}
