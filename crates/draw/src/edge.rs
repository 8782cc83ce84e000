//! What an edge is called: its kind, its state, and itself in one line.

use fossick_trace::{EdgeState, GraphEdge, Joins, PropertyGraph, PropertyUse};

/// The four kinds, without what they join.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum EdgeKind {
    Produces,
    Consumes,
    Equals,
    Endpoint,
}

impl EdgeKind {
    pub const ALL: [Self; 4] = [Self::Produces, Self::Consumes, Self::Equals, Self::Endpoint];

    pub fn of(joins: &Joins) -> Self {
        match joins {
            Joins::Produces { .. } => Self::Produces,
            Joins::Consumes { .. } => Self::Consumes,
            Joins::Equals { .. } => Self::Equals,
            Joins::Endpoint { .. } => Self::Endpoint,
        }
    }

    pub fn name(self) -> &'static str {
        match self {
            Self::Produces => "produces",
            Self::Consumes => "consumes",
            Self::Equals => "equals",
            Self::Endpoint => "endpoint",
        }
    }
}

pub(crate) const STATES: [EdgeState; 4] = [
    EdgeState::Told,
    EdgeState::Added,
    EdgeState::Removed,
    EdgeState::Returned,
];

pub fn state_name(state: EdgeState) -> &'static str {
    match state {
        EdgeState::Told => "told",
        EdgeState::Added => "added",
        EdgeState::Removed => "removed",
        EdgeState::Returned => "returned",
    }
}

/// An end of an edge.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Node {
    Operation(usize),
    Schema(usize),
}

/// Both ends, in the direction in which values flow.
pub(crate) fn ends(joins: &Joins) -> (Node, Node) {
    let operation = |index: u32| Node::Operation(index as usize);
    let schema = |index: u32| Node::Schema(index as usize);
    match joins {
        Joins::Produces {
            operation: o,
            schema: s,
        } => (operation(*o), schema(*s)),
        Joins::Consumes {
            schema: s,
            operation: o,
            ..
        } => (schema(*s), operation(*o)),
        Joins::Equals { one, other, .. } => (schema(*one), schema(*other)),
        Joins::Endpoint { one, other } => (operation(*one), operation(*other)),
    }
}

/// `Pet.id → GET /pet/{petId}, as petId`; `Order.petId = Pet.id`.
pub fn described(graph: &PropertyGraph, edge: &GraphEdge) -> String {
    let operation = |index: u32| {
        let node = graph.operations.get(index as usize);
        node.map_or("?", |o| o.label.as_str())
    };
    let schema = |index: u32| {
        let node = graph.schemas.get(index as usize);
        node.map_or("?", |s| s.name.as_str())
    };
    match &edge.joins {
        Joins::Produces {
            operation: from,
            schema: to,
        } => format!("{} → {}", operation(*from), schema(*to)),
        Joins::Consumes {
            schema: from,
            operation: to,
            uses,
        } => consumed(schema(*from), operation(*to), uses),
        Joins::Equals { one, other, pairs } => {
            let pair = |(a, b): &(String, String)| {
                format!("{}.{a} = {}.{b}", schema(*one), schema(*other))
            };
            match pairs.as_slice() {
                [] => format!("{} = {}", schema(*one), schema(*other)),
                some => some.iter().map(pair).collect::<Vec<_>>().join(", "),
            }
        }
        Joins::Endpoint { one, other } => format!("{} – {}", operation(*one), operation(*other)),
    }
}

fn consumed(schema: &str, operation: &str, uses: &[PropertyUse]) -> String {
    match uses {
        [] => format!("{schema} → {operation}"),
        [one] if one.property == one.parameter => {
            format!("{schema}.{} → {operation}", one.property)
        }
        [one] => format!(
            "{schema}.{} → {operation}, as {}",
            one.property, one.parameter
        ),
        several => {
            let names: Vec<String> = several.iter().map(use_label).collect();
            format!("{schema} ({}) → {operation}", names.join(", "))
        }
    }
}

/// `id → petId`, or the name alone where both have the same.
pub(crate) fn use_label(one: &PropertyUse) -> String {
    if one.property == one.parameter {
        return one.property.clone();
    }
    format!("{} → {}", one.property, one.parameter)
}
