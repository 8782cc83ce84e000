//! Many-objective sorting: for every open target its best test survives, then whatever no other
//! test beats in everything.
//!
//! A generation is complete when as many tests were learned as it has members. Whoever asks for
//! more before that gets further offspring of the same parents; what is learned late counts for the
//! generation after.

use std::sync::Arc;

use fossick_genes::Rng;

use crate::dice;
use crate::tested::{Reached, Tested};

#[derive(Debug, Clone)]
struct Member {
    test: Arc<Tested>,
    /// The front it belongs to; 0 is the best.
    rank: usize,
    /// In how many targets another of its front beats it, at most.
    beaten: usize,
}

#[derive(Debug, Default)]
pub(crate) struct Mosa {
    population: Vec<Member>,
    learned: Vec<Arc<Tested>>,
}

impl Mosa {
    /// The better of two; none while the first generation is being sampled.
    pub(crate) fn parent(&self, rng: &mut Rng) -> Option<Arc<Tested>> {
        let one = self
            .population
            .get(dice::index(rng, self.population.len()))?;
        let two = self
            .population
            .get(dice::index(rng, self.population.len()))?;
        let better = std::cmp::min_by_key(one, two, |m| (m.rank, m.beaten));
        Some(Arc::clone(&better.test))
    }

    pub(crate) fn learn(
        &mut self,
        tested: &Arc<Tested>,
        size: usize,
        covered: impl Fn(u32) -> bool,
    ) {
        self.learned.push(Arc::clone(tested));
        if self.learned.len() < size.max(1) {
            return;
        }
        let mut all: Vec<Arc<Tested>> = std::mem::take(&mut self.learned);
        all.extend(self.population.drain(..).map(|member| member.test));
        self.population = survivors(&all, size.max(1), &covered);
    }
}

/// An open target, how near a test came, and which test.
type Mark = (u32, f64, usize);

fn survivors(all: &[Arc<Tested>], size: usize, covered: &dyn Fn(u32) -> bool) -> Vec<Member> {
    let marks = marks(all, covered);
    let duels = Duels::of(&marks, all.len());
    let mut members = Vec::new();
    for (rank, front) in fronts(all, &marks, &duels, size).into_iter().enumerate() {
        let mut next: Vec<Member> = front
            .iter()
            .map(|at| Member {
                test: Arc::clone(&all[*at]),
                rank,
                beaten: beaten(&duels, *at, &front),
            })
            .collect();
        next.sort_by_key(|m| (m.beaten, m.test.individual.len()));
        // The first front is the best test of every open target: none of them goes.
        if rank > 0 {
            next.truncate(size - members.len());
        }
        members.extend(next);
        if members.len() >= size {
            break;
        }
    }
    members
}

/// What all tests reached of the open targets, target by target and in the order of tests. Targets
/// are numbered from zero, so they are counted and put into place rather than sorted.
fn marks(all: &[Arc<Tested>], covered: &dyn Fn(u32) -> bool) -> Vec<Mark> {
    let open = |(target, value): &&Reached| *value > 0.0 && !covered(*target);
    let mut met = Vec::new();
    for (at, test) in all.iter().enumerate() {
        let reached = test.reached.iter().filter(open);
        met.extend(reached.map(|(target, value)| (*target, *value, at)));
    }
    let most = met.iter().map(|(target, ..)| *target as usize).max();
    let mut places = vec![0_usize; most.map_or(0, |most| most + 2)];
    for (target, ..) in &met {
        places[*target as usize + 1] += 1;
    }
    for at in 1..places.len() {
        places[at] += places[at - 1];
    }
    let mut marks = vec![(0, 0.0, 0); met.len()];
    for mark in met {
        let place = &mut places[mark.0 as usize];
        marks[*place] = mark;
        *place += 1;
    }
    marks
}

fn by_target(marks: &[Mark]) -> impl Iterator<Item = &[Mark]> {
    marks.chunk_by(|a, b| a.0 == b.0)
}

/// The tests that are preferred, then the others front by front. The others are not looked at
/// where the preferred ones are enough.
fn fronts(all: &[Arc<Tested>], marks: &[Mark], duels: &Duels, size: usize) -> Vec<Vec<usize>> {
    let first = preferred(all, marks);
    if first.len() >= size {
        return vec![first];
    }
    let rest: Vec<usize> = (0..all.len()).filter(|at| !first.contains(at)).collect();
    let mut fronts = vec![first];
    fronts.extend(sorted(duels, &rest));
    fronts.retain(|front| !front.is_empty());
    fronts
}

/// For each open target the test that is nearest, the shorter where two are as near.
fn preferred(all: &[Arc<Tested>], marks: &[Mark]) -> Vec<usize> {
    let length = |at: usize| all[at].individual.len();
    let mut is_chosen = vec![false; all.len()];
    for shared in by_target(marks) {
        let best = shared.iter().copied().reduce(|best, next| {
            let nearer = next.1 > best.1;
            let as_near = next.1 == best.1 && length(next.2) < length(best.2);
            if nearer || as_near { next } else { best }
        });
        if let Some((.., at)) = best {
            is_chosen[at] = true;
        }
    }
    (0..all.len()).filter(|at| is_chosen[*at]).collect()
}

