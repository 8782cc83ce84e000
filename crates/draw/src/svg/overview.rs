//! The overview of a graph: a card for each cluster, and lines for what joins them.

use fossick_trace::PropertyGraph;

use super::page;
use crate::escape::xml;
use crate::layout::{Area, Cluster, Overview, clusters, overview as arranged};
use crate::text::{counted, fitting, shortened};
use crate::tidy::tidy;
use crate::view::tint;

/// The clusters of a graph as a picture of their own.
pub fn overview(graph: &PropertyGraph) -> String {
    let graph = tidy(graph);
    let clusters = clusters(&graph);
    let overview = arranged(&graph, &clusters);
    let drawing = drawing(&graph, &clusters, &overview);
    page(&graph, (overview.width, overview.height), &drawing, None)
}

/// Lines below, cards above them.
pub(crate) fn drawing(graph: &PropertyGraph, clusters: &[Cluster], overview: &Overview) -> String {
    let mut out = String::new();
    for (at, bundle) in overview.bundles.iter().enumerate() {
        let areas = (
            overview.cards.get(bundle.one),
            overview.cards.get(bundle.other),
        );
        if let (Some(one), Some(other)) = areas {
            let names = [bundle.one, bundle.other].map(|c| clusters[c].name.as_str());
            out.push_str(&line(at, bundle.edges.len(), (one, other), names));
        }
    }
    for ((at, cluster), area) in clusters.iter().enumerate().zip(&overview.cards) {
        out.push_str(&card(graph, at, cluster, area));
    }
    out
}

/// A line that bows a little, so that those in one row can be told apart.
fn line(at: usize, edges: usize, (one, other): (&Area, &Area), names: [&str; 2]) -> String {
    const BOW: f64 = 0.12;
    let ((x1, y1), (x2, y2)) = (one.middle(), other.middle());
    let (cx, cy) = (
        f64::midpoint(x1, x2) - (y2 - y1) * BOW,
        f64::midpoint(y1, y2) + (x2 - x1) * BOW,
    );
    let wide = 0.8 + 0.7 * (edges as f64).log2();
    format!(
        "<g class=\"b\" id=\"b{at}\"><title>{}, {}: {}</title>\
         <path class=\"l\" d=\"M{x1:.0} {y1:.0}Q{cx:.0} {cy:.0} {x2:.0} {y2:.0}\" stroke-width=\"{wide:.1}\"/></g>\n",
        xml(names[0]),
        xml(names[1]),
        counted(edges, "edge"),
    )
}

fn card(graph: &PropertyGraph, at: usize, cluster: &Cluster, area: &Area) -> String {
    const LEFT: f64 = 14.0;
    let room = area.width - 2.0 * LEFT;
    let operations = counted(cluster.operations.len(), "operation");
    let schemas = counted(cluster.schemas.len(), "schema");
    format!(
        "<g class=\"c\" id=\"c{at}\" transform=\"translate({:.0} {:.0})\"><title>{}</title>\
         <rect class=\"box\" width=\"{:.0}\" height=\"{:.0}\" rx=\"9\"/>\
         <text class=\"name\" x=\"{LEFT}\" y=\"26\">{}</text>\
         <text class=\"sub\" x=\"{LEFT}\" y=\"45\">{}</text>{}</g>\n",
        area.x,
        area.y,
        xml(&cluster.name),
        area.width,
        area.height,
        xml(&shortened(&cluster.name, fitting(room, 15.0))),
        xml(&shortened(
            &format!("{operations}, {schemas}"),
            fitting(room, 11.5)
        )),
        bar(graph, cluster, (LEFT, area.height - 18.0), room),
    )
}

/// What the operations of a cluster do, as parts of one bar; pale where none of them went well.
fn bar(graph: &PropertyGraph, cluster: &Cluster, (left, top): (f64, f64), room: f64) -> String {
    let step = room / cluster.operations.len().max(1) as f64;
    let mut parts: Vec<(&str, bool)> = cluster
        .operations
        .iter()
        .filter_map(|o| graph.operations.get(*o))
        .map(|o| (tint(o), graph.requests > 0 && o.successes == 0))
        .collect();
    parts.sort_unstable();
    let part = |(at, (tint, never)): (usize, &(&str, bool))| {
        format!(
            "<g class=\"m-{tint}{}\"><rect class=\"stripe\" x=\"{:.1}\" y=\"{top:.0}\" width=\"{:.1}\" height=\"7\"/></g>",
            if *never { " never" } else { "" },
            left + at as f64 * step,
            (step - 1.0).max(0.6),
        )
    };
    parts.iter().enumerate().map(part).collect()
}
