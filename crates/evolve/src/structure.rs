//! Changing structure: which resources a test handles, in which order and how.
//!
//! With a view to dependencies, what has nothing to do with the rest goes first, what has comes
//! in, and orders that look wrong are put right. Without resources it is a call more or one fewer.

use fossick_contract::Deed;

use crate::creation::Reach;
use crate::sequence::{Lost, Move, Sequence};
use crate::workshop::Workshop;
use crate::{Operator, Resource, ResourceId, Template, dice};

/// What is to be done with a handling; where, comes later.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Delete,
    Swap,
    Add,
    Replace,
    Modify,
}

const TRIES: usize = 8;

impl Workshop<'_> {
    /// Another structure; none if nothing was found that fits.
    pub(crate) fn change_structure(
        &mut self,
        sequence: &Sequence,
        dependent: bool,
    ) -> Option<(Sequence, Operator)> {
        if self.settings.resources.is_none() {
            return self.change_calls(sequence);
        }
        for _ in 0..TRIES {
            let kind = self.draw_kind(sequence)?;
            let found = match kind {
                Kind::Delete => self.delete(sequence, dependent),
                Kind::Swap => self.swap(sequence, dependent),
                Kind::Add => self.add(sequence, dependent),
                Kind::Replace => self.replace(sequence, dependent),
                Kind::Modify => self.modify(sequence, dependent),
            };
            if found.is_some() {
                return found;
            }
        }
        None
    }

    fn draw_kind(&mut self, sequence: &Sequence) -> Option<Kind> {
        let mut kinds = vec![Kind::Replace, Kind::Modify];
        if sequence.handlings.len() > 1 {
            kinds.extend([Kind::Delete, Kind::Swap]);
        }
        if sequence.len() < self.settings.max_test_size {
            kinds.push(Kind::Add);
        }
        dice::pick(self.rng, &kinds).filter(|_| !sequence.handlings.is_empty())
    }

    /// A call of any operation comes or goes.
    fn change_calls(&mut self, sequence: &Sequence) -> Option<(Sequence, Operator)> {
        let count = sequence.handlings.len();
        let full = sequence.len() >= self.settings.max_test_size;
        let removes = count > 1 && (full || dice::chance(self.rng, 0.5));
        if removes {
            let at = dice::index(self.rng, count);
            return Some(self.without(sequence, at));
        }
        if full || self.api.operations.is_empty() {
            return None;
        }
        let at = dice::index(self.rng, count + 1);
        let changed = self.spliced(sequence, at, at, false, |workshop, to| {
            let before = to.len();
            workshop.add_random_call(to);
            to.len() > before
        })?;
        Some((changed, Operator::Add { at }))
    }

    fn without(&mut self, sequence: &Sequence, at: usize) -> (Sequence, Operator) {
        let order: Vec<usize> = (0..sequence.handlings.len()).filter(|h| *h != at).collect();
        let (mut changed, lost) = sequence.rearranged(&order);
        self.mend(&mut changed, &lost);
        (changed, Operator::Delete { at })
    }

    /// A handling that has nothing to do with the others, if there is one and it matters.
    fn spare(&mut self, sequence: &Sequence, dependent: bool) -> usize {
        let handlings = &sequence.handlings;
        let is_spare = |at: &usize| {
            let own = handlings[*at].resource;
            let mut others = handlings
                .iter()
                .enumerate()
                .filter(|(other, _)| other != at);
            !others
                .any(|(_, h)| h.resource == own || self.dependencies.are_related(own, h.resource))
        };
        let spare: Vec<usize> = (0..handlings.len())
            .filter(|at| dependent && is_spare(at))
            .collect();
        let any = dice::index(self.rng, handlings.len());
        dice::pick(self.rng, &spare).unwrap_or(any)
    }

    fn delete(&mut self, sequence: &Sequence, dependent: bool) -> Option<(Sequence, Operator)> {
        let at = self.spare(sequence, dependent);
        (sequence.handlings.len() > 1).then(|| self.without(sequence, at))
    }

    fn swap(&mut self, sequence: &Sequence, dependent: bool) -> Option<(Sequence, Operator)> {
        let informed = if dependent {
            self.informed_swap(sequence)
        } else {
            None
        };
        let (a, b) = informed.or_else(|| self.any_pair(sequence.handlings.len()))?;
        let mut order: Vec<usize> = (0..sequence.handlings.len()).collect();
        order.swap(a, b);
        let (mut changed, lost) = sequence.rearranged(&order);
        self.mend(&mut changed, &lost);
        if dependent {
            self.bind_from(&mut changed, a);
        }
        Some((changed, Operator::Swap { a, b }))
    }

    fn any_pair(&mut self, count: usize) -> Option<(usize, usize)> {
        let a = dice::index(self.rng, count);
        let b = dice::index(self.rng, count.checked_sub(1)?);
        let b = if b >= a { b + 1 } else { b };
        (a != b && b < count).then_some((a.min(b), a.max(b)))
    }

    /// Adjust what is likely in the wrong order, attempt what is perhaps, explore what is unknown.
    fn informed_swap(&mut self, sequence: &Sequence) -> Option<(usize, usize)> {
        let likely = self.settings.resources.as_ref()?.likely;
        let mut strategies: [Vec<(usize, usize)>; 3] = Default::default();
        let handlings = &sequence.handlings;
        for a in 0..handlings.len() {
            for b in a + 1..handlings.len() {
                let (first, second) = (handlings[a].resource, handlings[b].resource);
                let wrong = self.dependencies.wrong_order(first, second);
                let strategy = match wrong {
                    wrong if wrong >= likely => 0,
                    wrong if wrong > 0.0 => 1,
                    _ if first != second && !self.dependencies.is_known(first, second) => 2,
                    _ => continue,
                };
                strategies[strategy].push((a, b));
            }
        }
        let open: Vec<&Vec<_>> = strategies.iter().filter(|s| !s.is_empty()).collect();
        let strategy = dice::pick(self.rng, &open)?;
        dice::pick(self.rng, strategy)
    }

    fn add(&mut self, sequence: &Sequence, dependent: bool) -> Option<(Sequence, Operator)> {
        let resource = self.newcomer(sequence, None, dependent)?;
        let at = self.seat(sequence, resource, dependent);
        let changed = self.insert(sequence, at, at, resource, None, dependent)?;
        Some((changed, Operator::Add { at }))
    }

    fn replace(&mut self, sequence: &Sequence, dependent: bool) -> Option<(Sequence, Operator)> {
        let at = self.spare(sequence, dependent);
        let resource = self.newcomer(sequence, Some(at), dependent)?;
        let old = (resource == sequence.handlings[at].resource)
            .then_some(sequence.handlings[at].template)
            .flatten();
        let changed = self.insert(sequence, at, at + 1, resource, old, dependent)?;
        Some((changed, Operator::Replace { at }))
    }

    fn modify(&mut self, sequence: &Sequence, dependent: bool) -> Option<(Sequence, Operator)> {
        let at = dice::index(self.rng, sequence.handlings.len());
        let old = sequence.handlings.get(at)?;
        let (resource, template) = (old.resource, old.template);
        let changed = self.insert(sequence, at, at + 1, resource, template, dependent)?;
        Some((changed, Operator::Modify { at }))
    }

    /// What a creation met, for it was refused, is taken away behind it, and it is tried once more
    /// below the same parents.
    pub(crate) fn make_way(
        &mut self,
        sequence: &Sequence,
        refused: usize,
    ) -> Option<(Sequence, Operator)> {
        let resource = sequence.handlings.get(refused)?.resource;
        let words = &self.resources.get(resource).words;
        let removes = |(id, other): (ResourceId, &Resource)| {
            (other.words == *words && other.has(Deed::Delete)).then_some(id)
        };
        let removers: Vec<ResourceId> = self.resources.iter().filter_map(removes).collect();
        let remover = dice::pick(self.rng, &removers)?;
        let mut changed = sequence.clone();
        let at = changed.handlings.len();
        for (next, (resource, template)) in
            [(remover, Template::Delete), (resource, Template::Post)]
                .into_iter()
                .enumerate()
        {
            let own = changed.len();
            // Whatever the refused creation is called by, that is not there.
            let since = if template == Template::Post { 0 } else { own };
            if !self.handle_within(&mut changed, resource, template, Reach { own, since }) {
                return None;
            }
            self.bind_embedded(&mut changed, own, own);
            self.bind_across(&mut changed, at + next);
        }
        Some((changed, Operator::Add { at }))
    }

    /// A resource to bring in: one that has to do with those that stay, else any.
    fn newcomer(
        &mut self,
        sequence: &Sequence,
        leaving: Option<usize>,
        dependent: bool,
    ) -> Option<ResourceId> {
        let staying = sequence.handlings.iter().enumerate();
        let staying = staying.filter(|(at, _)| Some(*at) != leaving);
        let staying: Vec<ResourceId> = staying.map(|(_, h)| h.resource).collect();
        let related = staying.iter().filter(|_| dependent);
        let related = related.flat_map(|r| self.dependencies.related_to(*r));
        let related: Vec<ResourceId> = related.copied().filter(|r| !staying.contains(r)).collect();
        let any = ResourceId(dice::index(self.rng, self.resources.len()) as u32);
        let chosen = dice::pick(self.rng, &related).unwrap_or(any);
        (chosen.0 < self.resources.len() as u32).then_some(chosen)
    }

    /// Where a newcomer belongs: before what depends on it, behind what it depends on, else
    /// anywhere.
    fn seat(&mut self, sequence: &Sequence, resource: ResourceId, dependent: bool) -> usize {
        let handlings = &sequence.handlings;
        let needs_it = |r: ResourceId| self.dependencies.wrong_order(r, resource) > 0.0;
        let it_needs = |r: ResourceId| self.dependencies.wrong_order(resource, r) > 0.0;
        let (mut low, mut high) = (0, handlings.len());
        if dependent {
            let first = handlings.iter().position(|h| needs_it(h.resource));
            high = first.unwrap_or(high);
            let last = handlings.iter().rposition(|h| it_needs(h.resource));
            low = last.map_or(low, |at| at + 1).min(high);
        }
        dice::size(self.rng, low, high)
    }

    fn insert(
        &mut self,
        sequence: &Sequence,
        at: usize,
        rest: usize,
        resource: ResourceId,
        not: Option<Template>,
        dependent: bool,
    ) -> Option<Sequence> {
        let template = self.other_template(resource, not)?;
        self.spliced(sequence, at, rest, dependent, |workshop, to| {
            workshop.handle(to, resource, template, dependent)
        })
    }

    /// The handlings before `at`, what is added, and those from `rest` on.
    fn spliced(
        &mut self,
        sequence: &Sequence,
        at: usize,
        rest: usize,
        dependent: bool,
        add: impl FnOnce(&mut Self, &mut Sequence) -> bool,
    ) -> Option<Sequence> {
        let mut moved = Move::new(sequence);
        for handling in 0..at {
            moved.append(handling);
        }
        if !add(self, &mut moved.to) {
            return None;
        }
        for handling in rest..sequence.handlings.len() {
            moved.append(handling);
        }
        let (mut changed, lost) = (moved.to, moved.lost);
        if changed.len() > self.settings.max_test_size {
            return None;
        }
        self.mend(&mut changed, &lost);
        if dependent {
            self.bind_from(&mut changed, at);
        }
        Some(changed)
    }

    /// Binds a handling and all behind it to what now stands before them.
    fn bind_from(&mut self, sequence: &mut Sequence, at: usize) {
        for handling in at..sequence.handlings.len() {
            self.bind_across(sequence, handling);
        }
    }

    /// Fills what lost its source from another step before it, where one fits; else it keeps the
    /// value that it has of its own.
    pub(crate) fn mend(&mut self, sequence: &mut Sequence, lost: &[Lost]) {
        for (step, spot) in lost {
            self.rebind(sequence, *step, spot, *step);
        }
        sequence.settle();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::workshop::tests::{Bench, library, orders, shop, tracker};
    use fossick_plan::Spot;

    fn bench() -> (Bench, [ResourceId; 4]) {
        let bench = Bench::of(shop(), 1);
        let names = [
            "/products",
            "/warehouses/{name}",
            "/stock/{productName}",
            "/health",
        ];
        let ids = names.map(|name| bench.resource(name));
        (bench, ids)
    }

    fn sequence(bench: &mut Bench, resources: &[ResourceId]) -> Sequence {
        let mut sequence = Sequence::default();
        for resource in resources {
            let template = if bench.resources.get(*resource).may_matter() {
                Template::Post
            } else {
                Template::Get
            };
            let mut workshop = bench.workshop();
            assert!(workshop.handle(&mut sequence, *resource, template, false));
        }
        sequence
    }

    fn order(sequence: &Sequence) -> Vec<ResourceId> {
        sequence.handlings.iter().map(|h| h.resource).collect()
    }

    #[test]
    fn delete_takes_what_is_unrelated() {
        let (mut bench, [products, warehouses, stock, _]) = bench();
        bench.dependencies.depend(stock, warehouses, 1.0);
        let test = sequence(&mut bench, &[warehouses, products, stock]);
        for _ in 0..20 {
            let (changed, operator) = bench.workshop().delete(&test, true).expect("can go");
            assert_eq!(operator, Operator::Delete { at: 1 });
            assert_eq!(order(&changed), [warehouses, stock]);
        }
        let gone: std::collections::BTreeSet<usize> = (0..40)
            .filter_map(|_| bench.workshop().delete(&test, false))
            .map(|(_, operator)| match operator {
                Operator::Delete { at } => at,
                _ => usize::MAX,
            })
            .collect();
        assert_eq!(gone.len(), 3);
    }

    #[test]
    fn swap_adjusts_an_order_that_is_likely_wrong() {
        let (mut bench, [_, warehouses, stock, _]) = bench();
        bench.dependencies.depend(stock, warehouses, 0.9);
        let test = sequence(&mut bench, &[stock, warehouses]);
        let (changed, operator) = bench.workshop().swap(&test, true).expect("can swap");
        assert_eq!(operator, Operator::Swap { a: 0, b: 1 });
        assert_eq!(order(&changed), [warehouses, stock]);
    }

    #[test]
    fn swap_attempts_and_explores_where_little_is_known() {
        let (mut bench, [products, warehouses, stock, _]) = bench();
        bench.dependencies.depend(stock, warehouses, 0.3);
        bench.dependencies.depend(stock, products, 0.0);
        let test = sequence(&mut bench, &[stock, warehouses, products]);
        let found: std::collections::BTreeSet<(usize, usize)> = (0..60)
            .filter_map(|_| bench.workshop().informed_swap(&test))
            .collect();
        // The pair of stock and products was looked at and found independent.
        assert_eq!(found.into_iter().collect::<Vec<_>>(), [(0, 1), (1, 2)]);
    }

    #[test]
    fn add_brings_in_what_is_related_and_seats_it_by_direction() {
        let (mut bench, [_, warehouses, stock, _]) = bench();
        bench.dependencies.depend(stock, warehouses, 1.0);
        let test = sequence(&mut bench, &[stock]);
        for _ in 0..20 {
            let (changed, operator) = bench.workshop().add(&test, true).expect("can come");
            assert_eq!(operator, Operator::Add { at: 0 });
            assert_eq!(order(&changed), [warehouses, stock]);
        }
    }

    #[test]
    fn replace_puts_a_related_one_in_the_place_of_an_unrelated() {
        let (mut bench, [products, warehouses, stock, _]) = bench();
        bench.dependencies.depend(stock, warehouses, 1.0);
        let test = sequence(&mut bench, &[products, stock]);
        let found: Vec<Vec<ResourceId>> = (0..30)
            .filter_map(|_| bench.workshop().replace(&test, true))
            .map(|(changed, _)| order(&changed))
            .collect();
        assert!(found.contains(&vec![warehouses, stock]));
    }

    #[test]
    fn modify_keeps_the_resource_and_takes_another_template() {
        let (mut bench, [products, ..]) = bench();
        let test = sequence(&mut bench, &[products]);
        for _ in 0..20 {
            let Some((changed, operator)) = bench.workshop().modify(&test, false) else {
                continue;
            };
            assert_eq!(operator, Operator::Modify { at: 0 });
            assert_eq!(order(&changed), [products]);
            assert_ne!(changed.handlings[0].template, Some(Template::Post));
        }
    }

    #[test]
    fn without_resources_a_call_comes_or_goes() {
        let mut bench = Bench::of(shop(), 2);
        bench.settings.resources = None;
        let mut test = bench.workshop().random();
        for _ in 0..100 {
            let Some((changed, _)) = bench.workshop().change_structure(&test, false) else {
                continue;
            };
            assert_eq!(changed.len().abs_diff(test.len()), 1);
            assert!((1..=10).contains(&changed.len()) && changed.is_sound());
            test = changed;
        }
    }

    #[test]
    fn whatever_happens_to_its_structure_a_test_stays_sound() {
        for (seed, api) in [shop(), tracker(), library()].into_iter().enumerate() {
            let mut bench = Bench::of(api, seed as u64);
            let mut test = bench.workshop().random();
            for round in 0..300 {
                let Some((changed, _)) = bench.workshop().change_structure(&test, round % 2 == 0)
                else {
                    continue;
                };
                assert!(changed.is_sound() && changed.len() <= 10);
                test = changed;
            }
        }
    }

    #[test]
    fn what_is_in_the_way_of_a_creation_is_removed_before_the_next_try() {
        let mut bench = Bench::of(orders(), 1);
        let resources = [bench.resource("/orders"), bench.resource("/addresses")];
        let test = sequence(&mut bench, &resources);
        let (changed, operator) = bench.workshop().make_way(&test, 1).expect("there is a way");
        assert_eq!(operator, Operator::Add { at: 2 });
        assert_eq!(
            bench.labels(&changed),
            [
                "POST /orders",
                "POST /addresses",
                "DELETE /addresses/{id}",
                "POST /addresses"
            ]
        );
        assert!(changed.is_sound());
        let inside = changed.plan.steps[0].value_at(&Spot::Body("/address/id".to_owned()));
        assert!(inside.is_some());
        assert_eq!(changed.plan.steps[2].value_at(&Spot::Parameter(0)), inside);
    }
}
