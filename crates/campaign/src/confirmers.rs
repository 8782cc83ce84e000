//! Confirmers work beside the search: they replay and shrink what it finds.

use std::cell::Cell;
use std::sync::Arc;
use std::time::{Duration, Instant};

use fossick_plan::Plan;
use fossick_search::{Shrinker, borrows};
use fossick_trace::{Ending, Episode};

use crate::candidates::Confirmed;
use crate::confirm::Confirmer;
use crate::hunt::{Event, Hunt};

/// How many of them there are.
pub(crate) const CONFIRMERS: usize = 3;

impl Hunt<'_> {
    /// Confirms what was found, the weightiest first, until nothing waits; one who stays, until
    /// the search is over as well.
    pub(crate) async fn confirm(&self, number: u64, stays: bool) {
        let render = |plan: &Plan| self.search.borrow_mut().render_repeatable(plan);
        let stand_alone = |plan: &Plan| self.search.borrow_mut().stand_alone(plan);
        let hear = |plan: &Plan, episode: &Episode| {
            let mut search = self.search.borrow_mut();
            search.hear_taken(plan, episode)
        };
        // Each confirmer counts in a range of its own.
        let salt = Cell::new(number << 32);
        let mut confirmer = Confirmer {
            client: &self.client,
            probes: self.probes.as_deref(),
            judge: &self.judge,
            shrinker: Shrinker::new(
                self.api,
                self.validators,
                self.settings.search.seed ^ number,
            ),
            render: &render,
            stand_alone: &stand_alone,
            hear: &hear,
            hard_end: self.spending.borrow().hard_end(),
            salt: &salt,
        };
        loop {
            let next = self.candidates.borrow_mut().take();
            match next {
                Some(candidate)
                    if !self.is_past_hard_end() && self.ending.get() != Ending::ServiceLost =>
                {
                    let started = Instant::now();
                    let unique = self.search.borrow().unique_keys();
                    confirmer.shrinker.spare(unique);
                    let confirmed = confirmer.confirm(candidate).await;
                    self.note_time(started.elapsed());
                    self.tell(&confirmed);
                    self.candidates.borrow_mut().put(confirmed);
                }
                Some(candidate) => {
                    let unseen = Confirmed {
                        finding: candidate.finding,
                        shrunk_from: candidate.plan.steps.len(),
                        borrows: borrows(&candidate.plan),
                        script: Arc::clone(&candidate.episode.script),
                        episode: candidate.episode,
                        came_back: 0,
                        replays: 0,
                    };
                    self.candidates.borrow_mut().put(unseen);
                }
                None if !stays || self.over.get() => break,
                None => {
                    let nap = tokio::time::sleep(Duration::from_millis(50));
                    tokio::select! { () = self.news.notified() => {}, () = nap => {} }
                }
            }
        }
    }

    pub(crate) fn tell(&self, confirmed: &Confirmed) {
        if confirmed.is_sure() {
            let name = fossick_oracles::find(&confirmed.finding.code).map_or("", |o| o.name);
            (self.listener.borrow_mut())(Event::Found(&confirmed.finding, name));
        }
    }

    fn note_time(&self, took: Duration) {
        let (count, total) = self.confirm_time.get();
        self.confirm_time.set((count + 1, total + took));
    }

    /// An estimate of what confirming the rest will take.
    pub(crate) fn time_to_confirm(&self) -> Duration {
        let (count, total) = self.confirm_time.get();
        let each = if count == 0 {
            Duration::from_millis(100)
        } else {
            total / count
        };
        let (weighty, mild) = self.candidates.borrow().pending();
        each * weighty as u32 / CONFIRMERS as u32 + each * mild as u32 / (2 * CONFIRMERS as u32)
    }

    pub(crate) fn is_past_hard_end(&self) -> bool {
        self.spending
            .borrow()
            .hard_end()
            .is_some_and(|end| Instant::now() > end)
    }
}
