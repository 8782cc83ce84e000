//! Writes on a child under a parent that is not its own.
//!
//! The episode tells where a child lives: there it was made, put or read. A success elsewhere is
//! not enough, for who is content with what is not there says 204 and does nothing. It takes a look
//! at the right place that shows the change, or an answer that shows the child.

use fossick_contract::Deed;
use fossick_trace::Intent;
use percent_encoding::percent_decode_str;
use serde_json::Value;

use crate::compare::{difference, holds, items, same, unwrapped};
use crate::names::{is_identity, is_volatile, words};
use crate::scene::{Scene, Shown};
use crate::thing::text;

/// Shorter texts may be anybody's.
const TELLING: usize = 6;
const CREATED: u16 = 201;

/// A write under a wrong parent that was carried out.
pub(super) struct Misplaced<'s, 'a> {
    pub(super) parameter: &'a str,
    /// The call that shows it beside the write itself.
    pub(super) proof: &'s Shown<'a>,
}

/// Where the child of a write lives, as the episode tells.
struct Home<'s, 'a> {
    step: &'s Shown<'a>,
    path: String,
}

pub(super) fn misplaced<'s, 'a>(
    scene: &'s Scene<'a>,
    write: &'s Shown<'a>,
) -> Option<Misplaced<'s, 'a>> {
    let is_planned = matches!(write.call.intent, Intent::Misplaced { .. });
    let child = child(write)?;
    let nested = write.operation.path.holes().count() > 1;
    if !write.is_done() || !nested || !(is_planned || write.call.intent.is_valid()) {
        return None;
    }
    let home = home(scene, write, child)?;
    let (parameter, parent) = stranger(child, &home.path)?;
    let known = is_planned || is_known(scene, write, parent);
    if !known || is_at_both(scene, write, child) || is_moved(scene, write, &home, last(parent)) {
        return None;
    }
    let proof = changed(scene, write, child, &home)?;
    Some(Misplaced { parameter, proof })
}

/// The child that a write is about: the path that names it, as it was called and as it is declared.
#[derive(Clone, Copy)]
struct Child<'a> {
    path: &'a str,
    template: &'a str,
}

/// What is changed or removed stands at the end of the path; what something is done to stands before
/// the name of the action: `/vehicles/{vehicle}/damages/{damage}/repair`.
fn child<'a>(write: &Shown<'a>) -> Option<Child<'a>> {
    let (path, template) = (write.path(), write.operation.path.text.as_str());
    if write.operation.path.ends_with_hole() {
        return write.deed().changes().then_some(Child { path, template });
    }
    let item = above(template.trim_end_matches('/'));
    item.ends_with('}').then(|| Child {
        path: above(path.trim_end_matches('/')),
        template: item,
    })
}

fn last(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

fn above(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(above, _)| above)
}

fn decoded(piece: &str) -> String {
    percent_decode_str(piece).decode_utf8_lossy().into_owned()
}

/// The last call before a write that made, put or showed a child of the same key elsewhere.
fn home<'s, 'a>(scene: &'s Scene<'a>, write: &Shown<'a>, child: Child<'_>) -> Option<Home<'s, 'a>> {
    let key = last(child.path);
    scene
        .before(write.at)
        .filter(|s| s.is_done())
        .find_map(|s| {
            let looked = s.operation.path.text == child.template
                && (s.is_read() || s.deed() == Deed::Replace)
                && last(s.path()) == key;
            let made = || {
                s.deed() == Deed::Create
                    && s.operation.path.text.trim_end_matches('/') == above(child.template)
                    && has_key(s.json(), &decoded(key))
            };
            let path = match () {
                () if looked => s.path().to_owned(),
                () if made() => format!("{}/{key}", s.path().trim_end_matches('/')),
                () => return None,
            };
            (path != child.path).then_some(Home { step: s, path })
        })
}

/// Whether an answer is about a thing of this key. Where a field is called an identifier, other
/// fields that happen to hold the same number do not count.
fn has_key(body: Option<&Value>, key: &str) -> bool {
    let fields = body.map(unwrapped).and_then(Value::as_object);
    let named = fields.is_some_and(|fields| fields.keys().any(|name| is_identity(name)));
    let mut keys = fields
        .into_iter()
        .flatten()
        .filter(|(name, _)| !named || is_identity(name));
    keys.any(|(_, value)| text(value).as_deref() == Some(key))
}

/// The only parent by which the two paths differ: its hole, and the path of the one that is not
/// the child's own.
fn stranger<'a>(Child { path, template }: Child<'a>, home: &str) -> Option<(&'a str, &'a str)> {
    let holes = template.rsplit('/');
    let pairs = path.rsplit('/').zip(home.rsplit('/')).zip(holes);
    let mut end = path.len();
    let mut found = Vec::new();
    for ((own, other), hole) in pairs {
        if own != other {
            found.push((hole, &path[..end]));
        }
        end = end.saturating_sub(own.len() + 1);
    }
    let [(hole, parent)] = found[..] else {
        return None;
    };
    let name = hole.strip_prefix('{')?.strip_suffix('}')?;
    Some((name, parent))
}

