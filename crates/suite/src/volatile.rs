//! Which parts of an answer change from run to run, and in what way.
//!
//! The same test was run a few times; its answers are laid on top of each other. What differs is
//! told with the kind of its change, and only its type is promised later. Some things would
//! differ tomorrow although they did not within a second: times and generated identifiers are
//! known by their look, unless the test sent them itself.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{JsonKind, Key};

/// In what way something changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Change {
    Time,
    Identifier,
    /// The same items of a list in another order.
    Order,
    /// It grows, or a list has more or fewer items.
    Counter,
    Random,
}

/// A part of an answer that changes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Volatile {
    pub path: Vec<Key>,
    pub change: Change,
    /// What it is each time, where it is of one kind.
    pub kind: Option<JsonKind>,
}

/// Everything in bodies of several runs that changes; `sent` holds texts that the test sent.
pub(crate) fn volatile(bodies: &[&Value], sent: &BTreeSet<String>) -> Vec<Volatile> {
    let mut walk = Walk {
        sent,
        found: Vec::new(),
    };
    walk.look(bodies, &mut Vec::new());
    walk.found
}

/// Lists of things that are not all the test's own: how many there are depends on what others
/// made, however steady it looks. `own` tells whether a scalar is one that the test knows.
pub(crate) fn foreign_lists(body: &Value, own: &dyn Fn(&Value) -> bool) -> Vec<Volatile> {
    let mut found = Vec::new();
    look_for_foreign(body, own, &mut Vec::new(), &mut found);
    found
}

fn look_for_foreign(
    value: &Value,
    own: &dyn Fn(&Value) -> bool,
    path: &mut Vec<Key>,
    found: &mut Vec<Volatile>,
) {
    match value {
        _ if path.len() >= DEEPEST => {}
        Value::Array(items)
            if items
                .iter()
                .any(|item| item.is_object() && !holds(item, own)) =>
        {
            found.push(Volatile {
                path: path.clone(),
                change: Change::Counter,
                kind: Some(JsonKind::Array),
            });
        }
        // What a service complains of is about this very call.
        Value::Object(map) => {
            for (key, inner) in map.iter().filter(|(key, _)| *key != "errors") {
                path.push(Key::Name(key.clone()));
                look_for_foreign(inner, own, path, found);
                path.pop();
            }
        }
        _ => {}
    }
}

/// Whether a value is one that the test knows, or has one in it.
fn holds(value: &Value, own: &dyn Fn(&Value) -> bool) -> bool {
    let mut open = vec![value];
    while let Some(value) = open.pop() {
        match value {
            Value::Object(map) => open.extend(map.values()),
            Value::Array(items) => open.extend(items),
            scalar if own(scalar) => return true,
            _ => {}
        }
    }
    false
}

struct Walk<'s> {
    sent: &'s BTreeSet<String>,
    found: Vec<Volatile>,
}

/// Answers nested deeper than this are not looked into; nothing is asserted there either.
const DEEPEST: usize = 24;

