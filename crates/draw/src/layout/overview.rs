//! The clusters of a graph as cards of one size, with what joins them.

use std::collections::BTreeMap;

use fossick_trace::PropertyGraph;

use super::Area;
use super::arrange::{Links, join, stacks};
use super::clusters::Cluster;
use crate::edge::{Node, ends};

const CARD: (f64, f64) = (216.0, 76.0);
const BETWEEN: (f64, f64) = (84.0, 44.0);
const MARGIN: f64 = 40.0;

/// All edges between two clusters.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Bundle {
    pub(crate) one: usize,
    pub(crate) other: usize,
    pub(crate) edges: Vec<usize>,
}

#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Overview {
    pub(crate) width: f64,
    pub(crate) height: f64,
    /// In the order of the clusters.
    pub(crate) cards: Vec<Area>,
    pub(crate) bundles: Vec<Bundle>,
}

pub(crate) fn overview(graph: &PropertyGraph, clusters: &[Cluster]) -> Overview {
    let bundles = bundles(graph, clusters);
    let mut links: Links = vec![BTreeMap::new(); clusters.len()];
    for bundle in &bundles {
        join(
            &mut links,
            bundle.one,
            bundle.other,
            bundle.edges.len() as f64,
        );
    }
    let step = (CARD.0 + BETWEEN.0, CARD.1 + BETWEEN.1);
    let heights = vec![step.1; clusters.len()];
    let columns = stacks(&links, &heights, step.0);
    let tallest = columns.iter().map(Vec::len).max().unwrap_or(0) as f64 * step.1;
    let mut cards = vec![Area::default(); clusters.len()];
    for (across, column) in columns.iter().enumerate() {
        let spare = (tallest - column.len() as f64 * step.1) / 2.0;
        for (down, cluster) in column.iter().enumerate() {
            cards[*cluster] = Area {
                x: MARGIN + across as f64 * step.0,
                y: MARGIN + spare + down as f64 * step.1,
                width: CARD.0,
                height: CARD.1,
            };
        }
    }
    Overview {
        width: 2.0 * MARGIN + columns.len() as f64 * step.0 - BETWEEN.0,
        height: 2.0 * MARGIN + tallest - BETWEEN.1,
        cards,
        bundles,
    }
}

/// The cluster of each node.
fn membership(graph: &PropertyGraph, clusters: &[Cluster]) -> Membership {
    let mut members = Membership {
        operations: vec![0; graph.operations.len()],
        schemas: vec![0; graph.schemas.len()],
    };
    for (at, cluster) in clusters.iter().enumerate() {
        for operation in &cluster.operations {
            members.operations[*operation] = at;
        }
        for schema in &cluster.schemas {
            members.schemas[*schema] = at;
        }
    }
    members
}

/// The cluster of each operation and of each schema.
struct Membership {
    operations: Vec<usize>,
    schemas: Vec<usize>,
}

impl Membership {
    fn of(&self, node: Node) -> usize {
        match node {
            Node::Operation(index) => self.operations[index],
            Node::Schema(index) => self.schemas[index],
        }
    }
}

fn bundles(graph: &PropertyGraph, clusters: &[Cluster]) -> Vec<Bundle> {
    let members = membership(graph, clusters);
    let mut between: BTreeMap<(usize, usize), Vec<usize>> = BTreeMap::new();
    for (at, edge) in graph.edges.iter().enumerate() {
        let (from, to) = ends(&edge.joins);
        let (one, other) = (members.of(from), members.of(to));
        if one != other {
            let pair = (one.min(other), one.max(other));
            between.entry(pair).or_default().push(at);
        }
    }
    let bundle = |((one, other), edges)| Bundle { one, other, edges };
    between.into_iter().map(bundle).collect()
}
