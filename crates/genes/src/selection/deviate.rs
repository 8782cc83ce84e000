//! Selections that differ from a given one in a single place.

use fossick_contract::Field;

use super::adopt::finish;
use super::taste::is_leaf;
use super::{Chosen, Selection};
use crate::maker::Maker;

/// No more than these are given for one selection.
const MOST: usize = 200;

impl Selection {
    /// With one field less, at every place where another one is left.
    pub fn thinner(&self) -> Vec<Self> {
        self.changed(&mut |selection| {
            let fewer = |at: usize| {
                let mut fewer = selection.clone();
                fewer.fields.remove(at);
                fewer
            };
            match selection.fields.len() {
                0 | 1 => Vec::new(),
                all => (0..all).map(fewer).collect(),
            }
        })
    }

    /// With nothing asked for of one thing below: GraphQL forbids it.
    pub fn hollow(&self) -> Vec<Self> {
        self.changed(&mut |selection| {
            let nested = selection.fields.iter().enumerate();
            let nested = nested.filter(|(_, chosen)| chosen.inner.is_some());
            let emptied = nested.map(|(at, _)| {
                let mut hollow = selection.clone();
                hollow.fields[at].inner = None;
                hollow
            });
            emptied.collect()
        })
    }

    /// The selection with each change that `change` knows, of itself and of everything below.
    fn changed(&self, change: &mut dyn FnMut(&Self) -> Vec<Self>) -> Vec<Self> {
        let mut all = change(self);
        for (at, chosen) in self.fields.iter().enumerate() {
            let below = chosen.inner.as_ref().map(|inner| inner.changed(change));
            for inner in below.into_iter().flatten() {
                let mut whole = self.clone();
                whole.fields[at].inner = Some(inner);
                all.push(whole);
            }
        }
        for (at, part) in self.parts.iter().enumerate() {
            for part in part.changed(change) {
                let mut whole = self.clone();
                whole.parts[at] = part;
                all.push(whole);
            }
        }
        all.truncate(MOST);
        all
    }
}

impl Maker<'_> {
    /// With one field more that can simply be asked for.
    pub fn wider(&mut self, selection: &Selection) -> Vec<Selection> {
        let types = &self.api.types;
        let mut wider = selection.changed(&mut |selection| {
            let asked = |at: usize| selection.fields.iter().any(|c| c.field as usize == at);
            let fields = types.fields(selection.on).iter().enumerate();
            let absent = fields.filter(|(at, field)| !asked(*at) && !field.needs_arguments());
            let more = absent.filter_map(|(at, field)| {
                let chosen = self.simply(at, field)?;
                let mut more = selection.clone();
                let place = more.fields.partition_point(|c| (c.field as usize) < at);
                more.fields.insert(place, chosen);
                Some(more)
            });
            more.collect()
        });
        for selection in &mut wider {
            finish(types, selection);
        }
        wider
    }

    fn simply(&mut self, at: usize, field: &Field) -> Option<Chosen> {
        let inner = if is_leaf(&self.api.types, field) {
            None
        } else {
            Some(self.select_least(&field.returns)?)
        };
        Some(Chosen {
            field: at as u32,
            alias: None,
            arguments: Vec::new(),
            inner,
        })
    }
}
