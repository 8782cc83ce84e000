//! A write answers with what it was sent, and a read right after it shows something else.

use fossick_contract::Deed;
use fossick_trace::{Finding, Location};
use serde_json::Value;

use crate::compare::{brief, same, unwrapped};
use crate::names::{is_identity, is_volatile, words};
use crate::scene::{Scene, Shaded, Shown};
use crate::table::Oracle;
use crate::thing::text;

pub(crate) fn check(oracle: &Oracle, scene: &Scene<'_>, findings: &mut Vec<Finding>) {
    for write in scene.steps.iter().filter(|s| writes(s)) {
        let next_write = scene.after(write.at).find(|s| !s.is_safe());
        let until = next_write.map_or(usize::MAX, |s| s.at);
        let read = scene
            .after(write.at)
            .find(|s| s.at < until && shows_what(s, write));
        let Some(read) = read else { continue };
        let sent = disagreement(write, read)
            .filter(|(name, ..)| write.deed() == Deed::Create || is_news(scene, write, read, name));
        let is_sent = sent.is_some();
        let Some((name, told, got)) = sent.or_else(|| answered_otherwise(scene, write, read))
        else {
            continue;
        };
        let title = format!(
            "{name} was answered as {} and is read as {}",
            brief(&told),
            brief(&got)
        );
        let why = format!(
            "{} {}answered with this value; the read right after shows another.",
            write.operation.label,
            if is_sent { "was sent and " } else { "" },
        );
        findings.push(
            write
                .finding(oracle, title, why)
                .marked(format!("answer disagrees {name}"))
                .located(Location::State {
                    path: format!("/{name}"),
                })
                .got(Some(got))
                .after(write)
                .shown_by(read),
        );
    }
}

fn writes(step: &Shown<'_>) -> bool {
    matches!(step.deed(), Deed::Create | Deed::Replace | Deed::Update)
        && step.is_done()
        && step.call.intent.is_valid()
}

/// A read of the thing that was written: by its address, or by the key that the write answered.
pub(super) fn shows_what(read: &Shown<'_>, write: &Shown<'_>) -> bool {
    if write.deed() != Deed::Create {
        return write.thing().is_some_and(|thing| read.shows(&thing));
    }
    if !read.is_read() || !read.succeeded() {
        return false;
    }
    match (read.root(), write.root()) {
        (Some(look), Some(made)) => {
            look.thing.is_some()
                && look.thing == made.thing
                && !look.listed
                && same_key(read, write)
        }
        (None, None) => {
            let under = read
                .path()
                .rsplit_once('/')
                .map(|(collection, _)| collection);
            let is_made = under == Some(write.path().trim_end_matches('/'));
            read.operation.path.ends_with_hole()
                && (is_made || acts_on(write, read))
                && same_key(read, write)
        }
        _ => false,
    }
}

/// `POST /sailings/4/status` does something to what `GET /sailings/4` reads.
fn acts_on(write: &Shown<'_>, read: &Shown<'_>) -> bool {
    let rest = write.path().strip_prefix(read.path());
    let action = rest.and_then(|rest| rest.strip_prefix('/'));
    action.is_some_and(|action| !action.is_empty() && !action.contains('/'))
}

/// Both show a thing of the same identifier.
pub(super) fn same_key(read: &Shown<'_>, write: &Shown<'_>) -> bool {
    let (Some(told), Some(shown)) = (write.body(), read.body()) else {
        return false;
    };
    let (Some(told), Some(shown)) = (unwrapped(told).as_object(), unwrapped(shown).as_object())
    else {
        return false;
    };
    // The first that both have decides: things may share a code, but no identifier.
    let mut keys = ["id", "_id", "uuid", "key", "code"].into_iter();
    let both = keys.find_map(|key| Some((text(told.get(key)?)?, text(shown.get(key)?)?)));
    both.is_some_and(|(told, shown)| told == shown)
}

