//! A look at a list: what was asked of it, and what it showed.

use std::collections::{BTreeMap, HashSet};

use fossick_contract::{Knob, Operation, plain_name};
use percent_encoding::percent_decode_str;
use serde_json::{Map, Value};

use crate::compare::items;
use crate::names::words;
use crate::scene::{Scene, Shown};
use crate::thing::text;

/// Names of what things are known by, the surest first.
const IDENTITIES: [&str; 8] = ["id", "_id", "uuid", "guid", "key", "code", "slug", "sku"];

pub(crate) struct Look<'s, 'a> {
    pub(crate) step: &'s Shown<'a>,
    /// Everything that was said of the list, by name.
    pub(crate) asked: BTreeMap<String, Value>,
    pub(crate) items: Vec<&'a Value>,
    /// What each item is known by.
    pub(crate) ids: Vec<String>,
}

/// Whether there may be two looks to be held against each other.
pub(crate) fn may_compare(scene: &Scene<'_>) -> bool {
    scene.steps.len() > 1
}

/// Every list that was shown whole or in part, in the order of the episode.
pub(crate) fn looks<'s, 'a>(scene: &'s Scene<'a>) -> Vec<Look<'s, 'a>> {
    scene.steps.iter().filter_map(look).collect()
}

fn look<'s, 'a>(step: &'s Shown<'a>) -> Option<Look<'s, 'a>> {
    let plain = step.is_read() && step.succeeded() && step.call.intent.is_valid();
    if !plain || step.operation.path.ends_with_hole() {
        return None;
    }
    let items = listed(step)?;
    let ids = identities(&items)?;
    Some(Look {
        step,
        asked: asked(step),
        items,
        ids,
    })
}

fn listed<'a>(step: &Shown<'a>) -> Option<Vec<&'a Value>> {
    let Some(root) = step.root() else {
        return Some(items(step.json()?)?.iter().collect());
    };
    let list = asked_list(step.payload()?, &root.way).filter(|_| root.listed)?;
    let things = step.listed();
    // The cursors of edges may be asked for without their nodes.
    (list.is_empty() || !things.is_empty()).then_some(things)
}

/// The list itself, where GraphQL was asked for it: its length alone may be asked for.
fn asked_list<'a>(value: &'a Value, way: &[std::sync::Arc<str>]) -> Option<&'a Vec<Value>> {
    match (value, way.split_first()) {
        (Value::Array(items), _) => Some(items),
        (value, Some((name, rest))) => asked_list(value.get(&**name)?, rest),
        _ => None,
    }
}

/// What each item is known by: nothing where some lack it or share it.
fn identities(items: &[&Value]) -> Option<Vec<String>> {
    IDENTITIES.iter().find_map(|name| {
        let ids: Option<Vec<String>> = items.iter().map(|item| text(item.get(name)?)).collect();
        let differ = |ids: &Vec<String>| ids.iter().collect::<HashSet<_>>().len() == ids.len();
        ids.filter(differ)
    })
}

/// Query and arguments alike. What is nested stands under its own name.
fn asked(step: &Shown<'_>) -> BTreeMap<String, Value> {
    let mut asked = BTreeMap::new();
    if step.root().is_some() {
        flatten(step.arguments(), 0, &mut asked);
        return asked;
    }
    for pair in step.query().split('&').filter(|pair| !pair.is_empty()) {
        let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
        let plain = value.replace('+', " ");
        let value = percent_decode_str(&plain).decode_utf8_lossy().into_owned();
        asked.insert(name.to_owned(), Value::String(value));
    }
    asked
}

fn flatten(arguments: Map<String, Value>, depth: usize, asked: &mut BTreeMap<String, Value>) {
    const DEPTH: usize = 3;
    for (name, value) in arguments {
        match value {
            Value::Null => {}
            Value::Object(inner) if depth < DEPTH => flatten(inner, depth + 1, asked),
            value => {
                asked.insert(name, value);
            }
        }
    }
}

