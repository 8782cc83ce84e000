//! A call in its final form, and a script of them.

use std::borrow::Cow;
use std::fmt;

use bytes::Bytes;
use fossick_contract::Method;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{Capture, Episode, Text, Unique};

/// Calls in order. Every script stands alone: it makes what it needs.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Script {
    pub calls: Vec<Call>,
    /// Values in it that must be new each time it is run, because a second thing of the same name
    /// is often refused.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub names: Vec<Unique>,
    /// Calls that remove what the script made, sent after all others. Nothing is judged by them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub cleanup: Vec<Cleanup>,
}

/// A call that removes what another one made.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Cleanup {
    /// The call that made it: where that one failed there is nothing to remove.
    pub of: usize,
    pub call: Call,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Call {
    /// Label of the operation it calls, `GET /projects/{id}`.
    pub operation: std::sync::Arc<str>,
    pub method: Method,
    /// Path and query below the base URL, escaped.
    pub target: Text,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub headers: Vec<(String, Text)>,
    #[serde(default, skip_serializing_if = "Payload::is_none")]
    pub payload: Payload,
    /// Named user it runs as; the first one where nothing is said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub user: Option<String>,
    #[serde(default)]
    pub role: Role,
    #[serde(default)]
    pub intent: Intent,
    /// The key of the answer's `data` that the call is about, where it is a GraphQL one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub graphql: Option<std::sync::Arc<str>>,
}

/// What a call is there for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// Makes something that a later call needs: if it fails, the rest is not worth sending.
    Setup,
    /// The call the script is about.
    #[default]
    Main,
    /// Looks at what another call did.
    Check,
    /// Takes away what the script made.
    Cleanup,
}

/// What the sender knows of the data it sends; oracles judge by it.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Intent {
    /// Valid by the document.
    #[default]
    Valid,
    /// Valid, with one value at the edge of what the document allows or otherwise telling.
    Edge {
        /// `query limit`, `body /name`
        place: String,
        /// The value as people write it: `97`, `"a%"`
        value: String,
        /// The document itself names this value: a bound, a member of an enumeration, an example.
        declared: bool,
    },
    /// Valid, with several such values together.
    Edges(Vec<Telling>),
    /// Breaks exactly one constraint.
    Broken {
        /// `query limit`, `body /name`
        place: String,
        /// `maximum`, `required`, `type`, …
        constraint: String,
        /// What was sent and what was promised, for people.
        detail: String,
    },
    /// Valid, but the identifier in this parameter was made by nobody.
    Stranger { parameter: String },
    /// Valid, but this parameter names another existing parent than the one it belongs to.
    Misplaced { parameter: String },
    /// Valid, with credentials left out or spoilt.
    Unauthenticated { how: String },
    /// A method that the document does not declare for this path.
    Undeclared,
}

/// A telling value, and where it stands.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Telling {
    /// `query limit`, `body /name`
    pub place: String,
    /// The value as people write it; none where the place is left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value: Option<String>,
    /// The document itself names this value.
    pub declared: bool,
}

impl fmt::Display for Telling {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.value {
            Some(value) => write!(f, "{} = {value}", self.place),
            None => write!(f, "{} is left out", self.place),
        }
    }
}

impl Intent {
    /// Nothing is wrong with what is sent: whatever the service makes of it is its own doing.
    pub fn is_valid(&self) -> bool {
        matches!(self, Self::Valid) || self.is_telling()
    }

    /// Valid, and not what everybody would send.
    pub fn is_telling(&self) -> bool {
        matches!(self, Self::Edge { .. } | Self::Edges(_))
    }

    /// The telling values of a valid call.
    pub fn tellings(&self) -> Vec<Telling> {
        match self {
            Self::Edge {
                place,
                value,
                declared,
            } => vec![Telling {
                place: place.clone(),
                value: Some(value.clone()),
                declared: *declared,
            }],
            Self::Edges(all) => all.clone(),
            _ => Vec::new(),
        }
    }

