//! What the service has: one table for each class, in memory.
//!
//! A full table drops the item that was saved longest ago, so that a long run does not eat the
//! machine and a list stays short. What belongs together goes together: an owner takes along what
//! it owns, and what is owned leaves its place at the owner empty.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use serde_json::Value;

use crate::model::Paths;
use crate::program::{Class, Program};

/// Items of one class.
pub(crate) const TABLE_SIZE: usize = 1000;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Item {
    pub(crate) name: String,
    pub(crate) value: i32,
    /// Ids of what it depends on.
    pub(crate) needs: Vec<i32>,
    pub(crate) owner: Option<i32>,
    /// Ids of what it owns, one for each class.
    pub(crate) owned: Vec<Option<i32>>,
    saved: u64,
}

impl Item {
    pub(crate) fn of(class: &Class) -> Self {
        Self {
            name: String::new(),
            value: 0,
            needs: vec![0; class.needs.len()],
            owner: None,
            owned: vec![None; class.owns.len()],
            saved: 0,
        }
    }
}

#[derive(Debug, Default)]
struct Table {
    items: BTreeMap<i32, Item>,
    /// Ids by the time of saving.
    order: BTreeMap<u64, i32>,
}

#[derive(Debug)]
pub(crate) struct Store {
    tables: Vec<Table>,
    clock: u64,
}

impl Store {
    pub(crate) fn of(program: &Program) -> Self {
        Self {
            tables: program.classes.iter().map(|_| Table::default()).collect(),
            clock: 0,
        }
    }

    pub(crate) fn clear(&mut self) {
        for table in &mut self.tables {
            *table = Table::default();
        }
    }

    pub(crate) fn get(&self, class: usize, id: i32) -> Option<&Item> {
        self.tables[class].items.get(&id)
    }

    pub(crate) fn get_mut(&mut self, class: usize, id: i32) -> Option<&mut Item> {
        self.tables[class].items.get_mut(&id)
    }

    pub(crate) fn all(&self, class: usize) -> impl Iterator<Item = (i32, &Item)> {
        self.tables[class].items.iter().map(|(id, it)| (*id, it))
    }

    /// The id that is nearest to one, which may be itself.
    pub(crate) fn nearest(&self, class: usize, id: i32) -> Option<i32> {
        let items = &self.tables[class].items;
        let below = items.range(..=id).next_back().map(|(id, _)| *id);
        let above = items.range(id..).next().map(|(id, _)| *id);
        let found = below.into_iter().chain(above);
        found.min_by_key(|other| id.abs_diff(*other))
    }

    /// Puts an item in, in place of one that is there.
    pub(crate) fn put(&mut self, classes: &[Class], class: usize, id: i32, mut item: Item) {
        self.clock += 1;
        item.saved = self.clock;
        let table = &mut self.tables[class];
        table.order.insert(self.clock, id);
        if let Some(before) = table.items.insert(id, item) {
            table.order.remove(&before.saved);
        }
        if table.items.len() > TABLE_SIZE {
            let oldest = table.order.values().next().copied();
            oldest.map(|oldest| self.remove(classes, class, oldest));
        }
    }

    /// Takes an item out, and what it owns with it.
    pub(crate) fn remove(&mut self, classes: &[Class], class: usize, id: i32) -> Option<Item> {
        let item = self.take(class, id)?;
        for (owned, id) in classes[class].owns.iter().zip(&item.owned) {
            id.and_then(|id| self.take(*owned, id));
        }
        if let (Some(owner), Some(id)) = (classes[class].owner, item.owner)
            && let Some(holder) = self.get_mut(owner.class, id)
        {
            holder.owned[owner.slot] = None;
        }
        Some(item)
    }

    fn take(&mut self, class: usize, id: i32) -> Option<Item> {
        let table = &mut self.tables[class];
        let item = table.items.remove(&id)?;
        table.order.remove(&item.saved);
        Some(item)
    }

    /// An item as JSON. By hand, since nearly everything in it is a number and lists are long.
    pub(crate) fn show(
        &self,
        program: &Program,
        class: usize,
        id: i32,
        item: &Item,
        out: &mut String,
    ) {
        let classes = &program.classes;
        let here = &classes[class];
        let name = Value::from(item.name.as_str());
        let value = item.value;
        put(
            out,
            format_args!("{{\"id\":{id},\"name\":{name},\"value\":{value}"),
        );
        if program.paths == Paths::Hidden {
            let owner = here.owner.map(|owner| owner.class).zip(item.owner);
            let needs = here.needs.iter().map(|need| need.class);
            for (other, id) in needs.zip(item.needs.iter().copied()).chain(owner) {
                put(out, format_args!(",\"{}\":{id}", classes[other].reference));
            }
        }
        for (owned, id) in here.owns.iter().zip(&item.owned) {
            if let Some((id, it)) = id.and_then(|id| Some((id, self.get(*owned, id)?))) {
                let (field, value) = (&classes[*owned].field, it.value);
                put(
                    out,
                    format_args!(",\"{field}\":{{\"id\":{id},\"value\":{value}}}"),
                );
            }
        }
        out.push('}');
    }
}

fn put(out: &mut String, text: std::fmt::Arguments<'_>) {
    out.write_fmt(text).expect("a string takes any text");
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Model;

    fn dense() -> Program {
        let model = Model::named("dense-central-property-hidden").expect("one of the twelve");
        Program::of(&model).expect("it is consistent")
    }

    #[test]
    fn the_nearest_id_is_found_on_either_side() {
        let program = dense();
        let mut store = Store::of(&program);
        assert_eq!(store.nearest(3, 5), None);
        for id in [i32::MIN, 2, 10, i32::MAX] {
            store.put(&program.classes, 3, id, Item::of(&program.classes[3]));
        }
        for (id, nearest) in [(2, 2), (5, 2), (7, 10), (-9, 2), (i32::MAX - 1, i32::MAX)] {
            assert_eq!(store.nearest(3, id), Some(nearest), "{id}");
        }
    }

    #[test]
    fn a_full_table_drops_what_was_saved_longest_ago() {
        let program = dense();
        let mut store = Store::of(&program);
        let item = Item::of(&program.classes[3]);
        for id in (0..=TABLE_SIZE as i32).rev() {
            store.put(&program.classes, 3, id, item.clone());
        }
        assert_eq!(store.get(3, TABLE_SIZE as i32), None);
        assert_eq!(store.all(3).count(), TABLE_SIZE);
        assert_eq!(store.tables[3].order.len(), TABLE_SIZE);
        store.put(&program.classes, 3, 999, item.clone());
        store.put(&program.classes, 3, -1, item);
        assert!(store.get(3, 999).is_some());
        assert_eq!(store.get(3, 998), None);
    }

    #[test]
    fn an_owner_takes_along_what_it_owns() {
        let program = dense();
        let classes = &program.classes;
        let mut store = Store::of(&program);
        let mut owned = Item::of(&classes[1]);
        owned.owner = Some(7);
        let mut owner = Item::of(&classes[0]);
        owner.owned[0] = Some(1);
        store.put(classes, 1, 1, owned);
        store.put(classes, 0, 7, owner);
        store.remove(classes, 0, 7);
        assert_eq!(store.get(1, 1), None);
    }
}
