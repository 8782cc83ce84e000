//! Which targets were reached, and the shortest plan for each.

use std::collections::HashMap;

use fossick_contract::OperationIndex;
use fossick_evolve::QuickBuilder;
use fossick_trace::{Answer, Outcome, Target};
use serde_json::Value;

/// Targets that were covered, with the length of the shortest plan that did.
#[derive(Debug, Default)]
pub(crate) struct Coverage {
    covered: HashMap<Target, usize, QuickBuilder>,
    /// What the fields of answers reached that were read already, by operation and digest.
    read: HashMap<(OperationIndex, u64), Box<[Target]>>,
    /// A probe tells what the service's code does.
    sees_code: bool,
}

/// Remembering more answers than this costs more than it saves.
const MOST_READ: usize = 8192;

impl Coverage {
    /// Tells whether the target is new.
    pub(crate) fn cover(&mut self, target: Target, length: usize) -> bool {
        self.sees_code |= matches!(target, Target::Code(_));
        let Some(shortest) = self.covered.get_mut(&target) else {
            self.covered.insert(target, length);
            return true;
        };
        *shortest = (*shortest).min(length);
        false
    }

    /// Targets that a step of an episode reached, by its outcome and the fields of its answer;
    /// fields of an answer that was seen before are not told again.
    pub(crate) fn reached(
        &mut self,
        index: OperationIndex,
        outcome: &Outcome,
        into: &mut Vec<Target>,
    ) {
        by_outcome(index, outcome, into);
        if let Some(answer) = outcome.answer() {
            let key = (index, answer.digest());
            if !self.read.contains_key(&key) {
                self.read_fields(key, answer, into);
            }
        }
    }

    /// The same, and those of an answer that was seen before as well.
    pub(crate) fn all_reached(
        &mut self,
        index: OperationIndex,
        outcome: &Outcome,
        into: &mut Vec<Target>,
    ) {
        by_outcome(index, outcome, into);
        if let Some(answer) = outcome.answer() {
            let key = (index, answer.digest());
            match self.read.get(&key) {
                Some(known) => into.extend_from_slice(known),
                None => self.read_fields(key, answer, into),
            }
        }
    }

    fn read_fields(&mut self, key: (OperationIndex, u64), answer: &Answer, into: &mut Vec<Target>) {
        let first = into.len();
        by_fields(key.0, answer, into);
        if self.read.len() < MOST_READ {
            self.read.insert(key, into[first..].into());
        }
    }

    pub(crate) fn sees_code(&self) -> bool {
        self.sees_code
    }

    /// Pairs of a GraphQL type and one of its fields that were reached.
    pub(crate) fn pairs(&self) -> usize {
        let is_pair = |target: &&Target| matches!(target, Target::Pair(..));
        self.covered.keys().filter(is_pair).count()
    }

    pub(crate) fn len(&self) -> usize {
        self.covered.len()
    }
}

/// All targets that a step of an episode reached.
pub(crate) fn all_of(index: OperationIndex, outcome: &Outcome, into: &mut Vec<Target>) {
    by_outcome(index, outcome, into);
    if let Some(answer) = outcome.answer() {
        by_fields(index, answer, into);
    }
}

fn by_outcome(index: OperationIndex, outcome: &Outcome, into: &mut Vec<Target>) {
    let Some(answer) = outcome.answer() else {
        into.push(Target::NoAnswer(index));
        return;
    };
    into.push(Target::Status(index, answer.status));
    if let Some(said) = answer.said {
        into.push(Target::Said(index, said.is_without_errors()));
    }
}

fn by_fields(index: OperationIndex, answer: &Answer, into: &mut Vec<Target>) {
    if let Some(Value::Object(map)) = answer.json() {
        let fields = map.iter().take(FIELDS_READ);
        into.extend(fields.map(|(key, value)| {
            Target::Field(index, hash(key) ^ kind(value) ^ u32::from(answer.status))
        }));
    }
}

/// Most answers of one operation repeat the same fields; so many are read for new ones.
const FIELDS_READ: usize = 24;

pub(crate) fn hash(text: &str) -> u32 {
    text.bytes().fold(0x811c_9dc5, |hash, byte| {
        (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193)
    })
}

fn kind(value: &Value) -> u32 {
    match value {
        Value::Null => 1 << 20,
        Value::Bool(false) => 2 << 20,
        Value::Bool(true) => 3 << 20,
        Value::Number(_) => 4 << 20,
        Value::String(_) => 5 << 20,
        Value::Array(items) if items.is_empty() => 6 << 20,
        Value::Array(_) => 7 << 20,
        Value::Object(_) => 8 << 20,
    }
}
