//! Writing SVG: the outer frame, texts and lines. Every text that comes from outside is escaped.

use super::palette;

/// Where a text stands relative to its point.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Anchor {
    Start,
    Middle,
    End,
}

/// The whole document around its drawing.
pub(super) fn document(
    width: f64,
    height: f64,
    title: &str,
    description: &str,
    body: &str,
) -> String {
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"fossick-chart\" role=\"img\" \
         viewBox=\"0 0 {width:.0} {height:.0}\" width=\"{width:.0}\" height=\"{height:.0}\">\n\
         <title>{}</title>\n<desc>{}</desc>\n<style>{}</style>\n\
         <rect class=\"ground\" width=\"100%\" height=\"100%\"/>\n{body}</svg>\n",
        escape(title),
        escape(description),
        palette::style(),
    )
}

pub(super) fn text(x: f64, y: f64, anchor: Anchor, attributes: &str, text: &str) -> String {
    let anchor = match anchor {
        Anchor::Start => "",
        Anchor::Middle => " text-anchor=\"middle\"",
        Anchor::End => " text-anchor=\"end\"",
    };
    let gap = if attributes.is_empty() { "" } else { " " };
    format!(
        "<text x=\"{x:.1}\" y=\"{y:.1}\" fill=\"currentColor\"{anchor}{gap}{attributes}>{}</text>\n",
        escape(text)
    )
}

pub(super) fn line(from: (f64, f64), to: (f64, f64), attributes: &str) -> String {
    format!(
        "<line x1=\"{:.1}\" y1=\"{:.1}\" x2=\"{:.1}\" y2=\"{:.1}\" stroke=\"currentColor\" {attributes}/>\n",
        from.0, from.1, to.0, to.1
    )
}

/// The stroke of a strategy: its dash where it has one.
pub(super) fn stroke(place: usize) -> String {
    match palette::dash(place) {
        "" => String::new(),
        dash => format!(" stroke-dasharray=\"{dash}\""),
    }
}

/// Width of a text of twelve pixels, guessed: letters of a plain face are about this wide.
pub(super) fn width(text: &str) -> f64 {
    text.chars().count() as f64 * 6.9
}

/// At most so many letters, the last an ellipsis.
pub(super) fn shortened(text: &str, most: usize) -> String {
    if text.chars().count() <= most {
        return text.to_owned();
    }
    let kept: String = text.chars().take(most.saturating_sub(1)).collect();
    kept + "…"
}

pub(super) fn escape(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}
