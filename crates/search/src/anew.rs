//! How a value can be made anew without becoming invalid.
//!
//! Worked out once for a value and its shape, and then good for every replay: whoever replays has
//! no document to ask.

use fossick_contract::{Kind, NumberShape, ShapeId, StringShape};
use fossick_genes::Maker;
use fossick_trace::{Free, Unique};
use fossick_validate::Direction;
use serde_json::Value;

/// Values that are tried before a way to make others is believed.
const TRIALS: u64 = 12;
/// Numbers up to here fit everywhere and seldom meet.
const MOST: i64 = 999_999_999;
/// So many values are enough to choose from.
const ENOUGH: usize = 1_000_000;
/// Places of a text that are looked at, from its end.
const LOOKED_AT: usize = 24;

/// How a value is made anew; none if it has no others, or nobody can tell which.
pub(crate) fn way_anew(
    maker: &Maker<'_>,
    field: &str,
    shape: ShapeId,
    value: &Value,
) -> Option<Unique> {
    let is_valid = |value: &Value| {
        let validators = maker.validators;
        validators.is_valid(Direction::Request, shape, value)
    };
    match (&maker.api.shape(shape).kind, value) {
        (Kind::Integer(bounds), Value::Number(number)) => {
            whole_number(bounds, field, number.as_i64()?)
        }
        (Kind::String(declared), Value::String(text)) => text_anew(declared, text, is_valid),
        // What nobody described may be anything of its kind.
        (Kind::Any | Kind::Choice(_), Value::String(text)) => {
            holds(Unique::Text(text.clone()), is_valid)
        }
        _ => None,
    }
}

fn whole_number(bounds: &NumberShape, field: &str, number: i64) -> Option<Unique> {
    if bounds.multiple_of.is_some_and(|step| step != 1.0) {
        return None;
    }
    let least = bounds.minimum.map_or(1, |least| least.ceil() as i64);
    let most = bounds.maximum.map_or(MOST, |most| most.floor() as i64);
    let (least, most) = (least.min(number), most.max(number));
    // A wide range is not used whole: what is large is often refused for that alone.
    let most = most.min(least.saturating_add(MOST)).max(number);
    (least < most).then(|| Unique::Number {
        number,
        least,
        most,
        field: field.to_owned(),
    })
}

fn text_anew(
    declared: &StringShape,
    text: &str,
    is_valid: impl Fn(&Value) -> bool,
) -> Option<Unique> {
    if matches!(declared.format.as_deref(), Some("date" | "date-time")) {
        let day = text.to_owned();
        return holds(Unique::Day { day }, is_valid);
    }
    let plain = Unique::Text(text.to_owned());
    // Length and letters stay: without a pattern nothing can break.
    if declared.patterns.is_empty() && declared.format.is_none() {
        return (plain.anew(0) != plain).then_some(plain);
    }
    holds(plain, &is_valid).or_else(|| masked(text, |text| is_valid(&Value::from(text))))
}

/// A way to make others, if those that it makes are valid and others indeed.
fn holds(unique: Unique, is_valid: impl Fn(&Value) -> bool) -> Option<Unique> {
    let old = unique.value();
    let mut others = (0..TRIALS).map(|salt| unique.anew(salt).value());
    let good = others.all(|new| new != old && is_valid(&new));
    good.then_some(unique)
}

/// Finds the places of a text that may change without breaking a pattern or a format.
fn masked(text: &str, is_valid: impl Fn(&str) -> bool) -> Option<Unique> {
    let chars: Vec<char> = text.chars().collect();
    let mut free = Vec::new();
    let mut count: usize = 1;
    for at in (0..chars.len()).rev().take(LOOKED_AT) {
        let among = others_at(&chars, at, &is_valid);
        if count >= ENOUGH || among.chars().count() < 2 {
            continue;
        }
        free.push(Free { at, among });
        // Two places may depend on each other, as month and day do.
        let mask = mask(text, &free);
        if holds(mask, |new| new.as_str().is_some_and(&is_valid)).is_none() {
            free.pop();
        } else {
            count = count.saturating_mul(free.last().map_or(1, |f| f.among.len()));
        }
    }
    (!free.is_empty()).then(|| mask(text, &free))
}

fn mask(text: &str, free: &[Free]) -> Unique {
    Unique::Masked {
        text: text.to_owned(),
        free: free.to_vec(),
    }
}

/// The characters of the same kind that may stand at a place.
fn others_at(chars: &[char], at: usize, is_valid: impl Fn(&str) -> bool) -> String {
    let kind = match chars[at] {
        'a'..='z' => 'a'..='z',
        'A'..='Z' => 'A'..='Z',
        '0'..='9' => '0'..='9',
        _ => return String::new(),
    };
    let with = |c: char| -> String {
        let all = chars.iter().enumerate();
        all.map(|(i, own)| if i == at { c } else { *own }).collect()
    };
    kind.filter(|c| is_valid(&with(*c))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_stays_within_its_bounds() {
        let bounds = |least, most| NumberShape {
            minimum: least,
            maximum: most,
            ..NumberShape::default()
        };
        let range = |bounds: &NumberShape, number| match whole_number(bounds, "n", number) {
            Some(Unique::Number { least, most, .. }) => Some((least, most)),
            _ => None,
        };
        assert_eq!(range(&bounds(Some(10.0), Some(99.0)), 12), Some((10, 99)));
        assert_eq!(range(&bounds(None, None), 5), Some((1, MOST)));
        assert_eq!(range(&bounds(None, None), -5), Some((-5, MOST - 5)));
        assert_eq!(range(&bounds(Some(3.0), Some(3.0)), 3), None);
    }

    #[test]
    fn a_text_that_letters_may_not_be_exchanged_in_gets_a_mask() {
        let hex = |text: &str| {
            let (head, tail) = text.split_at(3);
            head == "DE-" && tail.chars().all(|c| matches!(c, '1'..='6' | 'A'..='F'))
        };
        let found = masked("DE-1A2B", hex).expect("there are others");
        for salt in 0..50 {
            let new = found.anew(salt).value();
            assert!(new.as_str().is_some_and(hex), "{new}");
        }
    }

    #[test]
    fn places_that_depend_on_each_other_do_not_change_together() {
        let sums = |text: &str| text.bytes().map(|b| u32::from(b - b'0')).sum::<u32>() % 3 == 0;
        let found = masked("111", sums).expect("there are others");
        for salt in 0..20 {
            let new = found.anew(salt).value();
            assert!(new.as_str().is_some_and(sums), "{new}");
        }
        assert_eq!(masked("111", |text| text == "111"), None);
    }

    #[test]
    fn a_day_is_moved_and_a_plain_text_changes_its_letters() {
        let any = |_: &Value| true;
        let date = StringShape {
            format: Some("date".into()),
            ..StringShape::default()
        };
        assert!(matches!(
            text_anew(&date, "2024-05-17", any),
            Some(Unique::Day { .. })
        ));
        let plain = StringShape::default();
        assert!(matches!(
            text_anew(&plain, "birch-1", any),
            Some(Unique::Text(_))
        ));
        assert_eq!(text_anew(&plain, "--", any), None);
    }
}
