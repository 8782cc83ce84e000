//! The calls of a finding, one line each, and what the last one answered.

use fossick_suite::Piece;
use fossick_trace::{Call, Case, Episode, Exchange, Outcome, Raised, Said, SourceLine};

use crate::captures::{Names, place_in};
use crate::graphql;
use crate::layout::{cut, cut_middle, folded, padded, width};
use crate::style::Tone;
use crate::{Style, clean, one_line};

use super::tone_of_status;

const INDENT: usize = 6;
/// A body that has less room than this goes below its call.
const NARROWEST_BODY: usize = 14;
const WIDEST_BODY: usize = 48;
const EXCERPT_LINES: usize = 3;

struct Row {
    method: &'static str,
    target: String,
    /// What goes where the target is too long: the end of a path tells more than its middle, and
    /// the first arguments of a field more than the last.
    shortened: fn(&str, usize, &Style) -> String,
    body: String,
    /// `201`, `none`; for GraphQL `data`, `errors`, …
    answered: String,
    tone: Tone,
    /// `id → $p`, or the mark on the call that shows it.
    remark: String,
    shows_it: bool,
}

/// The calls up to the one that shows it; a single call is told by its curl line already, and by
/// [`single`] where that is hard to read.
pub(super) fn steps(case: &Case, style: &Style) -> Vec<String> {
    let episode = &case.episode;
    let shows = case.finding.call;
    let names = Names::of(episode);
    let rows: Vec<Row> = episode
        .steps()
        .take_while(|(at, ..)| *at <= shows)
        .map(|(at, call, exchange)| {
            let remark = if at == shows {
                mark(&case.finding.why, style)
            } else {
                kept(&names, at, call, style)
            };
            Row {
                remark,
                shows_it: at == shows,
                ..row(call, exchange, &names, style)
            }
        })
        .collect();
    if rows.len() < 2 {
        return single(episode, &names, style);
    }
    let columns = Columns::of(&rows, style);
    rows.iter()
        .enumerate()
        .flat_map(|(at, row)| columns.lines(at + 1, row, style))
        .collect()
}

/// The only call of a finding, where its curl line is a text inside of another.
fn single(episode: &Episode, names: &Names, style: &Style) -> Vec<String> {
    let told = episode
        .steps()
        .next()
        .and_then(|(_, call, exchange)| graphql::told(call, &exchange.request, names, style));
    told.map_or_else(Vec::new, |told| {
        labelled("sent", &told.on_one_line(), style)
    })
}

/// The beginning of what the call that shows it answered, at most three lines of each part.
pub(super) fn answer(episode: &Episode, shows: usize, style: &Style) -> Vec<String> {
    let Some(exchange) = episode.exchanges.get(shows) else {
        return Vec::new();
    };
    match &exchange.outcome {
        Outcome::Failed(failure) => labelled("failed", &one_line(&failure.to_string()), style),
        Outcome::Answered(answer) => match (graphql::first_error(answer), graphql::data(answer)) {
            (error, data) if answer.said.is_some() && (error.is_some() || data.is_some()) => {
                let error = error.map(|text| labelled("errors", &text, style));
                let data = data.map(|text| labelled("data", &text, style));
                [error, data].into_iter().flatten().flatten().collect()
            }
            _ => labelled("answer", &one_line(&answer.excerpt(1024)), style),
        },
    }
}

/// What is known of it from inside the service: the exception and its source, or the last line that
/// ran, and what the service printed.
pub(super) fn inside(case: &Case, style: &Style) -> Vec<String> {
    let evidence = &case.finding.evidence;
    if let Some(raised) = &evidence.raised {
        // The log would only show the same exception again.
        return [
            exception(raised, style),
            place("at", &raised.place, &case.source, style),
        ]
        .concat();
    }
    let ended = evidence.last_line.as_ref();
    let mut lines = ended.map_or_else(Vec::new, |line| place("after", line, &case.source, style));
    lines.extend(log(&case.log, style));
    lines
}

fn exception(raised: &Raised, style: &Style) -> Vec<String> {
    let room = style.width.saturating_sub(INDENT + LABEL).max(20);
    let what = one_line(&format!("{}: {}", raised.exception, raised.message));
    let what = cut(what.trim_end_matches([':', ' ']), room, style);
    vec![style.paint(Tone::Strong, &format!("{:<LABEL$}{what}", "raised"))]
}

