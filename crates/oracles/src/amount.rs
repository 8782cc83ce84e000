//! Numbers, days and moments, as far as one can be said to come before another.

use std::cmp::Ordering;

use fossick_trace::leading_day;
use serde_json::Value;

/// What two values must have in common to be compared. A moment without a zone may be hours away
/// from one that has it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Amount {
    Number(f64),
    Day(i64),
    /// Seconds on the clock of nobody knows where.
    Local(f64),
    Instant(f64),
}

impl Amount {
    pub(crate) fn of(value: &Value) -> Option<Self> {
        match value {
            Value::Number(number) => number.as_f64().map(Self::Number),
            Value::String(text) => moment(text).or_else(|| written(text)),
            _ => None,
        }
    }

    pub(crate) fn is_moment(self) -> bool {
        !matches!(self, Self::Number(_))
    }

    /// How it stands to another of its kind.
    pub(crate) fn stands_to(self, other: Self) -> Option<Ordering> {
        match (self, other) {
            (Self::Day(a), Self::Day(b)) => Some(a.cmp(&b)),
            (Self::Number(a), Self::Number(b))
            | (Self::Local(a), Self::Local(b))
            | (Self::Instant(a), Self::Instant(b)) => a.partial_cmp(&b),
            _ => None,
        }
    }

    /// The same in another form: a day is also its first moment.
    pub(crate) fn is(self, other: Self) -> bool {
        let begins = |day: i64, seconds: f64| day as f64 * 86_400.0 == seconds;
        match (self, other) {
            (Self::Day(day), Self::Local(at) | Self::Instant(at))
            | (Self::Local(at) | Self::Instant(at), Self::Day(day)) => begins(day, at),
            (Self::Local(a), Self::Instant(b)) | (Self::Instant(a), Self::Local(b)) => a == b,
            (a, b) => a.stands_to(b) == Some(Ordering::Equal),
        }
    }
}

/// `12.50`: what must not be rounded is often written as a text.
fn written(text: &str) -> Option<Amount> {
    let bare = text.strip_prefix('-').unwrap_or(text);
    let digits = |c: char| c.is_ascii_digit() || c == '.';
    let plain = bare.starts_with(|c: char| c.is_ascii_digit()) && bare.chars().all(digits);
    let number = text.parse().ok().filter(|_| plain)?;
    Some(Amount::Number(number))
}

/// `2024-05-17`, `2024-05-17T10:30:00.5+02:00`
fn moment(text: &str) -> Option<Amount> {
    let (day, rest) = leading_day(text)?;
    let Some(time) = rest.strip_prefix(['T', 't', ' ']) else {
        return rest.is_empty().then_some(Amount::Day(day));
    };
    let zone = time.find(['Z', 'z', '+', '-']).unwrap_or(time.len());
    let seconds = day as f64 * 86_400.0 + clock(&time[..zone])?;
    match &time[zone..] {
        "" => Some(Amount::Local(seconds)),
        "Z" | "z" => Some(Amount::Instant(seconds)),
        offset => Some(Amount::Instant(seconds - shift(offset)?)),
    }
}

fn number(text: &str) -> Option<i64> {
    let digits = text.bytes().all(|b| b.is_ascii_digit());
    digits.then(|| text.parse().ok()).flatten()
}

/// Seconds since midnight: `10:30`, `10:30:00`, `10:30:00.123`.
fn clock(text: &str) -> Option<f64> {
    let mut parts = text.split(':');
    let (hours, minutes) = (number(parts.next()?)?, number(parts.next()?)?);
    let seconds: f64 = parts.next().map_or(Some(0.0), |text| text.parse().ok())?;
    Some((hours * 3600 + minutes * 60) as f64 + seconds)
}

/// Seconds of a zone: `+02:00`, `-0530`.
fn shift(text: &str) -> Option<f64> {
    let sign = if text.starts_with('-') { -1.0 } else { 1.0 };
    let digits: String = text.chars().filter(char::is_ascii_digit).collect();
    let (hours, minutes) = digits.split_at_checked(2)?;
    let minutes = if minutes.is_empty() {
        0
    } else {
        number(minutes)?
    };
    Some(sign * (number(hours)? * 3600 + minutes * 60) as f64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn stands(a: &Value, b: &Value) -> Option<Ordering> {
        Amount::of(a)?.stands_to(Amount::of(b)?)
    }

    #[test]
    fn values_of_one_kind_have_an_order() {
        for (less, more) in [
            (json!(1), json!(1.5)),
            (json!("9.5"), json!(10)),
            (json!("2024-05-17"), json!("2024-06-01")),
            (
                json!("2024-05-17T10:00:00+02:00"),
                json!("2024-05-17T08:00:01Z"),
            ),
            (
                json!("2023-12-31T23:00:00-02:00"),
                json!("2024-01-01T01:00:00.5Z"),
            ),
            (json!("2024-05-17 10:00"), json!("2024-05-17T10:00:01")),
        ] {
            assert_eq!(stands(&less, &more), Some(Ordering::Less), "{less}");
            assert_eq!(stands(&more, &less), Some(Ordering::Greater), "{less}");
        }
    }

    #[test]
    fn values_of_several_kinds_have_none() {
        for (a, b) in [
            (json!("2024-05-17"), json!("2024-05-17T10:00:00Z")),
            (json!("2024-05-17T10:00:00"), json!("2024-05-17T10:00:00Z")),
            (json!("2024-05-17"), json!(3)),
            (json!("1.2.3"), json!(3)),
            (json!("soon"), json!("later")),
            (json!(null), json!(1)),
            (json!("2024-99-17"), json!("2024-05-17")),
        ] {
            assert_eq!(stands(&a, &b), None, "{a}");
        }
    }

    #[test]
    fn one_moment_has_several_forms() {
        for (a, b) in [
            (json!("2024-05-17"), json!("2024-05-17T00:00:00Z")),
            (
                json!("2024-05-17T10:00:00"),
                json!("2024-05-17T10:00:00.000Z"),
            ),
            (
                json!("2024-05-17T10:00:00+02:00"),
                json!("2024-05-17T08:00:00Z"),
            ),
            (json!("1.50"), json!(1.5)),
        ] {
            let [one, other] = [&a, &b].map(Amount::of);
            assert!(one.zip(other).is_some_and(|(a, b)| a.is(b)), "{a}");
        }
    }
}
