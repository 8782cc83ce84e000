//! A selection that somebody else wrote, as one of ours.
//!
//! Real operations ask for the same field twice, in fragments of the type itself, of its
//! interfaces, of other interfaces. Here a field stands where its type has it: fragments that
//! always hold are laid in, others become parts of object types. What the schema lacks is refused
//! by its name; a field whose type a cut-off introspection does not tell is passed over.

use fossick_contract::{Field, TypeGraph, TypeId};
use fossick_query::{Asked, Part, Pick};
use fossick_validate::Direction;

use super::keys::settle;
use super::{Chosen, Selection};
use serde_json::Value;

use crate::gene::Gene;
use crate::maker::Maker;
use crate::source::Source;

/// Why a selection is none of this schema.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NotInSchema {
    #[error("{on} has no field {field}")]
    Field { on: String, field: String },
    #[error("there is no type {0}")]
    Type(String),
    #[error("{field} takes no argument {argument}")]
    Argument { field: String, argument: String },
    #[error("{argument} of {field} may not have this value")]
    Value { field: String, argument: String },
    #[error("{field} must be given {argument}")]
    Required { field: String, argument: String },
    #[error("{0} has fields of which some must be asked for")]
    NoSelection(String),
    #[error("{0} has no fields that could be asked for")]
    Selection(String),
    #[error("it is nested too deeply")]
    TooDeep,
}

type Adopted<T> = Result<T, NotInSchema>;

/// Deeper selections are not taken over.
const DEEPEST: usize = 32;

impl Maker<'_> {
    /// What is asked for of a composite type, if the schema has all of it. No variables may be
    /// left.
    pub fn adopt_selection(
        &mut self,
        on: TypeId,
        picks: &[Pick],
        source: Source,
    ) -> Adopted<Selection> {
        let mut adopted = self.adopted(on, picks, source, 0)?;
        finish(&self.api.types, &mut adopted);
        Ok(adopted)
    }

    fn adopted(
        &mut self,
        on: TypeId,
        picks: &[Pick],
        source: Source,
        depth: usize,
    ) -> Adopted<Selection> {
        let types = &self.api.types;
        if depth > DEEPEST {
            return Err(NotInSchema::TooDeep);
        }
        if !types.get(on).is_composite() {
            return Err(NotInSchema::Selection(types.get(on).name.to_string()));
        }
        let mut selection = Selection::bare(types, on);
        for pick in picks {
            match pick {
                Pick::Field(asked) if asked.name == "__typename" => selection.typename = true,
                Pick::Field(asked) if is_cut_off(types, on, &asked.name) => {}
                Pick::Field(asked) => {
                    let chosen = self.chosen(on, asked, source, depth)?;
                    merge_field(&mut selection.fields, chosen);
                }
                Pick::Part(part) => self.part_of(&mut selection, part, source, depth)?,
            }
        }
        Ok(selection)
    }

    fn chosen(
        &mut self,
        on: TypeId,
        asked: &Asked,
        source: Source,
        depth: usize,
    ) -> Adopted<Chosen> {
        let types = &self.api.types;
        let fields = types.fields(on);
        let at = fields.iter().position(|field| *field.name == *asked.name);
        let at = at.ok_or_else(|| NotInSchema::Field {
            on: types.get(on).name.to_string(),
            field: asked.name.clone(),
        })?;
        let arguments = self.adopted_arguments(&fields[at], asked, source)?;
        let returns = fields[at].returns.named;
        let composite = types.get(returns).is_composite();
        match (composite, asked.picks.is_empty()) {
            (true, true) => return Err(NotInSchema::NoSelection(asked.name.clone())),
            (false, false) => return Err(NotInSchema::Selection(asked.name.clone())),
            _ => {}
        }
        let inner = if composite {
            Some(self.adopted(returns, &asked.picks, source, depth + 1)?)
        } else {
            None
        };
        Ok(Chosen {
            field: at as u32,
            alias: asked.alias.clone().filter(|alias| *alias != asked.name),
            arguments,
            inner,
        })
    }

    fn adopted_arguments(
        &mut self,
        field: &Field,
        asked: &Asked,
        source: Source,
    ) -> Adopted<Vec<(u32, Gene)>> {
        let told = |argument: &str| (asked.name.clone(), argument.to_owned());
        let mut arguments = Vec::new();
        for (name, literal) in &asked.arguments {
            let place = field.arguments.iter().position(|a| *a.name == **name);
            let place = place.ok_or_else(|| {
                let (field, argument) = told(name);
                NotInSchema::Argument { field, argument }
            })?;
            let shape = field.arguments[place].shape;
            let valid = |value: &Value| self.validators.is_valid(Direction::Request, shape, value);
            let value = literal.value().filter(valid).ok_or_else(|| {
                let (field, argument) = told(name);
                NotInSchema::Value { field, argument }
            })?;
            arguments.push((place as u32, self.adopt(&value, shape, source)));
        }
        let given = |place: usize| arguments.iter().any(|(at, _)| *at as usize == place);
        let mut declared = field.arguments.iter().enumerate();
        let missing = declared.find(|(place, argument)| argument.required && !given(*place));
        if let Some((_, missing)) = missing {
            let (field, argument) = told(&missing.name);
            return Err(NotInSchema::Required { field, argument });
        }
        arguments.sort_by_key(|(place, _)| *place);
        Ok(arguments)
    }

    /// Lays a part in where it always holds; else it is a part of each object type it means.
    fn part_of(
        &mut self,
        selection: &mut Selection,
        part: &Part,
        source: Source,
        depth: usize,
    ) -> Adopted<()> {
        const MOST: usize = 40;
        let types = &self.api.types;
        let on = match &part.on {
            Some(name) => {
                let found = types.find(name);
                found.ok_or_else(|| NotInSchema::Type(name.clone()))?
            }
            None => selection.on,
        };
        let here = types.possible(selection.on);
        let always = on == selection.on || here.iter().all(|id| types.possible(on).contains(id));
        if always && has_all(types, selection.on, &part.picks) {
            let inner = self.adopted(selection.on, &part.picks, source, depth + 1)?;
            merge(selection, inner);
            return Ok(());
        }
        let meant = types.possible(on).iter().filter(|id| here.contains(id));
        for id in meant.take(MOST) {
            let mut inner = self.adopted(*id, &part.picks, source, depth + 1)?;
            // A part says no type of its own: the whole selection does.
            selection.typename |= inner.typename;
            inner.typename = false;
            match selection.parts.iter_mut().find(|known| known.on == *id) {
                Some(known) => merge(known, inner),
                None => selection.parts.push(inner),
            }
        }
        Ok(())
    }
}

