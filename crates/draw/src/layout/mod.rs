//! Where everything stands.
//!
//! Every operation goes home to the schema it has most to do with; a schema with its operations on
//! both sides is a block, and blocks are stacked in columns so that those with much in common are
//! near. No forces and no chance: the same graph is the same picture, and a few hundred operations
//! take milliseconds.
//!
//! A large graph is too much for one picture: its resources are clusters, each laid out on its own,
//! and an overview shows them as cards.

mod arrange;
mod blocks;
mod card;
mod clusters;
mod labels;
mod overview;
mod place;
mod route;
mod weight;

use fossick_trace::PropertyGraph;

pub(crate) use card::Row;
pub(crate) use clusters::Cluster;
pub(crate) use overview::{Overview, overview};
pub(crate) use route::Curve;

/// Width by height that a picture should have.
const ASPECT: f64 = 1.6;
/// Operations beyond which a graph is looked at by its clusters.
const LARGE: usize = 80;

pub(crate) const PILL: (f64, f64) = (262.0, 42.0);
pub(crate) const CARD: f64 = 232.0;
pub(crate) const HEAD: f64 = 30.0;
pub(crate) const ROW: f64 = 21.0;

#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(crate) struct Area {
    pub(crate) x: f64,
    pub(crate) y: f64,
    pub(crate) width: f64,
    pub(crate) height: f64,
}

impl Area {
    pub(crate) fn right(&self) -> f64 {
        self.x + self.width
    }

    pub(crate) fn bottom(&self) -> f64 {
        self.y + self.height
    }

    pub(crate) fn middle(&self) -> (f64, f64) {
        (self.x + self.width / 2.0, self.y + self.height / 2.0)
    }
}

/// A name for a part of the picture, to be read from afar.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Frame {
    pub(crate) name: String,
    pub(crate) at: (f64, f64),
}

/// The graph in coordinates; lists are in the order of the graph's.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Picture {
    pub(crate) width: f64,
    pub(crate) height: f64,
    pub(crate) pills: Vec<Area>,
    /// The side of each pill that no card is at: -1 left, +1 right.
    pub(crate) outer: Vec<f64>,
    /// The schema that each pill stands beside.
    pub(crate) homes: Vec<Option<usize>>,
    pub(crate) cards: Vec<Area>,
    pub(crate) rows: Vec<Vec<Row>>,
    pub(crate) frames: Vec<Frame>,
    pub(crate) curves: Vec<Vec<Curve>>,
    /// Of a large graph.
    pub(crate) clusters: Vec<Cluster>,
}

pub(crate) fn layout(graph: &PropertyGraph) -> Picture {
    let rows = card::rows(graph);
    let blocks = blocks::blocks(graph, &rows);
    let clusters = match graph.operations.len() {
        0..=LARGE => Vec::new(),
        _ => clusters::clusters(graph, &blocks),
    };
    let all: Vec<usize> = (0..blocks.len()).collect();
    let columns = |wanted: &[usize]| arrange::columns(graph, &blocks, &rows, wanted);
    let sections: Vec<Vec<Vec<usize>>> = match clusters.as_slice() {
        [] => vec![columns(&all)],
        some => some.iter().map(|c| columns(&c.blocks)).collect(),
    };
    let mut picture = place::place(graph, blocks, &sections, rows);
    picture.curves = route::curves(graph, &picture);
    labels::thin(graph, &mut picture);
    picture.clusters = clusters;
    picture
}

/// The clusters of a graph, however large it is.
pub(crate) fn clusters(graph: &PropertyGraph) -> Vec<Cluster> {
    clusters::clusters(graph, &blocks::blocks(graph, &card::rows(graph)))
}
