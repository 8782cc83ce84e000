//! A body that does not fit the schema promised for its status.

use fossick_contract::{ResponseSpec, ShapeId, is_json};
use fossick_trace::{Answer, Finding, Severity, Sureness, Wrong};
use fossick_validate::{Direction, Problem};
use serde_json::Value;

use super::media_type::fits;
use crate::compare::brief;
use crate::scene::{Scene, Shaded, Shown};
use crate::table::Oracle;

pub(crate) fn check(oracle: &Oracle, scene: &Scene<'_>, findings: &mut Vec<Finding>) {
    for step in &scene.steps {
        let Some((answer, spec)) = step.promise() else {
            continue;
        };
        let Some(shape) = promised_shape(spec, answer) else {
            continue;
        };
        if answer.truncated || answer.body.is_empty() {
            continue;
        }
        // Services repeat themselves: what fitted once fits again.
        let digest = answer.digest();
        if scene.validators.has_passed(shape, digest) {
            continue;
        }
        match answer.json() {
            None => findings.push(not_json(oracle, step)),
            Some(value) if scene.validators.is_valid(Direction::Response, shape, value) => {
                scene.validators.pass(shape, digest);
            }
            Some(value) => findings.extend(mismatches(oracle, step, scene, shape, value)),
        }
    }
}

fn mismatches(
    oracle: &Oracle,
    step: &Shown<'_>,
    scene: &Scene<'_>,
    shape: ShapeId,
    value: &Value,
) -> Vec<Finding> {
    let problems = scene.validators.problems(Direction::Response, shape, value);
    let all: Vec<Finding> = distinct(&problems)
        .map(|problem| mismatch(oracle, step, scene, shape, problem))
        .collect();
    // A date without a zone deep inside an alternative makes the whole alternative fail: what
    // looks like a wrong object is a wrong format.
    let hidden = problems
        .iter()
        .any(|p| matches!(p.keyword.as_str(), "anyOf" | "oneOf"));
    if hidden && scene.validators.is_valid_but_for_formats(shape, value) {
        let as_format = |finding: Finding| {
            let mark = format!("{} format", finding.mark);
            finding
                .marked(mark)
                .caused_by("format")
                .of(Severity::Low, Sureness::Sure)
        };
        return all.into_iter().take(1).map(as_format).collect();
    }
    all
}

/// The schema for this answer, if it is JSON and one was promised.
fn promised_shape(spec: &ResponseSpec, answer: &Answer) -> Option<ShapeId> {
    let sent = answer.media_type().unwrap_or("application/json");
    if !is_json(sent) {
        return None;
    }
    // Errors often come as `problem+json` with a schema of its own.
    let by_name = spec.contents.iter().find(|c| fits(&c.media_type, sent));
    let by_kind = || spec.contents.iter().find(|c| is_json(&c.media_type));
    by_name.or_else(by_kind)?.shape
}

fn not_json(oracle: &Oracle, step: &Shown<'_>) -> Finding {
    let why = "The content type says JSON; parsing fails.".to_owned();
    step.finding(oracle, "the body is not JSON".to_owned(), why)
        .marked("not json")
        .caused_by("not json")
        .in_body("", Wrong::Type)
}

/// One problem for each place and keyword; ten items of a list are one fault.
fn distinct(problems: &[Problem]) -> impl Iterator<Item = &Problem> {
    let key = |p: &Problem| (folded(&p.at), p.keyword.clone());
    problems
        .iter()
        .enumerate()
        .filter(move |(at, problem)| problems[..*at].iter().all(|p| key(p) != key(problem)))
        .map(|(_, problem)| problem)
        .take(4)
}

fn mismatch(
    oracle: &Oracle,
    step: &Shown<'_>,
    scene: &Scene<'_>,
    shape: ShapeId,
    problem: &Problem,
) -> Finding {
    let place = folded(&problem.at);
    let found = step.json().and_then(|value| value.pointer(&problem.at));
    let title = match found {
        Some(value) if problem.keyword != "required" => {
            format!("{}: {} {}", shown(&place), brief(value), told(problem))
        }
        _ => format!("{}: {}", shown(&place), told(problem)),
    };
    let name = scene
        .api
        .shape(shape)
        .name
        .as_deref()
        .map_or(String::new(), |n| format!(" of {n}"));
    let why = format!(
        "The schema{name} promised for status {} says otherwise ({}).",
        step.status(),
        problem.schema
    );
    let last = place.rsplit('/').next().unwrap_or("").to_owned();
    let finding = step
        .finding(oracle, title, why)
        .marked(format!(
            "{} {place} {}",
            step.status() / 100,
            problem.keyword
        ))
        .caused_by(format!("{last} {}", problem.keyword))
        .in_body(place, wrong(&problem.keyword))
        .got(found.cloned())
        .promised_by(problem.schema.clone());
    let pedantic = matches!(
        problem.keyword.as_str(),
        "format" | "additionalProperties" | "unevaluatedProperties" | "pattern"
    );
    if pedantic || step.status() >= 300 {
        return finding.of(Severity::Low, Sureness::Sure);
    }
    finding
}

fn wrong(keyword: &str) -> Wrong {
    match keyword {
        "required" => Wrong::Missing,
        "type" => Wrong::Type,
        _ => Wrong::Value,
    }
}

/// `/0/id` and `/17/id` are the same place.
fn folded(pointer: &str) -> String {
    pointer
        .split('/')
        .map(|part| {
            if !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit()) {
                "*"
            } else {
                part
            }
        })
        .collect::<Vec<_>>()
        .join("/")
}

fn shown(place: &str) -> &str {
    if place.is_empty() {
        "the body"
    } else {
        place.trim_start_matches('/')
    }
}

/// The validator's words without the value, which stands before them already.
fn told(problem: &Problem) -> String {
    problem.message.trim_start_matches("value ").to_owned()
}
