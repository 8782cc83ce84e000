//! Values that break exactly one constraint, on purpose.
//!
//! A valid value is made with every optional part; then one constraint at a time is broken, at
//! every place of it, and a validator confirms that this constraint and no other is broken.
//! Nothing unconfirmed leaves here.

mod parts;
mod scalars;
mod text;

use fossick_contract::{Kind, ShapeId};
use fossick_validate::{Direction, Problem};
use serde_json::Value;

use crate::craft::Craft;
use crate::gene::Gene;
use crate::kinds::array::item_shape;
use crate::kinds::map::field_shape;
use crate::maker::{Maker, Manner};
use crate::names::Named;
use crate::pointer;
use crate::recipe::Detail;

pub use text::text_breakages;

/// One way to break exactly one constraint.
#[derive(Debug, Clone, PartialEq)]
pub struct Breakage {
    /// Where: a JSON pointer into the value.
    pub pointer: String,
    /// Which: the keyword of JSON Schema.
    pub constraint: String,
    /// How, in words: `0 is below the minimum 1`.
    pub detail: String,
    /// The whole value, broken.
    pub value: Value,
}

/// A part of a value that would break one constraint there.
pub(crate) struct Break {
    pub constraint: &'static str,
    pub detail: String,
    pub value: Value,
}

impl Break {
    pub(crate) fn new(
        constraint: &'static str,
        detail: impl Into<String>,
        value: impl Into<Value>,
    ) -> Self {
        Self {
            constraint,
            detail: detail.into(),
            value: value.into(),
        }
    }
}

/// A place in a valid value.
pub(crate) struct Spot<'g> {
    pub pointer: String,
    pub shape: ShapeId,
    pub gene: &'g Gene,
    /// The name of the property that holds it.
    pub named: Named,
}

/// No more than these are given for one value.
const MOST: usize = 400;
const DEEPEST: usize = 6;

pub fn breakages(maker: &mut Maker<'_>, name: &str, shape: ShapeId) -> Vec<Breakage> {
    let base = base(maker, name, shape);
    breakages_of(maker, name, shape, &base)
}

/// The same for a value that is there: each breaks one constraint at one of its places.
pub fn breakages_of(
    maker: &mut Maker<'_>,
    name: &str,
    shape: ShapeId,
    base: &Gene,
) -> Vec<Breakage> {
    maker.craft(|craft| {
        let whole = base.value();
        let mut spots = Vec::new();
        collect_spots(
            craft,
            base,
            shape,
            Named::of(name),
            &mut String::new(),
            &mut spots,
        );
        let mut found = Vec::new();
        for spot in spots {
            for broken in craft.breaks_at(&spot) {
                found.extend(confirm(craft, shape, &whole, &spot.pointer, broken));
                if found.len() >= MOST {
                    return found;
                }
            }
        }
        found
    })
}

/// A valid value with as much in it as there can be.
fn base(maker: &mut Maker<'_>, name: &str, shape: ShapeId) -> Gene {
    let manner = maker.manner;
    for wanted in [Manner::Full, Manner::Plausible, Manner::Varied] {
        maker.manner = wanted;
        let gene = maker.sample(name, shape);
        if maker.is_valid(&gene, shape) {
            maker.manner = manner;
            return gene;
        }
    }
    maker.manner = manner;
    Gene::Cycle
}

/// Every place of the value with its shape, parents before their parts.
fn collect_spots<'g>(
    craft: &Craft<'_>,
    gene: &'g Gene,
    id: ShapeId,
    named: Named,
    place: &mut String,
    spots: &mut Vec<Spot<'g>>,
) {
    let shape = craft.api.shape(id);
    if let (Gene::Choice(choice), Kind::Choice(shape)) = (gene, &shape.kind) {
        // The place is judged by the shape of the option.
        if let Some(id) = shape.options.get(choice.option as usize) {
            collect_spots(craft, &choice.gene, *id, named, place, spots);
        }
        return;
    }
    spots.push(Spot {
        pointer: place.clone(),
        shape: id,
        gene,
        named,
    });
    if pointer::tokens(place).count() >= DEEPEST {
        return;
    }
    for (token, gene, id) in parts(craft, gene, id) {
        crate::gene::below(place, &token, |place| {
            let named = match shape.kind {
                Kind::Array(_) => named,
                _ => Named::of(&token),
            };
            collect_spots(craft, gene, id, named, place, spots);
        });
    }
}

