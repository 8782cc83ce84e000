//! What a rule leaves of what a schema allows.

use std::sync::Arc;

use serde_json::Value;

use super::{Bound, Case, Measure, Rule, Side};
use crate::{ArrayShape, Kind, NumberShape, StringShape};

/// The values of a kind that keep a rule as well; none where the rule says nothing of such values,
/// or would leave none of them.
pub fn narrow(kind: &Kind, rule: &Rule) -> Option<Kind> {
    match kind {
        Kind::Integer(number) => whole(number, rule),
        Kind::Number(number) => real(number, rule),
        Kind::String(text) => string(text, rule),
        Kind::Array(array) => list(array, rule),
        Kind::Enum(members) => {
            let allowed = |member: &&Value| rule.allows(member) != Some(false);
            let left: Vec<Value> = members.iter().filter(allowed).cloned().collect();
            (!left.is_empty()).then_some(Kind::Enum(left))
        }
        Kind::Any => match rule {
            Rule::Members(members) => Some(Kind::Enum(members.clone())),
            Rule::Format(_) | Rule::Pattern(_) => string(&StringShape::default(), rule),
            _ => None,
        },
        _ => None,
    }
}

fn whole(number: &NumberShape, rule: &Rule) -> Option<Kind> {
    // Between whole numbers there is nothing that an open end could let in.
    let closed = match rule {
        Rule::Bound(bound) if !bound.inclusive => Rule::Bound(Bound {
            value: match bound.side {
                Side::Least => bound.value.floor() + 1.0,
                Side::Most => bound.value.ceil() - 1.0,
            },
            inclusive: true,
            ..*bound
        }),
        other => other.clone(),
    };
    let fits = |value: &Value| value.as_f64().is_some_and(|n| n.fract() == 0.0);
    match narrowed(number, &closed)? {
        Narrowed::Number(left) => Some(Kind::Integer(left)),
        Narrowed::Members(members) => some_of(members.into_iter().filter(fits).collect()),
    }
}

fn real(number: &NumberShape, rule: &Rule) -> Option<Kind> {
    match narrowed(number, rule)? {
        Narrowed::Number(left) => Some(Kind::Number(left)),
        Narrowed::Members(members) => some_of(members),
    }
}

fn some_of(members: Vec<Value>) -> Option<Kind> {
    (!members.is_empty()).then_some(Kind::Enum(members))
}

enum Narrowed {
    Number(NumberShape),
    Members(Vec<Value>),
}

fn narrowed(number: &NumberShape, rule: &Rule) -> Option<Narrowed> {
    let mut left = number.clone();
    match rule {
        Rule::Bound(bound) if matches!(bound.of, Measure::Own | Measure::Other) => {
            let (closed, open) = match bound.side {
                Side::Least => (&mut left.minimum, &mut left.exclusive_minimum),
                Side::Most => (&mut left.maximum, &mut left.exclusive_maximum),
            };
            tighten(if bound.inclusive { closed } else { open }, *bound);
        }
        Rule::MultipleOf(step) => match left.multiple_of {
            Some(own) if (own / step).fract() != 0.0 => return None,
            Some(_) => {}
            None => left.multiple_of = Some(*step),
        },
        Rule::Members(members) => {
            let numbers = members.iter().filter_map(as_number);
            let fitting = numbers.filter(|n| n.as_f64().is_some_and(|n| is_within(number, n)));
            return Some(Narrowed::Members(fitting.collect()));
        }
        _ => return None,
    }
    let low = left.minimum.into_iter().chain(left.exclusive_minimum);
    let high = left.maximum.into_iter().chain(left.exclusive_maximum);
    let low = low.fold(f64::NEG_INFINITY, f64::max);
    let high = high.fold(f64::INFINITY, f64::min);
    let open = left.exclusive_minimum == Some(high) || left.exclusive_maximum == Some(low);
    (low < high || (low == high && !open)).then_some(Narrowed::Number(left))
}

fn tighten(own: &mut Option<f64>, bound: Bound) {
    let tighter = match (*own, bound.side) {
        (None, _) => bound.value,
        (Some(own), Side::Least) => own.max(bound.value),
        (Some(own), Side::Most) => own.min(bound.value),
    };
    *own = Some(tighter);
}

fn as_number(value: &Value) -> Option<Value> {
    match value {
        Value::Number(_) => Some(value.clone()),
        Value::String(text) => serde_json::from_str(text).ok().filter(Value::is_number),
        _ => None,
    }
}

fn is_within(number: &NumberShape, value: f64) -> bool {
    number.minimum.is_none_or(|min| value >= min)
        && number.maximum.is_none_or(|max| value <= max)
        && number.exclusive_minimum.is_none_or(|min| value > min)
        && number.exclusive_maximum.is_none_or(|max| value < max)
}