/// A line of the service's own code with its neighbours.
fn place(label: &str, at: &SourceLine, source: &[(u32, String)], style: &Style) -> Vec<String> {
    let room = style.width.saturating_sub(INDENT + LABEL).max(20);
    let mut lines = vec![style.paint(Tone::Cyan, &format!("{label:<LABEL$}{at}"))];
    for (number, text) in source {
        let text = cut(&clean(text), room.saturating_sub(LABEL), style);
        let tone = if *number == at.line {
            Tone::Strong
        } else {
            Tone::Dim
        };
        lines.push(style.paint(tone, &format!("{:<LABEL$}{number:>5} {text}", "")));
    }
    lines
}

/// The last lines that the service printed meanwhile: an exception comes at the end.
fn log(lines: &[String], style: &Style) -> Vec<String> {
    const SHOWN: usize = 5;
    let skipped = lines.len().saturating_sub(SHOWN);
    let room = style.width.saturating_sub(INDENT + LABEL).max(20);
    let last = lines.iter().skip(skipped).enumerate();
    last.map(|(at, line)| {
        let label = if at == 0 { "log" } else { "" };
        let line = cut(&one_line(line), room, style);
        style.paint(Tone::Dim, &format!("{label:<LABEL$}{line}"))
    })
    .collect()
}

/// Cells for the word in front of a text.
const LABEL: usize = 8;

/// Text behind the word that says what it is.
fn labelled(label: &str, text: &str, style: &Style) -> Vec<String> {
    // A replacement mark means that it was not text to begin with.
    if text.is_empty() || text.contains('\u{fffd}') {
        return Vec::new();
    }
    let room = style.width.saturating_sub(INDENT + LABEL).max(20);
    let mut lines = folded(text, room, EXCERPT_LINES, style);
    for (at, line) in lines.iter_mut().enumerate() {
        let label = if at == 0 { label } else { "" };
        *line = style.paint(Tone::Dim, &format!("{label:<LABEL$}{line}"));
    }
    lines
}

fn row(call: &Call, exchange: &Exchange, names: &Names, style: &Style) -> Row {
    let request = &exchange.request;
    let (answered, tone) = answered(&exchange.outcome);
    let plain = || Row {
        method: request.method.as_str(),
        target: one_line(&target(call, exchange, names)),
        shortened: cut_middle,
        body: body(&request.body),
        answered: answered.clone(),
        tone,
        remark: String::new(),
        shows_it: false,
    };
    match graphql::told(call, request, names, style) {
        None => plain(),
        Some(told) => Row {
            method: told.kind,
            target: told.field,
            shortened: cut,
            body: told.selection,
            ..plain()
        },
    }
}

fn body(bytes: &[u8]) -> String {
    match std::str::from_utf8(bytes) {
        Ok(text) => one_line(text),
        Err(_) => format!("({} bytes)", bytes.len()),
    }
}

fn answered(outcome: &Outcome) -> (String, Tone) {
    let by_status = tone_of_status(outcome.status());
    let Some(answer) = outcome.answer() else {
        return ("none".to_owned(), by_status);
    };
    match (graphql::said(answer), answer.said) {
        (Some(word), Some(said)) if by_status == Tone::Green => (word, tone_of_said(said)),
        (Some(word), _) => (word, by_status),
        (None, _) => (answer.status.to_string(), by_status),
    }
}

fn tone_of_said(said: Said) -> Tone {
    match said {
        Said::Data => Tone::Green,
        Said::Nothing => Tone::Cyan,
        Said::Refusal | Said::Errors => Tone::Yellow,
        Said::Nonsense => Tone::Red,
    }
}

/// The target with names where values came from earlier answers.
fn target(call: &Call, exchange: &Exchange, names: &Names) -> String {
    let pieces = names.pieces(&call.target).unwrap_or_default();
    if pieces.iter().all(|piece| matches!(piece, Piece::Fixed(_))) {
        return exchange.request.target.clone();
    }
    pieces
        .into_iter()
        .map(|piece| match piece {
            Piece::Fixed(text) => text,
            Piece::Variable(name) => format!("${name}"),
        })
        .collect()
}