fn is_cut_off(types: &TypeGraph, on: TypeId, field: &str) -> bool {
    let mut cut = types.cut_off.iter();
    cut.any(|cut| cut.on == on && *cut.field == *field)
}

/// Whether a type itself has every field that is asked for directly.
fn has_all(types: &TypeGraph, on: TypeId, picks: &[Pick]) -> bool {
    picks.iter().all(|pick| match pick {
        Pick::Field(asked) => {
            let name = asked.name.as_str();
            name == "__typename" || types.field(on, name).is_some() || is_cut_off(types, on, name)
        }
        Pick::Part(_) => true,
    })
}

fn merge(selection: &mut Selection, other: Selection) {
    selection.typename |= other.typename;
    for chosen in other.fields {
        merge_field(&mut selection.fields, chosen);
    }
    for part in other.parts {
        match selection.parts.iter_mut().find(|known| known.on == part.on) {
            Some(known) => merge(known, part),
            None => selection.parts.push(part),
        }
    }
}

/// What is asked for twice under one key is asked for once.
fn merge_field(fields: &mut Vec<Chosen>, new: Chosen) {
    let same = |known: &&mut Chosen| known.field == new.field && known.alias == new.alias;
    match fields.iter_mut().find(same) {
        Some(known) => {
            if let (Some(inner), Some(more)) = (&mut known.inner, new.inner) {
                merge(inner, more);
            }
        }
        None => fields.push(new),
    }
}

/// Brings a selection into our order and gives keys of their own to what would clash.
pub(super) fn finish(types: &TypeGraph, selection: &mut Selection) {
    selection.fields.sort_by_key(|chosen| chosen.field);
    let own = selection.fields.iter_mut();
    for inner in own.filter_map(|chosen| chosen.inner.as_mut()) {
        finish(types, inner);
    }
    selection.parts.sort_by_key(|part| part.on);
    for part in &mut selection.parts {
        finish(types, part);
        part.typename = false;
    }
    selection.repair();
    settle(types, selection, None);
}

impl Selection {
    /// Visits the values that nested fields are given, with the names of their arguments.
    pub fn arguments(&self, types: &TypeGraph, seen: &mut dyn FnMut(&str, &Gene)) {
        let fields = types.fields(self.on);
        for chosen in &self.fields {
            let declared = fields.get(chosen.field as usize);
            for (at, gene) in &chosen.arguments {
                if let Some(argument) = declared.and_then(|field| field.arguments.get(*at as usize))
                {
                    seen(&argument.name, gene);
                }
            }
            if let Some(inner) = &chosen.inner {
                inner.arguments(types, seen);
            }
        }
        for part in &self.parts {
            part.arguments(types, seen);
        }
    }
}