    /// The place that the call is about, where it is about one. Several values together are about
    /// none: which of them matters is not known yet.
    pub fn place(&self) -> Option<&str> {
        match self {
            Self::Edge { place, .. } | Self::Broken { place, .. } => Some(place),
            _ => None,
        }
    }
}

#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Payload {
    #[default]
    None,
    /// Bytes as they go out.
    Bytes {
        media_type: String,
        #[serde(with = "readable_bytes")]
        bytes: Bytes,
    },
    /// A JSON document with holes.
    Json {
        media_type: String,
        value: Value,
        fills: Vec<Fill>,
    },
}

/// A place in a JSON document that an earlier answer fills.
pub type Fill = (String, Capture);

impl Payload {
    pub fn is_none(&self) -> bool {
        matches!(self, Self::None)
    }

    pub fn media_type(&self) -> Option<&str> {
        match self {
            Self::None => None,
            Self::Bytes { media_type, .. } | Self::Json { media_type, .. } => Some(media_type),
        }
    }
}

impl Call {
    /// Every capture in the call, wherever it stands.
    pub fn captures(&self) -> impl Iterator<Item = &Capture> {
        let fills = match &self.payload {
            Payload::Json { fills, .. } => fills.as_slice(),
            _ => &[],
        };
        self.target
            .captures()
            .chain(self.headers.iter().flat_map(|(_, text)| text.captures()))
            .chain(fills.iter().map(|(_, capture)| capture))
    }

    pub fn captures_mut(&mut self) -> impl Iterator<Item = &mut Capture> {
        let fills = match &mut self.payload {
            Payload::Json { fills, .. } => fills.as_mut_slice(),
            _ => &mut [],
        };
        self.target
            .captures_mut()
            .chain(
                self.headers
                    .iter_mut()
                    .flat_map(|(_, text)| text.captures_mut()),
            )
            .chain(fills.iter_mut().map(|(_, capture)| capture))
    }
}

impl Script {
    /// The script with every value taken from where it really lay in the answers of a run.
    pub fn settled(&self, episode: &Episode) -> Cow<'_, Self> {
        let really = |capture: &Capture| {
            let answer = episode.answer(capture.call)?;
            capture.take.instead(answer)
        };
        let mut captures = self.calls.iter().flat_map(Call::captures);
        if !captures.any(|capture| really(capture).is_some()) {
            return Cow::Borrowed(self);
        }
        let mut settled = self.clone();
        let cleanup = settled.cleanup.iter_mut().map(|cleanup| &mut cleanup.call);
        for call in settled.calls.iter_mut().chain(cleanup) {
            for capture in call.captures_mut() {
                if let Some(take) = really(capture) {
                    capture.take = take;
                }
            }
        }
        Cow::Owned(settled)
    }

    /// The script without one call, or `None` if another call takes a value from it.
    pub fn without(&self, index: usize) -> Option<Self> {
        let needed = self
            .calls
            .iter()
            .enumerate()
            .any(|(at, call)| at != index && call.captures().any(|c| c.call == index));
        if needed || self.calls.len() < 2 {
            return None;
        }
        let mut script = self.clone();
        script.calls.remove(index);
        let takes = |call: &Call| call.captures().any(|capture| capture.call == index);
        script
            .cleanup
            .retain(|cleanup| cleanup.of != index && !takes(&cleanup.call));
        let calls = script.calls.iter_mut();
        let cleanup = script.cleanup.iter_mut().map(|cleanup| {
            cleanup.of -= usize::from(cleanup.of > index);
            &mut cleanup.call
        });
        for capture in calls.chain(cleanup).flat_map(Call::captures_mut) {
            capture.call -= usize::from(capture.call > index);
        }
        Some(script)
    }
}

/// Text where it is text, base64 where it is not, so that a stored script can be read and edited.
mod readable_bytes {
    use base64::Engine;
    use base64::engine::general_purpose::STANDARD;
    use bytes::Bytes;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    #[derive(Serialize, Deserialize)]
    #[serde(rename_all = "lowercase")]
    enum Readable {
        Text(String),
        Base64(String),
    }

