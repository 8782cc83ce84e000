//! What an operation must be given that only the service can know.

use fossick_contract::{Api, Kind, Location, Operation, ShapeId, TypeId};

use crate::Words;
use crate::path_words::owner_of_hole;

/// A value that an operation needs and that another may yield.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Need {
    pub place: Place,
    pub name: String,
    pub words: Words,
    pub required: bool,
    pub shape: ShapeId,
    /// The GraphQL type whose key it is, as far as that is known.
    pub of: Option<TypeId>,
}

/// Where in a call a value stands.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Place {
    /// Index into the operation's parameters.
    Parameter(usize),
    /// JSON pointer into the body.
    Body(String),
}

/// How deep into a body identifiers are looked for.
const DEPTH: usize = 3;
const MOST_NEEDS: usize = 40;

pub(crate) fn needs_of(api: &Api, operation: &Operation) -> Vec<Need> {
    let mut needs: Vec<Need> = operation
        .parameters
        .iter()
        .enumerate()
        .filter_map(|(at, _)| parameter_need(api, operation, at))
        .collect();
    let content = operation.body.as_ref().and_then(|b| b.contents.first());
    if let Some(shape) = content.and_then(|c| c.shape) {
        body_needs(api, shape, &mut String::new(), true, DEPTH, &mut needs);
    }
    needs.truncate(MOST_NEEDS);
    needs
}

fn parameter_need(api: &Api, operation: &Operation, at: usize) -> Option<Need> {
    let parameter = &operation.parameters[at];
    let in_path = parameter.location == Location::Path;
    let words = Words::of(&parameter.name);
    if closed(api, parameter.shape) || !(in_path || refers(api, parameter.shape, &words)) {
        return None;
    }
    Some(Need::of_parameter(operation, at))
}

impl Need {
    /// Whether it stands in the body, at a pointer of which something holds.
    pub(crate) fn is_at(&self, holds: impl Fn(&str) -> bool) -> bool {
        matches!(&self.place, Place::Body(pointer) if holds(pointer))
    }

    pub(crate) fn of_parameter(operation: &Operation, at: usize) -> Self {
        let parameter = &operation.parameters[at];
        let in_path = parameter.location == Location::Path;
        let words = Words::of(&parameter.name);
        let words = if in_path && (words.is_bare() || words.0.len() == 1) {
            words.qualified_by(&owner_of_hole(&operation.path, &parameter.name))
        } else {
            words
        };
        Self {
            place: Place::Parameter(at),
            name: parameter.name.clone(),
            words,
            required: parameter.required || in_path,
            shape: parameter.shape,
            of: None,
        }
    }
}

/// Where in a call a field of this name stands, whether it looks like a reference or not.
pub(crate) fn need_called(api: &Api, operation: &Operation, words: &Words) -> Option<Need> {
    let mut parameters = operation.parameters.iter();
    let at = parameters.position(|parameter| Words::of(&parameter.name) == *words);
    if let Some(at) = at {
        return Some(Need::of_parameter(operation, at));
    }
    let content = operation.body.as_ref()?.contents.first()?;
    field_called(api, content.shape?, "", true, words, DEPTH)
}

fn field_called(
    api: &Api,
    shape: ShapeId,
    above: &str,
    required: bool,
    words: &Words,
    depth: usize,
) -> Option<Need> {
    let Kind::Object(object) = &api.shape(shape).kind else {
        return None;
    };
    let own = object
        .properties
        .iter()
        .find(|property| Words::of(&property.name) == *words && !closed(api, property.shape));
    if let Some(property) = own {
        return Some(Need {
            place: Place::Body(format!(
                "{above}/{}",
                fossick_contract::escape_token(&property.name)
            )),
            name: property.name.to_string(),
            words: words.clone(),
            required: required && property.required,
            shape: property.shape,
            of: None,
        });
    }
    let mut inside = object.properties.iter().filter(|_| depth > 0);
    inside.find_map(|property| {
        let above = format!("{above}/{}", fossick_contract::escape_token(&property.name));
        let required = required && property.required;
        field_called(api, property.shape, &above, required, words, depth - 1)
    })
}

/// A small closed set is chosen from, not looked up.
fn closed(api: &Api, shape: ShapeId) -> bool {
    matches!(api.shape(shape).kind, Kind::Enum(_) | Kind::Boolean)
}

/// Whether a field seems to refer to something that exists elsewhere.
fn refers(api: &Api, shape: ShapeId, words: &Words) -> bool {
    let uuid =
        matches!(&api.shape(shape).kind, Kind::String(s) if s.format.as_deref() == Some("uuid"));
    let scalar = matches!(
        api.shape(shape).kind,
        Kind::String(_) | Kind::Integer(_) | Kind::Any | Kind::Choice(_)
    );
    let named = words.0.len() > 1
        && matches!(
            words.last(),
            Some("id" | "uuid" | "guid" | "key" | "slug" | "ref")
        );
    uuid || (scalar && named)
}

fn body_needs(
    api: &Api,
    shape: ShapeId,
    pointer: &mut String,
    required: bool,
    depth: usize,
    needs: &mut Vec<Need>,
) {
    let Kind::Object(object) = &api.shape(shape).kind else {
        return;
    };
    for property in &object.properties {
        let inner = api.shape(property.shape);
        if inner.read_only || needs.len() >= MOST_NEEDS {
            continue;
        }
        let length = pointer.len();
        pointer.push('/');
        pointer.push_str(&fossick_contract::escape_token(&property.name));
        let words = Words::of(&property.name);
        if refers(api, property.shape, &words) && !closed(api, property.shape) {
            needs.push(Need {
                place: Place::Body(pointer.clone()),
                name: property.name.to_string(),
                words,
                required: required && property.required,
                shape: property.shape,
                of: None,
            });
        } else if depth > 0 {
            let required = required && property.required;
            body_needs(api, property.shape, pointer, required, depth - 1, needs);
        }
        pointer.truncate(length);
    }
}
