//! What of an answer is the test's own.
//!
//! A list of a collection holds what everybody made: the test, those that run beside it, the users
//! of tomorrow. Its size and the place of an item say nothing, however steady they look today. An
//! item that carries a value which only this test has is found by that value instead, wherever it
//! stands.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value};

use crate::Item;
use crate::place::below;

/// What is known of the test when a step is answered.
#[derive(Debug, Default)]
pub(crate) struct Own {
    /// The values of each variable, one for each run.
    pub known: BTreeMap<String, Vec<Value>>,
    /// The variables whose values are of one thing that the test made.
    pub names: BTreeSet<String>,
    /// Values that tell the things which the test makes, this answer's included, one for each run.
    pub made: Vec<Vec<Value>>,
    /// Texts that the test sent so far, and numbers that few others would.
    pub sent: BTreeSet<String>,
    /// Lists of the request's body.
    pub lists: Vec<Value>,
    /// The request asks for what has a value of the test.
    pub asked: bool,
    /// It was refused: the answer is about the call, and about nobody's things.
    pub refused: bool,
}

/// An item of a list that can be named, as it was in each run.
pub(crate) struct Named<'v> {
    pub key: Item,
    /// Its place in the first run.
    pub at: usize,
    pub items: Vec<&'v Value>,
}

impl Own {
    /// Whether a name says how many there are of what anybody may add to.
    pub(crate) fn is_count(&self, name: &str) -> bool {
        let plain = name.to_lowercase();
        let says = ["count", "total"].iter().any(|word| plain.contains(word));
        says && !self.asked && !self.refused
    }

    /// Whether others may put something into a list, or have done so. `inside` tells that it
    /// stands in a thing of the test.
    pub(crate) fn is_shared(&self, list: &[Value], inside: bool) -> bool {
        if self.refused {
            return false;
        }
        let of_others = |item: &Value| item.is_object() && !self.holds_own(item, 0);
        list.iter().any(of_others) || !(self.asked || inside || self.is_sent(list))
    }

    fn is_sent(&self, list: &[Value]) -> bool {
        !list.is_empty()
            && self
                .lists
                .iter()
                .any(|sent| sent.as_array().is_some_and(|sent| sent == list))
    }

    /// Whether a value of a run is one that the test knows, or has one in it.
    pub(crate) fn holds_own(&self, value: &Value, run: usize) -> bool {
        let mut open = vec![value];
        while let Some(value) = open.pop() {
            match value {
                Value::Object(map) => open.extend(map.values()),
                Value::Array(items) => open.extend(items),
                scalar if self.is_known(scalar, run) => return true,
                _ => {}
            }
        }
        false
    }

    /// Whether a value is one that the test sent or was given: a long enough text or number, or a
    /// variable.
    fn is_known(&self, value: &Value, run: usize) -> bool {
        let was_sent = match value {
            Value::String(text) => text.len() >= TELLING && self.sent.contains(text),
            Value::Number(number) => self.sent.contains(&number.to_string()),
            _ => false,
        };
        was_sent || self.known.values().any(|held| held.get(run) == Some(value))
    }

    /// Whether an object is a thing of the test: it has a value that only this test has, or an
    /// identifier that was another one each time.
    pub(crate) fn is_thing(&self, runs: &[&Map<String, Value>]) -> bool {
        let Some(first) = runs.first() else {
            return false;
        };
        first.keys().any(|name| {
            let values: Option<Vec<&Value>> = runs.iter().map(|map| map.get(name)).collect();
            values.is_some_and(|values| self.names_thing(name, &values))
        })
    }

    fn names_thing(&self, name: &str, values: &[&Value]) -> bool {
        let is_made = |held: &Vec<Value>| held.iter().eq(values.iter().copied());
        let made = self.made.iter().any(is_made) && can_name(Some(name), values[0]);
        // A `requestId` is another one each time as well, and says nothing of what it stands by.
        made || name.eq_ignore_ascii_case("id") && values.len() > 1 && all_differ(values)
    }

