//! Which of two values comes first, as far as anybody can tell: numbers, days and moments have an
//! order, other texts have none.

use std::cmp::Ordering;

use serde_json::Value;

use crate::kinds::{instant, other_day};

/// How two values of one kind follow each other; none where they are of different kinds, or of a
/// kind without order.
pub fn order(a: &Value, b: &Value) -> Option<Ordering> {
    match (a, b) {
        (Value::Number(a), Value::Number(b)) => a.as_f64()?.partial_cmp(&b.as_f64()?),
        (Value::String(a), Value::String(b)) => Some(instant(a)?.cmp(&instant(b)?)),
        _ => None,
    }
}

/// A value a little later or earlier, written the same way: the next number, the next day.
pub fn beside(value: &Value, step: i64) -> Option<Value> {
    match value {
        Value::Number(number) => match number.as_i64() {
            Some(whole) => whole.checked_add(step).map(Value::from),
            None => number.as_f64().map(|real| Value::from(real + step as f64)),
        },
        Value::String(text) => other_day(text, step).map(Value::from),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn numbers_and_moments_have_an_order() {
        let less = |a: Value, b: Value| assert_eq!(order(&a, &b), Some(Ordering::Less));
        less(json!(1), json!(1.5));
        less(json!("2024-02-29"), json!("2024-03-01"));
        less(json!("2024-02-29T10:00:00Z"), json!("2024-02-29T10:00:01Z"));
        // The same hour on a clock further east is earlier.
        less(
            json!("2024-02-29T10:00:00+02:00"),
            json!("2024-02-29T10:00:00Z"),
        );
        less(json!("2024-02-29 10:00:00"), json!("2024-03-01"));
        less(json!("10:00:00Z"), json!("23:59:59Z"));
        for (a, b) in [
            (json!("a"), json!("b")),
            (json!(1), json!("2")),
            (json!(true), json!(false)),
            (json!("2024-02-30"), json!("2024-03-01")),
        ] {
            assert_eq!(order(&a, &b), None, "{a} {b}");
        }
    }

    #[test]
    fn what_is_beside_is_written_the_same_way() {
        assert_eq!(beside(&json!(7), 1), Some(json!(8)));
        assert_eq!(beside(&json!(i64::MAX), 1), None);
        assert_eq!(beside(&json!("2024-02-28"), 1), Some(json!("2024-02-29")));
        assert_eq!(
            beside(&json!("2023-12-31T23:59:59.999999Z"), 1),
            Some(json!("2024-01-01T23:59:59.999999Z"))
        );
        assert_eq!(
            beside(&json!("2024-01-01 00:00:00"), -1),
            Some(json!("2023-12-31 00:00:00"))
        );
        assert_eq!(beside(&json!("9999-12-31"), 1), None);
        assert_eq!(beside(&json!("é2024"), 1), None);
    }
}
