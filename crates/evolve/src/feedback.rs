//! Which target is worked on next.
//!
//! Targets lie in levels by how often they were sampled since they last came nearer, so that the
//! least sampled is found without looking at all of them.

use std::collections::{BTreeMap, BTreeSet};

use fossick_genes::Rng;

use crate::{Feedback, dice};

/// A target that is told to have improved so recently is worked on for this long at first.
const PATIENCE: u32 = 20;

#[derive(Debug, Clone, Copy, Default)]
struct Standing {
    open: bool,
    /// Samples since it last came nearer.
    samples: u32,
    /// Samples that its last improvement took.
    took: Option<u32>,
    /// Its place in its level.
    seat: u32,
}

impl Standing {
    /// It goes well, or may yet.
    fn is_promising(self) -> bool {
        let patience = self.took.map_or(PATIENCE, |took| took.saturating_mul(2));
        self.open && self.samples < patience
    }
}

#[derive(Debug, Default)]
pub(crate) struct Chooser {
    standings: Vec<Standing>,
    levels: BTreeMap<u32, Vec<u32>>,
    /// Targets that improved and are still promising, by how quickly they did. Kept from the time
    /// on when somebody asks for them.
    quick: Option<BTreeSet<(u32, u32)>>,
    last: Option<u32>,
    open: usize,
}

impl Chooser {
    /// How many targets are reached and not covered.
    pub(crate) fn open(&self) -> usize {
        self.open
    }

    /// A target is reached for the first time, or came nearer.
    pub(crate) fn improve(&mut self, target: u32) {
        self.make_room(target);
        let standing = self.standings[target as usize];
        if !standing.open {
            self.open += 1;
            self.standings[target as usize].open = true;
            self.standings[target as usize].samples = 0;
            self.enter(target);
            return;
        }
        let took = standing.samples.max(1);
        if let Some(quick) = &mut self.quick {
            quick.remove(&(standing.took.unwrap_or(0), target));
            quick.insert((took, target));
        }
        self.standings[target as usize].took = Some(took);
        self.reset(target);
    }

    /// A better test was found for a target that is open, though not the best of all.
    pub(crate) fn refresh(&mut self, target: u32) {
        let open = self.standings.get(target as usize).is_some_and(|s| s.open);
        if open {
            self.reset(target);
        }
    }

    /// Puts a target among those that were never sampled; mostly it stands there already.
    fn reset(&mut self, target: u32) {
        if self.standings[target as usize].samples > 0 {
            self.leave(target);
            self.standings[target as usize].samples = 0;
            self.enter(target);
        }
    }

    /// A target is covered: nobody need work on it.
    pub(crate) fn close(&mut self, target: u32) {
        self.make_room(target);
        let standing = self.standings[target as usize];
        if !standing.open {
            return;
        }
        self.leave(target);
        if let Some(quick) = &mut self.quick {
            quick.remove(&(standing.took.unwrap_or(0), target));
        }
        self.standings[target as usize].open = false;
        self.open -= 1;
    }

    /// The next target, which counts as sampled.
    pub(crate) fn choose(&mut self, rng: &mut Rng, feedback: Feedback) -> Option<u32> {
        let focused = match feedback {
            Feedback::LeastSampled => None,
            Feedback::FocusedQuickest => self.focused(),
        };
        let target = focused.or_else(|| self.least(rng))?;
        self.sample(target);
        self.last = Some(target);
        Some(target)
    }

    fn focused(&mut self) -> Option<u32> {
        let standings = &self.standings;
        let quick = self.quick.get_or_insert_with(|| quick(standings));
        let standing = |target: u32| standings.get(target as usize).copied();
        let promising = |target: &u32| standing(*target).is_some_and(Standing::is_promising);
        let quickest = || quick.first().map(|(_, target)| *target);
        self.last.filter(promising).or_else(quickest)
    }

    fn least(&self, rng: &mut Rng) -> Option<u32> {
        let (_, level) = self.levels.first_key_value()?;
        dice::pick(rng, level)
    }