impl Walk<'_> {
    fn look(&mut self, values: &[&Value], path: &mut Vec<Key>) {
        if path.len() >= DEEPEST {
            return;
        }
        let objects: Option<Vec<_>> = values.iter().map(|v| v.as_object()).collect();
        let lists: Option<Vec<_>> = values.iter().map(|v| v.as_array()).collect();
        match (objects, lists) {
            (Some(objects), _) => self.objects(&objects, path),
            (_, Some(lists)) => self.lists(&lists, path),
            _ => self.scalars(values, path),
        }
    }

    fn objects(&mut self, objects: &[&serde_json::Map<String, Value>], path: &mut Vec<Key>) {
        let keys: BTreeSet<&String> = objects.iter().flat_map(|map| map.keys()).collect();
        for key in keys {
            path.push(Key::Name(key.clone()));
            let values: Vec<&Value> = objects.iter().filter_map(|map| map.get(key)).collect();
            if values.len() == objects.len() {
                self.look(&values, path);
            } else {
                self.tell(path, Change::Random, None);
            }
            path.pop();
        }
    }

    fn lists(&mut self, lists: &[&Vec<Value>], path: &mut Vec<Key>) {
        let size = lists.first().map_or(0, |list| list.len());
        if lists.iter().any(|list| list.len() != size) {
            return self.tell(path, Change::Counter, Some(JsonKind::Array));
        }
        let differ = lists.windows(2).any(|pair| pair[0] != pair[1]);
        if differ && lists.windows(2).all(|pair| same_items(pair[0], pair[1])) {
            return self.tell(path, Change::Order, Some(JsonKind::Array));
        }
        for at in 0..size {
            path.push(Key::Index(at));
            let items: Vec<&Value> = lists.iter().map(|list| &list[at]).collect();
            self.look(&items, path);
            path.pop();
        }
    }

    fn scalars(&mut self, values: &[&Value], path: &[Key]) {
        let Some(first) = values.first() else { return };
        if values.iter().all(|value| value == first) {
            if let Some(change) = self.by_look(first) {
                self.tell(path, change, Some(JsonKind::of(first)));
            }
            return;
        }
        self.tell(path, change_of(values, path), kind_of(values));
    }

    /// What would change tomorrow, known by its look.
    fn by_look(&self, value: &Value) -> Option<Change> {
        let text = value.as_str().filter(|text| !self.sent.contains(*text))?;
        if is_time(text) {
            return Some(Change::Time);
        }
        is_generated(text).then_some(Change::Identifier)
    }

    fn tell(&mut self, path: &[Key], change: Change, kind: Option<JsonKind>) {
        self.found.push(Volatile {
            path: path.to_vec(),
            change,
            kind,
        });
    }
}

fn same_items(one: &[Value], other: &[Value]) -> bool {
    let texts = |list: &[Value]| {
        let mut texts: Vec<String> = list.iter().map(Value::to_string).collect();
        texts.sort();
        texts
    };
    texts(one) == texts(other)
}

fn change_of(values: &[&Value], path: &[Key]) -> Change {
    let texts: Option<Vec<&str>> = values.iter().map(|value| value.as_str()).collect();
    if let Some(texts) = texts {
        if texts.iter().all(|text| is_time(text)) {
            return Change::Time;
        }
        if texts.iter().all(|text| is_generated(text)) || is_called_id(path) {
            return Change::Identifier;
        }
        return Change::Random;
    }
    let numbers: Option<Vec<f64>> = values.iter().map(|value| value.as_f64()).collect();
    match numbers {
        Some(_) if is_called_id(path) => Change::Identifier,
        Some(numbers) if numbers.windows(2).all(|pair| pair[0] <= pair[1]) => Change::Counter,
        _ => Change::Random,
    }
}

/// The kind that all values have; an integer is a number too.
fn kind_of(values: &[&Value]) -> Option<JsonKind> {
    let mut kinds = values.iter().map(|value| JsonKind::of(value));
    let first = kinds.next()?;
    kinds.try_fold(first, |known, kind| match (known, kind) {
        _ if known == kind => Some(known),
        (JsonKind::Integer, JsonKind::Number) | (JsonKind::Number, JsonKind::Integer) => {
            Some(JsonKind::Number)
        }
        _ => None,
    })
}

/// Whether the last name on the way is that of an identifier: `id`, `projectId`, `owner_id`.
fn is_called_id(path: &[Key]) -> bool {
    let name = path.iter().rev().find_map(Key::name);
    name.is_some_and(|name| {
        let lower = name.to_ascii_lowercase();
        lower == "id" || name.ends_with("Id") || name.ends_with("ID") || lower.ends_with("_id")
    })
}

/// `2026-03-01`, `2026-03-01T10:00:00Z`, `2026-03-01 10:00:00`, `Sun, 01 Mar 2026 10:00:00 GMT`.
fn is_time(text: &str) -> bool {
    let shape: String = text
        .chars()
        .take(40)
        .map(|c| if c.is_ascii_digit() { '0' } else { c })
        .collect();
    let tail = shape.strip_prefix("0000-00-00");
    tail.is_some_and(|tail| {
        tail.is_empty() || tail.starts_with("T00:00") || tail.starts_with(" 00:00")
    }) || (shape.ends_with(" GMT") && shape.contains("00:00:00"))
}

