//! One of several shapes: `oneOf`, `anyOf`, a list of types.

use fossick_contract::{Choice as ChoiceShape, ShapeId};
use serde_json::Value;

use crate::craft::{Craft, DEPTH};
use crate::depth::NEVER;
use crate::dice;
use crate::gene::{Field, Gene};
use crate::maker::Manner;
use crate::names::Named;
use crate::source::Source;

#[derive(Debug, Clone, PartialEq)]
pub struct Choice {
    /// Which of the shape's options.
    pub option: u32,
    pub gene: Box<Gene>,
}

impl Choice {
    pub(crate) fn new(option: usize, gene: Gene) -> Self {
        Self {
            option: option as u32,
            gene: Box::new(gene),
        }
    }

    /// Makes the discriminator say which option this is, and keeps it from changing.
    pub(crate) fn pin(&mut self, shape: &ChoiceShape) {
        let Some(discriminator) = &shape.discriminator else {
            return;
        };
        let Some(value) = discriminator.values.get(self.option as usize) else {
            return;
        };
        let value = Value::String(value.to_string());
        let pinned = Gene::literal(value, Source::Fixed).bound();
        pin_field(&mut self.gene, &discriminator.property, pinned);
    }
}

fn pin_field(gene: &mut Gene, name: &std::sync::Arc<str>, pinned: Gene) {
    match gene {
        Gene::Choice(choice) => pin_field(&mut choice.gene, name, pinned),
        Gene::Disruptive(inner) => pin_field(inner, name, pinned),
        Gene::Object(fields) | Gene::Map(fields) => {
            match fields.iter_mut().find(|field| field.name == *name) {
                Some(field) => field.gene = pinned,
                None => fields.push(Field {
                    name: name.clone(),
                    gene: pinned,
                }),
            }
        }
        _ => {}
    }
}

impl Craft<'_> {
    pub(crate) fn sample_choice(
        &mut self,
        named: Named,
        choice: &ChoiceShape,
        depth: usize,
    ) -> Gene {
        match self.option(choice, depth) {
            Some(option) => self.sample_option(named, choice, option, depth),
            None => Gene::Cycle,
        }
    }

    pub(crate) fn sample_option(
        &mut self,
        named: Named,
        choice: &ChoiceShape,
        option: usize,
        depth: usize,
    ) -> Gene {
        let Some(id) = choice.options.get(option) else {
            return Gene::Cycle;
        };
        let mut made = Choice::new(option, self.sample(named, *id, depth + 1));
        made.pin(choice);
        Gene::Choice(made)
    }

    fn option(&mut self, choice: &ChoiceShape, depth: usize) -> Option<usize> {
        let possible = |id: &ShapeId| self.recipes.depth(*id) != NEVER;
        let deep = if self.manner == Manner::Plausible {
            2
        } else {
            DEPTH
        };
        let shallow = depth >= deep || self.budget == 0;
        if shallow {
            let options = choice.options.iter().enumerate();
            return options
                .min_by_key(|(_, id)| self.recipes.depth(**id))
                .map(|(at, _)| at);
        }
        match self.manner {
            Manner::Plausible | Manner::Full => choice.options.iter().position(possible),
            Manner::Varied => {
                let count = choice.options.iter().filter(|id| possible(id)).count();
                let wanted = dice::index(self.rng, count);
                let options = choice.options.iter().enumerate();
                let mut possible = options.filter(|(_, id)| self.recipes.depth(**id) != NEVER);
                possible.nth(wanted).map(|(at, _)| at)
            }
        }
    }
}
