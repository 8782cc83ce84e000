//! The members of a line's object, under whatever spelling its writer chose.
//!
//! `request_method`, `requestMethod` and `Request-Method` are one name. Values stay as they were
//! written until somebody asks, so that a body given as JSON keeps every digit.

use std::borrow::Cow;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use indexmap::IndexMap;
use serde_json::value::RawValue;

use super::escapes;
use super::not_readable::Why;

/// What stands for nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Empty {
    /// An empty text.
    Text,
    /// A lone dash too, as access logs have it.
    Dash,
}

pub(super) type Members<'a> = IndexMap<Cow<'a, str>, &'a RawValue>;

pub(super) struct Fields<'a> {
    members: Vec<Member<'a>>,
    empty: Empty,
    /// Texts hold nginx's escapes.
    escaped: bool,
}

struct Member<'a> {
    name: String,
    /// As it was written.
    written: String,
    value: &'a RawValue,
}

impl<'a> Fields<'a> {
    pub(super) fn new(members: Members<'a>, empty: Empty, escaped: bool) -> Self {
        let mut fields = Self {
            members: Vec::with_capacity(members.len()),
            empty,
            escaped,
        };
        fields.add(members, "");
        fields.open("request", "");
        fields.open("req", "");
        fields.open("response", "response");
        fields.open("res", "response");
        fields
    }

    fn add(&mut self, members: Members<'a>, before: &str) {
        self.members
            .extend(members.into_iter().map(|(written, value)| Member {
                name: format!("{before}{}", plain(&written)),
                written: written.into_owned(),
                value,
            }));
    }

    /// Lays the members of an object beside the others; those there already come first.
    fn open(&mut self, name: &str, before: &str) {
        let inner = self.find(&[name]).map(|member| member.value.get());
        let members = inner.and_then(|text| serde_json::from_str::<Members<'a>>(text).ok());
        if let Some(members) = members {
            self.add(members, before);
        }
    }

    /// The first that is there, in the order of the names.
    fn find(&self, names: &[&str]) -> Option<&Member<'a>> {
        let with = |name: &&str| self.members.iter().find(|member| member.name == *name);
        names
            .iter()
            .filter_map(with)
            .find(|member| !self.is_nothing(member.value))
    }

    fn is_nothing(&self, value: &RawValue) -> bool {
        match value.get() {
            "null" | "\"\"" => true,
            "\"-\"" => self.empty == Empty::Dash,
            _ => false,
        }
    }

    /// As it stands in the line.
    pub(super) fn raw(&self, names: &[&str]) -> Option<&'a RawValue> {
        self.find(names).map(|member| member.value)
    }

    /// A text, a number or a word; lists and objects are none.
    pub(super) fn text(&self, names: &[&str]) -> Option<String> {
        let value = self.raw(names)?;
        if is_nested(value) {
            return None;
        }
        let bytes = self.bytes(value);
        Some(String::from_utf8(bytes).unwrap_or_else(|error| lossy(error.as_bytes())))
    }

    pub(super) fn number(&self, names: &[&str]) -> Option<u64> {
        self.text(names)?.trim().parse().ok()
    }

    /// A body: a text as it is, anything else as JSON; or as base64 under other names.
    pub(super) fn body(
        &self,
        names: &[&str],
        base64_names: &[&str],
        what: &'static str,
    ) -> Result<Option<Vec<u8>>, Why> {
        if let Some(text) = self.text(base64_names) {
            let bytes = STANDARD.decode(text.trim());
            return bytes.map(Some).map_err(|_| Why::Base64(what));
        }
        Ok(self.raw(names).map(|value| self.bytes(value)))
    }

    fn bytes(&self, value: &RawValue) -> Vec<u8> {
        match serde_json::from_str::<Cow<'_, str>>(value.get()) {
            Ok(text) if self.escaped => escapes::decoded(&text),
            // Another program may have put an escaped text into JSON of its own.
            Ok(text) if self.empty == Empty::Dash => twice_escaped(text),
            Ok(text) => text.into_owned().into_bytes(),
            Err(_) => value.get().as_bytes().to_vec(),
        }
    }

    /// An object of names and values, a list of pairs, or a list of objects with `name`, `value`.
    pub(super) fn headers(&self, names: &[&str]) -> Vec<(String, String)> {
        let Some(value) = self.raw(names) else {
            return Vec::new();
        };
        match serde_json::from_str(value.get()) {
            Ok(serde_json::Value::Object(map)) => map
                .into_iter()
                .flat_map(|(name, value)| {
                    texts(value)
                        .into_iter()
                        .map(move |text| (name.clone(), text))
                })
                .collect(),
            Ok(serde_json::Value::Array(list)) => list.into_iter().filter_map(pair).collect(),
            _ => Vec::new(),
        }
    }

    /// Headers that an access log has as members of their own: `http_accept`.
    pub(super) fn own_headers(&self) -> Vec<(String, String)> {
        let named = |member: &Member<'a>| {
            let lower = member.written.to_ascii_lowercase();
            let name = lower.strip_prefix("http_")?.replace('_', "-");
            let told = !self.is_nothing(member.value) && !is_nested(member.value);
            told.then(|| (name, lossy(&self.bytes(member.value))))
        };
        self.members.iter().filter_map(named).collect()
    }
}

