//! Answers that the document does not describe, or describes wrongly.
//!
//! An object is taken for one of a schema where nearly all of its properties are the schema's,
//! at least half of the schema's are there, and none holds another kind of value. Objects that
//! resemble nothing become schemas of their own if something in them can be asked for again.

use fossick_contract::{Api, OperationIndex};
use serde_json::{Map, Value};

use super::build::MOST_PRODUCED;
use super::nodes::may_be;
use super::standing::Standing;
use super::{Produces, Properties, SchemaIndex};
use crate::Words;

/// Of the object's properties so many must be the schema's.
const CONTAINED: f64 = 0.8;
/// And of the schema's so many must be there.
const FILLED: f64 = 0.5;
/// Fewer common properties prove nothing.
const LEAST_COMMON: usize = 2;
const DEPTH: usize = 3;

impl Properties {
    /// Reads an answer for objects that nobody promised. Tells which places were understood.
    pub(crate) fn recognise(
        &mut self,
        api: &Api,
        index: OperationIndex,
        body: &Value,
    ) -> Vec<usize> {
        let mut found = Vec::new();
        objects(body, &mut String::new(), false, DEPTH, &mut found);
        let mut new = Vec::new();
        for (pointer, listed, object) in found {
            if let Some(at) = self.recognise_one(api, index, &pointer, listed, object) {
                new.push(at);
            }
        }
        if !new.is_empty() && self.subjects[index.0 as usize].is_none() {
            let first = self.produces[index.0 as usize].iter().find(|p| p.own);
            self.subjects[index.0 as usize] = first.map(|produces| produces.schema);
        }
        new
    }

    fn recognise_one(
        &mut self,
        api: &Api,
        index: OperationIndex,
        pointer: &str,
        listed: bool,
        object: &Map<String, Value>,
    ) -> Option<usize> {
        let produced = &self.produces[index.0 as usize];
        let known = self.schema_at(index, pointer);
        if produced.len() >= MOST_PRODUCED || known.is_some_and(|known| self.fits(known, object)) {
            return None;
        }
        let label = &api.operation(index).label;
        let (schema, why) = match self.best_schema(index, object) {
            Some(schema) => {
                let name = &self.nodes.get(schema).name;
                (
                    schema,
                    format!("the answer of {label} has the properties of {name}"),
                )
            }
            None if known.is_none() && is_thing(object) => {
                let name = format!("{label}{pointer}");
                let schema = self.nodes.of_object(&name, object);
                (
                    schema,
                    format!("{label} answers with something that no schema describes"),
                )
            }
            None => return None,
        };
        let same = |p: &&Produces| p.schema == schema && p.pointer == pointer;
        if self.produces[index.0 as usize].iter().any(|p| same(&p)) {
            return None;
        }
        self.replace(index, pointer);
        let produces = Produces {
            schema,
            pointer: pointer.to_owned(),
            listed,
            own: pointer.split('/').skip(1).all(is_wrapping),
            standing: Standing::added(self.requests, why),
        };
        self.add_producer(index, produces);
        self.changes.added += 1;
        Some(self.produces[index.0 as usize].len() - 1)
    }

    /// What was promised at a place and is not there.
    fn replace(&mut self, index: OperationIndex, pointer: &str) {
        let requests = self.requests;
        let produced = self.produces[index.0 as usize].iter_mut();
        for produces in produced.filter(|p| p.pointer == pointer && p.standing.is_used()) {
            let why = "the answer has other properties".to_owned();
            produces.standing.remove(requests, why);
            self.changes.removed += 1;
        }
    }

    /// The schema whose properties the object has, the one with most in common first, then the one
    /// that the operation is about.
    fn best_schema(
        &self,
        index: OperationIndex,
        object: &Map<String, Value>,
    ) -> Option<SchemaIndex> {
        let mut candidates: Vec<SchemaIndex> = Vec::new();
        for name in object.keys() {
            candidates.extend(self.nodes.with_property(name));
        }
        candidates.sort_unstable();
        candidates.dedup();
        let about = self.subjects[index.0 as usize];
        let fitting = candidates.into_iter().filter(|s| self.fits(*s, object));
        let likeness = |schema: &SchemaIndex| {
            let own = Some(*schema) == about;
            let produced = self.producers.contains_key(schema);
            (self.jaccard(*schema, object) * 1000.0).round()
                + f64::from(own) * 0.5
                + f64::from(produced) * 0.25
        };
        fitting.max_by(|a, b| likeness(a).total_cmp(&likeness(b)).then(b.cmp(a)))
    }

    fn common(&self, schema: SchemaIndex, object: &Map<String, Value>) -> usize {
        let properties = &self.nodes.get(schema).properties;
        let common = properties.iter().filter(|p| object.contains_key(&p.name));
        common.count()
    }

    fn jaccard(&self, schema: SchemaIndex, object: &Map<String, Value>) -> f64 {
        let common = self.common(schema, object);
        let all = self.nodes.get(schema).properties.len() + object.len() - common;
        common as f64 / all.max(1) as f64
    }

    fn fits(&self, schema: SchemaIndex, object: &Map<String, Value>) -> bool {
        let properties = &self.nodes.get(schema).properties;
        let common = self.common(schema, object);
        let same_kinds = || {
            let mut all = properties.iter();
            all.all(|p| object.get(&p.name).is_none_or(|value| may_be(p, value)))
        };
        common >= LEAST_COMMON.min(properties.len().max(1))
            && common as f64 >= CONTAINED * object.len() as f64
            && common as f64 >= FILLED * properties.len() as f64
            && same_kinds()
    }
}

fn is_wrapping(part: &str) -> bool {
    part.bytes().all(|byte| byte.is_ascii_digit()) || crate::yields::wraps(part)
}

/// Something in it can be asked for again.
fn is_thing(object: &Map<String, Value>) -> bool {
    let names_it = |(name, value): (&String, &Value)| {
        let words = Words::of(name);
        let identifies = matches!(words.last(), Some("id" | "uuid" | "guid" | "key" | "slug"));
        identifies && (value.is_string() || value.is_number())
    };
    object.iter().any(names_it)
}

type Found<'v> = (String, bool, &'v Map<String, Value>);

/// Objects of an answer, the first of each list.
fn objects<'v>(
    value: &'v Value,
    pointer: &mut String,
    listed: bool,
    depth: usize,
    found: &mut Vec<Found<'v>>,
) {
    const MOST: usize = 20;
    if depth == 0 || found.len() >= MOST {
        return;
    }
    let length = pointer.len();
    match value {
        Value::Object(map) => {
            found.push((pointer.clone(), listed, map));
            for (name, inner) in map {
                pointer.push('/');
                pointer.push_str(&fossick_contract::escape_token(name));
                objects(inner, pointer, listed, depth - 1, found);
                pointer.truncate(length);
            }
        }
        Value::Array(items) => {
            if let Some(first) = items.first() {
                pointer.push_str("/0");
                objects(first, pointer, true, depth, found);
                pointer.truncate(length);
            }
        }
        _ => {}
    }
}
