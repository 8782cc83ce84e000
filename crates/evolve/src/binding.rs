//! Filling spots of a new step from steps that stand already.

use std::ops::Range;

use fossick_contract::Operation;
use fossick_graph::{Edge, Words, Yield, same_place};
use fossick_plan::{Spot, Step, connect, item_path, keys, place_of, spots_of};

use crate::creation::Reach;
use crate::dice;
use crate::sequence::{Sequence, Tie};
use crate::workshop::Workshop;

/// Keys that two operations have in common, outermost first: theirs and ours.
pub(crate) fn shared_keys(theirs: &Operation, ours: &Operation) -> Vec<(Spot, Spot)> {
    if let (Some(their_root), Some(root)) = (&theirs.graphql, &ours.graphql) {
        if their_root.thing != root.thing {
            return Vec::new();
        }
        let their_keys = keys(theirs).into_iter().rev();
        return their_keys.zip(keys(ours).into_iter().rev()).collect();
    }
    let same = |theirs_at: &Spot, ours_at: &Spot| {
        let places = item_path(theirs, theirs_at).zip(item_path(ours, ours_at));
        places.is_some_and(|(a, b)| same_place(a, b))
    };
    let pairs = keys(theirs).into_iter().zip(keys(ours));
    pairs.filter(|(a, b)| same(a, b)).collect()
}

impl Workshop<'_> {
    /// Puts a step at the end, its keys filled from the steps within reach: the same values where
    /// they work on the same thing, else what those steps give.
    pub(crate) fn place(&mut self, sequence: &mut Sequence, mut step: Step, reach: Reach) {
        let operation = self.api.operation(step.operation);
        let mut spots = keys(operation);
        if operation.graphql.is_some() {
            let needs = self.graph.needs(step.operation).iter();
            let required = needs.filter(|need| need.required);
            spots.extend(required.flat_map(|need| spots_of(&step, &need.place)));
        }
        let mut ties = Vec::new();
        for spot in spots {
            for among in [reach.own..sequence.len(), reach.since..reach.own] {
                if self.tie_key(sequence, &step, &spot, among.clone(), &mut ties)
                    || self.fill(sequence, &mut step, &spot, among, &mut ties)
                {
                    break;
                }
            }
        }
        sequence.ties.extend(ties);
        sequence.plan.steps.push(step);
        sequence.settle();
    }

    fn tie_key(
        &self,
        sequence: &Sequence,
        step: &Step,
        spot: &Spot,
        among: Range<usize>,
        ties: &mut Vec<Tie>,
    ) -> bool {
        let ours = self.api.operation(step.operation);
        for from in among.rev() {
            let theirs = self.api.operation(sequence.plan.steps[from].operation);
            let shared = shared_keys(theirs, ours);
            if let Some((theirs, _)) = shared.into_iter().find(|(_, own)| own == spot) {
                ties.push(Tie {
                    step: sequence.len(),
                    spot: spot.clone(),
                    from,
                    theirs,
                });
                return true;
            }
        }
        false
    }

    /// Fills a spot by an edge of the graph from one of these steps, the latest that fits.
    pub(crate) fn fill(
        &mut self,
        sequence: &mut Sequence,
        step: &mut Step,
        spot: &Spot,
        among: Range<usize>,
        ties: &mut Vec<Tie>,
    ) -> bool {
        let graph = self.graph;
        let Some(need) = graph.need_at(step.operation, &place_of(spot)) else {
            return false;
        };
        for edge in graph.edges(step.operation, need) {
            let mut standing = among.clone().rev();
            let from = standing.find(|at| sequence.plan.steps[*at].operation == edge.maker);
            if let Some(from) = from
                && self.join(sequence, step, spot, from, edge, ties)
            {
                return true;
            }
        }
        false
    }

    fn join(
        &mut self,
        sequence: &mut Sequence,
        step: &mut Step,
        spot: &Spot,
        from: usize,
        edge: &Edge,
        ties: &mut Vec<Tie>,
    ) -> bool {
        step.binds.retain(|bind| bind.spot != *spot);
        let mut maker = self.maker(fossick_genes::Manner::Plausible);
        if !connect(
            &mut sequence.plan,
            from,
            step,
            spot,
            &edge.yields,
            &mut maker,
        ) {
            return false;
        }
        let theirs = match &edge.yields {
            Yield::Answer(_) => return true,
            Yield::SentParameter(at) => Spot::Parameter(*at),
            Yield::SentBody(pointer) => Spot::Body(pointer.clone()),
        };
        ties.push(Tie {
            step: sequence.len(),
            spot: spot.clone(),
            from,
            theirs,
        });
        true
    }

    /// Binds steps of a handling to earlier handlings, by what the graph knows and by names: a
    /// `warehouse` is the warehouse that was handled before.
    pub(crate) fn bind_across(&mut self, sequence: &mut Sequence, handling: usize) {
        let range = sequence.range(handling);
        let earlier = range.start;
        for at in range {
            if dice::chance(self.rng, 0.5) {
                self.bind_embedded(sequence, at, earlier);
            }
            for need in self.graph.needs(sequence.plan.steps[at].operation) {
                for spot in spots_of(&sequence.plan.steps[at], &need.place) {
                    let step = &sequence.plan.steps[at];
                    let there = need.required || step.value_at(&spot).is_some();
                    if (there || self.may_add(&spot)) && !sequence.is_bound(at, &spot) {
                        self.rebind(sequence, at, &spot, earlier);
                    }
                }
            }
            self.bind_by_name(sequence, at, earlier);
        }
    }

    fn may_add(&mut self, spot: &Spot) -> bool {
        matches!(spot, Spot::Parameter(_)) && dice::chance(self.rng, 0.5)
    }

    /// Fills a spot of a step that stands from the steps before `until`.
    pub(crate) fn rebind(
        &mut self,
        sequence: &mut Sequence,
        at: usize,
        spot: &Spot,
        until: usize,
    ) -> bool {
        let mut step = sequence.plan.steps[at].clone();
        let mut ties = Vec::new();
        let filled = self.fill(sequence, &mut step, spot, 0..until.min(at), &mut ties);
        if filled {
            for tie in &mut ties {
                tie.step = at;
            }
            sequence.plan.steps[at] = step;
            insert_ties(sequence, ties);
        }
        filled
    }

    fn bind_by_name(&mut self, sequence: &mut Sequence, at: usize, earlier: usize) {
        let index = sequence.plan.steps[at].operation;
        for (spot, words) in self.resources.mentions(index) {
            if sequence.is_bound(at, spot) {
                continue;
            }
            if let Some((from, theirs)) = self.keeper(sequence, words, earlier) {
                let tie = Tie {
                    step: at,
                    spot: spot.clone(),
                    from,
                    theirs,
                };
                insert_ties(sequence, vec![tie]);
            }
        }
        sequence.settle();
    }

    /// What a step works on is what an earlier one made inside its own thing, if there is any.
    pub(crate) fn bind_embedded(&mut self, sequence: &mut Sequence, at: usize, earlier: usize) {
        let index = sequence.plan.steps[at].operation;
        let resource = self.resources.get(self.resources.of_operation(index));
        let key = own_key(self.api.operation(index));
        let Some(key) = key.filter(|key| !sequence.is_bound(at, key)) else {
            return;
        };
        let of_this = |from: usize| {
            let embedded = self.resources.embedded(sequence.plan.steps[from].operation);
            let found = embedded.iter().find(|(_, words)| *words == resource.words);
            found.map(|(theirs, _)| (from, theirs.clone()))
        };
        if let Some((from, theirs)) = (0..earlier).rev().find_map(of_this) {
            let tie = Tie {
                step: at,
                spot: key,
                from,
                theirs,
            };
            insert_ties(sequence, vec![tie]);
            sequence.settle();
        }
    }

    /// The step before `until` that works on the thing of this name, and its own key.
    fn keeper(&self, sequence: &Sequence, words: &Words, until: usize) -> Option<(usize, Spot)> {
        let is_about = |at: &usize| {
            let index = sequence.plan.steps[*at].operation;
            let resource = self.resources.of_operation(index);
            self.resources.get(resource).words == *words
        };
        let at = (0..until).rev().find(is_about)?;
        let key = own_key(self.api.operation(sequence.plan.steps[at].operation))?;
        Some((at, key))
    }
}