/// The fields or items of a gene, with their shapes.
fn parts<'g>(craft: &Craft<'_>, gene: &'g Gene, id: ShapeId) -> Vec<(String, &'g Gene, ShapeId)> {
    let recipe = craft.recipe(id);
    match (gene, &craft.api.shape(id).kind, &recipe.detail) {
        (
            Gene::Object(fields) | Gene::Map(fields),
            Kind::Object(object),
            Detail::Object(recipe),
        ) => fields
            .iter()
            .filter_map(|field| {
                let id = field_shape(object, recipe, &field.name)?;
                Some((field.name.to_string(), &field.gene, id))
            })
            .collect(),
        // The first item stands for all that share its shape.
        (Gene::Array(items), Kind::Array(array), _) => items
            .iter()
            .enumerate()
            .take(array.prefix.len() + 1)
            .filter_map(|(at, item)| Some((at.to_string(), item, item_shape(array, at)?)))
            .collect(),
        _ => Vec::new(),
    }
}

impl Craft<'_> {
    fn breaks_at(&mut self, spot: &Spot<'_>) -> Vec<Break> {
        let shape = self.api.shape(spot.shape);
        let mut found = match &shape.kind {
            Kind::Object(object) => self.object_breaks(object, spot),
            Kind::Array(array) => self.array_breaks(array, spot),
            Kind::Any | Kind::Never | Kind::Opaque(_) | Kind::Choice(_) => Vec::new(),
            _ => self.scalar_breaks(shape, spot),
        };
        found.extend(scalars::type_breaks(shape));
        found
    }
}

/// The whole value with the broken part in place, if exactly that is then wrong with it.
fn confirm(
    craft: &Craft<'_>,
    root: ShapeId,
    whole: &Value,
    place: &str,
    broken: Break,
) -> Option<Breakage> {
    let mut value = whole.clone();
    *value.pointer_mut(place)? = broken.value;
    let problems = craft.validators.problems(Direction::Request, root, &value);
    is_only(&problems, place, broken.constraint).then(|| Breakage {
        pointer: place.to_owned(),
        constraint: keyword(&problems, broken.constraint),
        detail: broken.detail,
        value,
    })
}

/// Whether all problems are this one. A choice around the place reports itself instead of the
/// constraint inside it, at the place or above.
fn is_only(problems: &[Problem], place: &str, constraint: &str) -> bool {
    let wrapped = |problem: &Problem| {
        matches!(problem.keyword.as_str(), "anyOf" | "oneOf" | "type")
            && (problem.at == place || place.starts_with(&format!("{}/", problem.at)))
            && (problem.keyword != "type" || constraint == "type")
    };
    let plain =
        |problem: &Problem| problem.at == place && same_constraint(&problem.keyword, constraint);
    !problems.is_empty()
        && (problems.iter().all(plain) || problems.iter().all(|p| plain(p) || wrapped(p)))
}

/// Keywords that say the same thing in two ways.
fn same_constraint(found: &str, meant: &str) -> bool {
    found == meant
        || matches!(
            (found, meant),
            ("const", "enum")
                | ("exclusiveMinimum", "minimum")
                | ("exclusiveMaximum", "maximum")
                | (
                    "unevaluatedProperties" | "propertyNames",
                    "additionalProperties"
                )
                | ("enum" | "const", "type")
        )
}

/// The name that the schema itself has for the constraint.
fn keyword(problems: &[Problem], meant: &'static str) -> String {
    problems
        .iter()
        .find(|problem| same_constraint(&problem.keyword, meant))
        .map_or_else(|| meant.to_owned(), |problem| problem.keyword.clone())
}
