//! Values on their way from an answer to a later call, and what they teach.

use fossick_contract::{Api, OperationIndex};
use serde_json::{Map, Value};

use super::equals::Verdicts;
use super::nodes::Sort;
use super::{Properties, SchemaIndex};
use crate::{Graph, Place};

/// A place of a call that an earlier answer may fill, beside the needs.
#[derive(Debug, Clone, PartialEq)]
pub struct Inflow {
    pub place: Place,
    /// Which of the earlier calls.
    pub step: usize,
    /// Where in its answer.
    pub pointer: String,
    /// Expected success, in [0, 1].
    pub confidence: f64,
}

/// A value that went from one call to another.
#[derive(Debug, Clone, Copy)]
pub struct Flow<'e> {
    pub maker: OperationIndex,
    /// Where in the maker's answer it stood.
    pub pointer: &'e str,
    pub given: &'e Value,
    pub consumer: OperationIndex,
    pub place: &'e Place,
    /// What the consumer answered, where it succeeded.
    pub got: Option<&'e Value>,
    /// None where the failure has nothing to do with what was given.
    pub worked: Option<bool>,
}

impl Graph {
    /// Places of an operation that the answers of earlier calls may fill though nothing needs it,
    /// each way for itself. Needs have edges of their own.
    /// What is chosen from a closed set is never filled: another's value would not be valid.
    pub fn inflows(
        &self,
        api: &Api,
        earlier: &[OperationIndex],
        consumer: OperationIndex,
    ) -> Vec<Inflow> {
        let mut found: Vec<Inflow> = Vec::new();
        for consumes in &self.properties.consumes[consumer.0 as usize] {
            let loose = self.is_loose(api, consumer, &consumes.place);
            let property = consumes.property.as_ref();
            let Some(property) = property.filter(|_| loose && consumes.standing.is_used()) else {
                continue;
            };
            let Some((step, above)) = self.properties.latest(earlier, consumes.schema) else {
                continue;
            };
            found.push(Inflow {
                place: consumes.place.clone(),
                step,
                pointer: format!("{above}/{}", fossick_contract::escape_token(property)),
                confidence: consumes.standing.confidence(),
            });
        }
        found
    }

    fn is_loose(&self, api: &Api, consumer: OperationIndex, place: &Place) -> bool {
        let Place::Parameter(at) = place else {
            return false;
        };
        let parameter = api.operation(consumer).parameters.get(*at);
        let closed = parameter.is_none_or(|p| Sort::of(api, p.shape) == Sort::Closed);
        !closed && self.need_at(consumer, place).is_none()
    }

    /// Learns from a value that went from one call to another.
    pub fn flowed(&mut self, api: &Api, flow: &Flow<'_>) {
        if !self.properties.repair.on {
            return;
        }
        let Some((schema, property)) = self.properties.property_at(flow.maker, flow.pointer) else {
            return;
        };
        let need = self.need_at(flow.consumer, flow.place);
        let is_need = need.is_some();
        if let Some(worked) = flow.worked.filter(|_| !is_need) {
            self.properties
                .used(flow.consumer, schema, &property, flow.place, worked);
        }
        // What is made under any name says nothing of the name.
        let telling = need.is_some_and(|need| !self.makes_itself(api, flow.consumer, need));
        if telling && let Some(got) = flow.got {
            self.compare(api, flow, schema, got);
        }
    }

    /// Compares the object that a value came from with the object that it led to.
    fn compare(&mut self, api: &Api, flow: &Flow<'_>, schema: SchemaIndex, got: &Value) {
        let above = super::parent(flow.pointer).map_or("", |(above, _)| above);
        let Some(a) = flow.given.pointer(above).and_then(Value::as_object) else {
            return;
        };
        let produced = self.properties.produces[flow.consumer.0 as usize].iter();
        let mut own = produced.filter(|p| p.own && p.standing.is_used());
        let Some((other, pointer)) = own.next().map(|p| (p.schema, p.pointer.clone())) else {
            return;
        };
        let carried = flow.given.pointer(flow.pointer);
        let Some(b) = carried.and_then(|carried| object_at(got, &pointer, carried)) else {
            return;
        };
        if schema == other {
            return;
        }
        let label = &api.operation(flow.consumer).label;
        let (pair, objects) = if schema < other {
            ((schema, other), (a, b))
        } else {
            ((other, schema), (b, a))
        };
        let verdicts = self.properties.meet(pair, objects, label);
        for found in verdicts.decided {
            self.propagate(api, pair, &found);
        }
        for found in verdicts.refuted {
            self.retract(pair, &found);
        }
    }
}

impl Properties {
    /// The last of some calls that answers with objects of a schema, and where they stand.
    fn latest(&self, earlier: &[OperationIndex], schema: SchemaIndex) -> Option<(usize, String)> {
        let at = |(step, maker): (usize, &OperationIndex)| {
            let produced = self.produces[maker.0 as usize].iter();
            let mut used = produced.filter(|p| p.schema == schema && p.standing.is_used());
            used.next().map(|produces| (step, produces.pointer.clone()))
        };
        earlier.iter().enumerate().rev().find_map(at)
    }

    fn used(
        &mut self,
        consumer: OperationIndex,
        schema: SchemaIndex,
        property: &str,
        place: &Place,
        worked: bool,
    ) {
        let Some(at) = self.consumed_at(consumer, schema, property, place) else {
            return;
        };
        if self.count(consumer, at, worked) {
            self.remove(consumer, at);
        }
    }

    /// Two objects met. Tells which pairs of their properties are now taken for the same, and which
    /// no longer are.
    fn meet(
        &mut self,
        pair: (SchemaIndex, SchemaIndex),
        objects: (&Map<String, Value>, &Map<String, Value>),
        label: &str,
    ) -> Verdicts {
        let (one, other) = (self.nodes.get(pair.0), self.nodes.get(pair.1));
        let requests = self.requests;
        let why = |found: &super::equals::Pair| {
            let (a, b) = (&one.name, &other.name);
            let told = format!(
                "of what could be equal when {label} was called, only {a}.{} and {b}.{} always were",
                found.0, found.1
            );
            (requests, told)
        };
        let suspicion = self.equals.entry(pair).or_default();
        let verdicts = suspicion.meet((one, other), objects, why);
        self.changes.added += verdicts.decided.len() as u32;
        self.changes.removed += verdicts.refuted.len() as u32;
        self.version += (verdicts.decided.len() + verdicts.refuted.len()) as u64;
        verdicts
    }
}

/// The object that stands at a place of an answer; of a list, the only item that has the value which
/// led there.
fn object_at<'v>(got: &'v Value, pointer: &str, carried: &Value) -> Option<&'v Map<String, Value>> {
    const MOST_ITEMS: usize = 20;
    let Some((list, below)) = pointer.split_once("/0") else {
        return got.pointer(pointer)?.as_object();
    };
    let items = got.pointer(list)?.as_array()?.iter().take(MOST_ITEMS);
    let objects = items.filter_map(|item| item.pointer(below)?.as_object());
    let mut having = objects.filter(|object| object.values().any(|value| value == carried));
    let only = having.next()?;
    having.next().is_none().then_some(only)
}

/// What an operation calls a place.
pub(crate) fn place_name(api: &Api, index: OperationIndex, place: &Place) -> String {
    match place {
        Place::Parameter(at) => {
            let parameter = api.operation(index).parameters.get(*at);
            parameter.map_or_else(String::new, |parameter| parameter.name.clone())
        }
        Place::Body(pointer) => pointer.rsplit('/').next().unwrap_or("body").to_owned(),
    }
}
