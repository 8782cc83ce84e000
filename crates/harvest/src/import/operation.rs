//! Lines that tell of a GraphQL operation and nothing of HTTP.

use serde_json::{Map, Value};

use super::fields::Fields;
use super::swapped;

/// The body that such an operation is sent in; none where the line has no operation.
pub(super) fn body(fields: &Fields<'_>) -> Option<Vec<u8>> {
    let query = fields.text(&["query"]).filter(|query| query.contains('{'));
    let extensions = fields
        .raw(&["extensions"])
        .filter(|raw| raw.get().contains("persistedQuery"));
    if query.is_none() && extensions.is_none() {
        return None;
    }
    let mut members = Vec::new();
    if let Some(name) = name(fields) {
        members.push(member("operationName", &Value::String(name).to_string()));
    }
    if let Some(query) = query {
        members.push(member("query", &Value::String(query).to_string()));
    }
    if let Some(variables) = variables(fields) {
        members.push(member("variables", &variables));
    }
    if let Some(extensions) = extensions {
        members.push(member("extensions", extensions.get()));
    }
    Some(format!("{{{}}}", members.join(",")).into_bytes())
}

fn member(name: &str, json: &str) -> String {
    format!("\"{name}\":{json}")
}

/// `None` is what Python calls a name that was not given.
fn name(fields: &Fields<'_>) -> Option<String> {
    let name = fields.text(&["operationname"])?;
    (!name.is_empty() && name != "None").then_some(name)
}

/// As they stand; or what a text of them means, as far as that can be told.
fn variables(fields: &Fields<'_>) -> Option<String> {
    let raw = fields.raw(&["variables"])?;
    if raw.get().starts_with('{') {
        return Some(raw.get().to_owned());
    }
    let text = fields.text(&["variables"])?;
    if serde_json::from_str::<Map<String, Value>>(&text).is_ok() {
        return Some(text);
    }
    swapped::read(&text)
        .filter(Value::is_object)
        .map(|value| value.to_string())
}
