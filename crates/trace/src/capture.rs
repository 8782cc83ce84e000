//! Values that flow from an earlier answer into a later call.

use std::borrow::Cow;

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

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
    /// The last segment of the `Location` header's path; the identifier in the body where there is
    /// no such header.
    Location,
    Header(String),
    /// A JSON pointer into the body.
    Pointer(String),
}

impl Take {
    pub fn from(&self, answer: &Answer) -> Option<Value> {
        match self {
            Self::Location => match answer.location_tail() {
                Some(tail) => Some(Value::String(tail)),
                None => answer.value_at(&identifier(answer)?),
            },
            Self::Header(name) => answer
                .header(name)
                .map(|text| Value::String(text.to_owned())),
            Self::Pointer(pointer) => answer.value_at(pointer),
        }
    }

    /// Where the value really lay in an answer, if that is elsewhere than was promised.
    pub fn instead(&self, answer: &Answer) -> Option<Self> {
        let missing = *self == Self::Location && answer.location_tail().is_none();
        identifier(answer).filter(|_| missing).map(Self::Pointer)
    }
}

impl Answer {
    /// The last segment of the `Location` header's path.
    pub fn location_tail(&self) -> Option<String> {
        location_tail(self.header("location")?)
    }
}

/// Where an answer says what the thing is called that it is about, also inside the one object that
/// wraps it.
fn identifier(answer: &Answer) -> Option<String> {
    let body = answer.json()?.as_object()?;
    if let Some(name) = identifying(body) {
        return Some(format!("/{name}"));
    }
    let mut wrapped = body
        .iter()
        .filter_map(|(name, value)| Some((name, value.as_object()?)));
    let (wrapper, thing) = wrapped.next().filter(|_| body.len() == 1)?;
    Some(format!("/{wrapper}/{}", identifying(thing)?))
}

/// The field of an object that says what it is called: a usual one, or the only one whose name ends
/// as identifiers do.
fn identifying(object: &Map<String, Value>) -> Option<&str> {
    const USUAL: [&str; 4] = ["id", "_id", "uuid", "key"];
    let names = |value: &Value| value.is_string() || value.is_number();
    let usual = USUAL
        .into_iter()
        .find(|name| object.get(*name).is_some_and(names));
    if usual.is_some() {
        return usual;
    }
    let ends = |name: &str| name.ends_with("Id") || name.ends_with("ID") || name.ends_with("_id");
    let mut others = object
        .iter()
        .filter(|(name, value)| ends(name) && names(value));
    let (only, _) = others.next()?;
    // A name with signs of its own would have to be escaped in a pointer.
    let plain = only.chars().all(|c| c.is_alphanumeric() || c == '_');
    (plain && others.next().is_none()).then_some(only)
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

    fn answered(location: Option<&str>, body: &Value) -> Answer {
        let header = location.map(|l| ("location".to_owned(), l.to_owned()));
        let body = body.to_string().into();
        Answer::new(
            201,
            header.into_iter().collect(),
            body,
            false,
            std::time::Duration::ZERO,
        )
    }

    #[test]
    fn without_a_location_the_identifier_of_the_body_serves() {
        let taken = |location, body| {
            let answer = answered(location, &body);
            (
                Take::Location.from(&answer),
                Take::Location.instead(&answer),
            )
        };
        let at = |pointer: &str| Some(Take::Pointer(pointer.to_owned()));
        assert_eq!(
            taken(Some("/a/7"), json!({"id": 8})),
            (Some(json!("7")), None)
        );
        assert_eq!(
            taken(None, json!({"id": 8, "ownerId": 3})),
            (Some(json!(8)), at("/id"))
        );
        assert_eq!(
            taken(None, json!({"toolId": "x"})),
            (Some(json!("x")), at("/toolId"))
        );
        assert_eq!(
            taken(None, json!({"data": {"id": 8}})),
            (Some(json!(8)), at("/data/id"))
        );
        assert_eq!(
            taken(None, json!({"ownerId": 8, "toolId": 3})),
            (None, None)
        );
        assert_eq!(taken(None, json!([{"id": 8}])), (None, None));
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
