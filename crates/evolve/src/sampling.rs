//! New tests: random ones, and those of the four methods over resources.

use fossick_contract::Deed;

use crate::sequence::Sequence;
use crate::workshop::Workshop;
use crate::{Method, ResourceId, Template, dice};

/// Tries to find resources that fit into one test.
const TRIES: usize = 12;

impl Workshop<'_> {
    /// A test by a method, and the method that it is an example of: one of fewer resources where
    /// more do not fit. None if nothing fits.
    pub(crate) fn sample_by(
        &mut self,
        method: Method,
        dependent: bool,
    ) -> Option<(Sequence, Method)> {
        let mut best = Sequence::default();
        for _ in 0..TRIES {
            let sequence = self.handled_by(method, dependent);
            if sequence.handlings.len() > best.handlings.len() {
                best = sequence;
            }
            if best.handlings.len() >= method.least() {
                return Some((best, method));
            }
        }
        let method = Method::of(best.handlings.len())?;
        Some((best, method))
    }

    fn handled_by(&mut self, method: Method, dependent: bool) -> Sequence {
        let mut sequence = Sequence::default();
        let resources = self.choose_resources(method, dependent);
        for (at, resource) in resources.iter().enumerate() {
            let last = at + 1 == resources.len();
            if self.handle_by(method, &mut sequence, *resource, last, dependent) && dependent {
                let added = sequence.handlings.len() - 1;
                self.bind_across(&mut sequence, added);
            }
        }
        sequence
    }

    fn choose_resources(&mut self, method: Method, dependent: bool) -> Vec<ResourceId> {
        let of_one = |workshop: &mut Self, independent: bool| {
            let all = workshop.resources.iter();
            let fits = all.filter(|(_, r)| {
                if independent {
                    r.has_independent()
                } else {
                    r.may_matter()
                }
            });
            let fits: Vec<ResourceId> = fits.map(|(id, _)| id).collect();
            dice::pick(workshop.rng, &fits).into_iter().collect()
        };
        match method {
            Method::OneIndependent => of_one(self, true),
            Method::One => of_one(self, false),
            Method::Two => self.several(2, dependent),
            Method::Many => {
                let most = self.settings.max_test_size.min(self.resources.len());
                let wanted = dice::size(self.rng, 3, most.clamp(3, 5));
                self.several(wanted, dependent)
            }
        }
    }

    /// Different resources, a dependent pair among them in its order if there is one.
    fn several(&mut self, wanted: usize, dependent: bool) -> Vec<ResourceId> {
        let pair = if dependent {
            let resources = self.resources;
            let fits = |id| resources.get(id).may_matter();
            self.dependencies.draw_pair(self.rng, fits)
        } else {
            None
        };
        let mut chosen: Vec<ResourceId> = pair.into_iter().flat_map(|(a, b)| [a, b]).collect();
        let all = self.resources.iter().filter(|(_, r)| r.may_matter());
        let mut others: Vec<ResourceId> = all.map(|(id, _)| id).collect();
        dice::shuffle(self.rng, &mut others);
        for other in others {
            if chosen.len() >= wanted {
                break;
            }
            if !chosen.contains(&other) {
                let at = dice::index(self.rng, chosen.len() + 1);
                chosen.insert(at, other);
            }
        }
        chosen
    }

    fn handle_by(
        &mut self,
        method: Method,
        sequence: &mut Sequence,
        resource: ResourceId,
        last: bool,
        dependent: bool,
    ) -> bool {
        let several = matches!(method, Method::Two | Method::Many);
        let plain = !self.resources.get(resource).plain_reads.is_empty();
        let wanted = |template: &Template| match method {
            Method::OneIndependent => template.is_independent(),
            _ if several && last && plain && *template == Template::Get => true,
            _ => !template.is_independent(),
        };
        let all = self.resources.get(resource).templates.iter().copied();
        let fits: Vec<Template> = all.filter(wanted).collect();
        match dice::pick(self.rng, &fits) {
            Some(Template::Get) if several => self.read_plainly(sequence, resource),
            Some(template) => self.handle(sequence, resource, template, dependent),
            None => false,
        }
    }

    /// A read without keys: it shows what the handlings before it made.
    fn read_plainly(&mut self, sequence: &mut Sequence, resource: ResourceId) -> bool {
        let reads = &self.resources.get(resource).plain_reads;
        let Some(index) = dice::pick(self.rng, reads) else {
            return false;
        };
        debug_assert_eq!(self.api.operation(index).deed(), Deed::Read);
        let first = sequence.len();
        let step = self.step(index, fossick_trace::Role::Main);
        sequence.plan.steps.push(step);
        self.close(sequence, first, resource, Some(Template::Get))
    }

    /// A template for a resource that is not this one, if there is another.
    pub(crate) fn other_template(
        &mut self,
        resource: ResourceId,
        than: Option<Template>,
    ) -> Option<Template> {
        let all = self.resources.get(resource).templates.iter().copied();
        let others: Vec<Template> = all.filter(|t| Some(*t) != than).collect();
        dice::pick(self.rng, &others)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dependencies::Evidence;
    use crate::workshop::tests::{Bench, library, shop, tracker};
    use fossick_plan::Spot;

    fn each(method: Method, dependent: bool, check: impl Fn(&Bench, &Sequence)) {
        for (seed, api) in [shop(), tracker(), library()].into_iter().enumerate() {
            let mut bench = Bench::of(api, seed as u64);
            for _ in 0..60 {
                let Some((sequence, as_method)) = bench.workshop().sample_by(method, dependent)
                else {
                    continue;
                };
                assert!(sequence.handlings.len() >= as_method.least());
                assert!(sequence.is_sound());
                assert!(sequence.len() <= bench.settings.max_test_size);
                check(&bench, &sequence);
            }
        }
    }

    fn independent(sequence: &Sequence, at: usize) -> bool {
        let template = sequence.handlings[at].template;
        template.is_some_and(Template::is_independent)
    }

    #[test]
    fn s1ir_handles_one_resource_with_an_independent_template() {
        each(Method::OneIndependent, false, |_, sequence| {
            assert_eq!(sequence.handlings.len(), 1);
            assert!(independent(sequence, 0));
            assert_eq!(sequence.len(), 1);
        });
    }

    #[test]
    fn s1dr_handles_one_resource_with_a_possibly_dependent_template() {
        each(Method::One, false, |_, sequence| {
            assert_eq!(sequence.handlings.len(), 1);
            assert!(!independent(sequence, 0));
        });
    }

    #[test]
    fn s2dr_and_smdr_are_independent_at_most_at_the_end_and_without_keys() {
        for method in [Method::Two, Method::Many] {
            each(method, true, |bench, sequence| {
                let last = sequence.handlings.len() - 1;
                assert!((0..last).all(|at| !independent(sequence, at)));
                if independent(sequence, last) {
                    let step = &sequence.plan.steps[sequence.len() - 1];
                    let operation = bench.api.operation(step.operation);
                    assert!(fossick_plan::keys(operation).is_empty());
                }
            });
        }
    }

    #[test]
    fn s2dr_takes_a_dependent_pair_in_its_order() {
        let mut bench = Bench::of(shop(), 3);
        let (stock, warehouse) = (
            bench.resource("/stock/{productName}"),
            bench.resource("/warehouses/{name}"),
        );
        bench.dependencies.depend(stock, warehouse, 1.0);
        for _ in 0..20 {
            let sequence = bench.workshop().sample_by(Method::Two, true);
            let (sequence, _) = sequence.expect("both can be handled");
            let order: Vec<ResourceId> = sequence.handlings.iter().map(|h| h.resource).collect();
            assert_eq!(order, [warehouse, stock]);
        }
    }

    /// A resource that can only be read alone is no half of a pair.
    #[test]
    fn pairs_are_of_resources_that_matter_to_others() {
        let mut bench = Bench::of(shop(), 6);
        let (health, warehouse) = (
            bench.resource("/health"),
            bench.resource("/warehouses/{name}"),
        );
        bench.dependencies.depend(health, warehouse, 1.0);
        for _ in 0..40 {
            let sampled = bench.workshop().sample_by(Method::Two, true);
            let (sequence, method) = sampled.expect("others can be handled");
            assert_eq!((sequence.handlings.len(), method), (2, Method::Two));
        }
    }

    #[test]
    fn values_are_bound_across_resources_by_name() {
        let mut bench = Bench::of(shop(), 4);
        let (stock, warehouse) = (
            bench.resource("/stock/{productName}"),
            bench.resource("/warehouses/{name}"),
        );
        bench
            .dependencies
            .relate(stock, warehouse, 1.0, Evidence::Schema);
        bench.dependencies.depend(stock, warehouse, 1.0);
        let sequence = bench.workshop().sample_by(Method::Two, true);
        let (sequence, _) = sequence.expect("both can be handled");
        let post = bench
            .api
            .find("POST /stock/{productName}")
            .expect("declared");
        let mut steps = sequence.plan.steps.iter();
        let refers = steps.find(|s| s.operation == post).expect("is posted");
        let name = sequence.plan.steps[0].value_at(&Spot::Parameter(0));
        assert!(name.is_some());
        assert_eq!(refers.value_at(&Spot::Parameter(1)), name);
    }

    #[test]
    fn smdr_handles_more_than_two_resources_where_they_fit() {
        let mut bench = Bench::of(shop(), 5);
        let most = (0..40).filter_map(|_| bench.workshop().sample_by(Method::Many, false));
        let most = most.map(|(sequence, _)| sequence.handlings.len()).max();
        assert!(most.is_some_and(|most| most >= 3));
    }
}
