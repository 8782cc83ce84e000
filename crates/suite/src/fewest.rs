//! The fewest tests that keep every target.
//!
//! Set cover is hard, and greed is good at it: the test with the most targets that nobody covers
//! yet comes first, the cheaper of two that bring as much, then the earlier. Afterwards a test
//! whose targets the others cover by now goes again.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap, HashSet};
use std::hash::Hash;

/// What a test brings, and what it costs.
#[derive(Debug, Clone)]
pub struct Offer<T> {
    pub targets: Vec<T>,
    /// Calls that it makes.
    pub cost: usize,
}

/// Places of the tests to keep, in their order.
pub fn fewest<T: Hash + Eq + Copy>(offers: &[Offer<T>]) -> Vec<usize> {
    let mut covered: HashSet<T> = HashSet::new();
    let mut chosen = Vec::new();
    let rank = |gain: usize, at: usize| (gain, Reverse(offers[at].cost), Reverse(at));
    let mut waiting: BinaryHeap<_> = (0..offers.len())
        .map(|at| rank(new_in(&offers[at].targets, &covered), at))
        .collect();
    while let Some((gain, _, Reverse(at))) = waiting.pop() {
        let now = new_in(&offers[at].targets, &covered);
        if now == 0 {
            continue;
        }
        // Gains only fall, so what still leads with its true gain leads indeed.
        if now < gain {
            waiting.push(rank(now, at));
            continue;
        }
        covered.extend(&offers[at].targets);
        chosen.push(at);
    }
    without_idle(offers, chosen)
}

fn new_in<T: Hash + Eq + Copy>(targets: &[T], covered: &HashSet<T>) -> usize {
    let new: HashSet<_> = targets.iter().filter(|t| !covered.contains(t)).collect();
    new.len()
}

/// Leaves out tests, the dearest first, all of whose targets others cover as well.
fn without_idle<T: Hash + Eq + Copy>(offers: &[Offer<T>], mut chosen: Vec<usize>) -> Vec<usize> {
    let mut times: HashMap<T, usize> = HashMap::new();
    for at in &chosen {
        for target in each_once(&offers[*at].targets) {
            *times.entry(target).or_insert(0) += 1;
        }
    }
    chosen.sort_by_key(|at| (Reverse(offers[*at].cost), Reverse(*at)));
    chosen.retain(|at| {
        let targets = each_once(&offers[*at].targets);
        let idle = targets.iter().all(|target| times[target] > 1);
        if idle {
            for target in &targets {
                times.entry(*target).and_modify(|n| *n -= 1);
            }
        }
        !idle
    });
    chosen.sort_unstable();
    chosen
}

fn each_once<T: Hash + Eq + Copy>(targets: &[T]) -> Vec<T> {
    let mut seen = HashSet::new();
    let once = targets.iter().filter(|target| seen.insert(**target));
    once.copied().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn offer(targets: &[u8], cost: usize) -> Offer<u8> {
        Offer {
            targets: targets.to_vec(),
            cost,
        }
    }

    #[test]
    fn the_richest_test_makes_the_others_idle() {
        let offers = [offer(&[1], 1), offer(&[1, 2, 3], 4), offer(&[3], 1)];
        assert_eq!(fewest(&offers), [1]);
    }

    #[test]
    fn of_two_that_bring_as_much_the_cheaper_is_kept() {
        assert_eq!(fewest(&[offer(&[1, 2], 3), offer(&[2, 1], 2)]), [1]);
    }

    #[test]
    fn a_test_that_later_ones_made_idle_goes_again() {
        let offers = [
            offer(&[1, 2, 3, 4], 9),
            offer(&[1, 2, 5], 1),
            offer(&[3, 4, 6], 1),
        ];
        assert_eq!(fewest(&offers), [1, 2]);
    }

    proptest! {
        #[test]
        fn every_target_is_kept_and_no_test_is_idle(
            offers in prop::collection::vec((prop::collection::vec(0_u8..30, 0..8), 1_usize..5), 0..25)
        ) {
            let offers: Vec<_> = offers.into_iter().map(|(t, c)| offer(&t, c)).collect();
            let kept = fewest(&offers);
            let all: HashSet<u8> = offers.iter().flat_map(|o| o.targets.clone()).collect();
            let by = |chosen: &[usize]| -> HashSet<u8> {
                chosen.iter().flat_map(|at| offers[*at].targets.clone()).collect()
            };
            prop_assert_eq!(by(&kept), all.clone());
            for out in 0..kept.len() {
                let mut fewer = kept.clone();
                fewer.remove(out);
                prop_assert_ne!(by(&fewer), all.clone());
            }
        }
    }
}
