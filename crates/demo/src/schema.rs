//! Checks what callers send against a schema of the document and names every rule that it breaks.
//!
//! Knows the keywords that the document uses and no others; a test holds the document to that.
//! References are followed as they come: the document is ours and has no cycles.

use std::fmt;

use serde_json::{Map, Value};

use crate::formats;

/// One rule that a value breaks.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Problem {
    /// JSON pointer into the value; for a missing property, where it should be.
    pub(crate) at: String,
    /// The keyword of the rule.
    pub(crate) rule: &'static str,
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let at = if self.at.is_empty() { "it" } else { &self.at };
        write!(f, "{at} breaks `{}`", self.rule)
    }
}

#[derive(Debug, Clone, Copy)]
pub(crate) struct Checker<'a> {
    pub(crate) root: &'a Value,
}

type Rule = (&'static str, fn(&Value, &Value) -> bool);

/// Rules that look at one value alone: keyword, and whether a value meets the demand. Each holds
/// for every value of a kind that it is not about.
const RULES: [Rule; 11] = [
    ("type", has_type),
    ("enum", |demand, value| {
        list(demand).iter().any(|one| one == value)
    }),
    ("minimum", |demand, value| {
        both(demand, value, |d, v| v >= d)
    }),
    ("maximum", |demand, value| {
        both(demand, value, |d, v| v <= d)
    }),
    ("minLength", |demand, value| {
        length(value).is_none_or(|n| n >= count(demand))
    }),
    ("maxLength", |demand, value| {
        length(value).is_none_or(|n| n <= count(demand))
    }),
    ("pattern", |demand, value| {
        texts(demand, value, |d, v| formats::matches(d, v) != Some(false))
    }),
    ("format", has_format),
    ("maxItems", |demand, value| {
        list(value).len() <= count(demand)
    }),
    ("uniqueItems", |_, value| all_differ(list(value))),
    ("minProperties", |demand, value| {
        value.as_object().is_none_or(|o| o.len() >= count(demand))
    }),
];

impl<'a> Checker<'a> {
    pub(crate) fn problems(self, schema: &'a Value, value: &Value) -> Vec<Problem> {
        let mut found = Vec::new();
        self.check(schema, value, "", &mut found);
        found
    }

    fn check(self, schema: &'a Value, value: &Value, at: &str, found: &mut Vec<Problem>) {
        let schema = resolve(self.root, schema);
        for (rule, holds) in RULES {
            if schema.get(rule).is_some_and(|demand| !holds(demand, value)) {
                found.push(problem(at, rule));
            }
        }
        match value {
            Value::Object(object) => self.check_object(schema, object, at, found),
            Value::Array(items) => self.check_items(schema, items, at, found),
            _ => {}
        }
    }

    fn check_object(
        self,
        schema: &'a Value,
        object: &Map<String, Value>,
        at: &str,
        found: &mut Vec<Problem>,
    ) {
        for name in required(schema) {
            if !object.contains_key(name) && !self.excused(schema, name) {
                found.push(problem(&format!("{at}/{name}"), "required"));
            }
        }
        for (name, value) in object {
            let at = format!("{at}/{name}");
            match property(schema, name) {
                Some(schema) => self.check(schema, value, &at, found),
                None if closed(schema) => found.push(problem(&at, "additionalProperties")),
                None => {}
            }
        }
    }

    fn check_items(self, schema: &'a Value, items: &[Value], at: &str, found: &mut Vec<Problem>) {
        let Some(schema) = schema.get("items") else {
            return;
        };
        for (index, item) in items.iter().enumerate() {
            self.check(schema, item, &format!("{at}/{index}"), found);
        }
    }

    /// What is read-only need not be sent, required or not.
    fn excused(self, schema: &'a Value, name: &str) -> bool {
        property(schema, name)
            .and_then(|property| resolve(self.root, property).get("readOnly"))
            .is_some_and(|flag| flag == true)
    }
}

/// Follows references from one part of the document to another.
pub(crate) fn resolve<'a>(root: &'a Value, mut part: &'a Value) -> &'a Value {
    while let Some(target) = part.get("$ref").and_then(Value::as_str) {
        part = root
            .pointer(target.trim_start_matches('#'))
            .expect("the document's references lead somewhere");
    }
    part
}

/// Whether a number is whole. `3.0` is: JSON does not tell it from `3`.
fn is_whole(value: &Value) -> bool {
    value.is_i64() || value.is_u64() || value.as_f64().is_some_and(|n| n.fract() == 0.0)
}

fn has_type(demand: &Value, value: &Value) -> bool {
    match demand {
        Value::Array(any) => any.iter().any(|one| has_type(one, value)),
        one => match one.as_str().unwrap_or_default() {
            "object" => value.is_object(),
            "array" => value.is_array(),
            "string" => value.is_string(),
            "boolean" => value.is_boolean(),
            "null" => value.is_null(),
            "number" => value.is_number(),
            _ => is_whole(value),
        },
    }
}

fn has_format(demand: &Value, value: &Value) -> bool {
    const LONG: std::ops::Range<f64> = -9_223_372_036_854_775_808.0..9_223_372_036_854_775_808.0;
    match value.as_f64() {
        Some(number) => demand != "int64" || value.is_i64() || LONG.contains(&number),
        None => texts(demand, value, formats::has_format),
    }
}

fn all_differ(items: &[Value]) -> bool {
    let mut rest = items;
    while let Some((first, others)) = rest.split_first() {
        if others.contains(first) {
            return false;
        }
        rest = others;
    }
    true
}

fn both(demand: &Value, value: &Value, holds: fn(f64, f64) -> bool) -> bool {
    match (demand.as_f64(), value.as_f64()) {
        (Some(demand), Some(value)) => holds(demand, value),
        _ => true,
    }
}

fn texts(demand: &Value, value: &Value, holds: fn(&str, &str) -> bool) -> bool {
    match (demand.as_str(), value.as_str()) {
        (Some(demand), Some(value)) => holds(demand, value),
        _ => true,
    }
}

fn length(value: &Value) -> Option<usize> {
    value.as_str().map(|text| text.chars().count())
}

fn count(demand: &Value) -> usize {
    demand.as_u64().map_or(0, |n| n as usize)
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

fn required(schema: &Value) -> impl Iterator<Item = &str> {
    schema
        .get("required")
        .map_or(&[] as &[_], list)
        .iter()
        .filter_map(Value::as_str)
}

fn property<'a>(schema: &'a Value, name: &str) -> Option<&'a Value> {
    schema.get("properties")?.get(name)
}

