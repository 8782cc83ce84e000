//! The last things: operations that may end the run, when everything else is done.

use std::sync::Arc;
use std::time::{Duration, Instant};

use fossick_contract::OperationIndex;
use fossick_search::Proposal;
use fossick_trace::{Episode, Finding};

use crate::hunt::{Hunt, slim};
use crate::runner;

impl Hunt<'_> {
    /// Waits until nothing is left to confirm: what comes next may end the service.
    pub(crate) async fn until_confirmed(&self) {
        while self.candidates.borrow().pending() != (0, 0) && !self.clock.is_past_hard_end() {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }

    /// Operations that may end the run, one call after the other. Only what they show themselves
    /// counts: after them, others fail for their sake.
    pub(crate) async fn last_things(&self) {
        const TRIES: usize = 3;
        let end = Instant::now() + self.clock.for_last_things();
        let last = self.search.borrow().last_ones();
        for index in last.iter().copied() {
            for _ in 0..TRIES {
                let proposal = self.search.borrow_mut().propose_last(index);
                let Some(proposal) = proposal.filter(|_| Instant::now() < end) else {
                    break;
                };
                let script = Arc::new(self.search.borrow().render(&proposal.plan));
                let episode =
                    runner::run_probed(&self.client, script, self.probes.as_deref()).await;
                self.learn_last(&proposal, episode, &last);
            }
            if self.guard.borrow().witness.is_some() && !self.still_answers().await {
                let label = &self.api.operation(index).label;
                self.note(format!("after {label} the service no longer answers what it answered before; it was tried last, so nothing else was lost"));
                break;
            }
        }
    }

    fn learn_last(&self, proposal: &Proposal, episode: Episode, last: &[OperationIndex]) {
        self.figures.borrow_mut().count(&episode);
        let mut findings = self.judge.judge(&episode);
        let concerns = |f: &Finding| {
            last.iter()
                .any(|i| self.api.operation(*i).label == f.operation)
        };
        findings.retain(concerns);
        self.search
            .borrow_mut()
            .learn(proposal, &episode, &findings);
        if !findings.is_empty() {
            self.offer(&proposal.plan, &slim(episode), &findings);
        }
    }
}
