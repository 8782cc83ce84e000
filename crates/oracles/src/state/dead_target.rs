//! Something that was deleted is written to, and that succeeds.

use fossick_contract::Deed;
use fossick_trace::{Finding, Role};
use serde_json::Value;

use super::served_after_delete::{removes, writes_again};
use crate::names::words;
use crate::scene::{Scene, Shaded, Shown};
use crate::sights::Likeness;
use crate::table::Oracle;
use crate::thing::Thing;

pub(crate) fn check(oracle: &Oracle, scene: &Scene<'_>, findings: &mut Vec<Finding>) {
    for deletion in scene.steps.iter().filter(|s| removes(s)) {
        let Some(thing) = deletion.thing() else {
            continue;
        };
        let Some(likeness) = Likeness::of(scene, deletion, &thing) else {
            continue;
        };
        // Whoever keeps tombstones may let callers write on them.
        let Some(gone) = scene.after(deletion.at).find(|s| looks_in_vain(s, &thing)) else {
            continue;
        };
        let next = scene
            .after(gone.at)
            .find(|s| !s.is_safe() && s.deed() != Deed::Delete);
        let Some(write) = next.filter(|s| s.is_done() && s.call.role != Role::Setup) else {
            continue;
        };
        if made_again(scene, deletion, write, &thing) || revives(write) {
            continue;
        }
        if let Some(how) = aims(write, &thing, &likeness) {
            let title = format!(
                "{} although the {} {how} was deleted",
                write.reply(),
                likeness.called
            );
            let why = "What is gone can't be changed or referred to; a refusal was to be expected."
                .to_owned();
            findings.push(
                write
                    .finding(oracle, title, why)
                    .marked(format!("write on deleted {}", likeness.called))
                    .after(deletion)
                    .after(gone),
            );
        }
    }
}

/// A look at the thing that does not find it.
pub(super) fn looks_in_vain(step: &Shown<'_>, thing: &Thing<'_>) -> bool {
    let own = step.is_read() && step.thing().is_some_and(|own| own.is(thing));
    let absent = match step.root() {
        Some(_) => step.answer().is_some() && step.payload().is_none_or(Value::is_null),
        None => matches!(step.status(), 404 | 410),
    };
    own && absent
}

fn made_again(
    scene: &Scene<'_>,
    deletion: &Shown<'_>,
    write: &Shown<'_>,
    thing: &Thing<'_>,
) -> bool {
    let mut between = scene.after(deletion.at).filter(|s| s.at < write.at);
    between.any(|s| s.succeeded() && writes_again(s, thing))
}

/// Some calls are there to bring things back.
fn revives(step: &Shown<'_>) -> bool {
    const BACK: [&str; 10] = [
        "restore",
        "undelete",
        "recover",
        "reactivate",
        "revive",
        "unarchive",
        "undo",
        "reopen",
        "upsert",
        "put",
    ];
    let label = words(&step.operation.label);
    label.iter().any(|word| BACK.contains(&word.as_str()))
}

/// How a write names the thing: as what it works on, or by a reference in what it sent.
fn aims(write: &Shown<'_>, thing: &Thing<'_>, likeness: &Likeness<'_>) -> Option<&'static str> {
    let at_it = match thing {
        Thing::At(path) => {
            let under = write.path().strip_prefix(path);
            let below = under.is_some_and(|rest| rest.starts_with('/'));
            below || (under == Some("") && write.deed() == Deed::Update)
        }
        Thing::Keyed(..) => write.thing().is_some_and(|own| own.is(thing)),
    };
    if at_it {
        return Some("that it is for");
    }
    let sent = match write.root() {
        Some(_) => Some(Value::Object(write.arguments())),
        None => write.sent(),
    };
    sent.is_some_and(|sent| refers(&sent, likeness, 0))
        .then_some("that it refers to")
}

fn refers(value: &Value, likeness: &Likeness<'_>, depth: usize) -> bool {
    const DEPTH: usize = 6;
    match value {
        _ if depth > DEPTH => false,
        Value::Array(items) => items.iter().any(|item| refers(item, likeness, depth + 1)),
        Value::Object(map) => map.iter().any(|(name, inner)| {
            likeness.is_meant_by(name, inner) || refers(inner, likeness, depth + 1)
        }),
        _ => false,
    }
}
