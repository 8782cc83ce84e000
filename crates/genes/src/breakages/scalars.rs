//! Breaking scalars: the type, the bounds, the length, the pattern, the format, the set.

use fossick_contract::{Kind, NumberShape, Shape, StringShape};
use serde_json::{Value, json};

use super::{Break, Spot};
use crate::craft::Craft;
use crate::kinds::string;
use crate::recipe::{Detail, StringRecipe};
use crate::words;

/// Texts longer than this are not sent only to be too long.
const LONGEST: usize = 20_000;

/// A value of another type. One or two are enough: services check a type once.
pub(super) fn type_breaks(shape: &Shape) -> Vec<Break> {
    let wrong = |value: Value, wanted: &str| {
        let detail = format!("{} is not {wanted}", describe(&value));
        Break::new("type", detail, value)
    };
    let mut found = match &shape.kind {
        Kind::Boolean => vec![
            wrong(json!("abc"), "a boolean"),
            wrong(json!(2), "a boolean"),
        ],
        Kind::Integer(_) => vec![
            wrong(json!("abc"), "an integer"),
            wrong(json!(1.5), "an integer"),
            wrong(json!({}), "an integer"),
        ],
        Kind::Number(_) => vec![
            wrong(json!("abc"), "a number"),
            wrong(json!([]), "a number"),
        ],
        Kind::String(_) => vec![
            wrong(json!(12345), "a string"),
            wrong(json!({}), "a string"),
            wrong(json!([]), "a string"),
        ],
        Kind::Array(_) => vec![wrong(json!({}), "an array"), wrong(json!("a"), "an array")],
        Kind::Object(_) => vec![
            wrong(json!([]), "an object"),
            wrong(json!("a"), "an object"),
        ],
        _ => Vec::new(),
    };
    if !found.is_empty() && !shape.nullable {
        let wanted = kind_name(&shape.kind);
        found.push(wrong(Value::Null, wanted));
    }
    found
}

fn kind_name(kind: &Kind) -> &'static str {
    match kind {
        Kind::Boolean => "a boolean",
        Kind::Integer(_) => "an integer",
        Kind::Number(_) => "a number",
        Kind::String(_) => "a string",
        Kind::Array(_) => "an array",
        _ => "an object",
    }
}

fn describe(value: &Value) -> String {
    match value {
        Value::Object(_) => "an object".to_owned(),
        Value::Array(_) => "an array".to_owned(),
        other => other.to_string(),
    }
}

impl Craft<'_> {
    pub(super) fn scalar_breaks(&mut self, shape: &Shape, spot: &Spot<'_>) -> Vec<Break> {
        let recipe = self.recipe(spot.shape);
        match (&shape.kind, &recipe.detail) {
            (Kind::Integer(number), _) => number_breaks(number, true),
            (Kind::Number(number), _) => number_breaks(number, false),
            (Kind::String(string), Detail::Text(recipe)) => {
                let mut found = length_breaks(string, recipe);
                found.extend(self.pattern_breaks(recipe));
                found.extend(format_breaks(string, recipe));
                found
            }
            (Kind::Enum(members), _) => enum_breaks(members),
            _ => Vec::new(),
        }
    }

    fn pattern_breaks(&mut self, recipe: &StringRecipe) -> Vec<Break> {
        const ENOUGH: usize = 2;
        if recipe.patterns.is_empty() {
            return Vec::new();
        }
        let word = words::fit_length(self.rng, "a".to_owned(), recipe.min.max(1), recipe.max);
        let base = crate::kinds::patterned::sample(recipe, crate::pattern::Aim::Tidy, self.rng);
        let base = base.unwrap_or_default();
        let tries = ["!", "0", " ", "~", "A", "a", "é", "\n"]
            .into_iter()
            .flat_map(|c| {
                [
                    base.clone() + c,
                    c.to_owned() + &base,
                    swap_last(&base, c),
                    word.clone() + c,
                    c.repeat(recipe.min.max(1)),
                ]
            });
        tries
            .chain([word.clone(), String::new(), "x".repeat(recipe.max.min(40))])
            .filter(|text| {
                let length = text.chars().count();
                (recipe.min..=recipe.max).contains(&length)
                    && recipe.format.is_none_or(|format| format.fits(text))
            })
            .filter_map(|text| broken_pattern(recipe, text))
            .take(ENOUGH)
            .collect()
    }
}

fn swap_last(text: &str, c: &str) -> String {
    let mut chars = text.chars();
    chars.next_back();
    chars.as_str().to_owned() + c
}

/// The text as a break, if one of the patterns alone refuses it.
fn broken_pattern(recipe: &StringRecipe, text: String) -> Option<Break> {
    let mut refusing = recipe
        .patterns
        .iter()
        .filter(|pattern| !pattern.matches(&text));
    let pattern = refusing.next()?;
    if refusing.next().is_some() {
        return None;
    }
    let detail = format!("{} does not match {}", json!(text), pattern.text);
    Some(Break::new("pattern", detail, text))
}

