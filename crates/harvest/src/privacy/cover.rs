//! One call on its way through the rules, and what was changed in it.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::fmt;

use fossick_contract::escape_token;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};
use serde_json::Value;

use super::Privacy;
use super::looks::{Look, Span, apart, scan, spans};
use super::marks::run;
use super::names::{Globs, Names};
use super::pseudonym::pseudonym;
use super::stream::Keyed;
use crate::{How, Redaction};

/// What stands where a credential was.
pub const DROPPED: &str = "dropped";

/// Everything but what RFC 3986 lets stand in every part of an address.
const COMPONENT: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'-')
    .remove(b'.')
    .remove(b'_')
    .remove(b'~');

/// Changes of one call that are told.
const MOST: usize = 100;
/// JSON in a text in JSON in a text; what lies deeper is dropped unread.
const DEEPEST: usize = 3;

/// The rules, ready to be used.
pub(crate) struct Guard {
    names: Names,
    headers: Globs,
    keyed: Keyed,
    /// Addresses are private under any name where they are under their own.
    emails: bool,
}

impl Guard {
    pub(crate) fn new(privacy: &Privacy) -> Self {
        let names = Names::new(&privacy.fields, &privacy.keep);
        Self {
            emails: names.is_private("email"),
            headers: Globs::new(&privacy.headers),
            keyed: Keyed::new(&privacy.key),
            names,
        }
    }

    pub(crate) fn cover(&self) -> Cover<'_> {
        Cover {
            guard: self,
            told: BTreeSet::new(),
            nested: 0,
        }
    }

    pub(crate) fn keyed(&self) -> &Keyed {
        &self.keyed
    }

    /// What a name under `outer` means for its value.
    pub(super) fn sense(&self, outer: Sense, name: &str) -> Sense {
        if self.names.is_kept(name) {
            Sense::Kept
        } else if outer == Sense::Private || self.names.is_private(name) {
            Sense::Private
        } else {
            Sense::Plain
        }
    }

    /// Whether a text other than JSON or a form has a private name in it: nobody knows then where
    /// its value ends.
    pub(crate) fn is_telling(&self, text: &str) -> bool {
        let word = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-');
        let mut words = text.split(|c| !word(c)).filter(|word| !word.is_empty());
        words.any(|word| self.names.is_private(word))
    }

    /// Whether a text gives itself away anywhere.
    pub(crate) fn is_marked(&self, text: &str) -> bool {
        !self.spans(text, Sense::Plain).is_empty()
    }

    fn spans(&self, text: &str, sense: Sense) -> Vec<Span> {
        let mut spans = scan(text);
        spans.retain(|span| match span.look {
            Look::Credential => true,
            Look::Email => self.emails && sense == Sense::Plain,
            _ => sense == Sense::Plain,
        });
        if sense == Sense::Plain {
            spans.extend(self.parameters(text));
        }
        spans.retain(|span| text.get(span.range.clone()) != Some(DROPPED));
        apart(spans)
    }

    /// `?token=…` and `&token=…` in an address that is somebody's value.
    fn parameters(&self, text: &str) -> Vec<Span> {
        let mut found = Vec::new();
        let mut end = 0;
        for (at, _) in text.match_indices('=') {
            if at >= end && self.is_asked(text.get(..at).unwrap_or_default()) {
                end = run(text, at + 1, |c| {
                    !c.is_whitespace() && !"&#;\"'<>".contains(c)
                });
                found.push(at + 1..end);
            }
        }
        spans(found, Look::Parameter)
    }

    /// Whether a text ends with a private name behind a mark that begins parameters.
    fn is_asked(&self, before: &str) -> bool {
        let name = before.rsplit(['?', '&', ';', '#', '=', ' ']).next();
        let name = name.unwrap_or_default();
        let mark = before.get(..before.len() - name.len()).unwrap_or_default();
        mark.ends_with(['?', '&', ';', '#']) && self.names.is_private(&decoded(name))
    }
}

pub(crate) fn decoded(text: &str) -> Cow<'_, str> {
    percent_decode_str(text).decode_utf8_lossy()
}

pub(crate) fn encoded(text: &str) -> String {
    utf8_percent_encode(text, COMPONENT).to_string()
}

/// What the name of a value means for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Sense {
    Plain,
    Private,
    /// The team said that it may stay.
    Kept,
}

/// Where a value stands; written only when there is something to tell.
#[derive(Clone, Copy)]
pub(crate) enum Place<'a> {
    /// `body`, `query email`
    Start(&'a str),
    Key(&'a Place<'a>, &'a str),
    Item(&'a Place<'a>),
    /// A field of an argument.
    Dot(&'a Place<'a>, &'a str),
}

impl fmt::Display for Place<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let gap = |outer: &Place<'_>| {
            if matches!(outer, Place::Start(_)) {
                " "
            } else {
                ""
            }
        };
        match self {
            Place::Start(text) => f.write_str(text),
            Place::Key(outer, name) => write!(f, "{outer}{}/{}", gap(outer), escape_token(name)),
            Place::Item(outer) => write!(f, "{outer}{}/-", gap(outer)),
            Place::Dot(outer, name) => write!(f, "{outer}.{name}"),
        }
    }
}

