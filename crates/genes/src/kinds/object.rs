//! Objects with declared properties.
//!
//! Only what is sent is made. An absent optional property costs nothing, however large its shape.

use fossick_contract::{ObjectShape, Property};

use super::map::welcomes_entries;
use crate::craft::{Craft, DEPTH};
use crate::dice;
use crate::gene::{Field, Gene};
use crate::maker::Manner;
use crate::recipe::{Known, ObjectRecipe};

impl Craft<'_> {
    pub(crate) fn sample_object(
        &mut self,
        object: &ObjectShape,
        recipe: &ObjectRecipe,
        depth: usize,
    ) -> Gene {
        if object.properties.is_empty() {
            return self.sample_map(object, recipe, depth);
        }
        let mut spare = spare_fields(object, recipe);
        let mut fields = Vec::with_capacity(object.properties.len().min(16));
        for (property, known) in object.properties.iter().zip(&recipe.known) {
            if property.required {
                if !known.read_only {
                    fields.push(self.new_field(property, known, depth));
                }
            } else if spare > 0 && self.wants(known, depth) {
                let field = self.attempt(|craft| craft.new_field(property, known, depth));
                spare -= usize::from(field.is_some());
                fields.extend(field);
            }
        }
        self.fill(&mut fields, object, recipe, depth);
        Gene::Object(fields)
    }

    pub(crate) fn new_field(&mut self, property: &Property, known: &Known, depth: usize) -> Field {
        Field {
            name: property.name.clone(),
            gene: self.sample(known.named, property.shape, depth + 1),
        }
    }

    /// Whether an optional property is sent.
    fn wants(&mut self, known: &Known, depth: usize) -> bool {
        const FULL: usize = 3;
        if known.read_only || !known.possible || self.budget == 0 || depth >= DEPTH {
            return false;
        }
        match self.manner {
            Manner::Plausible => known.exemplified,
            Manner::Full => depth < FULL,
            Manner::Varied => dice::one_in(self.rng, depth as u64 + 2),
        }
    }

    /// Reaches the least number of properties; in a varied object, perhaps one more than declared.
    fn fill(
        &mut self,
        fields: &mut Vec<Field>,
        object: &ObjectShape,
        recipe: &ObjectRecipe,
        depth: usize,
    ) {
        if fields.len() < object.min_properties {
            for (property, known) in object.properties.iter().zip(&recipe.known) {
                let wanted = fields.len() < object.min_properties && known.possible;
                let absent = fields.iter().all(|field| field.name != property.name);
                if wanted && absent && !known.read_only {
                    fields.push(self.new_field(property, known, depth));
                }
            }
            self.add_entries(fields, object.min_properties, object, recipe, depth);
        }
        let full = object.max_properties.is_some_and(|max| fields.len() >= max);
        if self.manner == Manner::Varied
            && !full
            && depth < DEPTH
            && welcomes_entries(object)
            && dice::one_in(self.rng, 4)
        {
            fields.extend(self.new_entry(fields, object, recipe, depth));
        }
    }
}

/// How many optional properties there is room for.
pub(crate) fn spare_fields(object: &ObjectShape, recipe: &ObjectRecipe) -> usize {
    let required = object
        .properties
        .iter()
        .zip(&recipe.known)
        .filter(|(property, known)| property.required && !known.read_only)
        .count();
    object
        .max_properties
        .map_or(usize::MAX, |max| max.saturating_sub(required))
}
