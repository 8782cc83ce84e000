//! What schemas say of operations: an edge for each way from a producer to a consumer.

use fossick_contract::{Api, OperationIndex};
use fossick_trace::{EdgeState, Take};

use super::equals::Pair;
use super::standing::Standing;
use super::{Changes, Consumes, Repair, SchemaIndex};
use crate::{Edge, Evidence, Graph, Place, Words, Yield};

/// How well an edge fits that two equal properties make.
const SAME_FIT: f64 = 0.9;
/// And one that a recognised answer makes.
const RECOGNISED_FIT: f64 = 0.8;
/// Producers of a schema that a new consumer is joined to.
const MOST_PRODUCERS: usize = 6;

impl Graph {
    /// Says whether and how answers may change the graph.
    pub fn repair(&mut self, repair: Repair) {
        self.properties.repair = repair;
    }

    /// Hears how many requests were sent.
    pub fn sent(&mut self, requests: usize) {
        self.properties.requests += requests as u64;
    }

    pub fn changes(&self) -> Changes {
        self.properties.changes
    }

    /// Reads an answer for schemas that it was not promised to hold.
    pub(crate) fn recognise(&mut self, api: &Api, index: OperationIndex, body: &serde_json::Value) {
        let recognised = self.properties.recognise(api, index, body);
        if !recognised.is_empty() {
            self.read_edges_from(api, index);
        }
        for at in recognised {
            let produces = self.properties.produces[index.0 as usize][at].clone();
            for (consumer, property, place) in self.properties.consumers_of(produces.schema) {
                let pointer = format!(
                    "{}/{}",
                    produces.pointer,
                    fossick_contract::escape_token(&property)
                );
                self.join(api, consumer, &place, (index, pointer), RECOGNISED_FIT);
            }
        }
    }

    /// What an answer gives to others was known before it was known whose properties these are.
    fn read_edges_from(&mut self, api: &Api, maker: OperationIndex) {
        for (at, needs) in self.needs.iter().enumerate() {
            for (need, edges) in needs.iter().zip(&self.edges[at]) {
                for edge in edges.iter().filter(|edge| edge.maker == maker) {
                    self.properties
                        .read_edge(api, OperationIndex(at as u32), need, edge);
                }
            }
        }
    }

    /// Two properties mean the same: whatever takes the one may take the other.
    pub(crate) fn propagate(
        &mut self,
        api: &Api,
        (one, other): (SchemaIndex, SchemaIndex),
        pair: &Pair,
    ) {
        self.take_over(api, (one, &pair.0), (other, &pair.1));
        self.take_over(api, (other, &pair.1), (one, &pair.0));
    }

    /// Two properties do not mean the same after all: what was derived from that and never worked
    /// goes with it.
    pub(crate) fn retract(&mut self, (one, other): (SchemaIndex, SchemaIndex), pair: &Pair) {
        for (schema, property) in [(one, &pair.0), (other, &pair.1)] {
            for (consumer, at) in self.properties.derived(schema, property) {
                let place = self.properties.consumes[consumer.0 as usize][at]
                    .place
                    .clone();
                let why = "what it was derived from does not hold";
                self.properties.drop_because(consumer, at, why.to_owned());
                if let Some(need) = self.need_at(consumer, &place) {
                    self.mark(consumer, need, schema, property, true);
                }
            }
        }
    }

    /// Places that take a property, or are called like it, take its equal as well.
    fn take_over(
        &mut self,
        api: &Api,
        (known, name): (SchemaIndex, &str),
        (schema, property): (SchemaIndex, &str),
    ) {
        let mut places = self.places_called(known, name);
        let taking = self.properties.consumers_of(known).into_iter();
        places.extend(
            taking
                .filter(|(_, taken, _)| taken == name)
                .map(|(o, _, p)| (o, p)),
        );
        places.sort();
        places.dedup();
        for (consumer, place) in places {
            if self.properties.subjects[consumer.0 as usize] == Some(schema)
                && matches!(place, Place::Body(_))
            {
                continue;
            }
            self.consume(api, consumer, &place, (schema, property), (known, name));
        }
    }

    /// Needs whose name belongs to a property alone: `petId`, but not `id`.
    fn places_called(&self, schema: SchemaIndex, name: &str) -> Vec<(OperationIndex, Place)> {
        let words = Words::of(name);
        let full = words.qualified_by(&self.properties.nodes.get(schema).words);
        let mut found = Vec::new();
        for (at, needs) in self.needs.iter().enumerate() {
            for need in needs {
                let bare = Words::of(&need.name) == words && !words.is_bare();
                if bare || need.words == full {
                    found.push((OperationIndex(at as u32), need.place.clone()));
                }
            }
        }
        found
    }

