//! Scalars: which source a value comes from, and what each source gives.

use std::sync::Arc;

use fossick_contract::{Kind, Shape, ShapeId};
use serde_json::Value;

use crate::craft::Craft;
use crate::dice;
use crate::fits::fits;
use crate::gene::Gene;
use crate::kinds::{Boolean, Enumerated, Integer, Number, Text, patterned, string};
use crate::maker::Manner;
use crate::names::{self, Hint, Named};
use crate::pattern::Aim;
use crate::recipe::{Detail, Recipe, StringRecipe};
use crate::source::{Source, Sources};
use crate::values::Pool;
use crate::words;

/// Whether a field of this name is where the caller names something.
fn names_something_new(named: Named) -> bool {
    matches!(named.hint, Hint::Name | Hint::Slug)
}

impl<'a> Craft<'a> {
    pub(crate) fn scalar(&mut self, named: Named, id: ShapeId) -> Gene {
        let (shape, recipe) = (self.api.shape(id), self.recipe(id));
        let made = self.scalar_by(named, shape, recipe);
        made.unwrap_or_else(|| self.last_resort(shape, recipe))
    }

    /// A scalar by a recipe that need not be the document's own.
    pub(crate) fn scalar_by(
        &mut self,
        named: Named,
        shape: &Shape,
        recipe: &Recipe,
    ) -> Option<Gene> {
        match self.manner {
            Manner::Varied => self.varied(named, shape, recipe),
            Manner::Plausible | Manner::Full => self.likely(named, shape, recipe),
        }
    }

