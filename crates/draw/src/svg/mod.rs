//! The graph as SVG: one file without references, in light and dark.

mod edges;
mod legend;
mod nodes;
mod overview;

use fossick_trace::PropertyGraph;

pub(crate) use overview::drawing as overview_drawing;
pub use overview::overview;

use crate::escape::xml;
use crate::layout::{Picture, layout};
use crate::tidy::tidy;
use crate::view::counts;

/// Classes instead of variables: viewers that are no browsers know them too.
pub(crate) const STYLE: &str = include_str!("graph.css");

const HEADING: f64 = 64.0;

pub fn svg(graph: &PropertyGraph) -> String {
    let graph = tidy(graph);
    let picture = layout(&graph);
    let drawing = drawing(&graph, &picture);
    let legend = legend::legend(&graph);
    page(
        &graph,
        (picture.width, picture.height),
        &drawing,
        Some(legend),
    )
}

/// A drawing under its title, with what its signs mean below it.
fn page(
    graph: &PropertyGraph,
    (across, down): (f64, f64),
    drawing: &str,
    legend: Option<legend::Legend>,
) -> String {
    let legend = legend.unwrap_or_default();
    let width = across.max(legend.width);
    let height = HEADING + down + legend.height;
    let shift = (width - across) / 2.0;
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"fossick-graph\" role=\"img\" \
         viewBox=\"0 0 {width:.0} {height:.0}\" width=\"{width:.0}\" height=\"{height:.0}\">\n\
         <title>{title}</title>\n<style>\n{STYLE}</style>\n\
         <rect class=\"ground\" width=\"100%\" height=\"100%\"/>\n{heading}\
         <g transform=\"translate({shift:.0} {HEADING:.0})\">\n{drawing}</g>\n\
         <g transform=\"translate(0 {below:.0})\">\n{key}</g>\n</svg>\n",
        title = xml(&graph.title),
        heading = heading(graph),
        below = HEADING + down,
        key = legend.body,
    )
}

fn heading(graph: &PropertyGraph) -> String {
    let title = if graph.title.is_empty() {
        "property graph"
    } else {
        &graph.title
    };
    format!(
        "<text class=\"title\" x=\"40\" y=\"38\">{}</text>\n\
         <text class=\"note\" x=\"40\" y=\"58\">{}</text>\n",
        xml(&crate::text::shortened(title, 80)),
        xml(&counts(graph))
    )
}

/// Edges below, nodes above them.
pub(crate) fn drawing(graph: &PropertyGraph, picture: &Picture) -> String {
    let mut out = String::from("<g class=\"edges\">\n");
    out.push_str(&edges::edges(graph, picture));
    out.push_str("</g>\n<g class=\"nodes\">\n");
    out.push_str(&nodes::cards(graph, picture));
    out.push_str(&nodes::pills(graph, picture));
    out.push_str("</g>\n<g class=\"names\">\n");
    out.push_str(&nodes::names(picture));
    out.push_str("</g>\n");
    out
}
