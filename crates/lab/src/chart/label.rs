//! Names of lines: a legend above the chart, and a label with the last value at each line's end.

use crate::report::decimals;

use super::curve::{Curve, Plot};
use super::palette;
use super::panel::{Panel, end};
use super::svg::{self, Anchor};

/// Letters of a name that are shown at the end of its line, and in the legend.
const NAME: usize = 24;
const LEGEND_NAME: usize = 48;
/// Between the middles of two labels.
const APART: f64 = 15.0;

pub(super) fn in_words(curve: &Curve) -> String {
    let runs = if curve.runs == 1 { "run" } else { "runs" };
    let last = end(curve)
        .map(|point| number(point.mean))
        .unwrap_or_default();
    format!(
        "{}: {last} at the end, mean of {} {runs}",
        curve.strategy, curve.runs
    )
}

fn number(value: f64) -> String {
    let decimals = decimals(value);
    format!("{value:.decimals$}")
}

/// What stands at the end of a line.
fn words(curve: &Curve) -> String {
    let last = end(curve)
        .map(|point| number(point.mean))
        .unwrap_or_default();
    format!("{} {last}", svg::shortened(&curve.strategy, NAME))
}

/// Room that the labels at the ends need.
pub(super) fn room(plot: &Plot) -> f64 {
    let widest = plot
        .curves
        .iter()
        .map(|curve| svg::width(&words(curve)))
        .fold(0.0, f64::max);
    widest * 1.1 + 36.0
}

/// Labels to the right of the panel, moved apart where lines end close together, each joined to
/// its line.
pub(super) fn at_ends(panel: &Panel, plot: &Plot) -> String {
    let mut ends: Vec<(f64, &Curve)> = plot
        .curves
        .iter()
        .filter_map(|curve| Some((panel.place(0.0, end(curve)?.mean).1, curve)))
        .collect();
    ends.sort_by(|left, right| left.0.total_cmp(&right.0));
    let wanted: Vec<f64> = ends.iter().map(|(y, _)| *y).collect();
    let places = apart(&wanted, panel.top, panel.bottom());
    ends.iter()
        .zip(places)
        .map(|((from, curve), to)| end_label(panel, curve, *from, to))
        .collect()
}

fn end_label(panel: &Panel, curve: &Curve, from: f64, to: f64) -> String {
    let right = panel.right();
    let class = palette::class(curve.place);
    let joint = svg::line(
        (right + 3.0, from),
        (right + 15.0, to),
        "stroke-opacity=\"0.6\"",
    );
    let words = svg::text(
        right + 19.0,
        to + 4.0,
        Anchor::Start,
        "font-weight=\"600\"",
        &words(curve),
    );
    format!("<g class=\"{class}\">\n{joint}{words}</g>\n")
}

/// Sorted places moved apart, and as little as need be: those that crowd spread evenly around
/// their common middle (an isotonic regression of what is left when the gaps are taken out).
fn apart(wanted: &[f64], top: f64, bottom: f64) -> Vec<f64> {
    let gaps = |place: usize| place as f64 * APART;
    let mut crowds: Vec<(f64, usize)> = Vec::new();
    for (place, y) in wanted.iter().enumerate() {
        let mut crowd = (y - gaps(place), 1);
        while let Some(above) = crowds.pop_if(|above| above.0 > crowd.0) {
            crowd = joined(above, crowd);
        }
        crowds.push(crowd);
    }
    let lowest = (bottom - gaps(wanted.len().saturating_sub(1))).max(top);
    crowds
        .into_iter()
        .flat_map(|(middle, count)| std::iter::repeat_n(middle.clamp(top, lowest), count))
        .enumerate()
        .map(|(place, y)| y + gaps(place))
        .collect()
}

/// Middle and number of two crowds together.
fn joined(left: (f64, usize), right: (f64, usize)) -> (f64, usize) {
    let count = left.1 + right.1;
    let sum = left.0 * left.1 as f64 + right.0 * right.1 as f64;
    (sum / count as f64, count)
}

/// One sample of line and name after the other, as many rows as need be; with the height of them.
pub(super) fn legend(curves: &[&Curve], left: f64, top: f64, width: f64) -> (String, f64) {
    let (mut x, mut y) = (left, top);
    let mut body = String::new();
    for curve in curves {
        let name = svg::shortened(&curve.strategy, LEGEND_NAME);
        let wide = 36.0 + svg::width(&name) + 18.0;
        if x + wide > left + width && x > left {
            x = left;
            y += 20.0;
        }
        let stroke = format!("stroke-width=\"2.5\"{}", svg::stroke(curve.place));
        let sample = svg::line((x, y), (x + 28.0, y), &stroke);
        body += &format!(
            "<g class=\"{}\">\n{sample}</g>\n",
            palette::class(curve.place)
        );
        body += &svg::text(x + 36.0, y + 4.0, Anchor::Start, "", &name);
        x += wide;
    }
    (body, y - top + 20.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_move_apart_and_stay_beside_the_chart() {
        assert_eq!(apart(&[50.0, 52.0, 200.0], 0.0, 300.0), [43.5, 58.5, 200.0]);
        assert_eq!(
            apart(&[290.0, 295.0, 299.0], 0.0, 300.0),
            [270.0, 285.0, 300.0]
        );
        assert_eq!(apart(&[], 0.0, 300.0), [0.0; 0]);
    }
}
