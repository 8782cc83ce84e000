//! What the service without a memory promises, as an OpenAPI document.

use serde_json::{Map, Value, json};

use crate::document_with;

/// The OpenAPI document of [`crate::pure_crud`].
pub fn pure_document() -> String {
    let paths = json!({
        "/notes": {"post": create("Note", &["201", "400", "415"])},
        "/notes/{noteId}": {
            "parameters": [identifier("noteId")],
            "get": operation("getNote", &shape("Note"), &["200", "404"]),
        },
        "/notes/{noteId}/replies": {
            "parameters": [identifier("noteId")],
            "post": create("Reply", &["201", "400", "404", "415"]),
        },
        "/notes/{noteId}/replies/{replyId}": {
            "parameters": [identifier("noteId"), identifier("replyId")],
            "get": operation("getReply", &shape("Reply"), &["200", "404"]),
        },
        "/samples": {"get": samples_operation()},
    });
    document_with(paths, json!({"schemas": schemas()}))
}

fn shape(name: &str) -> Value {
    json!({"$ref": format!("#/components/schemas/{name}")})
}

fn create(name: &str, statuses: &[&str]) -> Value {
    let mut told = operation(&format!("create{name}"), &shape(name), statuses);
    told["requestBody"] = content(&shape(&format!("New{name}")));
    told["requestBody"]["required"] = json!(true);
    told
}

fn operation(id: &str, success: &Value, statuses: &[&str]) -> Value {
    let mut told = json!({"operationId": id, "responses": {}});
    for status in statuses {
        let problem = shape("Problem");
        let success = status.starts_with('2').then_some(success);
        told["responses"][status] = content(success.unwrap_or(&problem));
    }
    told
}

fn content(shape: &Value) -> Value {
    json!({"description": "", "content": {"application/json": {"schema": shape}}})
}

fn samples_operation() -> Value {
    let number = |name: &str, most: u64| {
        json!({"name": name, "in": "query", "required": true,
               "schema": {"type": "integer", "minimum": 1, "maximum": most}})
    };
    let list = json!({"type": "array", "items": shape("Note")});
    let mut told = operation("listSamples", &list, &["200", "400"]);
    told["parameters"] = json!([number("limit", 50), number("stars", 5)]);
    told
}

fn identifier(name: &str) -> Value {
    json!({"name": name, "in": "path", "required": true,
           "schema": {"type": "string", "pattern": "^[0-9a-f]+$"}})
}

fn schemas() -> Value {
    let id = json!({"type": "string", "pattern": "^[0-9a-f]+$"});
    let text = json!({"type": "string", "minLength": 1, "maxLength": 40});
    let stars = json!({"type": "integer", "minimum": 1, "maximum": 5});
    json!({
        "NewNote": object(json!({"text": text, "stars": stars})),
        "Note": object(json!({"id": id, "text": text, "stars": stars})),
        "NewReply": object(json!({"text": text})),
        "Reply": object(json!({"id": id, "noteId": id, "text": text})),
        "Problem": object(json!({"status": {"type": "integer"}})),
    })
}

/// A closed object that needs all its properties.
fn object(properties: Value) -> Value {
    let required: Vec<_> = properties
        .as_object()
        .into_iter()
        .flat_map(Map::keys)
        .collect();
    let mut told = json!({"type": "object", "additionalProperties": false, "required": required});
    told["properties"] = properties;
    told
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_document_tells_of_five_operations() {
        let document: Value = serde_json::from_str(&pure_document()).unwrap();
        let paths = document["paths"].as_object().unwrap();
        assert_eq!(paths.len(), 5);
        assert_eq!(
            document["components"]["schemas"]["Reply"]["required"][1],
            "noteId"
        );
    }
}
