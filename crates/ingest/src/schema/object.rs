//! Objects: the properties that all parts declare together, and what else may stand there.

use std::collections::HashSet;
use std::sync::Arc;

use fossick_contract::{Additional, Kind, ObjectShape, Property};
use indexmap::{IndexMap, IndexSet};
use serde_json::Value;

use super::build::Made;
use super::flatten::Flat;
use super::scalar::least;
use super::{Field, Job, Schemas, mend};
use crate::place::escape;
use crate::reference::Node;

/// What a part says of properties it does not name.
enum Others<'d> {
    Unsaid,
    Forbidden,
    Shaped(Node<'d>),
}

fn others(node: Node<'_>) -> Others<'_> {
    match node.get("additionalProperties") {
        None => Others::Unsaid,
        Some(said) => match said.value {
            Value::Bool(false) => Others::Forbidden,
            Value::Bool(true) | Value::Object(_) => Others::Shaped(said),
            Value::String(text) if text == "false" => Others::Forbidden,
            _ => Others::Unsaid,
        },
    }
}

/// The schemas of a property, each with the place of its text.
type Declared<'d> = Vec<(Node<'d>, Arc<str>)>;

impl<'d> Schemas<'d> {
    pub(super) fn object(&mut self, job: &Job<'d>, flat: &Flat<'d>) -> Made {
        let required = self.required_names(flat);
        let declared = self.declared(flat, &required);
        let closed = closed(flat, &declared, &required);
        let mut shape = ObjectShape {
            properties: self.properties(declared, &required, &closed.foreign),
            patterns: self.pattern_properties(flat),
            additional: self.additional(flat),
            names: self.property_names(flat),
            ..ObjectShape::default()
        };
        self.bound_properties(&mut shape, flat);
        if shape
            .max_properties
            .is_some_and(|max| max < shape.min_properties)
        {
            return self.empty_range(flat);
        }
        if closed.contradicts {
            self.tell_contradiction(job, flat);
        }
        let mixed = !shape.patterns.is_empty() && !shape.properties.is_empty();
        Made {
            kind: Kind::Object(shape),
            needs_check: closed.contradicts || mixed,
        }
    }

