//! What a test expects of an answer: everything that was the same each time it was run.

use std::borrow::Cow;

use fossick_trace::leading_day;
use serde_json::{Map, Value};

use crate::own::{Own, lists};
use crate::steps::snake;
use crate::volatile::{Change, Volatile};
use crate::{Check, Is, JsonKind, Key, What};

/// How much of an answer is asserted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Checks of one body.
    pub checks: usize,
    /// Levels of nesting that are looked into.
    pub depth: usize,
    /// First items of a list that are looked into.
    pub items: usize,
    /// Characters of a text that is asserted by value.
    pub text: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            checks: 40,
            depth: 6,
            items: 2,
            text: 200,
        }
    }
}

/// Checks of a JSON body, of which each run has one.
pub(crate) fn body(
    bodies: &[&Value],
    volatile: &[Volatile],
    own: &Own,
    limits: Limits,
) -> Vec<Check> {
    let mut expect = Expect {
        volatile,
        own,
        limits,
        checks: Vec::new(),
    };
    expect.value(bodies, &mut Vec::new());
    expect
        .checks
        .into_iter()
        .map(|what| Check {
            what,
            suspect: false,
        })
        .collect()
}

struct Expect<'e> {
    volatile: &'e [Volatile],
    own: &'e Own,
    limits: Limits,
    checks: Vec<What>,
}

impl Expect<'_> {
    /// What stands at a place, in every run.
    fn value(&mut self, values: &[&Value], path: &mut Vec<Key>) {
        let Some(value) = values.first().filter(|_| self.has_room()) else {
            return;
        };
        if let Some(variable) = self.variable(values, path) {
            return self.push(path, Is::Same(variable));
        }
        if let Some(found) = self.volatile.iter().find(|v| v.path == *path) {
            return self.changing(found, values, path);
        }
        match value {
            Value::Object(_) | Value::Array(_) if path.len() >= self.limits.depth => {
                self.push(path, Is::Kind(JsonKind::of(value)));
            }
            Value::Object(map) => self.object(map, values, path),
            Value::Array(items) => self.list(items.len(), values, path),
            Value::String(text) if text.chars().count() > self.limits.text || is_dump(text) => {
                self.push(path, Is::Kind(JsonKind::String));
            }
            scalar if self.is_the_services_moment(scalar, path) => {
                self.push(path, Is::Kind(JsonKind::of(scalar)));
            }
            scalar => self.push(path, Is::Equal((*scalar).clone())),
        }
    }

    /// Whether a value says when something came to be, and the test did not say so: what is there
    /// from the start may be made anew whenever the service is.
    fn is_the_services_moment(&self, value: &Value, path: &[Key]) -> bool {
        const WORDS: [&str; 9] = [
            "created",
            "updated",
            "modified",
            "changed",
            "started",
            "timestamp",
            "time",
            "at",
            "since",
        ];
        let named = path.iter().rev().find_map(Key::name).map(snake);
        let says = named.is_some_and(|name| name.split('_').any(|word| WORDS.contains(&word)));
        let text = match value {
            Value::String(text) => Cow::Borrowed(text.as_str()),
            Value::Number(number) => Cow::Owned(number.to_string()),
            _ => return false,
        };
        says && is_moment(&text) && !self.own.sent.contains(&*text)
    }

    fn has_room(&self) -> bool {
        self.checks.len() < self.limits.checks
    }

    /// Its kind, the size of a list in another order, and the test's own items of any list.
    fn changing(&mut self, found: &Volatile, values: &[&Value], path: &mut Vec<Key>) {
        if let Some(kind) = found.kind {
            self.push(path, Is::Kind(kind));
        }
        let Some(lists) = lists(values).filter(|_| path.len() < self.limits.depth) else {
            return;
        };
        if found.change == Change::Order {
            self.push(path, Is::Size(lists[0].len()));
        }
        self.own_items(values, path);
    }

    fn object(&mut self, map: &Map<String, Value>, values: &[&Value], path: &mut Vec<Key>) {
        if map.is_empty() || path.is_empty() {
            self.push(path, Is::Kind(JsonKind::Object));
        }
        for key in map.keys() {
            path.push(Key::Name(key.clone()));
            let inner: Option<Vec<&Value>> = values.iter().map(|value| value.get(key)).collect();
            // What comes and goes is nothing to hold on to.
            if let Some(inner) = inner {
                self.value(&inner, path);
            }
            path.pop();
        }
    }

    fn list(&mut self, size: usize, values: &[&Value], path: &mut Vec<Key>) {
        self.push(path, Is::Size(size));
        if self.is_a_set(values) {
            return self.own_items(values, path);
        }
        for at in 0..size.min(self.limits.items) {
            path.push(Key::Index(at));
            let items: Option<Vec<&Value>> = values.iter().map(|value| value.get(at)).collect();
            self.value(&items.unwrap_or_default(), path);
            path.pop();
        }
    }

    /// Whether texts of the test stand in a list among others: which comes first may be a matter of
    /// how they are called, or of nothing at all.
    fn is_a_set(&self, values: &[&Value]) -> bool {
        let Some(first) = values.first().and_then(|value| value.as_array()) else {
            return false;
        };
        let texts: Option<Vec<&str>> = first.iter().map(Value::as_str).collect();
        let is_own = |text: &&&str| self.own.sent.contains(**text);
        texts.is_some_and(|texts| {
            let own = texts.iter().filter(is_own).count();
            (1..texts.len()).contains(&own)
        })
    }

    /// The test's own items of a list, wherever they stand.
    fn own_items(&mut self, values: &[&Value], path: &mut Vec<Key>) {
        let lists = lists(values).unwrap_or_default();
        for named in self.own.items(&lists).into_iter().take(self.limits.items) {
            path.push(Key::Item(named.key));
            self.value(&named.items, path);
            path.pop();
        }
    }

    /// A variable that held this very value in every run, though it was another one each time.
    fn variable(&self, values: &[&Value], path: &[Key]) -> Option<String> {
        let is_same = |held: &Vec<Value>| {
            held.len() == values.len() && held.iter().zip(values).all(|(one, other)| one == *other)
        };
        let scalar = values.iter().all(|v| !v.is_object() && !v.is_array());
        if !scalar {
            return None;
        }
        let fitting = self.own.known.iter().filter(|(_, held)| is_same(held));
        let name = path.iter().rev().find_map(Key::name).unwrap_or("");
        let alike = |(known, _): &(&String, _)| {
            let named = snake(name);
            (**known == named, known.ends_with(&named))
        };
        // Where several fit, names decide; the first of equals, so that texts stay the same.
        let best = fitting.rev().max_by_key(alike);
        best.map(|(name, _)| name.clone())
    }

    fn push(&mut self, path: &[Key], is: Is) {
        self.checks.push(What::At {
            path: path.to_vec(),
            is,
        });
    }
}

