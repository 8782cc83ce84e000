//! Running tests and seeing what they reach.

use std::sync::Arc;

use fossick_trace::{Episode, Script};

use super::{Candidate, Keeper};
use crate::runner;

/// So often every test is run before it is kept.
const RUNS: usize = 3;

impl Keeper<'_, '_> {
    /// Runs a script where the service begins anew, if it can.
    pub(super) async fn run(&self, script: &Script) -> Episode {
        if let Some(reset) = &self.keeping.reset
            && let Err(why) = reset().await
        {
            self.hunt
                .note(format!("the service could not be reset: {why}"));
        }
        self.run_on(script).await
    }

    /// Runs a script on what others left behind.
    pub(super) async fn run_on(&self, script: &Script) -> Episode {
        self.salt.set(self.salt.get() + 1);
        let script = Arc::new(script.renamed(self.salt.get()));
        let mut episode = runner::run(&self.hunt.client, script).await;
        episode.forget_parsed();
        episode
    }

    /// On a service that begins anew each time everything is equal, the first tool and the first
    /// loan alike; a last pass on what the whole suite left behind tells them apart, and those who
    /// run the suite may not be able to reset anything.
    pub(super) fn passes_wanted(&self) -> usize {
        RUNS + usize::from(self.keeping.reset.is_some())
    }

    /// Some tests of the whole suite, a few times, forwards and backwards.
    pub(super) async fn passes(
        &self,
        candidates: &[Candidate],
        whole: &[Candidate],
    ) -> Vec<Vec<Episode>> {
        let mut runs: Vec<Vec<Episode>> = candidates.iter().map(|_| Vec::new()).collect();
        for pass in 0..self.passes_wanted() {
            if pass == RUNS {
                self.leave_behind(whole).await;
            }
            for step in 0..candidates.len() {
                let at = if pass % 2 == 0 {
                    step
                } else {
                    candidates.len() - 1 - step
                };
                if pass > 0 && self.is_late() {
                    continue;
                }
                let script = &candidates[at].script;
                runs[at].push(match pass {
                    0..RUNS => self.run(script).await,
                    _ => self.run_on(script).await,
                });
            }
        }
        runs
    }

    async fn leave_behind(&self, whole: &[Candidate]) {
        for test in whole.iter().take_while(|_| !self.is_late()) {
            self.run_on(&test.script).await;
        }
    }
}