    /// The value that is likeliest to be accepted: told, shown, promised, guessed, in that order.
    fn likely(&mut self, named: Named, shape: &Shape, recipe: &Recipe) -> Option<Gene> {
        if let Some(pool) = self.values.pool(named.key) {
            let newest = |values: &'a [Value], source| {
                let value = values.iter().rfind(|v| fits(shape, &recipe.detail, v))?;
                Some(scalar_gene(recipe, value, source))
            };
            let told = newest(&pool.words, Source::Dictionary)
                .or_else(|| newest(&pool.told, Source::Told));
            let refers = named.hint == Hint::Reference && recipe.examples.is_empty();
            let sent = recipe.examples.is_empty() && !names_something_new(named);
            let found =
                told.or_else(|| newest(&pool.harvested, Source::Harvested).filter(|_| sent));
            if found.is_some() {
                return found;
            }
            if let Some(seen) = self.anchored(pool, shape, recipe).filter(|_| refers) {
                return Some(seen);
            }
        }
        if let Some(example) = recipe.examples.first() {
            return Some(scalar_gene(recipe, example, Source::Example));
        }
        if let Some(default) = recipe.default.as_ref().filter(|value| !value.is_null()) {
            return Some(scalar_gene(recipe, default, Source::Default));
        }
        let own_name = names_something_new(named) && self.looks_like_a_slug(recipe);
        let seen = if own_name {
            None
        } else {
            self.of_its_type(recipe)
        };
        seen.or_else(|| self.plausible(named, shape, recipe))
    }

    /// A value that answers had: the newest, or one of those that were there from the start. The
    /// newest may be gone already.
    fn anchored(&mut self, pool: &'a Pool, shape: &Shape, recipe: &Recipe) -> Option<Gene> {
        let usable = |value: &&Value| fits(shape, &recipe.detail, value);
        let first: Vec<&Value> = pool.anchors().filter(usable).collect();
        let value = match dice::pick(self.rng, &first) {
            Some(anchor) if dice::one_in(self.rng, 2) => *anchor,
            _ => pool.seen.iter().rfind(usable)?,
        };
        Some(scalar_gene(recipe, value, Source::Seen))
    }

    /// A value that an answer had where this very custom scalar was promised. It may be of any
    /// JSON type: only the service knows.
    fn of_its_type(&mut self, recipe: &Recipe) -> Option<Gene> {
        let pool = self.values.pool(recipe.scalar?)?;
        let value = match self.manner {
            Manner::Varied => dice::pick(self.rng, &pool.seen),
            Manner::Plausible | Manner::Full => pool.seen.last(),
        };
        Some(Gene::literal(value?.clone(), Source::Seen))
    }

    /// Whether all that answers had of this custom scalar is written as our own names are. A name
    /// that was seen is taken already; one of our own is then as good and is free.
    fn looks_like_a_slug(&self, recipe: &Recipe) -> bool {
        let pool = recipe.scalar.and_then(|scalar| self.values.pool(scalar));
        let is_slug = |value: &Value| {
            let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || "-_".contains(c);
            value.as_str().is_some_and(|text| text.chars().all(plain))
        };
        pool.is_some_and(|pool| pool.seen.iter().all(is_slug))
    }

    fn varied(&mut self, named: Named, shape: &Shape, recipe: &Recipe) -> Option<Gene> {
        if let Some(seen) = self.of_its_type(recipe)
            && dice::one_in(self.rng, 2)
        {
            return Some(seen);
        }
        let pool = self.values.pool(named.key);
        let mut sources = available(named, &recipe.detail, recipe, pool);
        while let Some(source) = self.values.choose(sources, self.rng) {
            let made = self.of_source(source, named, shape, recipe, pool);
            if made.is_some() {
                return made;
            }
            sources = sources.without(source);
        }
        None
    }

    fn of_source(
        &mut self,
        source: Source,
        named: Named,
        shape: &Shape,
        recipe: &Recipe,
        pool: Option<&'a Pool>,
    ) -> Option<Gene> {
        match source {
            Source::Example => {
                let value = dice::pick(self.rng, &recipe.examples)?;
                Some(scalar_gene(recipe, value, source))
            }
            Source::Default => Some(scalar_gene(recipe, recipe.default.as_ref()?, source)),
            Source::Seen => self.pooled(&pool?.seen, source, shape, recipe),
            Source::Told => self.pooled(&pool?.told, source, shape, recipe),
            Source::Dictionary => self.pooled(&pool?.words, source, shape, recipe),
            Source::Harvested => self.pooled(&pool?.harvested, source, shape, recipe),
            Source::Named => self.plausible(named, shape, recipe),
            Source::Boundary => self.boundary(recipe),
            Source::Special => self.special(recipe),
            Source::Random | Source::Enum | Source::Fixed | Source::Compared => {
                self.random(shape, recipe)
            }
        }
    }

    fn pooled(
        &mut self,
        values: &'a [Value],
        source: Source,
        shape: &Shape,
        recipe: &Recipe,
    ) -> Option<Gene> {
        let fitting = |value: &&Value| fits(shape, &recipe.detail, value);
        let value = if dice::one_in(self.rng, 2) {
            values.iter().rev().find(fitting)
        } else {
            dice::pick(self.rng, values).filter(fitting)
        };
        Some(scalar_gene(recipe, value?, source))
    }

    fn plausible(&mut self, named: Named, shape: &Shape, recipe: &Recipe) -> Option<Gene> {
        match (&shape.kind, &recipe.detail) {
            (Kind::Null, _) => Some(Gene::Null(Source::Fixed)),
            (Kind::Boolean, _) => Some(boolean(false)),
            (_, Detail::Members(members)) => {
                (!members.is_empty()).then(|| Gene::Enumerated(Enumerated::new(members, 0)))
            }
            (_, Detail::Whole(whole)) => {
                let (value, source) = whole.plausible(named.hint, self.rng);
                Some(Gene::Integer(Integer { value, source }))
            }
            (_, Detail::Real(real)) => {
                let (value, source) = real.plausible(named.hint, self.rng);
                Some(Gene::Number(Number { value, source }))
            }
            (_, Detail::Text(recipe)) => self.plausible_text(named.hint, recipe),
            _ => None,
        }
    }

    fn plausible_text(&mut self, hint: Hint, recipe: &StringRecipe) -> Option<Gene> {
        if let Some(format) = recipe.format {
            return self.formatted(recipe, |rng| format.sample(rng, Source::Named));
        }
        if recipe.patterns.is_empty() {
            let text = names::text(hint, self.rng);
            let text = words::fit_length(self.rng, text, recipe.min, recipe.max);
            return Some(text_gene(recipe, text, Source::Named));
        }
        let guess = (hint != Hint::None).then(|| names::text(hint, self.rng));
        guess
            .filter(|text| recipe.fits(text))
            .or_else(|| patterned::sample(recipe, Aim::Tidy, self.rng))
            .map(|text| text_gene(recipe, text, Source::Named))
    }

    /// A gene of a format that keeps lengths and patterns besides.
    fn formatted(
        &mut self,
        recipe: &StringRecipe,
        make: impl Fn(&mut crate::Rng) -> Gene,
    ) -> Option<Gene> {
        const TRIES: usize = 10;
        if !recipe.is_narrow() {
            return Some(make(self.rng));
        }
        for _ in 0..TRIES {
            let gene = make(self.rng);
            if gene.value().as_str().is_some_and(|text| recipe.fits(text)) {
                return Some(gene);
            }
        }
        self.squeezed(recipe)
    }

    /// What a narrow format still allows: an odd text, a walked one, Base64 of the right length.
    fn squeezed(&mut self, recipe: &StringRecipe) -> Option<Gene> {
        use crate::kinds::format::Format;
        let format = recipe.format?;
        let gene = match format {
            Format::Base64 => {
                let bytes =
                    crate::kinds::Base64::sample(recipe.min, recipe.max, self.rng, Source::Random);
                Some(bytes.to_text())
            }
            Format::Other(hint) => {
                let text = names::text(hint, self.rng);
                Some(words::fit_length(self.rng, text, recipe.min, recipe.max))
            }
            _ => None,
        };
        gene.filter(|text| recipe.fits(text))
            .or_else(|| patterned::sample(recipe, Aim::Tidy, self.rng))
            .or_else(|| {
                let odd = format.odd().iter().find(|text| recipe.fits(text))?;
                Some((*odd).to_owned())
            })
            .map(|text| format.typed(&text, Source::Random))
    }

    fn boundary(&mut self, recipe: &Recipe) -> Option<Gene> {
        let source = Source::Boundary;
        match &recipe.detail {
            Detail::Whole(whole) => {
                let value = whole.boundary(self.rng);
                Some(Gene::Integer(Integer { value, source }))
            }
            Detail::Real(real) => {
                let value = real.boundary(self.rng);
                Some(Gene::Number(Number { value, source }))
            }
            Detail::Text(recipe) if !recipe.patterns.is_empty() => {
                let aim = if dice::one_in(self.rng, 2) {
                    Aim::Shortest
                } else {
                    Aim::Longest
                };
                let text = patterned::extreme(recipe, aim, self.rng)?;
                Some(text_gene(recipe, text, source))
            }
            Detail::Text(recipe) => {
                let length = self.edge_length(recipe)?;
                let text = string::random(length, length, self.rng);
                recipe.fits(&text).then(|| text_gene(recipe, text, source))
            }
            _ => None,
        }
    }

    fn edge_length(&mut self, recipe: &StringRecipe) -> Option<usize> {
        const LONG: usize = 5000;
        let (min, max) = (recipe.min, recipe.max);
        let lengths = [min, min.saturating_add(1), max.saturating_sub(1), max];
        let usable: Vec<usize> = lengths
            .into_iter()
            .filter(|length| (min..=max).contains(length) && *length <= LONG)
            .collect();
        dice::pick(self.rng, &usable).copied()
    }

    fn special(&mut self, recipe: &Recipe) -> Option<Gene> {
        let Detail::Text(recipe) = &recipe.detail else {
            return None;
        };
        let odd = recipe.format.map_or(&[][..], |format| format.odd());
        let from = if odd.is_empty() {
            &string::SPECIAL[..]
        } else {
            odd
        };
        let text = *dice::pick(self.rng, from)?;
        recipe
            .fits(text)
            .then(|| text_gene(recipe, text.to_owned(), Source::Special))
    }

    fn random(&mut self, shape: &Shape, recipe: &Recipe) -> Option<Gene> {
        let source = Source::Random;
        match (&shape.kind, &recipe.detail) {
            (Kind::Null, _) => Some(Gene::Null(Source::Fixed)),
            (Kind::Boolean, _) => Some(boolean(dice::one_in(self.rng, 2))),
            (_, Detail::Members(members)) => (!members.is_empty()).then(|| {
                Gene::Enumerated(Enumerated::new(
                    members,
                    dice::index(self.rng, members.len()),
                ))
            }),
            (_, Detail::Whole(whole)) => {
                let value = whole.random(self.rng);
                Some(Gene::Integer(Integer { value, source }))
            }
            (_, Detail::Real(real)) => {
                let value = real.random(self.rng);
                Some(Gene::Number(Number { value, source }))
            }
            (_, Detail::Text(recipe)) => self.random_text(recipe),
            _ => None,
        }
    }

    fn random_text(&mut self, recipe: &StringRecipe) -> Option<Gene> {
        if let Some(format) = recipe.format {
            return self.formatted(recipe, |rng| format.sample(rng, Source::Random));
        }
        let text = if recipe.patterns.is_empty() {
            string::random(recipe.min, recipe.max, self.rng)
        } else {
            patterned::sample(recipe, Aim::Wide, self.rng)?
        };
        Some(text_gene(recipe, text, Source::Random))
    }

    /// Something to send when nothing fits: the document contradicts itself, or is beyond us.
    fn last_resort(&mut self, shape: &Shape, recipe: &Recipe) -> Gene {
        // An example that breaks its own schema is still what the author had in mind.
        if let Some(value) = shape.examples.first().or(shape.default.as_ref()) {
            return scalar_gene(recipe, value, Source::Example);
        }
        if shape.nullable {
            return Gene::Null(Source::Fixed);
        }
        match &recipe.detail {
            Detail::Text(recipe) => {
                let text = patterned::extreme(recipe, Aim::Shortest, self.rng);
                let text = text.unwrap_or_else(|| "a".repeat(recipe.min));
                text_gene(recipe, text, Source::Random)
            }
            _ => Gene::Cycle,
        }
    }
}

