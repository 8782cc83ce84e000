//! Which parts of an answer change from run to run, and in what way.
//!
//! The same test was run a few times; its answers are laid on top of each other. What differs is
//! told with the kind of its change, and only its type is promised later. Some things would
//! differ tomorrow although they did not within a second: times and generated identifiers are
//! known by their look, unless the test sent them itself; and a list that others write to as well
//! has more items as soon as they do.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::own::{Own, is_id, lists};
use crate::{JsonKind, Key};

/// In what way something changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Change {
    Time,
    Identifier,
    /// The same items of a list in another order.
    Order,
    /// It grows, or a list has more or fewer items, or would if others wrote.
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

/// Everything in bodies of several runs that changes, or that others may change.
pub(crate) fn volatile(bodies: &[&Value], own: &Own) -> Vec<Volatile> {
    let mut walk = Walk {
        own,
        found: Vec::new(),
    };
    walk.look(bodies, &mut Vec::new(), Whose::Unknown);
    walk.found
}

/// Who puts something into the lists below a place.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Whose {
    /// Its lists may be anybody's.
    Unknown,
    /// It is a thing of the test.
    Test,
    /// It tells of a list that others fill: `pageInfo`.
    Page,
    /// What a service complains of is about this very call.
    Call,
}

struct Walk<'s> {
    own: &'s Own,
    found: Vec<Volatile>,
}

/// Whether an object has nothing that it is known by: it is no thing of its own.
fn is_nameless(value: &Value) -> bool {
    let fields = value.as_object();
    fields.is_some_and(|fields| !fields.keys().any(|name| is_id(name)))
}

/// Answers nested deeper than this are not looked into; nothing is asserted there either.
const DEEPEST: usize = 24;

