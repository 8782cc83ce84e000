//! The property graph as it is drawn and stored.

use std::collections::BTreeMap;

use fossick_contract::{Api, OperationIndex};
use fossick_trace::{
    EdgeEvent, EdgeState, GraphEdge, Joins, OperationNode, PropertyGraph, PropertyUse, SchemaNode,
    SchemaProperty,
};

use super::nodes::Schema;
use super::standing::Standing;
use super::{Consumes, Properties, SchemaIndex};
use crate::Graph;
use crate::path_words::nameless;

/// Events of one drawn edge; it may stand for several properties.
const MOST_EVENTS: usize = 12;

impl Graph {
    /// A picture of what is believed now. `calls` tells how often an operation was called, and how
    /// often that succeeded.
    pub fn property_graph(
        &self,
        api: &Api,
        calls: impl Fn(OperationIndex) -> (u64, u64),
    ) -> PropertyGraph {
        let properties = &self.properties;
        let mut edges = properties.drawn_produces();
        edges.extend(properties.drawn_consumes());
        edges.extend(properties.drawn_equals());
        edges.extend(drawn_endpoints(api));
        PropertyGraph {
            version: PropertyGraph::VERSION,
            title: api.title.clone(),
            operations: operations(api, calls),
            schemas: properties.nodes.iter().map(|(_, s)| drawn(s)).collect(),
            edges,
            requests: properties.requests,
        }
    }
}

fn operations(api: &Api, calls: impl Fn(OperationIndex) -> (u64, u64)) -> Vec<OperationNode> {
    let node = |(index, operation): (OperationIndex, &fossick_contract::Operation)| {
        let (calls, successes) = calls(index);
        OperationNode {
            label: operation.label.clone(),
            name: operation.operation_id.clone(),
            method: operation.method,
            deed: operation.deed(),
            calls,
            successes,
        }
    };
    api.indexed().map(node).collect()
}

fn drawn(schema: &Schema) -> SchemaNode {
    let property = |property: &super::nodes::Property| SchemaProperty {
        name: property.name.clone(),
        kind: property.kind.clone(),
    };
    SchemaNode {
        name: schema.name.clone(),
        properties: schema.properties.iter().map(property).collect(),
        documented: schema.documented,
    }
}

impl Properties {
    /// One edge for each schema, wherever in the answer its objects stand.
    fn drawn_produces(&self) -> Vec<GraphEdge> {
        let mut edges = Vec::new();
        for (at, produced) in self.produces.iter().enumerate() {
            let mut by_schema: BTreeMap<SchemaIndex, Vec<&Standing>> = BTreeMap::new();
            for produces in produced {
                by_schema
                    .entry(produces.schema)
                    .or_default()
                    .push(&produces.standing);
            }
            for (schema, standings) in by_schema {
                let joins = Joins::Produces {
                    operation: at as u32,
                    schema: schema.0,
                };
                edges.push(edge(joins, &standings));
            }
        }
        edges
    }

    /// One edge for each schema with all properties of one state: what the document tells, what was
    /// learned, and what is used no longer.
    fn drawn_consumes(&self) -> Vec<GraphEdge> {
        let mut edges = Vec::new();
        for (at, consumed) in self.consumes.iter().enumerate() {
            let mut groups: BTreeMap<(SchemaIndex, EdgeState), Vec<&Consumes>> = BTreeMap::new();
            for consumes in consumed {
                let key = (consumes.schema, consumes.standing.state);
                groups.entry(key).or_default().push(consumes);
            }
            for ((schema, _), group) in groups {
                let standings: Vec<&Standing> = group.iter().map(|c| &c.standing).collect();
                let joins = Joins::Consumes {
                    schema: schema.0,
                    operation: at as u32,
                    uses: group.iter().filter_map(|c| used(c)).collect(),
                };
                edges.push(edge(joins, &standings));
            }
        }
        edges
    }

    fn drawn_equals(&self) -> Vec<GraphEdge> {
        let mut edges = Vec::new();
        for ((one, other), suspicion) in &self.equals {
            for used in [true, false] {
                let decided = suspicion.decided().filter(|(_, s)| s.is_used() == used);
                let (pairs, standings): (Vec<_>, Vec<_>) = decided.unzip();
                if pairs.is_empty() {
                    continue;
                }
                let joins = Joins::Equals {
                    one: one.0,
                    other: other.0,
                    pairs: pairs.into_iter().cloned().collect(),
                };
                edges.push(edge(joins, &standings));
            }
        }
        edges
    }
}

fn used(consumes: &Consumes) -> Option<PropertyUse> {
    Some(PropertyUse {
        property: consumes.property.clone()?,
        parameter: consumes.parameter.clone(),
    })
}

fn edge(joins: Joins, standings: &[&Standing]) -> GraphEdge {
    let best = standings.iter().map(|s| s.confidence()).fold(0.0, f64::max);
    let mut history: Vec<EdgeEvent> = Vec::new();
    for event in standings.iter().flat_map(|standing| &standing.history) {
        if !history.contains(event) {
            history.push(event.clone());
        }
    }
    history.sort_by_key(|event| event.after);
    history.truncate(MOST_EVENTS);
    GraphEdge {
        joins,
        state: state(standings),
        confidence: best,
        worked: standings.iter().map(|s| s.worked).sum(),
        failed: standings.iter().map(|s| s.failed).sum(),
        history,
    }
}

/// What the document says outweighs what was added to it.
fn state(standings: &[&Standing]) -> EdgeState {
    let order = [EdgeState::Told, EdgeState::Added, EdgeState::Returned];
    let has = |state: &EdgeState| standings.iter().any(|s| s.state == *state);
    order.into_iter().find(has).unwrap_or(EdgeState::Removed)
}

/// Operations of one path, each with each.
fn drawn_endpoints(api: &Api) -> Vec<GraphEdge> {
    let mut by_path: BTreeMap<String, Vec<u32>> = BTreeMap::new();
    for (index, operation) in api.indexed().filter(|(_, o)| o.graphql.is_none()) {
        let place = nameless(&operation.path.text);
        by_path.entry(place).or_default().push(index.0);
    }
    let mut edges = Vec::new();
    for (path, operations) in by_path {
        let standing = Standing::told(format!("both stand at {path}"));
        for (at, one) in operations.iter().enumerate() {
            for other in operations.iter().skip(at + 1) {
                let joins = Joins::Endpoint {
                    one: *one,
                    other: *other,
                };
                edges.push(GraphEdge {
                    confidence: 1.0,
                    ..edge(joins, &[&standing])
                });
            }
        }
    }
    edges
}
