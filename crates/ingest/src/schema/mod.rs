//! Schemas become shapes, and texts that a validator can compile.
//!
//! A shape stands for a *conjunction*: a list of schema nodes that must all hold. A plain schema
//! is a list of one; `allOf`, base keywords beside a `oneOf`, and a property declared twice give
//! longer ones. Conjunctions are remembered by the addresses of their nodes, ids are given out
//! before anything is built, and building goes through a queue: so a schema that refers to itself
//! ends, nothing recurses through references, and a component is one shape however often it is
//! used. A budget of effort stops what would explode; such a schema stays `Opaque`.

mod array;
mod build;
mod choice;
mod cycle;
mod defs;
mod direction;
mod flatten;
mod lower;
mod mend;
mod nullable;
mod object;
mod pattern;
mod scalar;
mod types;

use std::collections::{HashMap, VecDeque};
use std::sync::Arc;

use fossick_contract::{SchemaTexts, ShapeId, Shapes};

use self::defs::Defs;
pub(crate) use self::defs::Field;
use self::nullable::Nullability;
use self::pattern::Patterns;
use self::types::Types;
use crate::reader::Reader;
use crate::reference::{Node, name_in};

/// Steps that all schemas together may take; the largest real documents need a tenth of it.
const EFFORT: usize = 4_000_000;
const MOST_HOPS: usize = 64;

/// In which respect a node takes part in a conjunction.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Role {
    /// With everything it says.
    Whole,
    /// Only the keywords it holds itself, without `$ref`, `allOf`, `oneOf` and `anyOf`.
    Own,
    OneOf,
    AnyOf,
    /// Not the node, but only values of a type.
    Only(Types),
    /// Only the values that the `enum` of a list allows its items.
    ItemValues,
}

#[derive(Debug, Clone)]
struct Item<'d> {
    role: Role,
    node: Node<'d>,
    /// Where the node's schema text lies.
    pointer: Arc<str>,
}

struct Job<'d> {
    id: ShapeId,
    items: Vec<Item<'d>>,
    pointer: Arc<str>,
}

/// All schemas of a reading.
pub(crate) struct Schemas<'d> {
    reader: Reader<'d>,
    shapes: Shapes,
    known: HashMap<Vec<(Role, usize)>, ShapeId>,
    queue: VecDeque<Job<'d>>,
    defs: Defs<'d>,
    names: HashMap<usize, Arc<str>>,
    nulls: HashMap<usize, Nullability>,
    patterns: Patterns,
    /// Schemas that extend another one through `allOf`, where that one has a discriminator.
    subtypes: HashMap<usize, Vec<(&'d str, Node<'d>)>>,
    effort: usize,
    anything: Option<ShapeId>,
}

impl<'d> Schemas<'d> {
    pub(crate) fn new(reader: Reader<'d>) -> Self {
        Self {
            reader,
            shapes: Shapes::default(),
            known: HashMap::new(),
            queue: VecDeque::new(),
            defs: Defs::default(),
            names: HashMap::new(),
            nulls: HashMap::new(),
            patterns: Patterns::default(),
            subtypes: choice::subtypes(reader),
            effort: EFFORT,
            anything: None,
        }
    }

    /// The shape of a schema that stands at the top: of a parameter, a body, a header.
    ///
    /// The error says why nothing at all can be understood of it.
    pub(crate) fn root(
        &mut self,
        node: Node<'d>,
        label: impl FnOnce() -> String,
    ) -> Result<ShapeId, String> {
        let (target, key) = self.canonical(node)?;
        self.reader.follow(target)?;
        if !target.value.is_object() && !target.value.is_boolean() {
            return Err("its schema is not a schema".to_owned());
        }
        let key = key.unwrap_or_else(|| self.defs.key(target, label));
        Ok(self.whole(target, pointer_to(&key)))
    }

