//! Needs that are called after a thing: whatever identifies the thing in its own path meets them.

use fossick_contract::{
    Api, Deed, Kind, Location, Operation, OperationIndex, Property, ShapeId, escape_token,
};

use super::{Graph, keep_best};
use crate::resources::{Resource, Resources};
use crate::{Edge, Evidence, Need, Place, Words};

impl Graph {
    /// Finds out what things there are, and joins whoever refers to them.
    pub(super) fn read_resources(&mut self, api: &Api) {
        self.resources = Resources::of(api, |index| self.hole_of(api, index));
        for (consumer, _) in api.indexed() {
            let at = consumer.0 as usize;
            for need in 0..self.needs[at].len() {
                let new = self.edges_by_resource(api, consumer, &self.needs[at][need], |_| true);
                self.edges[at][need].extend(new);
                each_once(&mut self.edges[at][need]);
                keep_best(&mut self.edges[at][need]);
            }
            for need in std::mem::take(&mut self.doubtful[at]) {
                let mut edges = self.edges_by_resource(api, consumer, &need, |_| true);
                if edges.is_empty() {
                    self.doubtful[at].push(need);
                    continue;
                }
                keep_best(&mut edges);
                self.needs[at].push(need);
                self.edges[at].push(edges);
            }
        }
    }

    /// Where whoever makes something says under which key it is to be kept.
    pub fn own_keys(&self, api: &Api, index: OperationIndex) -> Vec<Place> {
        let operation = api.operation(index);
        if operation.deed() != Deed::Create || self.is_typed() {
            return Vec::new();
        }
        let content = operation.body.as_ref().and_then(|b| b.contents.first());
        let shape = content.and_then(|content| content.shape);
        let Some(Kind::Object(object)) = shape.map(|shape| &api.shape(shape).kind) else {
            return Vec::new();
        };
        let is_key = |property: &&Property| {
            let words = Words::of(&property.name);
            let sent = !api.shape(property.shape).read_only;
            sent && self.resources.is_key_at(&operation.path.text, &words)
        };
        let keys = object.properties.iter().filter(is_key);
        keys.map(|key| Place::Body(format!("/{}", escape_token(&key.name))))
            .collect()
    }

    fn hole_of(&self, api: &Api, index: OperationIndex) -> Option<(usize, ShapeId)> {
        let need = self.last_hole(api, index)?;
        Some((need, self.needs(index)[need].shape))
    }

    /// Somebody was seen to give more than was known: whoever refers to such things may take it.
    pub(super) fn connect_resources(&mut self, api: &Api, maker: OperationIndex) {
        let from = |edge: &Edge| edge.maker == maker;
        for (consumer, _) in api.indexed().filter(|(consumer, _)| *consumer != maker) {
            let at = consumer.0 as usize;
            for need in 0..self.needs[at].len() {
                let edges = self.edges_by_resource(api, consumer, &self.needs[at][need], from);
                self.add(api, consumer, need, edges);
            }
            for need in std::mem::take(&mut self.doubtful[at]) {
                let edges = self.edges_by_resource(api, consumer, &need, from);
                if edges.is_empty() {
                    self.doubtful[at].push(need);
                    continue;
                }
                let need = self.need_like(consumer, need);
                self.add(api, consumer, need, edges);
            }
        }
    }

    /// What fills the hole of a thing's own path, for a need that is called after the thing.
    fn edges_by_resource(
        &self,
        api: &Api,
        consumer: OperationIndex,
        need: &Need,
        wanted: impl Fn(&Edge) -> bool,
    ) -> Vec<Edge> {
        let operation = api.operation(consumer);
        let in_path = is_hole(operation, need);
        let mut edges = Vec::new();
        for (resource, fit) in self.resources.meant_by(api, operation, need) {
            let ways = self
                .ways_to_fill(resource)
                .filter(|way| way.maker != consumer);
            edges.extend(ways.filter(|way| wanted(way)).map(|way| {
                // What stands at another path is not what the maker makes, only called after it.
                let evidence = if in_path {
                    Evidence::SameName
                } else {
                    way.evidence
                };
                Edge::new(way.maker, way.yields.clone(), evidence, way.fit * fit)
            }));
        }
        edges
    }

    /// The same for a need that only a sentence tells of, by the things that it names.
    pub(super) fn edges_by_words(
        &self,
        api: &Api,
        consumer: OperationIndex,
        need: &Need,
        said: &Words,
    ) -> Vec<Edge> {
        const TOLD: f64 = 0.9;
        let mut edges = self.edges_by_resource(api, consumer, need, |_| true);
        for resource in self.resources.named_in(api, need, said) {
            let ways = self.ways_to_fill(resource);
            let ways = ways.filter(|way| way.maker != consumer);
            edges.extend(ways.map(|way| {
                let fit = way.fit * TOLD;
                Edge::new(way.maker, way.yields.clone(), way.evidence, fit)
            }));
        }
        each_once(&mut edges);
        edges
    }

    fn ways_to_fill(&self, resource: &Resource) -> impl Iterator<Item = &Edge> {
        let ways = self.edges[resource.operation.0 as usize].get(resource.need);
        let told = |edge: &&Edge| {
            let evidence = edge.evidence;
            (evidence.makes() || evidence == Evidence::Lister) && !edge.removed
        };
        ways.into_iter().flatten().filter(told)
    }
}

/// Whether a need is a hole of the path.
fn is_hole(operation: &Operation, need: &Need) -> bool {
    let Place::Parameter(at) = need.place else {
        return false;
    };
    let parameter = operation.parameters.get(at);
    parameter.is_some_and(|parameter| parameter.location == Location::Path)
}

/// Keeps the first of equal ways.
fn each_once(edges: &mut Vec<Edge>) {
    let all = std::mem::take(edges);
    for edge in all {
        let same = |e: &Edge| e.maker == edge.maker && e.yields == edge.yields;
        if !edges.iter().any(same) {
            edges.push(edge);
        }
    }
}
