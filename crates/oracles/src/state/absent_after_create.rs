//! Something that was just created can't be read.

use fossick_contract::Deed;
use fossick_trace::{Capture, Finding, Part, Role, Said};
use serde_json::Value;

use crate::graphql::complaint::complaints;
use crate::names::{is_identity, words};
use crate::scene::{Scene, Shaded, Shown};
use crate::table::Oracle;
use crate::thing::{Thing, text};

pub(crate) fn check(oracle: &Oracle, scene: &Scene<'_>, findings: &mut Vec<Finding>) {
    for read in scene.steps.iter().filter(|s| looks_in_vain(s)) {
        let Some(created) = scene.before(read.at).find(|s| makes(s, read)) else {
            continue;
        };
        let between = scene
            .steps
            .iter()
            .filter(|s| s.at > created.at && s.at < read.at);
        if between.into_iter().any(may_remove) || is_kept_back(created, read) {
            continue;
        }
        let title = match read.root() {
            Some(_) => format!("not there right after {} succeeded", created.verb()),
            None => format!(
                "{} right after {} answered {}",
                read.status(),
                created.operation.label,
                created.status()
            ),
        };
        let why = "What was just created should be there.".to_owned();
        findings.push(
            read.finding(oracle, title, why)
                .marked("absent after create")
                .after(created),
        );
    }
}

fn looks_in_vain(step: &Shown<'_>) -> bool {
    let in_vain = match step.root() {
        Some(_) => is_absent(step),
        None => matches!(step.status(), 404 | 410),
    };
    in_vain && step.is_read() && step.call.role == Role::Check && step.call.intent.is_valid()
}

/// GraphQL says so with null, or with an error in its own words.
fn is_absent(step: &Shown<'_>) -> bool {
    let Some(answer) = step.answer().filter(|_| step.thing().is_some()) else {
        return false;
    };
    match answer.said {
        Some(Said::Nothing) => (200..300).contains(&answer.status),
        Some(Said::Errors) => {
            let body = answer.json().unwrap_or(&Value::Null);
            let absent = |message: &str| {
                let message = message.to_lowercase();
                ["not found", "not exist", "no such", "notfound"]
                    .iter()
                    .any(|words| message.contains(words))
            };
            step.payload().is_none_or(Value::is_null)
                && complaints(body).any(|complaint| absent(complaint.message()))
        }
        _ => false,
    }
}

/// Whether the thing was made with a mark that keeps it from some readers: one that says so, or one
/// that the reader's description speaks of ("null where it is private and …").
fn is_kept_back(created: &Shown<'_>, read: &Shown<'_>) -> bool {
    const MARKS: [&str; 7] = [
        "private", "hidden", "secret", "internal", "archived", "deleted", "draft",
    ];
    let described = words(&read.operation.description);
    let sent = created.sent();
    let is_mark = |(name, value): (&String, &Value)| {
        let words = words(name);
        let spoken = |word: &String| described.contains(word) || MARKS.contains(&word.as_str());
        value == &Value::Bool(true) && words.iter().any(spoken)
    };
    sent.as_ref()
        .and_then(Value::as_object)
        .is_some_and(|sent| sent.iter().any(is_mark))
}

/// What a mutation of no known kind does nobody can say, and an update may change the very key.
fn may_remove(step: &Shown<'_>) -> bool {
    match step.deed() {
        Deed::Delete => true,
        Deed::Other | Deed::Update | Deed::Replace => step.root().is_some(),
        _ => false,
    }
}

/// The write that made what is looked for: its answer names it, or it was written at this path.
fn makes(write: &Shown<'_>, read: &Shown<'_>) -> bool {
    if !creates(write) {
        return false;
    }
    if read.root().is_some() {
        return read
            .thing()
            .is_some_and(|thing| answers_with(write, &thing));
    }
    let named = last_segment(read).is_some_and(|capture| capture.call == write.at);
    let replaced = write.deed() == Deed::Replace;
    (named && !is_elsewhere(write, read)) || (replaced && write.path() == read.path())
}

/// Whether a thing is looked for under another parent than the one that it was made under.
fn is_elsewhere(write: &Shown<'_>, read: &Shown<'_>) -> bool {
    fn above(path: &str) -> Option<&str> {
        path.rsplit_once('/').map(|(above, _)| above)
    }
    let (made, looked) = (&write.operation.path, &read.operation.path);
    let (kind, place) = if write.deed() == Deed::Replace {
        (made.parent(), above(write.path()))
    } else {
        (Some(made.text.as_str()), Some(write.path()))
    };
    kind == looked.parent() && place != above(read.path())
}

/// A creation of this type whose answer has the key as an identifier. Where there are several
/// keys, each must be the thing's: it answered with it, or it was told.
fn answers_with(write: &Shown<'_>, thing: &Thing<'_>) -> bool {
    let Thing::Keyed(kind, keys) = thing else {
        return false;
    };
    let made = write.body().and_then(Value::as_object);
    let own = write.root().is_some_and(|root| root.thing == Some(*kind));
    let is_key = |(name, value): (&String, &Value)| {
        is_identity(name) && text(value).as_deref() == thing.key()
    };
    let sent = Value::Object(write.arguments());
    let known = |key: &String| {
        let shown = made.is_some_and(|made| made.values().any(|v| text(v).as_ref() == Some(key)));
        shown || holds(&sent, key, 0)
    };
    own && made.is_some_and(|made| made.iter().any(is_key)) && keys.iter().all(known)
}

/// Whether a text stands anywhere in a value.
fn holds(value: &Value, wanted: &String, depth: usize) -> bool {
    const DEEPEST: usize = 8;
    match value {
        _ if depth > DEEPEST => false,
        Value::Object(map) => map.values().any(|inner| holds(inner, wanted, depth + 1)),
        Value::Array(items) => items.iter().any(|inner| holds(inner, wanted, depth + 1)),
        scalar => text(scalar).as_ref() == Some(wanted),
    }
}

/// The capture that fills the end of the path, if one does.
fn last_segment<'a>(read: &Shown<'a>) -> Option<&'a Capture> {
    let in_path = |part: &&Part| !matches!(part, Part::Fixed(text) if text.contains('?'));
    let parts = &read.call.target.0;
    match parts.iter().take_while(in_path).last()? {
        Part::Captured(capture) if read.operation.path.ends_with_hole() => Some(capture),
        _ => None,
    }
}

fn creates(step: &Shown<'_>) -> bool {
    matches!(step.deed(), Deed::Create | Deed::Replace) && step.is_done()
}
