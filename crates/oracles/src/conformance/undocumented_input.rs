//! A header, parameter or field that the service reads and the document does not mention.
//!
//! Only a probe shows it: the value that was sent is seen again in a comparison.

use fossick_contract::{Kind, Location, Operation};
use fossick_trace::{Finding, Insight, Observed, Scalar};
use serde_json::Value;

use crate::scene::{Scene, Shaded, Shown};
use crate::table::Oracle;

pub(crate) fn check(oracle: &Oracle, scene: &Scene<'_>, findings: &mut Vec<Finding>) {
    for step in scene.steps.iter().filter(|s| s.call.intent.is_valid()) {
        let Some(inside) = step.inside.filter(|inside| !inside.observations.is_empty()) else {
            continue;
        };
        for (place, value) in undocumented(scene, step) {
            if is_used(inside, &value) {
                let title = format!("{place} is read, and the document does not mention it");
                let why =
                    "Callers can't know of it; what nobody documents nobody tests.".to_owned();
                findings.push(
                    step.finding(oracle, title, why)
                        .marked(place.clone())
                        .caused_by(place),
                );
            }
        }
    }
}

/// What was sent without being declared: `header x-debug`, and its value.
fn undocumented(scene: &Scene<'_>, step: &Shown<'_>) -> Vec<(String, String)> {
    let operation = step.operation;
    let mut found = Vec::new();
    let request = &step.exchange.request;
    let ours = |name: &str| step.call.headers.iter().any(|(own, _)| own == name);
    for (name, value) in request.headers.iter().filter(|(name, _)| ours(name)) {
        if name != "cookie" && !is_declared(operation, Location::Header, name) {
            found.push((format!("header {name}"), value.clone()));
        }
    }
    for pair in step.query().split('&').filter(|pair| !pair.is_empty()) {
        let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
        // What is written in brackets or with dots belongs to a parameter of another name.
        let plain = name
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || "-_".contains(c));
        if plain && step.root().is_none() && !is_declared(operation, Location::Query, name) {
            found.push((format!("query {name}"), value.to_owned()));
        }
    }
    found.extend(fields(scene, step));
    found
}

fn is_declared(operation: &Operation, location: Location, name: &str) -> bool {
    let same = |name: &str, other: &str| name.eq_ignore_ascii_case(other);
    let mut of_location = operation
        .parameters
        .iter()
        .filter(|p| p.location == location);
    of_location.any(|parameter| same(&parameter.name, name))
}

/// Fields of a JSON body that its schema does not name; where it names none at all, any may stand.
fn fields(scene: &Scene<'_>, step: &Shown<'_>) -> Vec<(String, String)> {
    let mut contents = step.operation.body.iter().flat_map(|body| &body.contents);
    let shape = contents.find_map(|content| content.shape);
    let Some(Kind::Object(object)) = shape.map(|shape| &scene.api.shape(shape).kind) else {
        return Vec::new();
    };
    let Ok(Value::Object(sent)) = serde_json::from_slice(&step.exchange.request.body) else {
        return Vec::new();
    };
    if step.root().is_some() || object.properties.is_empty() {
        return Vec::new();
    }
    let named = |name: &str| object.properties.iter().any(|p| &*p.name == name);
    let texts = sent.into_iter().filter_map(|(name, value)| match value {
        Value::String(text) if !named(&name) => Some((format!("body /{name}"), text)),
        _ => None,
    });
    texts.collect()
}

/// Whether a value was compared with something; short ones may be anybody's.
fn is_used(inside: &Insight, value: &str) -> bool {
    const TELLING: usize = 4;
    if value.chars().count() < TELLING {
        return false;
    }
    let text = |seen: &str| seen.contains(value);
    let scalar = |scalar: &Scalar| match scalar {
        Scalar::Text(seen) | Scalar::Moment(seen) => text(seen),
        Scalar::Whole(whole) => whole.to_string() == value,
        _ => false,
    };
    inside
        .observations
        .iter()
        .any(|observation| match &observation.what {
            Observed::Equal(a, b) | Observed::Order(a, b) => scalar(a) || scalar(b),
            Observed::Prefix(a, b)
            | Observed::Suffix(a, b)
            | Observed::Contains(a, b)
            | Observed::Same(a, b) => text(a) || text(b),
            Observed::Member(one, _) => scalar(one),
            Observed::Pattern { text: seen, .. } | Observed::Parse { text: seen, .. } => text(seen),
            Observed::Read { .. } => false,
        })
}
