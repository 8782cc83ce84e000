//! Findings, ranked, each with why it is one and how to see it again.

use std::fmt::Write as _;

use fossick_suite::shell::one_a_line;
use fossick_trace::{Basis, Case, Finding, Run};

use crate::causes::Causes;
use crate::layout::{cut, indented, listed, padded, width, wrapped};
use crate::style::Tone;
use crate::wording::{capitalised, in_words};
use crate::{Style, clean, one_line};

use super::{folded, steps, tone_of};

/// Names and operations are indented so far, below the number.
const INDENT: usize = 4;
/// A command longer than this helps nobody on a screen; it stands in the JSON report.
const LONGEST_COMMAND: usize = 1200;

/// All findings of a run: told in full, folded, and apart from both what did not come back.
pub fn findings(run: &Run, style: &Style) -> String {
    let causes = Causes::of(run);
    let (full, low) = causes.split(style.all);
    let column = column(&full, style);
    let mut blocks: Vec<String> = full
        .iter()
        .enumerate()
        .map(|(at, case)| told(at + 1, case, column, style))
        .collect();
    blocks.push(folded::folded(&low, style));
    blocks.push(folded::wavering(&causes.wavering, style));
    blocks.retain(|block| !block.is_empty());
    blocks.join("\n")
}

/// One line as soon as a finding is confirmed.
pub fn new_finding_line(name: &str, finding: &Finding, style: &Style) -> String {
    let what = one_line(name);
    let place = one_line(&finding.operation);
    let title = one_line(&finding.title);
    let head = format!("  {} ", finding.code);
    let room = style.width.saturating_sub(width(&head) + width(&what) + 2);
    let rest = cut(&style.joined(&[place, title]), room, style);
    let (head, what) = (
        style.paint(tone_of(finding.severity), &head),
        style.paint(Tone::Strong, &what),
    );
    format!("{head}{what}  {rest}")
}

/// Where the right-hand column begins: behind most names and operations, not behind the longest.
fn column(findings: &[&Case], style: &Style) -> usize {
    let texts = findings
        .iter()
        .flat_map(|r| [&r.names.oracle, &r.finding.operation]);
    let most = (style.width * 2 / 5).max(16);
    texts
        .map(|text| width(&one_line(text)))
        .filter(|width| *width <= most)
        .max()
        .unwrap_or(0)
        .max(24)
}

fn told(number: usize, case: &Case, column: usize, style: &Style) -> String {
    let finding = &case.finding;
    let mut out = title_line(number, case, column, style);
    let operation = one_line(&finding.operation);
    out.push_str(&beside(
        &operation,
        &one_line(&finding.title),
        column,
        style,
    ));
    let reason = one_line(&format!("{} {}", finding.why, provenance(case)));
    let room = style.width.saturating_sub(INDENT).max(20);
    out.push_str(&indented(&wrapped(&reason, room), INDENT));
    out.push_str(&indented(&steps::steps(case, style), INDENT + 2));
    out.push_str(&indented(
        &steps::answer(&case.episode, finding.call, style),
        INDENT + 2,
    ));
    out.push_str(&indented(&steps::inside(case, style), INDENT + 2));
    for command in [&case.names.curl, &case.names.replay] {
        out.push_str(&indented(&command_line(command, style), INDENT + 2));
    }
    out.push_str(&indented(&others(case, style), INDENT));
    out
}

/// ` 1  server error                         F101 · high · sure`
fn title_line(number: usize, case: &Case, column: usize, style: &Style) -> String {
    let finding = &case.finding;
    let name = padded(&one_line(&case.names.oracle), column);
    let facts = style.joined(&[
        finding.code.clone(),
        finding.severity.to_string(),
        finding.sureness.to_string(),
    ]);
    let tone = tone_of(finding.severity);
    let (name, facts) = (style.paint(Tone::Strong, &name), style.paint(tone, &facts));
    format!("{number:>2}  {name}  {facts}\n")
}

/// The operation and what is wrong with it, side by side where there is room.
fn beside(operation: &str, title: &str, column: usize, style: &Style) -> String {
    let start = INDENT + column + 2;
    let room = style.width.saturating_sub(start);
    let painted = |text: &str| style.paint(Tone::Cyan, text);
    if width(operation) > column || (width(title) > room && room < 40) {
        let lines = wrapped(title, style.width.saturating_sub(INDENT).max(20));
        return format!("    {}\n{}", painted(operation), indented(&lines, INDENT));
    }
    let mut lines = wrapped(title, room.max(1)).into_iter();
    let first = lines.next().unwrap_or_default();
    let rest: Vec<_> = lines.collect();
    let left = painted(&padded(operation, column));
    format!("    {left}  {first}\n{}", indented(&rest, start))
}

/// `One call, shrunk from four; came back 3 of 3 times.`
fn provenance(case: &Case) -> String {
    let calls = (case.finding.call + 1).min(case.episode.exchanges.len().max(1));
    let plural = if calls == 1 { "" } else { "s" };
    let mut out = format!("{} call{plural}", capitalised(&in_words(calls)));
    if case.shrunk_from > calls {
        let _ = write!(out, ", shrunk from {}", in_words(case.shrunk_from));
    }
    let (came_back, of) = case.replays;
    if of > 0 {
        let plural = if of == 1 { "" } else { "s" };
        let _ = write!(out, "; came back {came_back} of {of} time{plural}");
    }
    out.push('.');
    match &case.basis {
        Basis::Itself | Basis::Leftovers(_) => {}
        Basis::Fresh => out.push_str(" Seen on a fresh service."),
        Basis::Seeds(what) => {
            let _ = write!(
                out,
                " It needs {}, which was there before the run.",
                listed(what, 3)
            );
        }
    }
    out
}

fn command_line(command: &str, style: &Style) -> Vec<String> {
    match width(command) {
        0 => vec![],
        length if length + INDENT + 2 <= style.width => vec![clean(command)],
        // A long chain is easier to read with a line for each call, and pastes just as well.
        1..=LONGEST_COMMAND => one_a_line(&clean(command)),
        _ => {
            let hint = "(the curl line is too long to show: it is in the JSON report)";
            vec![style.paint(Tone::Dim, hint)]
        }
    }
}

fn others(case: &Case, style: &Style) -> Vec<String> {
    if case.also.is_empty() {
        return vec![];
    }
    let mut labels: Vec<String> = Vec::new();
    for label in case.also.iter().map(|(_, label)| one_line(label)) {
        if !labels.contains(&label) {
            labels.push(label);
        }
    }
    let text = format!("also at: {}", listed(&labels, 5));
    wrapped(&text, style.width.saturating_sub(INDENT).max(20))
}