/// Whether the episode made or saw that parent. What nobody made may be a version or a language.
fn is_known(scene: &Scene<'_>, write: &Shown<'_>, parent: &str) -> bool {
    scene.before(write.at).filter(|s| s.is_done()).any(|s| {
        let seen = s.path() == parent && (s.is_read() || s.deed() == Deed::Replace);
        let made = s.deed() == Deed::Create
            && s.path().trim_end_matches('/') == above(parent)
            && has_key(s.json(), &decoded(last(parent)));
        seen || made
    })
}

/// Whether the other parent has a child of the same key as well: keys may count within a parent.
fn is_at_both(scene: &Scene<'_>, write: &Shown<'_>, child: Child<'_>) -> bool {
    let key = decoded(last(child.path));
    let holds_key = |item: &Value| has_key(Some(item), &key);
    scene.before(write.at).filter(|s| s.is_done()).any(|s| {
        let itself = s.path() == child.path && s.deed() != Deed::Delete;
        let collection = s.path().trim_end_matches('/') == above(child.path);
        let made = s.deed() == Deed::Create && has_key(s.json(), &key);
        let listed = || {
            s.json()
                .and_then(items)
                .is_some_and(|all| all.iter().any(holds_key))
        };
        itself || (collection && (made || listed()))
    })
}

/// Whether the child was moved to the other parent, or says that it belongs there too.
fn is_moved(scene: &Scene<'_>, write: &Shown<'_>, home: &Home<'_, '_>, parent: &str) -> bool {
    let parent = Value::from(decoded(parent));
    let names = |s: &Shown<'_>| {
        let sent = s.sent().is_some_and(|sent| holds(&sent, &parent));
        sent || s.json().is_some_and(|body| holds(body, &parent))
    };
    let refers = |(name, value): (&String, &Value)| {
        is_identity(name) && words(name).len() > 1 && holds(value, &parent)
    };
    let fields = home.step.json().map(unwrapped).and_then(Value::as_object);
    fields.into_iter().flatten().any(refers)
        || scene
            .before(write.at)
            .any(|s| !s.is_safe() && s.succeeded() && s.path().starts_with(&home.path) && names(s))
}

/// What shows that the write was carried out.
fn changed<'s, 'a>(
    scene: &'s Scene<'a>,
    write: &'s Shown<'a>,
    child: Child<'_>,
    home: &Home<'s, 'a>,
) -> Option<&'s Shown<'a>> {
    // With a parent its children go.
    let meddles = |s: &Shown<'_>| {
        let above = s.deed() == Deed::Delete && home.path.starts_with(s.path());
        !s.is_safe() && (above || s.path().starts_with(&home.path))
    };
    let looks = |s: &&Shown<'_>| s.is_read() && s.path() == home.path && s.status() != 202;
    let after = scene
        .after(write.at)
        .take_while(|s| !meddles(s))
        .find(looks);
    let meddled = scene
        .after(home.step.at)
        .any(|s| s.at < write.at && meddles(s));
    let shows = |after: &&Shown<'_>| match after.status() {
        404 | 410 => true,
        _ => after.succeeded() && differs(write, home.step, after).unwrap_or(false),
    };
    match after.filter(|_| !meddled) {
        Some(after) if shows(&after) => Some(after),
        _ => {
            let shown = resembles(write, child, home.step);
            Some(home.step).filter(|_| shown.unwrap_or(false))
        }
    }
}

/// A creation may answer with less than a read shows: then only what the write sent counts.
fn differs(write: &Shown<'_>, before: &Shown<'_>, after: &Shown<'_>) -> Option<bool> {
    let (old, new) = (unwrapped(before.json()?), unwrapped(after.json()?));
    if before.is_read() {
        return Some(difference(old, new).is_some());
    }
    let sent = write.sent()?;
    let is_new = |(name, wanted): (&String, &Value)| {
        let both = old.get(name).zip(new.get(name));
        both.is_some_and(|(old, new)| same(new, wanted) && !same(old, new))
    };
    Some(sent.as_object()?.iter().any(is_new))
}

/// Whether the answer of the write shows the child: a telling text that only its home had.
fn resembles(write: &Shown<'_>, child: Child<'_>, home: &Shown<'_>) -> Option<bool> {
    // What was made anew under a key of the caller's own is another child.
    if write.deed() == Deed::Replace && write.status() == CREATED {
        return None;
    }
    let (shown, known) = (unwrapped(write.json()?), unwrapped(home.json()?));
    let sent = write.sent();
    let is_told = |(name, value): (&String, &Value)| {
        let telling = value.as_str().is_some_and(|text| text.len() >= TELLING);
        let was_sent = sent.as_ref().is_some_and(|sent| holds(sent, value));
        telling && !was_sent && !is_volatile(name) && shown.get(name) == Some(value)
    };
    let key = decoded(last(child.path));
    Some(has_key(Some(shown), &key) && known.as_object()?.iter().any(is_told))
}
