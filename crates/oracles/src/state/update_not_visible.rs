//! An update that was accepted can't be seen.

use fossick_contract::Deed;
use fossick_trace::{Finding, Location};
use serde_json::Value;

use crate::compare::{brief, same, unwrapped};
use crate::names::{is_identity, is_volatile};
use crate::scene::{Scene, Shaded, Shown};
use crate::table::Oracle;

pub(crate) fn check(oracle: &Oracle, scene: &Scene<'_>, findings: &mut Vec<Finding>) {
    for write in scene.steps.iter().filter(|s| updates(s)) {
        let Some(thing) = write.thing() else {
            continue;
        };
        let before = scene.before(write.at).find(|s| s.shows(&thing));
        let after = scene.after(write.at).find(|s| s.shows(&thing));
        let (Some(before), Some(after)) = (before, after) else {
            continue;
        };
        let next_write = scene.after(write.at).find(|s| !s.is_safe());
        if next_write.is_some_and(|w| w.at < after.at) {
            continue;
        }
        let (Some(sent), Some(old), Some(new)) = (write.sent(), before.body(), after.body()) else {
            continue;
        };
        let echo = write.body().map(unwrapped);
        let found = unchanged(&sent, old, new, 0)
            .or_else(|| unchanged(&sent, unwrapped(old), unwrapped(new), 0))
            .or_else(|| forgotten(&sent, echo?, unwrapped(old), unwrapped(new)));
        if let Some((name, wanted, got)) = found {
            let title = format!(
                "{name} is still {} after {} of {}",
                brief(&got),
                write.verb(),
                brief(&wanted)
            );
            let why = format!(
                "{} answered {}; a read right after it shows the old value.",
                write.operation.label,
                write.reply()
            );
            findings.push(
                write
                    .finding(oracle, title, why)
                    .marked(format!("not visible {name}"))
                    .located(Location::State {
                        path: format!("/{}", name.trim_start_matches('/')),
                    })
                    .got(Some(got))
                    .after(before)
                    .after(write)
                    .shown_by(after),
            );
        }
    }
}

fn updates(step: &Shown<'_>) -> bool {
    matches!(step.deed(), Deed::Replace | Deed::Update)
        && step.is_done()
        && step.call.intent.is_valid()
}

/// The first field that was sent anew and is still what it was.
fn unchanged(
    sent: &Value,
    old: &Value,
    new: &Value,
    depth: usize,
) -> Option<(String, Value, Value)> {
    let (Value::Object(sent), Value::Object(old), Value::Object(new)) = (sent, old, new) else {
        return None;
    };
    for (name, wanted) in sent {
        let (Some(before), Some(after)) = (old.get(name), new.get(name)) else {
            continue;
        };
        if wanted.is_object() && depth < 2 {
            if let Some(found) = unchanged(wanted, before, after, depth + 1) {
                return Some(found);
            }
            continue;
        }
        let stands_still = same(before, after) && !shows(after, wanted);
        if stands_still && comparable(wanted, after) && !is_volatile(name) && !is_identity(name) {
            return Some((name.clone(), wanted.clone(), after.clone()));
        }
    }
    None
}

/// The first field that the write itself answered with and that nothing is known of afterwards. It
/// was and is null: without the write's own word that might be all that is ever shown of it.
fn forgotten(
    sent: &Value,
    echo: &Value,
    old: &Value,
    new: &Value,
) -> Option<(String, Value, Value)> {
    let mut fields = sent.as_object()?.iter();
    let found = fields.find(|(name, wanted)| {
        let is_null = |value: &Value| value.get(name.as_str()).is_some_and(Value::is_null);
        let is_told = echo
            .get(name.as_str())
            .is_some_and(|told| same(told, wanted));
        let is_plain = wanted.is_string() || wanted.is_number() || wanted.is_boolean();
        is_plain && is_told && is_null(old) && is_null(new) && !is_volatile(name)
    });
    found.map(|(name, wanted)| (name.clone(), wanted.clone(), Value::Null))
}

/// A set may hold more than was sent: owners, defaults.
fn shows(after: &Value, wanted: &Value) -> bool {
    match (after, wanted) {
        (Value::Array(there), Value::Array(sent)) => sent
            .iter()
            .all(|item| there.iter().any(|other| same(item, other))),
        _ => same(wanted, after),
    }
}

/// Values of one kind can be compared; another form of the same thing can't.
fn comparable(sent: &Value, shown: &Value) -> bool {
    match (sent, shown) {
        // `{ingredientCode}` may well be read as `{ingredient: {code}}`.
        (Value::Object(sent), Value::Object(shown)) => sent
            .iter()
            .all(|(name, value)| shown.get(name).is_some_and(|s| comparable(value, s))),
        (Value::Array(sent), Value::Array(shown)) => {
            let pairs = sent.iter().zip(shown);
            pairs
                .into_iter()
                .all(|(sent, shown)| comparable(sent, shown))
        }
        _ => std::mem::discriminant(sent) == std::mem::discriminant(shown) && !sent.is_null(),
    }
}
