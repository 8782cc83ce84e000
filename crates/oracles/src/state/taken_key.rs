//! An update takes a key that a creation is refused for, because another has it.

use fossick_contract::Deed;
use fossick_trace::{Finding, Location};
use serde_json::{Map, Value};

use super::served_after_delete::removes;
use crate::compare::{brief, unwrapped};
use crate::scene::{Scene, Shaded, Shown};
use crate::table::Oracle;

/// Shorter texts are shared by chance.
const TELLING: usize = 3;

pub(crate) fn check(oracle: &Oracle, scene: &Scene<'_>, findings: &mut Vec<Finding>) {
    for refused in scene
        .steps
        .iter()
        .filter(|s| s.deed() == Deed::Create && s.is_told_taken())
    {
        let Some((owner, name, value)) = taken(scene, refused) else {
            continue;
        };
        let update = scene.after(refused.at).find(|s| takes(s, &name, &value));
        let Some((update, shown)) =
            update.and_then(|u| Some((u, confirmed(scene, u, &name, &value)?)))
        else {
            continue;
        };
        // The owner itself may be updated, may have been changed before or may be gone.
        if !is_of_another(scene, owner, refused, update) {
            continue;
        }
        let title = format!(
            "{name} = {} is accepted, which {} refuses as taken",
            brief(&value),
            refused.operation.label
        );
        let why = "Two things now have a key that only one may have.".to_owned();
        findings.push(
            update
                .finding(oracle, title, why)
                .marked(format!("taken {name}"))
                .located(Location::State {
                    path: format!("/{name}"),
                })
                .got(Some(value))
                .after(owner)
                .after(refused)
                .after(update)
                .shown_by(shown),
        );
    }
}

/// Who has the key, and which it is: the one text that both creations sent.
fn taken<'s, 'a>(
    scene: &'s Scene<'a>,
    refused: &Shown<'a>,
) -> Option<(&'s Shown<'a>, String, Value)> {
    let sent = fields(refused)?;
    let same = |s: &&Shown<'a>| s.call.operation == refused.call.operation && s.is_done();
    scene.before(refused.at).filter(same).find_map(|owner| {
        let theirs = fields(owner)?;
        let shared = sent.iter().filter(|(name, value)| {
            let telling = value.as_str().is_some_and(|text| text.len() >= TELLING);
            telling && theirs.get(*name) == Some(value)
        });
        let shared: Vec<_> = shared.collect();
        // What else both have, others had as well and were not refused for.
        let free = |(name, value): &(&String, &Value)| {
            let others = scene
                .before(refused.at)
                .filter(same)
                .filter(|s| s.at != owner.at);
            let mut others = others.filter_map(fields);
            others.any(|other| other.get(*name) == Some(*value))
        };
        let mut keys = shared.into_iter().filter(|field| !free(field));
        let (name, value) = keys.next()?;
        keys.next()
            .is_none()
            .then(|| (owner, name.clone(), value.clone()))
    })
}

fn fields(step: &Shown<'_>) -> Option<Map<String, Value>> {
    match step.sent()? {
        Value::Object(fields) => Some(fields),
        _ => None,
    }
}

fn takes(step: &Shown<'_>, name: &str, value: &Value) -> bool {
    let sends = || fields(step).is_some_and(|sent| sent.get(name) == Some(value));
    matches!(step.deed(), Deed::Update | Deed::Replace) && step.is_done() && sends()
}

/// The answer of the update, or a read after it, that shows the key.
fn confirmed<'s, 'a>(
    scene: &'s Scene<'a>,
    update: &'s Shown<'a>,
    name: &str,
    value: &Value,
) -> Option<&'s Shown<'a>> {
    let thing = update.thing()?;
    let shows = |s: &&Shown<'a>| {
        let body = s.body().map(unwrapped);
        body.and_then(|body| body.get(name)) == Some(value)
    };
    let read = scene.after(update.at).find(|s| s.shows(&thing));
    match read {
        Some(read) => Some(read).filter(shows),
        None => Some(update).filter(shows),
    }
}

/// The updated thing is not the owner, and the owner still is what it was.
fn is_of_another(
    scene: &Scene<'_>,
    owner: &Shown<'_>,
    refused: &Shown<'_>,
    update: &Shown<'_>,
) -> bool {
    let identity = |s: &Shown<'_>| {
        let body = s.body().map(unwrapped)?;
        let names = ["id", "_id", "uuid", "key", "code", "slug"];
        names.iter().find_map(|name| body.get(*name).cloned())
    };
    let own = identity(owner);
    let other = identity(update).or_else(|| {
        let thing = update.thing()?;
        identity(scene.steps.iter().find(|s| s.shows(&thing))?)
    });
    let between = || scene.after(refused.at).filter(|s| s.at < update.at);
    let touched = between().any(|s| removes(s) || (!s.is_safe() && s.succeeded()));
    own.is_some() && other.is_some() && own != other && !touched
}