/// The first plain field that was sent, answered as sent, and is shown otherwise.
fn disagreement(write: &Shown<'_>, read: &Shown<'_>) -> Option<(String, Value, Value)> {
    let sent = write.sent()?;
    let (told, shown) = (unwrapped(write.body()?), unwrapped(read.body()?));
    let found = sent.as_object()?.iter().find_map(|(name, wanted)| {
        let (told, shown) = (told.get(name)?, shown.get(name)?);
        let speaks = !is_volatile(name) && !is_identity(name) && is_telling(wanted, shown);
        let differs = speaks && told == wanted && !same(wanted, shown) && !is_near(wanted, shown);
        differs.then(|| (name.clone(), told.clone(), shown.clone()))
    })?;
    Some(found)
}

/// The first plain field that was answered and is shown otherwise, whoever set it: nobody else works
/// on what the episode itself made. What goes on by itself may have changed in the meantime.
fn answered_otherwise(
    scene: &Scene<'_>,
    write: &Shown<'_>,
    read: &Shown<'_>,
) -> Option<(String, Value, Value)> {
    const GOES_ON: [&str; 6] = ["status", "state", "progress", "phase", "stage", "step"];
    let (told, shown) = (write.body()?, read.body()?);
    let own = scene
        .before(write.at + 1)
        .any(|step| step.deed() == Deed::Create && step.is_done() && same_key(read, step));
    let (told, shown) = (unwrapped(told).as_object()?, unwrapped(shown));
    // Of what was sent the others tell.
    let sent = write.sent().unwrap_or_default();
    let unsent = told
        .iter()
        .filter(|(name, _)| own && sent.get(name).is_none());
    let found = unsent.into_iter().find_map(|(name, told)| {
        let shown = shown.get(name)?;
        let goes_on = words(name)
            .iter()
            .any(|word| GOES_ON.contains(&word.as_str()));
        let speaks = !goes_on && !is_volatile(name) && !is_identity(name);
        let differs = speaks && is_telling(told, shown) && !is_near(told, shown);
        (differs && told != shown).then(|| (name.clone(), told.clone(), shown.clone()))
    });
    found.filter(|_| same_key(read, write))
}

/// Texts, numbers and flags of the same kind. Moments are written in many ways, and what is
/// masked or shown as null is kept back on purpose.
fn is_telling(sent: &Value, shown: &Value) -> bool {
    match (sent, shown) {
        (Value::String(a), Value::String(b)) => !is_moment(a) && !is_moment(b) && !b.contains("**"),
        (Value::Number(_), Value::Number(_)) | (Value::Bool(_), Value::Bool(_)) => true,
        _ => false,
    }
}

fn is_moment(text: &str) -> bool {
    let bytes = text.as_bytes();
    let digits = |range: std::ops::Range<usize>| {
        bytes
            .get(range)
            .is_some_and(|part| part.iter().all(u8::is_ascii_digit))
    };
    digits(0..4) && bytes.get(4) == Some(&b'-') && digits(5..7)
}

/// Stores round: a hundredth is no disagreement, nor is a text cut or cleaned a little.
pub(super) fn is_near(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Number(a), Value::Number(b)) => {
            let pair = a.as_f64().zip(b.as_f64());
            let near = |(a, b): (f64, f64)| (a - b).abs() <= 0.01 + a.abs() * 1e-6;
            !(a.is_i64() && b.is_i64()) && pair.is_some_and(near)
        }
        (Value::String(a), Value::String(b)) => {
            let plain = |text: &str| -> String {
                let kept = text.chars().filter(|c| c.is_alphanumeric());
                kept.flat_map(char::to_lowercase).collect()
            };
            let (a, b) = (plain(a), plain(b));
            a == b || a.starts_with(&b) || a.is_empty()
        }
        _ => false,
    }
}

/// It was something else before: another oracle tells of updates that are not visible.
fn is_news(scene: &Scene<'_>, write: &Shown<'_>, read: &Shown<'_>, name: &str) -> bool {
    let Some(thing) = write.thing() else {
        return false;
    };
    let value = |s: &Shown<'_>| s.body().and_then(|body| unwrapped(body).get(name).cloned());
    let before = scene.before(write.at).find(|s| s.shows(&thing));
    before.is_some_and(|before| value(before).is_some() && value(before) != value(read))
}
