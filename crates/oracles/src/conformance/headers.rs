//! A promised header that is missing or of the wrong type.

use fossick_contract::{Header, Kind};
use fossick_trace::{Answer, Finding, Location};
use fossick_validate::Direction;
use serde_json::Value;

use crate::scene::{Scene, Shaded};
use crate::table::Oracle;

pub(crate) fn check(oracle: &Oracle, scene: &Scene<'_>, findings: &mut Vec<Finding>) {
    for step in &scene.steps {
        let Some((answer, spec)) = step.promise() else {
            continue;
        };
        for header in &spec.headers {
            if let Some((title, why)) = problem(scene, header, answer) {
                findings.push(
                    step.finding(oracle, title, why)
                        .marked(format!(
                            "{} {}",
                            answer.status,
                            header.name.to_ascii_lowercase()
                        ))
                        .caused_by(format!("header {}", header.name.to_ascii_lowercase()))
                        .located(Location::Header(header.name.clone())),
                );
            }
        }
    }
}

fn problem(scene: &Scene<'_>, header: &Header, answer: &Answer) -> Option<(String, String)> {
    let Some(text) = answer.header(&header.name) else {
        let why = format!("The document requires it with status {}.", answer.status);
        return header
            .required
            .then(|| (format!("header {} is missing", header.name), why));
    };
    let shape = header.shape?;
    let is_valid = |value: &Value| {
        let validators = scene.validators;
        validators.is_valid(Direction::Response, shape, value)
    };
    let readings = readings(&scene.api.shape(shape).kind, text);
    if readings.iter().any(is_valid) {
        return None;
    }
    let problem = scene
        .validators
        .problems(Direction::Response, shape, readings.last()?)
        .into_iter()
        .next()?;
    Some((
        format!("header {}: {text:?} {}", header.name, problem.message),
        "The document promises another form.".to_owned(),
    ))
}

/// What a header's text may mean, the text itself first. Nothing where the document describes a
/// map: there are too many ways to write one.
fn readings(kind: &Kind, text: &str) -> Vec<Value> {
    let parts = || text.split(',').map(str::trim);
    match kind {
        Kind::Object(_) | Kind::Opaque(_) => Vec::new(),
        Kind::Array(_) => vec![
            parts().map(Value::from).collect(),
            parts().map(scalar).collect(),
        ],
        _ => vec![Value::from(text), scalar(text)],
    }
}

/// A number or a flag where the text is one, else the text.
fn scalar(text: &str) -> Value {
    let read = serde_json::from_str(text).ok();
    read.filter(|value: &Value| value.is_number() || value.is_boolean())
        .unwrap_or_else(|| Value::from(text))
}
