//! Mutation: one small step from a valid value to another.
//!
//! Every gene of k changes with probability 1/k, and one is drawn that changes for sure. A change
//! that would break a constraint which spans several genes (unique items, a condition) is undone
//! and another one tried.

use fossick_contract::{ArrayShape, Choice as ChoiceShape, Kind, ObjectShape, ShapeId};

use crate::craft::Craft;
use crate::dice;
use crate::fits::is_scalar;
use crate::gene::{Field, Gene};
use crate::kinds::array::{is_unique, item_shape, room};
use crate::kinds::map::{field_place, welcomes_entries};
use crate::kinds::{patterned, string};
use crate::maker::Manner;
use crate::names::Named;
use crate::recipe::{Detail, ObjectRecipe, Recipe, StringRecipe};
use crate::scalar::text_gene;
use crate::source::Source;

/// Lists grow step by step up to so many items (smart, 4.1); longer ones are drawn whole.
const MOST_ITEMS: usize = 5;

/// Which genes are to change, counted in the order of writing.
struct Draw {
    chosen: usize,
    of: u64,
    next: usize,
}

impl Draw {
    fn hits(&mut self, craft: &mut Craft<'_>) -> bool {
        let hit = self.next == self.chosen || dice::one_in(craft.rng, self.of);
        self.next += 1;
        hit
    }
}

/// The number of genes that can change.
fn places(gene: &Gene) -> usize {
    match gene {
        Gene::Array(items) => 1 + items.iter().map(places).sum::<usize>(),
        Gene::Map(fields) | Gene::Object(fields) => {
            1 + fields
                .iter()
                .map(|field| places(&field.gene))
                .sum::<usize>()
        }
        Gene::Choice(choice) => 1 + places(&choice.gene),
        Gene::Disruptive(_) => 0,
        _ => 1,
    }
}

impl<'a> Craft<'a> {
    pub(crate) fn mutate(&mut self, gene: &mut Gene, named: Named, id: ShapeId) {
        const TRIES: usize = 16;
        for _ in 0..TRIES {
            let of = places(gene);
            let mut draw = Draw {
                chosen: dice::index(self.rng, of),
                of: of as u64,
                next: 0,
            };
            if self.step(gene, named, id, 0, &mut draw) {
                return;
            }
        }
    }

    /// Changes the drawn genes; false if nothing changed.
    fn step(
        &mut self,
        gene: &mut Gene,
        named: Named,
        id: ShapeId,
        depth: usize,
        draw: &mut Draw,
    ) -> bool {
        if !self.api.shape(id).needs_check {
            return self.step_unchecked(gene, named, id, depth, draw);
        }
        let before = gene.clone();
        let changed = self.step_unchecked(gene, named, id, depth, draw);
        if changed && !self.holds(id, gene) {
            *gene = before;
            return false;
        }
        changed
    }

    fn step_unchecked(
        &mut self,
        gene: &mut Gene,
        named: Named,
        id: ShapeId,
        depth: usize,
        draw: &mut Draw,
    ) -> bool {
        let shape = self.api.shape(id);
        match (&mut *gene, &shape.kind) {
            (Gene::Disruptive(_), _) => false,
            (Gene::Array(items), Kind::Array(array)) => {
                self.step_array(items, named, array, depth, draw)
            }
            (Gene::Object(fields) | Gene::Map(fields), Kind::Object(object)) => {
                self.step_object(fields, object, id, depth, draw)
            }
            (Gene::Choice(_), Kind::Choice(choice)) => {
                self.step_choice(gene, named, choice, depth, draw)
            }
            _ => draw.hits(self) && self.step_leaf(gene, named, id, depth),
        }
    }

    fn step_array(
        &mut self,
        items: &mut Vec<Gene>,
        named: Named,
        array: &ArrayShape,
        depth: usize,
        draw: &mut Draw,
    ) -> bool {
        let before = array.unique.then(|| items.clone());
        let hit = draw.hits(self);
        let mut changed = false;
        for (at, item) in items.iter_mut().enumerate() {
            if let Some(id) = item_shape(array, at) {
                changed |= self.step(item, named, id, depth + 1, draw);
            }
        }
        if hit {
            changed |= self.restructure_array(items, named, array, depth);
        }
        match before {
            Some(before) if changed && !is_unique(items) => {
                *items = before;
                false
            }
            _ => changed,
        }
    }

