//! A write that was refused has changed something all the same.
//!
//! Four kinds of looks tell: at the thing itself, at a list that now holds a text which only the
//! refused call sent, at another thing of the episode's own making, and at what hung under a thing
//! that was not to be deleted.

use fossick_contract::Deed;
use fossick_trace::{Finding, Location, Wrong};
use serde_json::Value;

use crate::compare::{difference, items, unwrapped};
use crate::names::{counts_things, is_of_use, words};
use crate::scene::{Scene, Shaded, Shown};
use crate::sights::sights;
use crate::table::Oracle;
use crate::thing::{Thing, text};

/// Shorter texts may be anybody's.
const TELLING: usize = 6;

pub(crate) fn check(oracle: &Oracle, scene: &Scene<'_>, findings: &mut Vec<Finding>) {
    for write in scene.steps.iter().filter(|s| s.is_refused()) {
        let found = itself(oracle, scene, write)
            .or_else(|| left_behind(oracle, scene, write))
            .or_else(|| another(oracle, scene, write))
            .or_else(|| below(oracle, scene, write));
        findings.extend(found);
    }
}

/// The thing that the write is about.
fn itself(oracle: &Oracle, scene: &Scene<'_>, write: &Shown<'_>) -> Option<Finding> {
    let thing = write.thing()?;
    let before = scene.before(write.at).find(|s| s.shows(&thing))?;
    let after = scene.after(write.at).find(|s| s.shows(&thing))?;
    if others_write(scene, before, write, after) {
        return None;
    }
    let (old, new) = (before.body()?, after.body()?);
    // Others add to a list at any time.
    if write.deed() == Deed::Create && items(old).is_some() {
        return None;
    }
    let place = match write.root() {
        Some(_) => changed(write, old, new),
        None => difference(old, new).or_else(|| as_sent(write, old, new)),
    }?;
    Some(told(oracle, [before, write, after], place))
}

