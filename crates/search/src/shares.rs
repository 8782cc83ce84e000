//! How the budget is shared between the ways of our own and evolution.
//!
//! Each side has a rolling estimate of what a call of its brought. The better one gets more, the
//! other never starves: what brings nothing now may bring something when the easy things are done.

/// Two sides with what they brought lately.
#[derive(Debug)]
pub(crate) struct Shares {
    own: f64,
    evolved: f64,
}

/// How much a single plan weighs.
const PACE: f64 = 0.02;
/// Neither side falls below this share.
const LEAST: f64 = 0.15;

impl Default for Shares {
    fn default() -> Self {
        Self {
            own: 0.5,
            evolved: 0.5,
        }
    }
}

impl Shares {
    /// Hears how many new targets a plan brought, and how many calls it cost.
    pub(crate) fn credit(&mut self, evolved: bool, new: usize, calls: usize) {
        let brought = new as f64 / calls.max(1) as f64;
        let side = if evolved {
            &mut self.evolved
        } else {
            &mut self.own
        };
        *side += PACE * (brought.min(3.0) - *side);
    }

    /// The share of plans that evolution makes.
    pub(crate) fn of_evolution(&self) -> f64 {
        let all = self.own + self.evolved;
        let share = if all > 1e-9 { self.evolved / all } else { 0.5 };
        share.clamp(LEAST, 1.0 - LEAST)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_brings_more_gets_more_and_nobody_starves() {
        let mut shares = Shares::default();
        for _ in 0..500 {
            shares.credit(true, 2, 1);
            shares.credit(false, 0, 1);
        }
        assert!((shares.of_evolution() - (1.0 - LEAST)).abs() < 1e-9);
        for _ in 0..2_000 {
            shares.credit(true, 0, 1);
            shares.credit(false, 1, 1);
        }
        assert!((shares.of_evolution() - LEAST).abs() < 1e-9);
    }
}