fn string(text: &StringShape, rule: &Rule) -> Option<Kind> {
    let mut left = text.clone();
    match rule {
        Rule::Bound(bound) if matches!(bound.of, Measure::Own | Measure::Length) => {
            let (min, max) = counted(left.min_length, left.max_length, *bound)?;
            (left.min_length, left.max_length) = (min, max);
        }
        Rule::Members(members) => {
            let written = |member: &Value| match member {
                Value::String(_) => Some(member.clone()),
                Value::Number(number) => Some(Value::from(number.to_string())),
                _ => None,
            };
            return some_of(members.iter().filter_map(written).collect());
        }
        Rule::Pattern(pattern) => left.patterns.push(Arc::from(pattern.as_str())),
        Rule::Format(format) => match left.format.as_deref() {
            Some(own) if own != *format => return None,
            _ => left.format = Some(Arc::from(*format)),
        },
        Rule::Case(Case::Lower) => left.patterns.push(Arc::from("^[^A-Z]*$")),
        Rule::Case(Case::Upper) => left.patterns.push(Arc::from("^[^a-z]*$")),
        _ => return None,
    }
    Some(Kind::String(left))
}

fn list(array: &ArrayShape, rule: &Rule) -> Option<Kind> {
    let Rule::Bound(bound) = rule else {
        return None;
    };
    let (min_items, max_items) = counted(array.min_items, array.max_items, *bound)?;
    Some(Kind::Array(ArrayShape {
        min_items,
        max_items,
        ..array.clone()
    }))
}

/// Both ends of a count, with a bound on top of them.
fn counted(min: usize, max: Option<usize>, bound: Bound) -> Option<(usize, Option<usize>)> {
    const LARGEST: f64 = 1e9;
    let value = match (bound.side, bound.inclusive) {
        (_, true) => bound.value,
        (Side::Least, false) => bound.value.floor() + 1.0,
        (Side::Most, false) => bound.value.ceil() - 1.0,
    };
    let whole = (value.fract() == 0.0 && (0.0..=LARGEST).contains(&value)).then_some(value)?;
    let (min, max) = match bound.side {
        Side::Least => (min.max(whole as usize), max),
        Side::Most => (
            min,
            Some(max.map_or(whole as usize, |max| max.min(whole as usize))),
        ),
    };
    max.is_none_or(|max| min <= max).then_some((min, max))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn number(minimum: f64, maximum: f64) -> Kind {
        Kind::Integer(NumberShape {
            minimum: Some(minimum),
            maximum: Some(maximum),
            ..NumberShape::default()
        })
    }

    fn text(min_length: usize, max_length: usize) -> Kind {
        Kind::String(StringShape {
            min_length,
            max_length: Some(max_length),
            ..StringShape::default()
        })
    }

    #[test]
    fn bounds_are_drawn_closer_and_never_wider() {
        let most = |n: f64| Rule::Bound(Bound::most(n, Measure::Own));
        assert_eq!(
            narrow(&number(1.0, 100.0), &most(99.0)),
            Some(number(1.0, 99.0))
        );
        assert_eq!(
            narrow(&number(1.0, 100.0), &most(500.0)),
            Some(number(1.0, 100.0))
        );
        assert_eq!(narrow(&number(1.0, 100.0), &most(0.0)), None);
        assert_eq!(narrow(&text(1, 80), &most(10.0)), Some(text(1, 10)));
        assert_eq!(narrow(&text(20, 80), &most(10.0)), None);
        let above = Rule::Bound(Bound {
            inclusive: false,
            ..Bound::least(1.0, Measure::Own)
        });
        assert_eq!(narrow(&number(1.0, 9.0), &above), Some(number(2.0, 9.0)));
        assert_eq!(narrow(&text(0, 9), &above), Some(text(2, 9)));
    }

    #[test]
    fn a_unit_that_does_not_belong_says_nothing() {
        let seconds = Rule::Bound(Bound::most(5.0, Measure::Other));
        let long = Rule::Bound(Bound::most(5.0, Measure::Length));
        assert_eq!(narrow(&text(0, 80), &seconds), None);
        assert_eq!(narrow(&number(0.0, 80.0), &long), None);
        assert_eq!(narrow(&Kind::Boolean, &seconds), None);
    }

    #[test]
    fn members_are_those_that_the_schema_allows_too() {
        let told = Rule::Members(vec![json!("5"), json!(7), json!("x"), json!(700)]);
        let left = narrow(&number(1.0, 100.0), &told);
        assert_eq!(left, Some(Kind::Enum(vec![json!(5), json!(7)])));
        let declared = Kind::Enum(vec![json!("x"), json!("y")]);
        assert_eq!(narrow(&declared, &told), Some(Kind::Enum(vec![json!("x")])));
        let others = Rule::Members(vec![json!("a")]);
        assert_eq!(narrow(&declared, &others), None);
    }
}
