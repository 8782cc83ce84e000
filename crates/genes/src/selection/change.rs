//! Changing: one small step from a selection to another.
//!
//! Every choice of k flips with probability 1/k, and one is drawn that flips for sure: whether a
//! field is asked for, whether a part is there, what an argument says. What is never chosen because
//! it leads back to where it came from can be reached in this way, once.

use fossick_contract::{Argument, Field, TypeId};

use super::choose::{Chooser, is_inherited};
use super::keys::settle;
use super::taste::is_leaf;
use super::{Chosen, Selection};
use crate::dice;
use crate::gene::Gene;
use crate::maker::Maker;

/// A selection that is larger than this only shrinks.
const LARGEST: usize = 400;
/// How much a field or part that is new may ask for.
const SHARE: usize = 8;

impl Maker<'_> {
    /// Changes a selection a little. It stays valid; at least one thing changes if any can.
    pub fn reselect(&mut self, selection: &mut Selection) {
        const TRIES: usize = 16;
        for _ in 0..TRIES {
            let mut chooser = Chooser::new(self);
            let of = chooser.choices(selection, None);
            let mut draw = Draw {
                chosen: dice::index(chooser.maker.rng, of),
                of: of as u64,
                next: 0,
                grows: selection.size() < LARGEST,
            };
            if chooser.change(selection, None, &mut draw) {
                return;
            }
        }
    }
}

/// Which choices flip, counted in the order of walking.
struct Draw {
    chosen: usize,
    of: u64,
    next: usize,
    grows: bool,
}

impl Draw {
    fn hits(&mut self, chooser: &mut Chooser<'_, '_>) -> bool {
        let hit = self.next == self.chosen || dice::one_in(chooser.maker.rng, self.of);
        self.next += 1;
        hit
    }
}

