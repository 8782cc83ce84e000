//! What a call has been seen to do so far, in the service.

use std::collections::BTreeMap;

use crate::message::{Delta, Number, Operand, Place};
use crate::value::Value;

/// Operands kept of one call; a loop over a long list has no more to say than its beginning.
const MOST_OPERANDS: usize = 256;

/// Bytes of an operand. A longer one is left out: half a key is no key.
const LONGEST_OPERAND: usize = 1024;

/// Best values, the last line and operands of one call.
#[derive(Debug, Clone, Default)]
pub struct Seen {
    hits: BTreeMap<u32, Value>,
    last_line: Option<Place>,
    operands: Vec<Operand>,
}

impl Seen {
    /// Of several values for one target, the best is kept.
    pub fn hit(&mut self, id: u32, value: Value) {
        let held = self.hits.entry(id).or_default();
        *held = (*held).max(value);
    }

    pub fn last_line(&mut self, place: Place) {
        self.last_line = Some(place);
    }

    pub fn operand(&mut self, operand: Operand) {
        let is_wanted = self.operands.len() < MOST_OPERANDS && size(&operand) <= LONGEST_OPERAND;
        if is_wanted && !self.operands.contains(&operand) {
            self.operands.push(operand);
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
        for operand in other.operands {
            self.operand(operand);
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
            operands: self.operands,
            died: false,
        }
    }
}

fn size(operand: &Operand) -> usize {
    match operand {
        Operand::Number(Number::Whole(_) | Number::Real(_)) => 8,
        Operand::Text(words)
        | Operand::Pattern(words)
        | Operand::JsonKey(words)
        | Operand::Header(words)
        | Operand::Parameter(words) => words.len(),
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
    fn operands_are_told_once_and_long_ones_never() {
        let mut seen = Seen::default();
        for _ in 0..2 {
            seen.operand(Operand::Text("red".to_owned()));
        }
        seen.operand(Operand::Text("x".repeat(LONGEST_OPERAND + 1)));
        assert_eq!(seen.operands, [Operand::Text("red".to_owned())]);
    }

    #[test]
    fn the_later_of_two_last_lines_holds() {
        let place = |line| Place {
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
