//! What a test expects of an answer: everything that was the same each time it was run.

use std::collections::BTreeMap;

use serde_json::Value;

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

/// Checks of a JSON body. `known` holds the values of the test's variables in the same run.
pub(crate) fn body(
    body: &Value,
    volatile: &[Volatile],
    known: &BTreeMap<String, Vec<Value>>,
    limits: Limits,
    bodies: &[&Value],
) -> Vec<Check> {
    let mut expect = Expect {
        volatile,
        known,
        limits,
        bodies,
        checks: Vec::new(),
    };
    expect.value(body, &mut Vec::new());
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
    /// The values of each variable, one for each run.
    known: &'e BTreeMap<String, Vec<Value>>,
    limits: Limits,
    bodies: &'e [&'e Value],
    checks: Vec<What>,
}

impl Expect<'_> {
    fn value(&mut self, value: &Value, path: &mut Vec<Key>) {
        if self.checks.len() >= self.limits.checks {
            return;
        }
        if let Some(variable) = self.variable(path) {
            return self.push(path, Is::Same(variable));
        }
        if let Some(found) = self.volatile.iter().find(|v| v.path == *path) {
            let kind = found.kind;
            let order = found.change == Change::Order;
            if let Some(kind) = kind {
                self.push(path, Is::Kind(kind));
            }
            if let (true, Value::Array(items)) = (order, value) {
                self.push(path, Is::Size(items.len()));
            }
            return;
        }
        match value {
            Value::Object(_) | Value::Array(_) if path.len() >= self.limits.depth => {
                self.push(path, Is::Kind(JsonKind::of(value)));
            }
            Value::Object(map) => self.object(map, path),
            Value::Array(items) => self.list(items, path),
            Value::String(text) if text.chars().count() > self.limits.text => {
                self.push(path, Is::Kind(JsonKind::String));
            }
            scalar => self.push(path, Is::Equal(scalar.clone())),
        }
    }

    fn object(&mut self, map: &serde_json::Map<String, Value>, path: &mut Vec<Key>) {
        if map.is_empty() || path.is_empty() {
            self.push(path, Is::Kind(JsonKind::Object));
        }
        for (key, value) in map {
            path.push(Key::Name(key.clone()));
            self.value(value, path);
            path.pop();
        }
    }

    fn list(&mut self, items: &[Value], path: &mut Vec<Key>) {
        self.push(path, Is::Size(items.len()));
        for (at, item) in items.iter().enumerate().take(self.limits.items) {
            path.push(Key::Index(at));
            self.value(item, path);
            path.pop();
        }
    }

    /// A variable that held this very value in every run, though it was another one each time.
    fn variable(&self, path: &[Key]) -> Option<String> {
        let values: Option<Vec<&Value>> = self.bodies.iter().map(|b| at(b, path)).collect();
        let values = values?;
        let is_same = |held: &Vec<Value>| {
            held.len() == values.len() && held.iter().zip(&values).all(|(one, other)| one == *other)
        };
        let scalar = values.iter().all(|v| !v.is_object() && !v.is_array());
        if !scalar {
            return None;
        }
        let fitting = self.known.iter().filter(|(_, held)| is_same(held));
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

/// What stands at a path of a body.
pub(crate) fn at<'v>(body: &'v Value, path: &[Key]) -> Option<&'v Value> {
    path.iter().try_fold(body, |value, key| match key {
        Key::Index(index) => value.as_array()?.get(*index),
        Key::Name(name) => value.as_object()?.get(name),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::volatile::volatile;
    use serde_json::json;
    use std::collections::BTreeSet;

    fn checks(bodies: &[Value], known: &[(&str, Vec<Value>)], limits: Limits) -> Vec<String> {
        let bodies: Vec<&Value> = bodies.iter().collect();
        let changing = volatile(&bodies, &BTreeSet::new());
        let known = known
            .iter()
            .map(|(name, held)| ((*name).to_owned(), held.clone()))
            .collect();
        body(bodies[0], &changing, &known, limits, &bodies)
            .into_iter()
            .map(|check| serde_json::to_string(&check.what).expect("a check can be written"))
            .collect()
    }

    #[test]
    fn what_stays_is_asserted_by_value_and_what_changes_by_kind() {
        let bodies = [json!({"id": 1, "name": "a"}), json!({"id": 2, "name": "a"})];
        let checks = checks(&bodies, &[], Limits::default());
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
        let known = [("user_id", vec![json!(1), json!(2)])];
        let checks = checks(&bodies, &known, Limits::default());
        assert!(
            checks.contains(&r#"{"at":{"path":["owner"],"is":{"same":"user_id"}}}"#.to_owned()),
            "{checks:?}"
        );
    }

    #[test]
    fn lists_are_asserted_by_size_and_first_items() {
        let bodies = [json!([1, 2, 3]), json!([1, 2, 3])];
        let checks = checks(&bodies, &[], Limits::default());
        assert_eq!(checks.len(), 3);
        assert!(checks[0].contains(r#""size":3"#));
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
        assert_eq!(checks(&[many.clone(), many], &[], limits).len(), 10);
        let deep = json!({"a": {"b": {"c": 1}}});
        let limits = Limits {
            depth: 2,
            ..Limits::default()
        };
        let shallow = checks(&[deep.clone(), deep], &[], limits);
        assert!(shallow.last().is_some_and(|last| last.contains("object")));
    }
}
