//! Small draws from the seeded stream.
//!
//! Spelt out over raw 64-bit words, because the distributions of a random library may change
//! with its version, and because drawing must not depend on the width of a machine word: a seed
//! means the same run everywhere.

use rand::Rng as _;

use crate::Rng;

/// A number below `n`; zero if `n` is zero.
pub(crate) fn below(rng: &mut Rng, n: u64) -> u64 {
    ((u128::from(rng.next_u64()) * u128::from(n)) >> 64) as u64
}

pub(crate) fn index(rng: &mut Rng, len: usize) -> usize {
    below(rng, len as u64) as usize
}

pub(crate) fn one_in(rng: &mut Rng, n: u64) -> bool {
    below(rng, n) == 0
}

/// A number from `lo` to `hi`, both included; `lo` if they are the wrong way round.
pub(crate) fn between(rng: &mut Rng, lo: i64, hi: i64) -> i64 {
    let span = i128::from(hi) - i128::from(lo);
    if span <= 0 {
        return lo;
    }
    let offset = (u128::from(rng.next_u64()) * (span as u128 + 1)) >> 64;
    (i128::from(lo) + offset as i128) as i64
}

pub(crate) fn size(rng: &mut Rng, lo: usize, hi: usize) -> usize {
    lo + index(rng, hi.saturating_sub(lo) + 1)
}

pub(crate) fn pick<'t, T>(rng: &mut Rng, all: &'t [T]) -> Option<&'t T> {
    all.get(index(rng, all.len()))
}

/// From zero, included, to one, excluded.
pub(crate) fn unit(rng: &mut Rng) -> f64 {
    (rng.next_u64() >> 11) as f64 / (1_u64 << 53) as f64
}

/// Roughly normal: mean zero, deviation one.
pub(crate) fn gaussian(rng: &mut Rng) -> f64 {
    (0..12).map(|_| unit(rng)).sum::<f64>() - 6.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::SeedableRng as _;

    #[test]
    fn draws_stay_within_their_bounds() {
        let mut rng = Rng::seed_from_u64(1);
        for _ in 0..1000 {
            assert!(below(&mut rng, 7) < 7);
            assert!((-3..=4).contains(&between(&mut rng, -3, 4)));
            assert!((0.0..1.0).contains(&unit(&mut rng)));
            assert!((2..=5).contains(&size(&mut rng, 2, 5)));
        }
        assert_eq!(below(&mut rng, 0), 0);
        assert_eq!(between(&mut rng, 5, 1), 5);
    }

    #[test]
    fn the_whole_width_of_an_integer_can_be_drawn() {
        let mut rng = Rng::seed_from_u64(2);
        let draws: Vec<i64> = (0..100)
            .map(|_| between(&mut rng, i64::MIN, i64::MAX))
            .collect();
        assert!(draws.iter().any(|d| *d > i64::MAX / 2));
        assert!(draws.iter().any(|d| *d < i64::MIN / 2));
    }
}
