//! Texts of a URL or a form as the values that the document means, and values of GraphQL as
//! services coerce them.

use fossick_contract::{Api, Encoding, Kind, Parameter, ShapeId, Style};
use serde_json::{Map, Value};

/// Deeper values stay as they are.
const DEEPEST: usize = 32;

/// A text as a value of a shape; a text where it is nothing else.
pub(super) fn of_text(api: &Api, shape: ShapeId, text: &str) -> Value {
    typed(api, shape, text, 0).unwrap_or_else(|| Value::from(text))
}

fn typed(api: &Api, shape: ShapeId, text: &str, depth: usize) -> Option<Value> {
    let number = || serde_json::from_str(text).ok().filter(Value::is_number);
    match &api.shape(shape).kind {
        Kind::Integer(_) => text.parse::<i64>().ok().map(Value::from),
        Kind::Number(_) => number(),
        Kind::Boolean => text.parse::<bool>().ok().map(Value::from),
        Kind::Enum(members) => {
            let parsed = serde_json::from_str(text).ok();
            let says =
                |member: &&Value| member.as_str() == Some(text) || parsed.as_ref() == Some(*member);
            members.iter().find(says).cloned()
        }
        Kind::Array(array) => {
            let items = array.items?;
            let item = typed(api, items, text, depth + 1).filter(|_| depth < DEEPEST);
            Some(Value::Array(vec![item?]))
        }
        Kind::Choice(choice) if depth < DEEPEST => {
            let mut options = choice.options.iter();
            options.find_map(|option| typed(api, *option, text, depth + 1))
        }
        Kind::String(_) | Kind::Any => Some(Value::from(text)),
        _ => None,
    }
}

/// All texts of one name as the value of a parameter.
pub(super) fn of_parameter(api: &Api, parameter: &Parameter, texts: &[&str]) -> Option<Value> {
    let first = texts.first()?;
    let (style, explode) = match &parameter.encoding {
        Encoding::Style { style, explode } => (*style, *explode),
        Encoding::Content(_) => {
            return Some(serde_json::from_str(first).unwrap_or_else(|_| Value::from(*first)));
        }
    };
    let Kind::Array(array) = &api.shape(parameter.shape).kind else {
        return Some(of_text(api, parameter.shape, first));
    };
    let delimiter = match style {
        Style::SpaceDelimited => ' ',
        Style::PipeDelimited => '|',
        Style::TabDelimited => '\t',
        _ => ',',
    };
    let split: Vec<&str> = if texts.len() == 1 && !explode {
        first.split(delimiter).collect()
    } else {
        texts.to_vec()
    };
    let item = |text: &&str| match array.items {
        Some(shape) => of_text(api, shape, text),
        None => Value::from(*text),
    };
    Some(split.iter().map(item).collect())
}

/// Names and texts as an object of a shape; a name that comes twice is a list.
pub(super) fn of_fields(api: &Api, shape: Option<ShapeId>, fields: &[(String, String)]) -> Value {
    let object = shape.and_then(|id| match &api.shape(id).kind {
        Kind::Object(object) => Some(object),
        _ => None,
    });
    let mut map: Map<String, Value> = Map::new();
    for (name, text) in fields {
        let property = object.and_then(|object| object.property(name));
        let value = match property {
            Some(property) => of_text(api, property.shape, text),
            None => Value::from(text.as_str()),
        };
        match map.get_mut(name) {
            Some(Value::Array(items)) => match value {
                Value::Array(more) => items.extend(more),
                one => items.push(one),
            },
            Some(first) => *first = Value::Array(vec![first.take(), value]),
            None => {
                map.insert(name.clone(), value);
            }
        }
    }
    Value::Object(map)
}

/// A value of GraphQL in the form that every service takes: one thing for a list of things is a
/// list, a number for an `ID` is a text.
pub(super) fn coerced(api: &Api, shape: ShapeId, value: Value, depth: usize) -> Value {
    let declared = api.shape(shape);
    if depth > DEEPEST {
        return value;
    }
    match (&declared.kind, value) {
        (_, Value::Null) => Value::Null,
        (Kind::Array(array), Value::Array(items)) => {
            let item = |item| match array.items {
                Some(id) => coerced(api, id, item, depth + 1),
                None => item,
            };
            items.into_iter().map(item).collect()
        }
        (Kind::Array(array), one) => {
            let one = array
                .items
                .map_or(one.clone(), |id| coerced(api, id, one, depth + 1));
            Value::Array(vec![one])
        }
        (Kind::Object(object), Value::Object(map)) => {
            let member = |(name, inner): (String, Value)| {
                let inner = match object.property(&name) {
                    Some(property) => coerced(api, property.shape, inner, depth + 1),
                    None => inner,
                };
                (name, inner)
            };
            Value::Object(map.into_iter().map(member).collect())
        }
        (_, Value::Number(number)) if declared.name.as_deref() == Some("ID") => {
            Value::String(number.to_string())
        }
        (_, other) => other,
    }
}