    /// Adds, drops or swaps an item.
    fn restructure_array(
        &mut self,
        items: &mut Vec<Gene>,
        named: Named,
        array: &ArrayShape,
        depth: usize,
    ) -> bool {
        match dice::below(self.rng, 3) {
            0 if items.len() > array.min_items => {
                // An item with a shape of its own must not slide into another's place.
                let at = dice::size(
                    self.rng,
                    array.prefix.len().min(items.len() - 1),
                    items.len() - 1,
                );
                items.remove(at);
                true
            }
            1 if items.len() > array.prefix.len() + 1 => {
                let free = array.prefix.len();
                let a = dice::size(self.rng, free, items.len() - 1);
                let b = dice::size(self.rng, free, items.len() - 1);
                items.swap(a, b);
                items[a] != items[b]
            }
            _ if items.len() < room(array).min(MOST_ITEMS.max(array.min_items)) => {
                let Some(id) = item_shape(array, items.len()) else {
                    return false;
                };
                let new = |craft: &mut Self| craft.new_item(named, id, items, array.unique, depth);
                let item = self.attempt(new).flatten();
                let added = item.is_some();
                items.extend(item);
                added
            }
            _ => false,
        }
    }

    fn step_object(
        &mut self,
        fields: &mut Vec<Field>,
        object: &ObjectShape,
        id: ShapeId,
        depth: usize,
        draw: &mut Draw,
    ) -> bool {
        let Detail::Object(recipe) = &self.recipe(id).detail else {
            return false;
        };
        let hit = draw.hits(self);
        let mut changed = false;
        for field in fields.iter_mut() {
            match field_place(object, recipe, &field.name) {
                Some((id, named)) => {
                    changed |= self.step(&mut field.gene, named, id, depth + 1, draw);
                }
                None => draw.next += places(&field.gene),
            }
        }
        if hit {
            changed |= self.restructure_object(fields, object, recipe, depth);
        }
        changed
    }

    /// Adds or drops an optional field.
    fn restructure_object(
        &mut self,
        fields: &mut Vec<Field>,
        object: &ObjectShape,
        recipe: &ObjectRecipe,
        depth: usize,
    ) -> bool {
        let full = object.max_properties.is_some_and(|max| fields.len() >= max);
        let drop = full || dice::one_in(self.rng, 2);
        if drop && fields.len() > object.min_properties {
            return self.drop_field(fields, object);
        }
        !full && self.add_field(fields, object, recipe, depth)
    }

    fn drop_field(&mut self, fields: &mut Vec<Field>, object: &ObjectShape) -> bool {
        let optional: Vec<usize> = (0..fields.len())
            .filter(|at| is_optional(&fields[*at], object))
            .collect();
        match dice::pick(self.rng, &optional) {
            Some(at) => {
                fields.remove(*at);
                true
            }
            None => false,
        }
    }

    fn add_field(
        &mut self,
        fields: &mut Vec<Field>,
        object: &ObjectShape,
        recipe: &ObjectRecipe,
        depth: usize,
    ) -> bool {
        let absent: Vec<usize> = (0..object.properties.len())
            .filter(|at| {
                let (property, known) = (&object.properties[*at], &recipe.known[*at]);
                let absent = fields.iter().all(|field| field.name != property.name);
                absent && known.possible && !known.read_only
            })
            .collect();
        let new = match dice::pick(self.rng, &absent) {
            Some(at) => {
                let (property, known) = (&object.properties[*at], &recipe.known[*at]);
                self.attempt(|craft| craft.new_field(property, known, depth))
            }
            None if welcomes_entries(object) => self.new_entry(fields, object, recipe, depth),
            None => None,
        };
        let added = new.is_some();
        fields.extend(new);
        added
    }

    fn step_choice(
        &mut self,
        gene: &mut Gene,
        named: Named,
        shape: &ChoiceShape,
        depth: usize,
        draw: &mut Draw,
    ) -> bool {
        let Gene::Choice(choice) = gene else {
            return false;
        };
        if draw.hits(self) && shape.options.len() > 1 {
            let other = dice::index(self.rng, shape.options.len());
            if self.recipes.depth(shape.options[other]) != crate::depth::NEVER {
                let new = self.attempt(|craft| craft.sample_option(named, shape, other, depth));
                return match new.filter(|new| new != gene) {
                    Some(new) => {
                        *gene = new;
                        true
                    }
                    None => false,
                };
            }
            return false;
        }
        match shape.options.get(choice.option as usize) {
            Some(id) => {
                let changed = self.step(&mut choice.gene, named, *id, depth + 1, draw);
                choice.pin(shape);
                changed
            }
            None => false,
        }
    }

