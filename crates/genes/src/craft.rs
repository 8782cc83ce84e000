//! The making itself: a maker together with what is known of the API's shapes.
//!
//! Valid by construction wherever the shape says everything; where it does not, a value is made
//! and confirmed, a bounded number of times. Depth and size are bounded too: whatever a schema
//! asks for, a value comes back.

use fossick_contract::{Api, Kind, Shape, ShapeId};
use fossick_validate::{Direction, Validators};

use crate::Rng;
use crate::depth::NEVER;
use crate::dice;
use crate::fits::is_scalar;
use crate::gene::Gene;
use crate::kinds::any;
use crate::maker::Manner;
use crate::names::Named;
use crate::recipe::{Detail, Recipe, Recipes};
use crate::source::Source;
use crate::values::Values;

/// Beyond this depth nothing optional is made.
pub(crate) const DEPTH: usize = 5;
/// No value is deeper than this, whatever is required.
const DEEPEST: usize = 48;

pub(crate) struct Craft<'a> {
    pub api: &'a Api,
    pub validators: &'a Validators,
    pub values: &'a Values,
    pub recipes: &'a Recipes,
    pub rng: &'a mut Rng,
    pub manner: Manner,
    /// How many more genes may be spent on optional parts.
    pub budget: usize,
    /// How many more genes may be made at all.
    pub limit: usize,
    /// How many confirmations we are inside of.
    pub nesting: usize,
    /// Something was made that no validator would confirm; whoever can do without it should.
    pub failed: bool,
}

impl<'a> Craft<'a> {
    pub(crate) fn recipe(&self, id: ShapeId) -> &'a Recipe {
        self.recipes.get(self.api, self.validators, id)
    }

    pub(crate) fn holds(&self, id: ShapeId, gene: &Gene) -> bool {
        self.validators
            .is_valid(Direction::Request, id, &gene.value())
    }

    pub(crate) fn sample(&mut self, named: Named, id: ShapeId, depth: usize) -> Gene {
        if self.api.shape(id).needs_check {
            self.confirmed(named, id, depth)
        } else {
            self.unconfirmed(named, id, depth)
        }
    }

    /// Makes until a validator agrees; then falls back on the document's own values.
    fn confirmed(&mut self, named: Named, id: ShapeId, depth: usize) -> Gene {
        // Inside another confirmation, patience would multiply.
        let tries = [90, 9][self.nesting.min(1)] / (self.nesting / 2 + 1);
        let (manner, budget, limit) = (self.manner, self.budget, self.limit);
        let failed = self.failed;
        self.nesting += 1;
        let mut made = Gene::Cycle;
        let mut good = false;
        for attempt in 0..tries {
            if attempt >= tries / 9 {
                self.manner = Manner::Varied;
            }
            (self.budget, self.limit) = (budget, limit);
            made = self.unconfirmed(named, id, depth);
            good = self.holds(id, &made);
            if good {
                break;
            }
        }
        self.nesting -= 1;
        self.manner = manner;
        self.failed = failed;
        if good {
            return made;
        }
        let recipe = self.recipe(id);
        let known = recipe
            .examples
            .first()
            .map(|value| (value, Source::Example));
        let known = known.or(recipe
            .default
            .as_ref()
            .map(|value| (value, Source::Default)));
        self.failed |= known.is_none();
        known.map_or(made, |(value, source)| Gene::Literal(value.clone(), source))
    }

    fn unconfirmed(&mut self, named: Named, id: ShapeId, depth: usize) -> Gene {
        let shape = self.api.shape(id);
        self.budget = self.budget.saturating_sub(1);
        self.limit = self.limit.saturating_sub(1);
        if shape.nullable && self.wants_null(shape, depth) {
            return Gene::Null(Source::Random);
        }
        if depth > DEEPEST || self.limit == 0 || (self.recipes.depth(id) == NEVER && depth > DEPTH)
        {
            return Gene::Cycle;
        }
        if is_scalar(&shape.kind) {
            return self.scalar(named, id);
        }
        if let Some(known) = self.known_whole(id, depth) {
            return known;
        }
        let recipe = self.recipe(id);
        match (&shape.kind, &recipe.detail) {
            (Kind::Array(array), _) => self.sample_array(named, array, depth),
            (Kind::Object(object), Detail::Object(recipe)) => {
                self.sample_object(object, recipe, depth)
            }
            (Kind::Choice(choice), _) => self.sample_choice(named, choice, depth),
            (Kind::Any, _) => any::sample(named.hint, self.manner != Manner::Varied, self.rng),
            (Kind::Opaque(_), _) => self.sample_opaque(id),
            _ => Gene::Cycle,
        }
    }

    /// Makes something that can be done without: none if it could not be confirmed.
    pub(crate) fn attempt<T>(&mut self, make: impl FnOnce(&mut Self) -> T) -> Option<T> {
        let failed = std::mem::replace(&mut self.failed, false);
        let made = make(self);
        let good = !self.failed;
        self.failed = failed;
        good.then_some(made)
    }

    fn wants_null(&mut self, shape: &Shape, depth: usize) -> bool {
        match self.manner {
            _ if depth >= DEPTH && !is_scalar(&shape.kind) => true,
            Manner::Varied => dice::one_in(self.rng, 12),
            Manner::Plausible | Manner::Full => false,
        }
    }

    /// An example or default for a value with parts, taken apart so that it can be changed.
    fn known_whole(&mut self, id: ShapeId, depth: usize) -> Option<Gene> {
        let recipe = self.recipe(id);
        let (value, source) = match self.manner {
            Manner::Plausible => match recipe.examples.first() {
                Some(example) => (example, Source::Example),
                None => (recipe.default.as_ref()?, Source::Default),
            },
            // What may be anything has no parts that could be filled in.
            Manner::Full if matches!(self.api.shape(id).kind, Kind::Any) => {
                (recipe.examples.first()?, Source::Example)
            }
            Manner::Full => return None,
            Manner::Varied => {
                let rarely = if matches!(self.api.shape(id).kind, Kind::Any) {
                    2
                } else {
                    6
                };
                if recipe.examples.is_empty() || !dice::one_in(self.rng, rarely) {
                    return None;
                }
                (dice::pick(self.rng, &recipe.examples)?, Source::Example)
            }
        };
        let gene = self.adopt(value, id, source, depth);
        // Leaving out what is read-only may have made it too small.
        self.holds(id, &gene).then_some(gene)
    }

    /// Small values of every kind, until the validator takes one.
    fn sample_opaque(&mut self, id: ShapeId) -> Gene {
        let candidates = any::candidates();
        let start = dice::index(self.rng, candidates.len());
        let turned = candidates[start..].iter().chain(&candidates[..start]);
        let ordered: Vec<_> = if self.manner == Manner::Varied {
            turned.collect()
        } else {
            candidates.iter().collect()
        };
        ordered
            .into_iter()
            .find(|value| self.validators.is_valid(Direction::Request, id, value))
            .map_or(Gene::Cycle, |value| Gene::scalar(value, Source::Random))
    }
}
