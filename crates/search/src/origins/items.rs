//! The things that an answer shows, and what they are known by.

use std::cell::RefCell;
use std::collections::{HashMap, HashSet};
use std::fmt::Write as _;

use fossick_graph::Words;
use fossick_trace::{Answer, Episode, Finding, Location};
use serde_json::Value;

/// Scalars of one answer that are looked at.
const MOST_SCALARS: usize = 400;
const DEPTH: usize = 6;

/// The identifiers of the items of a list in which a fault lies, or of those that a list shows
/// wrongly.
pub(super) fn faulty_items(episode: &Episode, finding: &Finding) -> Vec<String> {
    let answer = episode.answer(finding.call);
    let Some((answer, body)) = answer.and_then(|answer| Some((answer, answer.json()?))) else {
        return Vec::new();
    };
    match &finding.location {
        Location::Body { path, .. } => items_at(body, path, finding),
        Location::List => misplaced(body, finding.evidence.got.as_ref()),
        Location::Message | Location::Outcome => failed_items(answer, body),
        _ => Vec::new(),
    }
}

pub(super) fn items_at(body: &Value, path: &str, finding: &Finding) -> Vec<String> {
    let Some((list, below)) = path.split_once("/*") else {
        return Vec::new();
    };
    let items = body.pointer(list).and_then(Value::as_array);
    let got = finding.evidence.got.as_ref();
    let is_faulty = |item: &&Value| {
        let named = below.is_empty() && got.is_some_and(|got| has_field(item, got));
        below.contains('*') || named || item.pointer(below) == got
    };
    let Some(items) = items else {
        return Vec::new();
    };
    let names = identities(items);
    let faulty = items.iter().filter(is_faulty);
    let known = faulty.flat_map(|item| identifiers(item, &names));
    known.take(MOST_SHOWN).collect()
}

/// Identifiers that are looked at of one answer.
pub(super) const MOST_SHOWN: usize = 1_000;

/// What a finding says of a list: the identifiers themselves, or a value that items have.
pub(super) fn misplaced(body: &Value, got: Option<&Value>) -> Vec<String> {
    match got {
        Some(Value::Array(ids)) => ids.iter().filter_map(text).take(MOST_SHOWN).collect(),
        Some(value) => {
            let has = |item: &&Value| has_field(item, value);
            let Some(items) = first_list(body, 0) else {
                return Vec::new();
            };
            let names = identities(items);
            let faulty = items.iter().filter(has);
            let known = faulty.flat_map(|item| identifiers(item, &names));
            known.take(MOST_SHOWN).collect()
        }
        None => Vec::new(),
    }
}

pub(super) fn has_field(item: &Value, value: &Value) -> bool {
    let fields = thing(item).as_object().into_iter().flatten();
    fields.into_iter().any(|(_, field)| field == value)
}

/// The items of lists that errors of GraphQL lead to, as far as their data is there.
pub(super) fn failed_items(answer: &Answer, body: &Value) -> Vec<String> {
    let Some(data) = body.get("data") else {
        return Vec::new();
    };
    let mut found = Vec::new();
    for path in answer.error_paths() {
        let mut at = data;
        for key in path {
            let next = match key {
                Value::String(name) => at.get(name.as_str()),
                Value::Number(index) => at.get(index.as_u64().unwrap_or(u64::MAX) as usize),
                _ => None,
            };
            let Some(next) = next.filter(|next| !next.is_null()) else {
                break;
            };
            at = next;
            if key.is_number() {
                found.extend(identifiers(at, &[]));
            }
        }
    }
    found.truncate(MOST_SHOWN);
    found
}

/// The first list of objects in an answer.
pub(super) fn first_list(body: &Value, depth: usize) -> Option<&Vec<Value>> {
    match body {
        Value::Array(items) if items.first().is_some_and(Value::is_object) => Some(items),
        Value::Object(map) if depth < DEPTH => {
            map.values().find_map(|inner| first_list(inner, depth + 1))
        }
        _ => None,
    }
}

/// What the items of all lists of an answer are known by.
pub(super) fn named_in_lists(body: &Value, depth: usize) -> Vec<String> {
    match body {
        _ if depth > DEPTH => Vec::new(),
        Value::Array(items) => {
            let own = items.iter().flat_map(|item| identifiers(item, &[]));
            let below = items
                .iter()
                .flat_map(|item| named_in_lists(item, depth + 1));
            own.chain(below).take(MOST_SHOWN).collect()
        }
        Value::Object(map) => {
            let below = map
                .values()
                .flat_map(|inner| named_in_lists(inner, depth + 1));
            below.take(MOST_SHOWN).collect()
        }
        _ => Vec::new(),
    }
}