    fn sample(&mut self, target: u32) {
        self.leave(target);
        let standing = &mut self.standings[target as usize];
        standing.samples = standing.samples.saturating_add(1);
        let standing = *standing;
        if let Some(quick) = self.quick.as_mut().filter(|_| !standing.is_promising()) {
            quick.remove(&(standing.took.unwrap_or(0), target));
        }
        self.enter(target);
    }

    fn make_room(&mut self, target: u32) {
        let wanted = target as usize + 1;
        if self.standings.len() < wanted {
            self.standings.resize(wanted, Standing::default());
        }
    }

    fn enter(&mut self, target: u32) {
        let standing = &mut self.standings[target as usize];
        let level = self.levels.entry(standing.samples).or_default();
        standing.seat = level.len() as u32;
        level.push(target);
    }

    fn leave(&mut self, target: u32) {
        let Standing { samples, seat, .. } = self.standings[target as usize];
        let Some(level) = self.levels.get_mut(&samples) else {
            return;
        };
        level.swap_remove(seat as usize);
        if let Some(moved) = level.get(seat as usize) {
            self.standings[*moved as usize].seat = seat;
        } else if level.is_empty() {
            self.levels.remove(&samples);
        }
    }
}

/// Targets that improved and are still promising.
fn quick(standings: &[Standing]) -> BTreeSet<(u32, u32)> {
    let all = (0..).zip(standings);
    let promising = all.filter(|(_, standing)| standing.is_promising());
    let quick = promising.filter_map(|(target, standing)| Some((standing.took?, target)));
    quick.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::SeedableRng as _;

    fn draws(chooser: &mut Chooser, feedback: Feedback, count: usize) -> Vec<u32> {
        let mut rng = Rng::seed_from_u64(1);
        let draw = |_| chooser.choose(&mut rng, feedback);
        (0..count).filter_map(draw).collect()
    }

    #[test]
    fn the_least_sampled_comes_first() {
        let mut chooser = Chooser::default();
        for target in 0..3 {
            chooser.improve(target);
        }
        let mut round = draws(&mut chooser, Feedback::LeastSampled, 3);
        round.sort_unstable();
        assert_eq!(round, [0, 1, 2]);
    }

    #[test]
    fn an_improvement_resets_the_counter() {
        let mut chooser = Chooser::default();
        chooser.improve(0);
        chooser.improve(1);
        draws(&mut chooser, Feedback::LeastSampled, 10);
        chooser.improve(1);
        assert_eq!(draws(&mut chooser, Feedback::LeastSampled, 3), [1, 1, 1]);
    }

    #[test]
    fn what_is_covered_is_never_chosen() {
        let mut chooser = Chooser::default();
        chooser.improve(0);
        chooser.improve(1);
        chooser.close(0);
        chooser.close(0);
        assert_eq!(chooser.open(), 1);
        for feedback in [Feedback::LeastSampled, Feedback::FocusedQuickest] {
            assert_eq!(draws(&mut chooser, feedback, 40), [1; 40]);
        }
        chooser.close(1);
        assert!(draws(&mut chooser, Feedback::LeastSampled, 1).is_empty());
    }

    #[test]
    fn focused_quickest_stays_for_twenty_samples_and_then_looks_elsewhere() {
        let mut chooser = Chooser::default();
        chooser.improve(0);
        chooser.improve(1);
        let draws = draws(&mut chooser, Feedback::FocusedQuickest, 21);
        assert!(draws[..20].iter().all(|target| *target == draws[0]));
        assert_ne!(draws[20], draws[0]);
    }

    #[test]
    fn focused_quickest_goes_to_what_improved_quickest() {
        let mut chooser = Chooser::default();
        for target in 0..3 {
            chooser.improve(target);
        }
        let first = draws(&mut chooser, Feedback::FocusedQuickest, 20)[0];
        let quick = (first + 1) % 3;
        chooser.improve(quick);
        // It took one sample at most, so it is followed for two.
        let next = draws(&mut chooser, Feedback::FocusedQuickest, 3);
        assert_eq!(next[..2], [quick, quick]);
        assert_ne!(next[2], quick);
    }
}