    /// A property goes into a place because it equals another that does.
    fn consume(
        &mut self,
        api: &Api,
        consumer: OperationIndex,
        place: &Place,
        (schema, property): (SchemaIndex, &str),
        (known, name): (SchemaIndex, &str),
    ) {
        let properties = &mut self.properties;
        let nodes = &properties.nodes;
        let why = format!(
            "{}.{property} equals {}.{name}, which {} takes",
            nodes.get(schema).name,
            nodes.get(known).name,
            api.operation(consumer).label,
        );
        let requests = properties.requests;
        let at = properties.consumed_at(consumer, schema, property, place);
        let all = &mut properties.consumes[consumer.0 as usize];
        match at.and_then(|at| all.get_mut(at)) {
            Some(old) if old.standing.is_used() => old.standing.note(requests, why),
            Some(old) => {
                old.standing.bring_back(requests, why);
                properties.changes.returned += 1;
            }
            None => {
                all.push(Consumes {
                    schema,
                    property: Some(property.to_owned()),
                    place: place.clone(),
                    parameter: super::flows::place_name(api, consumer, place),
                    standing: Standing::added(requests, why),
                });
                properties.changes.added += 1;
            }
        }
        properties.version += 1;
        let producers = self.properties.places_of(schema);
        for (maker, above) in producers.into_iter().take(MOST_PRODUCERS) {
            let pointer = format!("{above}/{}", fossick_contract::escape_token(property));
            self.join(api, consumer, place, (maker, pointer), SAME_FIT);
        }
    }

    /// Adds the edge from an answer to a need, or brings it back.
    fn join(
        &mut self,
        api: &Api,
        consumer: OperationIndex,
        place: &Place,
        (maker, pointer): (OperationIndex, String),
        fit: f64,
    ) {
        let Some(need) = self.need_at(consumer, place).filter(|_| maker != consumer) else {
            return;
        };
        let yields = Yield::Answer(Take::Pointer(pointer));
        let edges = &mut self.edges[consumer.0 as usize][need];
        let known = edges
            .iter_mut()
            .find(|e| e.maker == maker && e.yields == yields);
        match known {
            Some(edge) if edge.removed => {
                edge.removed = false;
                edge.failed = 0;
            }
            Some(_) => {}
            None => {
                let edge = Edge::new(maker, yields, Evidence::SameProperty, fit);
                self.add(api, consumer, need, vec![edge]);
            }
        }
    }

    /// Counts what became of an edge, where nothing else was to blame, for the property that it
    /// carries, and removes what failed too often. The last way to meet a need stays: without it
    /// nothing would be learned any more.
    pub fn weigh(
        &mut self,
        consumer: OperationIndex,
        need: usize,
        maker: OperationIndex,
        yields: &Yield,
        worked: bool,
    ) {
        let on = self.properties.repair.on && need < self.needs[consumer.0 as usize].len();
        let Yield::Answer(Take::Pointer(pointer)) = yields else {
            return;
        };
        if !on {
            return;
        }
        let Some((schema, property)) = self.properties.property_at(maker, pointer) else {
            return;
        };
        let place = self.needs[consumer.0 as usize][need].place.clone();
        let at = self
            .properties
            .consumed_at(consumer, schema, &property, &place);
        let Some(at) = at else { return };
        if worked && self.properties.bring_back(consumer, at) {
            self.mark(consumer, need, schema, &property, false);
        }
        if self.properties.count(consumer, at, worked)
            && self.has_other_way(consumer, need, schema, &property)
        {
            self.properties.remove(consumer, at);
            self.mark(consumer, need, schema, &property, true);
        }
    }

    /// Hears that an operation works for the first time. Until then nobody could tell for want of what
    /// it failed, so whoever makes what it needs gets another chance.
    pub fn forgive(&mut self, consumer: OperationIndex) {
        let at = consumer.0 as usize;
        for need in 0..self.edges[at].len() {
            let edges = self.edges[at][need].iter_mut();
            let makers = edges.filter(|edge| edge.evidence.makes() && edge.worked == 0);
            let mut forgiven = Vec::new();
            for edge in makers {
                edge.failed = 0;
                if let Yield::Answer(Take::Pointer(pointer)) = &edge.yields {
                    forgiven.push((edge.maker, pointer.clone()));
                }
            }
            let place = self.needs[at][need].place.clone();
            for (maker, pointer) in forgiven {
                let Some((schema, property)) = self.properties.property_at(maker, &pointer) else {
                    continue;
                };
                let properties = &mut self.properties;
                let used = properties.consumed_at(consumer, schema, &property, &place);
                if used.is_some_and(|used| properties.forgive(consumer, used)) {
                    self.mark(consumer, need, schema, &property, false);
                }
            }
        }
    }

    pub(crate) fn has_other_way(
        &self,
        consumer: OperationIndex,
        need: usize,
        schema: SchemaIndex,
        property: &str,
    ) -> bool {
        let mut edges = self.edges[consumer.0 as usize][need].iter();
        edges.any(|edge| !edge.removed && !self.carries(edge, schema, property))
    }

    fn carries(&self, edge: &Edge, schema: SchemaIndex, property: &str) -> bool {
        let Yield::Answer(Take::Pointer(pointer)) = &edge.yields else {
            return false;
        };
        let found = self.properties.property_at(edge.maker, pointer);
        found.is_some_and(|(own, name)| own == schema && name == property)
    }

