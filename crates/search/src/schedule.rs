//! Which operation is next: everybody gets a share by weight, and no one starves.
//!
//! Stride scheduling: each operation has a pass value that grows by its cost divided by its
//! weight whenever it is served; the smallest pass is next.

#[derive(Debug)]
pub(crate) struct Schedule {
    passes: Vec<f64>,
    /// The pass of the last one served: newcomers and sleepers start from here.
    now: f64,
}

impl Schedule {
    pub(crate) fn new(operations: usize) -> Self {
        // Small offsets keep the document's order in the first round.
        let passes = (0..operations).map(|at| at as f64 * 1e-6).collect();
        Self { passes, now: 0.0 }
    }

    /// The next one among those that are ready.
    pub(crate) fn next(&mut self, ready: impl Fn(usize) -> bool) -> Option<usize> {
        let next = (0..self.passes.len())
            .filter(|&at| ready(at))
            .min_by(|&a, &b| self.passes[a].total_cmp(&self.passes[b]))?;
        self.now = self.now.max(self.passes[next]);
        Some(next)
    }

    /// Makes one of them due: there is news that concerns it.
    pub(crate) fn wake(&mut self, at: usize) {
        self.passes[at] = self.passes[at].min(self.now);
    }

    /// Charges what was spent. Whoever slept does not get the time back.
    pub(crate) fn charge(&mut self, at: usize, cost: f64, weight: f64) {
        let start = self.passes[at].max(self.now - 1.0);
        self.passes[at] = start + cost / weight.max(1e-3);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_follow_weights() {
        let weights = [1.0, 3.0];
        let mut schedule = Schedule::new(2);
        let mut served = [0, 0];
        for _ in 0..400 {
            let at = schedule.next(|_| true).expect("both are ready");
            served[at] += 1;
            schedule.charge(at, 1.0, weights[at]);
        }
        assert!((95..=105).contains(&served[0]), "{served:?}");
    }

    #[test]
    fn who_is_woken_is_due() {
        let mut schedule = Schedule::new(2);
        schedule.charge(1, 1.0, 0.01);
        for _ in 0..5 {
            let at = schedule.next(|_| true).expect("both are ready");
            assert_eq!(at, 0);
            schedule.charge(at, 1.0, 1.0);
        }
        schedule.wake(1);
        assert_eq!(schedule.next(|_| true), Some(1));
    }

    #[test]
    fn a_sleeper_does_not_catch_up() {
        let mut schedule = Schedule::new(2);
        for _ in 0..100 {
            let at = schedule.next(|at| at == 0).expect("one is ready");
            schedule.charge(at, 1.0, 1.0);
        }
        let mut second = 0;
        for _ in 0..10 {
            let at = schedule.next(|_| true).expect("both are ready");
            second += usize::from(at == 1);
            schedule.charge(at, 1.0, 1.0);
        }
        assert!(second <= 6, "{second}");
    }
}
