//! Lines of coloured text as the picture of a terminal window.

use std::fmt::Write as _;

use super::ansi::{Colour, Line, Piece};

const CHARACTER: f64 = 8.4;
const LINE: f64 = 20.0;
const MARGIN: f64 = 20.0;
/// The bar with the three dots.
const BAR: f64 = 34.0;
/// Longer lines are cut: a picture that must be scrolled is none.
const WIDEST: usize = 110;

pub(super) fn window(lines: &[Line]) -> String {
    let longest = lines.iter().map(columns).max().unwrap_or(0);
    let width = longest.clamp(40, WIDEST) as f64 * CHARACTER + 2.0 * MARGIN;
    let height = lines.len() as f64 * LINE + BAR + MARGIN;
    let mut svg = frame(width, height);
    for (at, line) in lines.iter().enumerate() {
        let y = BAR + (at as f64 + 0.75) * LINE;
        write_line(&mut svg, line, y);
    }
    svg.push_str("</g>\n</svg>\n");
    svg
}

fn columns(line: &Line) -> usize {
    line.iter().map(|piece| piece.text.chars().count()).sum()
}

fn frame(width: f64, height: f64) -> String {
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width:.0}\" height=\"{height:.0}\" \
         viewBox=\"0 0 {width:.0} {height:.0}\" role=\"img\" aria-label=\"fossick at work in a terminal\">\n\
         <rect width=\"100%\" height=\"100%\" rx=\"10\" fill=\"#16181d\"/>\n"
    );
    for (at, fill) in ["#ff5f57", "#febc2e", "#28c840"].iter().enumerate() {
        let x = MARGIN + at as f64 * 18.0;
        let _ = writeln!(
            svg,
            "<circle cx=\"{x:.0}\" cy=\"18\" r=\"5.5\" fill=\"{fill}\"/>"
        );
    }
    svg.push_str(
        "<g font-family=\"ui-monospace, 'SF Mono', Menlo, Consolas, 'DejaVu Sans Mono', monospace\" \
         font-size=\"14\" fill=\"#d7dae0\" xml:space=\"preserve\">\n",
    );
    svg
}

fn write_line(svg: &mut String, line: &Line, y: f64) {
    let mut column = 0;
    for piece in line {
        let text = cut(&piece.text, WIDEST.saturating_sub(column));
        if !text.trim().is_empty() {
            write_piece(svg, piece, &text, column, y);
        }
        column += text.chars().count();
    }
}

/// At most so many characters, with a mark where the end is missing.
fn cut(text: &str, most: usize) -> String {
    if text.chars().count() <= most {
        return text.to_owned();
    }
    let kept = text.chars().take(most.saturating_sub(1));
    kept.chain(['…']).take(most).collect()
}

/// Every piece is told its place and its length, so that columns stand whatever the font.
fn write_piece(svg: &mut String, piece: &Piece, text: &str, column: usize, y: f64) {
    let skipped = text.chars().take_while(|c| *c == ' ').count();
    let text = text.trim_matches(' ');
    let x = MARGIN + (column + skipped) as f64 * CHARACTER;
    let length = text.chars().count() as f64 * CHARACTER;
    let _ = writeln!(
        svg,
        "<text x=\"{x:.1}\" y=\"{y:.1}\" textLength=\"{length:.1}\"{}>{}</text>",
        attributes(piece),
        escaped(text)
    );
}

fn attributes(piece: &Piece) -> String {
    let mut attributes = String::new();
    if piece.look.colour != Colour::Plain {
        let _ = write!(attributes, " fill=\"{}\"", fill(piece.look.colour));
    }
    if piece.look.bold {
        attributes.push_str(" font-weight=\"bold\"");
    }
    if piece.look.dim {
        attributes.push_str(" opacity=\"0.6\"");
    }
    attributes
}

fn fill(colour: Colour) -> &'static str {
    match colour {
        Colour::Plain => "#d7dae0",
        Colour::Red => "#ff7b72",
        Colour::Green => "#7ee787",
        Colour::Yellow => "#f2cc60",
        Colour::Blue => "#79c0ff",
        Colour::Magenta => "#d2a8ff",
        Colour::Cyan => "#76e3ea",
        Colour::Grey => "#8b949e",
    }
}

/// Browsers fold runs of spaces in a picture whatever it says of them, so they are made unbreakable.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace("  ", "\u{a0}\u{a0}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::picture::ansi::lines;

    #[test]
    fn text_is_escaped_and_stands_in_its_column() {
        let svg = window(&lines("  a<b \u{1b}[31m& c\u{1b}[0m"));
        assert!(
            svg.contains("x=\"36.8\" y=\"49.0\" textLength=\"25.2\">a&lt;b</text>"),
            "{svg}"
        );
        assert!(svg.contains("fill=\"#ff7b72\">&amp; c</text>"), "{svg}");
    }

    #[test]
    fn long_lines_are_cut() {
        let svg = window(&lines(&"x".repeat(500)));
        assert!(svg.contains(&format!("{}…</text>", "x".repeat(WIDEST - 1))));
        assert!(svg.contains("width=\"964\""), "{svg}");
    }
}
