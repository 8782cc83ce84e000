//! Which resource depends on which, with how much we believe it.
//!
//! A relation begins without a direction, as names and tables suggest it; what tests reach tells
//! which way it goes. A probability only ever rises: one test in which nothing changed proves
//! nothing.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use fossick_genes::Rng;

use crate::{ResourceId, dice};

/// One dependency, for reports.
#[derive(Debug, Clone, PartialEq)]
pub struct Dependency {
    pub dependent: ResourceId,
    pub on: ResourceId,
    pub probability: f64,
    /// False where it is not known which of the two depends on the other.
    pub directed: bool,
    /// In the order of [`Evidence`].
    pub evidence: Vec<Evidence>,
}

/// What suggested it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Evidence {
    /// Names in the document.
    Schema,
    /// Both touched the same tables.
    Tables,
    /// What tests reached changed with the other resource.
    Fitness,
}

/// What is known of two resources, the lower id first.
#[derive(Debug, Clone, Default)]
struct Link {
    either: f64,
    /// The first depends on the second.
    forward: f64,
    /// The second depends on the first.
    backward: f64,
    evidence: BTreeSet<Evidence>,
}

impl Link {
    fn probability(&self) -> f64 {
        self.either.max(self.forward).max(self.backward)
    }
}

#[derive(Debug, Default)]
pub(crate) struct Dependencies {
    links: BTreeMap<(ResourceId, ResourceId), Link>,
    /// Pairs that are believed at all, in the order of finding.
    related: Vec<(ResourceId, ResourceId)>,
    neighbours: Vec<Vec<ResourceId>>,
    by_table: HashMap<String, BTreeSet<ResourceId>>,
}

impl Dependencies {
    pub(crate) fn new(resources: usize) -> Self {
        Self {
            neighbours: vec![Vec::new(); resources],
            ..Self::default()
        }
    }

    /// The two have to do with each other.
    pub(crate) fn relate(
        &mut self,
        a: ResourceId,
        b: ResourceId,
        probability: f64,
        evidence: Evidence,
    ) {
        self.link(a, b, evidence, |link, _| {
            raise(&mut link.either, probability)
        });
    }

    /// `update(DD, p)`: one depends on the other with at least this probability. Zero is a note
    /// that it was looked at.
    pub(crate) fn depend(&mut self, dependent: ResourceId, on: ResourceId, probability: f64) {
        self.link(dependent, on, Evidence::Fitness, |link, turned| {
            let way = if turned {
                &mut link.backward
            } else {
                &mut link.forward
            };
            raise(way, probability)
        });
    }

    fn link(
        &mut self,
        a: ResourceId,
        b: ResourceId,
        evidence: Evidence,
        change: impl FnOnce(&mut Link, bool) -> bool,
    ) {
        if a == b {
            return;
        }
        let pair = (a.min(b), a.max(b));
        let link = self.links.entry(pair).or_default();
        let before = link.probability();
        if change(link, a > b) {
            link.evidence.insert(evidence);
        }
        if before <= 0.0 && link.probability() > 0.0 {
            self.related.push(pair);
            self.neighbours[pair.0.0 as usize].push(pair.1);
            self.neighbours[pair.1.0 as usize].push(pair.0);
        }
    }

    /// A call on a resource touched these tables: it has to do with all others that did.
    pub(crate) fn touch(&mut self, resource: ResourceId, tables: &[String]) {
        for table in tables {
            let users = self.by_table.entry(table.clone()).or_default();
            if !users.insert(resource) {
                continue;
            }
            let others: Vec<ResourceId> = users.iter().copied().collect();
            for other in others {
                self.relate(resource, other, 1.0, Evidence::Tables);
            }
        }
    }

    /// How likely the first depends on the second; a relation without a direction counts both
    /// ways, until one is known.
    #[cfg(test)]
    pub(crate) fn probability(&self, dependent: ResourceId, on: ResourceId) -> f64 {
        let pair = (dependent.min(on), dependent.max(on));
        let Some(link) = self.links.get(&pair) else {
            return 0.0;
        };
        match (link.forward.max(link.backward) > 0.0, dependent > on) {
            (false, _) => link.either,
            (true, false) => link.forward,
            (true, true) => link.backward,
        }
    }

    /// How likely the order of two resources is wrong: the first is known to depend on the second
    /// more than the second on the first.
    pub(crate) fn wrong_order(&self, first: ResourceId, second: ResourceId) -> f64 {
        let pair = (first.min(second), first.max(second));
        let Some(link) = self.links.get(&pair) else {
            return 0.0;
        };
        let (ahead, back) = if first > second {
            (link.backward, link.forward)
        } else {
            (link.forward, link.backward)
        };
        if ahead > back { ahead } else { 0.0 }
    }

    /// Whether anything was ever noted of two resources.
    pub(crate) fn is_known(&self, a: ResourceId, b: ResourceId) -> bool {
        self.links.contains_key(&(a.min(b), a.max(b)))
    }

    pub(crate) fn are_related(&self, a: ResourceId, b: ResourceId) -> bool {
        self.related_to(a).contains(&b)
    }

