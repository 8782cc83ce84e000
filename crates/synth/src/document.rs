//! The OpenAPI 3.0 document of a service: what it takes and gives, and nothing of why it refuses.

use std::collections::BTreeSet;

use serde_json::{Map, Value, json};

use crate::model::{Method, Model, ModelError, Paths};
use crate::program::{Class, Program};

/// The document of a model, as its service has it under `/openapi.json`.
pub fn document(model: &Model) -> Result<String, ModelError> {
    Program::of(model).map(|program| document_of(&model.name, &program))
}

pub(crate) fn document_of(name: &str, program: &Program) -> String {
    let mut paths = Map::new();
    let mut schemas = Map::new();
    for (number, class) in program.classes.iter().enumerate() {
        let page = Page {
            program,
            number,
            class,
        };
        page.add_paths(&mut paths);
        page.add_schemas(&mut schemas);
    }
    schemas.insert("Problem".to_owned(), problem());
    let document = json!({
        "openapi": "3.0.3",
        "info": {"title": name, "version": "1.0.0"},
        "paths": paths,
        "components": {"schemas": schemas},
    });
    document.to_string()
}

/// What is written about one class.
struct Page<'a> {
    program: &'a Program,
    number: usize,
    class: &'a Class,
}

impl Page<'_> {
    fn add_paths(&self, paths: &mut Map<String, Value>) {
        let collection = self.path();
        let one = format!("{collection}/{{id}}");
        for method in self.class.methods.iter().copied() {
            let path = if method.is_for_one() {
                &one
            } else {
                &collection
            };
            let item = paths.entry(path.clone()).or_insert_with(|| json!({}));
            item[method.verb().to_ascii_lowercase()] = self.operation(method);
        }
    }

    fn parents(&self) -> impl Iterator<Item = &Class> {
        let shown = self.class.shown.iter();
        shown.map(|class| &self.program.classes[*class])
    }

    fn path(&self) -> String {
        let mut path = String::new();
        for Class {
            plural, reference, ..
        } in self.parents()
        {
            path += &format!("/{plural}/{{{reference}}}");
        }
        path + "/" + &self.class.plural
    }

    fn operation(&self, method: Method) -> Value {
        let mut operation = json!({
            "operationId": format!("{}{}", method.word(), self.class.name),
            "parameters": self.parameters(method),
            "responses": self.responses(method),
        });
        if let Some(schema) = self.body_name(method) {
            operation["requestBody"] = json!({"required": true, "content": content(&schema)});
        }
        operation
    }

    fn parameters(&self, method: Method) -> Value {
        let parents = self.parents().map(|parent| parent.reference.as_str());
        let id = method.is_for_one().then_some("id");
        let hole =
            |name: &str| json!({"name": name, "in": "path", "required": true, "schema": integer()});
        parents.chain(id).map(hole).collect()
    }

    fn body_name(&self, method: Method) -> Option<String> {
        let kind = match method {
            Method::Post => "New",
            Method::Put => "Whole",
            Method::Patch => "Part",
            _ => return None,
        };
        Some(format!("{}{kind}", self.class.name))
    }

    fn responses(&self, method: Method) -> Value {
        let name = &self.class.name;
        let schema = reference(name);
        let mut responses = Map::new();
        for status in self.statuses(method) {
            let response = match (status, method) {
                (204, _) => json!({"description": "gone"}),
                (200, Method::GetCollection) => {
                    let list = json!({"type": "array", "items": schema});
                    answer("all there are", &list)
                }
                (200, Method::Get) => answer("as it is now", &schema),
                (200, _) => json!({"description": "changed"}),
                (201, _) => json!({"description": "made"}),
                _ => answer("refused", &reference("Problem")),
            };
            responses.insert(status.to_string(), response);
        }
        responses.into()
    }

    /// Those of the program, and those of what is checked before it is run.
    fn statuses(&self, method: Method) -> BTreeSet<u16> {
        let mut handlers = self.program.handlers.iter();
        let handler = handlers.find(|it| it.class == self.number && it.method == method);
        let mut statuses: BTreeSet<u16> = handler
            .into_iter()
            .flat_map(|handler| &handler.lines)
            .filter_map(|line| line.statement.status(self.program.paths))
            .collect();
        let has_body = self.body_name(method).is_some();
        if has_body || method.is_for_one() || self.parents().next().is_some() {
            statuses.insert(400);
        }
        if has_body {
            statuses.insert(415);
        }
        statuses
    }

    fn add_schemas(&self, schemas: &mut Map<String, Value>) {
        let id = ("id".to_owned(), integer());
        let name = ("name".to_owned(), json!({"type": "string"}));
        let value = ("value".to_owned(), integer());
        let owned = self.owned();
        let references = self.references();
        let given: Vec<_> = [name.clone(), value.clone()]
            .into_iter()
            .chain(references.clone())
            .collect();
        let answered: Vec<_> = [id.clone()].into_iter().chain(given.clone()).collect();
        let whole: Vec<_> = given.into_iter().chain(owned.clone()).collect();
        let new: Vec<_> = [id].into_iter().chain(whole.clone()).collect();
        // Who is owned keeps its owner for as long as it is only patched.
        let needs = references.into_iter().take(self.class.needs.len());
        let part: Vec<_> = [name, value].into_iter().chain(needs).collect();

        let name = &self.class.name;
        let mut add = |kind: &str, schema| schemas.insert(format!("{name}{kind}"), schema);
        add("", object(&answered, &owned));
        for (method, kind, schema) in [
            (Method::Post, "New", object(&new, &[])),
            (Method::Put, "Whole", object(&whole, &[])),
            (Method::Patch, "Part", object(&[], &part)),
        ] {
            if self.class.methods.contains(&method) {
                add(kind, schema);
            }
        }
    }

    fn owned(&self) -> Vec<(String, Value)> {
        let pair = [
            ("id".to_owned(), integer()),
            ("value".to_owned(), integer()),
        ];
        let owned = self.class.owns.iter();
        let owned = owned.map(|class| &self.program.classes[*class]);
        owned
            .map(|class| (class.field.clone(), object(&pair, &[])))
            .collect()
    }

    fn references(&self) -> Vec<(String, Value)> {
        if self.program.paths == Paths::Shown {
            return Vec::new();
        }
        let needs = self.class.needs.iter().map(|need| need.class);
        let owner = self.class.owner.map(|owner| owner.class);
        needs
            .chain(owner)
            .map(|class| (self.program.classes[class].reference.clone(), integer()))
            .collect()
    }
}

