//! Which tests of the archive stay.

use std::collections::BTreeSet;

use fossick_suite::{Offer, fewest};
use fossick_trace::Target;

use crate::candidate::Candidate;

/// The fewest tests of the archive that reach what is wanted, apart from some: their places, and
/// they themselves with the targets that they are chosen for. Those that borrow are left out: they
/// work until somebody clears the table.
pub(crate) fn choose(
    archived: &[Candidate],
    wanted: &BTreeSet<Target>,
    apart: &BTreeSet<usize>,
) -> (BTreeSet<usize>, Vec<Candidate>) {
    let quick = |test: &Candidate| !test.is_slow();
    let mut tests = chosen(archived, wanted, &|at, test| {
        !apart.contains(&at) && quick(test)
    });
    let left = missing(wanted, tests.iter().map(|(_, test)| test));
    let slow = chosen(archived, &left, &|at, test| {
        !apart.contains(&at) && !quick(test) && !test.is_too_slow()
    });
    tests.extend(slow);
    tests.into_iter().unzip()
}

/// The fewest of those that may be chosen, with their places.
fn chosen(
    archived: &[Candidate],
    wanted: &BTreeSet<Target>,
    may: &dyn Fn(usize, &Candidate) -> bool,
) -> Vec<(usize, Candidate)> {
    let offers: Vec<Offer<Target>> = archived
        .iter()
        .enumerate()
        .map(|(at, candidate)| Offer {
            targets: if candidate.borrows || !may(at, candidate) {
                Vec::new()
            } else {
                let targets = candidate.targets.iter().copied();
                targets.filter(|target| wanted.contains(target)).collect()
            },
            cost: candidate.script.calls.len(),
        })
        .collect();
    let chosen = |at: usize| Candidate {
        targets: offers[at].targets.clone(),
        ..archived[at].clone()
    };
    let places = fewest(&offers).into_iter();
    places.map(|at| (at, chosen(at))).collect()
}

/// Targets of the run that a test can be asked to reach again. A fault is kept by its own test if
/// it came back, and by none if it did not; what gets no answer can't be asserted.
pub(crate) fn worth_reaching(in_run: &BTreeSet<Target>) -> BTreeSet<Target> {
    let is_silent = |target: &Target| match target {
        Target::Fault(_) | Target::NoAnswer(_) => true,
        Target::Fails(operation) => in_run.contains(&Target::NoAnswer(*operation)),
        _ => false,
    };
    let loud = in_run.iter().filter(|target| !is_silent(target));
    loud.copied().collect()
}

/// Targets of the run that tests reach again.
pub(crate) fn reached_again<'c>(
    tests: impl Iterator<Item = &'c Candidate>,
    in_run: &BTreeSet<Target>,
) -> BTreeSet<Target> {
    let reached = tests.flat_map(|test| &test.targets);
    reached
        .filter(|target| in_run.contains(target))
        .copied()
        .collect()
}

/// Targets that no test reaches.
pub(crate) fn missing<'c>(
    all: &BTreeSet<Target>,
    tests: impl Iterator<Item = &'c Candidate>,
) -> BTreeSet<Target> {
    let reached: BTreeSet<Target> = tests.flat_map(|t| t.targets.clone()).collect();
    all.difference(&reached).copied().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use fossick_contract::OperationIndex;

    fn target(code: u16) -> Target {
        Target::Status(OperationIndex(0), code)
    }

    fn test(codes: &[u16]) -> Candidate {
        Candidate {
            targets: codes.iter().copied().map(target).collect(),
            ..Candidate::default()
        }
    }

    fn targets(codes: &[u16]) -> BTreeSet<Target> {
        codes.iter().copied().map(target).collect()
    }

    #[test]
    fn the_fewest_that_reach_everything_are_chosen_for_what_is_wanted() {
        let archived = [test(&[200]), test(&[200, 404, 500]), test(&[404])];
        let (places, tests) = choose(&archived, &targets(&[200, 404]), &BTreeSet::new());
        assert_eq!(places, BTreeSet::from([1]));
        assert_eq!(tests[0].targets, [target(200), target(404)]);
    }

    #[test]
    fn one_that_borrows_or_was_tried_before_makes_room_for_others() {
        let borrowing = Candidate {
            borrows: true,
            ..test(&[200, 404])
        };
        let archived = [borrowing, test(&[200, 404]), test(&[200]), test(&[404])];
        let wanted = targets(&[200, 404]);
        let (first, _) = choose(&archived, &wanted, &BTreeSet::new());
        assert_eq!(first, BTreeSet::from([1]));
        let (then, _) = choose(&archived, &wanted, &first);
        assert_eq!(then, BTreeSet::from([2, 3]));
    }

    #[test]
    fn what_gets_no_answer_and_what_is_a_fault_is_not_reached_again() {
        let (dumb, loud) = (OperationIndex(0), OperationIndex(1));
        let in_run = BTreeSet::from([
            Target::Fault(7),
            Target::NoAnswer(dumb),
            Target::Fails(dumb),
            Target::Fails(loud),
            Target::Status(dumb, 200),
        ]);
        let worth = BTreeSet::from([Target::Fails(loud), Target::Status(dumb, 200)]);
        assert_eq!(worth_reaching(&in_run), worth);
    }

    #[test]
    fn what_the_run_never_reached_does_not_count() {
        let tests = [test(&[200, 500])];
        let in_run = targets(&[200, 404]);
        assert_eq!(reached_again(tests.iter(), &in_run), targets(&[200]));
        assert_eq!(missing(&in_run, tests.iter()), targets(&[404]));
    }

    #[test]
    fn one_that_waits_long_makes_room_for_quick_ones() {
        let slow = Candidate {
            took: std::time::Duration::from_secs(1),
            ..test(&[200, 404])
        };
        let wanted = targets(&[200, 404]);
        let archived = [slow.clone(), test(&[200]), test(&[404])];
        let (places, _) = choose(&archived, &wanted, &BTreeSet::new());
        assert_eq!(places, BTreeSet::from([1, 2]));
        let (places, _) = choose(&[slow], &wanted, &BTreeSet::new());
        assert_eq!(places, BTreeSet::from([0]));
    }
}
