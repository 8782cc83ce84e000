//! The service's own document, read once: which operations there are and what each asks for.
//!
//! The document is part of the program, so a part that is missing is a mistake of ours and not
//! of any caller. Schemas stay as they are written; `schema` reads them.

use std::sync::OnceLock;

use serde_json::Value;

use crate::schema::resolve;

pub(crate) const TEXT: &str = include_str!("openapi.json");

#[derive(Debug)]
pub(crate) struct Document {
    pub(crate) root: Value,
    pub(crate) operations: Vec<Operation>,
}

#[derive(Debug)]
pub(crate) struct Operation {
    pub(crate) id: String,
    /// In capitals, as HTTP writes it.
    pub(crate) method: String,
    /// The pieces between slashes; a parameter keeps its braces.
    pieces: Vec<String>,
    pub(crate) for_staff: bool,
    pub(crate) parameters: Vec<Parameter>,
    /// The schema of a required JSON body; no operation takes an optional one.
    pub(crate) body: Option<Value>,
}

#[derive(Debug)]
pub(crate) struct Parameter {
    pub(crate) name: String,
    pub(crate) in_path: bool,
    pub(crate) required: bool,
    pub(crate) schema: Value,
}

/// Why a request belongs to no operation.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Stray {
    Path,
    /// The path is known; these are its methods.
    Method(Vec<String>),
}

impl Document {
    pub(crate) fn get() -> &'static Self {
        static DOCUMENT: OnceLock<Document> = OnceLock::new();
        DOCUMENT.get_or_init(Self::read)
    }

    fn read() -> Self {
        let root: Value = serde_json::from_str(TEXT).expect("the document is JSON");
        let paths = root["paths"].as_object().expect("the document has paths");
        let operations = paths
            .iter()
            .flat_map(|(path, item)| operations(&root, path, item))
            .collect();
        Self { root, operations }
    }

    pub(crate) fn find(&self, method: &str, path: &str) -> Result<&Operation, Stray> {
        let here: Vec<_> = self.operations.iter().filter(|o| o.is_at(path)).collect();
        if here.is_empty() {
            return Err(Stray::Path);
        }
        here.iter()
            .find(|operation| operation.method == method)
            .copied()
            .ok_or_else(|| Stray::Method(here.iter().map(|o| o.method.clone()).collect()))
    }
}

impl Operation {
    fn is_at(&self, path: &str) -> bool {
        let mut segments = pieces(path);
        self.pieces.iter().all(|piece| {
            segments
                .next()
                .is_some_and(|s| !s.is_empty() && (is_parameter(piece) || s == piece))
        }) && segments.next().is_none()
    }

    /// The text of a path parameter, still escaped.
    pub(crate) fn segment<'p>(&self, name: &str, path: &'p str) -> Option<&'p str> {
        let wanted = format!("{{{name}}}");
        let at = self.pieces.iter().position(|piece| *piece == wanted)?;
        pieces(path).nth(at)
    }
}

fn operations(root: &Value, path: &str, item: &Value) -> Vec<Operation> {
    let shared = &item["parameters"];
    ["get", "post", "put", "patch", "delete"]
        .into_iter()
        .filter_map(|method| Some((method, item.get(method)?)))
        .map(|(method, told)| Operation {
            id: text(&told["operationId"]),
            method: method.to_uppercase(),
            pieces: pieces(path).map(str::to_owned).collect(),
            for_staff: told.get("security").is_some(),
            parameters: parameters(root, shared, &told["parameters"]),
            body: told
                .get("requestBody")
                .map(|body| resolve(root, body)["content"]["application/json"]["schema"].clone()),
        })
        .collect()
}

fn parameters(root: &Value, shared: &Value, own: &Value) -> Vec<Parameter> {
    let all = [shared, own].into_iter().filter_map(Value::as_array);
    all.flatten()
        .map(|told| resolve(root, told))
        .map(|told| Parameter {
            name: text(&told["name"]),
            in_path: told["in"] == "path",
            required: told["required"] == true,
            schema: resolve(root, &told["schema"]).clone(),
        })
        .collect()
}

fn text(value: &Value) -> String {
    value.as_str().expect("the document names it").to_owned()
}

fn pieces(path: &str) -> impl Iterator<Item = &str> {
    path.split('/').skip(1)
}

fn is_parameter(piece: &str) -> bool {
    piece.starts_with('{')
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats;

    #[test]
    fn paths_lead_to_their_operations() {
        let document = Document::get();
        let id = |method, path| document.find(method, path).map(|o| o.id.as_str());
        assert_eq!(id("GET", "/tools"), Ok("listTools"));
        assert_eq!(id("DELETE", "/tools/7/repairs/9"), Ok("deleteRepair"));
        assert_eq!(id("GET", "/tools/"), Err(Stray::Path));
        assert_eq!(id("GET", "/tools/7/repairs/9/x"), Err(Stray::Path));
        assert_eq!(
            id("PUT", "/members"),
            Err(Stray::Method(vec!["POST".to_owned()]))
        );
    }

    #[test]
    fn the_document_uses_no_rule_that_is_not_enforced() {
        const KNOWN: [&str; 22] = [
            "$ref",
            "type",
            "enum",
            "minimum",
            "maximum",
            "minLength",
            "maxLength",
            "pattern",
            "format",
            "maxItems",
            "uniqueItems",
            "items",
            "properties",
            "required",
            "additionalProperties",
            "minProperties",
            "readOnly",
            "writeOnly",
            "default",
            "examples",
            "description",
            "title",
        ];
        each_schema(
            &Document::get().root["components"]["schemas"],
            &mut |schema| {
                for (keyword, demand) in schema.as_object().expect("a schema is an object") {
                    assert!(KNOWN.contains(&keyword.as_str()), "{keyword}");
                    if keyword == "pattern" {
                        let pattern = demand.as_str().expect("a pattern is text");
                        assert!(formats::matches(pattern, "").is_some(), "{pattern}");
                    }
                }
            },
        );
    }

    fn each_schema(schemas: &Value, look: &mut impl FnMut(&Value)) {
        for (_, schema) in schemas.as_object().into_iter().flatten() {
            look(schema);
            each_schema(&schema["properties"], look);
            if let Some(items) = schema.get("items") {
                look(items);
            }
        }
    }
}
