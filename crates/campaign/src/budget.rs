//! How long a run may go on.

use std::time::{Duration, Instant};

#[derive(Debug, Clone, Copy)]
pub struct Budget {
    pub time: Option<Duration>,
    /// Requests of the search; confirming what was found comes on top.
    pub requests: Option<u64>,
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

    /// When even confirming ends: a little beyond the time, if it must.
    pub(crate) fn hard_end(&self) -> Option<Instant> {
        let time = self.budget.time?;
        let grace = time
            .mul_f64(0.1)
            .clamp(Duration::from_secs(2), Duration::from_secs(10));
        Some(self.started + time + grace)
    }
}
