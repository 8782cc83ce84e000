//! Whose mistake an error is: the caller's or the server's.
//!
//! GraphQL makes no difference between the two. Every error is weighed by what can be seen of it;
//! the evidence is kept, so that whoever reads the verdict can judge it.

use fossick_trace::{Answer, Intent};
use serde_json::{Map, Value};

use super::complaint::Complaint;
use super::exceptions::exception_text;
use super::rules::is_of_validation;
use super::words::{
    BREAKDOWNS, BROKEN_SCHEMA, CALLER_CODES, CONFESSIONS, MISREADINGS, OUTSIDE, SERVER_CODES,
    SQL_CONSTRAINTS, SQL_FAULTS, TO_CALLERS,
};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Blame {
    Server,
    Caller,
    Unknown,
}

#[derive(Debug)]
pub(crate) struct Verdict {
    pub(crate) blame: Blame,
    /// Little doubt is left.
    pub(crate) is_sure: bool,
    /// What speaks for it, each a part of a sentence.
    pub(crate) evidence: Vec<String>,
}

/// The server's from this weight on, the caller's from the other.
const SERVER: i32 = 4;
const CALLER: i32 = -1;
const SURE: i32 = 8;

/// Evidence, each with its weight: above zero against the server.
struct Scales(Vec<(i32, String)>);

impl Scales {
    fn add(&mut self, weight: i32, told: impl Into<String>) {
        self.0.push((weight, told.into()));
    }
}

pub(crate) fn blame(complaint: Complaint<'_>, answer: &Answer, intent: &Intent) -> Verdict {
    let mut scales = Scales(Vec::new());
    weigh_codes(&mut scales, complaint);
    weigh_words(&mut scales, complaint);
    weigh_status(&mut scales, answer.status);
    if is_of_validation(complaint, answer) {
        scales.add(-8, "it was refused before anything was carried out");
    } else if complaint.path().is_none() && !has_data(answer) {
        scales.add(-3, "it has no path and nothing was carried out");
    }
    weigh_intent(&mut scales, intent);
    verdict(scales)
}

fn verdict(scales: Scales) -> Verdict {
    let score: i32 = scales.0.iter().map(|(weight, _)| weight).sum();
    let blame = match score {
        SERVER.. => Blame::Server,
        ..=CALLER => Blame::Caller,
        _ => Blame::Unknown,
    };
    let speaks = |(weight, told): (i32, String)| match blame {
        Blame::Server => (weight > 0).then_some(told),
        Blame::Caller => (weight < 0).then_some(told),
        Blame::Unknown => Some(told),
    };
    Verdict {
        blame,
        is_sure: score >= SURE,
        evidence: scales.0.into_iter().filter_map(speaks).collect(),
    }
}

fn has_data(answer: &Answer) -> bool {
    let body = answer.json();
    body.is_some_and(|body| body.get("data").is_some_and(|data| !data.is_null()))
}

fn weigh_status(scales: &mut Scales, status: u16) {
    match status {
        500.. => scales.add(3, format!("the status is {status}")),
        400..500 => scales.add(-3, format!("the status is {status}")),
        _ => {}
    }
}

fn weigh_intent(scales: &mut Scales, intent: &Intent) {
    match intent {
        Intent::Valid | Intent::Edge { .. } | Intent::Edges(_) => {
            scales.add(1, "the operation is valid by the schema");
        }
        Intent::Broken { .. } => scales.add(-2, "the input was wrong on purpose"),
        Intent::Unauthenticated { .. } => scales.add(-4, "credentials were left out"),
        Intent::Stranger { .. } | Intent::Misplaced { .. } => {
            scales.add(-1, "the identifier was made up");
        }
        Intent::Undeclared => scales.add(-1, "it was sent in a way that need not work"),
    }
}

fn weigh_codes(scales: &mut Scales, complaint: Complaint<'_>) {
    const NAMES: [&str; 6] = [
        "code",
        "classification",
        "errorType",
        "type",
        "category",
        "name",
    ];
    let Some(extensions) = complaint.extensions() else {
        let kind = complaint.get("errorType").and_then(Value::as_str);
        if let Some(kind) = kind {
            weigh_code(scales, "errorType", kind);
        }
        return;
    };
    for name in NAMES {
        match extensions.get(name) {
            Some(Value::String(code)) if weigh_code(scales, name, code) => return,
            Some(Value::Number(code)) => return weigh_number(scales, name, code.as_i64()),
            _ => {}
        }
    }
    if let Some(status) = told_status(extensions) {
        weigh_number(scales, "status", Some(status));
    }
}

/// Weighs a code if it says anything.
fn weigh_code(scales: &mut Scales, name: &str, code: &str) -> bool {
    let plain = plain_code(code);
    let told = format!("{name} is {code}");
    if SERVER_CODES.contains(&plain.as_str()) {
        scales.add(5, told);
    } else if CALLER_CODES.contains(&plain.as_str()) {
        scales.add(-6, told);
    } else if let Some(weight) = sql_state(code) {
        scales.add(weight, told);
    } else {
        return false;
    }
    true
}

/// A status of HTTP, or a number of the service's own, of which 1 and below are for accidents.
fn weigh_number(scales: &mut Scales, name: &str, code: Option<i64>) {
    let Some(code) = code else {
        return;
    };
    let weight = match code {
        500..600 | ..=1 => 5,
        _ => -5,
    };
    scales.add(weight, format!("{name} is {code}"));
}

