//! Findings that get one line: those of low severity, and those that did not come back.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use fossick_trace::Reported;

use crate::layout::{cut, listed, padded, width};
use crate::style::Tone;
use crate::{Style, one_line};

/// One line for each code, in the order in which the codes first come.
pub(super) fn folded(findings: &[&Reported], style: &Style) -> String {
    if findings.is_empty() {
        return String::new();
    }
    let groups = by_code(findings);
    let names: Vec<String> = groups.iter().map(|group| name(group, style)).collect();
    let column = names.iter().map(|name| width(name)).max().unwrap_or(0);
    let mut out = String::new();
    for (name, group) in names.iter().zip(&groups) {
        let name = padded(name, column);
        let room = style.width.saturating_sub(column + 7).max(20);
        let places = cut(&listed(&operations(group), 5), room, style);
        let _ = writeln!(out, " +  {}  {}", style.paint(Tone::Dim, &name), places);
    }
    let count: usize = groups.iter().map(|group| operations(group).len()).sum();
    let fact = format!("{count} of low severity, folded; show them with --all");
    let _ = writeln!(out, "    {}", style.paint(Tone::Dim, &fact));
    out
}

/// Seen in the run, but not each time it was tried again: how often, and what.
pub(super) fn wavering(findings: &[&Reported], style: &Style) -> String {
    let mut out = String::new();
    if findings.is_empty() {
        return out;
    }
    let _ = writeln!(
        out,
        "{}",
        style.paint(Tone::Strong, "Seen but not reproduced:")
    );
    let ratios: Vec<String> = findings.iter().map(|reported| ratio(reported)).collect();
    let column = ratios.iter().map(|ratio| width(ratio)).max().unwrap_or(0);
    let room = style.width.saturating_sub(column + 4).max(20);
    for (reported, ratio) in findings.iter().zip(&ratios) {
        let ratio = style.paint(Tone::Dim, &padded(ratio, column));
        let _ = writeln!(
            out,
            "  {ratio}  {}",
            cut(&what(reported, style), room, style)
        );
    }
    out
}

/// How often it came back: `1 of 3`.
fn ratio(reported: &Reported) -> String {
    let (came_back, of) = reported.replays;
    format!("{came_back} of {of}")
}

fn what(reported: &Reported, style: &Style) -> String {
    let finding = &reported.finding;
    let name = format!("{} {}", finding.code, one_line(&reported.name));
    let place = one_line(&finding.operation);
    style.joined(&[name, format!("{place}: {}", one_line(&finding.title))])
}

fn by_code<'a>(findings: &[&'a Reported]) -> Vec<Vec<&'a Reported>> {
    let mut places: BTreeMap<&str, usize> = BTreeMap::new();
    let mut groups: Vec<Vec<&'a Reported>> = Vec::new();
    for &reported in findings {
        let at = *places.entry(&reported.finding.code).or_insert(groups.len());
        match groups.get_mut(at) {
            Some(group) => group.push(reported),
            None => groups.push(vec![reported]),
        }
    }
    groups
}

fn name(group: &[&Reported], style: &Style) -> String {
    let title = group.first().map_or_else(String::new, |reported| {
        format!("{} {}", reported.finding.code, one_line(&reported.name))
    });
    match operations(group).len() {
        1 => title,
        count => format!("{title} {}{count}", style.symbols().times),
    }
}

/// Every operation that the group hits.
fn operations(group: &[&Reported]) -> Vec<String> {
    let mut labels = Vec::new();
    for reported in group {
        labels.push(one_line(&reported.finding.operation));
        labels.extend(reported.also.iter().map(|(_, label)| one_line(label)));
    }
    labels
}
