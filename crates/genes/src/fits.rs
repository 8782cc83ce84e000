//! Whether a scalar fits its shape, by our own reading.
//!
//! Quicker than a validator and needs none, so that pools of seen values can be asked on every
//! sample. Says nothing of `needs_check`; whoever cares confirms with a validator.

use fossick_contract::{Kind, Shape};
use serde_json::Value;

use crate::recipe::Detail;

/// Whether values of this kind have no parts.
pub(crate) fn is_scalar(kind: &Kind) -> bool {
    matches!(
        kind,
        Kind::Null
            | Kind::Boolean
            | Kind::Integer(_)
            | Kind::Number(_)
            | Kind::String(_)
            | Kind::Enum(_)
    )
}

pub(crate) fn fits(shape: &Shape, detail: &Detail, value: &Value) -> bool {
    if value.is_null() && shape.nullable {
        return true;
    }
    match (&shape.kind, detail, value) {
        (Kind::Null, _, Value::Null) | (Kind::Boolean, _, Value::Bool(_)) | (Kind::Any, ..) => true,
        (_, Detail::Whole(whole), Value::Number(number)) => {
            number.as_i64().is_some_and(|value| whole.contains(value))
        }
        (_, Detail::Real(real), Value::Number(number)) => {
            number.as_f64().is_some_and(|value| real.contains(value))
        }
        (_, Detail::Text(recipe), Value::String(text)) => recipe.fits(text),
        (_, Detail::Members(members), value) => members.contains(value),
        _ => false,
    }
}

/// Equality as JSON Schema has it: `1` and `1.0` are the same number.
pub(crate) fn same(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Number(a), Value::Number(b)) => {
            a == b || (!(a.is_i64() && b.is_i64()) && a.as_f64() == b.as_f64())
        }
        (Value::Array(a), Value::Array(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b))
        }
        (Value::Object(a), Value::Object(b)) => {
            a.len() == b.len()
                && a.iter()
                    .all(|(key, a)| b.get(key).is_some_and(|b| same(a, b)))
        }
        (a, b) => a == b,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn numbers_are_the_same_however_they_are_written() {
        assert!(same(&json!({"a": [1]}), &json!({"a": [1.0]})));
        assert!(!same(&json!(1), &json!(true)));
        assert!(!same(
            &json!(9_007_199_254_740_993_i64),
            &json!(9_007_199_254_740_992_i64)
        ));
    }
}
