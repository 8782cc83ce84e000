//! Which of two values comes first: numbers by size, moments by time.

use std::cmp::Ordering;

use serde_json::Value;

use crate::kinds::{Date, DateTime, Time};
use crate::source::Source;

/// The order of two values; none where they can't be compared.
pub fn compare(one: &Value, other: &Value) -> Option<Ordering> {
    match (one, other) {
        (Value::Number(a), Value::Number(b)) => a.as_f64()?.partial_cmp(&b.as_f64()?),
        (Value::String(a), Value::String(b)) => moments(a, b),
        _ => None,
    }
}

fn moments(one: &str, other: &str) -> Option<Ordering> {
    if let (Some(a), Some(b)) = (instant(one), instant(other)) {
        return Some(a.cmp(&b));
    }
    // Others write moments their own way: what begins with the year sorts as text.
    (is_dated(one) && is_dated(other)).then(|| one.cmp(other))
}

/// Milliseconds since 1970, or of the day.
fn instant(text: &str) -> Option<i64> {
    const DAY: i64 = 86_400;
    let source = Source::Fixed;
    if let Some(moment) = DateTime::parse(text, source) {
        let seconds = moment.seconds - i64::from(moment.offset) * 60;
        return Some(seconds * 1000 + i64::from(moment.millis));
    }
    if let Some(date) = Date::parse(text, source) {
        return Some(i64::from(date.days) * DAY * 1000);
    }
    let time = Time::parse(text, source)?;
    Some(i64::from(time.second) * 1000)
}

fn is_dated(text: &str) -> bool {
    let digit = |at: usize| text.as_bytes().get(at).is_some_and(u8::is_ascii_digit);
    (0..4).all(digit) && text.as_bytes().get(4).is_some_and(|c| *c == b'-')
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn numbers_and_moments_have_an_order_and_other_texts_have_none() {
        let less = Some(Ordering::Less);
        assert_eq!(compare(&json!(2), &json!(10.5)), less);
        assert_eq!(compare(&json!("2024-05-17"), &json!("2024-10-01")), less);
        let (early, late) = ("2024-05-17T10:00:00+02:00", "2024-05-17T09:00:00Z");
        assert_eq!(compare(&json!(early), &json!(late)), less);
        assert_eq!(
            compare(&json!("2024-05-17 10:00"), &json!("2024-05-17 11:00")),
            less
        );
        assert_eq!(compare(&json!("ash"), &json!("birch")), None);
        assert_eq!(compare(&json!(1), &json!("2024-05-17")), None);
    }
}
