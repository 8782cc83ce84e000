//! Axes, bands and lines inside one rectangle: the part that every chart shares.

use super::axis::Axis;
use super::curve::{Curve, CurvePoint, Plot};
use super::svg::{self, Anchor};
use super::{label, palette};

#[derive(Debug, Clone, Copy)]
pub(super) struct Panel {
    pub(super) left: f64,
    pub(super) top: f64,
    pub(super) width: f64,
    pub(super) height: f64,
    pub(super) x: Axis,
    pub(super) y: Axis,
}

impl Panel {
    /// A rectangle (left, top, width, height) with axes that hold the plot; nought is always on
    /// the value axis, or a small difference would look like a large one.
    pub(super) fn new((left, top, width, height): (f64, f64, f64, f64), plot: &Plot) -> Self {
        let values = plot.curves.iter().flat_map(|curve| &curve.points);
        let (low, high) = values.fold((0.0_f64, 0.0_f64), |(low, high), point| {
            (
                low.min(point.low).min(point.mean),
                high.max(point.high).max(point.mean),
            )
        });
        Self {
            left,
            top,
            width,
            height,
            x: Axis::within(0.0, plot.budget as f64, (width / 90.0) as u32),
            y: Axis::around(low, high, (height / 38.0) as u32),
        }
    }

    pub(super) fn right(&self) -> f64 {
        self.left + self.width
    }

    pub(super) fn bottom(&self) -> f64 {
        self.top + self.height
    }

    pub(super) fn place(&self, calls: f64, value: f64) -> (f64, f64) {
        (
            self.left + self.x.share(calls) * self.width,
            self.bottom() - self.y.share(value) * self.height,
        )
    }

    pub(super) fn axes(&self) -> String {
        let mut body = String::new();
        for tick in self.y.ticks() {
            let (_, y) = self.place(0.0, tick);
            body += &svg::line((self.left, y), (self.right(), y), "stroke-opacity=\"0.12\"");
            let words = self.y.tick_label(tick);
            body += &svg::text(
                self.left - 8.0,
                y + 4.0,
                Anchor::End,
                "font-size=\"11\" opacity=\"0.75\"",
                &words,
            );
        }
        for tick in self.x.ticks() {
            let (x, _) = self.place(tick, 0.0);
            let bottom = self.bottom();
            body += &svg::line((x, bottom), (x, bottom + 5.0), "stroke-opacity=\"0.5\"");
            let words = self.x.tick_label(tick);
            body += &svg::text(
                x,
                bottom + 18.0,
                Anchor::Middle,
                "font-size=\"11\" opacity=\"0.75\"",
                &words,
            );
        }
        let bottom = self.bottom();
        body + &svg::line(
            (self.left, bottom),
            (self.right(), bottom),
            "stroke-opacity=\"0.5\"",
        )
    }

    /// Bands first, so that no band lies over a line.
    pub(super) fn curves(&self, plot: &Plot) -> String {
        let bands: String = plot.curves.iter().map(|curve| self.band(curve)).collect();
        let lines: String = plot.curves.iter().map(|curve| self.line(curve)).collect();
        bands + &lines
    }

    fn band(&self, curve: &Curve) -> String {
        if curve.points.iter().all(|point| point.low == point.high) {
            return String::new();
        }
        let above = curve.points.iter().map(|point| (point.calls, point.high));
        let below = curve
            .points
            .iter()
            .rev()
            .map(|point| (point.calls, point.low));
        format!(
            "<path class=\"{}\" fill=\"currentColor\" fill-opacity=\"0.15\" d=\"{}Z\"/>\n",
            palette::class(curve.place),
            self.path(above.chain(below)),
        )
    }

    fn line(&self, curve: &Curve) -> String {
        let means = curve.points.iter().map(|point| (point.calls, point.mean));
        format!(
            "<path class=\"{}\" fill=\"none\" stroke=\"currentColor\" stroke-width=\"2\" \
             stroke-linejoin=\"round\"{} d=\"{}\"><title>{}</title></path>\n",
            palette::class(curve.place),
            svg::stroke(curve.place),
            self.path(means),
            svg::escape(&label::in_words(curve)),
        )
    }

    fn path(&self, points: impl Iterator<Item = (u64, f64)>) -> String {
        let mut path = String::new();
        for (calls, value) in points {
            let (x, y) = self.place(calls as f64, value);
            let letter = if path.is_empty() { 'M' } else { 'L' };
            path += &format!("{letter}{x:.1} {y:.1}");
        }
        path
    }
}

/// The right end of a curve.
pub(super) fn end(curve: &Curve) -> Option<&CurvePoint> {
    curve.points.last()
}