fn told_status(extensions: &Map<String, Value>) -> Option<i64> {
    let http = extensions.get("http").and_then(|http| http.get("status"));
    let plain = ["status", "statusCode", "http_status"]
        .iter()
        .find_map(|name| extensions.get(*name));
    http.or(plain)?.as_i64().filter(|status| *status >= 400)
}

/// Five letters or digits of which the first two are a class of SQL's states.
fn sql_state(code: &str) -> Option<i32> {
    let is_state = code.len() == 5
        && code
            .bytes()
            .all(|b| b.is_ascii_digit() || b.is_ascii_uppercase())
        && code.bytes().any(|b| b.is_ascii_digit());
    match code.get(..2).filter(|_| is_state)? {
        "23" => Some(-4),
        "22" | "42" | "08" | "25" | "40" | "53" | "54" | "57" | "58" | "XX" => Some(4),
        _ => None,
    }
}

/// A code without case and punctuation.
pub(super) fn plain_code(code: &str) -> String {
    let plain = code.chars().filter(char::is_ascii_alphanumeric);
    plain.map(|c| c.to_ascii_lowercase()).collect()
}

/// Words of the server's own failure outweigh whatever else is in a message: `TypeError: … of
/// undefined (reading 'required')` asks nothing of a caller.
fn weigh_words(scales: &mut Scales, complaint: Complaint<'_>) {
    let message = complaint.message().to_lowercase();
    let has = |words: &[&'static str]| words.iter().find(|word| message.contains(*word)).copied();
    let told = |word: &str| format!("the message says “{}”", word.trim());
    let frames = stack(complaint);
    if let Some(word) = broken_schema(complaint, &message) {
        scales.add(12, format!("it broke its own schema (“{}”)", word.trim()));
    } else if let Some(word) = has(&BREAKDOWNS) {
        scales.add(8, told(word));
    } else if let Some(told) = exception_text(complaint.message()) {
        scales.add(8, told);
    } else if let Some(word) = frames.and_then(breakdown_in) {
        scales.add(8, format!("the stack begins with “{word}”"));
    } else if let Some(word) = has(&CONFESSIONS) {
        scales.add(7, told(word));
    } else if let Some(word) = has(&OUTSIDE) {
        scales.add(6, told(word));
    } else if let Some(word) = has(&MISREADINGS) {
        scales.add(5, told(word));
    } else if let Some(word) = sql_fault(&message) {
        scales.add(4, format!("a database refused the statement (“{word}”)"));
    } else if let Some(word) = has(&SQL_CONSTRAINTS) {
        scales.add(-5, format!("a database refused the data (“{word}”)"));
    } else if let Some(word) = to_caller(&message) {
        scales.add(-4, format!("the message speaks to a caller (“{word}”)"));
    }
    if frames.is_some() {
        scales.add(1, "stack frames are attached");
    }
}

/// Values that can't be represented are the caller's where they are sent, and the server's where
/// they are answered: then the error has a path.
fn broken_schema(complaint: Complaint<'_>, message: &str) -> Option<&'static str> {
    let of_input = ["variable", "argument", "got invalid value"];
    if complaint.path().is_none() || of_input.iter().any(|word| message.contains(word)) {
        let certain = BROKEN_SCHEMA.iter().take(4);
        return certain.copied().find(|word| message.contains(word));
    }
    let exact = (message.trim_end_matches('.') == "must not be null").then_some("must not be null");
    exact.or_else(|| {
        BROKEN_SCHEMA
            .into_iter()
            .find(|word| message.contains(word))
    })
}

fn to_caller(message: &str) -> Option<&'static str> {
    // What was not expected is nobody's demand.
    let message = message.replace("unexpected", "");
    TO_CALLERS.into_iter().find(|word| message.contains(word))
}

fn sql_fault(message: &str) -> Option<&'static str> {
    let absent = message.contains("does not exist")
        && (message.contains("relation \"") || message.contains("column "));
    let known = SQL_FAULTS.into_iter().find(|word| message.contains(word));
    known.or_else(|| absent.then_some("does not exist"))
}

/// Stack frames, wherever the server puts them.
fn stack(complaint: Complaint<'_>) -> Option<&Value> {
    const NAMES: [&str; 5] = ["stacktrace", "stackTrace", "stack", "trace", "backtrace"];
    let extensions = complaint.extensions()?;
    let inner = ["exception", "debug", "originalError"]
        .iter()
        .filter_map(|name| extensions.get(*name)?.as_object());
    let mut places = std::iter::once(extensions).chain(inner);
    places.find_map(|place| {
        let found = NAMES.iter().find_map(|name| place.get(*name))?;
        let is_empty = found.as_array().is_some_and(Vec::is_empty);
        (!is_empty && !found.is_null()).then_some(found)
    })
}

/// Some begin with the exception and some end with it.
fn breakdown_in(stack: &Value) -> Option<&'static str> {
    let lines: Vec<&str> = match stack {
        Value::String(text) => text.lines().collect(),
        Value::Array(items) => items.iter().filter_map(Value::as_str).collect(),
        _ => return None,
    };
    let ends = [lines.first(), lines.last()];
    let mut ends = ends.into_iter().flatten().map(|line| line.to_lowercase());
    ends.find_map(|line| BREAKDOWNS.into_iter().find(|word| line.contains(word)))
}