fn integer() -> Value {
    json!({"type": "integer", "format": "int32"})
}

fn object(required: &[(String, Value)], optional: &[(String, Value)]) -> Value {
    let names: Vec<&String> = required.iter().map(|(name, _)| name).collect();
    let properties: Map<String, Value> = required.iter().chain(optional).cloned().collect();
    let mut object = json!({"type": "object", "properties": properties});
    // An empty list is not allowed here.
    if !names.is_empty() {
        object["required"] = json!(names);
    }
    object
}

fn problem() -> Value {
    let status = ("status".to_owned(), integer());
    let detail = ("detail".to_owned(), json!({"type": "string"}));
    object(&[status, detail], &[])
}

fn reference(schema: &str) -> Value {
    json!({"$ref": format!("#/components/schemas/{schema}")})
}

fn content(schema: &str) -> Value {
    json!({"application/json": {"schema": reference(schema)}})
}

fn answer(words: &str, schema: &Value) -> Value {
    json!({"description": words, "content": {"application/json": {"schema": schema}}})
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::twelve::NAMES;

    fn read(name: &str) -> Value {
        let model = Model::named(name).expect("it is one of the twelve");
        let text = document(&model).expect("it is consistent");
        serde_json::from_str(&text).expect("a document is JSON")
    }

    #[test]
    fn each_document_of_the_twelve_has_thirty_operations() {
        for name in NAMES {
            let document = read(name);
            let paths = document["paths"].as_object().expect("it has paths");
            let operations = paths.values().filter_map(Value::as_object);
            assert_eq!(operations.map(Map::len).sum::<usize>(), 30, "{name}");
        }
    }

    #[test]
    fn only_what_can_be_answered_is_documented() {
        let hidden = read("dense-central-existence-hidden");
        let statuses = |path: &str, verb: &str| -> Vec<String> {
            let responses = &hidden["paths"][path][verb]["responses"];
            let responses = responses.as_object().expect("it has responses");
            responses.keys().cloned().collect()
        };
        assert_eq!(statuses("/b8v25s", "get"), ["200"]);
        assert_eq!(statuses("/b8v25s", "post"), ["201", "400", "409", "415"]);
        assert_eq!(
            statuses("/uEears/{id}", "put"),
            ["200", "201", "400", "409", "415", "422"]
        );
        assert_eq!(
            statuses("/oEXmzs/{id}", "patch"),
            ["200", "400", "404", "415"]
        );
    }

    #[test]
    fn dependencies_are_in_the_path_or_in_the_body() {
        let shown = read("dense-central-property-shown");
        let path = "/iUJWos/{iUJWoId}/b8v25s/{b8v25Id}/uEears";
        assert!(shown["paths"][path]["post"].is_object());
        let required = &shown["components"]["schemas"]["UEearNew"]["required"];
        assert_eq!(*required, json!(["id", "name", "value", "oEXmz", "w27dt"]));
        let hidden = read("dense-central-property-hidden");
        let required = &hidden["components"]["schemas"]["UEearNew"]["required"];
        assert_eq!(
            *required,
            json!([
                "id", "name", "value", "b8v25Id", "iUJWoId", "oEXmz", "w27dt"
            ])
        );
        let owned = &hidden["components"]["schemas"]["OEXmzPart"];
        let name = ("name".to_owned(), json!({"type": "string"}));
        assert_eq!(
            *owned,
            object(&[], &[name, ("value".to_owned(), integer())])
        );
    }
}