    /// Marks all edges that carry a property to a need as used no more, or as used again.
    fn mark(
        &mut self,
        consumer: OperationIndex,
        need: usize,
        schema: SchemaIndex,
        property: &str,
        removed: bool,
    ) {
        let edges = &self.edges[consumer.0 as usize][need];
        let carrying: Vec<usize> = (0..edges.len())
            .filter(|at| self.carries(&edges[*at], schema, property))
            .collect();
        for at in carrying {
            let edge = &mut self.edges[consumer.0 as usize][need][at];
            edge.removed = removed;
            if !removed {
                edge.failed = 0;
            }
        }
    }

    /// A value showed that an edge holds that had been removed.
    pub(crate) fn bring_back(
        &mut self,
        consumer: OperationIndex,
        need: usize,
        maker: OperationIndex,
        pointer: &str,
    ) {
        let Some((schema, property)) = self.properties.property_at(maker, pointer) else {
            return;
        };
        let place = self.needs[consumer.0 as usize][need].place.clone();
        let at = self
            .properties
            .consumed_at(consumer, schema, &property, &place);
        if at.is_some_and(|at| self.properties.bring_back(consumer, at)) {
            self.mark(consumer, need, schema, &property, false);
        }
    }
}

impl super::Properties {
    /// Counts a use. Tells whether it is hopeless and was not known to be.
    pub(crate) fn count(&mut self, consumer: OperationIndex, at: usize, worked: bool) -> bool {
        let tries = self.repair.tries;
        let all = &mut self.consumes[consumer.0 as usize];
        all[at].standing.count(worked);
        let others = all.iter().filter(|other| other.place == all[at].place);
        let another_works = { others }.any(|other| other.standing.surely_works());
        let standing = &all[at].standing;
        standing.is_used() && standing.is_hopeless(tries, another_works)
    }

    pub(crate) fn remove(&mut self, consumer: OperationIndex, at: usize) {
        let standing = &self.consumes[consumer.0 as usize][at].standing;
        let (worked, failed) = (standing.worked, standing.failed);
        let why = format!("it failed {failed} times and worked {worked} times");
        self.drop_because(consumer, at, why);
    }

    fn drop_because(&mut self, consumer: OperationIndex, at: usize, why: String) {
        let requests = self.requests;
        let standing = &mut self.consumes[consumer.0 as usize][at].standing;
        standing.remove(requests, why);
        self.changes.removed += 1;
        self.version += 1;
    }

    /// Uses of a property that were learned, and that no success speaks for.
    fn derived(&self, schema: SchemaIndex, property: &str) -> Vec<(OperationIndex, usize)> {
        let mut found = Vec::new();
        for (at, consumed) in self.consumes.iter().enumerate() {
            let own = consumed.iter().enumerate().filter(|(_, consumes)| {
                let learned = consumes.standing.state == EdgeState::Added;
                let it =
                    consumes.schema == schema && consumes.property.as_deref() == Some(property);
                it && learned && consumes.standing.worked == 0
            });
            found.extend(own.map(|(place, _)| (OperationIndex(at as u32), place)));
        }
        found
    }

    /// Tells whether it had been removed.
    fn bring_back(&mut self, consumer: OperationIndex, at: usize) -> bool {
        self.take_back(consumer, at, "a value of it worked after all")
    }

    /// Forgets its failures. Tells whether it had been removed for them.
    fn forgive(&mut self, consumer: OperationIndex, at: usize) -> bool {
        self.consumes[consumer.0 as usize][at].standing.failed = 0;
        self.take_back(consumer, at, "it may have failed for something else")
    }

    fn take_back(&mut self, consumer: OperationIndex, at: usize, why: &str) -> bool {
        let requests = self.requests;
        let standing = &mut self.consumes[consumer.0 as usize][at].standing;
        if standing.is_used() {
            return false;
        }
        standing.bring_back(requests, why.to_owned());
        self.changes.returned += 1;
        self.version += 1;
        true
    }

    /// Places that take a property of a schema.
    pub(crate) fn consumers_of(&self, schema: SchemaIndex) -> Vec<(OperationIndex, String, Place)> {
        let mut found = Vec::new();
        for (at, consumed) in self.consumes.iter().enumerate() {
            let used = consumed
                .iter()
                .filter(|c| c.schema == schema && c.standing.is_used());
            found.extend(used.filter_map(|consumes| {
                let property = consumes.property.clone()?;
                Some((OperationIndex(at as u32), property, consumes.place.clone()))
            }));
        }
        found
    }

    /// Where objects of a schema stand in answers: what they are about first.
    pub(crate) fn places_of(&self, schema: SchemaIndex) -> Vec<(OperationIndex, String)> {
        let mut found = Vec::new();
        for maker in self.producers.get(&schema).into_iter().flatten() {
            let produced = self.produces[maker.0 as usize].iter();
            let used = produced.filter(|p| p.schema == schema && p.standing.is_used());
            found.extend(used.map(|p| (!p.own, p.listed, *maker, p.pointer.clone())));
        }
        found.sort();
        found
            .into_iter()
            .map(|(_, _, maker, pointer)| (maker, pointer))
            .collect()
    }
}
