//! Keys of an answer: no two fields of a selection may claim one and mean different things.
//!
//! GraphQL merges what is asked for twice under one key and refuses what cannot be merged. We
//! never let anything merge but plain scalars of one and the same type in two parts: everything
//! else gets a key of its own.

use std::collections::HashMap;

use fossick_contract::{Returned, TypeGraph, TypeId};

use super::{Chosen, Selection};

/// A field by its part, counted from one, or zero for the base.
pub(super) type Favoured = (usize, u32);

/// Gives another key to every field that would clash with one before it. The favoured field comes
/// before all others and keeps its own name.
pub(super) fn settle(types: &TypeGraph, selection: &mut Selection, favoured: Option<Favoured>) {
    let aliased = |chosen: &Chosen| chosen.alias.is_some();
    if selection.parts.is_empty() && !selection.fields.iter().any(aliased) {
        return;
    }
    let mut keys = Keys {
        types,
        taken: HashMap::new(),
    };
    if let Some((part, field)) = favoured {
        let (on, fields) = at(selection, part);
        if let Some(chosen) = fields.iter_mut().find(|chosen| chosen.field == field) {
            chosen.alias = None;
            keys.claim(part, on, chosen);
        }
    }
    for part in 0..=selection.parts.len() {
        let (on, fields) = at(selection, part);
        for chosen in fields {
            if favoured != Some((part, chosen.field)) {
                keys.claim(part, on, chosen);
            }
        }
    }
}

fn at(selection: &mut Selection, part: usize) -> (TypeId, &mut [Chosen]) {
    match part
        .checked_sub(1)
        .and_then(|at| selection.parts.get_mut(at))
    {
        Some(part) => (part.on, &mut part.fields),
        None => (selection.on, &mut selection.fields),
    }
}

struct Keys<'a> {
    types: &'a TypeGraph,
    taken: HashMap<String, Vec<Claim<'a>>>,
}

/// Who has a key.
#[derive(Clone, Copy)]
struct Claim<'a> {
    part: usize,
    /// Set where others may have the key too, if they return the same.
    plain: Option<&'a Returned>,
}

impl<'a> Keys<'a> {
    fn claim(&mut self, part: usize, on: TypeId, chosen: &mut Chosen) {
        let Some(field) = self.types.fields(on).get(chosen.field as usize) else {
            return;
        };
        let plain = chosen.inner.is_none() && chosen.arguments.is_empty();
        let claim = Claim {
            part,
            plain: plain.then_some(&field.returns),
        };
        let mut key = chosen.alias.as_deref().unwrap_or(&field.name).to_owned();
        if !self.is_free(&key, claim) {
            key = self.other(&field.name, &self.types.get(on).name, claim);
            chosen.alias = Some(key.clone());
        }
        self.taken.entry(key).or_default().push(claim);
    }

    fn is_free(&self, key: &str, claim: Claim<'a>) -> bool {
        let mut others = self.taken.get(key).into_iter().flatten();
        others.all(|other| {
            let parts = other.part > 0 && claim.part > 0 && other.part != claim.part;
            parts && other.plain.is_some() && other.plain == claim.plain
        })
    }

    fn other(&self, field: &str, on: &str, claim: Claim<'a>) -> String {
        let named = format!("{field}_{on}");
        let mut numbered = (2_u32..).map(|at| format!("{named}_{at}"));
        if self.is_free(&named, claim) {
            return named;
        }
        numbered
            .find(|key| self.is_free(key, claim))
            .unwrap_or(named)
    }
}
