//! Names made anew, so that a plan that worked once works again.
//!
//! A second thing of the same name is often refused. Which texts of a plan are names is found out
//! once, when the plan is kept; making them anew is then cheap enough to be done for every plan.

use std::collections::BTreeMap;
use std::sync::Arc;

use fossick_contract::{Api, Deed, ShapeId};
use fossick_genes::{Gene, Maker, Source, slots};
use fossick_graph::Words;
use fossick_plan::{Plan, Spot, Step, render};
use fossick_trace::Script;
use serde_json::Value;

/// A text that we thought up, and every place where it stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Name {
    field: String,
    shape: ShapeId,
    places: Vec<(usize, Spot)>,
}

impl Name {
    /// The text as it stands in a plan.
    pub(crate) fn text(&self, plan: &Plan) -> Option<String> {
        let (at, spot) = self.places.first()?;
        match plan.steps.get(*at)?.value_at(spot)? {
            Value::String(text) => Some(text),
            _ => None,
        }
    }

    /// Where it stands in the body of a step.
    pub(crate) fn body_places(&self, step: usize) -> impl Iterator<Item = &str> {
        self.places.iter().filter_map(move |(at, spot)| match spot {
            Spot::Body(pointer) if *at == step => Some(pointer.as_str()),
            _ => None,
        })
    }
}

/// A plan as a script that can be run again and again: its names are marked as such.
pub fn repeatable(api: &Api, labels: &[Arc<str>], plan: &Plan) -> Script {
    let names = names_of(api, plan);
    Script {
        names: names.iter().filter_map(|name| name.text(plan)).collect(),
        ..render(api, labels, plan)
    }
}

/// The names in a plan.
pub(crate) fn names_of(api: &Api, plan: &Plan) -> Vec<Name> {
    let mut found: BTreeMap<String, Name> = BTreeMap::new();
    for step in plan.steps.iter().filter(|step| writes(api, step)) {
        for (text, field, shape) in texts(api, step) {
            let name = || Name {
                field,
                shape,
                places: Vec::new(),
            };
            found.entry(text).or_insert_with(name);
        }
    }
    for (at, step) in plan.steps.iter().enumerate() {
        for (spot, text) in spots(step) {
            if let Some(name) = found.get_mut(&text) {
                name.places.push((at, spot));
            }
        }
    }
    found.into_values().collect()
}

/// Writes new names into a plan, the same one wherever the old one stood.
pub(crate) fn freshen(plan: &mut Plan, names: &[Name], maker: &mut Maker<'_>) {
    for name in names {
        let new = maker.sample(&name.field, name.shape).value();
        for (at, spot) in &name.places {
            write(&mut plan.steps[*at], spot, &new);
        }
    }
}

fn writes(api: &Api, step: &Step) -> bool {
    matches!(
        api.operation(step.operation).deed(),
        Deed::Create | Deed::Replace
    )
}

/// Texts of a step that name something: the text, its field and its shape.
fn texts(api: &Api, step: &Step) -> Vec<(String, String, ShapeId)> {
    let operation = api.operation(step.operation);
    let mut texts = Vec::new();
    for (parameter, gene) in operation.parameters.iter().zip(&step.arguments) {
        let text = gene
            .as_ref()
            .and_then(|gene| of_ours(gene, &parameter.name));
        if let Some(text) = text {
            texts.push((text, parameter.name.clone(), parameter.shape));
        }
    }
    let body = step.body.as_ref().zip(operation.body.as_ref());
    let Some((body, shape)) = body
        .and_then(|(value, declared)| Some((value, declared.contents.get(value.content)?.shape?)))
    else {
        return texts;
    };
    for slot in slots(api, shape) {
        let gene = body.gene.at(&slot.pointer);
        let text = gene.and_then(|gene| of_ours(gene, &slot.name));
        if let Some(text) = text.filter(|_| names_things(&slot.name)) {
            texts.push((text, slot.name, slot.shape));
        }
    }
    texts
}

/// The text of a gene that is our own invention, or the name that a recorded call gave to what it
/// made: that is taken now.
fn of_ours(gene: &Gene, field: &str) -> Option<String> {
    let invented = match gene.source()? {
        Source::Named | Source::Random => true,
        Source::Harvested => calls_it(field),
        _ => false,
    };
    match gene.value() {
        Value::String(text) if invented && text.len() > 2 => Some(text),
        _ => None,
    }
}

/// Fields in which whoever makes something says what it is to be called. Fewer than those that
/// services want to be unique: a code may be one that only callers know.
pub(crate) fn calls_it(field: &str) -> bool {
    const NAMES: [&str; 7] = ["name", "titl", "email", "login", "usernam", "label", "slug"];
    Words::of(field)
        .last()
        .is_some_and(|last| NAMES.contains(&last))
}

/// Fields that services want to be unique.
pub(crate) fn names_things(field: &str) -> bool {
    const MORE: [&str; 11] = [
        "titl", "email", "login", "usernam", "code", "label", "path", "url", "domain", "host",
        "number",
    ];
    let words = Words::of(field);
    words.is_identifier() || words.last().is_some_and(|last| MORE.contains(&last))
}

/// Every text of a step with its place.
fn spots(step: &Step) -> Vec<(Spot, String)> {
    let mut spots = Vec::new();
    for (at, gene) in step.arguments.iter().enumerate() {
        if let Some(Value::String(text)) = gene.as_ref().map(Gene::value) {
            spots.push((Spot::Parameter(at), text));
        }
    }
    let Some(body) = &step.body else {
        return spots;
    };
    let whole = body.gene.value();
    for leaf in body.gene.leaves() {
        if let Some(Value::String(text)) = whole.pointer(&leaf.pointer) {
            spots.push((Spot::Body(leaf.pointer), text.clone()));
        }
    }
    spots
}

fn write(step: &mut Step, spot: &Spot, new: &Value) {
    match spot {
        Spot::Parameter(at) => {
            if let Some(Some(gene)) = step.arguments.get_mut(*at) {
                *gene = Gene::literal(new.clone(), Source::Named);
            }
        }
        Spot::Body(pointer) => {
            if let Some(body) = &mut step.body {
                body.gene.set(pointer, new.clone(), Source::Named);
            }
        }
    }
}