    fn required_names(&self, flat: &Flat<'d>) -> IndexSet<&'d str> {
        flat.parts()
            .flat_map(|own| mend::required(self.reader, own.node))
            .collect()
    }

    /// Every property that is named anywhere, with all schemas that it must satisfy.
    fn declared(
        &mut self,
        flat: &Flat<'d>,
        required: &IndexSet<&'d str>,
    ) -> IndexMap<&'d str, Declared<'d>> {
        let mut all: IndexMap<&'d str, Declared<'d>> = IndexMap::new();
        for own in flat.parts() {
            for (name, node) in own
                .node
                .get("properties")
                .into_iter()
                .flat_map(Node::entries)
            {
                let pointer = format!("{}/properties/{}", own.pointer, escape(name));
                all.entry(name).or_default().push((node, pointer.into()));
            }
        }
        for name in required {
            all.entry(*name).or_default();
        }
        self.spend(all.len());
        add_others(flat, &mut all);
        all
    }

    fn properties(
        &mut self,
        declared: IndexMap<&'d str, Declared<'d>>,
        required: &IndexSet<&'d str>,
        foreign: &HashSet<&'d str>,
    ) -> Vec<Property> {
        let kept = declared
            .into_iter()
            .filter(|(name, _)| !foreign.contains(name));
        kept.map(|(name, nodes)| Property {
            name: name.into(),
            shape: self.property(nodes),
            required: required.contains(name),
            description: None,
        })
        .collect()
    }

    fn property(&mut self, mut nodes: Declared<'d>) -> fossick_contract::ShapeId {
        if nodes.len() == 1
            && let Some((node, pointer)) = nodes.pop()
        {
            return self.inner(node, || pointer);
        }
        self.all_of(nodes)
    }

    fn pattern_properties(
        &mut self,
        flat: &Flat<'d>,
    ) -> Vec<(Arc<str>, fossick_contract::ShapeId)> {
        let mut found = Vec::new();
        for own in flat.parts() {
            let listed = own.node.get("patternProperties");
            for (pattern, node) in listed.into_iter().flat_map(Node::entries) {
                if self.patterns.usable(self.reader, node, pattern).is_some() {
                    let pointer = format!("{}/patternProperties/{}", own.pointer, escape(pattern));
                    found.push((pattern.into(), self.inner(node, || pointer.into())));
                }
            }
        }
        found
    }

    fn additional(&mut self, flat: &Flat<'d>) -> Additional {
        let mut nodes = Vec::new();
        for own in flat.parts() {
            match others(own.node) {
                Others::Forbidden => return Additional::Forbidden,
                Others::Shaped(node) => {
                    nodes.push((node, format!("{}/additionalProperties", own.pointer).into()));
                }
                Others::Unsaid => {}
            }
            if own.node.value.get("unevaluatedProperties") == Some(&Value::Bool(false)) {
                return Additional::Forbidden;
            }
        }
        if nodes.is_empty() {
            return Additional::Unsaid;
        }
        Additional::Shaped(self.all_of(nodes))
    }

    fn property_names(&mut self, flat: &Flat<'d>) -> Option<fossick_contract::ShapeId> {
        let nodes: Vec<_> = flat
            .parts()
            .filter_map(|own| {
                let node = own.node.get("propertyNames").filter(Node::is_schema)?;
                Some((node, format!("{}/propertyNames", own.pointer).into()))
            })
            .collect();
        (!nodes.is_empty()).then(|| self.all_of(nodes))
    }

    fn bound_properties(&self, shape: &mut ObjectShape, flat: &Flat<'d>) {
        for own in flat.parts() {
            let count = |key| mend::count(self.reader, own.node, key).map(|n| n as usize);
            shape.min_properties = shape
                .min_properties
                .max(count("minProperties").unwrap_or(0));
            shape.max_properties = least(shape.max_properties, count("maxProperties"));
        }
    }

    fn tell_contradiction(&self, job: &Job<'d>, flat: &Flat<'d>) {
        let node = job.items.first().map(|item| item.node);
        if let Some(node) = node.or_else(|| flat.parts().next().map(|own| own.node)) {
            self.reader.warn(
                node,
                "one part forbids additional properties that another part requires: no value fits",
            );
        }
    }

    pub(super) fn form_kind(&mut self, fields: &[Field<'d>], pointer: &str) -> Kind {
        let property = |field: &Field<'d>| Property {
            name: field.name.into(),
            required: field.required,
            description: None,
            shape: self.whole(
                field.node,
                format!("{pointer}/properties/{}", escape(field.name)).into(),
            ),
        };
        Kind::Object(ObjectShape {
            properties: fields.iter().map(property).collect(),
            ..ObjectShape::default()
        })
    }
}

#[derive(Default)]
struct Closed<'d> {
    /// Properties that another part does not allow.
    foreign: HashSet<&'d str>,
    /// One of them is required.
    contradicts: bool,
}

fn names_itself(node: Node<'_>, name: &str) -> bool {
    let properties = node.value.get("properties");
    properties.is_some_and(|properties| properties.get(name).is_some())
}

/// `additionalProperties` of one part also holds for what only another part names.
fn add_others<'d>(flat: &Flat<'d>, all: &mut IndexMap<&'d str, Declared<'d>>) {
    for own in flat.parts() {
        let Others::Shaped(node) = others(own.node) else {
            continue;
        };
        for (name, nodes) in all.iter_mut() {
            if !names_itself(own.node, name) {
                nodes.push((node, format!("{}/additionalProperties", own.pointer).into()));
            }
        }
    }
}

/// What parts that forbid other properties leave of the properties of the other parts.
fn closed<'d>(
    flat: &Flat<'d>,
    declared: &IndexMap<&'d str, Declared<'d>>,
    required: &IndexSet<&'d str>,
) -> Closed<'d> {
    let mut closed = Closed::default();
    for own in flat.parts() {
        let forbids = matches!(others(own.node), Others::Forbidden);
        if !forbids || own.node.get("patternProperties").is_some() {
            continue;
        }
        for name in declared.keys().filter(|name| !names_itself(own.node, name)) {
            closed.contradicts |= required.contains(name);
            closed.foreign.insert(*name);
        }
    }
    if closed.contradicts {
        closed.foreign.clear();
    }
    closed
}
