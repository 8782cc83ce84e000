//! The graph as a page to look around in: one file without any outside reference.
//!
//! The drawing is the SVG's own; a small script adds searching, zooming, filters and a panel with
//! the evidence. A large graph begins with an overview of its clusters; each opens on its own. It only ever sets text, never markup, and the page's policy forbids everything
//! that is not in the page itself.

use fossick_trace::PropertyGraph;
use serde::Serialize;

use crate::edge::{Node, described, ends};
use crate::escape::{script, xml};
use crate::layout::{Area, Overview, Picture, layout, overview};
use crate::select::was_told;
use crate::svg::{STYLE, drawing, overview_drawing};
use crate::tidy::tidy;
use crate::view::{badge, counts, tint};

const PAGE_STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");
const FRONT: &str = include_str!("front.html");
const BACK: &str = include_str!("back.html");

/// Whatever a text of strangers might smuggle in: nothing is fetched and nothing is sent.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";

pub fn html(graph: &PropertyGraph) -> String {
    let graph = tidy(graph);
    let picture = layout(&graph);
    let overview = overview(&graph, &picture.clusters);
    let title = xml(if graph.title.is_empty() {
        "property graph"
    } else {
        &graph.title
    });
    // Pieces one after the other: a template with holes could be filled by what fills a hole.
    [
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n",
        &format!("<meta http-equiv=\"Content-Security-Policy\" content=\"{POLICY}\">\n"),
        "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n",
        &format!("<title>{title} · property graph</title>\n"),
        "<style>\n",
        STYLE,
        PAGE_STYLE,
        "</style>\n</head>\n<body>\n",
        &format!(
            "<header>\n<h1>{title}</h1>\n<p id=\"counts\">{}</p>\n",
            xml(&counts(&graph))
        ),
        FRONT,
        &stage(&graph, &picture, &overview),
        BACK,
        "<script type=\"application/json\" id=\"data\">",
        &script(&data(&graph, &picture, &overview)),
        "</script>\n<script>\n",
        SCRIPT,
        "</script>\n</body>\n</html>\n",
    ]
    .concat()
}

fn stage(graph: &PropertyGraph, picture: &Picture, overview: &Overview) -> String {
    format!(
        "<svg id=\"stage\" class=\"fossick-graph\" tabindex=\"0\" aria-label=\"the graph; arrows move it, plus and minus zoom\">\n<g id=\"world\">\n<g id=\"map\">\n{}</g>\n<g id=\"overview\">\n{}</g>\n</g>\n</svg>\n",
        drawing(graph, picture),
        overview_drawing(graph, &picture.clusters, overview)
    )
}

/// What the script knows: the graph, and what can't be read off the drawing.
#[derive(Serialize)]
struct Data<'a> {
    graph: &'a PropertyGraph,
    width: f64,
    height: f64,
    pills: Vec<[f64; 4]>,
    cards: Vec<[f64; 4]>,
    badges: Vec<&'a str>,
    tints: Vec<&'static str>,
    edges: Vec<EdgeData>,
    /// None in a graph that can be looked at whole.
    clusters: Vec<ClusterData<'a>>,
    bundles: Vec<BundleData<'a>>,
    overview: [f64; 2],
}

#[derive(Serialize)]
struct ClusterData<'a> {
    name: &'a str,
    operations: &'a [usize],
    schemas: &'a [usize],
    card: [f64; 4],
}

#[derive(Serialize)]
struct BundleData<'a> {
    one: usize,
    other: usize,
    edges: &'a [usize],
}

#[derive(Serialize)]
struct EdgeData {
    text: String,
    told: bool,
    /// Ends as the ids of their elements.
    from: String,
    to: String,
}

fn data(graph: &PropertyGraph, picture: &Picture, overview: &Overview) -> String {
    let numbers = |areas: &[Area]| areas.iter().map(corners).collect();
    let data = Data {
        graph,
        width: picture.width,
        height: picture.height,
        pills: numbers(&picture.pills),
        cards: numbers(&picture.cards),
        badges: graph.operations.iter().map(badge).collect(),
        tints: graph.operations.iter().map(tint).collect(),
        edges: graph.edges.iter().map(|e| edge_data(graph, e)).collect(),
        clusters: cluster_data(picture, overview),
        bundles: bundle_data(overview),
        overview: [overview.width, overview.height].map(f64::round),
    };
    serde_json::to_string(&data).expect("plain data has no way to fail")
}

fn cluster_data<'a>(picture: &'a Picture, overview: &Overview) -> Vec<ClusterData<'a>> {
    let both = picture.clusters.iter().zip(&overview.cards);
    both.map(|(cluster, card)| ClusterData {
        name: &cluster.name,
        operations: &cluster.operations,
        schemas: &cluster.schemas,
        card: corners(card),
    })
    .collect()
}

fn bundle_data(overview: &Overview) -> Vec<BundleData<'_>> {
    let bundles = overview.bundles.iter();
    bundles
        .map(|bundle| BundleData {
            one: bundle.one,
            other: bundle.other,
            edges: &bundle.edges,
        })
        .collect()
}

fn corners(area: &Area) -> [f64; 4] {
    [area.x, area.y, area.width, area.height].map(f64::round)
}

fn edge_data(graph: &PropertyGraph, edge: &fossick_trace::GraphEdge) -> EdgeData {
    let (from, to) = ends(&edge.joins);
    EdgeData {
        text: described(graph, edge),
        told: was_told(edge),
        from: id(from),
        to: id(to),
    }
}

fn id(node: Node) -> String {
    match node {
        Node::Operation(index) => format!("o{index}"),
        Node::Schema(index) => format!("s{index}"),
    }
}