fn available(named: Named, detail: &Detail, recipe: &Recipe, pool: Option<&Pool>) -> Sources {
    let numeric = matches!(detail, Detail::Whole(_) | Detail::Real(_));
    let text = matches!(detail, Detail::Text(_));
    let set = matches!(detail, Detail::Members(_) | Detail::Plain);
    let in_pool = |has: fn(&Pool) -> bool| pool.is_some_and(has);
    Sources::default()
        .with(Source::Enum, set)
        .with(Source::Example, !recipe.examples.is_empty())
        .with(Source::Default, recipe.default.is_some())
        .with(Source::Seen, !set && in_pool(|pool| !pool.seen.is_empty()))
        .with(Source::Told, in_pool(|pool| !pool.told.is_empty()))
        .with(Source::Dictionary, in_pool(|pool| !pool.words.is_empty()))
        .with(
            Source::Named,
            text || (numeric && names::is_numeric(named.hint)),
        )
        .with(Source::Boundary, numeric || text)
        .with(Source::Special, text)
        .with(Source::Random, numeric || text)
        .with(
            Source::Harvested,
            in_pool(|pool| !pool.harvested.is_empty()),
        )
}

fn boolean(value: bool) -> Gene {
    Gene::Boolean(Boolean {
        value,
        source: Source::Enum,
    })
}

/// The gene of a text, by what its shape asks of it.
pub(crate) fn text_gene(recipe: &StringRecipe, text: String, source: Source) -> Gene {
    if let Some(format) = recipe.format {
        return format.typed(&text, source);
    }
    let text = Text { text, source };
    if recipe.patterns.is_empty() {
        Gene::String(text)
    } else {
        Gene::Pattern(text)
    }
}

/// The gene of a scalar value that fits its shape.
pub(crate) fn scalar_gene(recipe: &Recipe, value: &Value, source: Source) -> Gene {
    match (&recipe.detail, value) {
        (Detail::Text(recipe), Value::String(text)) => text_gene(recipe, text.clone(), source),
        (Detail::Members(members), value) => member(members, value, source),
        (_, value) => Gene::scalar(value, source),
    }
}

fn member(members: &Arc<[Value]>, value: &Value, source: Source) -> Gene {
    match members.iter().position(|member| member == value) {
        Some(at) => Gene::Enumerated(Enumerated::new(members, at)),
        None => Gene::scalar(value, source),
    }
}