pub(crate) struct Cover<'a> {
    pub(super) guard: &'a Guard,
    told: BTreeSet<Redaction>,
    nested: usize,
}

impl Cover<'_> {
    pub(crate) fn redactions(self) -> Vec<Redaction> {
        self.told.into_iter().collect()
    }

    pub(crate) fn tell(&mut self, place: &Place<'_>, how: How) {
        if self.told.len() < MOST {
            let place = place.to_string();
            self.told.insert(Redaction { place, how });
        }
    }

    /// The headers that may stay, by name. Of the others those are told that carry credentials.
    pub(crate) fn headers(&mut self, headers: &[(String, String)]) -> Vec<(String, String)> {
        let mut kept = Vec::new();
        for (name, value) in headers {
            let name = name.to_ascii_lowercase();
            let place = format!("header {name}");
            if !is_credential(&name) && self.guard.headers.has(&name) {
                let value = self.text(value.trim(), Sense::Plain, &Place::Start(&place));
                kept.push((name, value));
            } else if is_credential(&name) || self.guard.names.is_private(&name) {
                self.tell(&Place::Start(&place), How::Dropped);
            }
        }
        kept.sort();
        kept
    }

    /// A query or a form: names and values, decoded.
    pub(crate) fn pairs(&mut self, what: &str, pairs: &mut [(String, String)]) {
        for (name, value) in pairs {
            let sense = self.guard.sense(Sense::Plain, name);
            *name = self.text(name, Sense::Plain, &Place::Start(what));
            let gap = if what == "body" { " /" } else { " " };
            let place = format!("{what}{gap}{name}");
            *value = self.text(value, sense, &Place::Start(&place));
        }
    }

    /// A text as it may be kept.
    pub(crate) fn text(&mut self, text: &str, sense: Sense, place: &Place<'_>) -> String {
        let kept = match sense {
            Sense::Private => Some(self.private(text, place)),
            Sense::Plain => self.structured(text, place),
            Sense::Kept => None,
        };
        kept.unwrap_or_else(|| self.marked(text, sense, place))
    }

    pub(super) fn private(&mut self, text: &str, place: &Place<'_>) -> String {
        if matches!(text.trim(), "" | "true" | "false" | "null") {
            return text.to_owned();
        }
        let (how, kept) = self.exchanged(text);
        self.tell(place, how);
        kept
    }

    fn exchanged(&self, text: &str) -> (How, String) {
        let credential = !self.guard.spans(text, Sense::Kept).is_empty();
        if credential || text == DROPPED {
            return (How::Dropped, DROPPED.to_owned());
        }
        (How::Pseudonym, pseudonym(&self.guard.keyed, text))
    }

    /// JSON in a text. None where it is none, or nothing in it is private.
    fn structured(&mut self, text: &str, place: &Place<'_>) -> Option<String> {
        if !text.trim_start().starts_with(['{', '[']) {
            return None;
        }
        let value: Value = serde_json::from_str(text).ok()?;
        if self.nested == DEEPEST {
            self.tell(place, How::Dropped);
            return Some(DROPPED.to_owned());
        }
        let mut covered = value.clone();
        self.nested += 1;
        self.json(&mut covered, Sense::Plain, place);
        self.nested -= 1;
        (covered != value).then(|| covered.to_string())
    }

    fn marked(&mut self, text: &str, sense: Sense, place: &Place<'_>) -> String {
        let mut out = String::with_capacity(text.len());
        let mut at = 0;
        for span in self.guard.spans(text, sense) {
            let (Some(before), Some(found)) =
                (text.get(at..span.range.start), text.get(span.range.clone()))
            else {
                continue;
            };
            let (how, instead) = self.instead(found, span.look);
            self.tell(place, how);
            out.push_str(before);
            out.push_str(&instead);
            at = span.range.end;
        }
        out.push_str(text.get(at..).unwrap_or_default());
        out
    }

    fn instead(&self, found: &str, look: Look) -> (How, String) {
        match look {
            Look::Credential => (How::Dropped, DROPPED.to_owned()),
            Look::Parameter => {
                let (how, kept) = self.exchanged(&decoded(found));
                (how, encoded(&kept))
            }
            _ => (How::Pseudonym, pseudonym(&self.guard.keyed, found)),
        }
    }
}

/// Never kept, even where somebody lists it.
fn is_credential(header: &str) -> bool {
    matches!(
        header,
        "authorization" | "proxy-authorization" | "cookie" | "set-cookie"
    )
}
