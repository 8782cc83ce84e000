//! An individual that was run, with what it reached.

use std::hash::{Hash as _, Hasher as _};

use crate::quick::Quick;
use crate::{Individual, Scores};

/// A target by its place in the archive, and how near it came.
pub(crate) type Reached = (u32, f64);

#[derive(Debug)]
pub(crate) struct Tested {
    pub(crate) individual: Individual,
    /// The best value of each target, each once, in the order of reaching.
    pub(crate) reached: Vec<Reached>,
    /// What each step that was sent reached; a target may stand twice. Kept only where
    /// dependencies are looked for.
    pub(crate) by_step: Vec<Vec<Reached>>,
    /// Tells whether two tests reached exactly the same.
    pub(crate) digest: u64,
}

impl Tested {
    pub(crate) fn value(&self, target: u32) -> f64 {
        let found = self.reached.iter().find(|(own, _)| *own == target);
        found.map_or(0.0, |(_, value)| *value)
    }

    pub(crate) fn covers(&self) -> usize {
        self.reached
            .iter()
            .filter(|(_, value)| *value >= 1.0)
            .count()
    }
}

/// A number that differs where scores differ, step by step.
pub(crate) fn digest(scores: &Scores) -> u64 {
    let mut whole = Quick::default();
    for step in &scores.by_step {
        // A sum does not care in which order targets are told.
        let each = step.iter().map(|(target, value)| {
            let mut one = Quick::default();
            (target, value.to_bits()).hash(&mut one);
            one.finish()
        });
        whole.write_u64(each.fold(0, u64::wrapping_add));
    }
    whole.finish()
}

#[cfg(test)]
mod tests {
    use super::*;
    use fossick_trace::Target;

    #[test]
    fn the_digest_knows_steps_and_values_and_no_order_of_telling() {
        let (a, b) = (Target::Fault(1), Target::Fault(2));
        let of = |by_step: Vec<Vec<(Target, f64)>>| digest(&Scores { by_step });
        assert_eq!(
            of(vec![vec![(a, 0.5), (b, 1.0)]]),
            of(vec![vec![(b, 1.0), (a, 0.5)]])
        );
        assert_ne!(of(vec![vec![(a, 0.5)]]), of(vec![vec![(a, 0.6)]]));
        assert_ne!(
            of(vec![vec![(a, 0.5)], vec![]]),
            of(vec![vec![], vec![(a, 0.5)]])
        );
    }
}
