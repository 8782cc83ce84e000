//! An identifier that nobody made is answered with a resource.

use fossick_contract::Method;
use fossick_trace::{Finding, Intent, Severity, Sureness};

use crate::compare::brief;
use crate::scene::{Scene, Shaded, Shown};
use crate::table::Oracle;

/// One stranger may be a coincidence; so many are not.
pub(super) const STRANGERS: usize = 3;

pub(crate) fn check(oracle: &Oracle, scene: &Scene<'_>, findings: &mut Vec<Finding>) {
    for step in welcomed_strangers(scene) {
        let Intent::Stranger { parameter } = &step.call.intent else {
            continue;
        };
        if !is_last_hole(step, parameter) {
            continue;
        }
        let body = step.json().map(brief).unwrap_or_default();
        let title = format!("{} for a {parameter} that nobody made", step.status());
        let why = format!(
            "{STRANGERS} random values were all answered as if they existed, with {body}; 404 was to be expected."
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

pub(super) fn is_last_hole(step: &Shown<'_>, parameter: &str) -> bool {
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
    let mut paths: Vec<&str> = same.iter().map(|s| s.path()).collect();
    paths.sort_unstable();
    paths.dedup();
    let all = paths.len() >= STRANGERS
        && same
            .iter()
            .all(|s| s.succeeded() && s.method() == Method::Get);
    if all { vec![*last] } else { Vec::new() }
}
