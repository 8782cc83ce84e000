//! A quick hash for small keys of our own: nobody outside chooses them, so nobody can make them
//! collide on purpose, and there are thousands to look up for every test.

use std::hash::{BuildHasherDefault, Hasher};

#[derive(Debug, Default, Clone, Copy)]
pub struct Quick(u64);

pub type QuickBuilder = BuildHasherDefault<Quick>;

const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;

impl Quick {
    fn mix(&mut self, word: u64) {
        self.0 = (self.0.rotate_left(5) ^ word).wrapping_mul(FACTOR);
    }
}

impl Hasher for Quick {
    fn write(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(8) {
            let word = chunk.iter().fold(0, |word, b| (word << 8) | u64::from(*b));
            self.mix(word);
        }
    }

    fn write_u8(&mut self, word: u8) {
        self.mix(u64::from(word));
    }

    fn write_u16(&mut self, word: u16) {
        self.mix(u64::from(word));
    }

    fn write_u32(&mut self, word: u32) {
        self.mix(u64::from(word));
    }

    fn write_u64(&mut self, word: u64) {
        self.mix(word);
    }

    fn write_isize(&mut self, word: isize) {
        self.mix(word as u64);
    }

    fn finish(&self) -> u64 {
        // Tables look at the highest and the lowest bits; multiplying leaves the lowest poor.
        self.0 ^ (self.0 >> 32)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fossick_contract::OperationIndex;
    use fossick_trace::Target;
    use std::collections::HashSet;
    use std::hash::Hash as _;

    #[test]
    fn targets_hash_apart() {
        let hash = |target: Target| {
            let mut quick = Quick::default();
            target.hash(&mut quick);
            quick.finish()
        };
        let operations = (0..100).map(OperationIndex);
        let all = operations.flat_map(|o| (0..100).map(move |n| hash(Target::Field(o, n))));
        assert_eq!(all.collect::<HashSet<u64>>().len(), 10_000);
    }
}
