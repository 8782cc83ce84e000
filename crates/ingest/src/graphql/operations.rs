//! Root fields as operations: one for each thing that a client can ask for.

use std::collections::HashSet;
use std::sync::Arc;

use fossick_contract::{
    Body, Content, Deed, Method, Operation, PathTemplate, RootField, RootKind, TypeGraph, TypeId,
    Unusable,
};
use indexmap::IndexMap;

use super::deed::{self, Subject};
use super::endless::{endless, impossible};
use super::inputs::Inputs;
use super::keys::{self, Asked};
use super::names::Names;
use super::notes::Notes;
use super::outline::{Given, Outline};
use super::thing;
use super::words::words;

/// What can be called, and what can't.
#[derive(Default)]
pub(super) struct Callable {
    pub(super) operations: Vec<Operation>,
    pub(super) unusable: Vec<Unusable>,
}

pub(super) fn operations<'o>(
    outline: &'o Outline,
    graph: &TypeGraph,
    inputs: &mut Inputs<'o>,
    notes: &mut Notes,
) -> Callable {
    let mut build = Build {
        outline,
        names: Names::new(graph),
        endless: endless(outline),
        inputs,
        callable: Callable::default(),
    };
    for (kind, root) in [
        (RootKind::Query, graph.query),
        (RootKind::Mutation, graph.mutation),
    ] {
        if let Some(root) = root {
            build.root(kind, root, notes);
        }
    }
    tell_subscriptions(outline, notes);
    build.callable
}

fn tell_subscriptions(outline: &Outline, notes: &mut Notes) {
    let root = outline.subscription.as_deref();
    let told = match root.map_or(0, |root| outline.fields(root).len()) {
        0 => return,
        1 => "1 subscription is left out: it can't be called like the others".to_owned(),
        many => format!("{many} subscriptions are left out: they can't be called like the others"),
    };
    let definition = root.and_then(|root| outline.types.get(root));
    notes.warn(outline.place(definition.and_then(|found| found.spot)), told);
}

struct Build<'b, 'o> {
    outline: &'o Outline,
    names: Names<'b>,
    endless: HashSet<Arc<str>>,
    inputs: &'b mut Inputs<'o>,
    callable: Callable,
}

impl Build<'_, '_> {
    fn root(&mut self, kind: RootKind, on: TypeId, notes: &mut Notes) {
        let graph = self.names.graph;
        let told: IndexMap<&str, &Given> = self
            .outline
            .fields(&graph.get(on).name)
            .iter()
            .map(|given| (&*given.name, given))
            .collect();
        for (at, field) in graph.fields(on).iter().enumerate() {
            let Some(given) = told.get(&*field.name) else {
                continue;
            };
            let label = format!("{} {}", kind.as_str(), given.name);
            match impossible(&self.endless, &given.arguments) {
                Some(argument) => {
                    let reason = format!(
                        "its argument `{}` needs a `{}` inside itself without end",
                        argument.name, argument.kind.named
                    );
                    self.set_aside(label, reason, given, notes);
                }
                None => self.add(label, kind, on, at, given),
            }
        }
    }

    fn set_aside(&mut self, label: String, reason: String, given: &Given, notes: &mut Notes) {
        let place = self.outline.place(given.spot);
        notes.error(place.clone(), format!("{label} can't be tested: {reason}"));
        self.callable.unusable.push(Unusable {
            operation: label,
            reason,
            place,
        });
    }

    fn add(&mut self, label: String, kind: RootKind, on: TypeId, at: usize, given: &Given) {
        let description = given.description.as_deref().unwrap_or("").trim();
        let summary = description.lines().next().unwrap_or("").trim();
        let operation = Operation {
            operation_id: None,
            method: Method::Post,
            path: PathTemplate::parse(""),
            tags: Vec::new(),
            summary: summary.to_owned(),
            description: description.to_owned(),
            deprecated: given.deprecated,
            parameters: Vec::new(),
            body: self.body(&label, on, given),
            responses: Vec::new(),
            security: Vec::new(),
            server: None,
            place: self.outline.place(given.spot),
            graphql: Some(Box::new(self.root_field(kind, on, at, given))),
            label,
        };
        self.callable.operations.push(operation);
    }

    fn body(&mut self, label: &str, on: TypeId, given: &Given) -> Option<Body> {
        if given.arguments.is_empty() {
            return None;
        }
        let at = format!("{}.{}", self.names.graph.get(on).name, given.name);
        Some(Body {
            required: true,
            contents: vec![Content {
                media_type: "application/json".to_owned(),
                shape: Some(self.inputs.arguments(&at, label, &given.arguments)),
                examples: Vec::new(),
                parts: IndexMap::new(),
            }],
        })
    }

    fn root_field(&self, kind: RootKind, on: TypeId, at: usize, given: &Given) -> RootField {
        let subject = self.subject(kind, on, at, given);
        let single = kind == RootKind::Mutation || !subject.found.listed;
        let asked = self.asked(subject.found.thing, subject.deed);
        RootField {
            kind,
            on,
            field: at as u32,
            deed: subject.deed,
            thing: subject.found.thing,
            way: subject.found.way,
            listed: subject.found.listed,
            keys: if single {
                keys::keys(asked, &given.arguments)
            } else {
                Vec::new()
            },
        }
    }

    fn asked(&self, thing: Option<TypeId>, deed: Deed) -> Asked<'_> {
        Asked {
            outline: self.outline,
            names: &self.names,
            thing,
            deed,
        }
    }

    fn subject(&self, kind: RootKind, on: TypeId, at: usize, given: &Given) -> Subject {
        let said = words(&given.name);
        let mutation = kind == RootKind::Mutation;
        let field = self.names.graph.fields(on).get(at);
        let found = field.map(|field| thing::find(&self.names, field, &said, mutation));
        let found = found.unwrap_or_default();
        if !mutation {
            return Subject {
                deed: Deed::Read,
                found,
            };
        }
        let description = given.description.as_deref().unwrap_or("");
        let owned = |thing| keys::owned(self.asked(Some(thing), Deed::Update), &given.arguments);
        deed::of_mutation(&given.name, description, found, &self.names, &owned)
    }
}
