//! What is worked out once per shape, so that making a value costs only the value.
//!
//! Patterns are parsed, domains are cut to their multiples, examples are checked (documents often
//! carry examples that break their own schema), names are read for what they hint at.

use std::sync::{Arc, OnceLock};

use fossick_contract::{Api, Definitions, Kind, ObjectShape, Shape, ShapeId, StringShape};
use fossick_validate::{Direction, Validators};
use serde_json::Value;

use crate::depth;
use crate::fits;
use crate::kinds::format::Format;
use crate::kinds::{Real, Whole};
use crate::names::Named;
use crate::pattern::Pattern;
use crate::values::scalar_key;

/// All recipes of one API, each worked out when first asked for.
#[derive(Debug)]
pub(crate) struct Recipes {
    owner: Arc<Definitions>,
    depths: Vec<u32>,
    all: Vec<OnceLock<Recipe>>,
}

#[derive(Debug)]
pub(crate) struct Recipe {
    pub detail: Detail,
    /// Those of the document's examples that fit.
    pub examples: Vec<Arc<Value>>,
    /// The default, if it fits.
    pub default: Option<Arc<Value>>,
    /// Of a custom scalar that nobody has described: where values of its type are pooled.
    pub scalar: Option<u64>,
}

#[derive(Debug)]
pub(crate) enum Detail {
    Plain,
    Whole(Whole),
    Real(Real),
    Text(StringRecipe),
    Members(Arc<[Value]>),
    Object(ObjectRecipe),
}

#[derive(Debug)]
pub(crate) struct StringRecipe {
    pub min: usize,
    pub max: usize,
    pub format: Option<Format>,
    pub patterns: Vec<Pattern>,
}

#[derive(Debug)]
pub(crate) struct ObjectRecipe {
    /// What is known of each declared property, in their order.
    pub known: Vec<Known>,
    pub patterns: Vec<(Pattern, ShapeId)>,
}

#[derive(Debug, Clone, Copy)]
pub(crate) struct Known {
    pub named: Named,
    pub read_only: bool,
    /// A value of it can exist.
    pub possible: bool,
    pub exemplified: bool,
}

/// A string that asks for more than this is made this long: memory is not the document's to give.
const LONGEST: usize = 100_000;

impl Recipes {
    pub(crate) fn of(api: &Api) -> Self {
        Self {
            owner: Arc::clone(&api.schemas.request),
            depths: depth::least(api),
            all: (0..api.shapes.len()).map(|_| OnceLock::new()).collect(),
        }
    }

    /// Whether these are the recipes of this very API.
    pub(crate) fn belong_to(&self, api: &Api) -> bool {
        Arc::ptr_eq(&self.owner, &api.schemas.request) && self.all.len() == api.shapes.len()
    }

    pub(crate) fn get(&self, api: &Api, validators: &Validators, id: ShapeId) -> &Recipe {
        self.all[id.0 as usize].get_or_init(|| Recipe::of(api, Some(validators), &self.depths, id))
    }

    pub(crate) fn depth(&self, id: ShapeId) -> u32 {
        self.depths
            .get(id.0 as usize)
            .copied()
            .unwrap_or(depth::NEVER)
    }
}

impl Recipe {
    /// The recipe of a scalar that no document declares in this very form.
    pub(crate) fn of_scalar(api: &Api, shape: &Shape) -> Self {
        let detail = Detail::of(api, shape, &[]);
        let fitting = |value: &&Value| fits::fits(shape, &detail, value);
        Self {
            examples: shape
                .examples
                .iter()
                .filter(fitting)
                .cloned()
                .map(Arc::new)
                .collect(),
            default: shape
                .default
                .as_ref()
                .filter(fitting)
                .cloned()
                .map(Arc::new),
            scalar: None,
            detail,
        }
    }

    /// Without validators, examples of arrays and objects are left out.
    pub(crate) fn of(
        api: &Api,
        validators: Option<&Validators>,
        depths: &[u32],
        id: ShapeId,
    ) -> Self {
        let shape = api.shape(id);
        let detail = Detail::of(api, shape, depths);
        let valid = |value: &Value| match validators {
            Some(validators) if shape.needs_check || !fits::is_scalar(&shape.kind) => {
                validators.is_valid(Direction::Request, id, value)
            }
            _ => fits::is_scalar(&shape.kind) && fits::fits(shape, &detail, value),
        };
        let examples = shape
            .examples
            .iter()
            .filter(|v| valid(v))
            .cloned()
            .map(Arc::new);
        let default = shape
            .default
            .as_ref()
            .filter(|v| valid(v))
            .cloned()
            .map(Arc::new);
        Self {
            examples: examples.collect(),
            default,
            scalar: undescribed(api, shape),
            detail,
        }
    }
}

/// A text with a type of its own and no word on what it looks like: learned from answers.
fn undescribed(api: &Api, shape: &Shape) -> Option<u64> {
    let Kind::String(string) = &shape.kind else {
        return None;
    };
    let name = shape.name.as_deref().filter(|_| api.is_graphql())?;
    let known = string.format.is_some() || matches!(name, "String" | "ID");
    (!known).then(|| scalar_key(name))
}

impl Detail {
    fn of(api: &Api, shape: &Shape, depths: &[u32]) -> Self {
        match &shape.kind {
            Kind::Integer(number) => Self::Whole(Whole::of(api, shape, number)),
            Kind::Number(number) => Self::Real(Real::of(number)),
            Kind::String(string) => Self::Text(StringRecipe::of(string)),
            Kind::Enum(members) => Self::Members(members.as_slice().into()),
            Kind::Object(object) => Self::Object(ObjectRecipe::of(api, object, depths)),
            _ => Self::Plain,
        }
    }
}

impl StringRecipe {
    fn of(string: &StringShape) -> Self {
        Self {
            min: string.min_length.min(LONGEST),
            max: string.max_length.unwrap_or(usize::MAX),
            format: string.format.as_deref().map(Format::of),
            patterns: string.patterns.iter().map(Pattern::new).collect(),
        }
    }

    pub(crate) fn fits(&self, text: &str) -> bool {
        self.fits_length(text)
            && self.format.is_none_or(|format| format.fits(text))
            && self.patterns.iter().all(|pattern| pattern.matches(text))
    }

    fn fits_length(&self, text: &str) -> bool {
        // Bytes are never fewer than characters, so most texts need no counting.
        let sure = self.min == 0 && text.len() <= self.max;
        sure || (self.min..=self.max).contains(&text.chars().count())
    }

    /// Whether lengths or patterns could refuse a text of the right format.
    pub(crate) fn is_narrow(&self) -> bool {
        self.min > 0 || self.max < usize::MAX || !self.patterns.is_empty()
    }
}

impl ObjectRecipe {
    fn of(api: &Api, object: &ObjectShape, depths: &[u32]) -> Self {
        let known = |property: &fossick_contract::Property| {
            let shape = api.shape(property.shape);
            Known {
                named: Named::of(&property.name),
                read_only: shape.read_only,
                possible: depths.get(property.shape.0 as usize) != Some(&depth::NEVER),
                exemplified: !shape.examples.is_empty(),
            }
        };
        Self {
            known: object.properties.iter().map(known).collect(),
            patterns: object
                .patterns
                .iter()
                .map(|(pattern, id)| (Pattern::new(pattern), *id))
                .collect(),
        }
    }
}
