//! Whole test suites: a genetic algorithm whose individuals are suites.
//!
//! A suite is as fit as the sum of the best values of all targets that its tests reach. Tests are
//! run one by one, and those that did not change are not run again: a pair of offspring is complete
//! when its new tests were learned. Then the best two of the four, parents and offspring, go into
//! the next generation. Whoever asks for more while that waits gets the tests of a further pair.

use std::collections::VecDeque;
use std::sync::Arc;

use fossick_genes::Rng;

use crate::tested::Tested;
use crate::{Individual, ParentChoice, Settings, dice};

#[derive(Debug)]
struct Suite {
    tests: Vec<Arc<Tested>>,
    fitness: f64,
    calls: usize,
}

impl Suite {
    fn of(tests: Vec<Arc<Tested>>, scales: &mut Scales) -> Arc<Self> {
        Arc::new(Self {
            fitness: scales.fitness(&tests),
            calls: tests.iter().map(|test| test.individual.len()).sum(),
            tests,
        })
    }
}

/// Weighs suites. Targets are numbered from zero, so the best values stand in a plain list that
/// is used again and again: a suite reaches tens of thousands of targets.
#[derive(Debug, Default)]
struct Scales {
    /// For each target the weighing that it was last met in, and the best value there.
    best: Vec<(u32, f64)>,
    weighing: u32,
}

impl Scales {
    /// The sum of the best values of all targets.
    fn fitness(&mut self, tests: &[Arc<Tested>]) -> f64 {
        if self.weighing == u32::MAX {
            *self = Self::default();
        }
        self.weighing += 1;
        let mut sum = 0.0;
        for (target, value) in tests.iter().flat_map(|test| &test.reached) {
            let at = *target as usize;
            if at >= self.best.len() {
                self.best.resize(at + 1, (0, 0.0));
            }
            let (weighing, best) = &mut self.best[at];
            let known = if *weighing == self.weighing {
                *best
            } else {
                0.0
            };
            if *value > known {
                sum += *value - known;
                (*weighing, *best) = (self.weighing, *value);
            }
        }
        sum
    }
}

/// A test of a suite that is being made.
#[derive(Debug, Clone)]
pub(crate) enum Seat {
    Kept(Arc<Tested>),
    /// To be changed from this one.
    Changed(Arc<Tested>),
    Fresh,
    /// Under way, by the id of its individual.
    Waiting(u64),
}

/// Suites that wait for their tests, with the parents that they compete with.
#[derive(Debug, Default)]
struct Brood {
    parents: Vec<Arc<Suite>>,
    drafts: Vec<Vec<Seat>>,
}

impl Brood {
    fn is_complete(&self) -> bool {
        let mut seats = self.drafts.iter().flatten();
        seats.all(|seat| matches!(seat, Seat::Kept(_)))
    }

    fn fill(&mut self, tested: &Arc<Tested>) -> bool {
        let waits =
            |seat: &&mut Seat| matches!(seat, Seat::Waiting(id) if *id == tested.individual.id);
        match self.drafts.iter_mut().flatten().find(waits) {
            Some(seat) => {
                *seat = Seat::Kept(Arc::clone(tested));
                true
            }
            None => false,
        }
    }

    /// Gives up the seat of a test that was not sent.
    fn forget(&mut self, id: u64) -> bool {
        let waits = |seat: &Seat| matches!(seat, Seat::Waiting(own) if *own == id);
        let before = self.seats();
        for draft in &mut self.drafts {
            draft.retain(|seat| !waits(seat));
        }
        self.seats() < before
    }

    fn seats(&self) -> usize {
        self.drafts.iter().map(Vec::len).sum()
    }

    fn suites(self, scales: &mut Scales) -> Vec<Arc<Suite>> {
        let kept = |seat: Seat| match seat {
            Seat::Kept(test) => Some(test),
            _ => None,
        };
        let drafts = self.drafts.into_iter();
        let suites =
            drafts.map(|draft| Suite::of(draft.into_iter().filter_map(kept).collect(), scales));
        suites.chain(self.parents).collect()
    }
}

#[derive(Debug, Default)]
pub(crate) struct Wts {
    /// Best first.
    population: Vec<Arc<Suite>>,
    next: Vec<Arc<Suite>>,
    waiting: Vec<Brood>,
    todo: VecDeque<Individual>,
    scales: Scales,
}

impl Wts {
    /// A test that waits to be run.
    pub(crate) fn next(&mut self) -> Option<Individual> {
        self.todo.pop_front()
    }

