//! The property graph: schemas beside operations, and four kinds of edges between them.
//!
//! It follows definition 2 of Liu and others, "Morest: Model-based `RESTful` API testing
//! with execution feedback" (2022): operations *produce* schemas, schemas with some of their properties
//! are *consumed* by operations, properties of two schemas may be *equal*, and operations may
//! share an *endpoint*. The edges that plans are built along ([`crate::Edge`]) are what a producer
//! and a consumer of one schema come to; what is learned here becomes such an edge, and what
//! becomes of such an edge is told here. GraphQL types are schemas like others.

mod build;
mod compose;
mod crud;
mod equals;
mod flows;
mod joined;
mod matching;
mod nodes;
mod recognise;
mod sequences;
mod snapshot;
mod standing;
mod typed;

use std::collections::BTreeMap;

use fossick_contract::OperationIndex;

use crate::Place;
use equals::Suspicion;
pub use flows::{Flow, Inflow};
pub(crate) use nodes::{Nodes, SchemaIndex};
pub use sequences::{Sequence, Sequences};

use standing::Standing;

/// How the graph is repaired.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Repair {
    /// Whether answers change it at all.
    pub on: bool,
    /// Failures after which an edge goes; its record decides where nothing is said.
    pub tries: Option<u32>,
}

impl Default for Repair {
    fn default() -> Self {
        Self {
            on: true,
            tries: None,
        }
    }
}

#[derive(Debug, Default)]
pub(crate) struct Properties {
    pub(crate) nodes: Nodes,
    /// By operation.
    pub(crate) produces: Vec<Vec<Produces>>,
    /// By operation, each property of each schema for itself.
    pub(crate) consumes: Vec<Vec<Consumes>>,
    /// Pairs of schemas that met, the smaller index first.
    pub(crate) equals: BTreeMap<(SchemaIndex, SchemaIndex), Suspicion>,
    /// Operations by the schemas that they produce.
    pub(crate) producers: BTreeMap<SchemaIndex, Vec<OperationIndex>>,
    /// The schema that an operation is about.
    pub(crate) subjects: Vec<Option<SchemaIndex>>,
    pub(crate) repair: Repair,
    /// Requests sent so far.
    pub(crate) requests: u64,
    /// Grows with every change of an edge.
    pub(crate) version: u64,
    pub(crate) changes: Changes,
}

/// Edges that came and went.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Changes {
    pub added: u32,
    pub removed: u32,
    pub returned: u32,
}

/// An operation answers with objects of a schema.
#[derive(Debug, Clone)]
pub(crate) struct Produces {
    pub(crate) schema: SchemaIndex,
    /// Where in the answer such an object stands.
    pub(crate) pointer: String,
    /// One of several.
    pub(crate) listed: bool,
    /// It is what the answer is about, and not a part of that.
    pub(crate) own: bool,
    pub(crate) standing: Standing,
}

/// A property of a schema goes into a place of an operation.
#[derive(Debug, Clone)]
pub(crate) struct Consumes {
    pub(crate) schema: SchemaIndex,
    /// None where the body is the schema as a whole.
    pub(crate) property: Option<String>,
    pub(crate) place: Place,
    /// What the operation calls it.
    pub(crate) parameter: String,
    pub(crate) standing: Standing,
}

impl Properties {
    /// The schema of the object at a pointer of an operation's answer.
    pub(crate) fn schema_at(&self, maker: OperationIndex, pointer: &str) -> Option<SchemaIndex> {
        let produced = self.produces.get(maker.0 as usize)?.iter();
        let mut used = produced.filter(|produces| produces.standing.is_used());
        let found = used.find(|produces| produces.pointer == pointer)?;
        Some(found.schema)
    }

    /// The schema and property that a pointer of an answer leads to.
    pub(crate) fn property_at(
        &self,
        maker: OperationIndex,
        pointer: &str,
    ) -> Option<(SchemaIndex, String)> {
        let (above, name) = parent(pointer)?;
        let schema = self.schema_at(maker, above)?;
        Some((schema, fossick_contract::unescape_token(name)))
    }

    pub(crate) fn consumed_at(
        &self,
        consumer: OperationIndex,
        schema: SchemaIndex,
        property: &str,
        place: &Place,
    ) -> Option<usize> {
        let mut all = self.consumes.get(consumer.0 as usize)?.iter();
        all.position(|consumes| {
            consumes.schema == schema
                && consumes.property.as_deref() == Some(property)
                && consumes.place == *place
        })
    }

    pub(crate) fn add_producer(&mut self, operation: OperationIndex, produces: Produces) {
        let producers = self.producers.entry(produces.schema).or_default();
        if !producers.contains(&operation) {
            producers.push(operation);
        }
        self.produces[operation.0 as usize].push(produces);
        self.version += 1;
    }
}

/// The object that a pointer leads into, and the name in it; places in lists at the end are not
/// names.
pub(crate) fn parent(pointer: &str) -> Option<(&str, &str)> {
    let (above, name) = pointer.rsplit_once('/')?;
    if !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_digit()) {
        return parent(above);
    }
    Some((above, name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_object_of_a_pointer_is_found_through_lists() {
        assert_eq!(parent("/data/0/id"), Some(("/data/0", "id")));
        assert_eq!(parent("/tags/0"), Some(("", "tags")));
        assert_eq!(parent("/0/1"), None, "a list of lists has no names");
        assert_eq!(parent(""), None);
    }
}
