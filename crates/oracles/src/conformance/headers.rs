//! A promised header that is missing or of the wrong type.

use fossick_contract::{Header, Kind};
use fossick_trace::{Answer, Finding};
use fossick_validate::Direction;
use serde_json::Value;

use crate::scene::{Scene, Shaded};
use crate::table::Oracle;

pub(crate) fn check(oracle: &Oracle, scene: &Scene<'_>, findings: &mut Vec<Finding>) {
    for step in &scene.steps {
        let Some(answer) = step.answer() else {
            continue;
        };
        let Some(spec) = step.operation.response(answer.status) else {
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
                        .caused_by(format!("header {}", header.name.to_ascii_lowercase())),
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
    let value = read(&scene.api.shape(shape).kind, text);
    if scene
        .validators
        .is_valid(Direction::Response, shape, &value)
    {
        return None;
    }
    let problem = scene
        .validators
        .problems(Direction::Response, shape, &value)
        .into_iter()
        .next()?;
    Some((
        format!("header {}: {text:?} {}", header.name, problem.message),
        "The document promises another form.".to_owned(),
    ))
}

/// Header text as the type that was promised, if it can be read as that.
fn read(kind: &Kind, text: &str) -> Value {
    let as_text = || Value::String(text.to_owned());
    match kind {
        Kind::Integer(_) | Kind::Number(_) | Kind::Boolean => serde_json::from_str(text)
            .ok()
            .filter(|v: &Value| !v.is_string())
            .unwrap_or_else(as_text),
        Kind::Array(_) => Value::Array(
            text.split(',')
                .map(|p| Value::String(p.trim().to_owned()))
                .collect(),
        ),
        _ => as_text(),
    }
}