fn is_nested(value: &RawValue) -> bool {
    value.get().starts_with(['{', '['])
}

fn lossy(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn twice_escaped(text: Cow<'_, str>) -> Vec<u8> {
    let decoded = escapes::decoded(&text);
    let is_json = |bytes: &[u8]| serde_json::from_slice::<serde::de::IgnoredAny>(bytes).is_ok();
    if decoded.len() < text.len() && !is_json(text.as_bytes()) && is_json(&decoded) {
        return decoded;
    }
    text.into_owned().into_bytes()
}

/// Letters and digits of a name, in lower case.
fn plain(name: &str) -> String {
    let kept = name.chars().filter(|c| c.is_alphanumeric());
    kept.flat_map(char::to_lowercase).collect()
}

/// A header with several values is several headers.
fn texts(value: serde_json::Value) -> Vec<String> {
    use serde_json::Value;
    match value {
        Value::String(text) => vec![text],
        Value::Array(list) => list.into_iter().flat_map(texts_of_item).collect(),
        Value::Number(number) => vec![number.to_string()],
        Value::Bool(flag) => vec![flag.to_string()],
        Value::Null | Value::Object(_) => Vec::new(),
    }
}

fn texts_of_item(value: serde_json::Value) -> Vec<String> {
    if value.is_array() {
        Vec::new()
    } else {
        texts(value)
    }
}

fn pair(item: serde_json::Value) -> Option<(String, String)> {
    use serde_json::Value;
    match item {
        Value::Array(pair) => {
            let [Value::String(name), value] = <[Value; 2]>::try_from(pair).ok()? else {
                return None;
            };
            Some((name, texts(value).pop()?))
        }
        Value::Object(mut map) => {
            let name = map.remove("name").or_else(|| map.remove("key"))?;
            Some((
                name.as_str()?.to_owned(),
                texts(map.remove("value")?).pop()?,
            ))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with<T>(line: &str, empty: Empty, look: impl FnOnce(&Fields<'_>) -> T) -> T {
        let members = serde_json::from_str(line).expect("a test's line is an object");
        look(&Fields::new(members, empty, false))
    }

    #[test]
    fn a_name_is_known_in_every_spelling_and_the_first_that_says_something_is_taken() {
        let line = r#"{"Request-Method": null, "requestMethod": "PUT", ":path": "/a"}"#;
        with(line, Empty::Text, |fields| {
            assert_eq!(fields.text(&["path"]).as_deref(), Some("/a"));
        });
        let line = r#"{"method": "-", "request_method": "PUT"}"#;
        let method = |empty| {
            with(line, empty, |fields| {
                fields.text(&["method", "requestmethod"])
            })
        };
        assert_eq!(method(Empty::Dash).as_deref(), Some("PUT"));
        assert_eq!(method(Empty::Text).as_deref(), Some("-"));
    }

    #[test]
    fn a_body_given_as_json_keeps_every_digit() {
        let line = r#"{"body": {"n": 12345678901234567890.10, "m":1}}"#;
        let body = with(line, Empty::Text, |fields| {
            fields.body(&["body"], &[], "it")
        });
        let wanted = br#"{"n": 12345678901234567890.10, "m":1}"#.to_vec();
        assert_eq!(body.expect("no base64"), Some(wanted));
    }

    #[test]
    fn headers_come_in_three_forms() {
        let wanted = [("accept", "a"), ("accept", "b"), ("x", "1")];
        let wanted = wanted.map(|(name, value)| (name.to_owned(), value.to_owned()));
        for headers in [
            r#"{"accept": ["a", "b"], "x": 1, "none": null}"#,
            r#"[["accept", "a"], ["accept", "b"], ["x", 1], ["bad"]]"#,
            r#"[{"name": "accept", "value": "a"}, {"key": "accept", "value": "b"}, {"name": "x", "value": "1"}, 7]"#,
        ] {
            let line = format!("{{\"headers\": {headers}}}");
            let found = with(&line, Empty::Text, |fields| fields.headers(&["headers"]));
            assert_eq!(found, wanted, "{headers}");
        }
    }

    #[test]
    fn what_lies_under_request_and_response_is_found() {
        let line = r#"{"request": {"method": "GET", "status": 1}, "response": {"status": 200}}"#;
        with(line, Empty::Text, |fields| {
            assert_eq!(fields.text(&["method"]).as_deref(), Some("GET"));
            assert_eq!(fields.number(&["responsestatus"]), Some(200));
        });
    }
}
