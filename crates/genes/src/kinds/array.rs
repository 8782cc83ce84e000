//! Lists.

use fossick_contract::{ArrayShape, ShapeId};
use serde_json::Value;

use crate::craft::{Craft, DEPTH};
use crate::depth::NEVER;
use crate::dice;
use crate::fits::same;
use crate::gene::Gene;
use crate::maker::Manner;
use crate::names::Named;

/// However many items a schema asks for, no more are made: memory is not the document's to give.
const MOST: usize = 2000;

/// A likely list has an item even this deep: services that ask for a list seldom mean none.
const ITEM_DEPTH: usize = 9;

/// The shape of the item at a position, if there may be one.
pub(crate) fn item_shape(array: &ArrayShape, at: usize) -> Option<ShapeId> {
    array.prefix.get(at).copied().or(array.items)
}

/// The most items that the shape has room for.
pub(crate) fn room(array: &ArrayShape) -> usize {
    let room = array.max_items.unwrap_or(usize::MAX);
    if array.items.is_none() {
        room.min(array.prefix.len())
    } else {
        room
    }
}

pub(crate) fn is_unique(items: &[Gene]) -> bool {
    let values: Vec<Value> = items.iter().map(Gene::value).collect();
    (1..values.len()).all(|at| !values[..at].iter().any(|other| same(other, &values[at])))
}

impl Craft<'_> {
    pub(crate) fn sample_array(&mut self, named: Named, array: &ArrayShape, depth: usize) -> Gene {
        let wanted = self.item_count(array, depth);
        let mut items = Vec::with_capacity(wanted.min(8));
        for at in 0..wanted {
            let Some(id) = item_shape(array, at) else {
                break;
            };
            let needed = at < array.min_items;
            let new = |craft: &mut Self| craft.new_item(named, id, &items, array.unique, depth);
            let item = if needed {
                new(self)
            } else {
                self.attempt(new).flatten()
            };
            match item {
                Some(item) => items.push(item),
                None => break,
            }
        }
        Gene::Array(items)
    }

    fn item_count(&mut self, array: &ArrayShape, depth: usize) -> usize {
        let min = array.min_items.min(MOST);
        let room = room(array).min(MOST);
        let endless = item_shape(array, 0).is_none_or(|id| self.recipes.depth(id) == NEVER);
        let deepest = match self.manner {
            Manner::Varied => DEPTH,
            Manner::Plausible | Manner::Full => ITEM_DEPTH,
        };
        if depth >= deepest || self.budget == 0 || endless {
            return min;
        }
        match self.manner {
            Manner::Plausible | Manner::Full => min.max(1).min(room.max(min)),
            Manner::Varied => dice::size(self.rng, min, room.min(min.max(3)).max(min)),
        }
    }

    /// An item that may join the others; none if no different one can be found.
    pub(crate) fn new_item(
        &mut self,
        named: Named,
        id: ShapeId,
        others: &[Gene],
        unique: bool,
        depth: usize,
    ) -> Option<Gene> {
        const TRIES: usize = 12;
        if !unique || others.is_empty() {
            return Some(self.sample(named, id, depth + 1));
        }
        let taken: Vec<Value> = others.iter().map(Gene::value).collect();
        let manner = self.manner;
        for attempt in 0..TRIES {
            if attempt > 0 {
                self.manner = Manner::Varied;
            }
            let item = self.sample(named, id, depth + 1);
            self.manner = manner;
            let value = item.value();
            if !taken.iter().any(|other| same(other, &value)) {
                return Some(item);
            }
        }
        self.enumerated_item(id, &taken)
    }

    /// A small domain may be nearly used up: look at its members one by one.
    fn enumerated_item(&mut self, id: ShapeId, taken: &[Value]) -> Option<Gene> {
        crate::landmarks::landmarks(self.api, id, "")
            .into_iter()
            .find(|landmark| !taken.iter().any(|other| same(other, &landmark.value)))
            .map(|landmark| Gene::scalar(&landmark.value, landmark.source))
    }
}
