//! The arguments of an operation as rooms and slots: input objects, and the scalars in them.
//!
//! Input types refer to each other without end, filters above all, so the walk goes breadth first,
//! enters no type inside itself and stops where no reader would look any more.

use std::collections::VecDeque;
use std::sync::Arc;

use fossick_contract::{
    Api, Kind, Operation, Property, Shape, ShapeId, ends_with_ignoring_case as ends_with,
};

use super::names::Sort;
use super::trail::Trail;
use crate::Words;

/// Input objects below the arguments that are entered.
const DEPTH: usize = 4;
/// Input objects of one operation that are looked into.
const MOST_ROOMS: usize = 48;

/// An input object that waits to be looked into.
pub(crate) struct Room {
    shape: ShapeId,
    pointer: String,
    pub(crate) trail: Trail,
    /// Names of the input types around it.
    above: Vec<Arc<str>>,
    required: bool,
}

/// A scalar of the arguments; of a list its first item.
pub(crate) struct Slot<'r> {
    pub(crate) room: &'r Room,
    pub(crate) name: &'r Arc<str>,
    pub(crate) shape: ShapeId,
    pub(crate) lists: usize,
    /// It must be there, and so must everything around it.
    pub(crate) required: bool,
    /// It must be there wherever its object is.
    pub(crate) required_here: bool,
}

/// Shows every scalar of the arguments, what is near first.
pub(crate) fn each_slot(api: &Api, operation: &Operation, mut show: impl FnMut(&Slot<'_>)) {
    let mut rooms: VecDeque<Room> = arguments(operation).map(Room::first).into_iter().collect();
    let mut entered = 0;
    while let Some(room) = rooms.pop_front() {
        entered += 1;
        for property in properties(api, room.shape) {
            let slot = room.slot(api, property);
            if !is_composite(api, slot.shape) {
                show(&slot);
            } else if entered + rooms.len() < MOST_ROOMS {
                rooms.extend(slot.behind(api));
            }
        }
    }
}

/// Shows the name of every object that must be given, but for those that only wrap.
pub(crate) fn each_part(api: &Api, operation: &Operation, mut show: impl FnMut(&str)) {
    let mut rooms: VecDeque<Room> = arguments(operation).map(Room::first).into_iter().collect();
    let mut entered = 0;
    while let Some(room) = rooms.pop_front() {
        entered += 1;
        for property in properties(api, room.shape) {
            let slot = room.slot(api, property);
            if !slot.required || !is_composite(api, slot.shape) {
                continue;
            }
            if &**slot.name != "input" {
                show(slot.name);
            }
            if entered + rooms.len() < MOST_ROOMS {
                rooms.extend(slot.behind(api));
            }
        }
    }
}

impl Room {
    fn first(shape: ShapeId) -> Self {
        Self {
            shape,
            pointer: String::new(),
            trail: Trail::default(),
            above: Vec::new(),
            required: true,
        }
    }

    fn slot<'r>(&'r self, api: &Api, property: &'r Property) -> Slot<'r> {
        let (mut shape, mut lists) = (property.shape, 0);
        while let (Kind::Array(array), 0..3) = (&api.shape(shape).kind, lists)
            && let Some(items) = array.items
        {
            lists += 1;
            shape = items;
        }
        Slot {
            room: self,
            name: &property.name,
            shape,
            lists,
            required: self.required && property.required,
            required_here: property.required,
        }
    }
}

impl Slot<'_> {
    pub(crate) fn pointer(&self) -> String {
        let items = "/0".repeat(self.lists);
        format!(
            "{}/{}{items}",
            self.room.pointer,
            fossick_contract::escape_token(self.name)
        )
    }

    /// The input object that it holds, unless that stands around it already.
    fn behind(&self, api: &Api) -> Option<Room> {
        let name = &api.shape(self.shape).name;
        let again = |name: &Arc<str>| self.room.above.contains(name);
        if self.room.above.len() >= DEPTH || name.as_ref().is_some_and(again) {
            return None;
        }
        let mut above = self.room.above.clone();
        above.push(name.clone().unwrap_or_default());
        Some(Room {
            shape: self.shape,
            pointer: self.pointer(),
            trail: self.room.trail.step(&Words::of(self.name), name.as_ref()),
            above,
            required: self.required,
        })
    }

    /// Whether a pointer leads to a neighbour.
    pub(crate) fn is_beside(&self, pointer: &str) -> bool {
        let above = pointer.trim_end_matches("/0").rsplit_once('/');
        above.is_some_and(|(above, _)| above == self.room.pointer)
    }

    /// Whether an object of new values stands beside it, so that it is itself none of them.
    pub(crate) fn has_patch_beside(&self, api: &Api) -> bool {
        const NEW: [&str; 6] = ["patch", "set", "data", "chang", "updat", "input"];
        if !matches!(&*self.room.pointer, "" | "/input") {
            return false;
        }
        let beside = properties(api, self.room.shape).into_iter();
        let mut objects = beside.filter(|property| is_composite(api, property.shape));
        objects.any(|object| {
            let words = Words::of(&object.name);
            words.last().is_some_and(|word| NEW.contains(&word))
        })
    }

    /// Whether its name could be that of a reference; a quick look that spares most of them more.
    pub(crate) fn sounds_like_a_reference(&self) -> bool {
        const ENDS: [&str; 6] = ["id", "uuid", "guid", "key", "slug", "ref"];
        let name = self.name.trim_end_matches(['s', 'S', '_']);
        let compares = self.name.trim_start_matches('_');
        ENDS.iter().any(|end| ends_with(name, end))
            || ["eq", "in", "is"].iter().any(|op| compares.starts_with(op))
    }
}