    pub(super) fn serialize<S: Serializer>(bytes: &Bytes, to: S) -> Result<S::Ok, S::Error> {
        match std::str::from_utf8(bytes) {
            Ok(text) => Readable::Text(text.to_owned()),
            Err(_) => Readable::Base64(STANDARD.encode(bytes)),
        }
        .serialize(to)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Bytes, D::Error> {
        match Readable::deserialize(from)? {
            Readable::Text(text) => Ok(Bytes::from(text)),
            Readable::Base64(text) => STANDARD
                .decode(text)
                .map(Bytes::from)
                .map_err(serde::de::Error::custom),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Take;

    fn call(target: Text) -> Call {
        Call {
            operation: "GET /a".into(),
            method: Method::Get,
            target,
            headers: vec![],
            payload: Payload::None,
            user: None,
            role: Role::Main,
            intent: Intent::Valid,
            graphql: None,
        }
    }

    fn taking_from(index: usize) -> Text {
        let mut text = Text::fixed("/a/");
        text.push_capture(Capture {
            call: index,
            take: Take::Location,
        });
        text
    }

    #[test]
    fn telling_values_say_what_they_are_and_read_back_the_same() {
        let telling = |value: Option<&str>| Telling {
            place: "query limit".to_owned(),
            value: value.map(str::to_owned),
            declared: true,
        };
        assert_eq!(telling(Some("97")).to_string(), "query limit = 97");
        assert_eq!(telling(None).to_string(), "query limit is left out");
        let both = Intent::Edges(vec![telling(Some("97")), telling(None)]);
        assert!(both.is_valid() && both.place().is_none());
        let text = serde_json::to_string(&both).expect("an intent can be written");
        let back: Intent = serde_json::from_str(&text).expect("and read");
        assert_eq!(back.tellings(), both.tellings());
    }

    #[test]
    fn a_call_that_others_need_stays() {
        let script = Script {
            names: vec![],
            calls: vec![call(Text::fixed("/a")), call(taking_from(0))],
            ..Script::default()
        };
        assert_eq!(script.without(0), None);
        assert_eq!(script.without(1).map(|s| s.calls.len()), Some(1));
    }

    #[test]
    fn captures_move_up_when_a_call_goes() {
        let calls = vec![
            call(Text::fixed("/x")),
            call(Text::fixed("/a")),
            call(taking_from(1)),
        ];
        let shorter = Script {
            calls,
            names: vec![],
            ..Script::default()
        }
        .without(0)
        .expect("nobody needs the first call");
        assert_eq!(shorter.calls[1].captures().next().map(|c| c.call), Some(0));
    }

    #[test]
    fn what_removes_a_thing_goes_with_the_call_that_makes_it() {
        let removing = |of: usize| Cleanup {
            of,
            call: call(taking_from(of)),
        };
        let script = Script {
            calls: vec![call(Text::fixed("/a")), call(Text::fixed("/b"))],
            cleanup: vec![removing(1), removing(0)],
            ..Script::default()
        };
        let shorter = script.without(0).expect("nobody needs the first call");
        let [left] = &shorter.cleanup[..] else {
            panic!("one is left: {:?}", shorter.cleanup);
        };
        let taken = left.call.captures().map(|capture| capture.call);
        assert_eq!((left.of, taken.collect::<Vec<_>>()), (0, vec![0]));
    }

    #[test]
    fn a_stored_script_reads_back_the_same() {
        let mut with_bytes = call(taking_from(0));
        with_bytes.payload = Payload::Bytes {
            media_type: "application/octet-stream".into(),
            bytes: Bytes::from_static(&[0xff, 0x00]),
        };
        let script = Script {
            names: vec![],
            calls: vec![call(Text::fixed("/a")), with_bytes],
            ..Script::default()
        };
        let text = serde_json::to_string(&script).expect("a script can be written");
        assert_eq!(
            serde_json::from_str::<Script>(&text).expect("and read"),
            script
        );
    }
}
