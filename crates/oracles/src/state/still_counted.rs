//! A parent goes on counting a child that was deleted.

use std::collections::BTreeMap;

use fossick_trace::{Finding, Location};
use serde_json::{Map, Value};

use super::dead_target::looks_in_vain;
use super::failed_write::creation_of;
use super::served_after_delete::removes;
use crate::compare::unwrapped;
use crate::names::{is_identity, is_volatile, words};
use crate::scene::{Scene, Shaded, Shown};
use crate::table::Oracle;
use crate::thing::Thing;

pub(crate) fn check(oracle: &Oracle, scene: &Scene<'_>, findings: &mut Vec<Finding>) {
    for deletion in scene.steps.iter().filter(|s| removes(s)) {
        let Some(thing) = deletion.thing() else {
            continue;
        };
        // What can still be read may well be counted.
        let gone = scene.after(deletion.at).any(|s| looks_in_vain(s, &thing));
        let creation = creation_of(scene, deletion.at, &thing).filter(|_| gone);
        if let Some(creation) = creation {
            findings.extend(judge(oracle, scene, creation, deletion, &thing));
        }
    }
}

fn judge(
    oracle: &Oracle,
    scene: &Scene<'_>,
    creation: &Shown<'_>,
    deletion: &Shown<'_>,
    thing: &Thing<'_>,
) -> Option<Finding> {
    let parent = |s: &&Shown<'_>| is_parent(s, thing);
    scene.after(deletion.at).filter(parent).find_map(|after| {
        let same = |s: &&Shown<'_>| parent(s) && asks_the_same(s, after);
        let between = scene
            .before(deletion.at)
            .find(|s| s.at > creation.at && same(s))?;
        let before = scene.before(creation.at).find(same)?;
        let alone =
            writes(scene, before, between, creation) && writes(scene, between, after, deletion);
        let shown = [before, between, after].map(|s| numbers(s.body().filter(|_| alone)));
        let (place, old, new) = kept(&shown, is_above(after, thing))?;
        Some(told(
            oracle,
            [creation, deletion, between, after],
            &place,
            [old, new],
        ))
    })
}

fn told(
    oracle: &Oracle,
    [creation, deletion, between, after]: [&Shown<'_>; 4],
    place: &str,
    [old, new]: [f64; 2],
) -> Finding {
    let title = format!(
        "{place} is still {new} after {} answered {}",
        deletion.verb(),
        deletion.reply()
    );
    let why = format!(
        "It was {old} before {} and {new} after it; the deletion of what that made did not change it.",
        creation.operation.label
    );
    deletion
        .finding(oracle, title, why)
        .marked(format!("still counted {place}"))
        .located(Location::State {
            path: place.to_owned(),
        })
        .got(serde_json::Number::from_f64(new).map(Value::Number))
        .after(creation)
        .after(between)
        .after(deletion)
        .shown_by(after)
}

/// A look at one other thing.
fn is_parent(step: &Shown<'_>, child: &Thing<'_>) -> bool {
    let other = step.thing().is_some_and(|own| !own.is(child));
    let one = step.root().is_some() || step.operation.path.ends_with_hole();
    step.is_read() && step.succeeded() && one && other
}

/// Whether the child lives under what a look shows, by its path.
fn is_above(step: &Shown<'_>, child: &Thing<'_>) -> bool {
    let Thing::At(path) = child else {
        return false;
    };
    let rest = path.strip_prefix(step.path());
    rest.is_some_and(|rest| rest.starts_with('/'))
}

fn asks_the_same(one: &Shown<'_>, other: &Shown<'_>) -> bool {
    let (a, b) = (&one.exchange.request, &other.exchange.request);
    a.target == b.target && a.body == b.body && a.method == b.method
}

/// Whether a call is the only write between two looks.
fn writes(scene: &Scene<'_>, from: &Shown<'_>, to: &Shown<'_>, only: &Shown<'_>) -> bool {
    let within = scene
        .steps
        .iter()
        .filter(|s| s.at > from.at && s.at < to.at);
    within.filter(|s| !s.is_safe()).all(|s| s.at == only.at)
}

/// A number that the creation changed and the deletion did not. Where the child does not live under
/// the parent it may use it up for good; it can't be counted for good.
fn kept(
    [before, between, after]: &[BTreeMap<String, f64>; 3],
    above: bool,
) -> Option<(String, f64, f64)> {
    between.iter().find_map(|(place, new)| {
        let old = *before.get(place)?;
        let moved = if above { old != *new } else { old < *new };
        (moved && after.get(place) == Some(new)).then(|| (place.clone(), old, *new))
    })
}

/// The numbers of a thing by their places, without those that only ever grow. What stands in lists
/// is others'.
fn numbers(body: Option<&Value>) -> BTreeMap<String, f64> {
    let mut found = BTreeMap::new();
    if let Some(map) = body.map(unwrapped).and_then(Value::as_object) {
        collect(map, "", 0, &mut found);
    }
    found
}

fn collect(map: &Map<String, Value>, path: &str, depth: usize, found: &mut BTreeMap<String, f64>) {
    const DEPTH: usize = 4;
    for (name, value) in map.iter().filter(|(name, _)| !only_grows(name)) {
        let place = format!("{path}/{}", fossick_contract::escape_token(name));
        match value {
            Value::Number(number) => found.extend(number.as_f64().map(|number| (place, number))),
            Value::Object(inner) if depth < DEPTH => collect(inner, &place, depth + 1, found),
            _ => {}
        }
    }
}

/// Names of numbers that are never taken back: versions, sequences, moments, what was ever done.
fn only_grows(name: &str) -> bool {
    const GROWING: [&str; 16] = [
        "rev",
        "sequence",
        "seq",
        "serial",
        "generation",
        "next",
        "last",
        "latest",
        "ever",
        "lifetime",
        "cumulative",
        "history",
        "added",
        "issued",
        "highest",
        "index",
    ];
    let words = words(name);
    let grows = words.iter().any(|word| GROWING.contains(&word.as_str()));
    // A count changes by itself elsewhere; here it is what is looked at.
    let rest: Vec<&str> = words
        .iter()
        .map(|word| word.trim_end_matches("counter").trim_end_matches("counts"))
        .map(|word| word.trim_end_matches("count"))
        .filter(|word| !word.is_empty())
        .collect();
    grows || is_identity(name) || is_volatile(&rest.join("_"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_may_fall_and_versions_do_not() {
        for name in [
            "taskCount",
            "count",
            "taskcount",
            "open",
            "total",
            "balance_cents",
        ] {
            assert!(!only_grows(name), "{name}");
        }
        for name in [
            "version",
            "revision",
            "nextNumber",
            "updated_at",
            "totalCreated",
            "last_seq",
            "id",
        ] {
            assert!(only_grows(name), "{name}");
        }
    }
}
