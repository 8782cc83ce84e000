//! Comparing two looks at the same thing.

use serde_json::{Map, Value};

use crate::names::{is_identity, is_volatile};

/// The first place where two values differ, leaving out what changes by itself.
pub(crate) fn difference(before: &Value, after: &Value) -> Option<String> {
    differ(before, after, &mut String::new(), 0)
}

const DEPTH: usize = 12;
/// Longer lists are compared in their order only: trying every pair would take too long.
const MOST_UNORDERED: usize = 200;

fn differ(a: &Value, b: &Value, path: &mut String, depth: usize) -> Option<String> {
    if depth > DEPTH || same(a, b) {
        return None;
    }
    match (a, b) {
        (Value::Object(left), Value::Object(right)) => differ_in_maps(left, right, path, depth),
        (Value::Array(left), Value::Array(right)) if left.len() == right.len() => {
            left.iter().zip(right).enumerate().find_map(|(at, (x, y))| {
                below(path, &at.to_string(), |path| differ(x, y, path, depth + 1))
            })
        }
        _ => Some(path.clone()),
    }
}

/// A field that is `null` and one that is absent are the same.
fn differ_in_maps(
    left: &Map<String, Value>,
    right: &Map<String, Value>,
    path: &mut String,
    depth: usize,
) -> Option<String> {
    let only_right = right.keys().filter(|key| !left.contains_key(*key));
    left.keys()
        .chain(only_right)
        .filter(|key| !is_volatile(key))
        .find_map(|key| {
            let [x, y] = [left, right].map(|map| map.get(key).unwrap_or(&Value::Null));
            below(path, key, |path| differ(x, y, path, depth + 1))
        })
}

fn below<T>(path: &mut String, key: &str, inner: impl FnOnce(&mut String) -> T) -> T {
    let length = path.len();
    path.push('/');
    path.push_str(key);
    let result = inner(path);
    path.truncate(length);
    result
}

/// Equal in meaning: `1` and `1.0`, texts that differ in case or surrounding space, sets in
/// another order.
pub(crate) fn same(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Array(x), Value::Array(y)) => {
            x.len() == y.len()
                && (x.iter().zip(y).all(|(p, q)| same(p, q)) || same_in_any_order(x, y))
        }
        _ => alike(a, b),
    }
}

/// What is nested is compared strictly here: looking for a partner of each part of each part
/// would take for ever.
fn same_in_any_order(x: &[Value], y: &[Value]) -> bool {
    x.len() > 1
        && x.len() <= MOST_UNORDERED
        && x.iter().all(|p| y.iter().any(|q| alike(p, q)))
        && y.iter().all(|q| x.iter().any(|p| alike(p, q)))
}

pub(crate) fn alike(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Number(x), Value::Number(y)) => x == y || x.as_f64() == y.as_f64(),
        (Value::String(x), Value::String(y)) => {
            x == y || x.trim().to_lowercase() == y.trim().to_lowercase()
        }
        _ => a == b,
    }
}

/// The items of a list answer, bare or in the only list of its envelope.
pub(crate) fn items(value: &Value) -> Option<&Vec<Value>> {
    match value {
        Value::Array(items) => Some(items),
        Value::Object(map) if is_envelope(map) => map.values().find_map(Value::as_array),
        _ => None,
    }
}

/// One list, and beside it nothing but words on the list. A thing that has a list is no envelope.
fn is_envelope(map: &Map<String, Value>) -> bool {
    const BESIDE: [&str; 36] = [
        "total",
        "count",
        "counts",
        "page",
        "pages",
        "limit",
        "offset",
        "size",
        "per",
        "next",
        "previous",
        "prev",
        "cursor",
        "first",
        "last",
        "more",
        "links",
        "link",
        "meta",
        "metadata",
        "pagination",
        "paging",
        "pageable",
        "status",
        "success",
        "ok",
        "message",
        "code",
        "error",
        "self",
        "number",
        "skip",
        "took",
        "sort",
        "elements",
        "empty",
    ];
    let speaks_of_it = |name: &String| {
        let words = crate::names::words(name);
        words.iter().any(|word| BESIDE.contains(&word.as_str()))
    };
    let lists = map.values().filter(|value| value.is_array()).count();
    lists == 1
        && map
            .iter()
            .all(|(name, value)| value.is_array() || speaks_of_it(name))
}

