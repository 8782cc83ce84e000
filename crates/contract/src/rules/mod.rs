//! Rules that a schema does not tell: read from descriptions and from refusals.
//!
//! A [`Rule`] is about the value of one field, a [`Relation`] about the values of several. Both are
//! hints: whoever uses them keeps to the schema first, and drops a rule that was seen to be wrong.
//! The phrasings that are understood stand in one table, `phrasings.rs`; what nobody listed there
//! is not guessed at.

mod alphabet;
mod layouts;
mod lists;
mod mentions;
mod narrow;
mod negation;
mod pairs;
mod phrasings;
mod read;
mod relations;
mod token;

use std::fmt;

use serde_json::Value;

pub use mentions::{mentioned, plain};
pub use narrow::narrow;
pub use pairs::paired;
pub use read::rules_in;
pub use relations::relations_in;

/// Who says it. A description tells what holds, a refusal mostly what does not: of "is longer than
/// 80 characters" the first means at least 81, the second at most 80.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Voice {
    Description,
    Refusal,
}

/// What is asked of the value of one field.
#[derive(Debug, Clone, PartialEq)]
pub enum Rule {
    Bound(Bound),
    MultipleOf(f64),
    Members(Vec<Value>),
    /// A regular expression, as the text writes it.
    Pattern(String),
    /// By its name in JSON Schema.
    Format(&'static str),
    Case(Case),
    Moment(Moment),
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Bound {
    pub side: Side,
    pub value: f64,
    pub inclusive: bool,
    pub of: Measure,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    Least,
    Most,
}

/// What a bound counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Measure {
    /// Whatever the field has: the value of a number, the length of a text, the items of a list.
    Own,
    /// Characters of a text, items of a list.
    Length,
    Items,
    /// Something else (seconds, results, words): the value of a number or the items of a list,
    /// but surely not the characters of a text.
    Other,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Case {
    Lower,
    Upper,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Moment {
    Past,
    Future,
}

/// What is asked of several fields together. Fields are places in the list that whoever asked gave.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Relation {
    /// The first comes before the second, or is less.
    Before(usize, usize),
    /// The first is not after the second, nor more.
    NotAfter(usize, usize),
    Equal(usize, usize),
    Different(usize, usize),
    /// The first is one of the second, which is a list.
    Among(usize, usize),
    NotAmong(usize, usize),
    /// The first is given only with the second.
    Requires(usize, usize),
    /// One is given when another has this value.
    GivenWhen {
        field: usize,
        of: usize,
        value: String,
        /// And never else.
        only: bool,
    },
    /// At least one is given.
    AnyOf(Vec<usize>),
    AtMostOne(Vec<usize>),
}

impl Bound {
    pub fn least(value: f64, of: Measure) -> Self {
        Self {
            side: Side::Least,
            value,
            inclusive: true,
            of,
        }
    }

    pub fn most(value: f64, of: Measure) -> Self {
        Self {
            side: Side::Most,
            ..Self::least(value, of)
        }
    }

    fn holds(self, measured: f64) -> bool {
        match self.side {
            Side::Least if self.inclusive => measured >= self.value,
            Side::Least => measured > self.value,
            Side::Most if self.inclusive => measured <= self.value,
            Side::Most => measured < self.value,
        }
    }
}

impl Rule {
    /// Whether a value keeps the rule; none where the rule says nothing of such a value, or where
    /// it takes more than this crate has to tell.
    pub fn allows(&self, value: &Value) -> Option<bool> {
        match (self, value) {
            (Self::Bound(bound), value) => {
                measured(value, bound.of).map(|measured| bound.holds(measured))
            }
            (Self::MultipleOf(step), Value::Number(number)) => {
                let times = number.as_f64()? / step;
                Some((times - times.round()).abs() < 1e-9)
            }
            (Self::Members(members), Value::String(_) | Value::Number(_) | Value::Bool(_)) => {
                Some(members.iter().any(|member| is_written_alike(member, value)))
            }
            (Self::Format(format), Value::String(text)) => Some(crate::fits_format(format, text)),
            (Self::Case(Case::Lower), Value::String(text)) => Some(*text == text.to_lowercase()),
            (Self::Case(Case::Upper), Value::String(text)) => Some(*text == text.to_uppercase()),
            // There is no clock here, but some years are surely over.
            (Self::Moment(moment), Value::String(text)) => {
                let year: u32 = text.get(..4)?.parse().ok()?;
                match (moment, year) {
                    (Moment::Past, ..=2020) | (Moment::Future, 2050..) => Some(true),
                    (Moment::Past, 2050..) | (Moment::Future, ..=2020) => Some(false),
                    _ => None,
                }
            }
            _ => None,
        }
    }
}

/// How much a value has of what a bound counts.
fn measured(value: &Value, of: Measure) -> Option<f64> {
    match (value, of) {
        (Value::Number(number), Measure::Own | Measure::Other) => number.as_f64(),
        (Value::String(text), Measure::Own | Measure::Length) => Some(text.chars().count() as f64),
        (Value::Array(items), _) => Some(items.len() as f64),
        _ => None,
    }
}

/// Prose has no types: a `5` in it may stand for the number and for the text.
fn is_written_alike(told: &Value, value: &Value) -> bool {
    let written = |value: &Value| match value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    };
    told == value || written(told) == written(value)
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Bound(bound) => write!(f, "{bound}"),
            Self::MultipleOf(step) => write!(f, "multiple of {step}"),
            Self::Members(members) => {
                let shown: Vec<String> = members.iter().map(Value::to_string).collect();
                write!(f, "one of {}", shown.join(", "))
            }
            Self::Pattern(pattern) => write!(f, "matches {pattern}"),
            Self::Format(format) => write!(f, "format {format}"),
            Self::Case(Case::Lower) => f.write_str("lower case"),
            Self::Case(Case::Upper) => f.write_str("upper case"),
            Self::Moment(Moment::Past) => f.write_str("in the past"),
            Self::Moment(Moment::Future) => f.write_str("in the future"),
        }
    }
}

