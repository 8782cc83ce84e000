//! A write that was refused has changed something all the same.

use fossick_contract::Deed;
use fossick_trace::{Finding, Intent, Location, Said};
use serde_json::Value;

use crate::compare::{difference, items};
use crate::graphql::blame::{Blame, blame};
use crate::graphql::complaint::complaints;
use crate::scene::{Scene, Shaded, Shown};
use crate::table::Oracle;

pub(crate) fn check(oracle: &Oracle, scene: &Scene<'_>, findings: &mut Vec<Finding>) {
    for write in scene.steps.iter().filter(|s| is_refused(s)) {
        let Some(thing) = write.thing() else {
            continue;
        };
        let before = scene.before(write.at).find(|s| s.shows(&thing));
        let after = scene.after(write.at).find(|s| s.shows(&thing));
        let (Some(before), Some(after)) = (before, after) else {
            continue;
        };
        if others_write(scene, before, write, after) {
            continue;
        }
        let (Some(old), Some(new)) = (before.body(), after.body()) else {
            continue;
        };
        // Others add to a list at any time.
        if write.deed() == Deed::Create && items(old).is_some() {
            continue;
        }
        let changed = match write.root() {
            Some(_) => changed(write, old, new),
            None => difference(old, new),
        };
        if let Some(place) = changed {
            let title = format!(
                "{} changed {} although it answered {}",
                write.verb(),
                shown(&place),
                write.reply()
            );
            let why = "A refused write should leave everything as it was.".to_owned();
            findings.push(
                write
                    .finding(oracle, title, why)
                    .marked("failed write")
                    .located(Location::State { path: place })
                    .after(before)
                    .after(write)
                    .shown_by(after),
            );
        }
    }
}

/// A write that the service says it did not carry out.
fn is_refused(step: &Shown<'_>) -> bool {
    let refused = match step.root() {
        Some(_) => is_turned_down(step),
        None => (400..500).contains(&step.status()),
    };
    refused && !step.is_safe()
}

/// Input that was wrong on purpose and that the mutation itself turned down. An error further
/// down, or one of the server's own, may well come after the deed was done.
fn is_turned_down(step: &Shown<'_>) -> bool {
    let intent = &step.call.intent;
    let (Some(answer), Intent::Broken { .. }) = (step.answer(), intent) else {
        return false;
    };
    let of_the_caller = || {
        let body = answer.json().unwrap_or(&Value::Null);
        complaints(body).all(|complaint| {
            let at_root = complaint.path().is_none_or(|path| path.len() == 1);
            at_root && blame(complaint, answer, intent).blame == Blame::Caller
        })
    };
    match answer.said {
        Some(Said::Refusal) => true,
        Some(Said::Errors) => step.payload().is_none_or(Value::is_null) && of_the_caller(),
        _ => false,
    }
}

/// Two reads may ask for different fields: only what was sent is compared, where both show it and
/// it is plain.
fn changed(write: &Shown<'_>, old: &Value, new: &Value) -> Option<String> {
    let sent = write.sent()?;
    let names = sent.as_object()?.keys();
    let plain = |value: &Value| match value {
        Value::Object(_) => false,
        Value::Array(items) => items.iter().all(|item| !item.is_object()),
        _ => true,
    };
    let both = names.filter_map(|name| Some((name, old.get(name)?, new.get(name)?)));
    let both: Vec<_> = both.filter(|(_, a, b)| plain(a) && plain(b)).collect();
    let before = both
        .iter()
        .map(|(name, old, _)| ((*name).clone(), (*old).clone()));
    let after = both
        .iter()
        .map(|(name, _, new)| ((*name).clone(), (*new).clone()));
    difference(&before.collect(), &after.collect())
}

fn others_write(
    scene: &Scene<'_>,
    before: &Shown<'_>,
    write: &Shown<'_>,
    after: &Shown<'_>,
) -> bool {
    scene
        .steps
        .iter()
        .any(|s| s.at > before.at && s.at < after.at && s.at != write.at && !s.is_safe())
}

fn shown(place: &str) -> &str {
    if place.is_empty() { "it" } else { place }
}
