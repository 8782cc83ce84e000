//! What a call is about: the thing it works on, what it sent of it and what it showed of it.
//!
//! REST tells by method, path and body; GraphQL by what is known of the root field and by its
//! arguments. The oracles of state ask here and need not know which of the two they look at.

use fossick_contract::{Deed, Method, RootField, RootKind, TypeId};
use fossick_query::Pick;
use serde_json::{Map, Value};

use crate::compare::is_nothing;
use crate::graphql::inquiry::find;
use crate::names::words;
use crate::scene::Shown;

/// Which thing a call works on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Thing<'a> {
    /// What lives at a path.
    At(&'a str),
    /// A thing of a type, by the texts of its keys, outermost first.
    Keyed(TypeId, Vec<String>),
}

impl Thing<'_> {
    /// The same thing. One call may name parents that the other takes for granted.
    pub(crate) fn is(&self, other: &Thing<'_>) -> bool {
        match (self, other) {
            (Thing::Keyed(kind, keys), Thing::Keyed(other_kind, others)) => {
                let pairs = || keys.iter().rev().zip(others.iter().rev());
                kind == other_kind && pairs().count() > 0 && pairs().all(|(a, b)| a == b)
            }
            _ => self == other,
        }
    }

    /// The text of its own key, where it has one.
    pub(crate) fn key(&self) -> Option<&str> {
        match self {
            Thing::At(_) => None,
            Thing::Keyed(_, keys) => keys.last().map(String::as_str),
        }
    }
}

impl<'a> Shown<'a> {
    /// Set where it is a call of GraphQL.
    pub(crate) fn root(&self) -> Option<&'a RootField> {
        self.operation.graphql.as_deref()
    }

    pub(crate) fn deed(&self) -> Deed {
        match self.root() {
            Some(root) => root.deed,
            None => Deed::of(self.method()),
        }
    }

    /// Only looks. Of the methods that do, HTTP shows things with one alone.
    pub(crate) fn is_read(&self) -> bool {
        match self.root() {
            Some(root) => root.kind == RootKind::Query && root.deed == Deed::Read,
            None => self.method() == Method::Get,
        }
    }

    /// Changes nothing by the rules of its protocol.
    pub(crate) fn is_safe(&self) -> bool {
        match self.root() {
            Some(root) => root.kind == RootKind::Query,
            None => self.method().is_safe(),
        }
    }

    /// What it did is done: not accepted for later, and not denied in the answer itself.
    pub(crate) fn is_done(&self) -> bool {
        self.succeeded() && self.status() != 202 && !(self.root().is_some() && self.denies())
    }

    /// A success that says in its payload that there was none.
    fn denies(&self) -> bool {
        let flag = |payload: &Map<String, Value>| {
            ["success", "ok", "successful", "deleted"]
                .iter()
                .any(|name| payload.get(*name) == Some(&Value::Bool(false)))
        };
        let count = |payload: &Map<String, Value>| {
            ["affected_rows", "affectedRows", "affected", "count"]
                .iter()
                .any(|name| payload.get(*name).and_then(Value::as_u64) == Some(0))
        };
        match self.payload() {
            Some(Value::Bool(done)) => !done,
            Some(Value::Number(rows)) => rows.as_u64() == Some(0),
            Some(Value::Object(payload)) => flag(payload) || count(payload),
            _ => false,
        }
    }

    /// The key of `data` that a GraphQL call is about.
    pub(crate) fn key(&self) -> &'a str {
        let label = &self.operation.label;
        let name = || label.rsplit(' ').next().unwrap_or(label);
        self.call.graphql.as_deref().unwrap_or_else(name)
    }

    /// What GraphQL answered under the call's key.
    pub(crate) fn payload(&self) -> Option<&'a Value> {
        self.json()?.get("data")?.get(self.key())
    }

    pub(crate) fn arguments(&self) -> Map<String, Value> {
        self.inquiry
            .map(|inquiry| inquiry.arguments(self.key()))
            .unwrap_or_default()
    }

    /// Which thing it works on; nothing where it does not say so.
    pub(crate) fn thing(&self) -> Option<Thing<'a>> {
        let Some(root) = self.root() else {
            return Some(Thing::At(self.path()));
        };
        if root.keys.is_empty() || root.listed {
            return None;
        }
        let arguments = Value::Object(self.arguments());
        let keys = root.keys.iter().map(|key| text(arguments.pointer(key)?));
        Some(Thing::Keyed(root.thing?, keys.collect::<Option<_>>()?))
    }

    /// What was shown of the thing.
    pub(crate) fn body(&self) -> Option<&'a Value> {
        match self.root() {
            None => self.json(),
            Some(root) if root.listed => self.payload(),
            Some(_) => self.listed().into_iter().next(),
        }
    }

    /// The things that GraphQL answered with, connections and payloads taken off.
    pub(crate) fn listed(&self) -> Vec<&'a Value> {
        let (Some(root), Some(payload)) = (self.root(), self.payload()) else {
            return Vec::new();
        };
        let document = self.inquiry.and_then(|inquiry| inquiry.document.as_deref());
        let asked = document.and_then(|d| find(&d.picks, |asked| asked.key() == self.key(), 0));
        let mut things = Vec::new();
        down(
            payload,
            &root.way,
            asked.map(|asked| asked.picks.as_slice()),
            &mut things,
        );
        things
    }

    /// A success with nothing in it.
    pub(crate) fn shows_nothing(&self) -> bool {
        match self.root() {
            Some(_) => self.body().is_none_or(is_nothing),
            None => {
                self.answer().is_some_and(|answer| answer.body.is_empty())
                    || self.json().is_some_and(is_nothing)
            }
        }
    }

    /// A read of this very thing that succeeded.
    pub(crate) fn shows(&self, thing: &Thing<'_>) -> bool {
        self.is_read()
            && self.succeeded()
            && self.thing().is_some_and(|own| own.is(thing))
            && (self.root().is_none() || self.body().is_some())
    }

    /// The fields that were sent: a body, or arguments with the objects that wrap them taken off.
    pub(crate) fn sent(&self) -> Option<Value> {
        if self.root().is_none() {
            return serde_json::from_slice(&self.exchange.request.body).ok();
        }
        let mut fields = Map::new();
        flatten(self.arguments(), 0, &mut fields);
        Some(Value::Object(fields))
    }

    /// What people call the call: `PUT`, `mutation updateBook`.
    pub(crate) fn verb(&self) -> &'a str {
        match self.root() {
            Some(_) => &self.operation.label,
            None => self.method().as_str(),
        }
    }

    /// How it was answered: `204`, `success`.
    pub(crate) fn reply(&self) -> String {
        match self.root() {
            Some(_) if self.succeeded() => "success".to_owned(),
            Some(_) => "an error".to_owned(),
            None => self.status().to_string(),
        }
    }
}

