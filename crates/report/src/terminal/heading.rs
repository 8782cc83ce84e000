//! The first line of a run.

use crate::layout::cut;
use crate::style::Tone;
use crate::wording::counted;
use crate::{Style, TOOL_VERSION, one_line, seed_text};

/// What a run is about, known before its first request.
#[derive(Debug, Clone, Copy)]
pub struct Heading<'a> {
    pub title: &'a str,
    pub api_version: &'a str,
    /// `OpenAPI 3.1`
    pub dialect: &'a str,
    pub operations: usize,
    pub seed: u64,
}

/// `fossick 0.1.0 · Tracker 1.0.0 (OpenAPI 3.1) · 13 operations · seed 7f3a`
pub fn heading(heading: &Heading<'_>, style: &Style) -> String {
    let name = format!("fossick {TOOL_VERSION}");
    let rest = [
        counted(heading.operations as u64, "operation"),
        format!("seed {}", seed_text(heading.seed)),
    ];
    let frame = style.joined(&[name.clone(), String::new(), style.joined(&rest)]);
    // The seed is what a reader may need later: a long title gives way.
    let room = style.width.saturating_sub(frame.chars().count()).max(20);
    let facts = [
        style.paint(Tone::Strong, &name),
        cut(&about(heading), room, style),
        style.joined(&rest),
    ];
    style.joined(&facts)
}

fn about(heading: &Heading<'_>) -> String {
    let title = match one_line(heading.title) {
        title if title.is_empty() => "untitled API".to_owned(),
        title => title,
    };
    let version = one_line(heading.api_version);
    let space = if version.is_empty() { "" } else { " " };
    format!("{title}{space}{version} ({})", one_line(heading.dialect))
}
