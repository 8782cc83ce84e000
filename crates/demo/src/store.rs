//! What the library has: tools, repairs, members and loans, in memory and in order of arrival.
//!
//! Numbers are given out one after the other and never twice. A shelf that is full drops its
//! oldest thing, so that a long run does not eat the machine; a test that makes what it needs
//! will not notice.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Deserializer, Serialize};
use serde_json::{Number, Value};

use crate::input::whole;

const SHELF_SIZE: usize = 10_000;

#[derive(Debug, Default)]
pub(crate) struct Store {
    pub(crate) tools: Shelf<Tool>,
    pub(crate) repairs: Shelf<Repair>,
    pub(crate) members: Shelf<Member>,
    pub(crate) loans: Shelf<Loan>,
    /// Numbers of the tools that are lent, so that nobody has to search the loans for them.
    pub(crate) out: BTreeSet<u64>,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Tool {
    #[serde(default, deserialize_with = "whole_number")]
    pub(crate) id: u64,
    pub(crate) name: String,
    pub(crate) code: String,
    pub(crate) category: String,
    #[serde(default, deserialize_with = "whole_number")]
    pub(crate) deposit: u64,
    #[serde(default)]
    pub(crate) bought_on: Option<String>,
    #[serde(default)]
    pub(crate) tags: Vec<String>,
}

#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Repair {
    pub(crate) id: u64,
    pub(crate) tool_id: u64,
    pub(crate) note: String,
    /// As it was sent: `2` does not come back as `2.0`.
    pub(crate) hours: Number,
    pub(crate) urgency: String,
    /// Deleted, yet still on the shelf. Only a planted fault leaves such repairs behind.
    #[serde(skip)]
    pub(crate) struck_off: bool,
}

#[derive(Debug, Clone, Serialize)]
pub(crate) struct Member {
    pub(crate) id: String,
    pub(crate) name: String,
    pub(crate) email: String,
    pub(crate) tier: String,
    pub(crate) wishes: Vec<String>,
}

#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Loan {
    pub(crate) id: u64,
    pub(crate) member_id: String,
    pub(crate) tool_id: u64,
    pub(crate) days: u64,
    pub(crate) fee: u64,
    pub(crate) state: LoanState,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum LoanState {
    Out,
    Returned,
}

/// Things by number.
#[derive(Debug)]
pub(crate) struct Shelf<T> {
    things: BTreeMap<u64, T>,
    last: u64,
}

impl<T> Default for Shelf<T> {
    fn default() -> Self {
        Self {
            things: BTreeMap::new(),
            last: 0,
        }
    }
}

impl<T> Shelf<T> {
    pub(crate) fn add(&mut self, make: impl FnOnce(u64) -> T) -> &T {
        if self.is_full() {
            self.things.pop_first();
        }
        self.last += 1;
        let thing = make(self.last);
        self.things.entry(self.last).or_insert(thing)
    }

    /// The next thing to come will push the oldest out.
    pub(crate) fn is_full(&self) -> bool {
        self.things.len() >= SHELF_SIZE
    }

    pub(crate) fn get(&self, number: u64) -> Option<&T> {
        self.things.get(&number)
    }

    pub(crate) fn get_mut(&mut self, number: u64) -> Option<&mut T> {
        self.things.get_mut(&number)
    }

    pub(crate) fn remove(&mut self, number: u64) -> Option<T> {
        self.things.remove(&number)
    }

    pub(crate) fn keep(&mut self, wanted: impl Fn(&T) -> bool) {
        self.things.retain(|_, thing| wanted(thing));
    }

    pub(crate) fn all(&self) -> impl DoubleEndedIterator<Item = &T> {
        self.things.values()
    }

    /// Whether a number was ever given out, gone or not.
    pub(crate) fn has_given(&self, number: u64) -> bool {
        (1..=self.last).contains(&number)
    }
}

pub(crate) fn whole_number<'de, D: Deserializer<'de>>(input: D) -> Result<u64, D::Error> {
    let value = Value::deserialize(input)?;
    whole(&value).ok_or_else(|| serde::de::Error::custom("not a whole number"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_full_shelf_drops_its_oldest_thing() {
        let mut shelf = Shelf::default();
        for _ in 0..=SHELF_SIZE {
            shelf.add(|number| number);
        }
        assert_eq!(shelf.get(1), None);
        assert_eq!(shelf.all().count(), SHELF_SIZE);
        assert!(shelf.has_given(1));
    }

    #[test]
    fn numbers_are_never_given_twice() {
        let mut shelf = Shelf::default();
        shelf.add(|number| number);
        shelf.remove(1);
        assert_eq!(*shelf.add(|number| number), 2);
        assert!(!shelf.has_given(3));
    }
}
