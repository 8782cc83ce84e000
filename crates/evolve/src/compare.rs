//! What changed between two fitnesses of one handling.

use crate::tested::Reached;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Change {
    /// Some target came nearer or is new.
    pub(crate) rose: bool,
    /// Some target is farther or gone.
    pub(crate) fell: bool,
}

impl Change {
    pub(crate) fn any(self) -> bool {
        self.rose || self.fell
    }

    /// From one fitness to another; a target that stands twice counts with its best value.
    pub(crate) fn between(before: Vec<Reached>, after: Vec<Reached>) -> Self {
        if before == after {
            return Self::default();
        }
        let (before, after) = (best(before), best(after));
        let (mut left, mut right) = (before.as_slice(), after.as_slice());
        let mut change = Self::default();
        // What only one of the two has is at zero in the other.
        while let Some(target) = first(left, right) {
            let (was, is) = (take(&mut left, target), take(&mut right, target));
            change.rose |= is > was;
            change.fell |= is < was;
        }
        change
    }
}

fn first(left: &[Reached], right: &[Reached]) -> Option<u32> {
    let heads = [left.first(), right.first()].into_iter().flatten();
    heads.map(|(target, _)| *target).min()
}

/// The value of a target if it comes next, and past it.
fn take(reached: &mut &[Reached], target: u32) -> f64 {
    match reached.split_first() {
        Some(((own, value), rest)) if *own == target => {
            *reached = rest;
            *value
        }
        _ => 0.0,
    }
}

/// Sorted by target, each once.
fn best(mut reached: Vec<Reached>) -> Vec<Reached> {
    reached.sort_unstable_by(|a, b| a.0.cmp(&b.0).then(b.1.total_cmp(&a.1)));
    reached.dedup_by_key(|(target, _)| *target);
    reached
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_change_is_a_rise_or_a_fall_of_any_target() {
        let change = Change::between(vec![(1, 0.5), (2, 0.5)], vec![(2, 0.7), (1, 0.4)]);
        assert!(change.rose && change.fell);
        assert!(!Change::between(vec![(1, 0.5)], vec![(1, 0.5)]).any());
    }

    #[test]
    fn a_target_that_comes_or_goes_is_a_change() {
        let came = Change::between(vec![(2, 0.5)], vec![(1, 0.1), (2, 0.5)]);
        assert!(came.rose && !came.fell);
        let went = Change::between(vec![(1, 0.1), (2, 0.5)], vec![(1, 0.1)]);
        assert!(!went.rose && went.fell);
    }

    #[test]
    fn the_best_value_of_a_target_counts() {
        let same = Change::between(vec![(1, 0.5)], vec![(1, 0.2), (1, 0.5)]);
        assert!(!same.any());
    }
}
