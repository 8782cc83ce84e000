//! An identifier that nobody made is answered with a resource.

use fossick_trace::{Finding, Intent, Severity, Sureness};

use crate::compare::brief;
use crate::scene::{Scene, Shaded, Shown};
use crate::table::Oracle;
use crate::thing::Thing;

/// One stranger may be a coincidence; so many are not.
pub(super) const STRANGERS: usize = 3;

pub(crate) fn check(oracle: &Oracle, scene: &Scene<'_>, findings: &mut Vec<Finding>) {
    for step in welcomed_strangers(scene) {
        let Intent::Stranger { parameter } = &step.call.intent else {
            continue;
        };
        if !is_last_hole(step, parameter) || (step.root().is_some() && step.shows_nothing()) {
            continue;
        }
        let body = step.body().map(brief).unwrap_or_default();
        let (answered, expected) = match step.root() {
            Some(_) => ("an answer".to_owned(), "null or an error"),
            None => (step.status().to_string(), "404"),
        };
        let title = format!("{answered} for a {parameter} that nobody made");
        let why = format!(
            "{STRANGERS} random values were all answered as if they existed, with {body}; {expected} was to be expected."
        );
        let finding = step
            .finding(oracle, title, why)
            .marked(format!("invented {parameter}"));
        // An empty list says honestly that there is nothing.
        findings.push(if step.shows_nothing() {
            finding.of(Severity::Low, Sureness::Perhaps)
        } else {
            finding
        });
    }
}

/// Whether a parameter says which thing is meant, and not which parent of it.
pub(super) fn is_last_hole(step: &Shown<'_>, parameter: &str) -> bool {
    if let Some(root) = step.root() {
        let last = root.keys.last().and_then(|key| key.rsplit('/').next());
        return last.is_some() && last == parameter.rsplit(['/', '.', ' ']).next();
    }
    step.operation.path.ends_with_hole() && step.operation.path.holes().last() == Some(parameter)
}

/// Last steps of a row of unknown identifiers, all of which got an answer with something in it.
pub(super) fn welcomed_strangers<'s, 'a>(scene: &'s Scene<'a>) -> Vec<&'s Shown<'a>> {
    let strange = |s: &&Shown<'a>| matches!(s.call.intent, Intent::Stranger { .. });
    let rows: Vec<&Shown<'a>> = scene.steps.iter().filter(strange).collect();
    let Some(last) = rows.last() else {
        return Vec::new();
    };
    let same: Vec<&&Shown<'a>> = rows
        .iter()
        .filter(|s| s.call.operation == last.call.operation)
        .collect();
    let mut things: Vec<String> = same.iter().map(|s| named(s)).collect();
    things.sort_unstable();
    things.dedup();
    let all = things.len() >= STRANGERS && same.iter().all(|s| s.is_read() && s.succeeded());
    if all { vec![*last] } else { Vec::new() }
}

/// What tells one stranger from another.
fn named(step: &Shown<'_>) -> String {
    match step.thing() {
        Some(Thing::At(path)) => path.to_owned(),
        Some(thing) => thing.key().unwrap_or_default().to_owned(),
        None => String::new(),
    }
}