/// The thing itself, where it comes wrapped: `{"data": {…}}`, `{"project": {…}}`.
pub(crate) fn unwrapped(body: &Value) -> &Value {
    let Value::Object(map) = body else {
        return body;
    };
    let only = map.values().next().filter(|_| map.len() == 1);
    let inner = map.get("data").or(only);
    inner.filter(|inner| inner.is_object()).unwrap_or(body)
}

/// An answer that has nothing in it, whatever its status: no content, an empty list or map, or a
/// failure that is told with a success.
pub(crate) fn is_nothing(value: &Value) -> bool {
    if items(value).is_some_and(Vec::is_empty) {
        return true;
    }
    match value {
        Value::Null => true,
        Value::Object(map) => map.values().all(Value::is_null) || is_failure(map),
        _ => false,
    }
}

/// A job may well tell of its error; what has no identifier is no job.
fn is_failure(map: &Map<String, Value>) -> bool {
    let failed = map
        .get("error")
        .is_some_and(|error| !error.is_null() && *error != Value::Bool(false));
    let refused = map.get("success") == Some(&Value::Bool(false));
    (failed || refused) && !map.keys().any(|name| is_identity(name))
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
    fn a_field_that_came_or_went_is_a_difference_unless_it_is_null() {
        let (bare, null) = (json!({"a": 1}), json!({"a": 1, "b": null}));
        let full = json!({"a": 1, "b": 2});
        assert_eq!(difference(&bare, &full).as_deref(), Some("/b"));
        assert_eq!(difference(&full, &bare).as_deref(), Some("/b"));
        assert_eq!(difference(&bare, &null), None);
        assert_eq!(difference(&null, &bare), None);
    }

    #[test]
    fn sets_have_no_order() {
        assert!(same(&json!(["a", "b"]), &json!(["b", "a"])));
        assert!(same(
            &json!([{"x": 1}, {"x": 2}]),
            &json!([{"x": 2}, {"x": 1}])
        ));
        assert!(!same(&json!(["a", "a"]), &json!(["a", "b"])));
    }

    /// Looking for partners at every level would double the work with each.
    #[test]
    fn lists_in_lists_are_compared_in_good_time() {
        let nested = |inner: i32| (0..100).fold(json!(inner), |value, _| json!([value]));
        assert!(!same(&nested(1), &nested(2)));
        let long = |last: i32| (0..50_000).chain([last]).collect::<Value>();
        assert!(!same(&long(-1), &long(-2)));
    }

    #[test]
    fn a_thing_that_has_a_list_is_no_list() {
        assert!(items(&json!({"id": 1, "name": "x", "tags": []})).is_none());
        assert!(items(&json!({"items": [], "total": 0, "next_page": null})).is_some());
        assert!(!is_nothing(&json!({"id": 1, "tags": []})));
        assert!(is_nothing(&json!({"results": [], "count": 0})));
    }

    #[test]
    fn an_error_told_with_a_success_holds_nothing() {
        assert!(is_nothing(&json!({"error": "not found"})));
        assert!(is_nothing(&json!({"success": false, "message": "gone"})));
        assert!(is_nothing(&json!({"data": null})));
        assert!(is_nothing(&json!({})));
        assert!(!is_nothing(&json!({"error": null, "data": {"id": 1}})));
        assert!(!is_nothing(&json!({"id": 1, "error": "the job failed"})));
        assert!(!is_nothing(&json!(0)));
    }

    #[test]
    fn an_identifier_may_be_held_as_text() {
        assert!(holds(&json!([{"id": "7"}]), &json!(7)));
        assert!(!holds(&json!([{"id": "70"}]), &json!(7)));
    }
}
