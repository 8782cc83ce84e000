//! The scalar places of a shape: where single values can be tried one by one.

use std::collections::VecDeque;
use std::sync::Arc;

use fossick_contract::{Api, Kind, Property, ShapeId};

use crate::fits::is_scalar;
use crate::pointer;

/// A scalar place in values of a shape.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Slot {
    pub pointer: String,
    /// The property it belongs to; that of the array for an item; empty for the root.
    pub name: String,
    pub shape: ShapeId,
    /// Required, and so is everything it lies in.
    pub required: bool,
    /// What the document says of it.
    pub description: Option<Arc<str>>,
}

const DEPTH: usize = 4;
const MOST: usize = 200;
/// Wide shapes within wide shapes are not followed for ever.
const WAITING: usize = 20_000;

struct Open {
    slot: Slot,
    depth: usize,
    /// A property whose value is given by the choice it distinguishes.
    fixed: Option<String>,
}

/// The scalar places. Breadth first: what lies near the root comes first.
pub fn slots(api: &Api, shape: ShapeId) -> Vec<Slot> {
    walk(api, shape, |_, is_scalar| is_scalar)
}

/// The places with parts that a property holds, in the same order.
pub(crate) fn parts(api: &Api, shape: ShapeId) -> Vec<Slot> {
    let is_item = |slot: &Slot| slot.name.is_empty() || slot.pointer.ends_with("/0");
    walk(api, shape, |slot, is_scalar| !is_scalar && !is_item(slot))
}

fn walk(api: &Api, shape: ShapeId, is_wanted: impl Fn(&Slot, bool) -> bool) -> Vec<Slot> {
    let root = Slot {
        pointer: String::new(),
        name: String::new(),
        shape,
        required: true,
        description: None,
    };
    let mut queue = VecDeque::from([Open {
        slot: root,
        depth: 0,
        fixed: None,
    }]);
    let mut found = Vec::new();
    while let Some(open) = queue.pop_front() {
        if found.len() >= MOST || queue.len() > WAITING {
            break;
        }
        let is_scalar = is_scalar_place(api, open.slot.shape, 0);
        if is_wanted(&open.slot, is_scalar) {
            found.push(open.slot.clone());
        }
        if !is_scalar {
            expand(api, open, &mut queue);
        }
    }
    found
}

/// Whether a value here has no parts, whichever option it is of.
pub(crate) fn is_scalar_place(api: &Api, id: ShapeId, nesting: usize) -> bool {
    match &api.shape(id).kind {
        Kind::Choice(choice) => {
            nesting < 2
                && !choice.options.is_empty()
                && choice
                    .options
                    .iter()
                    .all(|id| is_scalar_place(api, *id, nesting + 1))
        }
        Kind::Any | Kind::Opaque(_) => true,
        kind => is_scalar(kind),
    }
}

/// Puts what lies inside a place at the end of the queue.
fn expand(api: &Api, mut open: Open, queue: &mut VecDeque<Open>) {
    if !open.take_first_options(api) {
        return;
    }
    if is_scalar_place(api, open.slot.shape, 0) {
        queue.push_back(open);
        return;
    }
    if open.depth >= DEPTH {
        return;
    }
    match &api.shape(open.slot.shape).kind {
        Kind::Object(object) => {
            let is_sent = |property: &&Property| {
                let fixed = open.fixed.as_deref() == Some(&*property.name);
                !fixed && !api.shape(property.shape).read_only
            };
            for property in object.properties.iter().filter(is_sent) {
                let (name, required) = (&property.name, open.slot.required && property.required);
                let mut inner = open.below(name, name, property.shape, required);
                let shared = || api.shape(property.shape).description.clone();
                inner.slot.description = property.description.clone().or_else(shared);
                queue.push_back(inner);
            }
        }
        Kind::Array(array) => {
            if let Some(id) = array.prefix.first().copied().or(array.items) {
                let required = open.slot.required && array.min_items > 0;
                queue.push_back(open.below("0", &open.slot.name, id, required));
            }
        }
        _ => {}
    }
}

impl Open {
    /// Goes through choices by their first options; false if there are none, or no end of them.
    fn take_first_options(&mut self, api: &Api) -> bool {
        const HOPS: usize = 16;
        for _ in 0..HOPS {
            let Kind::Choice(choice) = &api.shape(self.slot.shape).kind else {
                return true;
            };
            let Some(first) = choice.options.first() else {
                return false;
            };
            if let Some(discriminator) = &choice.discriminator {
                self.fixed = Some(discriminator.property.to_string());
            }
            self.slot.shape = *first;
        }
        false
    }

    fn below(&self, token: &str, name: &str, shape: ShapeId, required: bool) -> Self {
        let mut place = self.slot.pointer.clone();
        pointer::push(&mut place, token);
        Self {
            slot: Slot {
                pointer: place,
                name: name.to_owned(),
                shape,
                required,
                description: None,
            },
            depth: self.depth + 1,
            fixed: None,
        }
    }
}
