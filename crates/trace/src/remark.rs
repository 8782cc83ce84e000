//! What a refusal says, and of which field.
//!
//! Services say it in many forms: a list of located complaints, a map from fields to complaints, a
//! sentence alone. Only the structure is read here; what the words mean is for others to say.

use serde_json::{Map, Value};

/// One thing that a refusal says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Remark<'a> {
    /// The field that it is about, where the structure tells; `address.city` where it lies deeper.
    pub field: Option<String>,
    pub text: &'a str,
}

const DEEPEST: usize = 6;
const MOST: usize = 60;
/// Items of a list that are looked at.
const ITEMS: usize = 20;

/// Every text of a refusal with the field that it is about.
pub fn remarks(body: &Value) -> Vec<Remark<'_>> {
    let mut found = Vec::new();
    walk(body, None, 0, &mut found);
    found
}

fn walk<'a>(value: &'a Value, field: Option<&str>, depth: usize, found: &mut Vec<Remark<'a>>) {
    if depth > DEEPEST || found.len() >= MOST {
        return;
    }
    match value {
        Value::String(text) => found.push(Remark {
            field: field.map(str::to_owned),
            text,
        }),
        Value::Array(items) => {
            let some = items.iter().take(ITEMS);
            some.for_each(|item| walk(item, field, depth + 1, found));
        }
        Value::Object(map) => {
            let named = field_of(map);
            for (key, inner) in map {
                // A map from field names to complaints is the other common form.
                let is_field = named.is_none() && (!says(key) || lists_complaints(key, inner));
                let own = is_field.then_some(key.as_str());
                walk(inner, named.as_deref().or(own).or(field), depth + 1, found);
            }
        }
        _ => {}
    }
}

/// The field that a complaint object is about.
fn field_of(map: &Map<String, Value>) -> Option<String> {
    const KEYS: [&str; 10] = [
        "loc",
        "field",
        "path",
        "param",
        "property",
        "pointer",
        "instancePath",
        "dataPath",
        "parameter",
        "name",
    ];
    KEYS.iter().find_map(|key| match map.get(*key)? {
        Value::Array(parts) => {
            let words: Vec<&str> = parts.iter().filter_map(Value::as_str).collect();
            let inner = match words.split_first() {
                Some((&("body" | "query" | "path" | "header" | "cookie"), inner)) => inner,
                _ => &words,
            };
            let is_path = !inner.is_empty() && !inner.iter().any(|part| part.contains(' '));
            is_path.then(|| inner.join("."))
        }
        Value::String(text) => {
            let last = text
                .rsplit(['/', '.'])
                .next()?
                .trim_matches(|c: char| !c.is_alphanumeric() && c != '_');
            (!last.is_empty() && !last.contains(' ')).then(|| last.to_owned())
        }
        _ => None,
    })
}

/// Whether a key is one of those under which services say something, and no name of a field.
fn says(key: &str) -> bool {
    const KEYS: [&str; 16] = [
        "message",
        "msg",
        "detail",
        "details",
        "error",
        "errors",
        "title",
        "description",
        "reason",
        "type",
        "validation",
        "violations",
        "code",
        "name",
        "status",
        "ctx",
    ];
    KEYS.contains(&key)
}

/// Whether a list of texts stands where a service that says one thing would say one: then the key
/// is a field all the same, as in `{"name": ["is too long"]}`.
fn lists_complaints(key: &str, inner: &Value) -> bool {
    const FIELDS: [&str; 6] = ["title", "description", "type", "code", "name", "status"];
    let texts = inner.as_array().filter(|items| !items.is_empty());
    FIELDS.contains(&key) && texts.is_some_and(|items| items.iter().all(Value::is_string))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn shown(body: &Value) -> Vec<(String, &str)> {
        let all = remarks(body).into_iter();
        all.map(|remark| (remark.field.unwrap_or_default(), remark.text))
            .collect()
    }

    #[test]
    fn the_common_forms_tell_their_fields() {
        let located = json!({"detail": [{"loc": ["body", "address", "city"], "msg": "too long"}]});
        let found = shown(&located);
        assert!(found.contains(&("address.city".to_owned(), "too long")));
        let mapped = json!({"errors": {"owner": ["is not known"]}});
        assert_eq!(shown(&mapped), [("owner".to_owned(), "is not known")]);
        let called = json!({"errors": {"name": ["is too long"], "title": "Bad Request"}});
        let found = [
            ("name".to_owned(), "is too long"),
            (String::new(), "Bad Request"),
        ];
        assert_eq!(shown(&called), found);
        let pointed = json!({"errors": [{"instancePath": "/size", "message": "must be >= 1"}]});
        assert!(shown(&pointed).contains(&("size".to_owned(), "must be >= 1")));
        let plain = json!({"message": "size is too large", "status": 400});
        assert_eq!(shown(&plain), [(String::new(), "size is too large")]);
    }
}
