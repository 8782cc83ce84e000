//! What is thought of an edge: where it comes from, how often it worked, whether it is used.

use fossick_trace::{EdgeEvent, EdgeState};

#[derive(Debug, Clone)]
pub(crate) struct Standing {
    pub(crate) state: EdgeState,
    pub(crate) worked: u32,
    pub(crate) failed: u32,
    pub(crate) history: Vec<EdgeEvent>,
}

/// An edge that may still work so often, by the upper bound of its record, is kept. Nine failures
/// in a row are just enough to lose it.
const HOPE: f64 = 0.25;
/// The quantile of that bound: one in twenty edges is judged too harshly.
const Z: f64 = 1.64;
/// Failures that refute an edge beside one that works.
const BESIDE_ANOTHER: u32 = 4;
/// Successes by which an edge is known to work.
const SURELY: u32 = 3;
/// Edges that come and go are told of only so often.
const MOST_EVENTS: usize = 8;

impl Standing {
    pub(crate) fn told(why: String) -> Self {
        Self::new(EdgeState::Told, 0, why)
    }

    pub(crate) fn added(after: u64, why: String) -> Self {
        Self::new(EdgeState::Added, after, why)
    }

    fn new(state: EdgeState, after: u64, why: String) -> Self {
        Self {
            state,
            worked: 0,
            failed: 0,
            history: vec![EdgeEvent { after, why }],
        }
    }

    pub(crate) fn is_used(&self) -> bool {
        self.state.is_used()
    }

    pub(crate) fn note(&mut self, after: u64, why: String) {
        if self.history.len() < MOST_EVENTS {
            self.history.push(EdgeEvent { after, why });
        }
    }

    pub(crate) fn count(&mut self, worked: bool) {
        let count = if worked {
            &mut self.worked
        } else {
            &mut self.failed
        };
        *count = count.saturating_add(1);
    }

    /// Expected success, before anything is known even odds.
    pub(crate) fn confidence(&self) -> f64 {
        let (worked, failed) = (f64::from(self.worked), f64::from(self.failed));
        (worked + 1.0) / (worked + failed + 2.0)
    }

    /// Whether its record is too poor to go on: by the bound, or by a fixed number of tries. Where
    /// another property is known to work at the same place, it is this one that is wrong there.
    pub(crate) fn is_hopeless(&self, tries: Option<u32>, another_works: bool) -> bool {
        let never = |tries| self.worked == 0 && self.failed >= tries;
        match tries {
            Some(tries) => never(tries),
            None => {
                upper_bound(self.worked, self.failed) < HOPE
                    || (another_works && never(BESIDE_ANOTHER))
            }
        }
    }

    /// Whether it may serve as a yardstick for others.
    pub(crate) fn surely_works(&self) -> bool {
        self.is_used() && self.worked >= SURELY
    }

    pub(crate) fn remove(&mut self, after: u64, why: String) {
        self.state = EdgeState::Removed;
        self.note(after, why);
    }

    /// What was held against it is forgotten: values showed that it holds after all.
    pub(crate) fn bring_back(&mut self, after: u64, why: String) {
        self.state = EdgeState::Returned;
        self.failed = 0;
        self.note(after, why);
    }
}

/// The upper end of Wilson's interval.
fn upper_bound(worked: u32, failed: u32) -> f64 {
    let n = f64::from(worked) + f64::from(failed);
    if n < 1.0 {
        return 1.0;
    }
    let p = f64::from(worked) / n;
    let square = Z * Z;
    let spread = Z * (p * (1.0 - p) / n + square / (4.0 * n * n)).sqrt();
    (p + square / (2.0 * n) + spread) / (1.0 + square / n)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with(worked: u32, failed: u32) -> Standing {
        Standing {
            worked,
            failed,
            ..Standing::told(String::new())
        }
    }

    #[test]
    fn failures_weigh_until_hope_is_gone() {
        assert!(!with(0, 8).is_hopeless(None, false));
        assert!(with(0, 9).is_hopeless(None, false));
        assert!(
            !with(2, 9).is_hopeless(None, false),
            "it works now and then"
        );
        assert!(!with(0, 3).is_hopeless(None, true));
        assert!(with(0, 4).is_hopeless(None, true), "another works there");
        assert!(!with(1, 4).is_hopeless(None, true));
    }

    #[test]
    fn a_fixed_number_of_tries_may_be_asked_for() {
        assert!(with(0, 3).is_hopeless(Some(3), false));
        assert!(!with(0, 2).is_hopeless(Some(3), false));
        assert!(!with(1, 30).is_hopeless(Some(3), false), "it worked once");
    }

    #[test]
    fn an_edge_that_returns_starts_anew() {
        let mut standing = with(0, 9);
        standing.remove(20, "it failed".to_owned());
        assert!(!standing.is_used());
        standing.bring_back(30, "a value showed it".to_owned());
        assert!(standing.is_used() && !standing.is_hopeless(None, false));
        assert_eq!(standing.history.len(), 3);
    }
}