    /// Breeds a pair of suites, or drafts one while there is no population. Whoever calls fills
    /// the seats that are neither kept nor waiting, and hatches the drafts.
    pub(crate) fn breed(&mut self, rng: &mut Rng, settings: &Settings) -> Vec<Vec<Seat>> {
        let Some(pair) = self.parents(rng, settings) else {
            let size = dice::size(rng, 1, settings.suite_size.max(1));
            self.waiting.push(Brood::default());
            return vec![vec![Seat::Fresh; size]];
        };
        let mut drafts = crossed(rng, &pair, settings);
        for draft in &mut drafts {
            mutate(rng, draft, settings.suite_size);
        }
        self.waiting.push(Brood {
            parents: pair.to_vec(),
            drafts: Vec::new(),
        });
        drafts
    }

    /// Takes the last brood's tests once they are made.
    pub(crate) fn hatch(
        &mut self,
        drafts: Vec<Vec<Seat>>,
        made: Vec<Individual>,
        settings: &Settings,
    ) {
        if let Some(brood) = self.waiting.last_mut() {
            brood.drafts = drafts;
        }
        self.todo.extend(made);
        self.advance(settings);
    }

    pub(crate) fn learn(&mut self, tested: &Arc<Tested>, settings: &Settings) {
        if self.waiting.iter_mut().any(|brood| brood.fill(tested)) {
            self.advance(settings);
        }
    }

    /// Waits no longer for a test that was not sent.
    pub(crate) fn discard(&mut self, id: u64, settings: &Settings) {
        if self.waiting.iter_mut().any(|brood| brood.forget(id)) {
            self.advance(settings);
        }
    }

    /// Lets complete broods into the next generation, and that become the population when it is
    /// full.
    fn advance(&mut self, settings: &Settings) {
        let mut at = 0;
        while at < self.waiting.len() {
            if !self.waiting[at].is_complete() {
                at += 1;
                continue;
            }
            let brood = self.waiting.remove(at);
            let first = brood.parents.is_empty();
            let mut suites = brood.suites(&mut self.scales);
            sort(&mut suites);
            self.next
                .extend(suites.into_iter().take(if first { 1 } else { 2 }));
        }
        let elites = settings.elites.min(self.population.len());
        if self.next.len() + elites >= settings.population.max(2) {
            self.population.truncate(elites);
            self.population.append(&mut self.next);
            sort(&mut self.population);
            self.population.truncate(settings.population.max(2));
        }
    }

    fn parents(&self, rng: &mut Rng, settings: &Settings) -> Option<[Arc<Suite>; 2]> {
        let mut draw = || {
            let at = place(rng, self.population.len(), settings.parents);
            self.population.get(at).map(Arc::clone)
        };
        Some([draw()?, draw()?])
    }

    #[cfg(test)]
    fn best(&self) -> Option<f64> {
        self.population.first().map(|suite| suite.fitness)
    }
}

/// Fittest first; of equals the one with fewer calls.
fn sort(suites: &mut [Arc<Suite>]) {
    suites.sort_by(|a, b| b.fitness.total_cmp(&a.fitness).then(a.calls.cmp(&b.calls)));
}

/// A place in a list whose best stands first.
fn place(rng: &mut Rng, count: usize, choice: ParentChoice) -> usize {
    let last = count.saturating_sub(1);
    match choice {
        ParentChoice::Tournament { size } => {
            let draws = (0..size.max(1)).map(|_| dice::index(rng, count));
            draws.min().unwrap_or(0)
        }
        ParentChoice::Rank { bias } if bias > 1.0 => {
            let root = (bias * bias - 4.0 * (bias - 1.0) * dice::unit(rng))
                .max(0.0)
                .sqrt();
            let at = count as f64 * (bias - root) / (2.0 * (bias - 1.0));
            (at as usize).min(last)
        }
        ParentChoice::Rank { .. } => dice::index(rng, count),
    }
}

/// Two suites out of two: their tails exchanged at the same share of either, or as they are.
fn crossed(rng: &mut Rng, pair: &[Arc<Suite>; 2], settings: &Settings) -> Vec<Vec<Seat>> {
    let kept =
        |suite: &Arc<Suite>| -> Vec<Seat> { suite.tests.iter().cloned().map(Seat::Kept).collect() };
    let (mut one, mut two) = (kept(&pair[0]), kept(&pair[1]));
    if dice::chance(rng, settings.crossover) {
        let share = dice::unit(rng);
        let cut = |length: usize| ((length as f64 * share) as usize).min(length);
        let (at_one, at_two) = (cut(one.len()), cut(two.len()));
        let (tail_one, tail_two) = (one.split_off(at_one), two.split_off(at_two));
        one.extend(tail_two);
        two.extend(tail_one);
        one.truncate(settings.suite_size);
        two.truncate(settings.suite_size);
    }
    vec![one, two]
}