    /// The shape of a form, which Swagger 2.0 spreads over parameters.
    pub(crate) fn form(&mut self, fields: &[Field<'d>], label: impl FnOnce() -> String) -> ShapeId {
        let key = self.defs.form(fields.to_vec(), label);
        let pointer = pointer_to(&key);
        let kind = self.form_kind(fields, &pointer);
        self.shapes.push(fossick_contract::Shape {
            kind,
            pointer,
            ..Default::default()
        })
    }

    /// The shape of any value at all.
    pub(crate) fn anything(&mut self) -> ShapeId {
        if let Some(id) = self.anything {
            return id;
        }
        let key = self.defs.anything();
        let id = self.shapes.push(fossick_contract::Shape {
            pointer: pointer_to(&key),
            ..Default::default()
        });
        *self.anything.insert(id)
    }

    /// Builds everything that was asked for.
    pub(crate) fn finish(mut self) -> (Shapes, SchemaTexts) {
        while let Some(job) = self.queue.pop_front() {
            let shape = self.build(&job);
            self.shapes.set(job.id, shape);
        }
        choice::prune(&mut self.shapes);
        let texts = lower::texts(self.reader, self.defs, &mut self.patterns);
        (self.shapes, texts)
    }

    /// Looks through references that add nothing; also the key of the last one's target.
    fn canonical(&mut self, node: Node<'d>) -> Result<(Node<'d>, Option<Arc<str>>), String> {
        let mut node = node;
        let mut key = None;
        for _ in 0..MOST_HOPS {
            if !is_bare_reference(self.reader, node) {
                return Ok((node, key));
            }
            let (target, name) = self.target(node)?;
            key = Some(name);
            node = target;
        }
        Err("its `$ref` leads back to itself".to_owned())
    }

    /// One step along a `$ref`: what it leads to, and under which key that is written down.
    fn target(&mut self, node: Node<'d>) -> Result<(Node<'d>, Arc<str>), String> {
        let (target, key) = self.defs.target(self.reader, node)?;
        let reference = node.reference().unwrap_or("");
        if !reference.contains(['#', '/', '.']) {
            let told = format!("`$ref: {reference}` names a schema without `#/`; found it anyway");
            self.reader.warn(node, told);
        }
        self.names
            .entry(target.address())
            .or_insert_with(|| name_in(reference).into());
        Ok((target, key))
    }

    /// The shape of one node, without looking through references.
    fn whole(&mut self, node: Node<'d>, pointer: Arc<str>) -> ShapeId {
        let items = vec![Item {
            role: Role::Whole,
            node,
            pointer: Arc::clone(&pointer),
        }];
        self.conjunction(items, |_, _| pointer)
    }

    /// The shape of a schema inside another.
    fn inner(&mut self, node: Node<'d>, pointer: impl FnOnce() -> Arc<str>) -> ShapeId {
        match self.canonical(node) {
            Ok((target, Some(key))) => self.whole(target, pointer_to(&key)),
            Ok((target, None)) => self.whole(target, pointer()),
            Err(reason) => {
                self.reader
                    .warn(node, format!("read as anything: {reason}"));
                self.anything()
            }
        }
    }

    /// The shape of what satisfies several schemas at once.
    fn all_of(&mut self, nodes: Vec<(Node<'d>, Arc<str>)>) -> ShapeId {
        let mut items: Vec<Item<'d>> = Vec::new();
        for (node, pointer) in nodes {
            let Ok((node, key)) = self.canonical(node) else {
                self.inner(node, || pointer);
                continue;
            };
            let pointer = key.map_or(pointer, |key| pointer_to(&key));
            let new = items
                .iter()
                .all(|item| item.node.address() != node.address());
            if new && !says_nothing(node) {
                items.push(Item {
                    role: Role::Whole,
                    node,
                    pointer,
                });
            }
        }
        match items.as_slice() {
            [] => self.anything(),
            [only] => self.whole(only.node, Arc::clone(&only.pointer)),
            _ => self.conjunction(items, Self::merged_pointer),
        }
    }

    /// A conjunction that stands nowhere in the document gets a text of its own.
    fn merged_pointer(&mut self, items: &[Item<'d>]) -> Arc<str> {
        let first = items.first().map_or("", |item| &item.pointer);
        let name = first
            .replacen("/$defs/", "", 1)
            .replace("/properties/", ".");
        let nodes = items.iter().map(|item| item.node).collect();
        pointer_to(&self.defs.all_of(nodes, &name))
    }

    fn conjunction(
        &mut self,
        items: Vec<Item<'d>>,
        pointer: impl FnOnce(&mut Self, &[Item<'d>]) -> Arc<str>,
    ) -> ShapeId {
        let key: Vec<_> = items
            .iter()
            .map(|item| (item.role, item.node.address()))
            .collect();
        if let Some(id) = self.known.get(&key) {
            return *id;
        }
        let id = self.shapes.reserve();
        self.known.insert(key, id);
        let pointer = pointer(self, &items);
        self.queue.push_back(Job { id, items, pointer });
        id
    }

    /// Spends effort; `false` once there is none left.
    fn spend(&mut self, cost: usize) -> bool {
        self.effort = self.effort.saturating_sub(cost);
        self.effort > 0
    }
}

fn pointer_to(key: &str) -> Arc<str> {
    format!("/$defs/{key}").into()
}

/// `true`, `{}` and the like.
fn says_nothing(node: Node<'_>) -> bool {
    match node.value {
        serde_json::Value::Bool(allowed) => *allowed,
        serde_json::Value::Object(map) => map.is_empty(),
        _ => false,
    }
}

/// A `$ref` with nothing beside it that counts.
fn is_bare_reference(reader: Reader<'_>, node: Node<'_>) -> bool {
    if node.reference().is_none() {
        return false;
    }
    let counts = |key: &str| match key {
        "$ref" | "$dynamicRef" | "summary" | "title" => false,
        "x-nullable" => true,
        other if reader.siblings_count() => !other.starts_with("x-"),
        other => BESIDE_REFERENCE.contains(&other),
    };
    !node.entries().any(|(key, _)| counts(key))
}

/// What is heeded beside a `$ref` even where the standard ignores it: words, and what can only
/// loosen a promise.
const BESIDE_REFERENCE: [&str; 5] = [
    "description",
    "nullable",
    "x-nullable",
    "readOnly",
    "writeOnly",
];