fn told(oracle: &Oracle, [before, write, after]: [&Shown<'_>; 3], place: String) -> Finding {
    let title = format!(
        "{} changed {} although it answered {}",
        write.verb(),
        shown(&place),
        write.reply()
    );
    let why = "A refused write should leave everything as it was.".to_owned();
    write
        .finding(oracle, title, why)
        .marked("failed write")
        .located(Location::State { path: place })
        .after(before)
        .after(write)
        .shown_by(after)
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
    difference(&before.collect(), &after.collect()).or_else(|| as_sent(write, old, new))
}

/// A moment changes by itself, but not to the very one that was sent.
fn as_sent(write: &Shown<'_>, old: &Value, new: &Value) -> Option<String> {
    let sent = write.sent()?;
    let (old, new) = (unwrapped(old), unwrapped(new));
    let is = |shown: &str, sent: &str| {
        let plain = sent.trim_end_matches('Z');
        shown == sent || (plain.len() >= 16 && shown.starts_with(plain))
    };
    let found = sent.as_object()?.iter().find(|(name, wanted)| {
        let texts =
            [old.get(*name), new.get(*name), Some(*wanted)].map(|v| v.and_then(Value::as_str));
        let [Some(old), Some(new), Some(wanted)] = texts else {
            return false;
        };
        wanted.len() >= TELLING && is(new, wanted) && !is(old, wanted)
    });
    found.map(|(name, _)| format!("/{name}"))
}

/// A text that only the refused call sent stands in a view where it did not stand before.
fn left_behind(oracle: &Oracle, scene: &Scene<'_>, write: &Shown<'_>) -> Option<Finding> {
    let mut texts = Vec::new();
    telling(&write.sent()?, 0, &mut texts);
    texts.retain(|text| is_new(scene, write, text));
    let pairs = pairs(scene, write).filter(|(_, after)| !is_journal(after));
    pairs.into_iter().find_map(|(before, after)| {
        let old = before.answer()?;
        let place = |text: &String| {
            let all = sights(scene.api, after).into_iter();
            let mut holder = all.filter_map(|s| Some((field_of(s.value, text)?, s.path)));
            holder.next_back().filter(|_| !holds(&old.body, text))
        };
        let (text, (field, path)) = texts.iter().find_map(|text| Some((text, place(text)?)))?;
        let title = format!(
            "{} left {field} = \"{text}\" behind although it answered {}",
            write.verb(),
            write.reply()
        );
        let why =
            "A refused write should leave everything as it was; only this call sent this text."
                .to_owned();
        let finding = write
            .finding(oracle, title, why)
            .marked("refused write left behind")
            .in_body(format!("{path}/{field}"), Wrong::Value)
            .got(Some(Value::from(text.as_str())))
            .after(before)
            .after(write)
            .shown_by(after);
        Some(finding)
    })
}

/// The field of an object that is this very text.
fn field_of(value: &Value, text: &str) -> Option<String> {
    let mut fields = value.as_object()?.iter();
    let found = fields.find(|(_, value)| value.as_str() == Some(text));
    found.map(|(name, _)| name.clone())
}

/// Texts that were sent and are long enough to be nobody else's.
fn telling(value: &Value, depth: usize, texts: &mut Vec<String>) {
    const DEPTH: usize = 4;
    match value {
        _ if depth > DEPTH => {}
        Value::String(text) if text.len() >= TELLING => texts.push(text.clone()),
        Value::Array(items) => items
            .iter()
            .for_each(|item| telling(item, depth + 1, texts)),
        Value::Object(map) => map
            .values()
            .for_each(|item| telling(item, depth + 1, texts)),
        _ => {}
    }
}

/// No call before sent it, unless it only looked for it, and no answer before had it.
fn is_new(scene: &Scene<'_>, write: &Shown<'_>, text: &str) -> bool {
    !scene.before(write.at).any(|s| {
        let request = &s.exchange.request;
        let answered = s.answer().is_some_and(|answer| holds(&answer.body, text));
        let sent = holds(&request.body, text) || request.target.contains(text);
        (sent && !s.is_safe()) || answered
    })
}

fn holds(bytes: &[u8], text: &str) -> bool {
    String::from_utf8_lossy(bytes).contains(text)
}

/// What was tried belongs in a journal.
fn is_journal(step: &Shown<'_>) -> bool {
    const JOURNALS: [&str; 12] = [
        "audit",
        "audits",
        "log",
        "logs",
        "history",
        "event",
        "events",
        "activity",
        "activities",
        "attempts",
        "errors",
        "requests",
    ];
    let label = words(&step.operation.label);
    label.iter().any(|word| JOURNALS.contains(&word.as_str()))
}

/// The same look before and after a write, with no other write between.
fn pairs<'s, 'a>(
    scene: &'s Scene<'a>,
    write: &'s Shown<'a>,
) -> impl Iterator<Item = (&'s Shown<'a>, &'s Shown<'a>)> {
    let good = |s: &&Shown<'a>| s.is_read() && s.succeeded();
    scene.after(write.at).filter(good).filter_map(move |after| {
        let same = |s: &&Shown<'a>| {
            let (a, b) = (&s.exchange.request, &after.exchange.request);
            a.target == b.target && a.body == b.body && a.method == b.method
        };
        let before = scene.before(write.at).filter(good).find(same)?;
        (!others_write(scene, before, write, after)).then_some((before, after))
    })
}

/// Another thing that the episode made itself: nobody else touches it.
fn another(oracle: &Oracle, scene: &Scene<'_>, write: &Shown<'_>) -> Option<Finding> {
    pairs(scene, write).find_map(|(before, after)| {
        let own = after.thing().filter(|thing| is_own(scene, before, thing))?;
        if write.thing().is_some_and(|thing| thing.is(&own)) {
            return None;
        }
        let (old, new) = (unwrapped(before.body()?), unwrapped(after.body()?));
        let place = difference(&plain(old), &plain(new)).or_else(|| hangs_on(old, new))?;
        let title = format!(
            "{} changed {place} of {} although it answered {}",
            write.verb(),
            after.operation.label,
            write.reply()
        );
        let finding = told(oracle, [before, write, after], place);
        Some(Finding { title, ..finding }.marked(format!("failed write {}", after.operation.label)))
    })
}

