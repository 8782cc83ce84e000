//! Bringing back a service that died over a call, where we started it.
//!
//! Calls that were under way at that moment fail as well. Which one it was shows when each is sent
//! again on its own.

use std::cell::{Cell, RefCell};
use std::pin::Pin;
use std::rc::Rc;
use std::sync::Arc;

use fossick_contract::OperationIndex;
use fossick_plan::Plan;
use fossick_trace::{Case, Episode, Failure, Finding, Outcome, Script};
use fossick_transport::Client;

use crate::hunt::{Hunt, slim};
use crate::probes::Probes;
use crate::runner;

/// Starts the service again if it is gone; tells whether it was.
pub type Revive = Rc<dyn Fn() -> Pin<Box<dyn Future<Output = Result<bool, String>>>>>;

/// So many calls are sent again to find the one that ended the service.
const MOST_ASKED: usize = 48;

/// A plan that got no answer, with what it came to.
pub(crate) struct Lost {
    pub(crate) subject: OperationIndex,
    pub(crate) plan: Plan,
    pub(crate) episode: Arc<Episode>,
    pub(crate) findings: Vec<Finding>,
}

pub(crate) struct Reviver {
    how: Option<Revive>,
    times: Cell<usize>,
    /// How often of these the search was told.
    known: Cell<usize>,
    /// Plans that got no answer; nobody knows yet which of them ended the service, or whether any.
    lost: RefCell<Vec<Lost>>,
    /// Findings that end the service, while they are seen again.
    deadly: Rc<Cell<usize>>,
    /// Why the service could not be brought back.
    trouble: Cell<Option<String>>,
}

/// As long as this is there, a finding that ends the service is seen again.
pub(crate) struct Deadly(Rc<Cell<usize>>);

impl Drop for Deadly {
    fn drop(&mut self) {
        self.0.set(self.0.get() - 1);
    }
}

impl Reviver {
    pub(crate) fn new(how: Option<Revive>) -> Self {
        Self {
            how,
            times: Cell::default(),
            known: Cell::default(),
            lost: RefCell::default(),
            deadly: Rc::default(),
            trouble: Cell::default(),
        }
    }

    /// Whether the service is to be looked after because of an episode.
    pub(crate) fn is_due(&self, episode: &Episode) -> bool {
        self.how.is_some() && got_lost(episode)
    }

    pub(crate) fn keep(&self, lost: Lost) {
        self.lost.borrow_mut().push(lost);
    }

    pub(crate) fn has_lost(&self) -> bool {
        !self.lost.borrow().is_empty()
    }

    /// Looks after the service where an episode ended without an answer. Tells whether it was gone
    /// and is there again.
    pub(crate) async fn after(&self, episode: &Episode) -> bool {
        got_lost(episode) && self.look().await
    }

    /// Runs a script on a service that is there, as far as one knows. Tells whether it ended over it: then a call
    /// that found nobody counts as dropped.
    pub(crate) async fn run(
        &self,
        client: &Client,
        script: Arc<Script>,
        probes: Option<&Probes>,
    ) -> (Episode, bool) {
        // Connections to a service that is gone are still held, and fail first.
        const TRIES: usize = 3;
        let mut tries = 0;
        if self.deadly.get() > 0 {
            self.look().await;
        }
        loop {
            let mut episode = runner::run_probed(client, Arc::clone(&script), probes).await;
            let ended = self.after(&episode).await;
            tries += 1;
            if ended {
                blame(&mut episode);
            }
            if ended || !self.is_due(&episode) || tries == TRIES {
                return (episode, ended);
            }
        }
    }

    /// Starts the service again if it is gone.
    pub(crate) async fn look(&self) -> bool {
        let Some(revive) = &self.how else {
            return false;
        };
        match revive().await {
            Ok(revived) => {
                self.times.set(self.times.get() + usize::from(revived));
                revived
            }
            Err(why) => {
                self.trouble.set(Some(why));
                false
            }
        }
    }

