//! Each test as short as it can be.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Instant;

use fossick_search::Shrinker;
use fossick_trace::{Episode, Script, Target};

use super::absence::far_away;
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
        // What a plan of a moved test renders to would be near again.
        let Some(mut plan) = candidate.plan.clone().filter(|_| !candidate.is_moved) else {
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
                let script = self.hunt.search.borrow_mut().render_repeatable(&shorter);
                let (episode, reached) = self.reach(&script, Some(&shorter)).await;
                if reaches_all(&reached, own.iter()) && self.stands_alone(&script, &episode) {
                    plan = Arc::new(shorter);
                    candidate.script = script;
                    candidate.plan = Some(Arc::clone(&plan));
                    candidate.targets = reached;
                    continue 'again;
                }
            }
            return;
        }
    }

    /// Whether a script makes what it asks for. Where the service begins anew each time, that has
    /// been seen already.
    fn stands_alone(&self, script: &Script, episode: &Episode) -> bool {
        self.keeping.reset.is_some() || far_away(script, episode, true).is_none()
    }
}
