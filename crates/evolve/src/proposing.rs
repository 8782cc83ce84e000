//! The next test, by each of the algorithms.

use std::sync::Arc;

use fossick_contract::Deed;
use fossick_plan::{Plan, Step};
use fossick_trace::Target;

use crate::evolution::State;
use crate::individual::Structure;
use crate::sequence::{Move, Sequence};
use crate::tested::Tested;
use crate::workshop::Workshop;
use crate::wts::Seat;
use crate::{Context, Evolution, Handling, Individual, Origin, Scores, ValueSource, dice};

/// Tests that may not be sent before something else is tried.
const TRIES: usize = 8;
/// How often a change of structure removes what was in the way of a creation.
const MAKES_WAY: f64 = 0.25;

impl Evolution<'_> {
    fn workshop<'s>(&'s mut self, context: &Context<'s>) -> Workshop<'s> {
        Workshop {
            api: self.api,
            validators: self.validators,
            graph: context.graph,
            values: match self.settings.values {
                ValueSource::Known => context.values,
                ValueSource::Drawn => &self.blank,
            },
            allows: context.allows,
            resources: &self.resources,
            creators: &self.creators,
            dependencies: &self.dependencies,
            impacts: &self.impacts,
            settings: &self.settings,
            rng: &mut self.rng,
            spent: self.spent,
        }
    }

    fn individual(
        &mut self,
        sequence: Sequence,
        origin: Origin,
        structure: Structure,
        before: Option<Arc<Tested>>,
    ) -> Individual {
        self.proposed += 1;
        Individual {
            id: self.proposed,
            parent: before.as_ref().map(|before| before.individual.id),
            origin,
            sequence,
            before,
            chain: None,
            structure,
        }
    }

    /// Takes in a test that somebody else made, with what it reached.
    pub fn adopt(&mut self, plan: &Plan, scores: &Scores) {
        let single = |step: &Step| Handling {
            resource: self.resources.of_operation(step.operation),
            template: None,
            steps: 1,
        };
        let sequence = Sequence {
            handlings: plan.steps.iter().map(single).collect(),
            plan: plan.clone(),
            ties: Vec::new(),
        };
        let individual = self.individual(sequence, Origin::Adopted, Structure::Free, None);
        self.learn(individual, scores);
    }

    pub(crate) fn propose_by_target(&mut self, context: &Context<'_>) -> Individual {
        if let Some(next) = self.next_of_chain(context) {
            return next;
        }
        let samples = self.slide(self.settings.random_sampling);
        if dice::chance(&mut self.rng, samples) {
            return self.sample(context);
        }
        let limit = self.limit();
        let chosen = self
            .archive
            .choose(&mut self.rng, self.settings.feedback, limit);
        let changes = self.slide(self.settings.mutations).round() as usize;
        if let (State::Mio(mio), Some((target, test))) = (&mut self.state, chosen) {
            mio.begin(target, test, changes);
        }
        match self.next_of_chain(context) {
            Some(next) => next,
            None => self.sample(context),
        }
    }

    fn next_of_chain(&mut self, context: &Context<'_>) -> Option<Individual> {
        let State::Mio(mio) = &mut self.state else {
            return None;
        };
        let (chain, test) = mio.next()?;
        let mut child = self.changed(&test, context);
        child.chain = Some(chain);
        Some(child)
    }

    pub(crate) fn propose_by_front(&mut self, context: &Context<'_>) -> Individual {
        let State::Mosa(mosa) = &self.state else {
            return self.sample(context);
        };
        let pair = mosa.parent(&mut self.rng).zip(mosa.parent(&mut self.rng));
        let Some((one, two)) = pair else {
            return self.sample(context);
        };
        let crosses = dice::chance(&mut self.rng, self.settings.crossover);
        let crossed = if crosses {
            self.crossed(&one, &two, context)
        } else {
            None
        };
        match crossed {
            Some(sequence) => self.changed_cross(sequence, one, context),
            None => self.changed(&one, context),
        }
    }

    pub(crate) fn propose_by_suite(&mut self, context: &Context<'_>) -> Individual {
        const TRIES: usize = 50;
        for _ in 0..TRIES {
            let State::Wts(wts) = &mut self.state else {
                break;
            };
            if let Some(next) = wts.next() {
                return next;
            }
            let mut drafts = wts.breed(&mut self.rng, &self.settings);
            let mut made = Vec::new();
            for seat in drafts.iter_mut().flatten() {
                let test = match seat {
                    Seat::Changed(test) => self.changed(&test.clone(), context),
                    Seat::Fresh => self.sample(context),
                    Seat::Kept(_) | Seat::Waiting(_) => continue,
                };
                *seat = Seat::Waiting(test.id);
                made.push(test);
            }
            if let State::Wts(wts) = &mut self.state {
                wts.hatch(drafts, made, &self.settings);
            }
        }
        self.sample(context)
    }

    /// A new test that may be sent.
    pub(crate) fn sample(&mut self, context: &Context<'_>) -> Individual {
        for _ in 0..TRIES {
            let drawn = self.draw(context);
            if (context.allows)(drawn.plan()) {
                return drawn;
            }
        }
        self.at_random(context)
    }

    /// A new test, by resources, by smart templates or at random.
    fn draw(&mut self, context: &Context<'_>) -> Individual {
        if let Some(found) = self.sample_by_resources(context) {
            return found;
        }
        if self.settings.resources.is_none()
            && dice::chance(&mut self.rng, self.settings.smart)
            && let Some((sequence, collection)) = self.workshop(context).smart()
        {
            let structure = if collection {
                Structure::Creations
            } else {
                Structure::Fixed
            };
            return self.individual(sequence, Origin::Smart, structure, None);
        }
        self.at_random(context)
    }

    fn at_random(&mut self, context: &Context<'_>) -> Individual {
        let sequence = self.workshop(context).random();
        self.individual(sequence, Origin::Random, Structure::Free, None)
    }

    fn sample_by_resources(&mut self, context: &Context<'_>) -> Option<Individual> {
        let settings = self.settings.resources.as_ref()?;
        if !dice::chance(&mut self.rng, settings.sampling) {
            return None;
        }
        let sampled = (self.spent / self.settings.focus_start.max(f64::MIN_POSITIVE)).min(1.0);
        let method = self.methods.draw(&mut self.rng, settings, sampled)?;
        let dependent = dice::chance(&mut self.rng, settings.dependency);
        let (sequence, method) = self.workshop(context).sample_by(method, dependent)?;
        Some(self.individual(sequence, Origin::Sampled(method), Structure::Free, None))
    }

    /// A changed copy of a test: of its structure or of its values.
    fn changed(&mut self, test: &Arc<Tested>, context: &Context<'_>) -> Individual {
        let structure = test.individual.structure;
        let sequence = &test.individual.sequence;
        let refused = self.refused(test);
        let changes = (0..TRIES).filter_map(|_| self.change(sequence, structure, refused, context));
        let found = { changes }.find(|(changed, _)| (context.allows)(&changed.plan));
        match found {
            Some((sequence, origin)) => {
                self.individual(sequence, origin, structure, Some(Arc::clone(test)))
            }
            None => self.sample(context),
        }
    }

    /// The last handling that creates what no test could create yet, where what is there already was
    /// in the way.
    fn refused(&self, test: &Tested) -> Option<usize> {
        const CONFLICT: u16 = 409;
        let mut end = 0;
        let ends = test.individual.handlings().iter().map(|handling| {
            end += handling.steps;
            end
        });
        let met = |end: usize| {
            let index = test.individual.plan().steps.get(end - 1)?.operation;
            let reached = test.by_step.get(end - 1)?;
            let creates = self.api.operation(index).deed() == Deed::Create;
            let conflict = Target::Status(index, CONFLICT);
            let mut targets = reached.iter().map(|(place, _)| self.archive.target(*place));
            let open = creates && !self.archive.has_covered(Target::Succeeds(index));
            (open && targets.any(|target| target == Some(conflict))).then_some(())
        };
        let found = ends.enumerate().filter(|(_, end)| met(*end).is_some());
        found.map(|(at, _)| at).last()
    }

    fn change(
        &mut self,
        sequence: &Sequence,
        structure: Structure,
        refused: Option<usize>,
        context: &Context<'_>,
    ) -> Option<(Sequence, Origin)> {
        let by_structure = dice::chance(&mut self.rng, self.settings.structure_mutation);
        let dependent = dice::chance(&mut self.rng, self.settings.dependency());
        let mut workshop = self.workshop(context);
        let restructure = |workshop: &mut Workshop<'_>| match structure {
            Structure::Free => {
                let refused =
                    refused.filter(|_| dependent && dice::chance(workshop.rng, MAKES_WAY));
                let way = refused.and_then(|at| workshop.make_way(sequence, at));
                if let Some((changed, operator)) = way {
                    return Some((changed, Origin::Structure(operator)));
                }
                let found = workshop.change_structure(sequence, dependent)?;
                Some((found.0, Origin::Structure(found.1)))
            }
            Structure::Creations => {
                let found = workshop.change_creations(sequence)?;
                Some((found, Origin::Creations))
            }
            Structure::Fixed => None,
        };
        let revalue = |workshop: &mut Workshop<'_>| {
            let (changed, places) = workshop.change_values(sequence)?;
            Some((changed, Origin::Values(places)))
        };
        if by_structure {
            restructure(&mut workshop).or_else(|| revalue(&mut workshop))
        } else {
            revalue(&mut workshop).or_else(|| restructure(&mut workshop))
        }
    }

    /// The head of one test and the tail of another, if that is not too long.
    fn crossed(&mut self, one: &Tested, two: &Tested, context: &Context<'_>) -> Option<Sequence> {
        let (head, tail) = (&one.individual.sequence, &two.individual.sequence);
        let cut_head = dice::size(&mut self.rng, 1, head.handlings.len());
        let cut_tail = dice::index(&mut self.rng, tail.handlings.len());
        let order: Vec<usize> = (0..cut_head.min(head.handlings.len())).collect();
        let (head, _) = head.rearranged(&order);
        let mut moved = Move::onto(head, tail);
        for handling in cut_tail..tail.handlings.len() {
            moved.append(handling);
        }
        let (mut crossed, lost) = (moved.to, moved.lost);
        let fits = (1..=self.settings.max_test_size).contains(&crossed.len());
        if fits {
            self.workshop(context).mend(&mut crossed, &lost);
        }
        (fits && (context.allows)(&crossed.plan)).then_some(crossed)
    }

    fn changed_cross(
        &mut self,
        crossed: Sequence,
        one: Arc<Tested>,
        context: &Context<'_>,
    ) -> Individual {
        let changed = self.change(&crossed, Structure::Free, None, context);
        let changed = changed.filter(|(changed, _)| (context.allows)(&changed.plan));
        let sequence = changed.map_or(crossed, |(sequence, _)| sequence);
        self.individual(sequence, Origin::Crossed, Structure::Free, Some(one))
    }
}
