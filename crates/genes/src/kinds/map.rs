//! Objects whose keys are free: dictionaries, and what may stand beside declared properties.

use std::sync::Arc;

use fossick_contract::{Additional, ObjectShape, ShapeId};

use crate::craft::{Craft, DEPTH};
use crate::depth::NEVER;
use crate::dice;
use crate::gene::{Field, Gene};
use crate::kinds::any;
use crate::maker::Manner;
use crate::names::{Hint, Named};
use crate::pattern::Aim;
use crate::recipe::{Detail, ObjectRecipe};
use crate::words;

/// However many entries a schema asks for, no more are made.
const MOST: usize = 500;

/// The shape of the field with this name; none where anything may stand, or nothing.
pub(crate) fn field_shape(
    object: &ObjectShape,
    recipe: &ObjectRecipe,
    name: &str,
) -> Option<ShapeId> {
    if let Some(property) = object.property(name) {
        return Some(property.shape);
    }
    let matching = recipe
        .patterns
        .iter()
        .find(|(pattern, _)| pattern.matches(name));
    match (matching, &object.additional) {
        (Some((_, id)), _) | (None, Additional::Shaped(id)) => Some(*id),
        (None, _) => None,
    }
}

/// The shape of a field and what its name says.
pub(crate) fn field_place(
    object: &ObjectShape,
    recipe: &ObjectRecipe,
    name: &str,
) -> Option<(ShapeId, Named)> {
    let declared = object
        .properties
        .iter()
        .position(|property| &*property.name == name);
    match declared.and_then(|at| Some((object.properties.get(at)?, recipe.known.get(at)?))) {
        Some((property, known)) => Some((property.shape, known.named)),
        None => field_shape(object, recipe, name).map(|id| (id, Named::of(name))),
    }
}

/// Whether entries may be of use: somebody waits for them, or nothing else is said of the object.
pub(crate) fn welcomes_entries(object: &ObjectShape) -> bool {
    let free = object.properties.is_empty() && object.additional == Additional::Unsaid;
    free || awaits_entries(object)
}

fn awaits_entries(object: &ObjectShape) -> bool {
    !object.patterns.is_empty() || matches!(object.additional, Additional::Shaped(_))
}

impl Craft<'_> {
    pub(crate) fn sample_map(
        &mut self,
        object: &ObjectShape,
        recipe: &ObjectRecipe,
        depth: usize,
    ) -> Gene {
        let min = object.min_properties.min(MOST);
        let max = object.max_properties.unwrap_or(usize::MAX).max(min);
        let wanted = match self.manner {
            _ if depth >= DEPTH || self.budget == 0 || !welcomes_entries(object) => min,
            Manner::Plausible | Manner::Full if awaits_entries(object) => min.max(1).min(max),
            Manner::Plausible | Manner::Full => min,
            Manner::Varied => dice::size(self.rng, min, max.min(min.max(3))),
        };
        let mut fields = Vec::with_capacity(wanted.min(8));
        self.add_entries(&mut fields, wanted, object, recipe, depth);
        Gene::Map(fields)
    }

    /// Adds entries until there are as many fields as wanted, or no new key can be found.
    pub(crate) fn add_entries(
        &mut self,
        fields: &mut Vec<Field>,
        wanted: usize,
        object: &ObjectShape,
        recipe: &ObjectRecipe,
        depth: usize,
    ) {
        while fields.len() < wanted.min(MOST) {
            match self.new_entry(fields, object, recipe, depth) {
                Some(field) => fields.push(field),
                None => break,
            }
        }
    }

    pub(crate) fn new_entry(
        &mut self,
        fields: &[Field],
        object: &ObjectShape,
        recipe: &ObjectRecipe,
        depth: usize,
    ) -> Option<Field> {
        const TRIES: usize = 12;
        (0..TRIES).find_map(|_| {
            let key = self.key(object, recipe)?;
            let taken = fields.iter().any(|field| *field.name == *key);
            if taken || !self.is_free_key(object, recipe, &key) {
                return None;
            }
            let gene = match field_shape(object, recipe, &key) {
                Some(id) if self.recipes.depth(id) == NEVER => return None,
                Some(id) => self.sample(Named::of(&key), id, depth + 1),
                None => any::sample(Hint::None, true, self.rng),
            };
            Some(Field { name: key, gene })
        })
    }

    /// A key by the shape of names, by a pattern, or just a word.
    fn key(&mut self, object: &ObjectShape, recipe: &ObjectRecipe) -> Option<Arc<str>> {
        if let Some(names) = object.names {
            let manner = std::mem::replace(&mut self.manner, Manner::Varied);
            let name = self.sample(Named::NOTHING, names, DEPTH).value();
            self.manner = manner;
            return name.as_str().map(Arc::from);
        }
        let free = !matches!(object.additional, Additional::Forbidden);
        if recipe.patterns.is_empty() || (free && dice::one_in(self.rng, 3)) {
            return Some(words::unique_word(self.rng, "_").into());
        }
        let (pattern, _) = dice::pick(self.rng, &recipe.patterns)?;
        pattern.attempt(1, 24, Aim::Tidy, self.rng).map(Arc::from)
    }

    /// Whether a key may stand here, and is governed by one shape only.
    fn is_free_key(&self, object: &ObjectShape, recipe: &ObjectRecipe, key: &str) -> bool {
        if object.property(key).is_some() {
            return false;
        }
        let named = object.names.is_none_or(|id| {
            let (shape, recipe) = (self.api.shape(id), self.recipe(id));
            match &recipe.detail {
                Detail::Plain | Detail::Object(_) => true,
                detail => crate::fits::fits(shape, detail, &serde_json::Value::from(key)),
            }
        });
        let matching = recipe
            .patterns
            .iter()
            .filter(|(p, _)| p.matches(key))
            .count();
        named && (matching == 1 || (matching == 0 && object.additional != Additional::Forbidden))
    }
}
