//! Shrinking: valid values that are simpler than a given one.
//!
//! Candidates come from every level: without its optional parts, without single items, with one
//! scalar simpler. Each is confirmed by a validator, because a simpler part may break a
//! constraint of the whole.

use fossick_contract::{ArrayShape, Kind, ObjectShape, ShapeId};

use crate::craft::Craft;
use crate::fits::is_scalar;
use crate::gene::{Field, Gene};
use crate::kinds::array::item_shape;
use crate::kinds::map::field_shape;
use crate::kinds::{Choice, Date, Integer, Number, Time, string};
use crate::maker::Manner;
use crate::measure::Measure;
use crate::mutate::is_optional;
use crate::names::Named;
use crate::recipe::{Detail, Recipe, StringRecipe};
use crate::scalar::text_gene;
use crate::source::Source;

/// No more candidates than this are handed out at once.
const MOST: usize = 120;
/// How many candidates one part may add.
const PER_PART: usize = 16;
const DEEPEST: usize = 24;

impl Craft<'_> {
    pub(crate) fn simpler(&mut self, gene: &Gene, named: Named, id: ShapeId) -> Vec<Gene> {
        let limit = Measure::of(gene);
        self.manner = Manner::Plausible;
        let mut found = self.candidates(gene, id, 0);
        if !matches!(gene, Gene::Disruptive(_)) {
            found.push(self.sample(named, id, 0));
        }
        let mut measured: Vec<(Measure, Gene)> = found
            .into_iter()
            .map(|candidate| (Measure::of(&candidate), candidate))
            .filter(|(measure, _)| *measure < limit)
            .collect();
        measured.sort_by(|a, b| a.0.cmp(&b.0));
        measured.dedup_by(|a, b| a.0 == b.0 && a.1.value() == b.1.value());
        measured
            .into_iter()
            .map(|(_, candidate)| candidate)
            .filter(|candidate| self.holds(id, candidate))
            .take(MOST)
            .collect()
    }

    fn candidates(&mut self, gene: &Gene, id: ShapeId, depth: usize) -> Vec<Gene> {
        let shape = self.api.shape(id);
        let mut found = Vec::new();
        if depth > DEEPEST || matches!(gene, Gene::Disruptive(_)) {
            return found;
        }
        if shape.nullable {
            found.push(Gene::Null(Source::Random));
        }
        match (gene, &shape.kind) {
            (Gene::Literal(value, source), kind) if !is_scalar(kind) => {
                let adopted = self.adopt(value, id, *source, depth);
                if !matches!(adopted, Gene::Literal(..)) {
                    found.extend(self.candidates(&adopted, id, depth + 1));
                    found.push(adopted);
                }
            }
            (Gene::Array(items), Kind::Array(array)) => {
                found.extend(self.simpler_array(items, array, depth));
            }
            (Gene::Object(fields) | Gene::Map(fields), Kind::Object(object)) => {
                found.extend(self.simpler_object(gene, fields, object, id, depth));
            }
            (Gene::Choice(choice), Kind::Choice(shape)) => {
                if let Some(id) = shape.options.get(choice.option as usize) {
                    let inner = self.candidates(&choice.gene, *id, depth + 1);
                    found.extend(inner.into_iter().map(|gene| {
                        let mut choice = Choice::new(choice.option as usize, gene);
                        choice.pin(shape);
                        Gene::Choice(choice)
                    }));
                }
            }
            (gene, kind) if is_scalar(kind) => {
                found.extend(simpler_scalar(gene, self.recipe(id)));
            }
            _ => {}
        }
        found
    }

    fn simpler_array(&mut self, items: &[Gene], array: &ArrayShape, depth: usize) -> Vec<Gene> {
        let mut found = Vec::new();
        let (min, length) = (array.min_items, items.len());
        for keep in [min, (length / 2).max(min)] {
            found.extend(items.get(..keep).map(|items| Gene::Array(items.to_vec())));
        }
        if length > min {
            for at in (array.prefix.len()..length).take(PER_PART) {
                let mut fewer = items.to_vec();
                fewer.remove(at);
                found.push(Gene::Array(fewer));
            }
        }
        for (at, item) in items.iter().enumerate().take(PER_PART) {
            let Some(id) = item_shape(array, at) else {
                continue;
            };
            for simpler in self
                .candidates(item, id, depth + 1)
                .into_iter()
                .take(PER_PART)
            {
                let mut changed = items.to_vec();
                changed[at] = simpler;
                found.push(Gene::Array(changed));
            }
        }
        found
    }

    fn simpler_object(
        &mut self,
        gene: &Gene,
        fields: &[Field],
        object: &ObjectShape,
        id: ShapeId,
        depth: usize,
    ) -> Vec<Gene> {
        let again = |fields: Vec<Field>| match gene {
            Gene::Map(_) => Gene::Map(fields),
            _ => Gene::Object(fields),
        };
        let Detail::Object(recipe) = &self.recipe(id).detail else {
            return Vec::new();
        };
        let required = fields.iter().filter(|field| !is_optional(field, object));
        let mut found = vec![again(required.cloned().collect())];
        for (at, field) in fields.iter().enumerate() {
            if is_optional(field, object) && fields.len() > object.min_properties {
                let mut fewer = fields.to_vec();
                fewer.remove(at);
                found.push(again(fewer));
            }
            let Some(id) = field_shape(object, recipe, &field.name) else {
                continue;
            };
            for simpler in self
                .candidates(&field.gene, id, depth + 1)
                .into_iter()
                .take(PER_PART)
            {
                let mut changed = fields.to_vec();
                changed[at].gene = simpler;
                found.push(again(changed));
            }
        }
        found
    }
}

