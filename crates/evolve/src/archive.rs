//! The best tests for every target.
//!
//! One small population for each target that was reached, ordered by how near its tests came, then
//! by length, then newer first: a test that is no worse takes the place of an equal one, so the
//! search can cross plateaus. A covered target keeps its shortest test and is done. Learning a test
//! costs what it reached and no more, however many targets there are.

use std::collections::HashMap;
use std::sync::Arc;

use fossick_genes::Rng;
use fossick_trace::Target;

use crate::Feedback;
use crate::feedback::Chooser;
use crate::quick::QuickBuilder;
use crate::tested::{Reached, Tested};

#[derive(Debug)]
struct Population {
    target: Target,
    /// Best first; a single one where the target is covered.
    members: Vec<(f64, Arc<Tested>)>,
    covered: bool,
    /// Of the test that is being read: when it was last touched, and where its value stands.
    read_at: u64,
    place: u32,
}

#[derive(Debug, Default)]
pub(crate) struct Archive {
    index: HashMap<Target, u32, QuickBuilder>,
    populations: Vec<Population>,
    chooser: Chooser,
    covered: usize,
    reading: u64,
}

/// What became of a test.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Gain {
    /// Targets that were covered for the first time.
    pub(crate) covered: usize,
    /// Targets that were reached for the first time or came nearer, covered ones among them.
    pub(crate) nearer: usize,
}

impl Archive {
    pub(crate) fn covered(&self) -> usize {
        self.covered
    }

    /// Targets that were ever told of.
    pub(crate) fn targets(&self) -> usize {
        self.populations.len()
    }

    /// Targets that are reached and not covered.
    pub(crate) fn open(&self) -> usize {
        self.chooser.open()
    }

    pub(crate) fn is_covered(&self, target: u32) -> bool {
        let population = self.populations.get(target as usize);
        population.is_some_and(|population| population.covered)
    }

    /// What stands at a place.
    pub(crate) fn target(&self, place: u32) -> Option<Target> {
        let population = self.populations.get(place as usize);
        population.map(|population| population.target)
    }

    /// Whether a target was covered, by what it is.
    pub(crate) fn has_covered(&self, target: Target) -> bool {
        let place = self.index.get(&target);
        place.is_some_and(|place| self.is_covered(*place))
    }

    /// The place of a target, taken if it is new.
    pub(crate) fn place(&mut self, target: Target) -> u32 {
        let fresh = self.populations.len() as u32;
        let place = *self.index.entry(target).or_insert(fresh);
        if place == fresh {
            self.populations.push(Population {
                target,
                members: Vec::new(),
                covered: false,
                read_at: 0,
                place: 0,
            });
        }
        place
    }

    /// Begins to read what a test reached.
    pub(crate) fn begin(&mut self) {
        self.reading += 1;
    }

    /// Adds a value to what the test being read reached: the best of each target counts.
    pub(crate) fn collect(
        &mut self,
        target: Target,
        value: f64,
        reached: &mut Vec<Reached>,
    ) -> u32 {
        let place = self.place(target);
        let population = &mut self.populations[place as usize];
        if population.read_at == self.reading {
            let best = &mut reached[population.place as usize].1;
            *best = best.max(value);
        } else {
            population.read_at = self.reading;
            population.place = reached.len() as u32;
            reached.push((place, value));
        }
        place
    }

    /// Takes a test into the populations of all that it reached.
    pub(crate) fn add(&mut self, tested: &Arc<Tested>, limit: usize) -> Gain {
        let mut gain = Gain::default();
        for (place, value) in &tested.reached {
            if *value >= 1.0 {
                self.cover(*place, tested, &mut gain);
            } else if *value > 0.0 {
                self.approach(*place, *value, tested, limit, &mut gain);
            }
        }
        gain
    }

    fn cover(&mut self, place: u32, tested: &Arc<Tested>, gain: &mut Gain) {
        let population = &mut self.populations[place as usize];
        if population.covered {
            let kept = population.members.first();
            if kept.is_some_and(|(_, kept)| is_handier(tested, kept)) {
                population.members = vec![(1.0, Arc::clone(tested))];
            }
            return;
        }
        population.covered = true;
        population.members = vec![(1.0, Arc::clone(tested))];
        self.chooser.close(place);
        self.covered += 1;
        gain.covered += 1;
        gain.nearer += 1;
    }

    fn approach(
        &mut self,
        place: u32,
        value: f64,
        tested: &Arc<Tested>,
        limit: usize,
        gain: &mut Gain,
    ) {
        let population = &mut self.populations[place as usize];
        if population.covered {
            return;
        }
        let members = &mut population.members;
        let nearer = members.first().is_none_or(|(best, _)| value > *best);
        let length = tested.individual.len();
        let better = |(theirs, other): &(f64, Arc<Tested>)| {
            (*theirs, length) > (value, other.individual.len())
        };
        let at = members.partition_point(better);
        // Better than one that is there already, or in a place that was still free.
        let betters = |(theirs, _): &(f64, Arc<Tested>)| value > *theirs;
        let improves = members.len() < limit || members.last().is_some_and(betters);
        if at < limit.max(1) {
            members.insert(at, (value, Arc::clone(tested)));
            members.truncate(limit.max(1));
        }
        if nearer {
            self.chooser.improve(place);
            gain.nearer += 1;
        } else if improves {
            self.chooser.refresh(place);
        }
    }

