//! Puts a gene at a pointer, making what is missing on the way there.

use fossick_contract::{ArrayShape, Choice as ChoiceShape, Kind, ObjectShape, ShapeId};

use crate::craft::Craft;
use crate::gene::{Field, Gene};
use crate::kinds::array::item_shape;
use crate::kinds::map::field_shape;
use crate::names::Named;
use crate::pointer;
use crate::recipe::Detail;

/// No pointer is followed further than this.
const DEEPEST: usize = 32;

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
        tokens.len() <= DEEPEST && self.place_at(gene, named, id, &tokens, new, 0)
    }

    fn place_at(
        &mut self,
        gene: &mut Gene,
        named: Named,
        id: ShapeId,
        tokens: &[String],
        new: Gene,
        depth: usize,
    ) -> bool {
        let Some((token, rest)) = tokens.split_first() else {
            *gene = new;
            return true;
        };
        if depth > 2 * DEEPEST {
            return false;
        }
        self.open_up(gene, id, depth);
        let shape = self.api.shape(id);
        match &shape.kind {
            Kind::Object(object) => {
                self.ensure(gene, named, id, depth, |gene| {
                    matches!(gene, Gene::Object(_) | Gene::Map(_))
                });
                self.place_field(gene, object, id, token, rest, new, depth)
            }
            Kind::Array(array) => {
                self.ensure(gene, named, id, depth, |gene| {
                    matches!(gene, Gene::Array(_))
                });
                self.place_item(gene, named, array, token, rest, new, depth)
            }
            Kind::Choice(choice) => self.place_in_choice(gene, named, choice, tokens, new, depth),
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

    /// Makes a gene of the right kind where another stands (null, or a cut-off cycle).
    fn ensure(
        &mut self,
        gene: &mut Gene,
        named: Named,
        id: ShapeId,
        depth: usize,
        is_right: fn(&Gene) -> bool,
    ) {
        if !is_right(gene) {
            *gene = self.sample(named, id, depth.min(2));
            self.open_up(gene, id, depth);
        }
    }

    #[expect(
        clippy::too_many_arguments,
        reason = "one step of a walk that carries its whole state"
    )]
    fn place_field(
        &mut self,
        gene: &mut Gene,
        object: &ObjectShape,
        id: ShapeId,
        token: &str,
        rest: &[String],
        new: Gene,
        depth: usize,
    ) -> bool {
        let Detail::Object(recipe) = &self.recipe(id).detail else {
            return false;
        };
        let (Gene::Object(fields) | Gene::Map(fields)) = gene else {
            return false;
        };
        let shape = field_shape(object, recipe, token);
        let named = Named::of(token);
        let at = match fields.iter().position(|field| &*field.name == token) {
            Some(at) => at,
            None => {
                let gene = match shape {
                    _ if rest.is_empty() => Gene::Cycle,
                    Some(id) => self.sample(named, id, 1),
                    None => return false,
                };
                fields.push(Field {
                    name: token.into(),
                    gene,
                });
                fields.len() - 1
            }
        };
        match shape {
            Some(id) => self.place_at(&mut fields[at].gene, named, id, rest, new, depth + 1),
            None if rest.is_empty() => {
                fields[at].gene = new;
                true
            }
            None => false,
        }
    }

    #[expect(
        clippy::too_many_arguments,
        reason = "one step of a walk that carries its whole state"
    )]
    fn place_item(
        &mut self,
        gene: &mut Gene,
        named: Named,
        array: &ArrayShape,
        token: &str,
        rest: &[String],
        new: Gene,
        depth: usize,
    ) -> bool {
        const FURTHEST: usize = 100;
        let Gene::Array(items) = gene else {
            return false;
        };
        let Some(at) = token.parse::<usize>().ok().filter(|at| *at < FURTHEST) else {
            return false;
        };
        while items.len() <= at {
            let Some(id) = item_shape(array, items.len()) else {
                return false;
            };
            let item = self.new_item(named, id, items, array.unique, 0);
            items.push(item.unwrap_or(Gene::Cycle));
        }
        match item_shape(array, at) {
            Some(id) => self.place_at(&mut items[at], named, id, rest, new, depth + 1),
            None => false,
        }
    }

    /// Stays with the option at hand if it has the place, else takes the first that does.
    fn place_in_choice(
        &mut self,
        gene: &mut Gene,
        named: Named,
        shape: &ChoiceShape,
        tokens: &[String],
        new: Gene,
        depth: usize,
    ) -> bool {
        if let Gene::Choice(choice) = gene
            && let Some(id) = shape.options.get(choice.option as usize)
            && self.has_place(*id, tokens, 0)
        {
            return self.place_at(&mut choice.gene, named, *id, tokens, new, depth + 1);
        }
        let Some(option) = shape
            .options
            .iter()
            .position(|id| self.has_place(*id, tokens, 0))
        else {
            return false;
        };
        *gene = self.sample_option(named, shape, option, 1);
        match gene {
            Gene::Choice(choice) => {
                let id = shape.options[option];
                self.place_at(&mut choice.gene, named, id, tokens, new, depth + 1)
            }
            _ => false,
        }
    }

    /// Whether values of a shape can have something at these tokens.
    fn has_place(&self, id: ShapeId, tokens: &[String], depth: usize) -> bool {
        let Some((token, rest)) = tokens.split_first() else {
            return true;
        };
        if depth > DEEPEST {
            return false;
        }
        let recipe = self.recipe(id);
        match (&self.api.shape(id).kind, &recipe.detail) {
            (Kind::Object(object), Detail::Object(recipe)) => field_shape(object, recipe, token)
                .is_some_and(|id| self.has_place(id, rest, depth + 1)),
            (Kind::Array(array), _) => token
                .parse()
                .ok()
                .and_then(|at| item_shape(array, at))
                .is_some_and(|id| self.has_place(id, rest, depth + 1)),
            (Kind::Choice(choice), _) => choice
                .options
                .iter()
                .any(|id| self.has_place(*id, tokens, depth + 1)),
            _ => false,
        }
    }
}
