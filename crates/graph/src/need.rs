//! What an operation must be given that only the service can know.

use fossick_contract::{Api, Kind, Location, Operation, ShapeId, TypeId};

use crate::Words;
use crate::fields::{BodyField, fields_of};
use crate::path_words::owner_of_hole;

/// A value that an operation needs and that another may yield.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Need {
    pub place: Place,
    pub name: String,
    pub words: Words,
    pub required: bool,
    /// Its name is that of a thing, and may mean something else all the same.
    pub doubtful: bool,
    pub shape: ShapeId,
    /// The GraphQL type whose key it is, as far as that is known.
    pub of: Option<TypeId>,
}

/// Where in a call a value stands.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Place {
    /// Index into the operation's parameters.
    Parameter(usize),
    /// JSON pointer into the body; `0` stands for each item of a list.
    Body(String),
}

const MOST_NEEDS: usize = 40;
/// Fields that may turn out to be needs.
const MOST_DOUBTFUL: usize = 60;

impl Place {
    /// The same place with `0` for each item of a list; none if it says so already.
    pub fn in_each_item(&self) -> Option<Self> {
        let Self::Body(pointer) = self else {
            return None;
        };
        let is_index = |token: &str| !token.is_empty() && token.bytes().all(|b| b.is_ascii_digit());
        let each = pointer
            .split('/')
            .map(|token| if is_index(token) { "0" } else { token });
        let each = each.collect::<Vec<_>>().join("/");
        (each != *pointer).then_some(Self::Body(each))
    }
}

/// What an operation needs by its names alone, and what it needs if there are such things.
#[derive(Debug, Default)]
pub(crate) struct Needs {
    pub(crate) sure: Vec<Need>,
    pub(crate) doubtful: Vec<Need>,
}

pub(crate) fn needs_of(api: &Api, operation: &Operation) -> Needs {
    let mut needs = Needs::default();
    for at in 0..operation.parameters.len() {
        if let Some(need) = parameter_need(api, operation, at) {
            needs.sure.push(need);
        } else if may_refer(api, operation.parameters[at].shape) {
            let need = Need::of_parameter(operation, at);
            needs.doubtful.push(need.in_doubt());
        }
    }
    for field in body_fields(api, operation) {
        if let Some(need) = body_need(api, &field) {
            needs.sure.push(need);
        } else if may_refer(api, field.shape) && !is_own_key(&field) {
            needs.doubtful.push(Need::of_field(&field).in_doubt());
        }
    }
    needs.sure.truncate(MOST_NEEDS);
    needs.doubtful.truncate(MOST_DOUBTFUL);
    needs
}

fn body_fields(api: &Api, operation: &Operation) -> Vec<BodyField> {
    let content = operation.body.as_ref().and_then(|b| b.contents.first());
    let shape = content.and_then(|content| content.shape);
    shape.map_or_else(Vec::new, |shape| fields_of(api, shape))
}

fn body_need(api: &Api, field: &BodyField) -> Option<Need> {
    let refers = refers(api, field.shape, &Words::of(&field.name));
    (refers && !closed(api, field.shape)).then(|| Need::of_field(field))
}

/// `id` and the like of the thing itself: whoever sends it says what it is called.
fn is_own_key(field: &BodyField) -> bool {
    field.holder.is_none() && Words::of(&field.name).is_bare()
}

fn parameter_need(api: &Api, operation: &Operation, at: usize) -> Option<Need> {
    let parameter = &operation.parameters[at];
    let in_path = parameter.location == Location::Path;
    let words = Words::of(&parameter.name);
    // A list in a query may be of one.
    let shape = match &api.shape(parameter.shape).kind {
        Kind::Array(array) if !in_path => array.items.unwrap_or(parameter.shape),
        _ => parameter.shape,
    };
    if closed(api, shape) || !(in_path || refers(api, shape, &words)) {
        return None;
    }
    Some(Need::of_parameter(operation, at))
}

impl Need {
    /// Whether it stands in the body, at a pointer of which something holds.
    pub(crate) fn is_at(&self, holds: impl Fn(&str) -> bool) -> bool {
        matches!(&self.place, Place::Body(pointer) if holds(pointer))
    }

    fn in_doubt(self) -> Self {
        Self {
            required: false,
            doubtful: true,
            ..self
        }
    }

    pub(crate) fn of_field(field: &BodyField) -> Self {
        let bare = Words::of(&field.name);
        let words = match &field.holder {
            Some(holder) if bare.is_bare() => bare.qualified_by(holder),
            _ => bare,
        };
        Self {
            place: Place::Body(field.pointer.clone()),
            name: field.name.to_string(),
            words,
            required: field.required,
            doubtful: false,
            shape: field.shape,
            of: None,
        }
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
            doubtful: false,
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
    let mut fields = body_fields(api, operation).into_iter();
    let found = fields.find(|field| {
        let called = Words::of(&field.name) == *words;
        called && !closed(api, field.shape)
    });
    found.map(|field| Need {
        words: words.clone(),
        ..Need::of_field(&field)
    })
}

/// The need of a field at a place, whether it looks like a reference or not.
pub(crate) fn need_in(api: &Api, operation: &Operation, place: &Place) -> Option<Need> {
    let need = match place.in_each_item().unwrap_or_else(|| place.clone()) {
        Place::Parameter(at) => {
            operation.parameters.get(at)?;
            Need::of_parameter(operation, at)
        }
        Place::Body(pointer) => {
            let mut fields = body_fields(api, operation).into_iter();
            let field = fields.find(|field| field.pointer == pointer)?;
            Need::of_field(&field)
        }
    };
    (!closed(api, need.shape)).then_some(need)
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

/// Whether a value could be a key at all: a number or a text of no special make.
fn may_refer(api: &Api, shape: ShapeId) -> bool {
    match &api.shape(shape).kind {
        Kind::Integer(_) => true,
        Kind::String(text) => matches!(text.format.as_deref(), None | Some("uuid")),
        _ => false,
    }
}
