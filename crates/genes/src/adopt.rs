//! Takes a plain value apart into genes, so that it can be mutated and shrunk piece by piece.

use std::sync::Arc;

use fossick_contract::{ArrayShape, Choice as ChoiceShape, Kind, ObjectShape, Property, ShapeId};
use fossick_validate::Direction;
use serde_json::{Map, Value};

use crate::craft::Craft;
use crate::fits::{fits, is_scalar};
use crate::gene::{Field, Gene};
use crate::kinds::Choice;
use crate::kinds::map::field_shape;
use crate::recipe::{Detail, ObjectRecipe};
use crate::scalar::scalar_gene;
use crate::source::Source;

/// Values deeper than this stay whole.
const DEEPEST: usize = 24;

impl Craft<'_> {
    /// The gene of a value. Read-only properties are left out; parts that the shape does not
    /// know stay literal.
    pub(crate) fn adopt(&self, value: &Value, id: ShapeId, source: Source, depth: usize) -> Gene {
        let (shape, recipe) = (self.api.shape(id), self.recipe(id));
        if depth > DEEPEST {
            return Gene::scalar(value, source);
        }
        match (&shape.kind, &recipe.detail, value) {
            (Kind::Object(object), Detail::Object(recipe), Value::Object(map)) => {
                self.adopt_object(object, recipe, map, source, depth)
            }
            (Kind::Array(array), _, Value::Array(items)) => {
                self.adopt_array(array, items, source, depth)
            }
            (Kind::Choice(choice), ..) => self.adopt_choice(choice, value, source, depth),
            (kind, ..) if is_scalar(kind) => scalar_gene(recipe, value, source),
            _ => Gene::scalar(value, source),
        }
    }

    fn adopt_object(
        &self,
        object: &ObjectShape,
        recipe: &ObjectRecipe,
        map: &Map<String, Value>,
        source: Source,
        depth: usize,
    ) -> Gene {
        let mut fields = Vec::with_capacity(map.len());
        for (name, value) in map {
            let shape = field_shape(object, recipe, name);
            if shape.is_some_and(|id| self.api.shape(id).read_only) {
                continue;
            }
            fields.push(Field {
                name: Arc::from(name.as_str()),
                gene: match shape {
                    Some(id) => self.adopt(value, id, source, depth + 1),
                    None => Gene::scalar(value, source),
                },
            });
        }
        if object.properties.is_empty() {
            Gene::Map(fields)
        } else {
            Gene::Object(fields)
        }
    }

    fn adopt_array(
        &self,
        array: &ArrayShape,
        items: &[Value],
        source: Source,
        depth: usize,
    ) -> Gene {
        let adopt =
            |(at, item): (usize, &Value)| match array.prefix.get(at).copied().or(array.items) {
                Some(id) => self.adopt(item, id, source, depth + 1),
                None => Gene::scalar(item, source),
            };
        Gene::Array(items.iter().enumerate().map(adopt).collect())
    }

    fn adopt_choice(
        &self,
        choice: &ChoiceShape,
        value: &Value,
        source: Source,
        depth: usize,
    ) -> Gene {
        match self.likest(choice, value) {
            Some(option) => {
                let gene = self.adopt(value, choice.options[option], source, depth + 1);
                let mut gene = Choice::new(option, gene);
                gene.pin(choice);
                Gene::Choice(gene)
            }
            None => Gene::scalar(value, source),
        }
    }

    /// The option that a value is of: the one its discriminator names, else the one it looks most
    /// like among those that allow it.
    fn likest(&self, choice: &ChoiceShape, value: &Value) -> Option<usize> {
        let tag = choice.discriminator.as_ref();
        let tagged = tag.and_then(|tag| {
            let told = value.get(&*tag.property)?.as_str()?;
            tag.values.iter().position(|value| **value == *told)
        });
        let allowed = |id: &ShapeId| self.validators.is_valid(Direction::Request, *id, value);
        let options = choice.options.iter().enumerate();
        let scored = options.filter_map(|(at, id)| {
            let score = self.likeness(value, *id, 0)?;
            allowed(id).then_some((at, score))
        });
        // The first of equals: earlier options are usually the plainer ones.
        tagged.or_else(|| {
            scored
                .rev()
                .max_by_key(|(_, score)| *score)
                .map(|(at, _)| at)
        })
    }

    /// How much a value looks like a shape; none if it is of another type.
    fn likeness(&self, value: &Value, id: ShapeId, depth: usize) -> Option<i64> {
        let shape = self.api.shape(id);
        match (&shape.kind, value) {
            (Kind::Object(object), Value::Object(map)) => {
                let declared = |p: &&Property| map.contains_key(&*p.name);
                let present = object.properties.iter().filter(declared).count() as i64;
                let missing = object
                    .properties
                    .iter()
                    .filter(|p| p.required && !declared(p));
                Some(present - 100 * missing.count() as i64)
            }
            (Kind::Choice(choice), _) if depth < 2 => {
                let options = choice.options.iter();
                options
                    .filter_map(|id| self.likeness(value, *id, depth + 1))
                    .max()
            }
            (Kind::Array(_), Value::Array(_)) => Some(1),
            (Kind::Any | Kind::Opaque(_), _) => Some(0),
            (kind, value) if is_scalar(kind) => {
                fits(shape, &self.recipe(id).detail, value).then_some(1)
            }
            _ => None,
        }
    }
}
