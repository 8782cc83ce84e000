//! When the search is over, nobody else calls the service: whatever was said of its state must show
//! in quiet as well.
//!
//! Replays beside the search may see what other plans do to a thing that both name. One more replay
//! afterwards costs little and tells these apart.

use fossick_oracles::Oracle;
use fossick_trace::Severity;

use crate::candidates::Candidate;
use crate::confirm::Confirmer;
use crate::hunt::Hunt;

/// Two chances: what wavers was told as wavering before.
const CHANCES: usize = 2;

impl Hunt<'_> {
    pub(crate) async fn see_in_quiet(&self) {
        if self.settings.in_order {
            return;
        }
        let mut confirmer = self.confirmer(0);
        for at in 0..self.done() {
            let mut candidate = self.done_at(at);
            if !speaks_of_state(&candidate) || self.clock.is_past_hard_end() {
                continue;
            }
            if confirmer.comes_back_within(CHANCES, &candidate).await == Some(false) {
                candidate.case.replays.0 = 0;
                if let Some(way) = self.other_way(&mut confirmer, &candidate).await {
                    candidate = way;
                }
                self.candidates.borrow_mut().done[at] = candidate;
            }
        }
    }

    /// How many candidates are through. They stay where they are: a run may end at any moment.
    pub(crate) fn done(&self) -> usize {
        self.candidates.borrow().done.len()
    }

    pub(crate) fn done_at(&self, at: usize) -> Candidate {
        self.candidates.borrow().done[at].clone()
    }

    /// Another way in which a candidate was seen, if it still shows in that one: what it was seen
    /// in may have grown too long since.
    async fn other_way(
        &self,
        confirmer: &mut Confirmer<'_, '_>,
        candidate: &Candidate,
    ) -> Option<Candidate> {
        let others = self.candidates.borrow_mut().others_of(candidate);
        for other in others {
            let way = Box::pin(confirmer.confirm(other)).await;
            if way.case.is_confirmed() {
                return Some(way);
            }
        }
        None
    }
}

fn speaks_of_state(candidate: &Candidate) -> bool {
    let finding = &candidate.case.finding;
    let oracle = fossick_oracles::find(&finding.code);
    oracle.is_some_and(Oracle::compares_states)
        && candidate.case.is_confirmed()
        && finding.severity > Severity::Low
}
