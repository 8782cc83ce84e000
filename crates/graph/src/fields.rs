//! The scalar fields of a body, what is near the root first: inside objects, inside the items of
//! lists, and in every option where one of several shapes may be sent.
//!
//! A list is described once: `0` in a pointer stands for each of its items, as everywhere here.
//! Shapes refer to each other without end, so none is entered inside itself.

use std::collections::{HashSet, VecDeque};
use std::sync::Arc;

use fossick_contract::{Api, Kind, ObjectShape, ShapeId, escape_token};

use crate::Words;
use crate::yields::wraps;

/// Objects and lists within each other that are looked into.
const DEPTH: usize = 8;
const MOST_FIELDS: usize = 400;
/// Shapes of one body that are looked at.
const MOST_LOOKS: usize = 1_500;
/// Options of a choice that are followed.
const OPTIONS: usize = 6;

/// A scalar of a body.
#[derive(Debug, Clone)]
pub(crate) struct BodyField {
    pub(crate) pointer: String,
    /// What the property is called, or the list for an item of one.
    pub(crate) name: Arc<str>,
    pub(crate) shape: ShapeId,
    /// It must be there, and so must everything around it.
    pub(crate) required: bool,
    /// The nearest name above that says something; none for fields of the thing itself.
    pub(crate) holder: Option<Words>,
}

/// Something on the way that is still to be looked at.
struct Open {
    field: BodyField,
    above: Vec<ShapeId>,
}

pub(crate) fn fields_of(api: &Api, shape: ShapeId) -> Vec<BodyField> {
    let mut queue = VecDeque::from([Open::first(shape)]);
    let mut found: Vec<BodyField> = Vec::new();
    // Several options may have the same field.
    let mut pointers = HashSet::new();
    let mut looks = 0;
    while let Some(open) = queue.pop_front() {
        looks += 1;
        if found.len() >= MOST_FIELDS || looks > MOST_LOOKS {
            break;
        }
        if !is_scalar(api, open.field.shape) {
            open.expand(api, &mut queue);
        } else if pointers.insert(open.field.pointer.clone()) {
            found.push(open.field);
        }
    }
    found
}

/// Whether a value here has no parts, whichever option it is of.
fn is_scalar(api: &Api, shape: ShapeId) -> bool {
    let has_parts = |id: &ShapeId| {
        let kind = &api.shape(*id).kind;
        matches!(kind, Kind::Object(_) | Kind::Array(_) | Kind::Choice(_))
    };
    match &api.shape(shape).kind {
        Kind::Object(_) | Kind::Array(_) => false,
        Kind::Choice(choice) => !choice.options.iter().any(has_parts),
        _ => true,
    }
}

impl Open {
    fn first(shape: ShapeId) -> Self {
        Self {
            field: BodyField {
                pointer: String::new(),
                name: "".into(),
                shape,
                required: true,
                holder: None,
            },
            above: Vec::new(),
        }
    }

    fn expand(&self, api: &Api, queue: &mut VecDeque<Self>) {
        let shape = self.field.shape;
        if self.above.len() >= DEPTH || self.above.contains(&shape) {
            return;
        }
        match &api.shape(shape).kind {
            Kind::Object(object) => queue.extend(self.properties(api, object)),
            Kind::Array(array) => {
                let items = array.prefix.first().copied().or(array.items);
                queue.extend(items.map(|items| self.item(items, array.min_items > 0)));
            }
            Kind::Choice(choice) => {
                let only = choice.options.len() == 1;
                let options = choice.options.iter().take(OPTIONS);
                queue.extend(options.map(|option| self.option(*option, only)));
            }
            _ => {}
        }
    }

    fn inside(&self) -> Vec<ShapeId> {
        let mut above = self.above.clone();
        above.push(self.field.shape);
        above
    }

    fn properties(&self, api: &Api, object: &ObjectShape) -> Vec<Self> {
        let holder = self.own_name().or_else(|| self.field.holder.clone());
        let sent = |shape: ShapeId| !api.shape(shape).read_only;
        let properties = object.properties.iter().filter(|p| sent(p.shape));
        let open = properties.map(|property| Self {
            field: BodyField {
                pointer: format!("{}/{}", self.field.pointer, escape_token(&property.name)),
                name: Arc::clone(&property.name),
                shape: property.shape,
                required: self.field.required && property.required,
                holder: holder.clone(),
            },
            above: self.inside(),
        });
        open.collect()
    }

    /// What the object is called, unless that only says that something is inside.
    fn own_name(&self) -> Option<Words> {
        let named = !self.field.name.is_empty() && !wraps(&self.field.name);
        named.then(|| Words::of(&self.field.name))
    }

    fn item(&self, shape: ShapeId, always: bool) -> Self {
        Self {
            field: BodyField {
                pointer: format!("{}/0", self.field.pointer),
                shape,
                required: self.field.required && always,
                ..self.field.clone()
            },
            above: self.inside(),
        }
    }

    fn option(&self, shape: ShapeId, only: bool) -> Self {
        Self {
            field: BodyField {
                shape,
                required: self.field.required && only,
                ..self.field.clone()
            },
            above: self.inside(),
        }
    }
}
