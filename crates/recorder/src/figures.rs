//! What has gone by so far, in numbers.
//!
//! Counters are read one by one while others count on, so figures of a running recorder may be off
//! by what is under way; at the end they are exact.

use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};

/// Every call that passed ends in exactly one of three ways:
/// `passed = recorded + left_out + lost + waiting`, and at the end none is waiting.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Figures {
    /// Calls that the upstream answered, or that were told to the collector.
    pub passed: u64,
    /// Calls that were handed over and kept, or weighed and found not worth it.
    pub recorded: u64,
    /// Calls that can't be recorded whatever the store does: their request is larger than what is
    /// copied, or was answered before all of it had come.
    pub left_out: u64,
    /// Calls for which there was no room, or which the store never took.
    pub lost: u64,
    /// Calls under way or in the queue.
    pub waiting: u64,
    /// Calls that the upstream did not answer.
    pub failed: u64,
    /// Calls whose client left before the answer came.
    pub abandoned: u64,
    /// Connections that became something else, such as a WebSocket.
    pub tunnels: u64,
    /// Bytes of bodies, towards the upstream and back.
    pub bytes_up: u64,
    pub bytes_down: u64,
    /// Of the recorded calls, as the store counts them: kept, and not worth it.
    pub kept: u64,
    pub skipped: u64,
}

impl fmt::Display for Figures {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} passed, {} recorded", self.passed, self.recorded)?;
        let rest = [
            (self.left_out, "left out"),
            (self.lost, "lost"),
            (self.waiting, "waiting"),
            (self.failed, "failed"),
            (self.abandoned, "abandoned"),
            (self.tunnels, "tunnels"),
        ];
        for (count, name) in rest.iter().filter(|(count, _)| *count > 0) {
            write!(f, ", {count} {name}")?;
        }
        let bytes = self.bytes_up + self.bytes_down;
        write!(f, ", {:.1} MB", bytes as f64 / 1e6)
    }
}

/// Counted from every thread.
#[derive(Debug, Default)]
pub(crate) struct Counters {
    pub(crate) passed: AtomicU64,
    pub(crate) recorded: AtomicU64,
    pub(crate) left_out: AtomicU64,
    pub(crate) lost: AtomicU64,
    pub(crate) failed: AtomicU64,
    pub(crate) abandoned: AtomicU64,
    pub(crate) tunnels: AtomicU64,
    pub(crate) bytes_up: AtomicU64,
    pub(crate) bytes_down: AtomicU64,
    pub(crate) kept: AtomicU64,
    pub(crate) skipped: AtomicU64,
}

pub(crate) fn count(counter: &AtomicU64, more: u64) {
    counter.fetch_add(more, Ordering::Relaxed);
}

pub(crate) fn read(counter: &AtomicU64) -> u64 {
    counter.load(Ordering::Relaxed)
}

impl Counters {
    pub(crate) fn figures(&self) -> Figures {
        // Ends are read before beginnings: the difference is never below zero.
        let recorded = read(&self.recorded);
        let (left_out, lost) = (read(&self.left_out), read(&self.lost));
        let passed = read(&self.passed);
        Figures {
            passed,
            recorded,
            left_out,
            lost,
            waiting: passed.saturating_sub(recorded + left_out + lost),
            failed: read(&self.failed),
            abandoned: read(&self.abandoned),
            tunnels: read(&self.tunnels),
            bytes_up: read(&self.bytes_up),
            bytes_down: read(&self.bytes_down),
            kept: read(&self.kept),
            skipped: read(&self.skipped),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_line_tells_what_matters_and_leaves_zeros_out() {
        let figures = Figures {
            passed: 12,
            recorded: 9,
            lost: 3,
            bytes_up: 1_500_000,
            bytes_down: 500_000,
            ..Figures::default()
        };
        let line = figures.to_string();
        assert_eq!(line, "12 passed, 9 recorded, 3 lost, 2.0 MB");
    }

    #[test]
    fn what_has_passed_and_not_ended_is_waiting() {
        let counters = Counters::default();
        count(&counters.passed, 10);
        count(&counters.recorded, 4);
        count(&counters.lost, 1);
        assert_eq!(counters.figures().waiting, 5);
    }
}
