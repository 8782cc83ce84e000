//! Schemas of every sort, read through the front door, each with a judge of its own.
//!
//! The judge is a JSON Schema validator built from the text as it stands here: it knows nothing
//! of shapes, so it also catches what reading gets wrong.
#![allow(dead_code, reason = "every test file uses its own part")]

use fossick_contract::{Api, ShapeId};
use fossick_genes::{Gene, Maker, Manner, Rng, Values};
use fossick_ingest::{NoFetch, Source, read};
use fossick_validate::Validators;
use rand::SeedableRng as _;
use serde_json::{Value, json};

pub(crate) struct Subject {
    pub name: &'static str,
    pub api: Api,
    pub validators: Validators,
    pub values: Values,
    pub shape: ShapeId,
    pub judge: jsonschema::Validator,
    pub schema: Value,
}

impl Subject {
    pub(crate) fn new(name: &'static str, schema: Value) -> Self {
        Self::try_new(name, schema).expect("a sound schema")
    }

    /// None if the schema cannot be read, or not be judged by.
    pub(crate) fn try_new(name: &'static str, schema: Value) -> Option<Self> {
        let api = api(&schema);
        let shape = api
            .operations
            .first()?
            .body
            .as_ref()?
            .contents
            .first()?
            .shape?;
        let mut text = schema.clone();
        if let Value::Object(map) = &mut text {
            map.insert("components".into(), components());
        }
        Some(Self {
            name,
            validators: Validators::new(&api),
            values: Values::new(),
            shape,
            judge: jsonschema::draft202012::options()
                .should_validate_formats(true)
                .should_ignore_unknown_formats(true)
                .build(&text)
                .unwrap_or_else(|_| accepting()),
            schema,
            api,
        })
    }

