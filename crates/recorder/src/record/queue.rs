//! Calls on their way to the store: a queue that never makes anybody wait.
//!
//! It is bounded by count and by bytes. What does not fit is dropped and counted. The writer is
//! woken when a batch is full and looks by itself otherwise, so a call costs a lock and no more.

use std::collections::VecDeque;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use super::budget::{Budget, Share};
use super::entry::{Entry, What};
use super::{Copy, Kept};
use crate::RecordSettings;
use crate::figures::{Counters, count};

#[derive(Debug)]
pub(crate) struct Queue {
    pub(crate) counters: Counters,
    settings: RecordSettings,
    budget: Arc<Budget>,
    inner: Mutex<Inner>,
    wake: Condvar,
}

#[derive(Debug, Default)]
struct Inner {
    waiting: VecDeque<Entry>,
    /// In the batch that the writer has.
    in_hand: usize,
    since: Option<Instant>,
    /// Nothing more comes; what is here must be kept until then.
    closed: Option<Instant>,
    /// What was left has been counted as lost.
    given_up: bool,
}

impl Queue {
    pub(crate) fn new(settings: RecordSettings) -> Arc<Self> {
        Arc::new(Self {
            counters: Counters::default(),
            budget: Budget::new(settings.most_bytes),
            settings,
            inner: Mutex::default(),
            wake: Condvar::new(),
        })
    }

    /// A copy that is paid for from this queue's budget.
    pub(crate) fn copy(&self, limit: usize) -> Copy {
        Copy::new(&self.budget, limit)
    }

    pub(crate) fn share(&self) -> Share {
        Share::none(&self.budget)
    }

    /// Takes a call, or counts it as lost.
    pub(crate) fn push(&self, entry: Entry) {
        if let Err(refused) = self.push_all(vec_of(entry)) {
            count(&self.counters.lost, refused.count() as u64);
        }
    }

    /// Takes all of them or none.
    pub(crate) fn push_all<I>(&self, entries: I) -> Result<(), I>
    where
        I: ExactSizeIterator<Item = Entry>,
    {
        let mut inner = self.lock();
        let before = inner.waiting.len();
        let after = before + entries.len();
        if inner.closed.is_some() || after + inner.in_hand > self.settings.most_calls {
            return Err(entries);
        }
        inner.waiting.extend(entries);
        drop(inner);
        if before < self.settings.batch && after >= self.settings.batch {
            self.wake.notify_all();
        }
        Ok(())
    }

    /// Waits for the next batch; none when the queue is closed and empty.
    pub(crate) fn next(&self) -> Option<Batch<'_>> {
        let mut inner = self.lock();
        loop {
            let short = |inner: &mut Inner| {
                inner.waiting.len() < self.settings.batch && inner.closed.is_none()
            };
            let waited = self
                .wake
                .wait_timeout_while(inner, self.settings.every, short);
            inner = waited.unwrap_or_else(PoisonError::into_inner).0;
            if !inner.waiting.is_empty() {
                return Some(self.batch(&mut inner));
            }
            if inner.closed.is_some() {
                return None;
            }
        }
    }

    fn batch(&self, inner: &mut Inner) -> Batch<'_> {
        let size = inner.waiting.len().min(self.settings.batch);
        inner.in_hand = size;
        inner.since = Some(Instant::now());
        Batch {
            queue: self,
            entries: inner.waiting.drain(..size).collect(),
        }
    }

    /// Waits before another try; false when there is no time left for one.
    pub(crate) fn pause(&self, pause: Duration) -> bool {
        let open = |inner: &mut Inner| inner.closed.is_none();
        let waited = self.wake.wait_timeout_while(self.lock(), pause, open);
        let (inner, end) = waited.unwrap_or_else(PoisonError::into_inner);
        if end.timed_out() {
            return true;
        }
        let left = inner
            .closed
            .map(|end| end.saturating_duration_since(Instant::now()));
        drop(inner);
        let left = left.unwrap_or_default();
        std::thread::sleep(pause.min(left));
        !left.is_zero()
    }

    pub(crate) fn close(&self, patience: Duration) {
        self.lock().closed = Some(Instant::now() + patience);
        self.wake.notify_all();
    }

    /// Counts whatever is left as lost; the writer may still come back, and is not heard.
    pub(crate) fn give_up(&self) {
        let mut inner = self.lock();
        inner.given_up = true;
        let left = std::mem::take(&mut inner.waiting);
        let lost = left.len() + inner.in_hand;
        drop(inner);
        left.iter().for_each(Entry::mark_lost);
        count(&self.counters.lost, lost as u64);
    }

    /// How long the writer has had its batch.
    pub(crate) fn busy(&self) -> Option<Duration> {
        self.lock().since.map(|since| since.elapsed())
    }

    pub(crate) fn is_closed(&self) -> bool {
        self.lock().closed.is_some()
    }

    fn lock(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// False where the batch was already counted as lost.
    fn settle(&self) -> bool {
        let mut inner = self.lock();
        inner.in_hand = 0;
        inner.since = None;
        !inner.given_up
    }
}

