//! Each test as short as it can be.

use std::collections::BTreeSet;
use std::time::Instant;

use fossick_search::Shrinker;
use fossick_trace::Target;

use super::{Candidate, Keeper, reaches_all};

/// Attempts at making one test shorter.
const TRIALS: usize = 40;

impl Keeper<'_, '_> {
    /// Leaves out steps and values as long as what only this test reaches is still reached.
    pub(super) async fn shorten(&self, chosen: &mut [Candidate], faults: &[Candidate]) {
        let seed = self.hunt.settings.search.seed;
        let mut shrinker = Shrinker::new(self.hunt.api, self.hunt.validators, seed);
        for at in 0..chosen.len() {
            let others = chosen.iter().enumerate().filter(|(other, _)| *other != at);
            let others = others.map(|(_, candidate)| candidate).chain(faults);
            let elsewhere: BTreeSet<Target> =
                others.flat_map(|other| other.targets.clone()).collect();
            let own: Vec<Target> = chosen[at]
                .targets
                .iter()
                .filter(|target| !elsewhere.contains(target))
                .copied()
                .collect();
            self.shorten_one(&mut chosen[at], &own, &mut shrinker).await;
        }
    }

    async fn shorten_one(
        &self,
        candidate: &mut Candidate,
        own: &[Target],
        shrinker: &mut Shrinker<'_>,
    ) {
        let Some(mut plan) = candidate.plan.clone() else {
            return;
        };
        let mut trials = TRIALS;
        'again: while trials > 0 {
            let shows = plan.steps.len().saturating_sub(1);
            for (shorter, _) in shrinker.shorter(&plan, shows) {
                // A third of the time is kept for the three runs.
                if trials == 0 || Instant::now() + self.keeping.time / 3 > self.end {
                    return;
                }
                trials -= 1;
                let mut trial = self.candidate(shorter);
                self.look(&mut trial).await;
                if reaches_all(&trial.targets, own.iter()) && !trial.borrows {
                    plan = trial.plan.clone().unwrap_or(plan);
                    *candidate = trial;
                    continue 'again;
                }
            }
            return;
        }
    }
}
