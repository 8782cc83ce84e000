//! How the budget is shared between the ways of our own, sequences of the graph, evolution, and
//! calls of real traffic.
//!
//! Each side has a rolling estimate of what a call of its brought. The better one gets more, the
//! other never starves: what brings nothing now may bring something when the easy things are done.

/// What the sides brought lately.
#[derive(Debug)]
pub(crate) struct Shares {
    own: f64,
    evolved: f64,
    sequences: f64,
    harvested: f64,
    deviations: f64,
    inward: f64,
}

/// Who made a plan.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Side {
    Own,
    Evolved,
    Sequences,
    Harvested,
    Deviations,
    /// Following what the service compares its inputs with.
    Inward,
}

/// How much a single plan weighs.
const PACE: f64 = 0.02;
/// Neither side falls below this share.
const LEAST: f64 = 0.15;
/// What sequences show is mostly shown by the other ways as well: they get a small part.
const SEQUENCES: std::ops::RangeInclusive<f64> = 0.02..=0.15;

/// Recorded calls are few and lead far; what deviates from them is without end.
const HARVESTED: std::ops::RangeInclusive<f64> = 0.1..=0.9;
/// What is compared is not guessed; but what one operation needs another must make first.
const INWARD: std::ops::RangeInclusive<f64> = 0.2..=0.75;
const DEVIATIONS: std::ops::RangeInclusive<f64> = 0.03..=0.25;

impl Default for Shares {
    fn default() -> Self {
        Self {
            own: 0.5,
            evolved: 0.5,
            sequences: 0.03,
            // Believed at first: real callers know what works.
            harvested: 2.0,
            deviations: 0.1,
            inward: 0.5,
        }
    }
}

impl Shares {
    /// Hears how many new targets a plan brought, and how many calls it cost.
    pub(crate) fn credit(&mut self, side: Side, new: usize, calls: usize) {
        let brought = new as f64 / calls.max(1) as f64;
        let side = match side {
            Side::Own => &mut self.own,
            Side::Evolved => &mut self.evolved,
            Side::Sequences => &mut self.sequences,
            Side::Harvested => &mut self.harvested,
            Side::Deviations => &mut self.deviations,
            Side::Inward => &mut self.inward,
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

impl Shares {
    /// The share of all plans that are recorded calls, as long as there are any.
    pub(crate) fn of_harvest(&self) -> f64 {
        against(self.harvested, self.own, HARVESTED)
    }

    /// The share of all plans that follow comparisons, as long as there are any to follow.
    pub(crate) fn of_inward(&self) -> f64 {
        against(self.inward, self.own, INWARD)
    }

    /// The share of all plans that deviate from recorded calls.
    pub(crate) fn of_deviations(&self) -> f64 {
        against(self.deviations, self.own, DEVIATIONS)
    }
}

fn against(side: f64, own: f64, within: std::ops::RangeInclusive<f64>) -> f64 {
    let all = own + side;
    let share = if all > 1e-9 { side / all } else { 0.5 };
    share.clamp(*within.start(), *within.end())
}

impl Shares {
    /// The share of our own plans that are sequences of the graph.
    pub(crate) fn of_sequences(&self) -> f64 {
        let all = self.own + self.sequences;
        let share = if all > 1e-9 {
            self.sequences / all
        } else {
            0.1
        };
        share.clamp(*SEQUENCES.start(), *SEQUENCES.end())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn traffic_that_brings_nothing_falls_back_and_never_starves() {
        let mut shares = Shares::default();
        assert!(shares.of_harvest() > 0.7);
        for _ in 0..1_000 {
            shares.credit(Side::Harvested, 0, 1);
            shares.credit(Side::Deviations, 3, 1);
            shares.credit(Side::Own, 1, 1);
        }
        assert!((shares.of_harvest() - HARVESTED.start()).abs() < 1e-9);
        assert!((shares.of_deviations() - DEVIATIONS.end()).abs() < 1e-9);
    }

    #[test]
    fn what_brings_more_gets_more_and_nobody_starves() {
        let mut shares = Shares::default();
        for _ in 0..500 {
            shares.credit(Side::Evolved, 2, 1);
            shares.credit(Side::Own, 0, 1);
        }
        assert!((shares.of_evolution() - (1.0 - LEAST)).abs() < 1e-9);
        for _ in 0..2_000 {
            shares.credit(Side::Evolved, 0, 1);
            shares.credit(Side::Own, 1, 1);
        }
        assert!((shares.of_evolution() - LEAST).abs() < 1e-9);
    }
}
