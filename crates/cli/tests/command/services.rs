//! A small service that keeps its word. Tests add to it the one thing they are about.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use fossick_testkit::{FakeRequest, FakeResponse, document};
use serde_json::{Map, Value, json};

/// Items that can be made, listed, fetched and removed.
#[derive(Default)]
pub(crate) struct Shelf(Mutex<(u64, BTreeMap<u64, Value>)>);

impl Shelf {
    pub(crate) fn answer(&self, request: &FakeRequest) -> FakeResponse {
        let mut guard = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let (count, items) = &mut *guard;
        let segments = request.segments();
        match (request.method.as_str(), segments.as_slice()) {
            ("GET", ["items"]) => {
                FakeResponse::json(200, items.values().cloned().collect::<Value>())
            }
            ("POST", ["items"]) => match item(request) {
                Some(mut item) => {
                    *count += 1;
                    item.insert("id".to_owned(), json!(*count));
                    items.insert(*count, json!(item));
                    FakeResponse::json(201, items[count].clone())
                }
                None => refusal(400),
            },
            ("GET", ["items", id]) => match number(id) {
                None => refusal(400),
                Some(id) => items.get(&id).map_or_else(
                    || refusal(404),
                    |item| FakeResponse::json(200, item.clone()),
                ),
            },
            ("DELETE", ["items", id]) => match number(id) {
                None => refusal(400),
                Some(id) => items
                    .remove(&id)
                    .map_or_else(|| refusal(404), |_| FakeResponse::status(204)),
            },
            (_, ["items", ..]) => refusal(405),
            _ => refusal(404),
        }
    }
}

fn number(segment: &str) -> Option<u64> {
    segment.parse().ok().filter(|id| *id > 0)
}

/// The body, if it is as the document wants it.
fn item(request: &FakeRequest) -> Option<Map<String, Value>> {
    let is_json = request
        .header("content-type")?
        .starts_with("application/json");
    let Value::Object(item) = request.json().filter(|_| is_json)? else {
        return None;
    };
    let named = (1..=30).contains(&item.get("name")?.as_str()?.chars().count());
    let sized = item.get("size").is_none_or(|size| {
        let whole = |size: f64| size.fract() == 0.0 && (0.0..=100.0).contains(&size);
        size.as_f64().is_some_and(whole)
    });
    let known = |key: &String| matches!(key.as_str(), "name" | "size");
    (named && sized && item.keys().all(known)).then_some(item)
}

pub(crate) fn refusal(status: u16) -> FakeResponse {
    FakeResponse::json(status, json!({"status": status}))
}

/// The document of a shelf with more paths.
pub(crate) fn shelf_document(more: Value) -> String {
    let mut paths = json!({
        "/items": {
            "get": {"responses": answers(&[200], &json!({"type": "array", "items": item_schema(true)}))},
            "post": {
                "requestBody": {"required": true, "content": {"application/json": {"schema": item_schema(false)}}},
                "responses": answers(&[201, 400], &item_schema(true)),
            },
        },
        "/items/{id}": {
            "parameters": [{"name": "id", "in": "path", "required": true,
                            "schema": {"type": "integer", "minimum": 1}}],
            "get": {"responses": answers(&[200, 400, 404], &item_schema(true))},
            "delete": {"responses": answers(&[204, 400, 404], &Value::Null)},
        },
    });
    if let (Value::Object(paths), Value::Object(more)) = (&mut paths, more) {
        paths.extend(more);
    }
    document(paths)
}

/// Responses of these statuses, the good ones with this schema.
pub(crate) fn answers(statuses: &[u16], schema: &Value) -> Value {
    let problem = json!({"type": "object", "required": ["status"]});
    let mut responses = json!({});
    for status in statuses {
        let schema = if *status < 300 { schema } else { &problem };
        responses[status.to_string()] = match schema {
            Value::Null => json!({"description": ""}),
            schema => {
                json!({"description": "", "content": {"application/json": {"schema": schema}}})
            }
        };
    }
    responses
}

fn item_schema(stored: bool) -> Value {
    let mut schema = json!({
        "type": "object", "additionalProperties": false, "required": ["name"],
        "properties": {
            "name": {"type": "string", "minLength": 1, "maxLength": 30},
            "size": {"type": "integer", "minimum": 0, "maximum": 100},
        },
    });
    if stored {
        schema["properties"]["id"] = json!({"type": "integer"});
        schema["required"] = json!(["id", "name"]);
    }
    schema
}
