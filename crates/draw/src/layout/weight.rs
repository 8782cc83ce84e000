//! How much two nodes have to do with each other.

use fossick_trace::{EdgeState, GraphEdge, Joins, OperationNode, SchemaNode};

use crate::view::place;

/// Pull of an edge. One that was found wrong still stands in the picture, but pulls little.
pub(super) fn pull(edge: &GraphEdge) -> f64 {
    let weight = match &edge.joins {
        Joins::Produces { .. } => 3.0,
        Joins::Consumes { uses, .. } => 2.0 + 0.25 * uses.len().min(4) as f64,
        Joins::Equals { .. } => 4.0,
        Joins::Endpoint { .. } => 1.0,
    };
    if edge.state == EdgeState::Removed {
        weight * 0.1
    } else {
        weight
    }
}

/// What a name in the path adds: `/pets/{petId}` is about a `Pet`. The last word tells most.
pub(super) fn of_name(operation: &OperationNode, schema: &SchemaNode) -> f64 {
    let name = letters(&schema.name);
    if name.len() < 3 {
        return 0.0;
    }
    let words = place(operation).split('/').filter(|w| !w.is_empty());
    let fitting = |(at, word): (usize, &str)| {
        let word = letters(word);
        let fits = word.strip_prefix(name.as_str());
        fits.is_some_and(|rest| matches!(rest, "" | "s" | "es" | "id"))
            .then_some(1.5 + 0.2 * at as f64)
    };
    words.enumerate().filter_map(fitting).fold(0.0, f64::max)
}

fn letters(text: &str) -> String {
    let letters = text.chars().filter(char::is_ascii_alphanumeric);
    letters.map(|c| c.to_ascii_lowercase()).collect()
}
