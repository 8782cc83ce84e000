//! A child is reachable under a parent that is not its own, or that does not exist.

use fossick_trace::{Finding, Intent};

use super::invented::{is_last_hole, welcomed_strangers};
use super::misplaced_write::misplaced;
use crate::compare::brief;
use crate::scene::{Scene, Shaded, Shown};
use crate::table::Oracle;

pub(crate) fn check(oracle: &Oracle, scene: &Scene<'_>, findings: &mut Vec<Finding>) {
    findings.extend(absent(oracle, scene));
    let of_paths = |s: &&Shown<'_>| s.root().is_none() && s.succeeded();
    for step in scene.steps.iter().filter(of_paths) {
        let found = if step.is_safe() {
            served(oracle, scene, step)
        } else {
            written(oracle, scene, step)
        };
        findings.extend(found);
    }
}

fn served(oracle: &Oracle, scene: &Scene<'_>, step: &Shown<'_>) -> Option<Finding> {
    let Intent::Misplaced { parameter } = &step.call.intent else {
        return None;
    };
    let shown = !step.shows_nothing() && rightly_placed(scene, step);
    let why = "It was made under one parent and is served under another; 404 was to be expected.";
    shown.then(|| told(oracle, step, parameter, why))
}

/// A write is judged by what a look at the right place, or its own answer, shows of it.
fn written(oracle: &Oracle, scene: &Scene<'_>, write: &Shown<'_>) -> Option<Finding> {
    let found = misplaced(scene, write)?;
    let why = "It was made under one parent and is written under another; 404 was to be expected.";
    Some(told(oracle, write, found.parameter, why).after(found.proof))
}

fn told(oracle: &Oracle, step: &Shown<'_>, parameter: &str, why: &str) -> Finding {
    let title = format!("{} under a {parameter} that is not its own", step.status());
    step.finding(oracle, title, why.to_owned())
        .marked(format!("misplaced {parameter}"))
}

/// The same operation worked under the right parent in the same episode.
fn rightly_placed(scene: &Scene<'_>, step: &Shown<'_>) -> bool {
    scene.before(step.at).any(|s| {
        // The "other" parent may turn out to be the same one.
        s.path() != step.path()
            && s.call.operation == step.call.operation
            && s.succeeded()
            && s.call.intent.is_valid()
    })
}

fn absent(oracle: &Oracle, scene: &Scene<'_>) -> Option<Finding> {
    let step = welcomed_strangers(scene).into_iter().next()?;
    let Intent::Stranger { parameter } = &step.call.intent else {
        return None;
    };
    // Arguments of GraphQL have no place above or below each other.
    if is_last_hole(step, parameter) || step.root().is_some() {
        return None;
    }
    let body = step.json().map(brief).unwrap_or_default();
    let title = format!("{} under a {parameter} that nobody made", step.status());
    let why =
        format!("Three random parents were all answered, with {body}; 404 was to be expected.");
    Some(
        step.finding(oracle, title, why)
            .marked(format!("absent parent {parameter}")),
    )
}
