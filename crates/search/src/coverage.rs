//! Which targets were reached, and the shortest plan for each.

use std::collections::HashMap;

use fossick_contract::OperationIndex;
use fossick_trace::{Episode, Outcome, Target};
use serde_json::Value;

/// Targets that were covered, with the length of the shortest plan that did.
#[derive(Debug, Default)]
pub(crate) struct Coverage {
    covered: HashMap<Target, usize>,
}

impl Coverage {
    /// Tells whether the target is new.
    pub(crate) fn cover(&mut self, target: Target, length: usize) -> bool {
        let Some(shortest) = self.covered.get_mut(&target) else {
            self.covered.insert(target, length);
            return true;
        };
        *shortest = (*shortest).min(length);
        false
    }

    pub(crate) fn len(&self) -> usize {
        self.covered.len()
    }
}

/// Most answers of one operation repeat the same fields; so many are read for new ones.
const FIELDS_READ: usize = 24;

/// Targets that an exchange reached, by its outcome and the fields of its answer.
pub(crate) fn targets_of(
    index: OperationIndex,
    episode: &Episode,
    step: usize,
    into: &mut Vec<Target>,
) {
    let Some(exchange) = episode.exchanges.get(step) else {
        return;
    };
    match &exchange.outcome {
        Outcome::Failed(_) => into.push(Target::NoAnswer(index)),
        Outcome::Answered(answer) => {
            into.push(Target::Status(index, answer.status));
            if let Some(Value::Object(map)) = answer.json() {
                let fields = map.iter().take(FIELDS_READ);
                into.extend(fields.map(|(key, value)| {
                    Target::Field(index, hash(key) ^ kind(value) ^ u32::from(answer.status))
                }));
            }
        }
    }
}

fn hash(text: &str) -> u32 {
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
