//! References that only the service knew of, until it refused one.
//!
//! `Key (project)=(x) is not present in table "projects"` is worth more than any likeness of
//! names: from then on the field is a need, and whatever makes such things meets it.

use std::collections::BTreeSet;

use fossick_contract::{Api, Deed, Method, OperationIndex, ShapeId};

use super::Graph;
use crate::need::{need_called, need_in};
use crate::path_words::{thing, told_by_table};
use crate::{Edge, Evidence, Need, Place, Words, graphql};

impl Graph {
    /// Hears that a field of an operation holds a key of a table. `key` is what the table calls
    /// it, empty where nobody says. Tells whether there is a way to meet it now.
    pub fn refer(
        &mut self,
        api: &Api,
        operation: OperationIndex,
        field: &Words,
        table: &Words,
        key: &Words,
    ) -> bool {
        let told = (operation, field.clone(), table.clone());
        let deaf = !self.properties.repair.on || field.is_empty() || table.is_empty();
        if deaf || !self.referred.insert(told) {
            return false;
        }
        let found = if self.is_typed() {
            graphql::referred(api, operation, field, table, key)
        } else {
            self.referred_by_path(api, operation, field, table, key)
        };
        let Some((need, edges)) = found.filter(|(_, edges)| !edges.is_empty()) else {
            return false;
        };
        let need = self.need_like(operation, need);
        self.trust(api, operation, need, edges);
        self.forget_readers();
        true
    }

    /// The need at the same place; a new one if there is none yet.
    pub(super) fn need_like(&mut self, operation: OperationIndex, need: Need) -> usize {
        if let Some(known) = self.need_at(operation, &need.place) {
            return known;
        }
        let at = operation.0 as usize;
        self.needs[at].push(need);
        self.edges[at].push(Vec::new());
        self.needs[at].len() - 1
    }

    /// Adds edges that are as good as declared; those that are there keep their record.
    fn trust(&mut self, api: &Api, operation: OperationIndex, need: usize, edges: Vec<Edge>) {
        let known = &mut self.edges[operation.0 as usize][need];
        for edge in &edges {
            let same = |e: &&mut Edge| e.maker == edge.maker && e.yields == edge.yields;
            if let Some(old) = known.iter_mut().find(same) {
                old.evidence = edge.evidence;
                old.fit = old.fit.max(edge.fit);
            }
        }
        self.add(api, operation, need, edges);
    }

    /// REST: the collection whose last word is the table's makes and lists what is referred to.
    fn referred_by_path(
        &self,
        api: &Api,
        consumer: OperationIndex,
        field: &Words,
        table: &Words,
        key: &Words,
    ) -> Option<(Need, Vec<Edge>)> {
        let need = need_called(api, api.operation(consumer), field)?;
        let mut wanted = need.clone();
        if !key.is_empty() {
            wanted.words = key.qualified_by(table);
        }
        let likeness = |index| told_by_table(table, &thing(&api.operation(index).path));
        let others = || api.indexed().map(|(i, _)| i).filter(|i| *i != consumer);
        let best = others().map(likeness).max().filter(|best| *best > 0)?;
        let mut edges = Vec::new();
        for maker in others().filter(|maker| likeness(*maker) == best) {
            let operation = api.operation(maker);
            match operation.method {
                _ if operation.path.ends_with_hole() => {}
                Method::Post => self.creator_edges(api, maker, &wanted, &mut edges),
                Method::Get => self.lister_edges(maker, &wanted, &mut edges),
                _ => {}
            }
        }
        Some((need, edges))
    }
}

impl Graph {
    /// Hears that a service did not find what a place of a call names. `said` are the words that
    /// it used: they, or the field's own name, tell which thing is meant. Tells whether there is a
    /// way to make it now that was not there before.
    pub fn misses(
        &mut self,
        api: &Api,
        operation: OperationIndex,
        place: &Place,
        said: &Words,
    ) -> bool {
        let known = self.need_at(operation, place);
        let met = known.is_some_and(|need| !self.edges[operation.0 as usize][need].is_empty());
        if met || !self.properties.repair.on || self.is_typed() {
            return false;
        }
        let found = need_in(api, api.operation(operation), place);
        let Some(need) = found.filter(|need| !told_of(&self.referred, operation, need)) else {
            return false;
        };
        let told = (operation, need.words.clone(), Words::default());
        self.referred.insert(told);
        let edges = self.edges_by_words(api, operation, &need, said);
        if edges.is_empty() {
            return false;
        }
        let need = self.need_like(operation, need);
        self.add(api, operation, need, edges);
        self.forget_readers();
        true
    }
}

impl Graph {
    /// Hears that what was brought to a need names nothing there: names have led astray. Whatever
    /// else can be made or listed is tried from now on; what works will show. Tells whether there is
    /// anything new.
    pub fn widen(&mut self, api: &Api, operation: OperationIndex, need: usize) -> bool {
        const DOUBTFUL: f64 = 0.6;
        const MOST: usize = 8;
        let at = operation.0 as usize;
        let Some(wanted) = self.needs[at].get(need) else {
            return false;
        };
        let told = (operation, wanted.words.clone(), Words::of("anything"));
        if !self.properties.repair.on || !self.referred.insert(told) {
            return false;
        }
        let kind = |shape: ShapeId| std::mem::discriminant(&api.shape(shape).kind);
        let wanted = kind(wanted.shape);
        let own = &self.edges[at][need];
        let mut found: Vec<Edge> = Vec::new();
        for (needs, edges) in self.needs.iter().zip(&self.edges) {
            let alike = needs
                .iter()
                .zip(edges)
                .filter(|(n, _)| kind(n.shape) == wanted);
            for edge in alike.flat_map(|(_, edges)| edges) {
                let same = |e: &Edge| e.maker == edge.maker && e.yields == edge.yields;
                let gives = matches!(edge.evidence, Evidence::Creator | Evidence::Lister);
                let news = !own.iter().any(same) && !found.iter().any(same);
                if gives && news && edge.maker != operation && !edge.removed {
                    let yields = edge.yields.clone();
                    found.push(Edge::new(edge.maker, yields, Evidence::SeenValue, DOUBTFUL));
                }
            }
        }
        // Those that make things first: what they give is there for sure.
        let lists = |edge: &Edge| api.operation(edge.maker).deed() == Deed::Read;
        found.sort_by_key(lists);
        found.truncate(MOST);
        let news = !found.is_empty();
        self.add(api, operation, need, found);
        news
    }
}

fn told_of(
    referred: &BTreeSet<(OperationIndex, Words, Words)>,
    operation: OperationIndex,
    need: &Need,
) -> bool {
    referred.contains(&(operation, need.words.clone(), Words::default()))
}
