//! Values as numbers that can be moved a little.

use jiff::ToSpan as _;
use jiff::civil::date;
use serde_json::Value;

use crate::moment::Moment;
use crate::number::json_number;

/// A number, a text that is one, or a date as the days since 1970.
pub fn measure(value: &Value) -> Option<f64> {
    match value {
        Value::Number(number) => number.as_f64(),
        Value::String(text) => {
            let number = text.parse().ok().filter(|number: &f64| number.is_finite());
            number.or_else(|| days(text))
        }
        _ => None,
    }
}

/// The same kind of value with another measure.
pub fn with_measure(old: &Value, measure: f64) -> Option<Value> {
    const MOST: f64 = 9e15;
    let whole = || measure.round().clamp(-MOST, MOST) as i64;
    Some(match old {
        Value::Number(old) if old.is_f64() => Value::Number(json_number(measure)?),
        Value::Number(_) => Value::from(whole()),
        Value::String(text) if days(text).is_some() => Value::from(at_day(text, whole())?),
        Value::String(text) if text.contains('.') => Value::from(measure.to_string()),
        _ => Value::from(whole().to_string()),
    })
}

fn days(text: &str) -> Option<f64> {
    let moment = Moment::read(text)?;
    let since = date(1970, 1, 1).until(moment.at.date()).ok()?;
    Some(f64::from(since.get_days()))
}

fn at_day(text: &str, days: i64) -> Option<String> {
    let moment = Moment::read(text)?;
    let span = 0.days().try_days(days).ok()?;
    let day = date(1970, 1, 1).checked_add(span).ok()?;
    Some(moment.write(day.to_datetime(moment.at.time())))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn numbers_texts_and_dates_are_moved() {
        let moved = |value: Value| with_measure(&value, measure(&value)? + 2.0);
        assert_eq!(moved(json!(5)), Some(json!(7)));
        assert_eq!(moved(json!(0.5)), Some(json!(2.5)));
        assert_eq!(moved(json!("41")), Some(json!("43")));
        assert_eq!(moved(json!("2024-02-28")), Some(json!("2024-03-01")));
        assert_eq!(
            moved(json!("1969-12-31T10:00:00Z")),
            Some(json!("1970-01-02T10:00:00Z"))
        );
        assert_eq!(moved(json!("marker")), None);
    }
}
