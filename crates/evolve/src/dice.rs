//! Small draws from the seeded stream.
//!
//! Spelt out over raw words, so that a seed means the same run with every version of the random
//! library and on every machine.

use fossick_genes::Rng;
use rand::Rng as _;

/// A number below `n`; zero if `n` is zero.
pub(crate) fn index(rng: &mut Rng, n: usize) -> usize {
    ((u128::from(rng.next_u64()) * n as u128) >> 64) as usize
}

/// From zero, included, to one, excluded.
pub(crate) fn unit(rng: &mut Rng) -> f64 {
    (rng.next_u64() >> 11) as f64 / (1_u64 << 53) as f64
}

pub(crate) fn chance(rng: &mut Rng, probability: f64) -> bool {
    unit(rng) < probability
}

/// From `lo` to `hi`, both included; `lo` if they are the wrong way round.
pub(crate) fn size(rng: &mut Rng, lo: usize, hi: usize) -> usize {
    lo + index(rng, (hi + 1).saturating_sub(lo).max(1))
}

pub(crate) fn pick<T: Copy>(rng: &mut Rng, all: &[T]) -> Option<T> {
    all.get(index(rng, all.len())).copied()
}

/// A place drawn in proportion to its weight; none if no weight is above zero.
pub(crate) fn weighted(rng: &mut Rng, weights: &[f64]) -> Option<usize> {
    let total: f64 = weights.iter().filter(|weight| **weight > 0.0).sum();
    if total <= 0.0 {
        return None;
    }
    let mut left = unit(rng) * total;
    let mut last = None;
    for (at, weight) in weights.iter().enumerate().filter(|(_, w)| **w > 0.0) {
        last = Some(at);
        left -= weight;
        if left < 0.0 {
            break;
        }
    }
    last
}

/// Puts a list into random order.
pub(crate) fn shuffle<T>(rng: &mut Rng, all: &mut [T]) {
    for at in (1..all.len()).rev() {
        let other = index(rng, at + 1);
        all.swap(at, other);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::SeedableRng as _;

    #[test]
    fn draws_stay_within_their_bounds() {
        let mut rng = Rng::seed_from_u64(1);
        for _ in 0..500 {
            assert!(index(&mut rng, 7) < 7);
            assert!((2..=4).contains(&size(&mut rng, 2, 4)));
            assert!((0.0..1.0).contains(&unit(&mut rng)));
        }
        assert_eq!(index(&mut rng, 0), 0);
        assert_eq!(size(&mut rng, 5, 1), 5);
        assert_eq!(pick::<u8>(&mut rng, &[]), None);
    }

    #[test]
    fn what_has_no_weight_is_never_drawn() {
        let mut rng = Rng::seed_from_u64(2);
        for _ in 0..200 {
            assert_ne!(weighted(&mut rng, &[0.5, 0.0, 0.5]), Some(1));
        }
        assert_eq!(weighted(&mut rng, &[0.0, 0.0]), None);
    }

    #[test]
    fn weights_are_proportions() {
        let mut rng = Rng::seed_from_u64(3);
        let heavy = (0..4000).filter(|_| weighted(&mut rng, &[1.0, 3.0]) == Some(1));
        let share = heavy.count() as f64 / 4000.0;
        assert!((share - 0.75).abs() < 0.03, "{share}");
    }
}