    /// Says that a case is seen again, if it may end the service.
    pub(crate) fn watch(&self, case: &Case) -> Option<Deadly> {
        is_of_lost(case).then(|| {
            self.deadly.set(self.deadly.get() + 1);
            Deadly(Rc::clone(&self.deadly))
        })
    }

    fn was_gone_meanwhile(&self) -> bool {
        self.deadly.get() > 0 || self.times() > self.known.get()
    }

    /// How often it was brought back.
    fn times(&self) -> usize {
        self.times.get()
    }

    /// What people should know of it.
    pub(crate) fn told(&self) -> Option<String> {
        if let Some(why) = self.trouble.take() {
            return Some(format!("the service could not be started again: {why}"));
        }
        match self.times() {
            0 => None,
            1 => Some("the service died or hung once and was started again".to_owned()),
            times => Some(format!(
                "the service died or hung {times} times and was started again each time"
            )),
        }
    }

    /// Whether a case is only that the service was gone, because of some other call.
    pub(crate) fn explains(&self, case: &Case) -> bool {
        self.times() > 0 && is_of_lost(case) && !case.is_confirmed()
    }
}

impl Hunt<'_> {
    /// Brings the service back if it is gone, and finds out over whom it went: each call that got no
    /// answer is sent again on its own. That operation waits for the end of the run.
    pub(crate) async fn look_after(&self) {
        let mut lost = std::mem::take(&mut *self.reviver.lost.borrow_mut());
        let revived = self.reviver.look().await;
        // Whoever noticed first brought it back.
        if !revived && !self.reviver.was_gone_meanwhile() {
            for lost in lost {
                self.offer(&lost.plan, &lost.episode, &lost.findings);
            }
            return;
        }
        self.reviver.known.set(self.reviver.times());
        self.guard.borrow_mut().watch.forgive();
        if self.reviver.deadly.get() > 0 {
            return;
        }
        lost.sort_by_key(|lost| !was_dropped(&lost.episode));
        for lost in lost.iter().take(MOST_ASKED) {
            if self.clock.is_past_hard_end() {
                return;
            }
            let script = Arc::clone(&lost.episode.script);
            let (episode, ended) = self.reviver.run(&self.client, script, None).await;
            if ended {
                let findings = self.judge.judge(&episode);
                self.offer(&lost.plan, &slim(episode), &findings);
                self.search.borrow_mut().hold(lost.subject);
                let label = &self.api.operation(lost.subject).label;
                self.note(format!("the service ends over {label}; it was started again, and that operation waits for the end of the run"));
                return;
            }
        }
    }
}

fn is_of_lost(case: &Case) -> bool {
    let exchange = case.episode.exchanges.get(case.finding.call);
    exchange.is_some_and(|exchange| is_lost(&exchange.outcome))
}

/// Who found nobody there has hardly ended anything, unless his call was sent twice.
fn was_dropped(episode: &Episode) -> bool {
    let mut exchanges = episode.exchanges.iter();
    exchanges.any(|e| matches!(e.outcome, Outcome::Failed(Failure::Dropped(_))))
}

/// Who sends a call twice finds nobody there the second time. A call that waits in vain is told as
/// such.
fn blame(episode: &mut Episode) {
    let lost = episode.exchanges.iter_mut().find(|e| is_lost(&e.outcome));
    if let Some(exchange) = lost
        && !matches!(exchange.outcome, Outcome::Failed(Failure::TimedOut(_)))
    {
        let how = "the service ended over this call".to_owned();
        exchange.outcome = Outcome::Failed(Failure::Dropped(how));
    }
}

fn got_lost(episode: &Episode) -> bool {
    let mut exchanges = episode.exchanges.iter();
    exchanges.any(|exchange| is_lost(&exchange.outcome))
}

fn is_lost(outcome: &Outcome) -> bool {
    matches!(
        outcome,
        Outcome::Failed(Failure::Unreachable(_) | Failure::Dropped(_) | Failure::TimedOut(_))
    )
}