/// `id → $p`
fn kept(names: &Names, at: usize, call: &Call, style: &Style) -> String {
    let right = style.symbols().right;
    let taken: Vec<_> = names
        .taken_from(at)
        .map(|(take, name)| format!("{} {right} ${name}", one_line(&place_in(call, take))))
        .collect();
    taken.join(", ")
}

/// An oracle that says in its reason what was expected has it said at the call as well.
fn mark(why: &str, style: &Style) -> String {
    let left = style.symbols().left;
    match expectation(why).filter(|text| !text.is_empty() && width(text) <= 32) {
        Some(text) => format!("{left} expected {text}"),
        None => format!("{left} here"),
    }
}

/// The `404` of `…; 404 was to be expected` or of `…: expected 404`.
fn expectation(why: &str) -> Option<String> {
    let is_end = |c: char| matches!(c, '(' | ')' | ';' | ':');
    if let Some((before, _)) = why.split_once(" was to be expected") {
        let clause = before.rsplit(is_end).next()?;
        return Some(one_line(clause.rsplit(". ").next()?));
    }
    let (_, after) = why.split_once("xpected ")?;
    let clause = after.split(is_end).next()?.split(". ").next()?;
    Some(one_line(clause.trim_end_matches('.')))
}

struct Columns {
    number: usize,
    method: usize,
    target: usize,
    status: usize,
    /// Zero where bodies go below.
    body: usize,
    bodies_below: bool,
}

impl Columns {
    fn of(rows: &[Row], style: &Style) -> Self {
        let widest =
            |text: fn(&Row) -> &str| rows.iter().map(|r| width(text(r))).max().unwrap_or(0);
        let number = rows.len().to_string().len();
        let (method, remark) = (widest(|r| r.method), widest(|r| &r.remark));
        let status = widest(|r| &r.answered);
        let fixed = INDENT + number + 2 + method + 1 + 2 + status + 2 + remark;
        let room = style.width.saturating_sub(fixed);
        let target = widest(|r| &r.target).min((room * 3 / 5).max(16));
        let wanted = widest(|r| &r.body).min(WIDEST_BODY);
        let left = room.saturating_sub(target + 2);
        let bodies_below = wanted > left && left < NARROWEST_BODY;
        let body = if bodies_below { 0 } else { wanted.min(left) };
        Self {
            number,
            method,
            target,
            status,
            body,
            bodies_below,
        }
    }

    fn lines(&self, number: usize, row: &Row, style: &Style) -> Vec<String> {
        let status = &row.answered;
        let mut line = format!(
            "{number:>numbers$}  {:<methods$} {:<targets$}  ",
            row.method,
            (row.shortened)(&row.target, self.target, style),
            numbers = self.number,
            methods = self.method,
            targets = self.target,
        );
        if self.body > 0 {
            line.push_str(&padded(&cut(&row.body, self.body, style), self.body));
            line.push_str("  ");
        }
        line.push_str(&style.paint(row.tone, status));
        if !row.remark.is_empty() {
            let tone = if row.shows_it { Tone::Red } else { Tone::Cyan };
            line.push_str(&" ".repeat(self.status + 2 - width(status).min(self.status)));
            line.push_str(&style.paint(tone, &row.remark));
        }
        let mut lines = vec![line];
        if self.bodies_below && !row.body.is_empty() {
            let before = self.number + 2 + self.method + 1;
            let room = style.width.saturating_sub(INDENT + before).max(20);
            lines.push(format!(
                "{}{}",
                " ".repeat(before),
                cut(&row.body, room, style)
            ));
        }
        lines
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_expected_is_found_in_the_reason() {
        let found = |why| expectation(why).unwrap_or_default();
        assert_eq!(found("It is gone: expected 404 or 410."), "404 or 410");
        assert_eq!(
            found("Expected 404, 405 or 410. One more."),
            "404, 405 or 410"
        );
        assert_eq!(found("All were answered; 404 was to be expected."), "404");
        assert_eq!(found("The document promises 200."), "");
    }

    #[test]
    fn an_expectation_too_long_for_its_line_is_left_to_the_reason() {
        let why = format!("expected {}", "a very long story ".repeat(4));
        assert_eq!(mark(&why, &Style::default()), "← here");
    }
}