fn number_breaks(number: &NumberShape, whole: bool) -> Vec<Break> {
    let mut found = bound_breaks(number, whole);
    found.extend(number.multiple_of.into_iter().flat_map(|of| {
        let low = number.minimum.or(number.exclusive_minimum);
        // One step inside, and then a little aside.
        let start = ((low.unwrap_or(0.0).max(-1e9) / of).ceil() + 1.0) * of;
        let aside = if whole {
            [1.0, 2.0]
        } else {
            [of / 2.0, of / 3.0]
        };
        aside.map(|aside| number_break("multipleOf", start + aside, "not a multiple of", of, whole))
    }));
    found.into_iter().flatten().collect()
}

fn bound_breaks(number: &NumberShape, whole: bool) -> Vec<Option<Break>> {
    let least = if whole { 1.0 } else { 0.0 };
    let step = number.multiple_of.unwrap_or(1.0).max(least);
    let mut found = Vec::new();
    if let Some(bound) = number.minimum {
        let below = |value| number_break("minimum", value, "below the minimum", bound, whole);
        found.extend(outside(bound, -step, whole).map(below));
    }
    if let Some(bound) = number.maximum {
        let above = |value| number_break("maximum", value, "above the maximum", bound, whole);
        found.extend(outside(bound, step, whole).map(above));
    }
    if let Some(bound) = number.exclusive_minimum {
        let words = "not above the exclusive minimum";
        found.push(number_break("exclusiveMinimum", bound, words, bound, whole));
    }
    if let Some(bound) = number.exclusive_maximum {
        let words = "not below the exclusive maximum";
        found.push(number_break("exclusiveMaximum", bound, words, bound, whole));
    }
    found
}

/// A number as a break, if it can be written exactly.
fn number_break(
    keyword: &'static str,
    value: f64,
    words: &str,
    bound: f64,
    whole: bool,
) -> Option<Break> {
    if !value.is_finite() || value.abs() >= 9e15 {
        return None;
    }
    let value = if whole {
        json!(value as i64)
    } else {
        json!(value)
    };
    let detail = format!("{value} is {words} {bound}");
    Some(Break::new(keyword, detail, value))
}

/// Just outside a bound, and well outside it; multiples stay multiples.
fn outside(bound: f64, step: f64, whole: bool) -> [f64; 2] {
    let edge = if whole {
        (bound / step).floor() * step
    } else {
        bound
    };
    [edge + step, edge + step * 1000.0]
}

fn length_breaks(shape: &StringShape, recipe: &StringRecipe) -> Vec<Break> {
    let mut found = Vec::new();
    let mut add = |keyword: &'static str, length: usize, words: String| {
        let text = resized(recipe, length);
        found.push(Break::new(
            keyword,
            format!("{length} characters are {words}"),
            text,
        ));
    };
    if shape.min_length > 0 && shape.min_length < LONGEST {
        add(
            "minLength",
            shape.min_length - 1,
            format!("fewer than {}", shape.min_length),
        );
    }
    if let Some(max) = shape.max_length.filter(|max| *max < LONGEST) {
        add("maxLength", max + 1, format!("more than {max}"));
        add("maxLength", max * 2 + 10, format!("more than {max}"));
    }
    found
}

/// A text of just that length; where there are patterns, one that still matches if it can be had.
fn resized(recipe: &StringRecipe, length: usize) -> String {
    use crate::pattern::Aim;
    use rand::SeedableRng as _;
    let mut rng = crate::Rng::seed_from_u64(length as u64);
    let walked = recipe.patterns.first().and_then(|pattern| {
        [Aim::Tidy, Aim::Longest, Aim::Wide]
            .into_iter()
            .cycle()
            .take(12)
            .filter_map(|aim| pattern.attempt(length, length, aim, &mut rng))
            .find(|text| {
                text.chars().count() == length && recipe.patterns.iter().all(|p| p.matches(text))
            })
    });
    walked.unwrap_or_else(|| "a".repeat(length))
}

fn format_breaks(shape: &StringShape, recipe: &StringRecipe) -> Vec<Break> {
    let (Some(format), Some(name)) = (recipe.format, shape.format.as_deref()) else {
        return Vec::new();
    };
    let broken = |text: &&str| Break::new("format", format!("{text:?} is not a {name}"), *text);
    format.broken().iter().map(broken).collect()
}

/// Values outside the set, of the type that its members have.
fn enum_breaks(members: &[Value]) -> Vec<Break> {
    let mut found = Vec::new();
    if let Some(Value::String(first)) = members.iter().find(|m| m.is_string()) {
        found.push(json!(format!("{first}x")));
        found.push(json!("not-a-member"));
        found.push(json!(string::SPECIAL[0]));
    }
    let highest = members.iter().filter_map(Value::as_i64).max();
    found.extend(highest.and_then(|n| n.checked_add(1)).map(|n| json!(n)));
    if members.iter().all(Value::is_boolean) {
        found.extend(members.first().and_then(Value::as_bool).map(|b| json!(!b)));
    }
    found.retain(|value| !members.contains(value));
    found.truncate(2);
    found
        .into_iter()
        .map(|value| Break::new("enum", format!("{value} is not a member"), value))
        .collect()
}