impl<'a> Look<'_, 'a> {
    /// The value that turns a knob.
    pub(crate) fn knob(&self, knob: Knob) -> Option<&Value> {
        let mut asked = self.asked.iter();
        let (_, value) = asked.find(|(name, _)| Knob::of(name) == Some(knob))?;
        Some(value)
    }

    pub(crate) fn number(&self, knob: Knob) -> Option<usize> {
        let value = self.knob(knob)?;
        text(value)?.parse().ok()
    }

    /// What was asked, without the knobs that some relation is about.
    pub(crate) fn apart_from(&self, out: impl Fn(Knob) -> bool) -> BTreeMap<&str, &Value> {
        let stays = |name: &&String| Knob::of(name).is_none_or(|knob| !out(knob));
        let asked = self.asked.iter().filter(|(name, _)| stays(name));
        asked.map(|(name, value)| (name.as_str(), value)).collect()
    }

    /// The same list by operation, place and user; what was asked of it may differ.
    pub(crate) fn is_of(&self, other: &Look<'_, '_>) -> bool {
        let same_place = self.step.root().is_some() || self.step.path() == other.step.path();
        let user = |look: &Look<'_, '_>| look.step.call.user.clone();
        self.step.operation.label == other.step.operation.label
            && same_place
            && user(self) == user(other)
    }

    /// The same list, with nothing else different than some knobs.
    pub(crate) fn matches(
        &self,
        other: &Look<'_, '_>,
        but_for: impl Fn(Knob) -> bool + Copy,
    ) -> bool {
        self.is_of(other) && self.apart_from(but_for) == other.apart_from(but_for)
    }

    /// It begins where the list begins, as far as its numbers tell: some count pages from zero.
    pub(crate) fn is_from_start(&self) -> bool {
        self.knob(Knob::Cursor).is_none()
            && self.number(Knob::Offset).unwrap_or(0) == 0
            && self.number(Knob::Page).unwrap_or(1) <= 1
    }

    /// Everything that there is, as far as one can tell.
    pub(crate) fn is_whole(&self) -> bool {
        self.has_room() && !self.is_round()
    }

    /// A round number may be a limit that the service does not tell.
    pub(crate) fn is_round(&self) -> bool {
        const SHORT: usize = 10;
        let shown = self.items.len();
        shown >= SHORT && shown.is_multiple_of(5)
    }

    /// There are fewer items than there was room for, and nothing says that more follow.
    pub(crate) fn has_room(&self) -> bool {
        let shown = self.items.len();
        let room = match self.number(Knob::Size) {
            Some(size) => shown < size,
            None => !is_paged(self.step.operation) || shown < 5,
        };
        self.knob(Knob::Page).is_none() && self.is_from_start() && room && !self.points_on()
    }

    /// Whether the answer says that more follows. What it counts is not asked here.
    fn points_on(&self) -> bool {
        let linked = self.step.answer().and_then(|answer| answer.header("link"));
        let linked = linked.is_some_and(|link| link.contains("next"));
        linked || self.beside().is_some_and(|body| says_next(body, 0))
    }

    /// The object that the list stands in.
    pub(crate) fn beside(&self) -> Option<&'a Map<String, Value>> {
        let body = match self.step.root() {
            Some(_) => self.step.payload()?,
            None => self.step.json()?,
        };
        body.as_object()
    }
}

fn says_next(map: &Map<String, Value>, depth: usize) -> bool {
    map.iter().any(|(name, value)| {
        let words = words(name);
        let says = |list: &[&str]| words.iter().any(|w| list.contains(&w.as_str()));
        match value {
            Value::Bool(flag) => *flag && says(&["more", "next"]),
            Value::String(text) => !text.is_empty() && says(&["next"]),
            Value::Number(_) => says(&["next"]),
            Value::Object(inner) => says(&["next"]) || (depth == 0 && says_next(inner, depth + 1)),
            _ => false,
        }
    })
}

/// Whether an operation takes anything that cuts its list.
fn is_paged(operation: &Operation) -> bool {
    let cuts = |name: &str| Knob::of(name).is_some_and(Knob::cuts);
    let parameters = operation.parameters.iter().any(|p| cuts(&p.name));
    // Arguments of GraphQL are not looked through: a short list is believed, a longer one is not.
    parameters || operation.graphql.is_some()
}

/// Two looks that ask the same with the third in between: if they show the same, nobody changed
/// the list meanwhile. Writes of the episode itself in between do not count as nobody.
pub(crate) fn framed<'l, 's, 'a>(
    scene: &Scene<'a>,
    looks: &'l [Look<'s, 'a>],
    inner: &[&Look<'s, 'a>],
    fits: impl Fn(&Look<'s, 'a>) -> bool,
) -> Option<(&'l Look<'s, 'a>, &'l Look<'s, 'a>)> {
    let first = inner.iter().map(|look| look.step.at).min()?;
    let last = inner.iter().map(|look| look.step.at).max()?;
    let before = looks
        .iter()
        .rev()
        .find(|look| look.step.at < first && fits(look))?;
    let same = |look: &&Look<'s, 'a>| look.step.at > last && before.matches(look, |_| false);
    let after = looks.iter().find(same)?;
    let within = before.step.at..after.step.at;
    let wrote = |s: &&Shown<'_>| within.contains(&s.at) && !s.is_safe();
    scene
        .steps
        .iter()
        .find(wrote)
        .is_none()
        .then_some((before, after))
}

/// Items that two equal looks both show, in the order of the first.
pub(crate) fn lasting<'l>(before: &'l Look<'_, '_>, after: &Look<'_, '_>) -> Vec<&'l str> {
    let stayed = before.ids.iter().filter(|id| after.ids.contains(id));
    stayed.map(String::as_str).collect()
}

/// A field of an item by a name in any spelling.
pub(crate) fn field<'v>(item: &'v Value, name: &str) -> Option<(&'v str, &'v Value)> {
    let wanted = plain_name(name);
    let mut fields = item.as_object()?.iter();
    let (name, value) = fields.find(|(name, _)| plain_name(name) == wanted)?;
    Some((name, value))
}

/// A few of them, for people.
pub(crate) fn some(ids: &[&str]) -> String {
    const SHOWN: usize = 3;
    let shown: Vec<&str> = ids.iter().take(SHOWN).copied().collect();
    let more = ids.len().saturating_sub(SHOWN);
    match more {
        0 => shown.join(", "),
        more => format!("{} and {more} more", shown.join(", ")),
    }
}
