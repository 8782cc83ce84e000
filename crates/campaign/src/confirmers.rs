//! Confirmers work beside the search: they replay and shrink what it finds.

use std::time::{Duration, Instant};

use fossick_search::Shrinker;
use fossick_trace::Ending;

use crate::candidates::Candidate;
use crate::confirm::Confirmer;
use crate::hunt::Hunt;

/// To confirm a candidate takes about so many times as long as to look at it once more.
const LOOKS: u32 = 16;

/// How many of them there are.
pub(crate) const CONFIRMERS: usize = 3;

impl<'a> Hunt<'a> {
    /// Confirms what was found, the weightiest first, until nothing waits; one who stays, until
    /// the search is over as well.
    pub(crate) async fn confirm(&self, number: u64, stays: bool) {
        let mut confirmer = self.confirmer(number);
        loop {
            let next = self.candidates.borrow_mut().take();
            match next {
                Some((ticket, candidate))
                    if self.has_time_for(&candidate)
                        && self.clock.ending() != Ending::ServiceLost =>
                {
                    let started = Instant::now();
                    let unique = self.search.borrow().unique_keys();
                    confirmer.shrinker.spare(unique);
                    let confirmed = Box::pin(confirmer.confirm(candidate)).await;
                    self.clock.note_confirmed(started.elapsed());
                    let news = self.candidates.borrow_mut().put(ticket, confirmed);
                    if let Some(case) = news {
                        self.voice.found(&case);
                    }
                    for Candidate { plan, case, .. } in confirmer.beside.drain(..) {
                        self.offer(&plan, &case.episode, &[case.finding]);
                    }
                }
                Some((ticket, unseen)) => {
                    self.candidates.borrow_mut().put(ticket, unseen);
                }
                None if !stays || self.clock.is_over() => break,
                None => {
                    let nap = tokio::time::sleep(Duration::from_millis(50));
                    tokio::select! { () = self.clock.news.notified() => {}, () = nap => {} }
                }
            }
        }
    }

    /// Whether a candidate can be seen again before the run must end: slow answers take their time
    /// in each replay.
    fn has_time_for(&self, candidate: &Candidate) -> bool {
        const ATTEMPTS: u32 = 2;
        let answers = candidate.case.episode.exchanges.iter();
        let took: Duration = answers
            .filter_map(|exchange| Some(exchange.outcome.answer()?.elapsed))
            .sum();
        let end = self.clock.hard_end();
        end.is_none_or(|end| Instant::now() + took * ATTEMPTS < end)
    }

    pub(crate) fn confirmer(&self, number: u64) -> Confirmer<'a, '_> {
        Confirmer {
            client: &self.client,
            probes: self.probes.as_deref(),
            judge: &self.judge,
            shrinker: Shrinker::new(
                self.api,
                self.validators,
                self.settings.search.seed ^ number,
            ),
            search: &self.search,
            reviver: &self.reviver,
            hard_end: self.clock.hard_end(),
            // Each confirmer counts in a range of its own.
            salt: number << 32,
            beside: Vec::new(),
            rendered: None,
        }
    }

    /// An estimate of what confirming the rest will take.
    pub(crate) fn time_to_confirm(&self) -> Duration {
        let each = self.clock.each_confirmed();
        let (weighty, mild) = self.candidates.borrow().pending();
        // Each that is through is looked at once more in quiet; to confirm one takes many looks.
        let looks = each * self.done() as u32 / LOOKS;
        let beside = CONFIRMERS as u32;
        each * weighty as u32 / beside + each * mild as u32 / (2 * beside) + looks
    }
}