pub(crate) fn arguments(operation: &Operation) -> Option<ShapeId> {
    operation.body.as_ref()?.contents.first()?.shape
}

/// The properties of an input object, or of every option where one must be chosen.
pub(crate) fn properties(api: &Api, id: ShapeId) -> Vec<&Property> {
    match &api.shape(id).kind {
        Kind::Object(object) => object.properties.iter().collect(),
        Kind::Choice(choice) => {
            let options = choice.options.iter().map(|option| &api.shape(*option).kind);
            let objects = options.filter_map(|kind| match kind {
                Kind::Object(object) => Some(object.properties.iter()),
                _ => None,
            });
            objects.flatten().collect()
        }
        _ => Vec::new(),
    }
}

pub(crate) fn is_composite(api: &Api, id: ShapeId) -> bool {
    let is_object = |id: &ShapeId| matches!(api.shape(*id).kind, Kind::Object(_));
    match &api.shape(id).kind {
        Kind::Object(_) | Kind::Array(_) => true,
        Kind::Choice(choice) => choice.options.iter().any(is_object),
        _ => false,
    }
}

/// The sort of a scalar that may name something; none for what is chosen from a closed set.
pub(crate) fn sort_of(api: &Api, shape: &Shape) -> Option<Sort> {
    let is_called = |name: &str| shape.name.as_deref().is_none_or(|own| own == name);
    match &shape.kind {
        _ if shape.name.as_deref() == Some("ID") => Some(Sort::Id),
        Kind::Integer(_) if is_called("Int") => Some(Sort::Integer),
        Kind::String(_) if is_called("String") => Some(Sort::Text),
        Kind::Integer(_) | Kind::String(_) | Kind::Any | Kind::Opaque(_) => Some(Sort::Other),
        Kind::Choice(choice) => {
            let open = |id: &ShapeId| {
                let kind = &api.shape(*id).kind;
                matches!(kind, Kind::String(_) | Kind::Integer(_) | Kind::Any)
            };
            choice.options.iter().any(open).then_some(Sort::Other)
        }
        _ => None,
    }
}

/// Whether the type itself says that a value names something: `ID`, `UUID`, `ObjectId`.
pub(crate) fn names_something(shape: &Shape) -> bool {
    let uuid = matches!(&shape.kind, Kind::String(text) if text.format.as_deref() == Some("uuid"));
    let named = |name: &Arc<str>| {
        ends_with(name, "id") && matches!(Words::of(name).last(), Some("id" | "uuid" | "guid"))
    };
    uuid || shape.name.as_ref().is_some_and(named)
}

/// A date or an address names nothing that is kept here.
pub(crate) fn is_formatted(shape: &Shape) -> bool {
    let Kind::String(text) = &shape.kind else {
        return false;
    };
    !matches!(text.format.as_deref(), None | Some("uuid"))
}
