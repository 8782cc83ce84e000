//! A service that died over a call: it is brought back where we started it, and waited for where
//! somebody else does.
//!
//! Calls that were under way at that moment fail as well. Which one it was shows when each is sent
//! again on its own. A service that does not come back ends the run.

use std::cell::{Cell, RefCell};
use std::pin::Pin;
use std::rc::Rc;
use std::sync::Arc;

use fossick_contract::OperationIndex;
use fossick_plan::Plan;
use fossick_trace::{Case, Ending, Episode, Failure, Finding, Outcome, Script};
use fossick_transport::Client;

use crate::hunt::{Hunt, listed, slim};
use crate::probes::Probes;
use crate::pulse::{Pulse, is_lost};
use crate::runner;

/// Starts the service again if it is gone; tells whether it was.
pub type Revive = Rc<dyn Fn() -> Pin<Box<dyn Future<Output = Result<bool, String>>>>>;

/// So many calls are sent again to find the one that ended the service.
const MOST_ASKED: usize = 48;
/// A service that is there although so many calls broke off just drops connections.
const MOST_ALARMS: usize = 30;

/// A plan that got no answer, with what it came to.
pub(crate) struct Lost {
    /// Requests of the search by then.
    pub(crate) since: u64,
    pub(crate) subject: OperationIndex,
    pub(crate) plan: Plan,
    pub(crate) episode: Arc<Episode>,
    pub(crate) findings: Vec<Finding>,
}

pub(crate) struct Reviver {
    how: Option<Revive>,
    pub(crate) pulse: Pulse,
    /// Nobody brings it back.
    gone: Cell<bool>,
    /// How often it was there although a call broke off.
    alarms: Cell<usize>,
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
    pub(crate) fn new(how: Option<Revive>, pulse: Pulse) -> Self {
        Self {
            how,
            pulse,
            gone: Cell::default(),
            alarms: Cell::default(),
            times: Cell::default(),
            known: Cell::default(),
            lost: RefCell::default(),
            deadly: Rc::default(),
            trouble: Cell::default(),
        }
    }

    /// Whether the service is to be looked after because of an episode. One that hangs can be
    /// helped only by whoever can start it again.
    pub(crate) fn is_due(&self, episode: &Episode) -> bool {
        let helps = self.how.is_some();
        let quiet = self.alarms.get() < MOST_ALARMS;
        let mut outcomes = episode.exchanges.iter().map(|exchange| &exchange.outcome);
        outcomes.any(|outcome| match outcome {
            Outcome::Failed(Failure::Unreachable(_)) => true,
            Outcome::Failed(Failure::TimedOut(_)) => helps && quiet,
            other => quiet && is_lost(other),
        })
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
            let running = Box::pin(runner::run_probed(client, Arc::clone(&script), probes));
            let mut episode = running.await;
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

    /// Starts the service again if it is gone, or waits for it. Tells whether it had been gone.
    pub(crate) async fn look(&self) -> bool {
        let revived = match &self.how {
            Some(revive) => revive().await,
            None if self.gone.get() => return false,
            None => self.pulse.wait().await,
        };
        match revived {
            Ok(revived) => {
                self.times.set(self.times.get() + usize::from(revived));
                let alarms = if revived { 0 } else { self.alarms.get() + 1 };
                self.alarms.set(alarms);
                revived
            }
            Err(why) => {
                self.gone.set(self.how.is_none());
                self.trouble.set(Some(why));
                false
            }
        }
    }

    /// Whether it died and nobody brings it back.
    pub(crate) fn is_gone(&self) -> bool {
        self.gone.get()
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
        if self.is_gone() {
            // The note was made when it happened.
            return None;
        }
        if let Some(why) = self.trouble.take() {
            return Some(format!("the service could not be started again: {why}"));
        }
        let (what, each) = match self.how {
            Some(_) => ("died or hung", "was started again"),
            None => ("was gone", "came back"),
        };
        match self.times() {
            0 => None,
            1 => Some(format!("the service {what} once and {each}")),
            times => Some(format!(
                "the service {what} {times} times and {each} each time"
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
        if self.reviver.is_gone() {
            self.give_up(&lost);
            return;
        }
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
                let back = match self.settings.revive {
                    Some(_) => "it was started again",
                    None => "it came back",
                };
                self.note(format!("the service ends over {label}; {back}, and that operation waits for the end of the run"));
                return;
            }
        }
    }

    /// Ends the run over a service that is gone for good. Who was under way when it went is told;
    /// who found nobody there has nothing to do with it.
    fn give_up(&self, lost: &[Lost]) {
        let under_way: Vec<&Lost> = lost
            .iter()
            .filter(|lost| was_dropped(&lost.episode))
            .collect();
        let mut labels: Vec<&str> = Vec::new();
        for lost in &under_way {
            let label = self.api.operation(lost.subject).label.as_str();
            if !labels.contains(&label) {
                labels.push(label);
            }
        }
        let since = lost.iter().map(|lost| lost.since).min();
        let since = since.unwrap_or_default();
        let last = match labels.as_slice() {
            [] => String::new(),
            [only] => format!(" It ended during {only}."),
            several => format!(" It ended during one of {}.", listed(several)),
        };
        self.note(format!(
            "since request {since} the service can't be reached any more.{last} Start it again, or let fossick start it: fossick test … -- COMMAND"
        ));
        for lost in under_way {
            self.offer(&lost.plan, &lost.episode, &lost.findings);
        }
        self.clock.end(Ending::ServiceLost);
    }
}

fn is_of_lost(case: &Case) -> bool {
    let exchange = case.episode.exchanges.get(case.finding.call);
    exchange.is_some_and(|exchange| is_lost(&exchange.outcome))
}

/// Who found nobody there has hardly ended anything, unless his call was sent twice.
pub(crate) fn was_dropped(episode: &Episode) -> bool {
    let by_others = |outcome: &Outcome| {
        matches!(
            outcome,
            Outcome::Failed(Failure::Unreachable(_) | Failure::TimedOut(_))
        )
    };
    let mut exchanges = episode.exchanges.iter();
    exchanges.any(|e| is_lost(&e.outcome) && !by_others(&e.outcome))
}

/// Who sends a call twice finds nobody there the second time. A call that waits in vain is told as
/// such.
pub(crate) fn blame(episode: &mut Episode) {
    let lost = episode.exchanges.iter_mut().find(|e| is_lost(&e.outcome));
    if let Some(exchange) = lost
        && !matches!(exchange.outcome, Outcome::Failed(Failure::TimedOut(_)))
    {
        let how = match &exchange.outcome {
            Outcome::Failed(failure) => failure.to_string(),
            Outcome::Answered(answer) => format!("answered {}", answer.status),
        };
        exchange.outcome = Outcome::Failed(Failure::Ended(how));
    }
}

fn got_lost(episode: &Episode) -> bool {
    let mut exchanges = episode.exchanges.iter();
    exchanges.any(|exchange| is_lost(&exchange.outcome))
}
