//! All services side by side, small. Each has its own scale of values, since services differ in
//! size far more than strategies do; the scale of calls is the same for all.

use super::curve::{Curve, Plot};
use super::label;
use super::panel::Panel;
use super::single::how_drawn;
use super::svg::{self, Anchor};

const PANEL: (f64, f64) = (250.0, 165.0);
/// Around a panel: left and right, above and below.
const GAP: (f64, f64) = (56.0, 62.0);
const LEFT: f64 = 20.0;
const MOST_COLUMNS: usize = 4;

pub(super) fn draw(title: &str, plots: &[Plot]) -> String {
    let columns = columns(plots.len());
    let rows = plots.len().div_ceil(columns);
    let width = LEFT + columns as f64 * (PANEL.0 + GAP.0) + 16.0;
    let (legend, legend_height) =
        label::legend(&every_strategy(plots), LEFT, 76.0, width - 2.0 * LEFT);
    let top = 76.0 + legend_height;
    let height = top + rows as f64 * (PANEL.1 + GAP.1) + 22.0;
    let mut body = heading(title, plots, width) + &legend;
    for (place, plot) in plots.iter().enumerate() {
        let (column, row) = ((place % columns) as f64, (place / columns) as f64);
        let left = LEFT + 40.0 + column * (PANEL.0 + GAP.0);
        body += &small(plot, left, top + 34.0 + row * (PANEL.1 + GAP.1));
    }
    body += &svg::text(
        width / 2.0,
        height - 10.0,
        Anchor::Middle,
        "opacity=\"0.75\"",
        "HTTP calls",
    );
    svg::document(width, height, title, &description(plots), &body)
}

/// About square, but never narrower than the heading needs.
fn columns(plots: usize) -> usize {
    let mut columns = 2;
    while columns < MOST_COLUMNS && columns * columns < plots {
        columns += 1;
    }
    columns
}

/// Each strategy once, in the order of the lab file, even where some have not run everywhere.
fn every_strategy(plots: &[Plot]) -> Vec<&Curve> {
    let mut curves: Vec<&Curve> = plots.iter().flat_map(|plot| &plot.curves).collect();
    curves.sort_by_key(|curve| curve.place);
    curves.dedup_by_key(|curve| curve.place);
    curves
}

fn heading(title: &str, plots: &[Plot], width: f64) -> String {
    let bold = "font-size=\"17\" font-weight=\"600\"";
    let title = svg::shortened(title, (width / 10.0) as usize);
    let metric = plots
        .first()
        .map(|plot| plot.metric.as_str())
        .unwrap_or_default();
    let curves: Vec<Curve> = plots.iter().flat_map(|plot| plot.curves.clone()).collect();
    let below = format!("{metric} over HTTP calls; {}", how_drawn(&curves));
    svg::text(LEFT, 30.0, Anchor::Start, bold, &title)
        + &svg::text(LEFT, 51.0, Anchor::Start, "opacity=\"0.75\"", &below)
}

fn small(plot: &Plot, left: f64, top: f64) -> String {
    let panel = Panel::new((left, top, PANEL.0, PANEL.1), plot);
    let name = svg::shortened(&plot.service, 34);
    svg::text(
        left,
        top - 12.0,
        Anchor::Start,
        "font-weight=\"600\"",
        &name,
    ) + &panel.axes()
        + &panel.curves(plot)
}

fn description(plots: &[Plot]) -> String {
    let names: Vec<&str> = plots.iter().map(|plot| plot.service.as_str()).collect();
    format!("One small chart for each of: {}", names.join(", "))
}