    pub(crate) fn with_maker<T>(
        &self,
        seed: u64,
        manner: Manner,
        work: impl FnOnce(&mut Maker<'_>) -> T,
    ) -> T {
        let mut rng = Rng::seed_from_u64(seed);
        work(&mut Maker {
            api: &self.api,
            validators: &self.validators,
            values: &self.values,
            rng: &mut rng,
            manner,
        })
    }

    pub(crate) fn assert_valid(&self, value: &Value, what: &str) {
        if let Err(error) = self.judge.validate(value) {
            panic!(
                "{what} of {}: {value} breaks {}: {error}",
                self.name, self.schema
            );
        }
    }

    pub(crate) fn assert_good(&self, gene: &Gene, what: &str) {
        let value = gene.value();
        self.assert_valid(&value, what);
        let mut written = Vec::new();
        gene.write_json(&mut written);
        let text = serde_json::to_vec(&value).expect("writes");
        assert_eq!(
            written, text,
            "{what} of {} is written differently",
            self.name
        );
    }
}

/// What a validator does with a schema that it cannot compile.
fn accepting() -> jsonschema::Validator {
    jsonschema::draft202012::new(&Value::Bool(true)).expect("true is a schema")
}

fn api(schema: &Value) -> Api {
    let content = json!({"application/json": {"schema": schema}});
    let document = json!({
        "openapi": "3.1.0",
        "info": {"title": "test", "version": "1"},
        "paths": {"/things": {"post": {
            "requestBody": {"required": true, "content": content},
            "responses": {"200": {"description": "fine"}},
        }}},
        "components": components(),
    });
    let source = Source {
        name: "test.json".into(),
        text: document.to_string(),
    };
    read(&source, &mut NoFetch).expect("is read").api
}

/// Schemas that others refer to.
fn components() -> Value {
    json!({"schemas": {
        "Node": {"type": "object", "required": ["name"], "properties": {
            "name": {"type": "string", "minLength": 1},
            "next": {"$ref": "#/components/schemas/Node"},
            "children": {"type": "array", "items": {"$ref": "#/components/schemas/Node"}}}},
        "Tree": {"type": "object", "required": ["left", "right"], "additionalProperties": false,
            "properties": {
                "left": {"$ref": "#/components/schemas/Branch"},
                "right": {"$ref": "#/components/schemas/Branch"}}},
        "Branch": {"anyOf": [{"$ref": "#/components/schemas/Tree"}, {"type": "integer"}]},
        "Chain": {"type": "object", "required": ["link"], "properties": {
            "link": {"anyOf": [{"$ref": "#/components/schemas/Chain"}, {"type": "null"}]}}},
        "Cat": {"type": "object", "required": ["kind", "lives"], "properties": {
            "kind": {"type": "string"}, "lives": {"type": "integer", "minimum": 1, "maximum": 9}}},
        "Dog": {"type": "object", "required": ["kind", "tricks"], "properties": {
            "kind": {"type": "string"},
            "tricks": {"type": "array", "items": {"type": "string"}, "minItems": 1}}},
        "Email": {"type": "string", "format": "email"},
        "Tag": {"type": "object", "required": ["key"], "properties": {
            "key": {"type": "string", "pattern": "^[a-z]{2,5}$"}, "weight": {"type": "number"}}},
    }})
}

pub(crate) fn subjects() -> Vec<Subject> {
    let all = [scalars(), texts(), formats(), containers(), mixtures()];
    all.into_iter()
        .flatten()
        .map(|(name, schema)| Subject::new(name, schema))
        .collect()
}

type Schemas = Vec<(&'static str, Value)>;

fn scalars() -> Schemas {
    vec![
        ("null", json!({"type": "null"})),
        ("boolean", json!({"type": "boolean"})),
        ("integer", json!({"type": "integer"})),
        ("int32", json!({"type": "integer", "format": "int32"})),
        (
            "int64 positive",
            json!({"type": "integer", "format": "int64", "minimum": 1}),
        ),
        (
            "small range",
            json!({"type": "integer", "minimum": 1, "maximum": 100}),
        ),
        (
            "id",
            json!({"type": "integer", "minimum": 1, "maximum": 9_007_199_254_740_992_i64}),
        ),
        (
            "exclusive",
            json!({"type": "integer", "exclusiveMinimum": 3, "exclusiveMaximum": 6}),
        ),
        (
            "fractional bounds",
            json!({"type": "integer", "minimum": -2.5, "maximum": 2.5}),
        ),
        (
            "multiple",
            json!({"type": "integer", "multipleOf": 7, "minimum": -20, "maximum": 1000}),
        ),
        (
            "multiple of a fraction",
            json!({"type": "integer", "multipleOf": 2.5, "minimum": 1}),
        ),
        ("negative", json!({"type": "integer", "maximum": -1000})),
        (
            "huge",
            json!({"type": "integer", "minimum": 9_007_199_254_740_993_i64}),
        ),
        (
            "top",
            json!({"type": "integer", "minimum": 9_223_372_036_854_775_800_i64}),
        ),
        ("number", json!({"type": "number"})),
        (
            "float",
            json!({"type": "number", "format": "float", "minimum": 0}),
        ),
        (
            "rating",
            json!({"type": "number", "minimum": 0, "maximum": 10}),
        ),
        (
            "open interval",
            json!({"type": "number", "exclusiveMinimum": 0, "exclusiveMaximum": 0.001}),
        ),
        (
            "cents",
            json!({"type": "number", "multipleOf": 0.01, "minimum": 0, "maximum": 1_000_000}),
        ),
        ("tenths", json!({"type": "number", "multipleOf": 0.1})),
        (
            "halves",
            json!({"type": "number", "multipleOf": 2.5, "minimum": -10, "maximum": 10}),
        ),
        (
            "far numbers",
            json!({"type": "number", "minimum": 1e12, "maximum": 1e13}),
        ),
        (
            "nullable number",
            json!({"anyOf": [{"type": "number", "minimum": 0, "maximum": 10}, {"type": "null"}]}),
        ),
        (
            "nullable string",
            json!({"type": ["string", "null"], "minLength": 2}),
        ),
        ("enum", json!({"enum": ["open", "doing", "done"]})),
        (
            "mixed enum",
            json!({"enum": [1, "one", null, true, [1], {"a": 1}]}),
        ),
        ("const", json!({"const": "only"})),
        ("string or integer", json!({"type": ["string", "integer"]})),
        (
            "example",
            json!({"type": "integer", "minimum": 5, "examples": [7, "wrong", 1], "default": 6}),
        ),
    ]
}

fn texts() -> Schemas {
    vec![
        ("string", json!({"type": "string"})),
        (
            "short",
            json!({"type": "string", "minLength": 1, "maxLength": 3}),
        ),
        (
            "exact",
            json!({"type": "string", "minLength": 5, "maxLength": 5}),
        ),
        ("empty", json!({"type": "string", "maxLength": 0})),
        (
            "long",
            json!({"type": "string", "minLength": 300, "maxLength": 400}),
        ),
        (
            "title",
            json!({"type": "string", "minLength": 1, "maxLength": 40}),
        ),
        (
            "mail pattern",
            json!({"type": "string", "pattern": r"^[a-z0-9.]+@[a-z0-9]+\.[a-z]{2,4}$", "maxLength": 60}),
        ),
        (
            "unanchored",
            json!({"type": "string", "pattern": "b[0-9]", "minLength": 6, "maxLength": 9}),
        ),
        (
            "slug",
            json!({"type": "string", "pattern": "^[a-z0-9]+(?:-[a-z0-9]+)*$", "minLength": 3, "maxLength": 12}),
        ),
        (
            "phone",
            json!({"type": "string", "pattern": r"^\+?[1-9]\d{1,14}$"}),
        ),
        (
            "look-ahead",
            json!({"type": "string", "pattern": r"^(?=.*[A-Z])(?=.*\d)[A-Za-z\d]{8,20}$"}),
        ),
        (
            "negative look-ahead",
            json!({"type": "string", "pattern": r"^(?!admin)[a-z]{4,10}$"}),
        ),
        (
            "two patterns",
            json!({"allOf": [
            {"type": "string", "pattern": "^[a-z]+$"}, {"pattern": "^.{4,6}$"}]}),
        ),
        (
            "class oddities",
            json!({"type": "string", "pattern": r"^[\w.\-+]{2,8}[^\s/]$"}),
        ),
        (
            "unicode",
            json!({"type": "string", "pattern": r"^[\u4e00-\u9fa5]{2,4}$"}),
        ),
        (
            "hex colour",
            json!({"type": "string", "pattern": "^#([A-Fa-f0-9]{6}|[A-Fa-f0-9]{3})$"}),
        ),
        (
            "version",
            json!({"type": "string", "pattern": r"^v?\d+\.\d+\.\d+(-[\w.]+)?$"}),
        ),
        (
            "alternatives",
            json!({"type": "string", "pattern": "^(red|green|blue)$"}),
        ),
        ("starts", json!({"type": "string", "pattern": "^arn:aws:"})),
        (
            "nothing between",
            json!({"type": "string", "pattern": "^$"}),
        ),
        (
            "even length",
            json!({"type": "string", "pattern": "^(ab)*$", "minLength": 3, "maxLength": 7}),
        ),
    ]
}

fn formats() -> Schemas {
    let of = |format: &str| json!({"type": "string", "format": format});
    vec![
        ("date", of("date")),
        ("time", of("time")),
        ("date-time", of("date-time")),
        ("uuid", of("uuid")),
        ("byte", of("byte")),
        ("email", of("email")),
        ("uri", of("uri")),
        ("uri-reference", of("uri-reference")),
        ("uri-template", of("uri-template")),
        ("hostname", of("hostname")),
        ("idn-hostname", of("idn-hostname")),
        ("ipv4", of("ipv4")),
        ("ipv6", of("ipv6")),
        ("duration", of("duration")),
        ("json-pointer", of("json-pointer")),
        ("relative-json-pointer", of("relative-json-pointer")),
        ("regex", of("regex")),
        ("iri", of("iri")),
        ("iri-reference", of("iri-reference")),
        ("password", of("password")),
        ("unknown format", of("object-id")),
        (
            "short email",
            json!({"type": "string", "format": "email", "maxLength": 12}),
        ),
        (
            "company email",
            json!({"type": "string", "format": "email", "pattern": "@example\\.com$"}),
        ),
        (
            "secure uri",
            json!({"type": "string", "format": "uri", "pattern": "^https://", "maxLength": 30}),
        ),
        (
            "zulu",
            json!({"type": "string", "format": "date-time", "pattern": "Z$", "maxLength": 24}),
        ),
        (
            "this century",
            json!({"type": "string", "format": "date", "pattern": "^20"}),
        ),
        (
            "long byte",
            json!({"type": "string", "format": "byte", "minLength": 40, "maxLength": 44}),
        ),
    ]
}

fn containers() -> Schemas {
    vec![
        (
            "array",
            json!({"type": "array", "items": {"type": "integer"}}),
        ),
        (
            "tags",
            json!({"type": "array", "maxItems": 5, "items": {"type": "string", "maxLength": 10}}),
        ),
        (
            "unique members",
            json!({"type": "array", "uniqueItems": true, "minItems": 3, "items": {"enum": ["a", "b", "c", "d"]}}),
        ),
        (
            "unique booleans",
            json!({"type": "array", "uniqueItems": true, "minItems": 2, "items": {"type": "boolean"}}),
        ),
        (
            "unique numbers",
            json!({"type": "array", "uniqueItems": true, "minItems": 4,
            "items": {"type": ["number", "integer"], "minimum": 0, "maximum": 4, "multipleOf": 1}}),
        ),
        (
            "tuple",
            json!({"type": "array", "prefixItems": [{"type": "string"}, {"type": "integer"}], "items": false, "minItems": 2}),
        ),
        (
            "open tuple",
            json!({"type": "array", "prefixItems": [{"type": "string"}], "items": {"type": "boolean"}, "minItems": 3}),
        ),
        (
            "contains",
            json!({"type": "array", "items": {"type": "integer", "minimum": 0, "maximum": 5}, "contains": {"const": 3}, "minItems": 1}),
        ),
        (
            "object",
            json!({"type": "object", "required": ["name", "priority"], "additionalProperties": false, "properties": {
            "name": {"type": "string", "minLength": 1, "maxLength": 40},
            "priority": {"type": "integer", "minimum": 1, "maximum": 5},
            "status": {"enum": ["open", "doing", "done"], "default": "open"},
            "email": {"type": "string"},
            "due": {"type": "string", "format": "date-time"},
            "tags": {"type": "array", "items": {"type": "string", "maxLength": 10}, "maxItems": 5}}}),
        ),
        (
            "read-only",
            json!({"type": "object", "required": ["name"], "properties": {
            "id": {"type": "integer", "readOnly": true}, "name": {"type": "string"}}}),
        ),
        (
            "map",
            json!({"type": "object", "additionalProperties": {"type": "integer"}, "minProperties": 2, "maxProperties": 4}),
        ),
        (
            "named map",
            json!({"type": "object", "additionalProperties": {"type": "boolean"},
            "propertyNames": {"pattern": "^[a-z]{3,6}$"}, "minProperties": 1}),
        ),
        (
            "pattern map",
            json!({"type": "object", "additionalProperties": false, "minProperties": 1,
            "patternProperties": {"^x-[a-z]+$": {"type": "string"}, "^n[0-9]$": {"type": "integer"}}}),
        ),
        (
            "half open",
            json!({"type": "object", "required": ["id"], "properties": {"id": {"type": "string"}},
            "additionalProperties": {"type": "number", "minimum": 0}}),
        ),
        (
            "few properties",
            json!({"type": "object", "minProperties": 2, "maxProperties": 3, "additionalProperties": false,
            "properties": {"a": {"type": "integer"}, "b": {"type": "integer"}, "c": {"type": "integer"}, "d": {"type": "integer"}}}),
        ),
        ("free", json!({})),
        ("free object", json!({"type": "object"})),
        ("free array", json!({"type": "array"})),
        (
            "nested",
            json!({"type": "object", "required": ["owner"], "properties": {
            "owner": {"type": "object", "required": ["contact"], "properties": {
                "contact": {"$ref": "#/components/schemas/Email"},
                "tags": {"type": "array", "items": {"$ref": "#/components/schemas/Tag"}, "uniqueItems": true}}}}}),
        ),
        (
            "object example",
            json!({"type": "object", "required": ["a"], "properties": {
            "a": {"type": "integer"}, "b": {"type": "array", "items": {"type": "string", "minLength": 2}}},
            "examples": [{"a": 1, "b": ["xy", "zz"]}, {"a": "wrong"}]}),
        ),
    ]
}

fn mixtures() -> Schemas {
    vec![
        ("recursive", json!({"$ref": "#/components/schemas/Node"})),
        (
            "required recursion",
            json!({"$ref": "#/components/schemas/Tree"}),
        ),
        (
            "nullable recursion",
            json!({"$ref": "#/components/schemas/Chain"}),
        ),
        (
            "one of objects",
            json!({"oneOf": [{"$ref": "#/components/schemas/Cat"}, {"$ref": "#/components/schemas/Dog"}]}),
        ),
        (
            "overlapping",
            json!({"oneOf": [
            {"type": "integer", "minimum": 0, "maximum": 10}, {"type": "integer", "minimum": 5, "maximum": 15}]}),
        ),
        (
            "any of",
            json!({"anyOf": [{"type": "string", "maxLength": 3}, {"type": "array", "items": {"type": "null"}}, {"type": "object", "required": ["k"], "properties": {"k": {"type": "boolean"}}}]}),
        ),
        (
            "all of",
            json!({"allOf": [{"$ref": "#/components/schemas/Cat"}, {"type": "object", "required": ["name"], "properties": {"name": {"type": "string", "maxLength": 8}}}]}),
        ),
        (
            "not",
            json!({"type": "integer", "minimum": 0, "maximum": 20, "not": {"multipleOf": 2}}),
        ),
        (
            "not an empty word",
            json!({"type": "string", "not": {"enum": ["", "a"]}}),
        ),
        (
            "condition",
            json!({"type": "object", "required": ["kind"], "properties": {
            "kind": {"enum": ["card", "cash"]}, "number": {"type": "string", "pattern": "^\\d{4}$"}},
            "if": {"properties": {"kind": {"const": "card"}}}, "then": {"required": ["number"]}}),
        ),
        (
            "dependent",
            json!({"type": "object", "properties": {"a": {"type": "integer"}, "b": {"type": "integer"}, "c": {"type": "integer"}},
            "dependentRequired": {"a": ["b"]}}),
        ),
        (
            "either field",
            json!({"type": "object", "properties": {"a": {"type": "integer"}, "b": {"type": "integer"}},
            "anyOf": [{"required": ["a"]}, {"required": ["b"]}]}),
        ),
        (
            "base and options",
            json!({"type": "object", "required": ["id"], "properties": {"id": {"type": "integer", "minimum": 1}},
            "oneOf": [{"required": ["x"], "properties": {"x": {"type": "string"}}, "not": {"required": ["y"]}},
                      {"required": ["y"], "properties": {"y": {"type": "integer"}}, "not": {"required": ["x"]}}]}),
        ),
    ]
}
