//! What a service may do to an input before it compares it, and how that is undone.
//!
//! A layer opens a value to what the service sees, and closes it again over another such value.

use std::fmt::Write as _;

use base64::Engine as _;
use base64::alphabet;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};
use percent_encoding::{NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};
use serde_json::{Number, Value};

use crate::moment::Part;
use crate::number::{as_number, json_number};

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Layer {
    Lower,
    Upper,
    Trimmed,
    Reversed,
    /// Standard or URL-safe alphabet.
    Base64 {
        url: bool,
    },
    Hex,
    Percent,
    /// JSON inside a text: the value at a pointer.
    Json(String),
    /// A text that is read as a number.
    Number,
    /// How long a text is.
    Length,
    /// One part of a date or a moment.
    Date(Part),
    /// What stands behind a separator: `Bearer x`, `b64,x`.
    Behind(char),
}

/// What programs put between a kind and a value.
const SEPARATORS: [char; 4] = [',', ':', ' ', '.'];

/// Longer texts are not made only because a length was asked for.
const LONGEST: usize = 20_000;

impl Layer {
    /// What the service sees, if that differs from what is sent.
    pub(crate) fn open(&self, value: &Value) -> Option<Value> {
        if let (Self::Length, Value::Array(items)) = (self, value) {
            return Some(Value::from(items.len()));
        }
        let text = value.as_str()?;
        let changed = |seen: String| (seen != text).then_some(Value::String(seen));
        match self {
            Self::Lower => changed(text.to_lowercase()),
            Self::Upper => changed(text.to_uppercase()),
            Self::Trimmed => changed(text.trim().to_owned()),
            Self::Reversed => changed(text.chars().rev().collect()),
            Self::Percent => changed(percent_decode_str(text).decode_utf8().ok()?.into_owned()),
            Self::Base64 { url } => readable(decoder(*url).decode(text).ok()?),
            Self::Hex => readable(from_hex(text)?),
            Self::Json(pointer) => json(text)?.pointer(pointer).cloned(),
            Self::Number => as_number(text).map(Value::Number),
            Self::Length => Some(Value::from(text.chars().count())),
            Self::Date(part) => part.of(text).map(Value::from),
            Self::Behind(separator) => {
                let (_, behind) = text.split_once(*separator)?;
                (!behind.is_empty()).then(|| Value::from(behind))
            }
        }
    }

    /// The value to send so that the service sees `seen` instead of what it saw of `sent`.
    pub(crate) fn close(&self, sent: &Value, seen: Value) -> Option<Value> {
        if let (Self::Length, Value::Array(items)) = (self, sent) {
            return resized(items, whole(&seen)?);
        }
        let text = sent.as_str()?;
        let new = match self {
            Self::Lower | Self::Upper | Self::Trimmed => seen.as_str()?.to_owned(),
            Self::Reversed => seen.as_str()?.chars().rev().collect(),
            Self::Percent => utf8_percent_encode(&shown(&seen), NON_ALPHANUMERIC).to_string(),
            Self::Base64 { url } => encoder(*url, text).encode(shown(&seen)),
            Self::Hex => to_hex(shown(&seen).as_bytes()),
            Self::Json(pointer) => {
                let mut whole = json(text)?;
                *whole.pointer_mut(pointer)? = seen;
                whole.to_string()
            }
            Self::Number => match seen {
                Value::Number(number) => number.to_string(),
                other => other.as_str()?.to_owned(),
            },
            Self::Length => at_length(text, whole(&seen)?)?,
            Self::Date(part) => part.set(text, i64::try_from(whole(&seen)?).ok()?)?,
            Self::Behind(separator) => {
                let (before, _) = text.split_once(*separator)?;
                format!("{before}{separator}{}", shown(&seen))
            }
        };
        Some(Value::String(new))
    }

    /// All layers that may lie over a text, each with what is below.
    pub(crate) fn all_of(value: &Value) -> Vec<(Self, Value)> {
        let Some(text) = value.as_str() else {
            let length = Self::Length.open(value);
            return length
                .map(|seen| (Self::Length, seen))
                .into_iter()
                .collect();
        };
        let mut layers = vec![
            Self::Lower,
            Self::Upper,
            Self::Trimmed,
            Self::Number,
            Self::Length,
            Self::Percent,
            Self::Hex,
            Self::Base64 { url: false },
            Self::Base64 { url: true },
        ];
        layers.extend(Part::ALL.map(Self::Date));
        layers.extend(SEPARATORS.map(Self::Behind));
        if let Some(inner) = json(text) {
            let mut pointers = Vec::new();
            pointers_of(&inner, &mut String::new(), &mut pointers);
            layers.extend(pointers.into_iter().map(Self::Json));
        }
        layers.push(Self::Reversed);
        let open = |layer: Self| layer.open(value).map(|seen| (layer, seen));
        layers.into_iter().filter_map(open).collect()
    }
}

/// A whole number that is not negative.
fn whole(value: &Value) -> Option<usize> {
    let number = value.as_u64().or_else(|| {
        let real = value.as_f64()?;
        (real >= 0.0 && real.fract() == 0.0).then_some(real as u64)
    });
    usize::try_from(number?).ok()
}

/// An object, an array or a text in JSON; a bare number is none, or every number would be JSON.
pub(crate) fn json(text: &str) -> Option<Value> {
    if !text.trim_start().starts_with(['{', '[', '"']) {
        return None;
    }
    serde_json::from_str(text).ok()
}

