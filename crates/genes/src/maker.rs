//! The front door: makes genes from shapes.

use fossick_contract::{Api, ShapeId};
use fossick_validate::Validators;
use serde_json::Value;

use crate::Rng;
use crate::craft::Craft;
use crate::gene::Gene;
use crate::names::Named;
use crate::recipe::Recipes;
use crate::slots::{self, Slot};
use crate::source::Source;
use crate::values::Values;

/// How values are chosen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Manner {
    /// The likeliest to be accepted: what is required, and what the document has examples for.
    Plausible,
    /// Plausible values, and every optional field down to some depth.
    Full,
    /// Sources compete; optional fields come by chance.
    Varied,
}

/// Makes values of shapes, valid for a request by construction.
pub struct Maker<'a> {
    pub api: &'a Api,
    pub validators: &'a Validators,
    pub values: &'a Values,
    pub rng: &'a mut Rng,
    pub manner: Manner,
}

/// The most genes that optional parts may add to one value.
const BUDGET: usize = 300;
/// The most genes of one value, required ones included: a schema may require more than there is
/// memory for.
const LIMIT: usize = 20_000;

impl Maker<'_> {
    /// A new value. The name is that of the parameter or property it is meant for.
    pub fn sample(&mut self, name: &str, shape: ShapeId) -> Gene {
        self.craft(|craft| craft.sample(Named::of(name), shape, 0))
    }

    /// One small step: each gene changes with probability 1/k of k genes, and at least one does
    /// if any can. The value stays valid.
    pub fn mutate(&mut self, gene: &mut Gene, name: &str, shape: ShapeId) {
        self.craft(|craft| craft.mutate(gene, Named::of(name), shape));
    }

    /// Simpler values that are still valid, the simplest first. Each is strictly simpler in an
    /// order without endless descent, so whoever follows them arrives.
    pub fn simpler(&mut self, gene: &Gene, name: &str, shape: ShapeId) -> Vec<Gene> {
        self.craft(|craft| craft.simpler(gene, Named::of(name), shape))
    }

    /// The scalar places of a value of this shape.
    pub fn slots(&self, shape: ShapeId) -> Vec<Slot> {
        slots::slots(self.api, shape)
    }

    /// The places of a value of this shape that have parts themselves: objects and lists.
    pub fn parts(&self, shape: ShapeId) -> Vec<Slot> {
        slots::parts(self.api, shape)
    }

    /// A gene with the value at a pointer. Optional parts on the way there are made plausibly;
    /// none if the shape has no such place.
    pub fn with(
        &mut self,
        name: &str,
        shape: ShapeId,
        base: &Gene,
        pointer: &str,
        value: Value,
        source: Source,
    ) -> Option<Gene> {
        self.with_gene(name, shape, base, pointer, Gene::literal(value, source))
    }

    /// The same with something that has parts of its own.
    pub fn with_gene(
        &mut self,
        name: &str,
        shape: ShapeId,
        base: &Gene,
        pointer: &str,
        new: Gene,
    ) -> Option<Gene> {
        let mut gene = base.clone();
        let placed = self.craft(|craft| {
            craft.manner = Manner::Plausible;
            craft.place(&mut gene, Named::of(name), shape, pointer, new)
        });
        placed.then_some(gene)
    }

    /// The gene of a value that somebody else made, so that it can be changed piece by piece.
    pub fn adopt(&mut self, value: &Value, shape: ShapeId, source: Source) -> Gene {
        self.craft(|craft| craft.adopt(value, shape, source, 0))
    }

    /// Whether a gene is valid for a request.
    pub fn is_valid(&self, gene: &Gene, shape: ShapeId) -> bool {
        self.validators
            .is_valid(fossick_validate::Direction::Request, shape, &gene.value())
    }

    pub(crate) fn craft<T>(&mut self, work: impl FnOnce(&mut Craft<'_>) -> T) -> T {
        let own;
        let recipes = if let Some(recipes) = self.values.recipes(self.api) {
            recipes
        } else {
            // The values belong to another API: work everything out afresh rather than mix.
            own = Recipes::of(self.api);
            &own
        };
        let mut craft = Craft {
            api: self.api,
            validators: self.validators,
            values: self.values,
            recipes,
            rng: self.rng,
            manner: self.manner,
            budget: BUDGET,
            limit: LIMIT,
            nesting: 0,
            failed: false,
        };
        work(&mut craft)
    }
}
