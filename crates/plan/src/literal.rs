//! Values as GraphQL writes them into an operation.

use fossick_contract::{Api, Kind, ShapeId};
use fossick_query::Literal;
use serde_json::Value;

/// Deeper values are cut; no service takes them.
const DEEPEST: usize = 64;

/// A value of a shape as a literal. The shape tells a member of an enumeration from a text.
pub(crate) fn literal(api: &Api, shape: Option<ShapeId>, value: &Value) -> Literal {
    at_depth(api, shape, value, 0)
}

fn at_depth(api: &Api, shape: Option<ShapeId>, value: &Value, depth: usize) -> Literal {
    if depth > DEEPEST {
        return Literal::Null;
    }
    let kind = shape.map(|id| &api.shape(id).kind);
    match value {
        Value::Null => Literal::Null,
        Value::Bool(flag) => Literal::Boolean(*flag),
        Value::Number(number) => Literal::Number(number.to_string()),
        Value::String(text) => match kind {
            Some(Kind::Enum(members)) if members.contains(value) => Literal::Enum(text.clone()),
            _ => Literal::Text(text.clone()),
        },
        Value::Array(items) => {
            let inner = match kind {
                Some(Kind::Array(array)) => array.items,
                _ => None,
            };
            let of = |item| at_depth(api, inner, item, depth + 1);
            Literal::List(items.iter().map(of).collect())
        }
        Value::Object(map) => {
            let member = |(name, inner): (&String, &Value)| {
                let shape = shape.and_then(|id| property(api, id, name));
                (name.clone(), at_depth(api, shape, inner, depth + 1))
            };
            Literal::Object(map.iter().map(member).collect())
        }
    }
}

/// The shape of a property, also where one of several objects has it.
fn property(api: &Api, id: ShapeId, name: &str) -> Option<ShapeId> {
    match &api.shape(id).kind {
        Kind::Object(object) => object.property(name).map(|property| property.shape),
        Kind::Choice(choice) => choice.options.iter().find_map(|option| {
            let Kind::Object(object) = &api.shape(*option).kind else {
                return None;
            };
            object.property(name).map(|property| property.shape)
        }),
        _ => None,
    }
}
