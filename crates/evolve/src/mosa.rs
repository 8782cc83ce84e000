//! Many-objective sorting: for every open target its best test survives, then whatever no other
//! test beats in everything.
//!
//! A generation is complete when as many tests were learned as it has members. Whoever asks for
//! more before that gets further offspring of the same parents; what is learned late counts for the
//! generation after.

use std::cmp::Ordering;
use std::collections::BTreeMap;
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

/// What a test reached of the open targets, sorted.
type Vector = Vec<Reached>;

fn survivors(all: &[Arc<Tested>], size: usize, covered: &dyn Fn(u32) -> bool) -> Vec<Member> {
    let vectors: Vec<Vector> = all.iter().map(|test| vector(test, covered)).collect();
    let mut members = Vec::new();
    for (rank, front) in fronts(all, &vectors).into_iter().enumerate() {
        let mut next: Vec<Member> = front
            .iter()
            .map(|at| Member {
                test: Arc::clone(&all[*at]),
                rank,
                beaten: beaten(&vectors, *at, &front),
            })
            .collect();
        next.sort_by_key(|m| (m.beaten, m.test.individual.len()));
        next.truncate(size - members.len());
        members.extend(next);
        if members.len() >= size {
            break;
        }
    }
    members
}

fn vector(test: &Tested, covered: &dyn Fn(u32) -> bool) -> Vector {
    let open = |(target, value): &&Reached| *value > 0.0 && !covered(*target);
    let mut vector: Vector = test.reached.iter().filter(open).copied().collect();
    vector.sort_unstable_by_key(|(target, _)| *target);
    vector
}

/// The tests that are preferred, then the others front by front.
fn fronts(all: &[Arc<Tested>], vectors: &[Vector]) -> Vec<Vec<usize>> {
    let first = preferred(all, vectors);
    let rest: Vec<usize> = (0..all.len()).filter(|at| !first.contains(at)).collect();
    let mut fronts = vec![first];
    fronts.extend(sorted(vectors, &rest));
    fronts.retain(|front| !front.is_empty());
    fronts
}

/// For each open target the test that is nearest, the shorter where two are as near.
fn preferred(all: &[Arc<Tested>], vectors: &[Vector]) -> Vec<usize> {
    let mut best: BTreeMap<u32, (f32, usize)> = BTreeMap::new();
    let length = |at: usize| all[at].individual.len();
    for (at, vector) in vectors.iter().enumerate() {
        for (target, value) in vector {
            let entry = best.entry(*target).or_insert((*value, at));
            if *value > entry.0 || (*value == entry.0 && length(at) < length(entry.1)) {
                *entry = (*value, at);
            }
        }
    }
    let mut chosen: Vec<usize> = best.into_values().map(|(_, at)| at).collect();
    chosen.sort_unstable();
    chosen.dedup();
    chosen
}

/// Fast non-dominated sorting.
fn sorted(vectors: &[Vector], rest: &[usize]) -> Vec<Vec<usize>> {
    let mut dominates: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    let mut dominated_by: BTreeMap<usize, usize> = rest.iter().map(|at| (*at, 0)).collect();
    for (n, a) in rest.iter().enumerate() {
        for b in rest.iter().skip(n + 1) {
            let (ahead, behind) = duel(&vectors[*a], &vectors[*b]);
            let (winner, loser) = match (ahead > 0, behind > 0) {
                (true, false) => (a, b),
                (false, true) => (b, a),
                _ => continue,
            };
            dominates.entry(*winner).or_default().push(*loser);
            *dominated_by.entry(*loser).or_default() += 1;
        }
    }
    let free = |at: &usize| dominated_by.get(at) == Some(&0);
    let mut front: Vec<usize> = rest.iter().copied().filter(free).collect();
    let mut fronts = Vec::new();
    while !front.is_empty() {
        let mut next = Vec::new();
        for loser in front.iter().filter_map(|at| dominates.get(at)).flatten() {
            let above = dominated_by.entry(*loser).or_default();
            *above = above.saturating_sub(1);
            if *above == 0 {
                next.push(*loser);
            }
        }
        fronts.push(std::mem::replace(&mut front, next));
    }
    fronts
}

/// In how many targets the first is nearer, and in how many the second.
fn duel(a: &[Reached], b: &[Reached]) -> (usize, usize) {
    let (mut left, mut right) = (a, b);
    let (mut ahead, mut behind) = (0, 0);
    while let (Some((x, rest_x)), Some((y, rest_y))) = (left.split_first(), right.split_first()) {
        match x.0.cmp(&y.0) {
            Ordering::Equal => {
                ahead += usize::from(x.1 > y.1);
                behind += usize::from(x.1 < y.1);
                (left, right) = (rest_x, rest_y);
            }
            Ordering::Less => {
                ahead += 1;
                left = rest_x;
            }
            Ordering::Greater => {
                behind += 1;
                right = rest_y;
            }
        }
    }
    (ahead + left.len(), behind + right.len())
}

/// In how many targets some other test of the front is nearer, at most: the fewer, the more of its
/// own a test has.
fn beaten(vectors: &[Vector], at: usize, front: &[usize]) -> usize {
    let others = front.iter().filter(|other| **other != at);
    let lost = others.map(|other| duel(&vectors[at], &vectors[*other]).1);
    lost.max().unwrap_or(0)
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
        assert_eq!(duel(&[(0, 0.5), (2, 0.5)], &[(1, 0.5), (2, 0.6)]), (1, 2));
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
