//! References by natural names: `project: String!`, `featureName: String!`.
//!
//! Nothing in the type says that such a text must be the key of something; only names do. So it
//! takes more to believe it than for an identifier: the field must be there, the thing must be one
//! that can be made, and its key of a sort that fits. What is only guessed is less sure, and fades
//! where it does not help.

use fossick_contract::{Kind, Shape, TypeId};

use super::arguments::{Slot, is_formatted, sort_of};
use super::columns::Column;
use super::names::Sort;
use super::needs::{Aim, Asker, Wanted};
use super::things::{Keys, Target};
use super::trail::{Trail, core_of};
use crate::Words;

/// A field of the thing itself says where the column leads.
const LED: f64 = 0.95;
/// Names alone say it.
const NAMED: f64 = 0.6;

impl Asker<'_> {
    /// The need of a field that is no identifier by its looks.
    pub(crate) fn natural(&self, slot: &Slot<'_>) -> Option<Wanted> {
        if slot.lists > 0 {
            return None;
        }
        let shape = self.api.shape(slot.shape);
        let mut columns = self.columns.iter();
        let column = columns.find(|column| column.is_called(slot.name));
        if column.is_none() && !is_plain(shape) {
            return None;
        }
        let sort = sort_of(self.api, shape)?;
        let (name, trail) = slot.room.trail.named(&Words::of(slot.name))?;
        let led = column.and_then(|column| self.led(*column, &name, sort));
        let aim = match () {
            () if !is_plain(shape) => led,
            () if slot.required_here => led.or_else(|| self.named(&name, &trail, sort)),
            // What may be left out is believed only where its name says both the type and the key.
            () => led.or_else(|| self.taken_from(&name, &trail, sort)),
        };
        Some(Wanted::at(slot, aim?, sort, true))
    }

    /// Where the schema itself says to what a column refers.
    fn led(&self, column: Column<'_>, name: &Words, sort: Sort) -> Option<Aim> {
        if self.is_mutual(column) {
            return None;
        }
        let none = Keys::default();
        let keys = self.things.keys(column.on).unwrap_or(&none);
        let target = self.target(column.on);
        let key = if column.shared {
            keys.same(&target, name, sort)
        } else {
            keys.meant(&target, name, sort)
        };
        Some(aim_at(column.on, key?, name, LED))
    }

    /// Two things that share a key lead to each other, and neither tells which is first.
    fn is_mutual(&self, column: Column<'_>) -> bool {
        let types = self.names.types;
        let back = super::columns::columns(types, column.on);
        let returns =
            |other: &Column<'_>| Some(other.on) == self.subject && other.is_called(column.name);
        let has = || {
            types
                .fields(column.on)
                .iter()
                .any(|f| column.is_called(&f.name))
        };
        Some(column.on) == self.subject || (back.iter().any(returns) && has())
    }

    /// By the name of a type, of a type and its field, or of a key that only one type has.
    fn named(&self, name: &Words, trail: &Trail, sort: Sort) -> Option<Aim> {
        if let Some(on) = self.type_meant(name) {
            return self.key_of(on, name, trail, sort);
        }
        self.taken_from(name, trail, sort).or_else(|| {
            let on = self.things.known_by(name)?;
            self.field_of(on, name, name, trail, sort)
        })
    }

    /// By the name of a type and its field: `ingredientCode` is the `code` of an ingredient.
    fn taken_from(&self, name: &Words, trail: &Trail, sort: Sort) -> Option<Aim> {
        (1..name.0.len()).rev().find_map(|at| {
            let (owner, key) = name.0.split_at_checked(at)?;
            let on = self.names.type_called(&Words(owner.to_vec()))?;
            self.field_of(on, &Words(key.to_vec()), name, trail, sort)
        })
    }

    /// What goes by the very name: in the thing at hand, anywhere, or as a part of the thing's
    /// name: the `type` of a `Tag` is a `TagType`.
    fn type_meant(&self, name: &Words) -> Option<TypeId> {
        let held = self.subject.and_then(|on| self.names.held(on, name));
        let called = || self.names.type_called(name);
        let qualified = || {
            let owner = self.names.words(self.subject?);
            self.names.type_called(&name.qualified_by(owner))
        };
        let made = |on: &TypeId| self.things.is_made(*on);
        let found = held.filter(made).or_else(|| called().filter(made));
        found.or_else(|| qualified().filter(made))
    }

    fn key_of(&self, on: TypeId, name: &Words, trail: &Trail, sort: Sort) -> Option<Aim> {
        if self.is_own(on, trail) {
            return None;
        }
        let key =
            self.things
                .keys(on)
                .unwrap_or(&Keys::default())
                .meant(&self.target(on), name, sort)?;
        Some(aim_at(on, key, name, NAMED))
    }

    fn field_of(
        &self,
        on: TypeId,
        key: &Words,
        name: &Words,
        trail: &Trail,
        sort: Sort,
    ) -> Option<Aim> {
        let known = self.things.keys(on);
        let unique = known.is_some_and(|keys| keys.tells_apart(key));
        if !unique || !self.things.is_made(on) || self.is_own(on, trail) {
            return None;
        }
        let fits = self.target(on).gives(key, sort);
        fits.then(|| aim_at(on, key.clone(), name, NAMED))
    }

    /// Whoever makes or changes a thing says itself what the thing is called.
    fn is_own(&self, on: TypeId, trail: &Trail) -> bool {
        let held = |holder: &Words| core_of(holder) == *self.names.words(on);
        let holder = trail.holder().filter(|holder| held(holder));
        self.subject == Some(on) || holder.is_some()
    }

    fn target(&self, on: TypeId) -> Target<'_> {
        Target {
            words: self.names.words(on),
            leaves: self.names.leaves(on),
        }
    }
}

fn aim_at(on: TypeId, key: Words, name: &Words, sure: f64) -> Aim {
    Aim {
        words: name.clone(),
        thing: Some(on),
        key,
        sure,
    }
}

/// Texts and whole numbers that nothing more is said of.
fn is_plain(shape: &Shape) -> bool {
    matches!(shape.kind, Kind::String(_) | Kind::Integer(_)) && !is_formatted(shape)
}