/// A UUID, or a long text of hexadecimal digits.
fn is_generated(text: &str) -> bool {
    let hex = |c: char| c.is_ascii_hexdigit();
    let groups: Vec<usize> = text.split('-').map(str::len).collect();
    let digits = text.chars().any(|c| c.is_ascii_digit());
    (groups == [8, 4, 4, 4, 12] && text.chars().all(|c| c == '-' || hex(c)))
        || (text.len() >= 16 && digits && text.chars().all(hex))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn found(bodies: &[Value]) -> Vec<(String, Change)> {
        let bodies: Vec<&Value> = bodies.iter().collect();
        volatile(&bodies, &BTreeSet::new())
            .into_iter()
            .map(|v| (format!("{:?}", v.path), v.change))
            .collect()
    }

    fn only(bodies: &[Value]) -> Change {
        let found = found(bodies);
        assert_eq!(found.len(), 1, "{found:?}");
        found[0].1
    }

    #[test]
    fn a_growing_number_is_a_counter_unless_it_is_called_an_id() {
        let body = |name: &str, n: i32| json!({ name: n });
        assert_eq!(only(&[body("total", 1), body("total", 4)]), Change::Counter);
        for name in ["id", "projectId", "owner_id"] {
            assert_eq!(only(&[body(name, 1), body(name, 4)]), Change::Identifier);
        }
        assert_eq!(only(&[body("n", 4), body("n", 1)]), Change::Random);
    }

    #[test]
    fn times_and_generated_identifiers_are_known_by_their_look() {
        let same = |text: &str| [json!({ "a": text }), json!({ "a": text })];
        assert_eq!(only(&same("2026-03-01T10:00:00.123+00:00")), Change::Time);
        assert_eq!(only(&same("2026-03-01")), Change::Time);
        assert_eq!(only(&same("Sun, 01 Mar 2026 10:00:00 GMT")), Change::Time);
        let uuid = "123e4567-e89b-12d3-a456-426614174000";
        assert_eq!(only(&same(uuid)), Change::Identifier);
        assert_eq!(only(&same("65f0c1a2b3c4d5e6f7a8b9c0")), Change::Identifier);
        assert!(found(&same("deadbeef")).is_empty());
        assert!(found(&same("2026-03-01x")).is_empty());
    }

    #[test]
    fn what_the_test_sent_is_what_it_expects() {
        let body = json!({"due": "2026-03-01"});
        let sent = BTreeSet::from(["2026-03-01".to_owned()]);
        assert!(volatile(&[&body, &body], &sent).is_empty());
    }

    #[test]
    fn items_in_another_order_are_told_as_one_list() {
        let found = found(&[json!({"a": [1, 2]}), json!({"a": [2, 1]})]);
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].1, Change::Order);
    }

    #[test]
    fn a_list_of_things_that_others_made_is_never_counted() {
        let body = json!({"items": [{"id": 1}, {"id": 2}], "tags": ["x"], "errors": [{"a": 0}]});
        let paths = |own: &dyn Fn(&Value) -> bool| -> Vec<Vec<Key>> {
            let found = foreign_lists(&body, own).into_iter();
            found.map(|list| list.path).collect()
        };
        assert_eq!(paths(&|value| *value == json!(1)), [[Key::from("items")]]);
        assert!(paths(&Value::is_number).is_empty());
    }

    #[test]
    fn a_property_that_comes_and_goes_has_no_kind() {
        let (one, other) = (json!({"a": 1, "b": 1}), json!({"a": 1}));
        let told = volatile(&[&one, &other], &BTreeSet::new());
        assert_eq!(told.len(), 1);
        assert_eq!((told[0].change, told[0].kind), (Change::Random, None));
    }

    #[test]
    fn an_integer_that_becomes_a_fraction_is_a_number() {
        let (one, other) = (json!(1), json!(1.5));
        let told = volatile(&[&one, &other], &BTreeSet::new());
        assert_eq!(told[0].kind, Some(JsonKind::Number));
    }
}