fn vec_of(entry: Entry) -> std::array::IntoIter<Entry, 1> {
    [entry].into_iter()
}

/// What the writer has in hand. Dropped unkept, even by a panic, it is counted as lost.
#[derive(Debug)]
pub(crate) struct Batch<'queue> {
    queue: &'queue Queue,
    entries: Vec<Entry>,
}

impl Batch<'_> {
    /// What there is to keep; the shares and whoever waits stay with the batch.
    pub(crate) fn take_seen(&mut self) -> Vec<fossick_harvest::Seen> {
        let nothing = || What::Told(Box::new(fossick_harvest::Seen::once(0, "", "")));
        let entries = self.entries.iter_mut();
        entries
            .map(|entry| std::mem::replace(&mut entry.what, nothing()).into_seen())
            .collect()
    }

    pub(crate) fn kept(mut self, kept: Kept) {
        let entries = std::mem::take(&mut self.entries);
        let counters = &self.queue.counters;
        if self.queue.settle() {
            count(&counters.recorded, entries.len() as u64);
            count(&counters.kept, kept.calls);
            count(&counters.skipped, kept.skipped);
        }
    }
}

impl Drop for Batch<'_> {
    fn drop(&mut self) {
        self.entries.iter().for_each(Entry::mark_lost);
        if !self.entries.is_empty() && self.queue.settle() {
            count(&self.queue.counters.lost, self.entries.len() as u64);
        }
    }
}

#[cfg(test)]
mod tests {
    use fossick_harvest::Seen;

    use super::*;

    fn queue(most_calls: usize, batch: usize) -> Arc<Queue> {
        Queue::new(RecordSettings {
            most_calls,
            batch,
            every: Duration::from_millis(5),
            ..RecordSettings::default()
        })
    }

    fn push(queue: &Queue, target: &str) {
        let seen = Seen::once(1, "GET", target);
        count(&queue.counters.passed, 1);
        queue.push(Entry::told(seen, queue.share(), None));
    }

    fn targets(batch: &mut Batch<'_>) -> Vec<String> {
        batch.take_seen().into_iter().map(|s| s.target).collect()
    }

    #[test]
    fn calls_come_out_in_order_and_in_batches() {
        let queue = queue(10, 2);
        for target in ["a", "b", "c"] {
            push(&queue, target);
        }
        let mut first = queue.next().expect("a full batch");
        assert_eq!(targets(&mut first), ["a", "b"]);
        first.kept(Kept::default());
        let mut second = queue.next().expect("what is left, after a while");
        assert_eq!(targets(&mut second), ["c"]);
        second.kept(Kept::default());
        queue.close(Duration::ZERO);
        assert!(queue.next().is_none());
        assert_eq!(queue.counters.figures().recorded, 3);
    }

    #[test]
    fn what_does_not_fit_is_lost_and_the_batch_in_hand_takes_room() {
        let queue = queue(3, 2);
        for target in ["a", "b", "c", "d"] {
            push(&queue, target);
        }
        let batch = queue.next().expect("two");
        push(&queue, "e");
        assert_eq!(queue.counters.figures().lost, 2);
        batch.kept(Kept::default());
        push(&queue, "f");
        let figures = queue.counters.figures();
        assert_eq!((figures.passed, figures.recorded, figures.lost), (6, 2, 2));
    }

    #[test]
    fn a_batch_that_is_dropped_is_lost() {
        let queue = queue(9, 2);
        push(&queue, "a");
        drop(queue.next());
        assert_eq!(queue.counters.figures().lost, 1);
    }

    #[test]
    fn what_was_given_up_is_counted_once() {
        let queue = queue(9, 2);
        for target in ["a", "b", "c"] {
            push(&queue, target);
        }
        let batch = queue.next().expect("two");
        queue.give_up();
        assert_eq!(queue.counters.figures().lost, 3);
        batch.kept(Kept::default());
        let figures = queue.counters.figures();
        assert_eq!((figures.lost, figures.recorded), (3, 0));
    }

    #[test]
    fn after_the_end_there_is_no_pause_beyond_the_time_left() {
        let queue = queue(9, 2);
        assert!(queue.pause(Duration::from_millis(1)));
        queue.close(Duration::from_millis(30));
        assert!(queue.pause(Duration::from_mins(1)));
        assert!(!queue.pause(Duration::from_mins(1)));
    }
}