    /// The items of a list that carry a value of the test which no other item carries, in every
    /// run; each once, in the order of the first run.
    pub(crate) fn items<'v>(&self, lists: &[&'v Vec<Value>]) -> Vec<Named<'v>> {
        let Some(first) = lists.first() else {
            return Vec::new();
        };
        let items = first.iter().enumerate().take(MOST);
        items
            .filter_map(|(at, item)| {
                let mut ways: Vec<Item> = self.ways(item);
                ways.sort_by_cached_key(rank);
                ways.into_iter().find_map(|key| {
                    let items = self.in_every_run(&key, lists)?;
                    Some(Named { key, at, items })
                })
            })
            .collect()
    }

    /// Ways to name an item: places in it that have the value of a variable.
    fn ways(&self, item: &Value) -> Vec<Item> {
        let mut places = Vec::new();
        scalars(item, &mut Vec::new(), &mut places);
        let mut ways = Vec::new();
        for (at, value) in places {
            let names = self.names.iter().filter(|name| {
                let held = self.known.get(*name).and_then(|held| held.first());
                held == Some(value)
            });
            let fit = can_name(at.last().map(String::as_str), value);
            ways.extend(names.filter(|_| fit).map(|name| Item {
                at: at.clone(),
                is: name.clone(),
            }));
        }
        ways
    }

    fn in_every_run<'v>(&self, key: &Item, lists: &[&'v Vec<Value>]) -> Option<Vec<&'v Value>> {
        let held = self.known.get(&key.is)?;
        let runs = lists.iter().enumerate();
        runs.map(|(run, list)| only(list, &key.at, held.get(run)?))
            .collect()
    }
}

/// So many first items of a list are looked at.
const MOST: usize = 200;

/// Deeper nobody looks for what names an item: `node.id` is two.
const DEEPEST: usize = 3;

/// Shorter texts are what anybody may send.
const TELLING: usize = 4;

/// The one item that has a value at a place.
fn only<'v>(list: &'v [Value], names: &[String], value: &Value) -> Option<&'v Value> {
    let mut fitting = list.iter().filter(|item| below(item, names) == Some(value));
    let item = fitting.next()?;
    fitting.next().is_none().then_some(item)
}

fn scalars<'v>(
    value: &'v Value,
    path: &mut Vec<String>,
    found: &mut Vec<(Vec<String>, &'v Value)>,
) {
    match value {
        Value::Object(map) if path.len() < DEEPEST => {
            for (name, inner) in map {
                path.push(name.clone());
                scalars(inner, path, found);
                path.pop();
            }
        }
        Value::String(_) | Value::Number(_) => found.push((path.clone(), value)),
        _ => {}
    }
}

/// Whether a value under a name tells one thing from others. It is plain, so that it can stand in
/// the queries of every framework.
fn can_name(name: Option<&str>, value: &Value) -> bool {
    let is_id = name.is_some_and(is_id);
    match value {
        Value::String(text) => {
            (is_id && !text.is_empty() || text.len() >= TELLING) && is_plain(text)
        }
        Value::Number(number) => is_id && !number.is_f64(),
        _ => false,
    }
}

fn is_plain(text: &str) -> bool {
    text.chars()
        .all(|c| !c.is_control() && !"'\"\\{}".contains(c))
}

/// The shortest way to what is called `id` comes first, then to another identifier, then any.
fn rank(way: &Item) -> (u8, usize, String) {
    let name = way.at.last().map_or("", String::as_str);
    let kind = match name {
        _ if name.eq_ignore_ascii_case("id") => 0,
        _ if is_id(name) => 1,
        _ => 2,
    };
    (kind, way.at.len(), way.is.clone())
}

fn all_differ(values: &[&Value]) -> bool {
    let texts: BTreeSet<String> = values.iter().map(ToString::to_string).collect();
    texts.len() == values.len()
}

/// Whether a name is that of an identifier: `id`, `projectId`, `owner_id`.
pub(crate) fn is_id(name: &str) -> bool {
    let lower = name.to_ascii_lowercase();
    lower == "id" || name.ends_with("Id") || name.ends_with("ID") || lower.ends_with("_id")
}

/// The lists that all values are.
pub(crate) fn lists<'v>(values: &[&'v Value]) -> Option<Vec<&'v Vec<Value>>> {
    values.iter().map(|value| value.as_array()).collect()
}

#[cfg(test)]
impl Own {
    /// Of a test with variables that name things of it, with their values in each run.
    pub(crate) fn of(known: &[(&str, &[Value])]) -> Self {
        let pairs = known.iter();
        Self {
            known: pairs
                .map(|(name, held)| ((*name).to_owned(), held.to_vec()))
                .collect(),
            names: known.iter().map(|(name, _)| (*name).to_owned()).collect(),
            ..Self::default()
        }
    }