/// What the thing that an operation works on is known by; nothing where that is a collection.
fn own_key(operation: &Operation) -> Option<Spot> {
    let own = operation.graphql.is_some() || operation.path.ends_with_hole();
    keys(operation).pop().filter(|_| own)
}

/// Ties stay ordered by step, so that values flow forward.
fn insert_ties(sequence: &mut Sequence, ties: Vec<Tie>) {
    sequence.ties.extend(ties);
    sequence.ties.sort_by_key(|tie| tie.step);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Template;
    use crate::workshop::tests::{Bench, library, orders, shop, tracker};
    use fossick_contract::Api;

    fn shared(api: &Api, theirs: &str, ours: &str) -> Vec<(Spot, Spot)> {
        let of = |label: &str| api.operation(api.find(label).expect("declared"));
        shared_keys(of(theirs), of(ours))
    }

    #[test]
    fn keys_are_shared_as_far_as_the_paths_are_the_same() {
        let api = tracker();
        let same = |at| (Spot::Parameter(at), Spot::Parameter(at));
        assert_eq!(
            shared(
                &api,
                "POST /projects/{id}/tasks",
                "GET /projects/{id}/tasks/{task}"
            ),
            [same(0)]
        );
        let item = "GET /projects/{id}/tasks/{task}";
        assert_eq!(shared(&api, item, item), [same(0), same(1)]);
        assert_eq!(shared(&api, "POST /projects", item), []);
        let other = "GET /warehouses/{name}";
        assert_eq!(shared(&shop(), other, "GET /products/{id}"), []);
    }

    #[test]
    fn operations_about_one_graphql_type_share_its_key() {
        let api = library();
        let pairs = shared(&api, "query book", "mutation deleteBook");
        assert_eq!(pairs.len(), 1);
        assert_eq!(shared(&api, "query author", "mutation deleteBook"), []);
    }

    /// Half of the time it is the one inside, else one that nobody made.
    #[test]
    fn what_lies_inside_another_thing_is_known_by_what_was_sent() {
        let mut bench = Bench::of(orders(), 1);
        let (all, one) = (bench.resource("/orders"), bench.resource("/addresses/{id}"));
        let tied = (0..200).filter(|_| {
            let (mut workshop, mut sequence) = (bench.workshop(), Sequence::default());
            assert!(workshop.handle(&mut sequence, all, Template::Post, true));
            assert!(workshop.handle(&mut sequence, one, Template::Delete, true));
            workshop.bind_across(&mut sequence, 1);
            let steps = &sequence.plan.steps;
            let inside = steps[0].value_at(&Spot::Body("/address/id".to_owned()));
            assert!(inside.is_some() && sequence.is_sound());
            sequence.tied(1, &Spot::Parameter(0))
                && steps[1].value_at(&Spot::Parameter(0)) == inside
        });
        let tied = tied.count();
        assert!((60..140).contains(&tied), "{tied}");
    }
}