/// A day with a time, or seconds or milliseconds since 1970 of this century.
fn is_moment(text: &str) -> bool {
    let number = |digits: &str| text.len() == digits.len() && text.starts_with('1');
    let digits = text.bytes().all(|b| b.is_ascii_digit());
    let counted = digits && (number("1700000000") || number("1700000000000"));
    counted || (leading_day(text).is_some() && text.len() > "2024-01-01T".len())
}

/// Whether a text shows a value as programs print theirs: the order of what is in it is a matter of
/// chance in some languages.
fn is_dump(text: &str) -> bool {
    let Some((_, inner)) = text.split_once('{') else {
        return false;
    };
    let (inner, _) = inner.rsplit_once('}').unwrap_or((inner, ""));
    inner.contains(", ") && inner.contains(": ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::volatile::volatile;
    use serde_json::json;

    fn checks(bodies: &[Value], own: &Own, limits: Limits) -> Vec<String> {
        let bodies: Vec<&Value> = bodies.iter().collect();
        body(&bodies, &volatile(&bodies, own), own, limits)
            .into_iter()
            .map(|check| serde_json::to_string(&check.what).expect("a check can be written"))
            .collect()
    }

    /// Of a test that asks for its own.
    fn asked() -> Own {
        Own::default().asked()
    }

    #[test]
    fn what_stays_is_asserted_by_value_and_what_changes_by_kind() {
        let bodies = [json!({"id": 1, "name": "a"}), json!({"id": 2, "name": "a"})];
        let checks = checks(&bodies, &asked(), Limits::default());
        assert_eq!(
            checks,
            [
                r#"{"at":{"path":[],"is":{"kind":"object"}}}"#,
                r#"{"at":{"path":["id"],"is":{"kind":"integer"}}}"#,
                r#"{"at":{"path":["name"],"is":{"equal":"a"}}}"#,
            ]
        );
    }

    #[test]
    fn a_value_that_follows_a_variable_is_held_against_it() {
        let bodies = [json!({"owner": 1}), json!({"owner": 2})];
        let own = Own::of(&[("user_id", &[json!(1), json!(2)])]);
        let checks = checks(&bodies, &own, Limits::default());
        assert!(
            checks.contains(&r#"{"at":{"path":["owner"],"is":{"same":"user_id"}}}"#.to_owned()),
            "{checks:?}"
        );
    }

    #[test]
    fn lists_are_asserted_by_size_and_first_items() {
        let bodies = [json!([1, 2, 3]), json!([1, 2, 3])];
        let checks = checks(&bodies, &asked(), Limits::default());
        assert_eq!(checks.len(), 3);
        assert!(checks[0].contains(r#""size":3"#));
    }

    #[test]
    fn in_a_list_that_others_fill_the_own_item_is_asserted() {
        let bodies = [
            json!({"lots": [{"id": 7, "n": "a"}, {"id": 1, "n": "b"}]}),
            json!({"lots": [{"id": 1, "n": "b"}, {"id": 9, "n": "a"}]}),
        ];
        let own = Own::of(&[("lot_id", &[json!(7), json!(9)])]);
        let item = r#""lots",{"where":["id"],"is":"lot_id"}"#;
        assert_eq!(
            checks(&bodies, &own, Limits::default()),
            [
                r#"{"at":{"path":[],"is":{"kind":"object"}}}"#.to_owned(),
                r#"{"at":{"path":["lots"],"is":{"kind":"array"}}}"#.to_owned(),
                format!(r#"{{"at":{{"path":[{item},"id"],"is":{{"same":"lot_id"}}}}}}"#),
                format!(r#"{{"at":{{"path":[{item},"n"],"is":{{"equal":"a"}}}}}}"#),
            ]
        );
    }

    #[test]
    fn a_shared_list_without_an_own_item_is_only_a_list() {
        let bodies = [json!([{"id": 1}]), json!([{"id": 1}])];
        let only = [r#"{"at":{"path":[],"is":{"kind":"array"}}}"#];
        assert_eq!(checks(&bodies, &Own::default(), Limits::default()), only);
        let none = [json!([]), json!([])];
        assert_eq!(checks(&none, &Own::default(), Limits::default()), only);
        let size = [r#"{"at":{"path":[],"is":{"size":0}}}"#];
        assert_eq!(checks(&none, &asked(), Limits::default()), size);
    }

    #[test]
    fn a_list_in_another_order_shows_its_items_by_what_they_carry() {
        let bodies = [json!(["saw-1", "oak-2"]), json!(["oak-2", "saw-1"])];
        let name = [json!("saw-1"), json!("saw-1")];
        let checks = checks(
            &bodies,
            &Own::of(&[("name", &name)]).asked(),
            Limits::default(),
        );
        assert_eq!(checks.len(), 3, "{checks:?}");
        assert!(checks[1].contains(r#""size":2"#), "{checks:?}");
        let item = r#"{"at":{"path":[{"where":[],"is":"name"}],"is":{"same":"name"}}}"#;
        assert_eq!(checks[2], item);
    }

    #[test]
    fn a_list_of_texts_with_a_name_of_the_test_may_have_any_order() {
        let bodies = [json!(["admin", "saw-1"]), json!(["admin", "oak-2"])];
        let names = [json!("saw-1"), json!("oak-2")];
        let own = Own {
            sent: ["saw-1".to_owned()].into(),
            ..Own::of(&[("name", &names)]).asked()
        };
        let checks = checks(&bodies, &own, Limits::default());
        assert_eq!(checks.len(), 2, "{checks:?}");
        assert!(checks[0].contains(r#""size":2"#), "{checks:?}");
        let item = r#"{"at":{"path":[{"where":[],"is":"name"}],"is":{"same":"name"}}}"#;
        assert_eq!(checks[1], item);
    }

    #[test]
    fn when_the_service_made_something_is_not_expected() {
        let one = json!({
            "last_modified": 1_795_002_329_459_u64,
            "createdAt": "2026-11-18T10:00:00Z",
            "paidAt": "2026-11-18T11:00:00Z",
            "number": 1_795_002_329_459_u64,
        });
        let own = Own {
            sent: ["2026-11-18T11:00:00Z".to_owned()].into(),
            ..asked()
        };
        let told = checks(&[one.clone(), one], &own, Limits::default());
        let equal = told.iter().filter(|check| check.contains("equal")).count();
        assert_eq!(equal, 2, "{told:?}");
        assert!(
            told[1..]
                .iter()
                .any(|c| c.contains(r#"["createdAt"],"is":{"kind":"string"}"#))
        );
    }

    #[test]
    fn values_as_programs_print_them_are_not_expected() {
        let dump = r#"wrong length [{"min": Number(3), "value": String("")}]"#;
        let checks = |text: &str| {
            let body = json!({"message": text});
            checks(&[body.clone(), body], &asked(), Limits::default()).join(" ")
        };
        assert!(!checks(dump).contains("equal"));
        assert!(checks("no {such} tool, sorry").contains("equal"));
    }

    #[test]
    fn limits_hold() {
        let many: Value = (0..500)
            .map(|n| (n.to_string(), json!(n)))
            .collect::<serde_json::Map<_, _>>()
            .into();
        let limits = Limits {
            checks: 10,
            ..Limits::default()
        };
        assert_eq!(checks(&[many.clone(), many], &asked(), limits).len(), 10);
        let deep = json!({"a": {"b": {"c": 1}}});
        let limits = Limits {
            depth: 2,
            ..Limits::default()
        };
        let shallow = checks(&[deep.clone(), deep], &asked(), limits);
        assert!(shallow.last().is_some_and(|last| last.contains("object")));
    }
}