    /// The request asks for what has a value of the test.
    pub(crate) fn asked(self) -> Self {
        Self {
            asked: true,
            ..self
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    /// The names of a list's items, with the place of each in the first run.
    fn named(own: &Own, runs: &[Value]) -> Vec<(usize, String)> {
        let runs: Vec<&Value> = runs.iter().collect();
        let lists = lists(&runs).expect("lists");
        let items = own.items(&lists).into_iter();
        items
            .map(|named| {
                (
                    named.at,
                    format!("{}={}", named.key.at.join("."), named.key.is),
                )
            })
            .collect()
    }

    fn lot_id() -> Own {
        Own::of(&[("lot_id", &[json!(7), json!(9)])])
    }

    #[test]
    fn an_item_is_named_by_the_identifier_that_it_carries_in_every_run() {
        let runs = [
            json!([{"node": {"id": 1}}, {"node": {"id": 7}}]),
            json!([{"node": {"id": 9}}, {"node": {"id": 7}}, {"node": {"id": 8}}]),
        ];
        assert_eq!(named(&lot_id(), &runs), [(1, "node.id=lot_id".to_owned())]);
    }

    #[test]
    fn an_item_that_is_not_there_each_time_or_not_alone_has_no_name() {
        let gone = [json!([{"id": 7}]), json!([{"id": 7}])];
        let twice = [json!([{"id": 7}, {"id": 7}]), json!([{"id": 9}])];
        for runs in [gone, twice] {
            assert_eq!(named(&lot_id(), &runs), []);
        }
    }

    #[test]
    fn a_number_names_an_item_only_as_an_identifier() {
        let runs = [json!([{"n": 7}]), json!([{"n": 9}])];
        assert_eq!(named(&lot_id(), &runs), []);
        let runs = [json!([{"lotId": 7}]), json!([{"lotId": 9}])];
        assert_eq!(named(&lot_id(), &runs), [(0, "lotId=lot_id".to_owned())]);
    }

    #[test]
    fn identifiers_come_before_names_and_names_must_be_long_and_plain() {
        let facts = |name: &str| Own::of(&[("id", &[json!("a1")]), ("name", &[json!(name)])]);
        let both = json!([{"name": "saw-1", "id": "a1"}]);
        assert_eq!(named(&facts("saw-1"), &[both]), [(0, "id=id".to_owned())]);
        let alone = json!([{"name": "saw-1"}]);
        assert_eq!(
            named(&facts("saw-1"), &[alone]),
            [(0, "name=name".to_owned())]
        );
        assert_eq!(named(&facts("saw"), &[json!([{"name": "saw"}])]), []);
        assert_eq!(
            named(&facts("o'saw-1"), &[json!([{"name": "o'saw-1"}])]),
            []
        );
        assert_eq!(
            named(&facts("saw-1"), &[json!(["saw-1"])]),
            [(0, "=name".to_owned())]
        );
    }

    #[test]
    fn a_list_is_shared_unless_the_request_asks_for_the_tests_own() {
        let mine = [json!({"id": 7})];
        assert!(lot_id().is_shared(&mine, false));
        assert!(lot_id().is_shared(&[], false));
        assert!(!lot_id().asked().is_shared(&mine, false));
        assert!(!lot_id().asked().is_shared(&[], false));
        assert!(!lot_id().is_shared(&mine, true));
    }

    #[test]
    fn a_list_with_somebody_elses_thing_is_shared_whatever_was_asked() {
        let with_theirs = [json!({"id": 7}), json!({"id": 1})];
        assert!(lot_id().asked().is_shared(&with_theirs, true));
        assert!(!lot_id().asked().is_shared(&[json!("x")], false));
    }

    #[test]
    fn what_the_request_sent_as_a_list_comes_back_as_the_tests_own() {
        let own = Own {
            lists: vec![json!([1, 2]), json!([])],
            ..Own::default()
        };
        assert!(!own.is_shared(&[json!(1), json!(2)], false));
        assert!(own.is_shared(&[json!(1)], false));
        assert!(own.is_shared(&[], false));
    }

    #[test]
    fn a_refusal_shares_nothing() {
        let own = Own {
            refused: true,
            ..Own::default()
        };
        assert!(!own.is_shared(&[json!({"field": "name"})], false));
    }

    #[test]
    fn a_thing_of_the_test_has_a_new_identifier_each_time_or_one_that_it_knows() {
        let is_thing = |own: &Own, runs: &[Value]| {
            let runs: Vec<_> = runs.iter().filter_map(Value::as_object).collect();
            own.is_thing(&runs)
        };
        let own = Own::default();
        assert!(is_thing(&own, &[json!({"id": 1}), json!({"id": 2})]));
        assert!(!is_thing(&own, &[json!({"id": 1}), json!({"id": 1})]));
        assert!(!is_thing(&own, &[json!({"n": 1}), json!({"n": 2})]));
        let asked = [json!({"requestId": 1}), json!({"requestId": 2})];
        assert!(!is_thing(&own, &asked));
        assert!(!is_thing(&own, &[json!({"id": 1})]));
        let made = vec![vec![json!("saw-1"), json!("saw-1")]];
        let own = Own { made, ..own };
        assert!(is_thing(
            &own,
            &[json!({"name": "saw-1"}), json!({"name": "saw-1"})]
        ));
    }
}
