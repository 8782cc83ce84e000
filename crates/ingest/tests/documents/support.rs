//! Reads the documents under `testdata/openapi`, and finds things in what came of them.

use std::path::PathBuf;

use fossick_contract::{Api, Definitions, Kind, ObjectShape, Operation, Shape, ShapeId};
use fossick_ingest::{Fetch, NoFetch, Reading, Source, read};

pub(crate) fn folder(name: &str) -> PathBuf {
    PathBuf::from(concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../testdata/openapi"
    ))
    .join(name)
}

/// Fetches from a folder of `testdata`; document names are relative to it.
pub(crate) struct Folder(PathBuf);

impl Fetch for Folder {
    fn fetch(&mut self, location: &str) -> Result<String, String> {
        std::fs::read_to_string(self.0.join(location)).map_err(|_| "no such file".to_owned())
    }
}

pub(crate) fn read_file(name: &str, file: &str) -> Reading {
    let text = std::fs::read_to_string(folder(name).join(file)).expect("testdata is there");
    let source = Source {
        name: file.to_owned(),
        text,
    };
    read(&source, &mut Folder(folder(name))).expect("it can be read")
}

pub(crate) fn read_text(text: &str) -> Reading {
    let source = Source {
        name: "openapi.yaml".to_owned(),
        text: text.to_owned(),
    };
    read(&source, &mut NoFetch).expect("it can be read")
}

/// A 3.1 document whose only body is the schema `Root` among `schemas` (YAML flow style).
pub(crate) fn read_schemas(version: &str, schemas: &str) -> Reading {
    read_text(&format!(
        "openapi: {version}\npaths:\n  /x:\n    post:\n      requestBody:\n        \
         content: {{application/json: {{schema: {{$ref: '#/components/schemas/Root'}}}}}}\n      \
         responses: {{'200': {{description: ok}}}}\ncomponents:\n  schemas: {schemas}\n"
    ))
}

pub(crate) fn operation<'a>(api: &'a Api, label: &str) -> &'a Operation {
    let index = api
        .find(label)
        .unwrap_or_else(|| panic!("{label} is there"));
    api.operation(index)
}

/// The shape of an operation's first body content.
pub(crate) fn body_shape<'a>(api: &'a Api, label: &str) -> &'a Shape {
    let body = operation(api, label).body.as_ref().expect("has a body");
    api.shape(body.contents[0].shape.expect("has a shape"))
}

pub(crate) fn object(shape: &Shape) -> &ObjectShape {
    match &shape.kind {
        Kind::Object(object) => object,
        other => panic!("an object, not {other:?}"),
    }
}

pub(crate) fn property_id(shape: &Shape, name: &str) -> ShapeId {
    let property = object(shape).property(name);
    property.unwrap_or_else(|| panic!("{name} is there")).shape
}

pub(crate) fn property<'a>(api: &'a Api, shape: &Shape, name: &str) -> &'a Shape {
    api.shape(property_id(shape, name))
}

/// Every shape's pointer must lead somewhere in both texts, and both must compile.
pub(crate) fn check_texts(api: &Api) {
    for text in [&api.schemas.request, &api.schemas.response] {
        for (id, shape) in api.shapes.iter() {
            let found = text.pointer(&shape.pointer);
            assert!(found.is_some(), "{id:?} {} leads nowhere", shape.pointer);
        }
        let defs = &text.document()["$defs"];
        for key in text.names() {
            let schema = serde_json::json!({ "$defs": defs, "$ref": format!("#/$defs/{key}") });
            if let Err(error) = jsonschema::draft202012::new(&schema) {
                panic!("{key} does not compile: {error}");
            }
        }
    }
}

/// Whether a value is valid for a shape, in the view of what is sent.
pub(crate) fn accepts(api: &Api, shape: &Shape, value: &serde_json::Value) -> bool {
    validates(&api.schemas.request, &shape.pointer, value)
}

/// The same in the view of what comes back.
pub(crate) fn answers(api: &Api, shape: &Shape, value: &serde_json::Value) -> bool {
    validates(&api.schemas.response, &shape.pointer, value)
}

fn validates(text: &Definitions, pointer: &str, value: &serde_json::Value) -> bool {
    let schema =
        serde_json::json!({ "$defs": text.document()["$defs"], "$ref": format!("#{pointer}") });
    let validator = jsonschema::draft202012::new(&schema).expect("it compiles");
    validator.is_valid(value)
}
