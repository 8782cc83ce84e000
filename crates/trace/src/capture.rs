//! Values that flow from an earlier answer into a later call.

use std::borrow::Cow;

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::Answer;

/// Takes a value from the answer of an earlier call of the same script.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Capture {
    pub call: usize,
    pub take: Take,
}

/// Where in an answer the value lies.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Take {
    /// The last segment of the `Location` header's path.
    Location,
    Header(String),
    /// A JSON pointer into the body.
    Pointer(String),
}

impl Take {
    pub fn from(&self, answer: &Answer) -> Option<Value> {
        match self {
            Self::Location => location_tail(answer.header("location")?).map(Value::String),
            Self::Header(name) => answer
                .header(name)
                .map(|text| Value::String(text.to_owned())),
            Self::Pointer(pointer) => answer.value_at(pointer),
        }
    }
}

fn location_tail(location: &str) -> Option<String> {
    let path = location.split(['?', '#']).next()?;
    let tail = path.trim_end_matches('/').rsplit('/').next()?;
    let text = percent_decode_str(tail).decode_utf8().ok()?;
    (!text.is_empty()).then(|| text.into_owned())
}

/// Text with holes.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Text(pub Vec<Part>);

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Part {
    /// Goes out as it stands; whoever wrote it has escaped it.
    Fixed(String),
    /// Filled in when the call is made, and escaped then.
    Captured(Capture),
}

impl Text {
    pub fn fixed(text: impl Into<String>) -> Self {
        Self(vec![Part::Fixed(text.into())])
    }

    pub fn push_str(&mut self, text: &str) {
        match self.0.last_mut() {
            Some(Part::Fixed(last)) => last.push_str(text),
            _ => self.0.push(Part::Fixed(text.to_owned())),
        }
    }

    pub fn push_capture(&mut self, capture: Capture) {
        self.0.push(Part::Captured(capture));
    }

    pub fn captures(&self) -> impl Iterator<Item = &Capture> {
        self.0.iter().filter_map(|part| match part {
            Part::Captured(capture) => Some(capture),
            Part::Fixed(_) => None,
        })
    }

    pub fn captures_mut(&mut self) -> impl Iterator<Item = &mut Capture> {
        self.0.iter_mut().filter_map(|part| match part {
            Part::Captured(capture) => Some(capture),
            Part::Fixed(_) => None,
        })
    }

    /// Fills the holes, escaping what comes from answers; `None` if one can't be filled.
    pub fn fill<'a>(&self, lookup: impl Fn(&Capture) -> Option<Cow<'a, Value>>) -> Option<String> {
        let mut out = String::new();
        self.fill_into(&mut out, lookup)?;
        Some(out)
    }

    /// The same for a header, where nothing is escaped and control characters have no place.
    pub fn fill_header<'a>(
        &self,
        lookup: impl Fn(&Capture) -> Option<Cow<'a, Value>>,
    ) -> Option<String> {
        let mut out = String::new();
        for part in &self.0 {
            match part {
                Part::Fixed(text) => out.push_str(text),
                Part::Captured(capture) => {
                    let value = lookup(capture)?;
                    out.extend(plain(&value)?.chars().filter(|c| !c.is_control()));
                }
            }
        }
        Some(out)
    }

    pub fn fill_into<'a>(
        &self,
        out: &mut String,
        lookup: impl Fn(&Capture) -> Option<Cow<'a, Value>>,
    ) -> Option<()> {
        for part in &self.0 {
            match part {
                Part::Fixed(text) => out.push_str(text),
                Part::Captured(capture) => {
                    let value = lookup(capture)?;
                    out.extend(utf8_percent_encode(&plain(&value)?, COMPONENT));
                }
            }
        }
        Some(())
    }
}

/// What must be escaped in a path segment or a query value: all but the unreserved characters.
pub const COMPONENT: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'-')
    .remove(b'_')
    .remove(b'.')
    .remove(b'~');

/// A scalar as text; collections have none, and an empty text fills no hole in a path.
fn plain(value: &Value) -> Option<Cow<'_, str>> {
    match value {
        Value::String(text) if !text.is_empty() => Some(Cow::Borrowed(text)),
        Value::Number(number) => Some(Cow::Owned(number.to_string())),
        Value::Bool(flag) => Some(Cow::Owned(flag.to_string())),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn the_location_gives_its_last_segment() {
        assert_eq!(
            location_tail("http://h/a/b%20c?x=1").as_deref(),
            Some("b c")
        );
        assert_eq!(location_tail("/a/7/").as_deref(), Some("7"));
        assert_eq!(location_tail("/"), None);
    }

    #[test]
    fn what_comes_from_an_answer_is_escaped() {
        let mut text = Text::fixed("/files/");
        text.push_capture(Capture {
            call: 0,
            take: Take::Location,
        });
        let filled = text.fill(|_| Some(Cow::Owned(json!("a/b?c"))));
        assert_eq!(filled.as_deref(), Some("/files/a%2Fb%3Fc"));
    }

    #[test]
    fn a_collection_fills_no_hole() {
        let mut text = Text::default();
        text.push_capture(Capture {
            call: 0,
            take: Take::Pointer("/x".into()),
        });
        assert_eq!(text.fill(|_| Some(Cow::Owned(json!([1])))), None);
    }
}
