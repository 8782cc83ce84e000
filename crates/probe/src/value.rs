//! How nearly a target was reached: a share of one, as a real number.
//!
//! Distances are told as `1 / (1 + d)`: fewer digits would take the slope away from whoever is far.

use std::cmp::Ordering;

use serde::{Deserialize, Serialize};

/// From 0, not reached at all, to 1, covered; never anything else.
#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize)]
#[serde(from = "f64", into = "f64")]
pub struct Value(f64);

impl Value {
    pub const NONE: Self = Self(0.0);
    pub const FULL: Self = Self(1.0);

    /// Takes a share of one. What is no number counts as nothing.
    pub fn new(share: f64) -> Self {
        if share > 0.0 {
            Self(share.min(1.0))
        } else {
            Self::NONE
        }
    }

    pub fn share(self) -> f64 {
        self.0
    }

    pub fn is_full(self) -> bool {
        self == Self::FULL
    }
}

impl From<f64> for Value {
    fn from(share: f64) -> Self {
        Self::new(share)
    }
}

impl From<Value> for f64 {
    fn from(value: Value) -> Self {
        value.0
    }
}

impl PartialEq for Value {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Value {}

impl PartialOrd for Value {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Value {
    fn cmp(&self, other: &Self) -> Ordering {
        self.0.total_cmp(&other.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ends_are_exact_and_the_rest_is_cut_to_them() {
        assert_eq!(Value::new(1.0), Value::FULL);
        assert_eq!(Value::new(7.0), Value::FULL);
        for nothing in [0.0, -0.0, -1.0, f64::NAN] {
            assert_eq!(Value::new(nothing), Value::NONE);
        }
        assert!(!Value::new(1.0 - 1e-12).is_full());
    }

    /// Whoever is a thousand million away still sees which way is nearer.
    #[test]
    fn a_step_of_one_is_nearer_however_far_away() {
        for far in [300.0, 70_000.0, 2e9] {
            let at = |distance: f64| Value::new(1.0 / (1.0 + distance));
            assert!(at(far - 1.0) > at(far), "{far}");
        }
    }
}
