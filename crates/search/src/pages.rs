//! Cases that are thought up page by page.
//!
//! An API with many operations would fill the memory with cases that no run has the time for; the
//! next page is made when one is used up. Whoever makes them makes the same ones in the same order
//! each time, and those of earlier pages are skipped.

use std::collections::VecDeque;

#[derive(Debug)]
pub(crate) struct Pages<T> {
    held: VecDeque<T>,
    made: usize,
    /// The last page was made.
    over: bool,
}

impl<T> Default for Pages<T> {
    fn default() -> Self {
        Self {
            held: VecDeque::new(),
            made: 0,
            over: false,
        }
    }
}

impl<T> Pages<T> {
    /// Whether the next page is due.
    pub(crate) fn are_used_up(&self) -> bool {
        self.held.is_empty() && !self.over
    }

    /// Takes the next page of all cases, of this size.
    pub(crate) fn turn(&mut self, all: impl IntoIterator<Item = T>, size: usize) {
        let skipped = self.made * size;
        self.held = all.into_iter().skip(skipped).take(size).collect();
        self.over = self.held.len() < size;
        self.made += 1;
    }

    pub(crate) fn next(&mut self) -> Option<T> {
        self.held.pop_front()
    }

    /// The first on this page that will do.
    pub(crate) fn find(&mut self, wanted: impl Fn(&T) -> bool) -> Option<T> {
        let found = self.held.iter().position(wanted)?;
        self.held.remove(found)
    }

    /// Whether there may be more.
    pub(crate) fn has_more(&self) -> bool {
        !self.held.is_empty() || !self.over
    }
}

/// Cases that are held at a time for one operation, of those held for all.
pub(crate) fn page(all: usize, operations: usize) -> usize {
    (all / operations.max(1)).clamp(16, 1_200)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_case_comes_once_and_in_order() {
        let mut pages = Pages::default();
        let mut seen = Vec::new();
        loop {
            if pages.are_used_up() {
                pages.turn(0..7, 3);
            }
            let Some(case) = pages.next() else { break };
            seen.push(case);
        }
        assert_eq!(seen, [0, 1, 2, 3, 4, 5, 6]);
        assert!(!pages.has_more());
    }
}
