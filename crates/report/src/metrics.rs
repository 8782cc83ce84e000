//! A run over a GraphQL service in numbers.
//!
//! An endpoint is a field of the root types: what a REST service has an operation for. One that
//! answered both ways counts in both shares, so they need not add up to the whole.

use fossick_trace::{Run, Tally};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Metrics {
    pub(crate) endpoints: usize,
    /// Endpoints with at least one answer without errors, with errors, with data.
    pub(crate) without_errors: usize,
    pub(crate) with_errors: usize,
    pub(crate) with_data: usize,
    /// Pairs of a type and one of its fields, and those of them that were asked for and answered.
    pub(crate) tuples: usize,
    pub(crate) covered: usize,
}

impl Metrics {
    /// `None` where the service does not speak GraphQL.
    pub(crate) fn of(run: &Run) -> Option<Self> {
        let schema = run.graphql?;
        let count = |has: fn(&Tally) -> bool| run.operations.iter().filter(|t| has(t)).count();
        Some(Self {
            endpoints: run.operations.len(),
            without_errors: count(|tally| tally.without_errors > 0),
            with_errors: count(|tally| tally.with_errors > 0),
            with_data: count(|tally| tally.with_data > 0),
            tuples: schema.tuples,
            covered: schema.covered,
        })
    }

    /// Share of the endpoints, in percent.
    pub(crate) fn share(&self, endpoints: usize) -> f64 {
        percent(endpoints, self.endpoints)
    }

    pub(crate) fn coverage(&self) -> f64 {
        percent(self.covered, self.tuples)
    }
}

/// To a hundredth: more digits say nothing.
fn percent(part: usize, whole: usize) -> f64 {
    match whole {
        0 => 0.0,
        _ => (part as f64 * 10_000.0 / whole as f64).round() / 100.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_are_rounded_and_nothing_has_no_share() {
        assert_eq!(percent(1, 3), 33.33);
        assert_eq!(percent(3, 3), 100.0);
        assert_eq!(percent(0, 0), 0.0);
    }
}
