//! Where the service can begin anew, every finding is seen once more right after it did.
//!
//! All other replays ran on a service that the run had filled. Only this one proves that a finding
//! makes whatever it needs.

use std::sync::Arc;

use fossick_trace::{Basis, Episode, Finding};

use crate::candidates::Candidate;
use crate::hunt::Hunt;
use crate::keep::Reset;
use crate::runner;

/// Names of these replays lie in a range of their own.
const SALT: u64 = 9 << 32;

impl Hunt<'_> {
    pub(crate) async fn see_afresh(&self) {
        let Some(reset) = &self.settings.reset else {
            return;
        };
        let by_weight = |c: &Candidate| std::cmp::Reverse(c.case.finding.severity);
        self.candidates.borrow_mut().done.sort_by_key(by_weight);
        for (at, salt) in (0..self.done()).zip(SALT..) {
            let mut candidate = self.done_at(at);
            if !candidate.case.came_back() || self.clock.is_past_hard_end() {
                continue;
            }
            if let Err(why) = self.proven(reset, &mut candidate, salt).await {
                self.note(format!("the service could not be reset: {why}"));
                break;
            }
            self.candidates.borrow_mut().done[at] = candidate;
        }
    }

    /// Sees a candidate on a service that has just begun anew, in one of the ways that showed it.
    async fn proven(
        &self,
        reset: &Reset,
        candidate: &mut Candidate,
        salt: u64,
    ) -> Result<(), String> {
        let others = self.candidates.borrow_mut().others_of(candidate);
        for way in std::iter::once(candidate.clone()).chain(others) {
            reset().await?;
            if let Some((finding, episode)) = self.seen_now(&way, salt).await {
                *candidate = way;
                candidate.case.finding = finding;
                candidate.case.episode = Arc::new(episode);
                candidate.case.basis = Basis::Fresh;
                return Ok(());
            }
        }
        if candidate.case.basis.is_sound() {
            let what = vec!["something that earlier calls left".to_owned()];
            candidate.case.basis = Basis::Leftovers(what);
        }
        Ok(())
    }

    async fn seen_now(&self, candidate: &Candidate, salt: u64) -> Option<(Finding, Episode)> {
        let script = Arc::new(candidate.script.renamed(salt));
        let mut episode = runner::run(&self.client, script).await;
        let mut found = self.judge.judge(&episode).into_iter();
        let finding = found.find(|finding| finding.is_of_fault(&candidate.case.finding))?;
        episode.forget_parsed();
        Some((finding, episode))
    }
}