/// Fields that tell the items of a list apart: those that are called so, or else texts of which
/// each item has another one. In a short list any text may look like that.
pub(super) fn identities(items: &[Value]) -> Vec<String> {
    const ENOUGH: usize = 4;
    let Some(first) = items.first().map(thing).and_then(Value::as_object) else {
        return Vec::new();
    };
    let named: Vec<String> = first
        .keys()
        .filter(|n| is_called_a_key(n))
        .cloned()
        .collect();
    if !named.is_empty() || items.len() < ENOUGH {
        return named;
    }
    let differ = |name: &&String| {
        let values = items.iter().map(|item| thing(item).get(*name)?.as_str());
        let values: Option<HashSet<&str>> = values.collect();
        values.is_some_and(|values| values.len() == items.len())
    };
    first.keys().filter(differ).cloned().collect()
}

thread_local! {
    /// Names of fields are few, and each is asked for with every answer.
    static CALLED_KEYS: RefCell<HashMap<String, bool>> = RefCell::default();
}
/// A service that answers with ever new names fills no memory.
pub(super) const MOST_NAMES: usize = 4_096;

/// Whether things are known by what has this name: `id`, `projectCode`, `sku`.
pub(super) fn is_called_a_key(name: &str) -> bool {
    CALLED_KEYS.with_borrow_mut(|known| {
        if let Some(known) = known.get(name) {
            return *known;
        }
        let is_key = reads_as_a_key(name);
        if known.len() < MOST_NAMES {
            known.insert(name.to_owned(), is_key);
        }
        is_key
    })
}

pub(super) fn reads_as_a_key(name: &str) -> bool {
    const MORE: [&str; 3] = ["code", "sku", "number"];
    let words = Words::of(name);
    words.is_identifier() || words.last().is_some_and(|word| MORE.contains(&word))
}

/// What an item of a list is about; GraphQL puts it on an edge.
pub(super) fn thing(item: &Value) -> &Value {
    item.get("node").unwrap_or(item)
}

/// The item of a list that has a text or number of its own.
pub(super) fn known_by<'v>(body: &'v Value, name: &str) -> Option<&'v Value> {
    let has = |item: &&Value| {
        let fields = thing(item).as_object().into_iter().flatten();
        fields
            .into_iter()
            .any(|(_, value)| text(value).as_deref() == Some(name))
    };
    first_list(body, 0)?.iter().find(has)
}

/// What an item is known by: its identifiers, and whatever else tells it apart.
pub(super) fn identifiers(item: &Value, names: &[String]) -> Vec<String> {
    let fields = thing(item).as_object().into_iter().flatten();
    fields
        .filter(|(name, _)| is_called_a_key(name) || names.contains(name))
        .filter_map(|(_, value)| text(value))
        .collect()
}

/// A scalar of an answer.
pub(super) struct Scalar {
    pub(super) pointer: String,
    pub(super) text: String,
    pub(super) is_identifier: bool,
    pub(super) is_number: bool,
}

impl Scalar {
    /// Whether it may single out a thing: small numbers are everywhere.
    pub(super) fn tells(&self) -> bool {
        const TELLING: usize = 2;
        self.is_identifier || (!self.is_number && self.text.len() >= TELLING)
    }
}

/// Every scalar in an answer, as far as one looks.
pub(super) fn scalars(answer: &Answer) -> Vec<Scalar> {
    scalars_where(answer, |_, _| true)
}

/// The scalars in an answer that are wanted, by whether they are called an identifier and by what
/// they are. Most of a large answer is looked at and left.
pub(super) fn scalars_where(answer: &Answer, wants: impl Fn(bool, &Value) -> bool) -> Vec<Scalar> {
    let mut looked = Looked {
        pointer: String::new(),
        left: MOST_SCALARS,
        wants,
        found: Vec::new(),
    };
    if let Some(body) = answer.json() {
        looked.collect(body, false, 0);
    }
    looked.found
}

/// A walk through an answer.
struct Looked<W> {
    /// Where it is.
    pointer: String,
    left: usize,
    wants: W,
    found: Vec<Scalar>,
}

impl<W: Fn(bool, &Value) -> bool> Looked<W> {
    fn collect(&mut self, value: &Value, named: bool, depth: usize) {
        if depth > DEPTH || self.left == 0 {
            return;
        }
        let above = self.pointer.len();
        match value {
            Value::Object(map) => {
                for (key, inner) in map {
                    self.pointer.push('/');
                    self.pointer.push_str(&fossick_contract::escape_token(key));
                    self.collect(inner, is_called_a_key(key), depth + 1);
                    self.pointer.truncate(above);
                }
            }
            Value::Array(items) => {
                for (at, inner) in items.iter().enumerate() {
                    // Writing to a text does not fail.
                    let _ = write!(self.pointer, "/{at}");
                    self.collect(inner, named, depth + 1);
                    self.pointer.truncate(above);
                }
            }
            scalar => self.look(scalar, named),
        }
    }

    fn look(&mut self, scalar: &Value, named: bool) {
        if !scalar.is_string() && !scalar.is_number() {
            return;
        }
        self.left -= 1;
        if !(self.wants)(named, scalar) {
            return;
        }
        self.found.extend(text(scalar).map(|text| Scalar {
            pointer: self.pointer.clone(),
            text,
            is_identifier: named,
            is_number: scalar.is_number(),
        }));
    }
}

/// Identifiers come as texts and as numbers.
pub(super) fn text(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    }
}