    /// A target to work on and a test to begin with.
    pub(crate) fn choose(
        &mut self,
        rng: &mut Rng,
        feedback: Feedback,
        limit: usize,
    ) -> Option<(u32, Arc<Tested>)> {
        let place = self.chooser.choose(rng, feedback)?;
        let members = &self.populations[place as usize].members;
        let among = members.len().min(limit.max(1));
        let at = crate::dice::index(rng, among);
        members
            .get(at)
            .map(|(_, tested)| (place, Arc::clone(tested)))
    }

    /// The shortest test of each covered target, in the order in which targets were first told.
    pub(crate) fn kept(&self) -> impl Iterator<Item = (Target, &Tested)> {
        let covered = self.populations.iter().filter(|p| p.covered);
        covered.filter_map(|p| Some((p.target, &*p.members.first()?.1)))
    }
}

/// Shorter, or as short and covering more besides.
fn is_handier(new: &Tested, kept: &Tested) -> bool {
    let lengths = (new.individual.len(), kept.individual.len());
    lengths.0 < lengths.1 || (lengths.0 == lengths.1 && new.covers() > kept.covers())
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::individual::{Individual, Origin, Structure};
    use crate::sequence::Sequence;
    use fossick_contract::OperationIndex;
    use fossick_plan::{Plan, Step};
    use rand::SeedableRng as _;

    /// A test of some length that reached these targets.
    pub(crate) fn tested(id: u64, length: usize, reached: &[Reached]) -> Arc<Tested> {
        let steps = (0..length).map(|_| Step::new(OperationIndex(0), 0));
        let sequence = Sequence {
            plan: Plan {
                steps: steps.collect(),
            },
            ..Sequence::default()
        };
        Arc::new(Tested {
            individual: Individual {
                id,
                parent: None,
                origin: Origin::Random,
                sequence,
                before: None,
                chain: None,
                structure: Structure::Free,
            },
            reached: reached.to_vec(),
            by_step: Vec::new(),
            digest: id,
        })
    }

    fn archive(targets: u64) -> Archive {
        let mut archive = Archive::default();
        for target in 0..targets {
            archive.place(Target::Fault(target));
        }
        archive
    }

    fn ids(archive: &Archive, place: usize) -> Vec<u64> {
        let members = archive.populations[place].members.iter();
        members.map(|(_, tested)| tested.individual.id).collect()
    }

    #[test]
    fn a_population_is_ordered_by_value_then_length_then_age() {
        let mut archive = archive(1);
        for (id, length, value) in [(1, 2, 0.5), (2, 1, 0.5), (3, 3, 0.9), (4, 1, 0.5)] {
            archive.add(&tested(id, length, &[(0, value)]), 10);
        }
        assert_eq!(ids(&archive, 0), [3, 4, 2, 1]);
    }

    #[test]
    fn the_worst_goes_when_there_are_too_many_and_an_equal_newcomer_stays() {
        let mut archive = archive(1);
        for id in 1..=4 {
            archive.add(&tested(id, 1, &[(0, 0.5)]), 2);
        }
        assert_eq!(ids(&archive, 0), [4, 3]);
        archive.add(&tested(5, 1, &[(0, 0.4)]), 2);
        assert_eq!(ids(&archive, 0), [4, 3]);
        archive.add(&tested(6, 1, &[(0, 0.5)]), 1);
        assert_eq!(ids(&archive, 0), [6]);
    }

    #[test]
    fn a_covered_target_keeps_one_test_and_is_no_longer_sampled() {
        let mut archive = archive(2);
        let mut rng = Rng::seed_from_u64(1);
        archive.add(&tested(1, 1, &[(0, 0.5)]), 10);
        let gain = archive.add(&tested(2, 3, &[(0, 1.0), (1, 1.0)]), 10);
        assert_eq!((gain.covered, gain.nearer), (2, 2));
        assert_eq!((archive.covered(), archive.open()), (2, 0));
        assert!(
            archive
                .choose(&mut rng, Feedback::LeastSampled, 10)
                .is_none()
        );
        assert_eq!(archive.add(&tested(3, 2, &[(0, 1.0)]), 10), Gain::default());
        archive.add(&tested(4, 2, &[(0, 1.0)]), 10);
        archive.add(&tested(5, 9, &[(0, 1.0)]), 10);
        let kept: Vec<u64> = archive.kept().map(|(_, t)| t.individual.id).collect();
        assert_eq!(kept, [3, 2]);
    }

    #[test]
    fn what_was_not_reached_opens_no_population() {
        let mut archive = archive(1);
        assert_eq!(archive.add(&tested(1, 1, &[(0, 0.0)]), 10), Gain::default());
        assert_eq!(archive.open(), 0);
    }

    #[test]
    fn of_one_target_in_several_steps_the_best_value_counts() {
        let mut archive = Archive::default();
        let mut reached = Vec::new();
        archive.begin();
        archive.collect(Target::Fault(7), 0.2, &mut reached);
        archive.collect(Target::Fault(8), 0.9, &mut reached);
        archive.collect(Target::Fault(7), 0.6, &mut reached);
        assert_eq!(reached, [(0, 0.6), (1, 0.9)]);
        let mut again = Vec::new();
        archive.begin();
        archive.collect(Target::Fault(7), 0.1, &mut again);
        assert_eq!(again, [(0, 0.1)]);
    }

    #[test]
    fn sampling_takes_only_the_best_when_the_limit_is_one() {
        let mut archive = archive(1);
        let mut rng = Rng::seed_from_u64(2);
        archive.add(&tested(1, 1, &[(0, 0.5)]), 10);
        archive.add(&tested(2, 1, &[(0, 0.7)]), 10);
        for _ in 0..20 {
            let (_, chosen) = archive
                .choose(&mut rng, Feedback::LeastSampled, 1)
                .expect("one is open");
            assert_eq!(chosen.individual.id, 2);
        }
    }
}