impl Walk<'_> {
    fn look(&mut self, values: &[&Value], path: &mut Vec<Key>, whose: Whose) {
        if path.len() >= DEEPEST {
            return;
        }
        let objects: Option<Vec<_>> = values.iter().map(|v| v.as_object()).collect();
        match (objects, lists(values)) {
            (Some(objects), _) => self.objects(&objects, path, whose),
            (_, Some(lists)) => self.lists(&lists, path, whose),
            _ => self.scalars(values, path),
        }
    }

    fn objects(&mut self, objects: &[&Map<String, Value>], path: &mut Vec<Key>, whose: Whose) {
        let whose = match whose {
            Whose::Unknown | Whose::Page if self.own.is_thing(objects) => Whose::Test,
            whose => whose,
        };
        let keys: BTreeSet<&String> = objects.iter().flat_map(|map| map.keys()).collect();
        let beside = whose == Whose::Page || self.has_shared_list(objects, whose);
        for key in keys {
            path.push(Key::Name(key.clone()));
            let values: Vec<&Value> = objects.iter().filter_map(|map| map.get(key)).collect();
            let kind = kind_of(&values).filter(|kind| *kind == JsonKind::Integer);
            let count =
                kind.filter(|_| beside || (whose == Whose::Unknown && self.own.is_count(key)));
            if count.is_some() {
                // `total`, `count`, `pages`: how much there is of what others fill.
                self.tell(path, Change::Counter, count);
            } else if beside && values.iter().all(|v| v.is_string() || v.is_null()) {
                // `nextCursor`, `next`: where it goes on.
                self.tell(path, Change::Random, None);
            } else if beside && values.iter().all(|v| v.is_boolean()) {
                // `hasMore`: whether it goes on.
                self.tell(path, Change::Random, Some(JsonKind::Boolean));
            } else if values.len() == objects.len() {
                let whose = match whose {
                    _ if key == "errors" => Whose::Call,
                    _ if beside && values.iter().all(|v| is_nameless(v)) => Whose::Page,
                    whose => whose,
                };
                self.look(&values, path, whose);
            } else {
                self.tell(path, Change::Random, None);
            }
            path.pop();
        }
    }

    /// Whether a list that others may fill stands in an object.
    fn has_shared_list(&self, objects: &[&Map<String, Value>], whose: Whose) -> bool {
        let values = objects.first().into_iter().flat_map(|map| map.values());
        let mut lists = values.filter_map(Value::as_array);
        whose == Whose::Unknown && lists.any(|list| self.own.is_shared(list, false))
    }

    fn lists(&mut self, lists: &[&Vec<Value>], path: &mut Vec<Key>, whose: Whose) {
        if let Some(change) = self.change_of_lists(lists, whose) {
            self.tell(path, change, Some(JsonKind::Array));
            return self.named(lists, path);
        }
        for at in 0..lists.first().map_or(0, |list| list.len()) {
            path.push(Key::Index(at));
            let items: Vec<&Value> = lists.iter().map(|list| &list[at]).collect();
            self.look(&items, path, whose);
            path.pop();
        }
    }

    /// In what way a list changes from run to run, or will when others write.
    fn change_of_lists(&self, lists: &[&Vec<Value>], whose: Whose) -> Option<Change> {
        let first = lists.first()?;
        let inside = whose == Whose::Test;
        let shared = whose != Whose::Call && self.own.is_shared(first, inside);
        if shared || lists.iter().any(|list| list.len() != first.len()) {
            return Some(Change::Counter);
        }
        let differ = lists.windows(2).any(|pair| pair[0] != pair[1]);
        let only_order = lists.windows(2).all(|pair| same_items(pair[0], pair[1]));
        (differ && only_order).then_some(Change::Order)
    }

    /// The test's own items, each laid on itself wherever it stood.
    fn named(&mut self, lists: &[&Vec<Value>], path: &mut Vec<Key>) {
        for named in self.own.items(lists) {
            path.push(Key::Item(named.key));
            self.look(&named.items, path, Whose::Test);
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
        let text = value
            .as_str()
            .filter(|text| !self.own.sent.contains(*text))?;
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

/// Whether the last name on the way is that of an identifier.
fn is_called_id(path: &[Key]) -> bool {
    let name = path.iter().rev().find_map(Key::name);
    name.is_some_and(is_id)
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

    /// What changes in answers about what the test asked for.
    fn seen(bodies: &[Value]) -> Vec<Volatile> {
        told(&Own::default().asked(), bodies)
    }

    fn told(own: &Own, bodies: &[Value]) -> Vec<Volatile> {
        let bodies: Vec<&Value> = bodies.iter().collect();
        volatile(&bodies, own)
    }

    fn found(bodies: &[Value]) -> Vec<(String, Change)> {
        seen(bodies)
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
        let own = Own {
            sent: BTreeSet::from(["2026-03-01".to_owned()]),
            ..Own::default()
        };
        assert!(told(&own, &[body.clone(), body]).is_empty());
    }

    #[test]
    fn items_in_another_order_are_told_as_one_list() {
        let found = found(&[json!({"a": [1, 2]}), json!({"a": [2, 1]})]);
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].1, Change::Order);
    }

    fn paths(found: &[Volatile]) -> Vec<String> {
        let path = |found: &Volatile| serde_json::to_string(&found.path).expect("JSON");
        found.iter().map(path).collect()
    }

    #[test]
    fn a_list_of_things_that_others_made_is_never_counted() {
        let body = [json!({"items": [{"id": 1}, {"id": 2}], "tags": ["x"], "errors": [{"a": 0}]})];
        let own = |ids: &[(&str, &[Value])]| Own::of(ids).asked();
        let one = own(&[("one", &[json!(1)])]);
        assert_eq!(paths(&told(&one, &body)), [r#"["items"]"#]);
        let both = own(&[("one", &[json!(1)]), ("two", &[json!(2)])]);
        assert!(told(&both, &body).is_empty());
    }

    #[test]
    fn whether_there_are_more_is_a_matter_of_what_others_made() {
        let page = json!({"edges": [{"node": {"id": 1}}], "pageInfo": {"hasNextPage": true, "endCursor": null}});
        let own = Own::of(&[("id", &[json!(9)])]).asked();
        let found = paths(&told(&own, &[page]));
        let page_info = |path: &String| path.contains("pageInfo");
        assert_eq!(
            found.iter().filter(|path| page_info(path)).count(),
            2,
            "{found:?}"
        );
        let flat = json!({"items": [{"id": 1}], "hasMore": false});
        assert!(paths(&told(&own, &[flat])).contains(&r#"["hasMore"]"#.to_owned()));
    }

    #[test]
    fn a_list_that_anybody_may_write_to_is_never_counted() {
        let body = [json!({"items": [], "errors": []})];
        assert_eq!(paths(&told(&Own::default(), &body)), [r#"["items"]"#]);
        assert!(seen(&body).is_empty());
        let new = |id: u8| json!({"id": id, "wishes": []});
        assert_eq!(
            paths(&told(&Own::default(), &[new(1), new(2)])),
            [r#"["id"]"#]
        );
    }

    #[test]
    fn an_item_of_the_test_is_laid_on_itself_wherever_it_stands() {
        let bodies = [
            json!([{"id": 7, "rev": 1, "n": "a"}, {"id": 1, "rev": 4, "n": "b"}]),
            json!([{"id": 1, "rev": 5, "n": "c"}, {"id": 9, "rev": 2, "n": "a"}]),
        ];
        let own = Own::of(&[("lot_id", &[json!(7), json!(9)])]);
        let item = r#"{"where":["id"],"is":"lot_id"}"#;
        assert_eq!(
            paths(&told(&own, &bodies)),
            [
                "[]".to_owned(),
                format!(r#"[{item},"id"]"#),
                format!(r#"[{item},"rev"]"#)
            ]
        );
    }

    #[test]
    fn a_property_that_comes_and_goes_has_no_kind() {
        let told = seen(&[json!({"a": 1, "b": 1}), json!({"a": 1})]);
        assert_eq!(told.len(), 1);
        assert_eq!((told[0].change, told[0].kind), (Change::Random, None));
    }

    #[test]
    fn an_integer_that_becomes_a_fraction_is_a_number() {
        let told = seen(&[json!(1), json!(1.5)]);
        assert_eq!(told[0].kind, Some(JsonKind::Number));
    }

    #[test]
    fn numbers_beside_a_list_that_others_fill_count_it() {
        let counted = |own: &Own, body: Value| -> Vec<Vec<Key>> {
            let found = told(own, &[body.clone(), body]).into_iter();
            let numbers = found.filter(|found| found.kind == Some(JsonKind::Integer));
            numbers.map(|found| found.path).collect()
        };
        let page = json!({"items": [{"id": 1}], "total": 3, "name": "all"});
        assert_eq!(counted(&Own::default(), page), [[Key::from("total")]]);
        let tagged = json!({"id": 7, "size": 3, "tags": ["a"]});
        let mine = Own::of(&[("id", &[json!(7), json!(7)])]).asked();
        assert!(counted(&mine, tagged).is_empty());
    }
}
