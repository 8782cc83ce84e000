//! Needs that are called like a schema and its key, letter by letter: `petId` and `Pet.id`.
//!
//! Words are split where people mostly mean it, which goes wrong for names such as `iOSAppId`;
//! written together, the two are the same all the same.

use std::collections::BTreeMap;

use fossick_contract::{Api, Deed, OperationIndex};
use fossick_trace::Take;

use super::{Properties, SchemaIndex};
use crate::{Edge, Evidence, Graph, Words, Yield};

/// Places of one schema that one need is joined to.
const MOST_PLACES: usize = 6;

impl Graph {
    /// Joins needs to whatever answers with the schema that they are called after.
    pub(crate) fn join_schemas(&mut self, api: &Api) {
        let keys = self.properties.keys();
        for (consumer, _) in api.indexed() {
            for need in 0..self.needs(consumer).len() {
                let wanted = &self.needs(consumer)[need];
                let names = [together(&wanted.name), wanted.words.0.concat()];
                let found = names.iter().find_map(|name| keys.get(name));
                for (schema, property) in found.into_iter().flatten().take(2) {
                    let edges = self.ways_from(api, consumer, *schema, property);
                    self.add(api, consumer, need, edges);
                }
            }
        }
    }

    fn ways_from(
        &self,
        api: &Api,
        consumer: OperationIndex,
        schema: SchemaIndex,
        property: &str,
    ) -> Vec<Edge> {
        let mut edges = Vec::new();
        let others = |maker: &OperationIndex| *maker != consumer;
        let producers = self.properties.producers.get(&schema).into_iter().flatten();
        for maker in producers.copied().filter(others) {
            let produced = self.properties.produces[maker.0 as usize].iter();
            for produces in produced.filter(|p| p.schema == schema) {
                let makes = api.operation(maker).deed() == Deed::Create;
                let (evidence, fit) = match () {
                    () if makes && produces.own && !produces.listed => (Evidence::Creator, 0.7),
                    () if produces.listed => (Evidence::Lister, 0.7),
                    () => (Evidence::SameName, 0.25),
                };
                let pointer = format!(
                    "{}/{}",
                    produces.pointer,
                    fossick_contract::escape_token(property)
                );
                let yields = Yield::Answer(Take::Pointer(pointer));
                edges.push(Edge::new(maker, yields, evidence, fit));
            }
        }
        edges.sort_by(|a, b| b.confidence().total_cmp(&a.confidence()));
        edges.truncate(MOST_PLACES);
        edges
    }
}

impl Properties {
    /// Keys of schemas that somebody answers with, by the name of the schema and the key together.
    fn keys(&self) -> BTreeMap<String, Vec<(SchemaIndex, String)>> {
        let mut keys: BTreeMap<String, Vec<(SchemaIndex, String)>> = BTreeMap::new();
        for schema in self.producers.keys() {
            let node = self.nodes.get(*schema);
            for property in &node.properties {
                let words = Words::of(&property.name);
                if words.is_bare() && words.is_identifier() {
                    let name = together(&node.name) + &together(&property.name);
                    let same = keys.entry(name).or_default();
                    same.push((*schema, property.name.clone()));
                }
            }
        }
        keys
    }
}

/// A name without what separates its words, in small letters.
fn together(name: &str) -> String {
    let letters = name.chars().filter(|c| c.is_alphanumeric());
    letters.flat_map(char::to_lowercase).collect()
}
