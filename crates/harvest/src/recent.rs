//! A memory of bounded size that forgets what was not used for longest.

use std::collections::{BTreeMap, HashMap};
use std::hash::Hash;

#[derive(Debug)]
pub(crate) struct Recent<K, V> {
    held: HashMap<K, (u64, V)>,
    /// When each was last used, so that the oldest is at hand.
    order: BTreeMap<u64, K>,
    clock: u64,
}

impl<K: Hash + Eq + Clone, V> Recent<K, V> {
    pub(crate) fn new() -> Self {
        Self {
            held: HashMap::new(),
            order: BTreeMap::new(),
            clock: 0,
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.held.len()
    }

    pub(crate) fn get(&mut self, key: &K) -> Option<&mut V> {
        let (used, value) = self.held.get_mut(key)?;
        self.order.remove(used);
        self.clock += 1;
        *used = self.clock;
        self.order.insert(self.clock, key.clone());
        Some(value)
    }

    pub(crate) fn put(&mut self, key: K, value: V) -> Option<V> {
        let before = self.remove(&key);
        self.clock += 1;
        self.order.insert(self.clock, key.clone());
        self.held.insert(key, (self.clock, value));
        before
    }

    pub(crate) fn remove(&mut self, key: &K) -> Option<V> {
        let (used, value) = self.held.remove(key)?;
        self.order.remove(&used);
        Some(value)
    }

    pub(crate) fn forget_oldest(&mut self) -> Option<V> {
        let (_, key) = self.order.pop_first()?;
        self.held.remove(&key).map(|(_, value)| value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_not_used_for_longest_goes_first() {
        let mut recent = Recent::new();
        for key in ["a", "b", "c"] {
            recent.put(key, key.len());
        }
        assert!(recent.get(&"a").is_some());
        recent.put("b", 7);
        assert_eq!(recent.forget_oldest(), Some(1));
        assert!(recent.get(&"c").is_none());
        assert_eq!(recent.get(&"b").copied(), Some(7));
        assert_eq!(recent.len(), 2);
        recent.forget_oldest();
        recent.forget_oldest();
        assert_eq!((recent.forget_oldest(), recent.len()), (None, 0));
    }
}
