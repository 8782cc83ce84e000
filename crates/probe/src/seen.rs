//! What a call has been seen to do so far, in the service.

use std::collections::BTreeMap;

use crate::message::{Delta, Observation, Observed, Raised, Scalar, SourceLine};
use crate::value::Value;

/// Observations kept of one call; a loop over a long list has no more to say than its beginning.
const MOST_OBSERVATIONS: usize = 512;

/// Bytes of one text. A longer one is left out: half a key is no key.
const LONGEST_TEXT: usize = 1024;

/// Exceptions kept of one call, the last ones.
const MOST_FAILURES: usize = 8;

/// Best values, the last line, exceptions and observations of one call.
#[derive(Debug, Clone, Default)]
pub struct Seen {
    hits: BTreeMap<u32, Value>,
    last_line: Option<SourceLine>,
    failures: Vec<Raised>,
    observations: Vec<Observation>,
}

impl Seen {
    /// Of several values for one target, the best is kept.
    pub fn hit(&mut self, id: u32, value: Value) {
        let held = self.hits.entry(id).or_default();
        *held = (*held).max(value);
    }

    pub fn last_line(&mut self, place: SourceLine) {
        self.last_line = Some(place);
    }

    pub fn raise(&mut self, raised: Raised) {
        if self.failures.len() == MOST_FAILURES {
            self.failures.remove(0);
        }
        self.failures.push(raised);
    }

    pub fn observe(&mut self, observation: Observation) {
        let has_room = self.observations.len() < MOST_OBSERVATIONS;
        let is_wanted = has_room && longest(&observation.what) <= LONGEST_TEXT;
        if is_wanted && !self.observations.contains(&observation) {
            self.observations.push(observation);
        }
    }

    /// Every target that was seen, with its best value.
    pub fn hits(&self) -> impl Iterator<Item = (u32, Value)> {
        self.hits.iter().map(|(id, value)| (*id, *value))
    }

    pub fn merge(&mut self, other: Self) {
        for (id, value) in other.hits {
            self.hit(id, value);
        }
        other.failures.into_iter().for_each(|it| self.raise(it));
        for observation in other.observations {
            self.observe(observation);
        }
        self.last_line = other.last_line.or(self.last_line.take());
    }

    /// What is to be told of it: all above nothing that is not covered yet.
    pub(crate) fn delta(self, call: u64, is_covered: impl Fn(u32) -> bool) -> Delta {
        let hits = self.hits.into_iter();
        Delta {
            call,
            hits: hits
                .filter(|(id, value)| *value > Value::NONE && !is_covered(*id))
                .collect(),
            last_line: self.last_line,
            failures: self.failures,
            observations: self.observations,
            died: false,
        }
    }
}

/// The length of the longest text in it.
fn longest(observed: &Observed) -> usize {
    match observed {
        Observed::Equal(left, right) | Observed::Order(left, right) => {
            scalar_size(left).max(scalar_size(right))
        }
        Observed::Prefix(one, two)
        | Observed::Suffix(one, two)
        | Observed::Contains(one, two)
        | Observed::Same(one, two) => one.len().max(two.len()),
        Observed::Member(value, _) => scalar_size(value),
        Observed::Pattern { text, pattern, .. } => text.len().max(pattern.len()),
        Observed::Parse { text, .. } => text.len(),
        Observed::Read { name, .. } => name.len(),
    }
}

fn scalar_size(scalar: &Scalar) -> usize {
    match scalar {
        Scalar::Text(words) | Scalar::Moment(words) => words.len(),
        Scalar::Whole(_) | Scalar::Real(_) | Scalar::Boolean(_) | Scalar::Null => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_best_value_is_told_and_nothing_is_not() {
        let mut seen = Seen::default();
        seen.hit(4, Value::new(0.5));
        seen.hit(4, Value::new(0.2));
        seen.hit(5, Value::NONE);
        seen.hit(6, Value::FULL);
        let delta = seen.delta(1, |id| id == 6);
        assert_eq!(delta.hits, [(4, Value::new(0.5))]);
    }

    #[test]
    fn observations_are_reported_once_and_long_ones_never() {
        let equal = |words: &str| Observation {
            target: None,
            what: Observed::Equal(Scalar::Text(words.to_owned()), Scalar::Null),
        };
        let mut seen = Seen::default();
        for _ in 0..2 {
            seen.observe(equal("red"));
        }
        seen.observe(equal(&"x".repeat(LONGEST_TEXT + 1)));
        assert_eq!(seen.observations, [equal("red")]);
    }

    #[test]
    fn the_last_exceptions_are_kept() {
        let raised = |line| Raised {
            exception: "KeyError".to_owned(),
            message: String::new(),
            place: SourceLine {
                file: "a".into(),
                line,
            },
        };
        let mut seen = Seen::default();
        (0..20).for_each(|line| seen.raise(raised(line)));
        assert_eq!(seen.failures.len(), MOST_FAILURES);
        assert_eq!(seen.failures.last(), Some(&raised(19)));
    }

    #[test]
    fn the_later_of_two_last_lines_holds() {
        let place = |line| SourceLine {
            file: "a".into(),
            line,
        };
        let mut seen = Seen::default();
        seen.last_line(place(1));
        seen.merge(Seen::default());
        assert_eq!(seen.last_line, Some(place(1)));
        let mut later = Seen::default();
        later.last_line(place(2));
        seen.merge(later);
        assert_eq!(seen.last_line, Some(place(2)));
    }
}
