//! What a run comes to: numbers, what to know about it, what it did not reach.

use std::fmt::Write as _;

use fossick_trace::{Ending, Run, Tally};

use super::coverage::coverage;
use crate::causes::Causes;
use crate::layout::{cut, cut_middle, facts, indented, padded, width, wrapped};
use crate::metrics::Metrics;
use crate::style::Tone;
use crate::wording::{counted, duration, thousands};
use crate::{Style, one_line};

/// So many operations that never succeeded are listed.
const LISTED: usize = 12;

/// The last words: one line of numbers, two for GraphQL, then notes, then what never succeeded.
pub fn summary(run: &Run, style: &Style) -> String {
    let mut out = indented(&numbers(run, style), 0);
    if let Some(metrics) = Metrics::of(run) {
        out.push_str(&indented(&shares(&metrics, style), 0));
    }
    for note in ending(run.ending)
        .into_iter()
        .chain(run.notes.iter().map(|n| one_line(n)))
    {
        let lines = wrapped(&format!("note: {note}"), style.width.max(20));
        let (first, rest) = lines.split_at(lines.len().min(1));
        out.push_str(&indented(first, 0));
        out.push_str(&indented(rest, 2));
    }
    out.push_str(&rules(run, style));
    if let Some(code) = &run.coverage {
        out.push_str(&coverage(code, style));
    }
    out.push_str(&unreached(run, style));
    out
}

/// `rules: POST /bookings: start before end`, where that is one line; the report for machines has
/// them all.
fn rules(run: &Run, style: &Style) -> String {
    let told = run
        .operations
        .iter()
        .filter(|tally| !tally.rules.is_empty());
    let told: Vec<String> = told
        .map(|tally| one_line(&format!("{}: {}", tally.label, tally.rules.join(", "))))
        .collect();
    let line = format!("rules: {}", told.join("; "));
    if told.is_empty() || width(&line) > style.width {
        return String::new();
    }
    format!("{line}\n")
}

/// `6 findings, 4 causes · 51,204 requests in 60 s · 12 of 13 operations answered 2xx`
fn numbers(run: &Run, style: &Style) -> Vec<String> {
    let causes = Causes::of(run);
    let found = found(&causes);
    let succeeded = run.operations.iter().filter(|t| t.succeeded()).count();
    let of = counted(run.operations.len() as u64, "operation");
    let mut all = vec![
        found.clone(),
        format!(
            "{} in {}",
            counted(run.requests, "request"),
            duration(run.elapsed_seconds)
        ),
    ];
    if run.graphql.is_none() {
        all.push(format!(
            "{} of {of} answered 2xx",
            thousands(succeeded as u64)
        ));
    }
    let tone = if causes.told.is_empty() {
        Tone::Green
    } else {
        Tone::Strong
    };
    let mut lines = facts(&all, style.width, style);
    if let Some(first) = lines.first_mut() {
        *first = first.replacen(&found, &style.paint(tone, &found), 1);
    }
    lines
}

/// `12 endpoints · 91.7% answered without errors · … · schema 81.1% covered (120 of 148 pairs)`
fn shares(metrics: &Metrics, style: &Style) -> Vec<String> {
    let share = |endpoints| rounded(metrics.share(endpoints));
    let all = [
        counted(metrics.endpoints as u64, "endpoint"),
        format!("{} answered without errors", share(metrics.without_errors)),
        format!("{} with errors", share(metrics.with_errors)),
        format!("{} with data", share(metrics.with_data)),
        format!(
            "schema {} covered ({} of {})",
            rounded(metrics.coverage()),
            thousands(metrics.covered as u64),
            counted(metrics.tuples as u64, "pair"),
        ),
    ];
    facts(&all, style.width, style)
}

/// `91.7%`, `100%`
fn rounded(percent: f64) -> String {
    let text = format!("{percent:.1}");
    format!("{}%", text.strip_suffix(".0").unwrap_or(&text))
}

fn found(causes: &Causes<'_>) -> String {
    let (findings, told) = (causes.findings as u64, causes.told.len() as u64);
    let mut out = match findings {
        0 => "no findings".to_owned(),
        _ if findings == told => counted(findings, "finding"),
        _ => format!(
            "{}, {}",
            counted(findings, "finding"),
            counted(told, "cause")
        ),
    };
    if !causes.wavering.is_empty() {
        let _ = write!(
            out,
            ", {} not reproduced",
            thousands(causes.wavering.len() as u64)
        );
    }
    out
}

fn ending(ending: Ending) -> Option<String> {
    let text = match ending {
        Ending::Finished => return None,
        Ending::Interrupted => "interrupted; this is what was found until then",
        Ending::ServiceLost => "the service stopped answering and did not come back",
    };
    Some(text.to_owned())
}

fn unreached(run: &Run, style: &Style) -> String {
    let never: Vec<&Tally> = run.operations.iter().filter(|t| !t.succeeded()).collect();
    if never.is_empty() {
        return String::new();
    }
    let title = match run.graphql {
        Some(_) => "Never answered without errors:",
        None => "Never answered 2xx:",
    };
    let mut out = format!("{}\n", style.paint(Tone::Strong, title));
    let labels = never
        .iter()
        .take(LISTED)
        .map(|t| width(&one_line(&t.label)));
    let column = labels.max().unwrap_or(0).min((style.width / 2).max(20));
    for tally in never.iter().take(LISTED) {
        let label = padded(&cut_middle(&one_line(&tally.label), column, style), column);
        let room = style.width.saturating_sub(column + 4).max(20);
        let _ = writeln!(
            out,
            "  {label}  {}",
            cut(&reason(tally, style), room, style)
        );
    }
    if never.len() > LISTED {
        let _ = writeln!(out, "  +{} more", never.len() - LISTED);
    }
    out
}

/// The commonest status and the service's own words: `422 ×310: status must be one of …`. The
/// status of a GraphQL answer with errors is left out, because it is 200 like any other.
fn reason(tally: &Tally, style: &Style) -> String {
    let commonest = tally
        .statuses
        .iter()
        .max_by_key(|(status, count)| (**count, **status));
    let status = match commonest {
        None => return "not tried".to_owned(),
        Some((200, _)) if tally.with_errors > 0 => format!(
            "errors {}{}",
            style.symbols().times,
            thousands(tally.with_errors)
        ),
        Some((0, count)) => format!("no answer {}{}", style.symbols().times, thousands(*count)),
        Some((status, count)) => format!("{status} {}{}", style.symbols().times, thousands(*count)),
    };
    match tally.last_refusal.as_deref().map(one_line) {
        Some(words) if !words.is_empty() => format!("{status}: {words}"),
        _ => status,
    }
}
