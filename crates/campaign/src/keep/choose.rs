//! Which tests of the archive stay.

use std::collections::BTreeSet;

use fossick_suite::{Offer, fewest};
use fossick_trace::Target;

use super::{Candidate, Keeper, Kept};

/// So often others take the places of tests that waver.
const ROUNDS: usize = 12;

/// The fewest tests of the archive that reach what is wanted, apart from some: their places, and
/// they themselves with the targets that they are chosen for. Those that borrow are left out: they
/// work until somebody clears the table.
pub(super) fn choose(
    archived: &[Candidate],
    wanted: &BTreeSet<Target>,
    apart: &BTreeSet<usize>,
) -> (BTreeSet<usize>, Vec<Candidate>) {
    let offers: Vec<Offer<Target>> = archived
        .iter()
        .enumerate()
        .map(|(at, candidate)| Offer {
            targets: if candidate.borrows || apart.contains(&at) {
                Vec::new()
            } else {
                let targets = candidate.targets.iter().copied();
                targets.filter(|target| wanted.contains(target)).collect()
            },
            cost: candidate.script.calls.len(),
        })
        .collect();
    let places = fewest(&offers);
    let chosen = |at: &usize| Candidate {
        targets: offers[*at].targets.clone(),
        ..archived[*at].clone()
    };
    let tests = places.iter().map(chosen).collect();
    (places.into_iter().collect(), tests)
}

/// Targets of the run that tests reach again.
pub(super) fn reached_again<'c>(
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
pub(super) fn missing<'c>(
    all: &BTreeSet<Target>,
    tests: impl Iterator<Item = &'c Candidate>,
) -> BTreeSet<Target> {
    let reached: BTreeSet<Target> = tests.flat_map(|t| t.targets.clone()).collect();
    all.difference(&reached).copied().collect()
}

impl Keeper<'_, '_> {
    /// Others take the places of tests that waver, as far as there are any.
    pub(super) async fn fill(
        &self,
        archived: &[Candidate],
        all: &BTreeSet<Target>,
        tried: &mut BTreeSet<usize>,
        whole: &[Candidate],
        kept: &mut Kept,
    ) {
        for _ in 0..ROUNDS {
            let wanted: BTreeSet<Target> = all.difference(&kept.reached).copied().collect();
            let (places, mut tests) = choose(archived, &wanted, tried);
            if tests.is_empty() || self.is_late() {
                return;
            }
            tried.extend(places);
            // The less a test asks for, the less can waver.
            self.shorten(&mut tests, &[]).await;
            self.settle(&tests, whole, kept).await;
        }
    }
}