    pub(crate) fn related_to(&self, resource: ResourceId) -> &[ResourceId] {
        let found = self.neighbours.get(resource.0 as usize);
        found.map_or(&[], Vec::as_slice)
    }

    /// A related pair of resources that fit, what is depended on first; either way round where
    /// nobody knows.
    pub(crate) fn draw_pair(
        &self,
        rng: &mut Rng,
        fits: impl Fn(ResourceId) -> bool,
    ) -> Option<(ResourceId, ResourceId)> {
        let pairs = self.related.iter().copied();
        let fitting: Vec<_> = pairs.filter(|(a, b)| fits(*a) && fits(*b)).collect();
        let (a, b) = dice::pick(rng, &fitting)?;
        let turn = match (self.wrong_order(a, b) > 0.0, self.wrong_order(b, a) > 0.0) {
            (true, _) => true,
            (_, true) => false,
            _ => dice::chance(rng, 0.5),
        };
        Some(if turn { (b, a) } else { (a, b) })
    }

    /// Everything that is believed, in the order of resources.
    pub(crate) fn iter(&self) -> impl Iterator<Item = Dependency> {
        self.links.iter().flat_map(|((a, b), link)| {
            let directed = link.forward.max(link.backward) > 0.0;
            let one = |dependent: ResourceId, on: ResourceId, probability: f64| Dependency {
                dependent,
                on,
                probability,
                directed,
                evidence: link.evidence.iter().copied().collect(),
            };
            let ways = if directed {
                vec![one(*a, *b, link.forward), one(*b, *a, link.backward)]
            } else {
                vec![one(*a, *b, link.either)]
            };
            ways.into_iter().filter(|d| d.probability > 0.0)
        })
    }
}

/// Takes the larger; tells whether that is new.
fn raise(known: &mut f64, probability: f64) -> bool {
    let rises = probability > *known;
    if rises {
        *known = probability;
    }
    rises
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::SeedableRng as _;

    const A: ResourceId = ResourceId(0);
    const B: ResourceId = ResourceId(1);
    const C: ResourceId = ResourceId(2);

    #[test]
    fn a_probability_only_rises() {
        let mut all = Dependencies::new(3);
        all.depend(A, B, 0.5);
        all.depend(A, B, 0.0);
        assert_eq!(all.probability(A, B), 0.5);
        all.depend(A, B, 1.0);
        assert_eq!(all.probability(A, B), 1.0);
        assert_eq!(all.probability(B, A), 0.0);
    }

    #[test]
    fn a_relation_gets_its_direction_from_what_tests_reach() {
        let mut all = Dependencies::new(3);
        all.relate(A, B, 0.7, Evidence::Schema);
        assert_eq!(all.probability(A, B), 0.7);
        assert_eq!(all.probability(B, A), 0.7);
        assert!(all.iter().all(|d| !d.directed));
        all.depend(B, A, 1.0);
        assert_eq!(all.probability(A, B), 0.0);
        let told: Vec<Dependency> = all.iter().collect();
        assert_eq!(told.len(), 1);
        assert_eq!((told[0].dependent, told[0].on), (B, A));
        assert_eq!(told[0].evidence, [Evidence::Schema, Evidence::Fitness]);
        assert_eq!(all.wrong_order(B, A), 1.0);
        assert_eq!(all.wrong_order(A, B), 0.0);
    }

    #[test]
    fn a_note_of_zero_is_known_and_not_believed() {
        let mut all = Dependencies::new(3);
        all.depend(A, B, 0.0);
        assert!(all.is_known(B, A) && !all.are_related(A, B));
        assert_eq!(all.iter().count(), 0);
        assert!(!all.is_known(A, C));
    }

    #[test]
    fn resources_of_one_table_are_related_for_sure() {
        let mut all = Dependencies::new(3);
        all.touch(A, &["products".to_owned()]);
        assert!(!all.are_related(A, B));
        all.touch(B, &["log", "products"].map(str::to_owned));
        assert_eq!(all.probability(A, B), 1.0);
        assert!(!all.are_related(A, C));
    }

    #[test]
    fn a_pair_comes_with_what_is_depended_on_first() {
        let mut rng = Rng::seed_from_u64(1);
        let mut all = Dependencies::new(3);
        assert_eq!(all.draw_pair(&mut rng, |_| true), None);
        all.relate(A, B, 0.7, Evidence::Schema);
        let ways: BTreeSet<_> = (0..30)
            .filter_map(|_| all.draw_pair(&mut rng, |_| true))
            .collect();
        assert_eq!(ways.len(), 2);
        all.depend(A, B, 0.5);
        assert!((0..30).all(|_| all.draw_pair(&mut rng, |_| true) == Some((B, A))));
        assert_eq!(all.draw_pair(&mut rng, |id| id != B), None);
    }

    #[test]
    fn nothing_depends_on_itself() {
        let mut all = Dependencies::new(3);
        all.depend(A, A, 1.0);
        assert_eq!(all.iter().count(), 0);
    }
}
