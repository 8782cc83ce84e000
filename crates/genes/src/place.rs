//! Puts a gene at a pointer, making what is missing on the way there.

use fossick_contract::{ArrayShape, Choice as ChoiceShape, Kind, ObjectShape, ShapeId};

use crate::craft::Craft;
use crate::gene::{Field, Gene};
use crate::kinds::array::item_shape;
use crate::kinds::map::{field_place, field_shape};
use crate::names::Named;
use crate::pointer;
use crate::recipe::Detail;

/// No pointer is followed further than this, nor are choices that lead to choices.
const DEEPEST: usize = 32;

/// How many shapes are looked at to find an option that has a place.
const STEPS: usize = 500;

/// What is left of an errand: the way still to go, and what to leave there.
struct Errand<'t> {
    tokens: &'t [String],
    new: Gene,
    depth: usize,
}

impl<'t> Errand<'t> {
    fn one_further(self) -> Option<(&'t str, Self)> {
        let (token, tokens) = self.tokens.split_first()?;
        let rest = Self {
            tokens,
            new: self.new,
            depth: self.depth + 1,
        };
        Some((token, rest))
    }

    fn deeper(self) -> Self {
        Self {
            depth: self.depth + 1,
            ..self
        }
    }
}

impl Craft<'_> {
    /// False if the shape has no such place; the gene is then not to be used.
    pub(crate) fn place(
        &mut self,
        gene: &mut Gene,
        named: Named,
        id: ShapeId,
        pointer: &str,
        new: Gene,
    ) -> bool {
        let tokens: Vec<String> = pointer::tokens(pointer).collect();
        let errand = Errand {
            tokens: &tokens,
            new,
            depth: 0,
        };
        tokens.len() <= DEEPEST && self.run(gene, named, id, errand)
    }

    fn run(&mut self, gene: &mut Gene, named: Named, id: ShapeId, errand: Errand<'_>) -> bool {
        if errand.tokens.is_empty() {
            *gene = errand.new;
            return true;
        }
        if errand.depth > 2 * DEEPEST {
            return false;
        }
        self.open_up(gene, id, errand.depth);
        let shape = self.api.shape(id);
        match &shape.kind {
            Kind::Object(object) => {
                if !matches!(gene, Gene::Object(_) | Gene::Map(_)) {
                    self.remake(gene, named, id);
                }
                self.run_in_object(gene, object, id, errand)
            }
            Kind::Array(array) => {
                if !matches!(gene, Gene::Array(_)) {
                    self.remake(gene, named, id);
                }
                self.run_in_array(gene, named, array, errand)
            }
            Kind::Choice(choice) => self.run_in_choice(gene, named, choice, errand),
            _ => false,
        }
    }

    /// Takes a literal apart, and looks behind a binding: whoever sets a value means it.
    fn open_up(&mut self, gene: &mut Gene, id: ShapeId, depth: usize) {
        while let Gene::Disruptive(inner) = gene {
            *gene = std::mem::replace(inner, Gene::Cycle);
        }
        if let Gene::Literal(value, source) = gene {
            *gene = self.adopt(value, id, *source, depth);
        }
    }

    /// Makes a value with parts where null, or a cut-off cycle, stands.
    fn remake(&mut self, gene: &mut Gene, named: Named, id: ShapeId) {
        *gene = self.sample(named, id, 1);
        self.open_up(gene, id, 1);
    }

    fn run_in_object(
        &mut self,
        gene: &mut Gene,
        object: &ObjectShape,
        id: ShapeId,
        errand: Errand<'_>,
    ) -> bool {
        let Detail::Object(recipe) = &self.recipe(id).detail else {
            return false;
        };
        let (Gene::Object(fields) | Gene::Map(fields)) = gene else {
            return false;
        };
        let Some((token, rest)) = errand.one_further() else {
            return false;
        };
        let place = field_place(object, recipe, token);
        let at = fields.iter().position(|field| &*field.name == token);
        let at = at.unwrap_or_else(|| {
            let gene = match place {
                Some((id, named)) if !rest.tokens.is_empty() => self.sample(named, id, 1),
                _ => Gene::Cycle,
            };
            fields.push(Field {
                name: token.into(),
                gene,
            });
            fields.len() - 1
        });
        match place {
            Some((id, named)) => self.run(&mut fields[at].gene, named, id, rest),
            None if rest.tokens.is_empty() => {
                fields[at].gene = rest.new;
                true
            }
            None => false,
        }
    }

    fn run_in_array(
        &mut self,
        gene: &mut Gene,
        named: Named,
        array: &ArrayShape,
        errand: Errand<'_>,
    ) -> bool {
        const FURTHEST: usize = 100;
        let Gene::Array(items) = gene else {
            return false;
        };
        let Some((token, rest)) = errand.one_further() else {
            return false;
        };
        let Some(at) = token.parse().ok().filter(|at: &usize| *at < FURTHEST) else {
            return false;
        };
        while items.len() <= at {
            let Some(id) = item_shape(array, items.len()) else {
                return false;
            };
            let item = self.new_item(named, id, items, array.unique, 0);
            items.push(item.unwrap_or(Gene::Cycle));
        }
        item_shape(array, at).is_some_and(|id| self.run(&mut items[at], named, id, rest))
    }

    /// Stays with the option at hand if it has the place, else takes the first that does.
    fn run_in_choice(
        &mut self,
        gene: &mut Gene,
        named: Named,
        shape: &ChoiceShape,
        errand: Errand<'_>,
    ) -> bool {
        let has_place = |id: &ShapeId| self.has_place(*id, errand.tokens, &mut { STEPS });
        let at_hand = match gene {
            Gene::Choice(choice) => shape.options.get(choice.option as usize),
            _ => None,
        };
        if !at_hand.is_some_and(has_place) {
            let Some(option) = shape.options.iter().position(has_place) else {
                return false;
            };
            *gene = self.sample_option(named, shape, option, 1);
        }
        let Gene::Choice(choice) = gene else {
            return false;
        };
        match shape.options.get(choice.option as usize) {
            Some(id) => self.run(&mut choice.gene, named, *id, errand.deeper()),
            None => false,
        }
    }

    /// Whether values of a shape can have something at these tokens, as far as a number of steps
    /// can tell: choices may lead back to themselves.
    fn has_place(&self, id: ShapeId, tokens: &[String], steps: &mut usize) -> bool {
        let Some((token, rest)) = tokens.split_first() else {
            return true;
        };
        if *steps == 0 {
            return false;
        }
        *steps -= 1;
        let recipe = self.recipe(id);
        match (&self.api.shape(id).kind, &recipe.detail) {
            (Kind::Object(object), Detail::Object(recipe)) => {
                field_shape(object, recipe, token).is_some_and(|id| self.has_place(id, rest, steps))
            }
            (Kind::Array(array), _) => token
                .parse()
                .ok()
                .and_then(|at| item_shape(array, at))
                .is_some_and(|id| self.has_place(id, rest, steps)),
            (Kind::Choice(choice), _) => choice
                .options
                .iter()
                .any(|id| self.has_place(*id, tokens, steps)),
            _ => false,
        }
    }
}
