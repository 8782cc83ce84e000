//! Something that was deleted can still be read.

use fossick_contract::Deed;
use fossick_trace::{Finding, Intent};
use serde_json::Value;

use super::seen_elsewhere;
use crate::compare::unwrapped;
use crate::names::words;
use crate::scene::{Scene, Shaded, Shown};
use crate::table::Oracle;
use crate::thing::Thing;

pub(crate) fn check(oracle: &Oracle, scene: &Scene<'_>, findings: &mut Vec<Finding>) {
    for deletion in scene.steps.iter().filter(|s| removes(s)) {
        let Some(thing) = deletion.thing() else {
            continue;
        };
        findings.extend(seen_elsewhere::check(oracle, scene, deletion, &thing));
        findings.extend(below(oracle, scene, deletion, &thing));
        let Some(read) = scene.after(deletion.at).find(|s| s.shows(&thing)) else {
            continue;
        };
        let between = scene
            .steps
            .iter()
            .filter(|s| s.at > deletion.at && s.at < read.at);
        // Written again in the meantime: of course it is there.
        if between.into_iter().any(|s| writes_again(s, &thing)) || is_tombstone(scene, read) {
            continue;
        }
        let (title, gone) = match read.root() {
            Some(_) => (
                format!("still there after {} succeeded", deletion.verb()),
                "null, or an error that says so",
            ),
            None => (
                format!(
                    "{} after DELETE answered {}",
                    read.status(),
                    deletion.status()
                ),
                "404 or 410",
            ),
        };
        let why = format!("What was deleted should be gone: {gone}.");
        findings.push(
            read.finding(oracle, title, why)
                .marked("served after delete")
                .after(deletion),
        );
    }
}

/// What stands below a thing is served although the thing was deleted. Some services show an empty
/// list for whatever they are asked; this one does not, for it knows a stranger when it meets one.
fn below(
    oracle: &Oracle,
    scene: &Scene<'_>,
    deletion: &Shown<'_>,
    thing: &Thing<'_>,
) -> Option<Finding> {
    const MISSING: [u16; 2] = [404, 410];
    let Thing::At(path) = thing else { return None };
    let is_below = |s: &Shown<'_>| {
        let rest = s.path().strip_prefix(*path);
        rest.is_some_and(|rest| rest.starts_with('/')) && s.is_read() && s.succeeded()
    };
    let read = scene.after(deletion.at).find(|s| is_below(s))?;
    let knows_strangers = scene.steps.iter().any(|s| {
        let strange = matches!(s.call.intent, Intent::Stranger { .. });
        strange && s.call.operation == read.call.operation && MISSING.contains(&s.status())
    });
    let mut between = scene
        .steps
        .iter()
        .filter(|s| s.at > deletion.at && s.at < read.at);
    if !knows_strangers || between.any(|s| writes_again(s, thing)) {
        return None;
    }
    let title = format!(
        "{} below what DELETE answered {} for",
        read.status(),
        deletion.status()
    );
    let why = "What was deleted should be gone with all that stands below it: what never was is \
               answered 404."
        .to_owned();
    let finding = read.finding(oracle, title, why);
    Some(finding.marked("served below deleted").after(deletion))
}

/// Accepted for later (202) is not deleted yet, and an emptied collection may well be served.
pub(super) fn removes(step: &Shown<'_>) -> bool {
    step.deed() == Deed::Delete
        && step.is_done()
        && (step.root().is_some() || step.operation.path.ends_with_hole())
        && !asks_for(step, &["dry", "dryrun", "simulate", "preview", "soft"])
}

/// A write at the very path, or a creation in the collection: the caller may choose identifiers.
/// What a mutation writes nobody can be sure of. A second deletion brings nothing back.
pub(super) fn writes_again(step: &Shown<'_>, thing: &Thing<'_>) -> bool {
    if step.is_safe() || step.deed() == Deed::Delete {
        return false;
    }
    let Thing::At(path) = thing else {
        return true;
    };
    let collection = path.rsplit_once('/').map(|(path, _)| path);
    let created = step.deed() == Deed::Create && Some(step.path()) == collection;
    created || step.path() == *path
}

/// Whether the query or an argument turns on something of this name.
pub(super) fn asks_for(step: &Shown<'_>, wanted: &[&str]) -> bool {
    let named = |name: &str| words(name).iter().any(|w| wanted.contains(&w.as_str()));
    if step.root().is_some() {
        let sent = step.sent().unwrap_or_default();
        let mut fields = sent.as_object().into_iter().flatten();
        return fields.any(|(name, value)| named(name) && *value == Value::Bool(true));
    }
    step.query().split('&').any(|pair| {
        let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
        named(name) && !matches!(value, "false" | "0" | "no")
    })
}

/// A tombstone is an honest answer, and so is one that holds nothing.
pub(super) fn is_tombstone(scene: &Scene<'_>, read: &Shown<'_>) -> bool {
    let wanted = asks_for(read, &["deleted", "archived", "removed", "trashed", "all"]);
    let says_so = read.body().is_some_and(|body| {
        [body, unwrapped(body)]
            .into_iter()
            .any(|inner| says_deleted(inner) || was_switched_off(scene, read, inner))
    });
    wanted || says_so || shows_no_thing(read)
}

/// Where GraphQL has an object it has the thing, even if all that was asked of it are empty lists.
fn shows_no_thing(read: &Shown<'_>) -> bool {
    let is_there = |body: &Value| match body {
        Value::Object(fields) => fields.values().any(|value| !value.is_null()),
        body => !body.is_null(),
    };
    match read.root() {
        Some(_) => !read.body().is_some_and(is_there),
        None => read.shows_nothing(),
    }
}

pub(super) fn says_deleted(thing: &Value) -> bool {
    const MARKS: [&str; 11] = [
        "deleted",
        "deletedAt",
        "deleted_at",
        "isDeleted",
        "is_deleted",
        "archived",
        "archivedAt",
        "archived_at",
        "removed",
        "removed_at",
        "tombstone",
    ];
    const ENDS: [&str; 8] = [
        "delet", "archiv", "remov", "inactiv", "trash", "cancel", "disabl", "deactiv",
    ];
    let marked = MARKS.iter().filter_map(|mark| thing.get(mark));
    let mut states = ["status", "state", "lifecycle"]
        .iter()
        .filter_map(|name| thing.get(name)?.as_str());
    marked
        .into_iter()
        .any(|value| !value.is_null() && *value != Value::Bool(false))
        || states.any(|state| {
            let state = state.to_ascii_lowercase();
            ENDS.iter().any(|end| state.starts_with(end))
        })
}

/// It was active before, and the deletion ended that.
fn was_switched_off(scene: &Scene<'_>, read: &Shown<'_>, thing: &Value) -> bool {
    const FLAGS: [&str; 5] = ["active", "is_active", "isActive", "enabled", "is_enabled"];
    let shown_on = |name: &str| {
        let mut bodies = scene.before(read.at).filter_map(Shown::body);
        bodies.any(|body| unwrapped(body).get(name) == Some(&Value::Bool(true)))
    };
    FLAGS
        .iter()
        .any(|name| thing.get(name) == Some(&Value::Bool(false)) && shown_on(name))
}