/// A count of what hangs on a thing, or a list of it, that has changed. Only the episode itself hangs
/// something on what it made; how often a thing was looked at may well change.
fn hangs_on(old: &Value, new: &Value) -> Option<String> {
    let (old, new) = (old.as_object()?, new.as_object()?);
    let both = old
        .iter()
        .filter_map(|(name, a)| Some((name, a, new.get(name)?)));
    let changed = |(name, a, b): &(&String, &Value, &Value)| match (a, b) {
        (Value::Array(a), Value::Array(b)) => a.len() != b.len(),
        (Value::Number(a), Value::Number(b)) => counts_things(name) && a != b,
        _ => false,
    };
    let mut both = both.filter(|(name, ..)| !is_of_use(name));
    both.find(changed).map(|(name, ..)| format!("/{name}"))
}

/// The plain fields of a thing: what is nested may be others'.
fn plain(thing: &Value) -> Value {
    let fields = thing.as_object().into_iter().flatten();
    let plain = fields.filter(|(_, value)| !value.is_object() && !value.is_array());
    plain
        .map(|(name, value)| (name.clone(), value.clone()))
        .collect()
}

/// A list under a thing that the episode made: a deletion that was refused must not have emptied
/// it.
fn below(oracle: &Oracle, scene: &Scene<'_>, write: &Shown<'_>) -> Option<Finding> {
    let thing = write.thing().filter(|_| write.deed() == Deed::Delete)?;
    let under = |s: &Shown<'_>| {
        let rest = s.path().strip_prefix(write.path());
        write.root().is_none() && rest.is_some_and(|rest| rest.starts_with('/'))
    };
    pairs(scene, write).find_map(|(before, after)| {
        creation_of(scene, before.at, &thing).filter(|_| under(after) && !is_journal(after))?;
        let (old, new) = (items(before.json()?)?.len(), items(after.json()?)?.len());
        if new >= old {
            return None;
        }
        let title = format!(
            "{} took {} of {old} from {} although it answered {}",
            write.verb(),
            old - new,
            after.operation.label,
            write.reply()
        );
        let finding = told(oracle, [before, write, after], String::new());
        Some(Finding { title, ..finding }.marked(format!("failed write {}", after.operation.label)))
    })
}

/// Whether a call before made the thing.
fn is_own(scene: &Scene<'_>, look: &Shown<'_>, thing: &Thing<'_>) -> bool {
    let item = matches!(thing, Thing::Keyed(..)) || look.operation.path.ends_with_hole();
    item && creation_of(scene, look.at, thing).is_some()
}

/// The call that made a thing, before some place of the episode.
pub(super) fn creation_of<'s, 'a>(
    scene: &'s Scene<'a>,
    until: usize,
    thing: &Thing<'_>,
) -> Option<&'s Shown<'a>> {
    scene.before(until).find(|made| {
        let body = made.body().map(unwrapped).and_then(Value::as_object);
        let Some(body) = body.filter(|_| made.deed() == Deed::Create && made.is_done()) else {
            return false;
        };
        let has = |key: &str| {
            body.values()
                .any(|value| text(value).as_deref() == Some(key))
        };
        match thing {
            Thing::At(path) => {
                let (collection, key) = path.rsplit_once('/').unwrap_or_default();
                collection == made.path() && has(key)
            }
            Thing::Keyed(kind, _) => {
                let same = made.root().is_some_and(|root| root.thing == Some(*kind));
                same && thing.key().is_some_and(has)
            }
        }
    })
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
