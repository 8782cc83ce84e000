//! Values worth trying at a scalar place, the most telling first; valid ones only.
//!
//! Faults gather at edges, in small domains that somebody enumerated with a gap, and in characters
//! that mean something to the next program. All of that can be tried in order, without luck.

mod moments;
mod numbers;
mod quoted;
mod texts;

use fossick_contract::{Api, Kind, Parameter, Shape, ShapeId};
use fossick_trace::Class;
use fossick_validate::{Direction, Validators};
use rand::SeedableRng as _;
use serde_json::Value;

use crate::Rng;
use crate::fits::{is_scalar, same};
use crate::kinds::any;
use crate::names;
use crate::recipe::{Detail, Recipe};
use crate::source::Source;

use moments::{Said, moments};
pub use texts::is_path_safe;

#[derive(Debug, Clone, PartialEq)]
pub struct Landmark {
    pub value: Value,
    pub class: Option<Class>,
    pub source: Source,
}

impl Landmark {
    pub(crate) fn new(value: impl Into<Value>, source: Source) -> Self {
        Self {
            value: value.into(),
            class: None,
            source,
        }
    }

    pub(crate) fn of_class(mut self, class: Class) -> Self {
        self.class = Some(class);
        self
    }
}

/// The landmarks of a scalar place. A place that may be of several scalar shapes has those of all.
pub fn landmarks(api: &Api, shape: ShapeId, name: &str) -> Vec<Landmark> {
    let place = Place {
        name,
        said: Said::default(),
    };
    of_place(api, shape, place)
}

/// The landmarks of a parameter, of which more may be said than of its shape.
pub fn parameter_landmarks(api: &Api, parameter: &Parameter) -> Vec<Landmark> {
    let place = Place {
        name: &parameter.name,
        said: Said {
            description: &parameter.description,
            examples: &parameter.examples,
        },
    };
    of_place(api, parameter.shape, place)
}

/// What a place is called, and what is said of it beside its shape.
#[derive(Clone, Copy)]
struct Place<'a> {
    name: &'a str,
    said: Said<'a>,
}

fn of_place(api: &Api, shape: ShapeId, place: Place<'_>) -> Vec<Landmark> {
    let mut found = Vec::new();
    collect(api, shape, place, 0, &mut found);
    distinct(found)
}

fn collect(api: &Api, id: ShapeId, place: Place<'_>, nesting: usize, found: &mut Vec<Landmark>) {
    const DEEPEST: usize = 2;
    let shape = api.shape(id);
    let mut own = match &shape.kind {
        Kind::Choice(choice) if nesting < DEEPEST => {
            let mut inner = Vec::new();
            for option in &choice.options {
                collect(api, *option, place, nesting + 1, &mut inner);
            }
            inner
        }
        Kind::Any | Kind::Opaque(_) => anything(shape),
        kind if is_scalar(kind) => scalar(api, shape, id, place),
        _ => Vec::new(),
    };
    if shape.nullable && !own.is_empty() {
        own.push(Landmark::new(Value::Null, Source::Boundary).of_class(Class::Null));
    }
    let open = matches!(shape.kind, Kind::Opaque(_));
    if (shape.needs_check || open) && !own.is_empty() {
        let validators = Validators::new(api);
        own.retain(|mark| validators.is_valid(Direction::Request, id, &mark.value));
    }
    found.append(&mut own);
}

fn scalar(api: &Api, shape: &Shape, id: ShapeId, place: Place<'_>) -> Vec<Landmark> {
    let recipe = Recipe::of(api, None, &[], id);
    // A fixed seed: the landmarks of a place are the same in every run.
    let mut rng = Rng::seed_from_u64(names::key(place.name));
    let mut found: Vec<Landmark> = recipe
        .examples
        .iter()
        .map(|value| Landmark::new(Value::clone(value), Source::Example).of_class(Class::Example))
        .collect();
    let default = recipe.default.as_ref();
    found.extend(default.map(|value| Landmark::new(Value::clone(value), Source::Default)));
    match (&shape.kind, &recipe.detail) {
        (Kind::Null, _) => {
            found.push(Landmark::new(Value::Null, Source::Fixed).of_class(Class::Null));
        }
        (Kind::Boolean, _) => {
            found.push(Landmark::new(true, Source::Enum).of_class(Class::True));
            found.push(Landmark::new(false, Source::Enum).of_class(Class::False));
        }
        (_, Detail::Members(members)) => {
            let member = |(at, value): (usize, &Value)| {
                Landmark::new(value.clone(), Source::Enum).of_class(Class::Member(at as u16))
            };
            // Members first: an example of an enumeration is a member as well.
            let examples = std::mem::take(&mut found);
            found.extend(members.iter().enumerate().map(member));
            found.extend(examples);
        }
        (_, Detail::Whole(whole)) => found.extend(numbers::whole(whole)),
        (_, Detail::Real(real)) => found.extend(numbers::real(real)),
        (_, Detail::Text(recipe)) => {
            let hint = names::hint(place.name);
            let moments = moments(recipe.format, hint, shape, place.said);
            found.extend(shown(api, shape, id, place));
            found.extend(texts::texts(recipe, hint, &moments, &mut rng));
        }
        _ => {}
    }
    found
}

/// Values that the descriptions of a text show, as far as they may stand there.
fn shown(api: &Api, shape: &Shape, id: ShapeId, place: Place<'_>) -> Vec<Landmark> {
    let descriptions = [
        place.said.description,
        shape.description.as_deref().unwrap_or(""),
    ];
    let values: Vec<&str> = descriptions.into_iter().flat_map(quoted::quoted).collect();
    if values.is_empty() {
        return Vec::new();
    }
    let validators = Validators::new(api);
    let fits = |value: &Value| validators.is_valid(Direction::Request, id, value);
    let marks = values.into_iter().map(Value::from).filter(fits);
    marks
        .map(|value| Landmark::new(value, Source::Example).of_class(Class::Example))
        .collect()
}

fn anything(shape: &Shape) -> Vec<Landmark> {
    let shown = shape
        .examples
        .iter()
        .map(|value| Landmark::new(value.clone(), Source::Example));
    let tried = any::candidates()
        .into_iter()
        .map(|value| Landmark::new(value, Source::Random));
    shown.chain(tried).collect()
}

/// Each value once. Of two equal ones the first stays, with the class of whichever has one.
fn distinct(all: Vec<Landmark>) -> Vec<Landmark> {
    let mut found: Vec<Landmark> = Vec::with_capacity(all.len());
    for mark in all {
        match found
            .iter_mut()
            .find(|other| same(&other.value, &mark.value))
        {
            Some(other) => other.class = other.class.or(mark.class),
            None => found.push(mark),
        }
    }
    found
}
