//! The chart of one service.

use super::curve::{Curve, Plot};
use super::label;
use super::panel::Panel;
use super::svg::{self, Anchor};

const WIDTH: f64 = 860.0;
const PLOT_HEIGHT: f64 = 340.0;
const LEFT: f64 = 64.0;

pub(super) fn draw(plot: &Plot) -> String {
    let curves: Vec<&Curve> = plot.curves.iter().collect();
    let (legend, legend_height) = label::legend(&curves, LEFT, 76.0, WIDTH - LEFT - 16.0);
    let top = 76.0 + legend_height + 8.0;
    let room = label::room(plot).min(WIDTH / 3.0);
    let panel = Panel::new((LEFT, top, WIDTH - LEFT - room, PLOT_HEIGHT), plot);
    let height = top + PLOT_HEIGHT + 52.0;
    let title = format!("{}: {} over HTTP calls", plot.service, plot.metric);
    let body = heading(&title, plot)
        + &legend
        + &panel.axes()
        + &caption(&panel)
        + &panel.curves(plot)
        + &label::at_ends(&panel, plot);
    svg::document(WIDTH, height, &title, &description(plot), &body)
}

fn heading(title: &str, plot: &Plot) -> String {
    let title = svg::shortened(title, 80);
    let bold = "font-size=\"17\" font-weight=\"600\"";
    svg::text(LEFT, 30.0, Anchor::Start, bold, &title)
        + &svg::text(
            LEFT,
            51.0,
            Anchor::Start,
            "opacity=\"0.75\"",
            &how_drawn(&plot.curves),
        )
}

/// What lines and bands are, and how many runs stand behind them.
pub(super) fn how_drawn(curves: &[Curve]) -> String {
    let runs = curves.iter().map(|curve| curve.runs);
    let (least, most) = (runs.clone().min().unwrap_or(0), runs.max().unwrap_or(0));
    match (least, most) {
        (1, 1) => "a single run of each strategy".to_owned(),
        _ if least == most => format!("line: mean of {most} runs; band: the middle half of them"),
        _ => format!("line: mean of {least} to {most} runs; band: the middle half of them"),
    }
}

fn caption(panel: &Panel) -> String {
    let middle = panel.left + panel.width / 2.0;
    svg::text(
        middle,
        panel.bottom() + 40.0,
        Anchor::Middle,
        "opacity=\"0.75\"",
        "HTTP calls",
    )
}

/// The chart in words, for those who do not see it.
fn description(plot: &Plot) -> String {
    let lines: Vec<String> = plot.curves.iter().map(label::in_words).collect();
    lines.join("; ")
}
