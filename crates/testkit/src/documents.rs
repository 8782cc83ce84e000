//! Tiny OpenAPI documents, of which a test writes only the part it is about.

use serde_json::{Value, json};

/// An OpenAPI 3.1 document with these paths.
pub fn document(paths: Value) -> String {
    document_with(paths, json!({}))
}

/// An OpenAPI 3.1 document with these paths and components.
pub fn document_with(paths: Value, components: Value) -> String {
    let mut document = json!({
        "openapi": "3.1.0",
        "info": {"title": "Fake", "version": "1.0.0"},
    });
    document["paths"] = paths;
    document["components"] = components;
    document.to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_document_holds_the_paths_it_was_given() {
        let text = document(json!({"/a": {"get": {"responses": {}}}}));
        let value: Value = serde_json::from_str(&text).unwrap();
        assert_eq!(value["openapi"], "3.1.0");
        assert!(value["paths"]["/a"]["get"].is_object());
    }
}
