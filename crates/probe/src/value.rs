//! How nearly a target was reached, as it goes over the wire: sixteen bits.
//!
//! The two ends are exact. Whatever is above nothing stays above it and whatever falls short of
//! the whole stays short, so rounding neither hides a target nor covers one.

use serde::{Deserialize, Serialize};

/// From 0, not reached at all, to 65535, covered.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize,
)]
#[serde(transparent)]
pub struct Value(u16);

impl Value {
    pub const NONE: Self = Self(0);
    pub const FULL: Self = Self(u16::MAX);

    /// Takes a share of one. What is no number counts as nothing.
    pub fn new(share: f64) -> Self {
        if share >= 1.0 {
            return Self::FULL;
        }
        if share > 0.0 {
            let scaled = (share * f64::from(u16::MAX)).round() as u16;
            return Self(scaled.clamp(1, u16::MAX - 1));
        }
        Self::NONE
    }

    pub const fn from_bits(bits: u16) -> Self {
        Self(bits)
    }

    pub const fn bits(self) -> u16 {
        self.0
    }

    pub fn share(self) -> f64 {
        f64::from(self.0) / f64::from(u16::MAX)
    }

    pub fn is_full(self) -> bool {
        self == Self::FULL
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rounding_neither_hides_a_target_nor_covers_one() {
        assert_eq!(Value::new(1e-30).bits(), 1);
        assert_eq!(Value::new(1.0 - 1e-12).bits(), u16::MAX - 1);
    }

    #[test]
    fn the_ends_are_exact_and_the_rest_is_cut_to_them() {
        assert_eq!(Value::new(1.0), Value::FULL);
        assert_eq!(Value::new(7.0), Value::FULL);
        for nothing in [0.0, -1.0, f64::NAN] {
            assert_eq!(Value::new(nothing), Value::NONE);
        }
        assert_eq!(Value::FULL.share(), 1.0);
    }

    #[test]
    fn a_share_comes_back_nearly_as_it_went() {
        assert!((Value::new(0.3).share() - 0.3).abs() < 1e-4);
    }
}
