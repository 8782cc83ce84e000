//! A promise as JSON Schema (draft 2020-12), for the whole body of an answer.
//!
//! Only words that every writer of tests understands are used: `type`, `enum`, `properties`,
//! `required`, `additionalProperties`, `items`, `anyOf`, `pattern`, bounds, and references into
//! `$defs`, where what is asked for in several places stands once.

use std::collections::BTreeSet;

use fossick_suite::unique;
use serde_json::{Map, Value, json};

use super::leaf::ANY;
use super::{Case, Held, Promise, SetId, Wanted, What};

impl Promise {
    /// What the body must fit: `data` as promised, and no `errors`.
    pub fn schema(&self) -> Value {
        let mut writer = Writer::of(self);
        let data = writer.set(self.root, false);
        let mut schema = json!({
            "type": "object",
            "properties": { "data": data, "errors": false },
            "required": ["data"],
        });
        let shared = writer.definitions();
        if !shared.is_empty() {
            schema["$defs"] = Value::Object(shared);
        }
        schema
    }
}

struct Writer<'p> {
    promise: &'p Promise,
    /// The names of sets that stand in `$defs`.
    names: Vec<Option<String>>,
}

impl<'p> Writer<'p> {
    fn of(promise: &'p Promise) -> Self {
        let mut taken = BTreeSet::new();
        let uses = uses(promise);
        let named = uses.iter().zip(&promise.sets);
        let names = named.map(|(uses, set)| (*uses > 1).then(|| unique(&set.on, "", &mut taken)));
        Self {
            promise,
            names: names.collect(),
        }
    }

    fn definitions(&mut self) -> Map<String, Value> {
        let names = self.names.clone().into_iter().enumerate();
        names
            .filter_map(|(set, name)| Some((name?, self.plain(set, false))))
            .collect()
    }

    fn set(&self, set: SetId, nullable: bool) -> Value {
        let Some(Some(name)) = self.names.get(set) else {
            return self.plain(set, nullable);
        };
        let reference = json!({ "$ref": format!("#/$defs/{name}") });
        if nullable {
            return json!({ "anyOf": [reference, { "type": "null" }] });
        }
        reference
    }

    fn plain(&self, set: SetId, nullable: bool) -> Value {
        let cases = &self.promise.sets[set].cases;
        match cases.as_slice() {
            [] => json!({ "type": object_type(nullable) }),
            [only] => self.case(only, nullable),
            several => {
                let cases = several.iter().map(|case| self.case(case, false));
                let null = nullable.then(|| json!({ "type": "null" }));
                json!({ "anyOf": cases.chain(null).collect::<Vec<_>>() })
            }
        }
    }

    fn case(&self, case: &Case, nullable: bool) -> Value {
        let properties = case.keys.iter();
        let properties = properties.map(|wanted| (wanted.key.to_string(), self.held(case, wanted)));
        let certain = case.keys.iter().filter(|wanted| wanted.certain);
        let required = certain.map(|wanted| json!(&*wanted.key)).collect();
        object(properties.collect(), required, nullable)
    }

    fn held(&self, case: &Case, wanted: &Wanted) -> Value {
        match &wanted.held {
            Held::Typename => {
                let names: Vec<&str> = case.types.iter().map(AsRef::as_ref).collect();
                json!({ "enum": names })
            }
            Held::Anything
            | Held::Untold {
                nullable: true,
                listed: false,
            } => json!(true),
            Held::Untold {
                nullable: true,
                listed: true,
            } => json!({ "type": ["array", "null"] }),
            Held::Untold { listed: true, .. } => json!({ "type": "array" }),
            Held::Untold { .. } => json!({ "type": ANY }),
            Held::Value { nullable, what } => self.value(nullable, what),
        }
    }

    fn value(&self, nullable: &[bool], what: &What) -> Value {
        let (outer, inner) = match nullable {
            [] => (true, &[][..]),
            [outer, inner @ ..] => (*outer, inner),
        };
        match what {
            _ if !inner.is_empty() => {
                let kind = if outer {
                    json!(["array", "null"])
                } else {
                    json!("array")
                };
                json!({ "type": kind, "items": self.value(inner, what) })
            }
            What::Leaf(leaf) => leaf.schema(outer),
            What::Object(set) => self.set(*set, outer),
        }
    }
}

fn object(properties: Map<String, Value>, required: Vec<Value>, nullable: bool) -> Value {
    let mut schema = Map::new();
    schema.insert("type".to_owned(), object_type(nullable));
    schema.insert("properties".to_owned(), Value::Object(properties));
    schema.insert("required".to_owned(), Value::Array(required));
    schema.insert("additionalProperties".to_owned(), Value::Bool(false));
    Value::Object(schema)
}

fn object_type(nullable: bool) -> Value {
    if nullable {
        json!(["object", "null"])
    } else {
        json!("object")
    }
}

/// How often each set is referred to.
fn uses(promise: &Promise) -> Vec<usize> {
    let mut uses = vec![0; promise.sets.len()];
    let cases = promise.sets.iter().flat_map(|set| &set.cases);
    for wanted in cases.flat_map(|case| &case.keys) {
        if let Held::Value {
            what: What::Object(set),
            ..
        } = &wanted.held
        {
            uses[*set] += 1;
        }
    }
    uses
}
