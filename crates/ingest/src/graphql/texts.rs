//! JSON Schemas of what GraphQL takes, for whoever asks whether a value is valid.
//!
//! A server coerces: one item counts as a list of one, an integer as a float or an ID. What it
//! would coerce is valid here too, so that only what no server may accept counts as broken. One
//! definition for each type as it is written (`[Int!]!`). Lists are written out where they stand,
//! because a `[` may not stand in a reference.

use std::sync::Arc;

use fossick_contract::{Definitions, JsonKind};
use serde_json::{Map, Value, json};

use super::outline::{Definition, DefinitionKind, Input, Outline, Taken, TypeRef};
use super::scalars::{Scalars, rule};

/// Lists in lists beyond this are not looked into: each level is written twice.
const DEEPEST_LISTS: usize = 4;

pub(super) struct Texts<'o> {
    outline: &'o Outline,
    user: &'o Scalars,
    defs: Definitions,
}

impl<'o> Texts<'o> {
    pub(super) fn new(outline: &'o Outline, user: &'o Scalars) -> Self {
        let mut texts = Self {
            outline,
            user,
            defs: Definitions::default(),
        };
        for (name, definition) in &outline.types {
            if let Some(schema) = texts.declared(definition) {
                texts.defs.insert(&format!("{name}!"), &schema);
            }
        }
        texts
    }

    /// Writes the definition of a type, once, and tells the pointer to it.
    pub(super) fn define(&mut self, kind: &TypeRef) -> Arc<str> {
        let text = kind.text();
        if !self.defs.contains(&text) {
            let schema = self.schema(kind, 0);
            self.defs.insert(&text, &schema);
        }
        pointer(&text)
    }

    /// Writes the definition of an operation's arguments under its label.
    pub(super) fn define_arguments(&mut self, label: &str, arguments: &[Taken]) -> Arc<str> {
        let schema = self.object(arguments);
        self.defs.insert(label, &schema);
        pointer(label)
    }

    pub(super) fn finish(self) -> Definitions {
        self.defs
    }

    /// Enums and input objects: what others refer to.
    fn declared(&self, definition: &Definition) -> Option<Value> {
        match &definition.kind {
            DefinitionKind::Enum(values) if values.is_empty() => Some(not_null()),
            DefinitionKind::Enum(values) => Some(json!({ "enum": values })),
            DefinitionKind::Input(input) => Some(self.input(input)),
            _ => None,
        }
    }

    fn input(&self, input: &Input) -> Value {
        if !input.one_of || input.fields.is_empty() {
            return self.object(&input.fields);
        }
        let options = input.fields.iter().map(|field| {
            let schema = self.schema(&field.kind.non_null(), 0);
            let properties = Map::from_iter([(field.name.to_string(), schema)]);
            object(properties, vec![Value::from(&*field.name)])
        });
        made([("type", "object".into()), ("oneOf", options.collect())])
    }

    fn object(&self, fields: &[Taken]) -> Value {
        let properties = fields
            .iter()
            .map(|field| (field.name.to_string(), self.schema(&field.kind, 0)));
        let required = fields.iter().filter(|field| field.required());
        let required = required.map(|field| Value::from(&*field.name));
        object(properties.collect(), required.collect())
    }

    fn schema(&self, kind: &TypeRef, depth: usize) -> Value {
        let nullable = kind.is_nullable();
        let Some(item) = kind.item() else {
            return self.named(&kind.named, nullable);
        };
        if depth >= DEEPEST_LISTS {
            return if nullable { json!({}) } else { not_null() };
        }
        let items = self.schema(&item, depth + 1);
        let one = self.schema(&item.non_null(), depth + 1);
        let list = made([("type", "array".into()), ("items", items)]);
        let mut options = vec![list, one];
        if nullable {
            options.push(json!({ "type": "null" }));
        }
        made([("anyOf", options.into())])
    }

    fn named(&self, name: &str, nullable: bool) -> Value {
        match name {
            "Int" => {
                let mut schema = of_types(&["integer"], nullable);
                schema["minimum"] = json!(i32::MIN);
                schema["maximum"] = json!(i32::MAX);
                schema
            }
            "Float" => of_types(&["number"], nullable),
            "String" => of_types(&["string"], nullable),
            "Boolean" => of_types(&["boolean"], nullable),
            "ID" => of_types(&["string", "integer"], nullable),
            _ => self.declared_name(name, nullable),
        }
    }

    fn declared_name(&self, name: &str, nullable: bool) -> Value {
        let definition = self.outline.types.get(name);
        match definition.map(|found| &found.kind) {
            Some(DefinitionKind::Enum(_) | DefinitionKind::Input(_)) => {
                let there = json!({ "$ref": format!("#/$defs/{name}!") });
                if nullable {
                    let null = json!({ "type": "null" });
                    made([("anyOf", vec![there, null].into())])
                } else {
                    there
                }
            }
            Some(DefinitionKind::Scalar { .. }) => {
                of_json(rule(name, definition, self.user).json, nullable)
            }
            _ => of_json(JsonKind::Any, nullable),
        }
    }
}

/// An object of its members. The macro for JSON would copy them, level by level.
fn made<const N: usize>(members: [(&str, Value); N]) -> Value {
    let members = members.map(|(key, value)| (key.to_owned(), value));
    Value::Object(Map::from_iter(members))
}

fn object(properties: Map<String, Value>, required: Vec<Value>) -> Value {
    made([
        ("type", "object".into()),
        ("properties", Value::Object(properties)),
        ("required", required.into()),
        ("additionalProperties", false.into()),
    ])
}

fn pointer(key: &str) -> Arc<str> {
    format!("/$defs/{}", crate::place::escape(key)).into()
}

fn of_json(kind: JsonKind, nullable: bool) -> Value {
    match kind {
        JsonKind::Text => of_types(&["string"], nullable),
        JsonKind::Integer => of_types(&["integer"], nullable),
        JsonKind::Number => of_types(&["number"], nullable),
        JsonKind::TextOrNumber => of_types(&["string", "number"], nullable),
        JsonKind::Any if nullable => json!({}),
        JsonKind::Any => not_null(),
    }
}

fn of_types(types: &[&str], nullable: bool) -> Value {
    let null = nullable.then_some("null");
    let types: Vec<_> = types.iter().copied().chain(null).collect();
    match *types {
        [only] => json!({ "type": only }),
        _ => json!({ "type": types }),
    }
}

fn not_null() -> Value {
    json!({ "not": { "type": "null" } })
}
