//! Breakages that survive the way as text, for paths, queries, headers and cookies.
//!
//! There a number and its text are the same, an empty value may mean an absent one, and lenient
//! readers take `+5` or `5.0` for five. Whatever could be read as valid after all is left out:
//! better one breakage less than one accusation too many.

use fossick_contract::{Kind, ShapeId};
use fossick_validate::Direction;
use serde_json::{Value, json};

use super::{Breakage, breakages};
use crate::craft::Craft;
use crate::maker::Maker;

/// URLs longer than this are refused for their own sake.
const LONGEST: usize = 1500;

pub fn text_breakages(maker: &mut Maker<'_>, name: &str, shape: ShapeId) -> Vec<Breakage> {
    let found = breakages(maker, name, shape);
    maker.craft(|craft| {
        found
            .into_iter()
            .filter(|breakage| craft.survives_as_text(shape, breakage))
            .collect()
    })
}

impl Craft<'_> {
    fn survives_as_text(&self, root: ShapeId, breakage: &Breakage) -> bool {
        match &self.api.shape(root).kind {
            Kind::Array(_) => self.survives_in_array(root, breakage),
            // Missing and unasked-for properties look different in every style.
            Kind::Object(_) => self.survives_in_object(root, breakage),
            _ => breakage.pointer.is_empty() && self.survives(root, &breakage.value, |text| text),
        }
    }

    fn survives_in_array(&self, root: ShapeId, breakage: &Breakage) -> bool {
        let Value::Array(items) = &breakage.value else {
            return false;
        };
        let plain = items
            .iter()
            .all(|item| as_text(item).is_some_and(|t| is_sendable(&t) && is_plain(&t)));
        if !plain || items.is_empty() {
            return false;
        }
        match breakage.constraint.as_str() {
            "maxItems" | "minItems" | "uniqueItems" => true,
            _ => self.survives_inside(root, breakage),
        }
    }

    fn survives_in_object(&self, root: ShapeId, breakage: &Breakage) -> bool {
        let Value::Object(map) = &breakage.value else {
            return false;
        };
        let plain = map
            .values()
            .all(|item| as_text(item).is_some_and(|t| is_sendable(&t) && is_plain(&t)));
        plain && !map.is_empty() && self.survives_inside(root, breakage)
    }

    /// A broken scalar one level down: the whole must be wrong however the scalar is read.
    fn survives_inside(&self, root: ShapeId, breakage: &Breakage) -> bool {
        let Some(part) = breakage.value.pointer(&breakage.pointer) else {
            return false;
        };
        breakage.pointer.matches('/').count() == 1
            && self.survives(root, part, |reading| {
                let mut whole = breakage.value.clone();
                if let Some(place) = whole.pointer_mut(&breakage.pointer) {
                    *place = reading;
                }
                whole
            })
    }

    /// Whether no reading of the text makes a valid value.
    fn survives(&self, root: ShapeId, part: &Value, whole: impl Fn(Value) -> Value) -> bool {
        let Some(text) = as_text(part) else {
            return false;
        };
        is_sendable(&text)
            && readings(&text).into_iter().all(|reading| {
                !self
                    .validators
                    .is_valid(Direction::Request, root, &whole(reading))
            })
    }
}

/// A scalar as it would be written; none for what has parts, or is nothing.
fn as_text(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        Value::Bool(_) | Value::Null | Value::Array(_) | Value::Object(_) => None,
    }
}

/// Legal in a header as well as in a URL, and the same after trimming.
fn is_sendable(text: &str) -> bool {
    !text.is_empty()
        && text.len() <= LONGEST
        && text.bytes().all(|b| (0x20..0x7f).contains(&b))
        && text.trim() == text
        && crate::landmarks::is_path_safe(text)
}

/// Free of the characters that separate one part from the next.
fn is_plain(text: &str) -> bool {
    !text.contains([',', '|', ' ', ';', '&', '=', '\t'])
}

/// Everything that some reader could take the text for.
fn readings(text: &str) -> Vec<Value> {
    let mut found = vec![
        json!(text),
        json!(text.to_ascii_lowercase()),
        json!(text.to_ascii_uppercase()),
    ];
    if let Ok(number) = text.parse::<f64>() {
        found.push(json!(number));
        if number.fract() == 0.0 && number.abs() < 9e15 {
            found.push(json!(number as i64));
        }
    }
    if let Ok(number) = text.parse::<i64>() {
        found.push(json!(number));
    }
    match text.to_ascii_lowercase().as_str() {
        "true" | "t" | "yes" | "y" | "on" | "1" => found.push(json!(true)),
        "false" | "f" | "no" | "n" | "off" | "0" => found.push(json!(false)),
        "null" | "none" | "nil" | "undefined" => found.push(Value::Null),
        _ => {}
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_has_many_readings() {
        assert!(readings("1e3").contains(&json!(1000)));
        assert!(readings("+5").contains(&json!(5)));
        assert!(readings("5.0").contains(&json!(5)));
        assert!(readings("yes").contains(&json!(true)));
        assert!(readings("NULL").contains(&Value::Null));
        assert!(!readings("abc").iter().any(Value::is_number));
    }

    #[test]
    fn what_cannot_stand_in_a_header_is_not_sent() {
        for text in ["", " a", "a\n", "é", "a/b"] {
            assert!(!is_sendable(text), "{text:?}");
        }
        assert!(is_sendable("a%b c"));
    }
}
