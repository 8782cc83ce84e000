//! One of a fixed set of values.
//!
//! The set is shared with the recipe of its shape: a member costs no allocation.

use std::sync::Arc;

use serde_json::Value;

use crate::Rng;
use crate::dice;
use crate::source::Source;

static NOTHING: Value = Value::Null;

#[derive(Debug, Clone, PartialEq)]
pub struct Enumerated {
    pub(crate) members: Arc<[Value]>,
    pub(crate) at: u32,
}

impl Enumerated {
    pub(crate) fn new(members: &Arc<[Value]>, at: usize) -> Self {
        Self {
            members: Arc::clone(members),
            at: at as u32,
        }
    }

    pub fn value(&self) -> &Value {
        self.members.get(self.at as usize).unwrap_or(&NOTHING)
    }

    pub fn source(&self) -> Source {
        if self.members.len() == 1 {
            Source::Fixed
        } else {
            Source::Enum
        }
    }

    /// Another member; false if there is no other.
    pub(crate) fn mutate(&mut self, rng: &mut Rng) -> bool {
        let others = self.members.len().saturating_sub(1);
        if others == 0 {
            return false;
        }
        let at = dice::index(rng, others) as u32;
        self.at = if at >= self.at { at + 1 } else { at };
        true
    }
}