fn closed(schema: &Value) -> bool {
    schema
        .get("additionalProperties")
        .is_some_and(|more| more == false)
}

fn problem(at: &str, rule: &'static str) -> Problem {
    Problem {
        at: at.to_owned(),
        rule,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn broken(schema: &Value, value: &Value) -> Vec<String> {
        let problems = Checker { root: schema }.problems(schema, value);
        problems.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn a_whole_number_may_carry_a_point() {
        let schema = json!({"type": "integer", "minimum": 1});
        assert!(broken(&schema, &json!(3.0)).is_empty());
        assert_eq!(broken(&schema, &json!(3.5)), ["it breaks `type`"]);
        assert_eq!(broken(&schema, &json!(0)), ["it breaks `minimum`"]);
    }

    #[test]
    fn longs_end_where_64_bits_end() {
        let schema = json!({"type": "integer", "format": "int64"});
        assert!(broken(&schema, &json!(i64::MAX)).is_empty());
        assert_eq!(broken(&schema, &json!(1e19)), ["it breaks `format`"]);
    }

    #[test]
    fn lengths_count_characters_and_not_bytes() {
        let schema = json!({"type": "string", "maxLength": 2});
        assert!(broken(&schema, &json!("éé")).is_empty());
        assert_eq!(broken(&schema, &json!("abc")), ["it breaks `maxLength`"]);
    }

    #[test]
    fn objects_are_checked_inside_and_at_their_edges() {
        let schema = json!({
            "type": "object", "additionalProperties": false, "required": ["a", "id"],
            "properties": {"a": {"type": "array", "items": {"type": "string"}, "uniqueItems": true},
                           "id": {"readOnly": true}}
        });
        assert_eq!(broken(&schema, &json!({})), ["/a breaks `required`"]);
        let value = json!({"a": ["x", 1, "x"], "b": 0});
        let expected = [
            "/a breaks `uniqueItems`",
            "/a/1 breaks `type`",
            "/b breaks `additionalProperties`",
        ];
        assert_eq!(broken(&schema, &value), expected);
    }
}