/// Pointers to the scalars and objects of a JSON value.
fn pointers_of(value: &Value, at: &mut String, into: &mut Vec<String>) {
    const MOST: usize = 32;
    if into.len() >= MOST {
        return;
    }
    into.push(at.clone());
    let length = at.len();
    let mut below = |name: &str, value: &Value| {
        at.push('/');
        at.push_str(&name.replace('~', "~0").replace('/', "~1"));
        pointers_of(value, at, into);
        at.truncate(length);
    };
    match value {
        Value::Object(map) => map.iter().for_each(|(name, value)| below(name, value)),
        Value::Array(items) => {
            let numbered = items.iter().enumerate();
            numbered.for_each(|(n, value)| below(&n.to_string(), value));
        }
        _ => {}
    }
}

/// A text as it is, anything else as JSON.
pub(crate) fn shown(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

fn readable(bytes: Vec<u8>) -> Option<Value> {
    let text = String::from_utf8(bytes).ok()?;
    let printable = |c: char| !c.is_control() || c.is_ascii_whitespace();
    (!text.is_empty() && text.chars().all(printable)).then_some(Value::String(text))
}

fn decoder(url: bool) -> GeneralPurpose {
    let config = GeneralPurposeConfig::new();
    let config = config.with_decode_padding_mode(DecodePaddingMode::Indifferent);
    GeneralPurpose::new(alphabet_of(url), config)
}

/// Padded, unless the text was long enough to need it and was not.
fn encoder(url: bool, like: &str) -> GeneralPurpose {
    let padded = like.ends_with('=') || like.len().is_multiple_of(4);
    let config = GeneralPurposeConfig::new().with_encode_padding(padded);
    GeneralPurpose::new(alphabet_of(url), config)
}

fn alphabet_of(url: bool) -> &'static alphabet::Alphabet {
    if url {
        &alphabet::URL_SAFE
    } else {
        &alphabet::STANDARD
    }
}

fn from_hex(text: &str) -> Option<Vec<u8>> {
    if text.is_empty() || text.len() % 2 == 1 || !text.is_ascii() {
        return None;
    }
    let pairs = (0..text.len()).step_by(2);
    pairs
        .map(|at| u8::from_str_radix(&text[at..at + 2], 16).ok())
        .collect()
}

pub(crate) fn to_hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        write!(text, "{byte:02x}").expect("a text takes everything");
        text
    })
}

/// A list with more items like its last one, or fewer.
fn resized(items: &[Value], length: usize) -> Option<Value> {
    const MOST: usize = 1000;
    if length > MOST {
        return None;
    }
    let filler = items.last().cloned().unwrap_or_else(|| Value::from("a"));
    let endless = items.iter().cloned().chain(std::iter::repeat(filler));
    Some(endless.take(length).collect())
}

fn at_length(text: &str, length: usize) -> Option<String> {
    if length > LONGEST {
        return None;
    }
    let old: Vec<char> = text.chars().collect();
    let kept = old.len().min(length);
    // In the middle: how it begins and ends may matter as well.
    let (start, end) = (kept.div_ceil(2), kept / 2);
    let filler = old.get(start.saturating_sub(1)).copied().unwrap_or('a');
    let mut new: Vec<char> = old[..start].to_vec();
    new.resize(length - end, filler);
    new.extend(&old[old.len() - end..]);
    Some(new.into_iter().collect())
}

/// A JSON number for a whole or real one.
pub(crate) fn number(value: f64) -> Option<Number> {
    json_number(value)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn through(layer: &Layer, sent: &str, seen: Value) -> Option<Value> {
        layer.open(&json!(sent))?;
        layer.close(&json!(sent), seen)
    }

    #[test]
    fn what_is_closed_opens_to_what_was_wanted() {
        let cases = [
            (
                Layer::Base64 { url: false },
                "eyJhIjoxfQ==",
                json!("{\"a\":2}"),
            ),
            (
                Layer::Base64 { url: true },
                "eyJhIjoxfQ",
                json!("{\"a\":222}"),
            ),
            (Layer::Hex, "6162", json!("xyz")),
            (Layer::Behind(','), "b64,e30=", json!("e30")),
            (Layer::Percent, "a%20b", json!("c d/e")),
            (Layer::Reversed, "abc", json!("xyz")),
            (Layer::Number, "12", json!(77)),
            (Layer::Number, "1.5", json!(-0.25)),
            (Layer::Length, "abc", json!(5)),
            (Layer::Length, "abc", json!(0)),
            (
                Layer::Json("/a/b".to_owned()),
                r#"{"a":{"b":1}}"#,
                json!("x"),
            ),
        ];
        for (layer, sent, seen) in cases {
            let new = through(&layer, sent, seen.clone()).unwrap_or_default();
            assert_eq!(layer.open(&new), Some(seen), "{layer:?} of {new}");
        }
    }

    #[test]
    fn a_bare_number_is_no_json_and_noise_no_base64() {
        assert_eq!(json("12"), None);
        let all = Layer::all_of(&json!("marker"));
        let names: Vec<&Layer> = all.iter().map(|(layer, _)| layer).collect();
        assert!(names.contains(&&Layer::Upper) && names.contains(&&Layer::Length));
        assert!(
            !names
                .iter()
                .any(|l| matches!(l, Layer::Base64 { .. } | Layer::Json(_)))
        );
    }
}
