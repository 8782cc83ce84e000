//! Comparing two looks at the same thing.

use serde_json::Value;

/// Names whose values change by themselves.
pub(crate) fn is_volatile(name: &str) -> bool {
    const PARTS: [&str; 29] = [
        "time",
        "date",
        "modified",
        "updated",
        "created",
        "_at",
        "version",
        "revision",
        "etag",
        "timestamp",
        "last",
        "seen",
        "count",
        "hits",
        "views",
        "nonce",
        "token",
        "expires",
        "age",
        "elapsed",
        "duration",
        "uptime",
        "signature",
        "hash",
        "checksum",
        "requestid",
        "password",
        "secret",
        "salt",
    ];
    let lower = name.to_ascii_lowercase();
    PARTS.iter().any(|part| lower.contains(part)) || lower.ends_with("at") && name.ends_with("At")
}

/// The first place where two values differ, leaving out what changes by itself.
pub(crate) fn difference(before: &Value, after: &Value) -> Option<String> {
    differ(before, after, &mut String::new(), 0)
}

const DEPTH: usize = 12;

fn differ(a: &Value, b: &Value, path: &mut String, depth: usize) -> Option<String> {
    if depth > DEPTH || same(a, b) {
        return None;
    }
    match (a, b) {
        (Value::Object(left), Value::Object(right)) => left
            .iter()
            .filter(|(key, _)| !is_volatile(key))
            .find_map(|(key, value)| {
                let other = right.get(key).unwrap_or(&Value::Null);
                below(path, key, |path| differ(value, other, path, depth + 1))
            }),
        (Value::Array(left), Value::Array(right)) if left.len() == right.len() => {
            left.iter().zip(right).enumerate().find_map(|(at, (x, y))| {
                below(path, &at.to_string(), |path| differ(x, y, path, depth + 1))
            })
        }
        // Sets come back in any order.
        (Value::Array(left), Value::Array(right)) if left.len() != right.len() => {
            Some(path.clone())
        }
        _ => Some(path.clone()),
    }
}

fn below<T>(path: &mut String, key: &str, inner: impl FnOnce(&mut String) -> T) -> T {
    let length = path.len();
    path.push('/');
    path.push_str(key);
    let result = inner(path);
    path.truncate(length);
    result
}

/// Equal in meaning: `1` and `1.0`, texts that differ in case or surrounding space.
pub(crate) fn same(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Number(x), Value::Number(y)) => x == y || x.as_f64() == y.as_f64(),
        (Value::String(x), Value::String(y)) => {
            x == y || x.trim().to_lowercase() == y.trim().to_lowercase()
        }
        (Value::Array(x), Value::Array(y)) => {
            x.len() == y.len()
                && (x.iter().zip(y).all(|(p, q)| same(p, q))
                    || x.iter().all(|p| y.iter().any(|q| same(p, q))))
        }
        _ => a == b,
    }
}

/// Nothing but an empty list, bare or in an envelope: the answer of a search that found nothing.
pub(crate) fn is_empty_list(value: &Value) -> bool {
    match value {
        Value::Array(items) => items.is_empty(),
        Value::Object(map) => {
            let mut lists = map.values().filter_map(Value::as_array).peekable();
            lists.peek().is_some() && lists.all(Vec::is_empty)
        }
        _ => false,
    }
}

/// Whether a scalar stands anywhere in a value, as itself or as its text.
pub(crate) fn holds(haystack: &Value, needle: &Value) -> bool {
    match haystack {
        Value::Array(items) => items.iter().any(|item| holds(item, needle)),
        Value::Object(map) => map.values().any(|item| holds(item, needle)),
        scalar => scalar == needle || text(scalar) == text(needle),
    }
}

fn text(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

/// A value as people read it in one line.
pub(crate) fn brief(value: &Value) -> String {
    let text = value.to_string();
    match text.char_indices().nth(60) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn what_changes_by_itself_is_no_difference() {
        assert_eq!(
            difference(
                &json!({"updated_at": 1, "n": 1}),
                &json!({"updated_at": 2, "n": 1.0})
            ),
            None
        );
        assert_eq!(
            difference(&json!({"a": [1]}), &json!({"a": [1, 2]})).as_deref(),
            Some("/a")
        );
    }

    #[test]
    fn sets_have_no_order() {
        assert!(same(&json!(["a", "b"]), &json!(["b", "a"])));
    }

    #[test]
    fn an_identifier_may_be_held_as_text() {
        assert!(holds(&json!([{"id": "7"}]), &json!(7)));
        assert!(!holds(&json!([{"id": "70"}]), &json!(7)));
    }
}