/// Fast non-dominated sorting.
fn sorted(duels: &Duels, rest: &[usize]) -> Vec<Vec<usize>> {
    let mut dominates: Vec<Vec<usize>> = vec![Vec::new(); duels.count()];
    let mut dominated_by = vec![0_usize; duels.count()];
    for (n, a) in rest.iter().enumerate() {
        for b in rest.iter().skip(n + 1) {
            let (winner, loser) = match (duels.ahead(*a, *b) > 0, duels.ahead(*b, *a) > 0) {
                (true, false) => (*a, *b),
                (false, true) => (*b, *a),
                _ => continue,
            };
            dominates[winner].push(loser);
            dominated_by[loser] += 1;
        }
    }
    let free = |at: &usize| dominated_by[*at] == 0;
    let mut front: Vec<usize> = rest.iter().copied().filter(free).collect();
    let mut fronts = Vec::new();
    while !front.is_empty() {
        let mut next = Vec::new();
        for loser in front.iter().flat_map(|at| &dominates[*at]) {
            dominated_by[*loser] -= 1;
            if dominated_by[*loser] == 0 {
                next.push(*loser);
            }
        }
        fronts.push(std::mem::replace(&mut front, next));
    }
    fronts
}

/// In how many targets each test is nearer than each other one.
///
/// A test is ahead in all that it reached but for those where the other is as near. Only tests
/// that share a target have such, so targets are gone through one by one and not pairs of tests.
struct Duels {
    reached: Vec<usize>,
    /// By test and other test: targets of the first in which the second is as near or nearer.
    held: Vec<u32>,
}

impl Duels {
    fn of(marks: &[Mark], count: usize) -> Self {
        let mut reached = vec![0; count];
        let mut held = vec![0; count * count];
        for shared in by_target(marks) {
            for (_, value, at) in shared {
                reached[*at] += 1;
                let row = &mut held[at * count..(at + 1) * count];
                for (_, other_value, other) in shared {
                    row[*other] += u32::from(other_value >= value);
                }
            }
        }
        Self { reached, held }
    }

    fn count(&self) -> usize {
        self.reached.len()
    }

    fn ahead(&self, test: usize, other: usize) -> usize {
        self.reached[test] - self.held[test * self.count() + other] as usize
    }
}

/// In how many targets some other test of the front is nearer, at most: the fewer, the more of its
/// own a test has.
fn beaten(duels: &Duels, at: usize, front: &[usize]) -> usize {
    let others = front.iter().filter(|other| **other != at);
    others
        .map(|other| duels.ahead(*other, at))
        .max()
        .unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::archive::tests::tested;
    use rand::SeedableRng as _;

    fn ids(members: &[Member], rank: usize) -> Vec<u64> {
        let of_rank = members.iter().filter(|m| m.rank == rank);
        let mut ids: Vec<u64> = of_rank.map(|m| m.test.individual.id).collect();
        ids.sort_unstable();
        ids
    }

    #[test]
    fn the_best_of_each_open_target_comes_first() {
        let all = [
            tested(1, 1, &[(0, 0.9)]),
            tested(2, 1, &[(1, 0.9)]),
            tested(3, 1, &[(0, 0.8), (1, 0.8)]),
            tested(4, 1, &[(0, 0.1)]),
        ];
        let members = survivors(&all, 4, &|_| false);
        assert_eq!(ids(&members, 0), [1, 2]);
        assert_eq!(ids(&members, 1), [3]);
        assert_eq!(ids(&members, 2), [4]);
    }

    #[test]
    fn of_two_that_are_as_near_the_shorter_is_preferred() {
        let all = [tested(1, 5, &[(0, 0.5)]), tested(2, 2, &[(0, 0.5)])];
        assert_eq!(ids(&survivors(&all, 2, &|_| false), 0), [2]);
    }

    #[test]
    fn covered_targets_do_not_count() {
        let all = [tested(1, 1, &[(0, 1.0)]), tested(2, 1, &[(1, 0.2)])];
        let members = survivors(&all, 1, &|target| target == 0);
        assert_eq!(ids(&members, 0), [2]);
    }

    #[test]
    fn a_duel_counts_targets_on_both_sides() {
        let duel = |a: &[Reached], b: &[Reached]| {
            let all = [tested(1, 1, a), tested(2, 1, b)];
            let duels = Duels::of(&marks(&all, &|_| false), 2);
            (duels.ahead(0, 1), duels.ahead(1, 0))
        };
        assert_eq!(duel(&[(0, 0.5), (2, 0.5)], &[(1, 0.5), (2, 0.6)]), (1, 2));
        assert_eq!(duel(&[(2, 0.5), (0, 0.5)], &[(0, 0.5)]), (1, 0));
        assert_eq!(duel(&[], &[(1, 0.1)]), (0, 1));
    }

    #[test]
    fn a_generation_is_complete_when_enough_were_learned() {
        let mut mosa = Mosa::default();
        let mut rng = Rng::seed_from_u64(1);
        for id in 0..3 {
            assert!(mosa.parent(&mut rng).is_none());
            mosa.learn(&tested(id, 1, &[(id as u32, 0.5)]), 3, |_| false);
        }
        assert_eq!(mosa.population.len(), 3);
        assert!(mosa.parent(&mut rng).is_some());
        for id in 3..6 {
            mosa.learn(&tested(id, 1, &[(id as u32 - 3, 0.9)]), 3, |_| false);
        }
        assert_eq!(ids(&mosa.population, 0), [3, 4, 5]);
    }
}
