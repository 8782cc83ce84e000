//! Edges as paths with heads, labels, and a cross where one was removed.

use fossick_trace::{EdgeState, GraphEdge, PropertyGraph};

use crate::edge::{EdgeKind, described};
use crate::escape::xml;
use crate::layout::{Curve, Picture};
use crate::view::classes;

pub(crate) fn edges(graph: &PropertyGraph, picture: &Picture) -> String {
    let mut order: Vec<usize> = (0..graph.edges.len()).collect();
    // What was learned lies above what was told.
    order.sort_by_key(|at| graph.edges.get(*at).map_or(0, level));
    order
        .iter()
        .filter_map(|at| {
            let (edge, curves) = (graph.edges.get(*at)?, picture.curves.get(*at)?);
            Some(one(graph, *at, edge, curves))
        })
        .collect()
}

fn level(edge: &GraphEdge) -> u8 {
    match (EdgeKind::of(&edge.joins), edge.state) {
        (EdgeKind::Endpoint, _) => 0,
        (_, EdgeState::Told) => 1,
        (_, EdgeState::Removed) => 2,
        _ => 3,
    }
}

fn one(graph: &PropertyGraph, at: usize, edge: &GraphEdge, curves: &[Curve]) -> String {
    let mut out = format!(
        "<g class=\"{}\" id=\"e{at}\"><title>{}</title>",
        classes(edge),
        xml(&described(graph, edge))
    );
    let width = stroke_width(edge);
    for curve in curves {
        out.push_str(&format!(
            "<path class=\"l\" stroke-width=\"{width:.1}\" d=\"{}\"/>",
            path(curve)
        ));
        out.push_str(&head(curve));
    }
    if edge.state == EdgeState::Removed {
        out.extend(curves.iter().map(cross));
    }
    out.extend(curves.iter().map(label));
    out.push_str("</g>\n");
    out
}

/// The surer, the thicker.
fn stroke_width(edge: &GraphEdge) -> f64 {
    match EdgeKind::of(&edge.joins) {
        EdgeKind::Equals => 2.6 + edge.confidence,
        EdgeKind::Endpoint => 1.4,
        _ => 1.0 + edge.confidence,
    }
}

fn path(curve: &Curve) -> String {
    let (a, b) = curve.bends;
    // A line stops where its head begins.
    let end = curve.to.0 - curve.head.map_or(0.0, |side| side * 6.0);
    format!(
        "M{:.1} {:.1}C{:.1} {:.1} {:.1} {:.1} {end:.1} {:.1}",
        curve.from.0, curve.from.1, a.0, a.1, b.0, b.1, curve.to.1
    )
}

fn head(curve: &Curve) -> String {
    let Some(side) = curve.head else {
        return String::new();
    };
    let (x, y) = curve.to;
    let back = x - side * 8.0;
    format!(
        "<path class=\"h\" d=\"M{x:.1} {y:.1}L{back:.1} {:.1}L{back:.1} {:.1}Z\"/>",
        y - 4.0,
        y + 4.0
    )
}

fn cross(curve: &Curve) -> String {
    let (x, y) = curve.middle();
    let (left, right, top, bottom) = (x - 5.0, x + 5.0, y - 5.0, y + 5.0);
    format!(
        "<path class=\"cross\" d=\"M{left:.1} {top:.1}L{right:.1} {bottom:.1}M{left:.1} {bottom:.1}L{right:.1} {top:.1}\"/>"
    )
}

fn label(curve: &Curve) -> String {
    let Some(label) = &curve.label else {
        return String::new();
    };
    let class = if label.ends { "says ends" } else { "says" };
    format!(
        "<text class=\"{class}\" x=\"{:.1}\" y=\"{:.1}\">{}</text>",
        label.at.0,
        label.at.1,
        xml(&label.text)
    )
}
