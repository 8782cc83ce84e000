//! What the numbers of a process mean: the descriptors that a probe has told so far.

use std::collections::BTreeMap;

use crate::message::{Descriptor, Register};

/// More targets than this are not kept: a probe that tells them has lost its way.
pub const LARGEST_CATALOGUE: usize = 1 << 22;

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Catalogue {
    descriptors: BTreeMap<u32, Descriptor>,
}

impl Catalogue {
    /// Takes in what was told; of a number that is told twice, the later meaning holds. False if
    /// there was no more room.
    pub fn add(&mut self, register: Register) -> bool {
        if self.len().saturating_add(register.descriptors.len()) > LARGEST_CATALOGUE {
            return false;
        }
        let ids = register.first_id..=u32::MAX;
        self.descriptors.extend(ids.zip(register.descriptors));
        true
    }

    pub fn get(&self, id: u32) -> Option<&Descriptor> {
        self.descriptors.get(&id)
    }

    /// The name of a target that is the same in every process of the service.
    pub fn key(&self, id: u32) -> Option<String> {
        self.get(id).map(Descriptor::key)
    }

    /// All targets, by number.
    pub fn all(&self) -> impl Iterator<Item = (u32, &Descriptor)> {
        self.descriptors.iter().map(|(id, it)| (*id, it))
    }

    pub fn len(&self) -> usize {
        self.descriptors.len()
    }

    pub fn is_empty(&self) -> bool {
        self.descriptors.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::message::Kind;

    fn lines(first_id: u32, lines: std::ops::Range<u32>) -> Register {
        let descriptor = |line| Descriptor {
            file: "app.py".into(),
            line,
            kind: Kind::Line,
            ordinal: 0,
            label: String::new(),
        };
        Register {
            first_id,
            descriptors: lines.map(descriptor).collect(),
        }
    }

    #[test]
    fn numbers_go_on_from_the_first() {
        let mut catalogue = Catalogue::default();
        assert!(catalogue.add(lines(10, 1..4)));
        assert!(catalogue.add(lines(u32::MAX, 9..10)));
        assert_eq!(catalogue.key(12).as_deref(), Some("app.py:3:line:0"));
        assert_eq!(catalogue.get(13), None);
        assert_eq!(catalogue.len(), 4);
    }
}