/// Follows field names into an answer, through lists and under whatever keys they were asked for.
fn down<'a>(
    value: &'a Value,
    way: &[std::sync::Arc<str>],
    picks: Option<&[Pick]>,
    things: &mut Vec<&'a Value>,
) {
    match (value, way.split_first()) {
        (Value::Null, _) => {}
        (Value::Array(items), _) => {
            for item in items {
                down(item, way, picks, things);
            }
        }
        (value, None) => things.push(value),
        (value, Some((name, rest))) => {
            let named = |asked: &fossick_query::Asked| asked.name == **name;
            let asked = picks.and_then(|picks| find(picks, named, 0));
            let key = asked.map_or(&**name, |asked| asked.key());
            let below = asked.map(|asked| asked.picks.as_slice());
            if let Some(value) = value.get(key) {
                down(value, rest, below, things);
            }
        }
    }
}

/// Arguments such as `input`, `patch` and `data` are envelopes around the fields that count.
fn flatten(arguments: Map<String, Value>, depth: usize, fields: &mut Map<String, Value>) {
    const ENVELOPES: [&str; 12] = [
        "input",
        "patch",
        "data",
        "set",
        "values",
        "changes",
        "attributes",
        "fields",
        "payload",
        "body",
        "params",
        "update",
    ];
    const DEPTH: usize = 3;
    let objects = arguments.values().filter(|value| value.is_object()).count();
    for (name, value) in arguments {
        let words = words(&name);
        let is_named = words.iter().any(|word| ENVELOPES.contains(&word.as_str()));
        match value {
            Value::Object(inner) if depth < DEPTH && (is_named || (depth == 0 && objects == 1)) => {
                flatten(inner, depth + 1, fields);
            }
            value => {
                fields.insert(name, value);
            }
        }
    }
}

/// Identifiers come as texts and as numbers: `7` and `"7"` are the same.
pub(crate) fn text(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    }
}
