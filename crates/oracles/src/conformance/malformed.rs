//! An answer that does not have the form that GraphQL gives its answers.

use fossick_trace::{Answer, Finding, Location, Severity, Sureness, Wrong};
use serde_json::{Map, Value};

use crate::compare::brief;
use crate::graphql::complaint::{Complaint, complaints};
use crate::graphql::rules::is_of_validation;
use crate::scene::{Scene, Shaded, Shown};
use crate::table::Oracle;

/// What is wrong: a word for the mark, a title and whether it matters little.
struct Fault {
    kind: &'static str,
    title: String,
    is_mild: bool,
}

impl Fault {
    fn new(kind: &'static str, title: impl Into<String>) -> Self {
        Self {
            kind,
            title: title.into(),
            is_mild: false,
        }
    }

    fn mild(self) -> Self {
        Self {
            is_mild: true,
            ..self
        }
    }
}

pub(crate) fn check(oracle: &Oracle, scene: &Scene<'_>, findings: &mut Vec<Finding>) {
    for step in scene.steps.iter().filter(|s| s.root().is_some()) {
        let Some(answer) = step.answer().filter(|answer| !answer.truncated) else {
            continue;
        };
        for fault in faults(scene, step, answer) {
            let why =
                "Clients of GraphQL rely on the form that its specification gives to answers."
                    .to_owned();
            let finding = step
                .finding(oracle, fault.title, why)
                .marked(fault.kind)
                .caused_by(fault.kind)
                .located(location(fault.kind));
            findings.push(if fault.is_mild {
                finding.of(Severity::Low, Sureness::Sure)
            } else {
                finding
            });
        }
    }
}

/// Other forms of malformed answers are at no one place.
fn location(kind: &str) -> Location {
    let (path, wrong) = match kind {
        "no message" => ("/errors/*/message", Wrong::Missing),
        "not json" | "not an object" => ("", Wrong::Type),
        _ => ("", Wrong::Value),
    };
    let path = path.to_owned();
    Location::Body { path, wrong }
}

fn faults(scene: &Scene<'_>, step: &Shown<'_>, answer: &Answer) -> Vec<Fault> {
    let is_success = (200..300).contains(&answer.status);
    match answer.json() {
        Some(Value::Object(body)) => {
            // Guards in front of a service refuse in a form of their own.
            let is_graphql = body.contains_key("data") || body.contains_key("errors");
            if is_graphql || is_success {
                of_body(scene, step, answer, body)
            } else {
                Vec::new()
            }
        }
        Some(other) if is_success => vec![Fault::new(
            "not an object",
            format!("the body is {} and not an object", brief(other)),
        )],
        None if is_success && !is_told_elsewhere(answer) => {
            vec![Fault::new("not json", "the body is not JSON")]
        }
        _ => Vec::new(),
    }
}

/// Pages are another oracle's business, and answers in several parts are not read.
fn is_told_elsewhere(answer: &Answer) -> bool {
    let sent = answer.media_type().unwrap_or("").to_ascii_lowercase();
    let in_parts = sent.starts_with("multipart/") || sent == "text/event-stream";
    in_parts || (sent == "text/html" && !answer.body.is_empty())
}

fn of_body(
    scene: &Scene<'_>,
    step: &Shown<'_>,
    answer: &Answer,
    body: &Map<String, Value>,
) -> Vec<Fault> {
    let mut faults = Vec::new();
    faults.extend(of_data(body));
    match body.get("errors") {
        None => {}
        Some(Value::Null) => {
            faults.push(Fault::new("errors null", "errors is null; it should be left out").mild());
        }
        Some(Value::Array(entries)) if entries.is_empty() => faults.push(Fault::new(
            "errors empty",
            "errors is an empty list; it should be left out",
        )),
        Some(Value::Array(entries)) => {
            faults.extend(entries.iter().find_map(of_entry));
            faults.extend(of_places(scene, step, answer, body));
        }
        Some(other) => faults.push(Fault::new(
            "errors no list",
            format!("errors is {} and not a list", brief(other)),
        )),
    }
    faults
}

fn of_data(body: &Map<String, Value>) -> Option<Fault> {
    let has_errors = body.get("errors").is_some_and(|errors| !errors.is_null());
    match body.get("data") {
        None if !has_errors => Some(Fault::new("empty", "neither data nor errors")),
        Some(Value::Null) if !has_errors => Some(Fault::new(
            "data null",
            "data is null and no error says why",
        )),
        None | Some(Value::Null | Value::Object(_)) => None,
        Some(other) => Some(Fault::new(
            "data no object",
            format!("data is {} and not an object", brief(other)),
        )),
    }
}

/// One entry by itself.
fn of_entry(entry: &Value) -> Option<Fault> {
    let Value::Object(map) = entry else {
        let title = format!("an error is {} and not an object", brief(entry));
        return Some(Fault::new("error no object", title));
    };
    if !map.get("message").is_some_and(Value::is_string) {
        let title = format!("an error has no message: {}", brief(entry));
        return Some(Fault::new("no message", title));
    }
    let is_bad = |places: &Value| !places.is_null() && !are_locations(places);
    if let Some(places) = map.get("locations").filter(|places| is_bad(places)) {
        let title = format!("an error's locations are {}", brief(places));
        return Some(Fault::new("locations", title).mild());
    }
    let is_bad = |path: &Value| !path.is_null() && !is_path(path);
    let path = map.get("path").filter(|path| is_bad(path))?;
    let title = format!("an error's path is {}", brief(path));
    Some(Fault::new("path form", title).mild())
}

/// A list of lines and columns, which count from one.
fn are_locations(value: &Value) -> bool {
    let counts = |place: &Value, name: &str| {
        let number = place.get(name).and_then(Value::as_u64);
        number.is_some_and(|number| number > 0)
    };
    value.as_array().is_some_and(|places| {
        let mut places = places.iter();
        places.all(|place| counts(place, "line") && counts(place, "column"))
    })
}

fn is_path(value: &Value) -> bool {
    let is_element = |element: &Value| element.is_string() || element.is_u64();
    value
        .as_array()
        .is_some_and(|path| path.iter().all(is_element))
}

/// Entries in the light of what was asked and of `data`.
fn of_places(
    scene: &Scene<'_>,
    step: &Shown<'_>,
    answer: &Answer,
    body: &Map<String, Value>,
) -> Vec<Fault> {
    let mut faults = Vec::new();
    let whole = answer.json().unwrap_or(&Value::Null);
    let has_data = body.get("data").is_some_and(Value::is_object);
    if let Some(refusal) = complaints(whole)
        .filter(|complaint| complaint.path().is_none() && has_data)
        .find(|complaint| is_of_validation(*complaint, answer))
    {
        let title = format!(
            "data although the operation was refused: {}",
            refusal.brief()
        );
        faults.push(Fault::new("data with refusal", title));
    }
    // Some tell the path of a rule that was broken, which leads into the operation. Then nothing
    // was carried out, and there is no data.
    let astray = |path: &&[Value]| {
        let inquiry = step.inquiry;
        inquiry.is_some_and(|inquiry| inquiry.leads_astray(scene.api, path))
    };
    let mut paths = complaints(whole).filter_map(Complaint::path);
    let lost = paths.find(|path| body.contains_key("data") && astray(path));
    if let Some(path) = lost.filter(|path| path.iter().all(|e| e.is_string() || e.is_u64())) {
        let path = brief(&Value::Array(path.to_vec()));
        let title = format!("an error's path {path} leads nowhere");
        faults.push(Fault::new("path", title));
    }
    faults
}
