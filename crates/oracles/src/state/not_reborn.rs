//! What was deleted can't be created again.

use fossick_contract::Deed;
use fossick_trace::{Finding, Said};
use serde_json::Value;

use super::served_after_delete::{is_tombstone, removes};
use crate::compare::unwrapped;
use crate::scene::{Scene, Shaded, Shown};
use crate::table::Oracle;
use crate::thing::{Thing, text};

pub(crate) fn check(oracle: &Oracle, scene: &Scene<'_>, findings: &mut Vec<Finding>) {
    for again in scene.steps.iter().filter(|s| creates(s) && fails(s)) {
        let Some(first) = scene.before(again.at).find(|s| is_same_call(s, again)) else {
            continue;
        };
        let between = || scene.after(first.at).filter(|s| s.at < again.at);
        let Some(deletion) = between().find(|s| removes(s) && is_of(s, first)) else {
            continue;
        };
        // Whoever keeps a tombstone keeps its key, and another may have made it in the meantime.
        let is_kept = |s: &Shown<'_>| s.at > deletion.at && s.succeeded() && is_tombstone(scene, s);
        let is_made = |s: &Shown<'_>| s.at > deletion.at && s.succeeded() && !s.is_safe();
        if between().any(|s| (s.is_read() && !s.shows_nothing() && is_kept(s)) || is_made(s)) {
            continue;
        }
        let title = format!("{} for what was deleted before", again.reply());
        let why = format!(
            "The same {} worked before; what it made is deleted, and its key should be free again.",
            again.verb()
        );
        findings.push(
            again
                .finding(oracle, title, why)
                .marked("not created again")
                .after(first)
                .after(deletion),
        );
    }
}

fn creates(step: &Shown<'_>) -> bool {
    step.deed() == Deed::Create && step.call.intent.is_valid()
}

/// It is told that the key is taken, or something goes wrong that the caller is not blamed for.
/// For the latter REST has statuses of their own, which are told of elsewhere.
fn fails(step: &Shown<'_>) -> bool {
    let breaks = || {
        let said = step.answer().and_then(|answer| answer.said);
        said == Some(Said::Errors) && !step.is_refused()
    };
    step.is_told_taken() || (step.root().is_some() && breaks())
}

/// The same operation with the same values, and it succeeded.
fn is_same_call(first: &Shown<'_>, again: &Shown<'_>) -> bool {
    first.call.operation == again.call.operation
        && first.is_done()
        && first.path() == again.path()
        && match first.root() {
            Some(_) => first.arguments() == again.arguments(),
            None => first.exchange.request.body == again.exchange.request.body,
        }
}

/// Whether a deletion takes away what a call made.
fn is_of(deletion: &Shown<'_>, made: &Shown<'_>) -> bool {
    let Some(body) = made.body().map(unwrapped).and_then(Value::as_object) else {
        return false;
    };
    let has = |key: &str| {
        body.values()
            .any(|value| text(value).as_deref() == Some(key))
    };
    match deletion.thing() {
        Some(Thing::At(path)) => {
            let (collection, key) = path.rsplit_once('/').unwrap_or_default();
            let key = percent_encoding::percent_decode_str(key).decode_utf8_lossy();
            collection == made.path().trim_end_matches('/') && has(&key)
        }
        Some(thing @ Thing::Keyed(kind, _)) => {
            let own = made.root().is_some_and(|root| root.thing == Some(kind));
            own && thing.key().is_some_and(has)
        }
        None => false,
    }
}
