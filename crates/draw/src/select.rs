//! Parts of a graph: what the document alone told, what has to do with a name, and the graph
//! without some kinds or states of edges.

use fossick_trace::{EdgeState, GraphEdge, Joins, PropertyGraph};

use crate::edge::{EdgeKind, Node, ends, state_name};

/// What [`without`] knows to leave out.
pub const PARTS: [&str; 8] = [
    "produces", "consumes", "equals", "endpoint", "told", "added", "removed", "returned",
];

/// Whether the document says or suggests an edge, whatever became of it.
pub fn was_told(edge: &GraphEdge) -> bool {
    match edge.history.first() {
        Some(event) => event.after == 0 && edge.state != EdgeState::Added,
        None => matches!(edge.state, EdgeState::Told | EdgeState::Removed),
    }
}

/// Expected success of an edge that nobody tried.
const UNTRIED: f64 = 0.5;

/// The graph before the first request.
pub fn before(graph: &PropertyGraph) -> PropertyGraph {
    let mut before = graph.clone();
    before.edges.retain(was_told);
    for edge in &mut before.edges {
        edge.state = EdgeState::Told;
        (edge.worked, edge.failed) = (0, 0);
        edge.confidence = UNTRIED;
        edge.history.retain(|event| event.after == 0);
    }
    for operation in &mut before.operations {
        (operation.calls, operation.successes) = (0, 0);
    }
    before.requests = 0;
    let keep = Kept {
        operations: vec![true; graph.operations.len()],
        schemas: graph.schemas.iter().map(|s| s.documented).collect(),
    };
    keep.part_of(&before)
}

/// Operations and schemas whose name has the text in it, in any case, with their neighbours.
pub fn only(graph: &PropertyGraph, text: &str) -> PropertyGraph {
    let wanted = text.to_lowercase();
    let fits = |name: &str| name.to_lowercase().contains(&wanted);
    let named = Kept {
        operations: graph
            .operations
            .iter()
            .map(|o| fits(&o.label) || o.name.as_deref().is_some_and(fits))
            .collect(),
        schemas: graph.schemas.iter().map(|s| fits(&s.name)).collect(),
    };
    named.with_neighbours(graph).part_of(graph)
}

/// The graph without edges of these kinds and states, named as in [`PARTS`].
pub fn without(graph: &PropertyGraph, parts: &[String]) -> PropertyGraph {
    let hidden = |name: &str| parts.iter().any(|part| part == name);
    let mut left = graph.clone();
    left.edges.retain(|edge| {
        !hidden(EdgeKind::of(&edge.joins).name()) && !hidden(state_name(edge.state))
    });
    left
}

/// Which nodes stay.
struct Kept {
    operations: Vec<bool>,
    schemas: Vec<bool>,
}

impl Kept {
    fn has(&self, node: Node) -> bool {
        let (list, index) = match node {
            Node::Operation(index) => (&self.operations, index),
            Node::Schema(index) => (&self.schemas, index),
        };
        list.get(index).copied().unwrap_or(false)
    }

    fn add(&mut self, node: Node) {
        let (list, index) = match node {
            Node::Operation(index) => (&mut self.operations, index),
            Node::Schema(index) => (&mut self.schemas, index),
        };
        if let Some(kept) = list.get_mut(index) {
            *kept = true;
        }
    }

    fn with_neighbours(&self, graph: &PropertyGraph) -> Self {
        let mut more = Self {
            operations: self.operations.clone(),
            schemas: self.schemas.clone(),
        };
        for edge in &graph.edges {
            let (from, to) = ends(&edge.joins);
            if self.has(from) || self.has(to) {
                more.add(from);
                more.add(to);
            }
        }
        more
    }

    fn part_of(&self, graph: &PropertyGraph) -> PropertyGraph {
        let operations = places(&self.operations);
        let schemas = places(&self.schemas);
        let mut part = graph.clone();
        part.operations = kept(&graph.operations, &self.operations);
        part.schemas = kept(&graph.schemas, &self.schemas);
        part.edges = graph
            .edges
            .iter()
            .filter_map(|edge| moved(edge, &operations, &schemas))
            .collect();
        part
    }
}

fn kept<T: Clone>(nodes: &[T], stays: &[bool]) -> Vec<T> {
    let both = nodes.iter().zip(stays);
    both.filter(|(_, stays)| **stays)
        .map(|(node, _)| node.clone())
        .collect()
}

/// The new number of every node that stays.
fn places(stays: &[bool]) -> Vec<Option<u32>> {
    let mut next = 0;
    let mut place = |stays: &bool| {
        let own = next;
        next += u32::from(*stays);
        stays.then_some(own)
    };
    stays.iter().map(&mut place).collect()
}

fn moved(
    edge: &GraphEdge,
    operations: &[Option<u32>],
    schemas: &[Option<u32>],
) -> Option<GraphEdge> {
    let operation = |index: &mut u32| move_to(index, operations);
    let schema = |index: &mut u32| move_to(index, schemas);
    let mut edge = edge.clone();
    match &mut edge.joins {
        Joins::Produces {
            operation: o,
            schema: s,
        }
        | Joins::Consumes {
            operation: o,
            schema: s,
            ..
        } => {
            operation(o)?;
            schema(s)?;
        }
        Joins::Equals { one, other, .. } => {
            schema(one)?;
            schema(other)?;
        }
        Joins::Endpoint { one, other } => {
            operation(one)?;
            operation(other)?;
        }
    }
    Some(edge)
}

fn move_to(index: &mut u32, places: &[Option<u32>]) -> Option<()> {
    *index = (*places.get(*index as usize)?)?;
    Some(())
}
