//! Making sure that something is asked for: the way to a value that another step needs.

use fossick_contract::{Field, TypeGraph, TypeId};

use super::choose::Chooser;
use super::keys::settle;
use super::taste::is_leaf;
use super::{Chosen, Selection};
use crate::maker::Maker;

/// No way is longer than this.
const LONGEST: usize = 32;
/// How many types are looked at for a way before it counts as not there.
const STEPS: usize = 10_000;
/// How much is asked for of a thing that a way ends at.
const SHARE: usize = 12;

const TYPENAME: &str = "__typename";

impl Selection {
    /// Makes sure that a way of fields below this type is asked for, each under its own name.
    /// Where the type is abstract the way may go through a part. False, and nothing is changed,
    /// if the schema has no such way.
    pub fn require(&mut self, maker: &mut Maker<'_>, path: &[&str]) -> bool {
        let types = &maker.api.types;
        if path.len() > LONGEST || !leads(types, self.on, path, &mut { STEPS }) {
            return false;
        }
        let mut wanted = self.clone();
        let done = wanted.demand(&mut Chooser::new(maker), path);
        if done {
            *self = wanted;
        }
        done
    }

    /// Makes sure that more is asked for of things that are of one of its types. False, and
    /// nothing is changed, if that type has nothing more to tell.
    pub fn require_part(&mut self, maker: &mut Maker<'_>, on: TypeId) -> bool {
        let types = &maker.api.types;
        if !types.possible(self.on).contains(&on) || self.on == on {
            return false;
        }
        if self.parts.iter().any(|part| part.on == on) {
            return true;
        }
        let Some(part) = Chooser::new(maker).part(self.on, on, SHARE) else {
            return false;
        };
        self.parts.push(part);
        self.parts.sort_by_key(|part| part.on);
        settle(types, self, None);
        true
    }

    /// Whether a way of fields below this type is asked for, each under its own name.
    pub fn asks_for(&self, types: &TypeGraph, path: &[&str]) -> bool {
        let Some((name, rest)) = path.split_first() else {
            return true;
        };
        let own = |chosen: &&Chosen| {
            let field = types.fields(self.on).get(chosen.field as usize);
            chosen.alias.is_none() && field.is_some_and(|field| *field.name == **name)
        };
        let here = self.fields.iter().find(own).is_some_and(|chosen| {
            let below = |inner: &Selection| inner.asks_for(types, rest);
            chosen.inner.as_ref().map_or(rest.is_empty(), below)
        });
        let typename = self.typename && *name == TYPENAME && rest.is_empty();
        here || typename || self.parts.iter().any(|part| part.asks_for(types, path))
    }

    fn demand(&mut self, chooser: &mut Chooser<'_, '_>, path: &[&str]) -> bool {
        let Some((name, rest)) = path.split_first() else {
            return true;
        };
        if *name == TYPENAME {
            self.typename = true;
            return rest.is_empty();
        }
        let types = chooser.types;
        if let Some(at) = place(types, self.on, name) {
            let done = self.demand_field(chooser, at, rest);
            settle(types, self, Some((0, at)));
            return done;
        }
        let Some(part) = self.part_for(types, path) else {
            return false;
        };
        let Some(at) = place(types, self.parts[part].on, name) else {
            return false;
        };
        let done = self.parts[part].demand_field(chooser, at, rest);
        settle(types, self, Some((part + 1, at)));
        done
    }

    /// The part that a way can go through: one that is there, or a new one.
    fn part_for(&mut self, types: &TypeGraph, path: &[&str]) -> Option<usize> {
        let leads = |id: TypeId| leads(types, id, path, &mut { STEPS });
        if let Some(part) = self.parts.iter().position(|part| leads(part.on)) {
            return Some(part);
        }
        let possible = types.possible(self.on).iter().copied();
        let on = possible.filter(|id| *id != self.on).find(|id| leads(*id))?;
        self.parts.push(Selection::bare(types, on));
        Some(self.parts.len() - 1)
    }

    fn demand_field(&mut self, chooser: &mut Chooser<'_, '_>, at: u32, rest: &[&str]) -> bool {
        let types = chooser.types;
        let Some(field) = types.fields(self.on).get(at as usize) else {
            return false;
        };
        let slot = match self.fields.binary_search_by_key(&at, |chosen| chosen.field) {
            Ok(slot) => slot,
            Err(slot) => {
                let Some(chosen) = demanded(chooser, at, field, rest) else {
                    return false;
                };
                self.fields.insert(slot, chosen);
                slot
            }
        };
        match &mut self.fields[slot].inner {
            Some(inner) => inner.demand(chooser, rest),
            None => rest.is_empty(),
        }
    }
}

/// A field that was not asked for yet: with nothing below but the way, or with a little of what
/// is there where the way ends.
fn demanded(
    chooser: &mut Chooser<'_, '_>,
    at: u32,
    field: &Field,
    rest: &[&str],
) -> Option<Chosen> {
    let on = field.returns.named;
    let inner = if is_leaf(chooser.types, field) {
        None
    } else if rest.is_empty() {
        Some(chooser.selection(on, SHARE))
    } else {
        Some(Selection::bare(chooser.types, on))
    };
    Some(Chosen {
        field: at,
        alias: None,
        arguments: chooser.required(field)?,
        inner,
    })
}

fn place(types: &TypeGraph, on: TypeId, name: &str) -> Option<u32> {
    let fields = types.fields(on).iter();
    let at = fields.enumerate().find(|(_, field)| &*field.name == name)?;
    Some(at.0 as u32)
}

/// Whether the schema has such a way. Types that lead to each other could be tried without end.
fn leads(types: &TypeGraph, on: TypeId, path: &[&str], steps: &mut usize) -> bool {
    let Some((name, rest)) = path.split_first() else {
        return true;
    };
    *steps = steps.saturating_sub(1);
    if *steps == 0 {
        return false;
    }
    let kind = types.get(on);
    if *name == TYPENAME {
        return rest.is_empty() && kind.is_composite();
    }
    if let Some(field) = types.field(on, name) {
        return leads(types, field.returns.named, rest, steps);
    }
    let mut possible = types.possible(on).iter();
    kind.is_abstract()
        && possible.any(|id| types.field(*id, name).is_some() && leads(types, *id, path, steps))
}