fn simpler_scalar(gene: &Gene, recipe: &Recipe) -> Vec<Gene> {
    let value = gene.value();
    match &recipe.detail {
        Detail::Whole(whole) => {
            let integer = |value| {
                Gene::Integer(Integer {
                    value,
                    source: Source::Random,
                })
            };
            let numbers = value.as_i64().map(|value| whole.simpler(value));
            numbers.into_iter().flatten().map(integer).collect()
        }
        Detail::Real(real) => {
            let number = |value| {
                Gene::Number(Number {
                    value,
                    source: Source::Random,
                })
            };
            let numbers = value.as_f64().map(|value| real.simpler(value));
            numbers.into_iter().flatten().map(number).collect()
        }
        Detail::Members(members) => (0..members.len())
            .take(PER_PART)
            .map(|at| Gene::Enumerated(crate::kinds::Enumerated::new(members, at)))
            .collect(),
        Detail::Text(recipe) => simpler_text(gene, recipe),
        Detail::Plain | Detail::Object(_) => Vec::new(),
    }
}

fn simpler_text(gene: &Gene, recipe: &StringRecipe) -> Vec<Gene> {
    let typed: Vec<Gene> = match gene {
        Gene::DateTime(moment) => moment.simpler().into_iter().map(Gene::DateTime).collect(),
        Gene::Date(date) => vec![Gene::Date(Date { days: 0, ..*date })],
        Gene::Time(time) => vec![Gene::Time(Time {
            second: 0,
            offset: 0,
            ..*time
        })],
        Gene::Uuid(uuid) => vec![Gene::Uuid(uuid.nil())],
        Gene::Base64(base64) => base64.simpler().into_iter().map(Gene::Base64).collect(),
        _ => Vec::new(),
    };
    let value = gene.value();
    let text = value.as_str().unwrap_or_default();
    let odd = recipe.format.map_or(&[][..], |format| format.odd());
    string::simpler(text, recipe.min)
        .into_iter()
        .chain(odd.iter().map(|text| (*text).to_owned()))
        .filter(|text| recipe.fits(text))
        .map(|text| text_gene(recipe, text, Source::Random))
        .chain(typed)
        .collect()
}
