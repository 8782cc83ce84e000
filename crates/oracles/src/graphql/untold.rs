//! Values of which nobody tells what they must look like: custom scalars, and identifiers that
//! only the service gives out.

use std::collections::BTreeSet;

use fossick_contract::{Api, Kind, Shape, ShapeId};

use crate::scene::Shown;

/// How deep input types are looked into, and how many of them.
const DEPTH: usize = 8;
const MOST: usize = 400;

/// Whether a refusal may be about such a value.
pub(crate) fn is_untold(api: &Api, step: &Shown<'_>, message: &str) -> bool {
    is_about_a_value(message) && (names_one(api, message) || may_hold_one(api, step, message))
}

fn is_about_a_value(message: &str) -> bool {
    const WORDS: [&str; 7] = [
        "invalid value",
        "expected type",
        "expected value",
        "cannot represent",
        "coerce",
        "could not parse",
        "wrong type",
    ];
    let message = message.to_lowercase();
    WORDS.iter().any(|word| message.contains(word))
}

fn names_one(api: &Api, message: &str) -> bool {
    let mut words = message.split(|c: char| !(c.is_alphanumeric() || c == '_'));
    words.any(|word| match word {
        "" | "Int" | "Float" | "String" | "Boolean" => false,
        "ID" => true,
        word => {
            let named = |shape: &Shape| shape.name.as_deref() == Some(word) && is_custom(shape);
            api.shapes.iter().any(|(_, shape)| named(shape))
        }
    })
}

/// The variable that the message names may hold one; where it names none, any of them.
fn may_hold_one(api: &Api, step: &Shown<'_>, message: &str) -> bool {
    let document = step.inquiry.and_then(|inquiry| inquiry.document.as_deref());
    let variables = document.map_or(&[][..], |document| &document.variables);
    let names = |name: &str| {
        message
            .split(|c: char| !(c.is_alphanumeric() || c == '_'))
            .any(|word| word == name)
    };
    let mut named = variables.iter().filter(|v| names(&v.name)).peekable();
    if named.peek().is_some() {
        return named.any(|variable| is_untold_type(api, &variable.type_text));
    }
    let body = step.operation.body.as_ref();
    let shape = body.and_then(|body| body.contents.first()?.shape);
    shape.is_some_and(|shape| holds_one(api, shape, 0, &mut BTreeSet::new()))
}

fn is_untold_type(api: &Api, text: &str) -> bool {
    let name = text.trim_matches(['[', ']', '!', ' ']);
    if matches!(name, "Int" | "Float" | "String" | "Boolean") {
        return false;
    }
    let mut shapes = api.shapes.iter();
    let found = shapes.find(|(_, shape)| shape.name.as_deref() == Some(name));
    found.is_none_or(|(id, shape)| {
        name == "ID" || is_custom(shape) || holds_one(api, id, 0, &mut BTreeSet::new())
    })
}

/// A name of its own on something that is neither enumerated nor made of parts.
fn is_custom(shape: &Shape) -> bool {
    let is_leaf = match &shape.kind {
        Kind::Enum(_) | Kind::Array(_) | Kind::Choice(_) => false,
        Kind::Object(object) => object.properties.is_empty(),
        _ => true,
    };
    is_leaf && shape.name.as_deref().is_some_and(|name| name != "ID")
}

fn holds_one(api: &Api, id: ShapeId, depth: usize, seen: &mut BTreeSet<ShapeId>) -> bool {
    if depth > DEPTH || seen.len() > MOST || !seen.insert(id) {
        return false;
    }
    let shape = api.shape(id);
    let mut below = |id: &ShapeId| holds_one(api, *id, depth + 1, seen);
    is_custom(shape)
        || match &shape.kind {
            Kind::Object(object) => object.properties.iter().any(|p| below(&p.shape)),
            Kind::Array(array) => array.items.iter().any(below),
            Kind::Choice(choice) => choice.options.iter().any(below),
            _ => false,
        }
}
