//! How long a run may go on.

use std::cell::{Cell, RefCell};
use std::time::{Duration, Instant};

use fossick_trace::{Ending, Episode};
use tokio::sync::Notify;

#[derive(Debug, Clone, Copy)]
pub struct Budget {
    pub time: Option<Duration>,
    /// Requests of the search; confirming what was found comes on top.
    pub requests: Option<u64>,
}

/// How far a run has come, and whether it goes on.
#[derive(Debug)]
pub(crate) struct Clock {
    spending: RefCell<Spending>,
    /// How many candidates were confirmed, and how long that took.
    confirming: Cell<(u32, Duration)>,
    ending: Cell<Ending>,
    over: Cell<bool>,
    /// Something was found, or the search is over.
    pub(crate) news: Notify,
}

impl Clock {
    pub(crate) fn new(budget: Budget) -> Self {
        Self {
            spending: RefCell::new(Spending::new(budget)),
            confirming: Cell::new((0, Duration::ZERO)),
            ending: Cell::new(Ending::Finished),
            over: Cell::new(false),
            news: Notify::new(),
        }
    }

    /// Nothing has ended the run before its time.
    pub(crate) fn goes_on(&self) -> bool {
        self.ending.get() == Ending::Finished
    }

    pub(crate) fn ending(&self) -> Ending {
        self.ending.get()
    }

    pub(crate) fn end(&self, ending: Ending) {
        self.ending.set(ending);
    }

    /// The search is over; confirmers may go when nothing is left.
    pub(crate) fn close(&self) {
        self.over.set(true);
        self.news.notify_waiters();
    }

    pub(crate) fn is_over(&self) -> bool {
        self.over.get()
    }

    pub(crate) fn count(&self, episode: &Episode) {
        self.spending.borrow_mut().requests += episode.requests() as u64;
    }

    pub(crate) fn requests(&self) -> u64 {
        self.spending.borrow().requests
    }

    pub(crate) fn share(&self) -> f64 {
        self.spending.borrow().share()
    }

    pub(crate) fn elapsed(&self) -> Duration {
        self.spending.borrow().elapsed()
    }

    /// How much of the budget is used, by the clock or by requests.
    pub(crate) fn progress(&self) -> f64 {
        self.spending.borrow().progress()
    }

    pub(crate) fn is_spent(&self, planned: u64, to_confirm: Duration) -> bool {
        self.spending.borrow().is_spent(planned, to_confirm)
    }

    pub(crate) fn for_last_things(&self) -> Duration {
        self.spending.borrow().for_last_things()
    }

    pub(crate) fn hard_end(&self) -> Option<Instant> {
        self.spending.borrow().hard_end()
    }

    pub(crate) fn is_past_hard_end(&self) -> bool {
        self.hard_end().is_some_and(|end| Instant::now() > end)
    }

    /// When the last answer of the search must be there.
    pub(crate) fn end_of_search(&self) -> Instant {
        const PATIENCE: Duration = Duration::from_secs(2);
        let end = self.spending.borrow().end();
        end.map_or_else(|| Instant::now() + PATIENCE, |end| end.max(Instant::now()))
    }

    pub(crate) fn note_confirmed(&self, took: Duration) {
        let (count, total) = self.confirming.get();
        self.confirming.set((count + 1, total + took));
    }

    /// How long it takes to confirm one candidate.
    pub(crate) fn each_confirmed(&self) -> Duration {
        let (count, total) = self.confirming.get();
        match count {
            0 => Duration::from_millis(100),
            count => total / count,
        }
    }
}

/// A budget that is being spent.
#[derive(Debug)]
pub(crate) struct Spending {
    budget: Budget,
    started: Instant,
    pub(crate) requests: u64,
}

/// So much of the time may be kept back for confirming.
const MOST_RESERVED: f64 = 0.25;

impl Spending {
    pub(crate) fn new(budget: Budget) -> Self {
        Self {
            budget,
            started: Instant::now(),
            requests: 0,
        }
    }

    /// How much of the budget is used, counted in requests: a clock would make equal runs differ.
    pub(crate) fn share(&self) -> f64 {
        const USUAL: u64 = 20_000;
        let most = self.budget.requests.unwrap_or(USUAL).max(1);
        (self.requests as f64 / most as f64).min(1.0)
    }

    pub(crate) fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }

    fn progress(&self) -> f64 {
        let by_time = self
            .budget
            .time
            .map(|most| self.elapsed().div_duration_f64(most));
        let by_requests = self
            .budget
            .requests
            .map(|most| self.requests as f64 / most.max(1) as f64);
        by_time.unwrap_or(0.0).max(by_requests.unwrap_or(0.0))
    }

    /// Whether the search must stop, leaving time for what is still to be confirmed.
    pub(crate) fn is_spent(&self, planned: u64, to_confirm: Duration) -> bool {
        let by_requests = self
            .budget
            .requests
            .is_some_and(|most| self.requests + planned >= most);
        let by_time = self.budget.time.is_some_and(|time| {
            let reserve = to_confirm.min(time.mul_f64(MOST_RESERVED)) + self.for_last_things();
            self.elapsed() + reserve >= time
        });
        by_requests || by_time
    }

    /// Time kept for the operations that come last.
    pub(crate) fn for_last_things(&self) -> Duration {
        let time = self.budget.time.unwrap_or(Duration::from_secs(30));
        time.mul_f64(0.04).min(Duration::from_secs(5))
    }

    fn end(&self) -> Option<Instant> {
        Some(self.started + self.budget.time?)
    }

    /// When even confirming ends: who gives a minute wants to read the report after it.
    pub(crate) fn hard_end(&self) -> Option<Instant> {
        self.end()
    }
}