impl<'a> Chooser<'_, 'a> {
    /// How many choices there are. A part is never asked for its type's name.
    fn choices(&self, selection: &Selection, base: Option<TypeId>) -> usize {
        let fields = self.types.fields(selection.on);
        let below = selection.fields.iter().map(|chosen| {
            let field = fields.get(chosen.field as usize);
            let inner = chosen.inner.as_ref();
            field.map_or(0, |field| field.arguments.len())
                + inner.map_or(0, |inner| self.choices(inner, None))
        });
        let parts = selection.parts.iter();
        let parts = parts.map(|part| self.choices(part, Some(selection.on)));
        let own = fields.iter().filter(|f| !is_inherited(self.types, base, f));
        let possible = self.possible(selection.on).len();
        usize::from(self.may_drop_typename(selection, base))
            + own.count()
            + possible
            + below.sum::<usize>()
            + parts.sum::<usize>()
    }

    fn possible(&self, on: TypeId) -> &'a [TypeId] {
        if self.types.get(on).is_abstract() {
            self.types.possible(on)
        } else {
            &[]
        }
    }

    fn may_drop_typename(&self, selection: &Selection, base: Option<TypeId>) -> bool {
        base.is_none() && !self.types.get(selection.on).is_abstract()
    }

    /// Flips what is drawn; false if nothing changed.
    fn change(&mut self, selection: &mut Selection, base: Option<TypeId>, draw: &mut Draw) -> bool {
        let on = selection.on;
        let before = (selection.typename, places_of(selection));
        let mut changed = false;
        if self.may_drop_typename(selection, base) && draw.hits(self) {
            selection.typename = !selection.typename;
            // Where nothing else is asked for, it comes right back.
            changed = !selection.is_bare();
        }
        let below = |chooser: &mut Self| {
            let fields = chooser.change_fields(selection, base, draw);
            chooser.change_parts(selection, draw) || fields
        };
        changed |= if base.is_some() {
            self.inside_part(on, below)
        } else {
            self.inside(on, below)
        };
        // A field that says something rather than the name of the type alone, which only tells
        // something where there are several types.
        let forced = self.may_drop_typename(selection, base) && selection.is_bare();
        if forced {
            selection.fields.extend(self.any_leaf(on));
        }
        selection.repair();
        // It may have brought back what was just dropped: the name of the type comes or goes then.
        let same = before == (selection.typename, places_of(selection));
        if forced && same && !selection.is_bare() {
            selection.typename = !selection.typename;
        }
        settle(self.types, selection, None);
        changed && (!forced || before != (selection.typename, places_of(selection)))
    }

    fn change_fields(
        &mut self,
        selection: &mut Selection,
        base: Option<TypeId>,
        draw: &mut Draw,
    ) -> bool {
        let mut changed = false;
        let mut kept = Vec::with_capacity(selection.fields.len() + 1);
        let mut old = std::mem::take(&mut selection.fields).into_iter().peekable();
        for (at, field) in self.types.fields(selection.on).iter().enumerate() {
            let at = at as u32;
            let present = old.next_if(|chosen| chosen.field == at);
            if is_inherited(self.types, base, field) {
                continue;
            }
            let hit = draw.hits(self);
            match present {
                Some(_) if hit => changed = true,
                Some(mut chosen) => {
                    changed |= self.change_chosen(&mut chosen, field, draw);
                    kept.push(chosen);
                }
                None if hit && draw.grows => {
                    let new = self.added(at, field);
                    changed |= new.is_some();
                    kept.extend(new);
                }
                None => {}
            }
        }
        selection.fields = kept;
        changed
    }

    fn added(&mut self, at: u32, field: &Field) -> Option<Chosen> {
        if is_leaf(self.types, field) {
            self.leaf(at, field)
        } else {
            self.nested_again(at, field, SHARE)
        }
    }

    fn change_chosen(&mut self, chosen: &mut Chosen, field: &Field, draw: &mut Draw) -> bool {
        let mut changed = false;
        for (at, argument) in field.arguments.iter().enumerate() {
            if draw.hits(self) {
                changed |= self.change_argument(&mut chosen.arguments, at as u32, argument);
            }
        }
        match &mut chosen.inner {
            Some(inner) => self.change(inner, None, draw) || changed,
            None => changed,
        }
    }

    /// Adds an argument, drops one that need not be, or changes what it says.
    fn change_argument(
        &mut self,
        arguments: &mut Vec<(u32, Gene)>,
        at: u32,
        argument: &Argument,
    ) -> bool {
        let slot = match arguments.binary_search_by_key(&at, |(at, _)| *at) {
            Ok(slot) => slot,
            Err(slot) => {
                let new = self.argument(argument);
                let added = new.is_some();
                arguments.splice(slot..slot, new.map(|gene| (at, gene)));
                return added;
            }
        };
        if !argument.required && dice::one_in(self.maker.rng, 3) {
            arguments.remove(slot);
            return true;
        }
        let gene = &mut arguments[slot].1;
        let before = gene.clone();
        self.maker.mutate(gene, &argument.name, argument.shape);
        *gene != before
    }

    fn change_parts(&mut self, selection: &mut Selection, draw: &mut Draw) -> bool {
        let mut changed = false;
        for id in self.possible(selection.on) {
            let hit = draw.hits(self);
            let slot = selection.parts.iter().position(|part| part.on == *id);
            match slot {
                Some(slot) if hit => {
                    selection.parts.remove(slot);
                    changed = true;
                }
                Some(slot) => {
                    let part = &mut selection.parts[slot];
                    changed |= self.change(part, Some(selection.on), draw);
                }
                None if hit && draw.grows => {
                    let new = self.part(selection.on, *id, SHARE);
                    changed |= new.is_some();
                    selection.parts.extend(new);
                }
                None => {}
            }
        }
        changed
    }
}

fn places_of(selection: &Selection) -> Vec<u32> {
    selection.fields.iter().map(|chosen| chosen.field).collect()
}
