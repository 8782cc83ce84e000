//! A child is reachable under a parent that is not its own, or that does not exist.

use fossick_trace::{Finding, Intent};

use super::invented::{is_last_hole, welcomed_strangers};
use crate::compare::{brief, difference};
use crate::scene::{Scene, Shaded, Shown};
use crate::table::Oracle;

pub(crate) fn check(oracle: &Oracle, scene: &Scene<'_>, findings: &mut Vec<Finding>) {
    findings.extend(absent(oracle, scene));
    let of_paths = |s: &&Shown<'_>| s.root().is_none() && s.succeeded();
    for step in scene.steps.iter().filter(of_paths) {
        let Intent::Misplaced { parameter } = &step.call.intent else {
            continue;
        };
        let proof = match step.is_safe() {
            true if step.shows_nothing() || !rightly_placed(scene, step) => continue,
            true => None,
            false => match carried_out(scene, step) {
                Some(after) => Some(after),
                None => continue,
            },
        };
        let title = format!("{} under a {parameter} that is not its own", step.status());
        let why =
            "It was made under one parent and is served under another; 404 was to be expected."
                .to_owned();
        let mut finding = step
            .finding(oracle, title, why)
            .marked(format!("misplaced {parameter}"));
        // A write is judged by what a look at the right place shows of it.
        finding.evidence.calls.extend(proof.map(|look| look.at));
        findings.push(finding);
    }
}

/// The look at the right place that shows that a write under a wrong parent was carried out: what
/// stood there is gone or changed, and nobody else wrote.
fn carried_out<'s, 'a>(scene: &'s Scene<'a>, write: &Shown<'a>) -> Option<&'s Shown<'a>> {
    let last = |s: &Shown<'_>| s.path().rsplit('/').next().map(str::to_owned);
    let right = |s: &&Shown<'a>| {
        s.is_read() && s.path() != write.path() && last(s) == last(write) && s.status() != 202
    };
    let before = scene
        .before(write.at)
        .find(right)
        .filter(|s| s.succeeded())?;
    let after = scene.after(write.at).find(right)?;
    let others = |s: &Shown<'_>| {
        s.at > before.at
            && s.at < after.at
            && s.at != write.at
            && !s.is_safe()
            && s.path() != write.path()
    };
    let meddled = scene
        .steps
        .iter()
        .any(|s| others(s) && s.path().starts_with(before.path()));
    let gone = matches!(after.status(), 404 | 410);
    let changed = || difference(before.json()?, after.json()?);
    let same_look = after.path() == before.path() && !meddled;
    (same_look && (gone || changed().is_some())).then_some(after)
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