    fn step_leaf(&mut self, gene: &mut Gene, named: Named, id: ShapeId, depth: usize) -> bool {
        let (shape, recipe) = (self.api.shape(id), self.recipe(id));
        let before = gene.clone();
        if let Gene::Literal(value, source) = gene {
            *gene = self.adopt(value, id, *source, depth);
        }
        if shape.nullable && !matches!(gene, Gene::Null(_)) && dice::one_in(self.rng, 16) {
            *gene = Gene::Null(Source::Random);
        } else if !is_scalar(&shape.kind) {
            // A value with parts that was literal until now, or a shape that says little.
            self.step_into(gene, named, id, depth);
        } else if dice::one_in(self.rng, 4) || !self.nudge(gene, recipe) {
            self.resample(gene, named, id, depth);
        }
        *gene != before
    }

    fn step_into(&mut self, gene: &mut Gene, named: Named, id: ShapeId, depth: usize) {
        if matches!(
            gene,
            Gene::Array(_) | Gene::Object(_) | Gene::Map(_) | Gene::Choice(_)
        ) {
            let of = places(gene);
            let mut draw = Draw {
                chosen: dice::index(self.rng, of),
                of: of as u64,
                next: 0,
            };
            self.step_unchecked(gene, named, id, depth, &mut draw);
        } else {
            self.resample(gene, named, id, depth);
        }
    }

    fn resample(&mut self, gene: &mut Gene, named: Named, id: ShapeId, depth: usize) {
        let manner = std::mem::replace(&mut self.manner, Manner::Varied);
        if let Some(new) = self.attempt(|craft| craft.sample(named, id, depth)) {
            *gene = new;
        }
        self.manner = manner;
    }

    /// The smallest step that a scalar knows; false if it knows none.
    fn nudge(&mut self, gene: &mut Gene, recipe: &'a Recipe) -> bool {
        let source = Source::Random;
        match (&mut *gene, &recipe.detail) {
            (Gene::Boolean(boolean), _) => boolean.mutate(),
            (Gene::Integer(integer), Detail::Whole(whole)) => {
                integer.value = whole.mutate(integer.value, self.rng);
                integer.source = source;
            }
            (Gene::Number(number), Detail::Real(real)) => {
                number.value = real.mutate(number.value, self.rng);
                number.source = source;
            }
            (Gene::Integer(integer), Detail::Real(real)) => {
                let value = real.mutate(integer.value as f64, self.rng);
                *gene = Gene::Number(crate::kinds::Number { value, source });
            }
            (Gene::Enumerated(member), _) => return member.mutate(self.rng),
            (_, Detail::Text(recipe)) => return self.nudge_text(gene, recipe),
            _ => return false,
        }
        true
    }

    fn nudge_text(&mut self, gene: &mut Gene, recipe: &StringRecipe) -> bool {
        let mut new = gene.clone();
        match &mut new {
            Gene::Date(date) => date.mutate(self.rng),
            Gene::Time(time) => time.mutate(self.rng),
            Gene::DateTime(moment) => moment.mutate(self.rng),
            Gene::Uuid(uuid) => uuid.mutate(self.rng),
            Gene::Base64(base64) => base64.mutate(self.rng),
            Gene::String(text) | Gene::Pattern(text) | Gene::Format(text) => {
                let changed = if recipe.patterns.is_empty() {
                    Some(string::mutate(&text.text, self.rng))
                } else {
                    patterned::mutate(recipe, &text.text, self.rng)
                };
                let Some(changed) = changed else {
                    return false;
                };
                new = text_gene(recipe, changed, Source::Random);
            }
            _ => return false,
        }
        let fits = new.value().as_str().is_some_and(|text| recipe.fits(text));
        if fits {
            *gene = new;
        }
        fits
    }
}

/// Whether a field may go.
pub(crate) fn is_optional(field: &Field, object: &ObjectShape) -> bool {
    let required = object
        .property(&field.name)
        .is_some_and(|property| property.required);
    !required && !matches!(field.gene, Gene::Disruptive(_))
}