impl fmt::Display for Bound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let words = match (self.side, self.inclusive) {
            (Side::Least, true) => "at least",
            (Side::Least, false) => "more than",
            (Side::Most, true) => "at most",
            (Side::Most, false) => "less than",
        };
        let unit = match self.of {
            Measure::Own | Measure::Other => "",
            Measure::Length => " long",
            Measure::Items => " items",
        };
        write!(f, "{words} {}{unit}", self.value)
    }
}

impl Relation {
    /// The fields that it is about.
    pub fn fields(&self) -> Vec<usize> {
        match self {
            Self::Before(a, b)
            | Self::NotAfter(a, b)
            | Self::Equal(a, b)
            | Self::Different(a, b)
            | Self::Among(a, b)
            | Self::NotAmong(a, b)
            | Self::Requires(a, b) => vec![*a, *b],
            Self::GivenWhen { field, of, .. } => vec![*field, *of],
            Self::AnyOf(all) | Self::AtMostOne(all) => all.clone(),
        }
    }

    /// In words, with the names of its fields.
    pub fn shown(&self, names: &[&str]) -> String {
        let name = |at: &usize| names.get(*at).copied().unwrap_or("?");
        let all = |fields: &[usize]| fields.iter().map(name).collect::<Vec<_>>().join(", ");
        match self {
            Self::Before(a, b) => format!("{} before {}", name(a), name(b)),
            Self::NotAfter(a, b) => format!("{} not after {}", name(a), name(b)),
            Self::Equal(a, b) => format!("{} equals {}", name(a), name(b)),
            Self::Different(a, b) => format!("{} differs from {}", name(a), name(b)),
            Self::Among(a, b) => format!("{} is among {}", name(a), name(b)),
            Self::NotAmong(a, b) => format!("{} is not among {}", name(a), name(b)),
            Self::Requires(a, b) => format!("{} requires {}", name(a), name(b)),
            Self::GivenWhen {
                field,
                of,
                value,
                only,
            } => {
                let only = if *only { ", and only then" } else { "" };
                format!("{} given when {} is {value}{only}", name(field), name(of))
            }
            Self::AnyOf(fields) => format!("at least one of {}", all(fields)),
            Self::AtMostOne(fields) => format!("at most one of {}", all(fields)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_rule_says_of_which_values_it_holds() {
        let most = Rule::Bound(Bound::most(3.0, Measure::Own));
        assert_eq!(most.allows(&json!(3)), Some(true));
        assert_eq!(most.allows(&json!(4)), Some(false));
        assert_eq!(most.allows(&json!("four")), Some(false));
        assert_eq!(most.allows(&json!([1, 2, 3])), Some(true));
        assert_eq!(most.allows(&json!(true)), None);
        let seconds = Rule::Bound(Bound::most(3.0, Measure::Other));
        assert_eq!(seconds.allows(&json!("four")), None);
        assert_eq!(Rule::MultipleOf(0.1).allows(&json!(0.3)), Some(true));
        assert_eq!(Rule::MultipleOf(5.0).allows(&json!(7)), Some(false));
        let five = Rule::Members(vec![json!(5)]);
        assert_eq!(five.allows(&json!("5")), Some(true));
        assert_eq!(Rule::Case(Case::Lower).allows(&json!("aB")), Some(false));
        let future = Rule::Moment(Moment::Future);
        assert_eq!(future.allows(&json!("1999-01-01")), Some(false));
        assert_eq!(future.allows(&json!("2026-01-01")), None);
    }

    #[test]
    fn relations_are_told_with_names() {
        let names = ["start", "end"];
        assert_eq!(Relation::Before(0, 1).shown(&names), "start before end");
        let all = Relation::AnyOf(vec![0, 1]);
        assert_eq!(all.shown(&names), "at least one of start, end");
        assert_eq!(all.fields(), [0, 1]);
    }
}