/// Takes a test out, brings one in, or changes each of k with probability 1/k and one for sure.
fn mutate(rng: &mut Rng, draft: &mut Vec<Seat>, most: usize) {
    match dice::index(rng, 3) {
        0 if draft.len() > 1 => {
            let at = dice::index(rng, draft.len());
            draft.remove(at);
        }
        1 if draft.len() < most => draft.push(Seat::Fresh),
        _ => change_some(rng, draft),
    }
}

fn change_some(rng: &mut Rng, draft: &mut [Seat]) {
    let rate = 1.0 / draft.len().max(1) as f64;
    let sure = dice::index(rng, draft.len());
    for (at, seat) in draft.iter_mut().enumerate() {
        if let Seat::Kept(test) = seat
            && (at == sure || dice::chance(rng, rate))
        {
            *seat = Seat::Changed(Arc::clone(test));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::archive::tests::tested;
    use rand::SeedableRng as _;

    #[test]
    fn a_suite_is_as_fit_as_the_sum_of_its_best_values() {
        let tests = [
            tested(1, 1, &[(0, 0.5), (1, 0.2)]),
            tested(2, 1, &[(0, 0.3), (2, 1.0)]),
        ];
        let mut scales = Scales::default();
        for _ in 0..2 {
            assert!((scales.fitness(&tests) - 1.7).abs() < 1e-6);
        }
        assert_eq!(scales.fitness(&[]), 0.0);
    }

    #[test]
    fn the_better_are_drawn_more_often() {
        let mut rng = Rng::seed_from_u64(1);
        for choice in [
            ParentChoice::Rank { bias: 1.7 },
            ParentChoice::Tournament { size: 3 },
        ] {
            let mut counts = [0_u32; 10];
            for _ in 0..5000 {
                counts[place(&mut rng, 10, choice)] += 1;
            }
            assert!(counts[0] > counts[4] && counts[4] > counts[9], "{counts:?}");
        }
        let best = counts_of_best(&mut rng);
        assert!((best - 0.163).abs() < 0.02, "{best}");
    }

    /// By linear ranking the best of ten is drawn about as often as its bias says.
    fn counts_of_best(rng: &mut Rng) -> f64 {
        let draws = (0..10_000).filter(|_| place(rng, 10, ParentChoice::Rank { bias: 1.7 }) == 0);
        draws.count() as f64 / 10_000.0
    }

    #[test]
    fn crossover_exchanges_tails() {
        let mut rng = Rng::seed_from_u64(2);
        let suite = |ids: std::ops::Range<u64>| {
            let tests = ids.map(|id| tested(id, 1, &[])).collect();
            Suite::of(tests, &mut Scales::default())
        };
        let pair = [suite(0..4), suite(10..18)];
        let settings = Settings {
            crossover: 1.0,
            ..Settings::default()
        };
        for _ in 0..20 {
            let drafts = crossed(&mut rng, &pair, &settings);
            assert_eq!(drafts.iter().map(Vec::len).sum::<usize>(), 12);
            let ids: Vec<u64> = drafts
                .iter()
                .flatten()
                .filter_map(|seat| match seat {
                    Seat::Kept(test) => Some(test.individual.id),
                    _ => None,
                })
                .collect();
            let mut sorted = ids.clone();
            sorted.sort_unstable();
            let all: Vec<u64> = (0..4).chain(10..18).collect();
            assert_eq!(sorted, all);
        }
    }

    #[test]
    fn mutation_adds_removes_or_changes_tests() {
        let mut rng = Rng::seed_from_u64(3);
        let mut seen = [false; 3];
        for _ in 0..60 {
            let mut draft: Vec<Seat> = (0..3).map(|id| Seat::Kept(tested(id, 1, &[]))).collect();
            mutate(&mut rng, &mut draft, 4);
            let changed = draft.iter().any(|seat| matches!(seat, Seat::Changed(_)));
            let kind = match draft.len() {
                2 => 0,
                4 => 1,
                _ => 2,
            };
            assert_eq!(changed, kind == 2);
            seen[kind] = true;
        }
        assert_eq!(seen, [true; 3]);
    }

    #[test]
    fn elites_live_on() {
        let mut rng = Rng::seed_from_u64(4);
        let settings = Settings {
            population: 4,
            suite_size: 3,
            ..Settings::default()
        };
        let mut wts = Wts::default();
        let mut best = None;
        for id in 1..200 {
            let mut drafts = wts.breed(&mut rng, &settings);
            for (seat, number) in drafts.iter_mut().flatten().zip(0_u64..) {
                if !matches!(seat, Seat::Kept(_)) {
                    let value = dice::unit(&mut rng);
                    *seat = Seat::Kept(tested(id * 1000 + number, 1, &[(0, value)]));
                }
            }
            wts.hatch(drafts, Vec::new(), &settings);
            let now = wts.best();
            assert!(now >= best, "{now:?} after {best:?}");
            best = now;
        }
        assert!(best > Some(0.9));
    }
}
