//! How many bytes of calls are held at a time, wherever they are just now.
//!
//! One budget for copies that are still growing, for the queue and for the batch in hand: memory
//! stays flat whatever the store does and however large and many the bodies are.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

#[derive(Debug)]
pub(crate) struct Budget {
    held: AtomicUsize,
    most: usize,
}

impl Budget {
    pub(crate) fn new(most: usize) -> Arc<Self> {
        let held = AtomicUsize::new(0);
        Arc::new(Self { held, most })
    }

    fn take(&self, bytes: usize) -> bool {
        let before = self.held.fetch_add(bytes, Ordering::Relaxed);
        let fits = before.saturating_add(bytes) <= self.most;
        if !fits {
            self.held.fetch_sub(bytes, Ordering::Relaxed);
        }
        fits
    }

    #[cfg(test)]
    pub(crate) fn held(&self) -> usize {
        self.held.load(Ordering::Relaxed)
    }
}

/// A share of the budget, given back when it is dropped.
#[derive(Debug)]
pub(crate) struct Share {
    budget: Arc<Budget>,
    bytes: usize,
}

impl Share {
    pub(crate) fn none(budget: &Arc<Budget>) -> Self {
        let budget = Arc::clone(budget);
        Self { budget, bytes: 0 }
    }

    pub(crate) fn budget(&self) -> &Arc<Budget> {
        &self.budget
    }

    /// False where there is no room; the share stays as it was.
    pub(crate) fn grow(&mut self, bytes: usize) -> bool {
        let granted = self.budget.take(bytes);
        self.bytes += if granted { bytes } else { 0 };
        granted
    }

    /// Takes another share over.
    pub(crate) fn join(&mut self, other: &mut Self) {
        self.bytes += std::mem::take(&mut other.bytes);
    }

    pub(crate) fn clear(&mut self) {
        self.budget.held.fetch_sub(self.bytes, Ordering::Relaxed);
        self.bytes = 0;
    }
}

impl Drop for Share {
    fn drop(&mut self) {
        self.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_does_not_fit_is_refused_and_what_is_dropped_is_free_again() {
        let budget = Budget::new(100);
        let mut one = Share::none(&budget);
        assert!(one.grow(60) && !one.grow(60) && one.grow(40));
        let mut other = Share::none(&budget);
        assert!(!other.grow(1));
        drop(one);
        assert!(other.grow(100));
        assert_eq!(budget.held(), 100);
        drop(other);
        assert_eq!(budget.held(), 0);
    }
}
