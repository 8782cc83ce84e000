//! Numbers as texts and as JSON.

use serde_json::Number;

/// A text that is nothing but a number.
pub(crate) fn as_number(text: &str) -> Option<Number> {
    let text = text.trim();
    if let Ok(whole) = text.parse::<i64>() {
        return Some(whole.into());
    }
    let looks = |c: char| c.is_ascii_digit() || matches!(c, '.' | '-' | '+' | 'e' | 'E');
    let real = text
        .chars()
        .all(looks)
        .then(|| text.parse::<f64>().ok())??;
    Number::from_f64(real)
}

/// Whole where it is whole and exact.
pub(crate) fn json_number(value: f64) -> Option<Number> {
    const EXACT: f64 = 9_007_199_254_740_992.0;
    if value.fract() == 0.0 && value.abs() <= EXACT {
        return Some(Number::from(value as i64));
    }
    Number::from_f64(value)
}
