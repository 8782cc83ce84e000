//! Findings that get one line: those of low severity, and those that did not come back.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use fossick_trace::{Basis, Case};

use crate::layout::{cut, listed, padded, width};
use crate::style::Tone;
use crate::{Style, one_line};

/// One line for each code, in the order in which the codes first come.
pub(super) fn folded(findings: &[&Case], style: &Style) -> String {
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

/// Seen in the run, but not each time it was tried again: how often, and what. Those that came back
/// only on what earlier calls had left stand apart.
pub(super) fn wavering(findings: &[&Case], style: &Style) -> String {
    let (leaning, lost): (Vec<&Case>, Vec<&Case>) =
        findings.iter().partition(|case| case.came_back());
    let needs = |case: &Case| match &case.basis {
        Basis::Leftovers(what) => format!("needs {}", one_line(&listed(what, 2))),
        _ => String::new(),
    };
    let ratio = |case: &Case| format!("{} of {}", case.replays.0, case.replays.1);
    section("Seen but not reproduced:", &lost, ratio, style)
        + &section(
            "Depends on what earlier calls left:",
            &leaning,
            needs,
            style,
        )
}

fn section(
    title: &str,
    findings: &[&Case],
    fact: impl Fn(&Case) -> String,
    style: &Style,
) -> String {
    let mut out = String::new();
    if findings.is_empty() {
        return out;
    }
    let _ = writeln!(out, "{}", style.paint(Tone::Strong, title));
    let facts: Vec<String> = findings.iter().map(|case| fact(case)).collect();
    let column = facts.iter().map(|fact| width(fact)).max().unwrap_or(0);
    let room = style.width.saturating_sub(column + 4).max(20);
    for (case, fact) in findings.iter().zip(&facts) {
        let fact = style.paint(Tone::Dim, &padded(fact, column));
        let _ = writeln!(out, "  {fact}  {}", cut(&what(case, style), room, style));
    }
    out
}

fn what(case: &Case, style: &Style) -> String {
    let finding = &case.finding;
    let name = format!("{} {}", finding.code, one_line(&case.names.oracle));
    let place = one_line(&finding.operation);
    style.joined(&[name, format!("{place}: {}", one_line(&finding.title))])
}

fn by_code<'a>(findings: &[&'a Case]) -> Vec<Vec<&'a Case>> {
    let mut places: BTreeMap<&str, usize> = BTreeMap::new();
    let mut groups: Vec<Vec<&'a Case>> = Vec::new();
    for &case in findings {
        let at = *places.entry(&case.finding.code).or_insert(groups.len());
        match groups.get_mut(at) {
            Some(group) => group.push(case),
            None => groups.push(vec![case]),
        }
    }
    groups
}

fn name(group: &[&Case], style: &Style) -> String {
    let title = group.first().map_or_else(String::new, |case| {
        format!("{} {}", case.finding.code, one_line(&case.names.oracle))
    });
    match operations(group).len() {
        1 => title,
        count => format!("{title} {}{count}", style.symbols().times),
    }
}

/// Every operation that the group hits.
fn operations(group: &[&Case]) -> Vec<String> {
    let mut labels = Vec::new();
    for case in group {
        labels.push(one_line(&case.finding.operation));
        labels.extend(case.also.iter().map(|(_, label)| one_line(label)));
    }
    labels
}
