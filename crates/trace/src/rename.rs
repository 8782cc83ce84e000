//! A script with new names, so that it can be run again where it has run before.

use std::borrow::Cow;

use bytes::Bytes;
use percent_encoding::utf8_percent_encode;
use serde_json::Value;

use crate::{COMPONENT, Call, Part, Payload, Script, Text, Unique};

/// Shorter names may be a part of other words by chance: they are changed where they stand alone.
const TELLING: usize = 6;
/// Smaller numbers in a path may be anything.
const TELLING_NUMBER: i64 = 1000;

impl Script {
    /// The same script with every name made anew; equal salts give equal names.
    pub fn renamed(&self, salt: u64) -> Self {
        let pairs: Vec<Pair> = self.names.iter().map(|name| Pair::of(name, salt)).collect();
        let mut script = self.clone();
        if !pairs.is_empty() {
            let cleanup = script.cleanup.iter_mut().map(|cleanup| &mut cleanup.call);
            let calls = script.calls.iter_mut().chain(cleanup);
            calls.for_each(|call| rename(call, &pairs));
            script.names = pairs.into_iter().map(|pair| pair.new).collect();
        }
        script
    }

    /// Names that change in the plain way, for whoever knows no other.
    pub fn text_names(&self) -> impl Iterator<Item = &str> {
        self.names.iter().filter_map(Unique::as_text)
    }
}

/// A value, and what stands in its place from now on.
struct Pair {
    value: Value,
    old: Plain,
    written: Plain,
    new: Unique,
}

/// A value as it is written.
struct Plain {
    text: String,
    /// As a path and a query have it.
    escaped: String,
    /// As it stands inside a JSON text.
    inside: String,
}

impl Plain {
    fn of(unique: &Unique) -> Self {
        let value = unique.value();
        let text = match &value {
            Value::String(text) => text.clone(),
            other => other.to_string(),
        };
        let quoted = Value::from(text.as_str()).to_string();
        Self {
            escaped: utf8_percent_encode(&text, COMPONENT).to_string(),
            inside: quoted[1..quoted.len() - 1].to_owned(),
            text,
        }
    }
}

impl Pair {
    fn of(name: &Unique, salt: u64) -> Self {
        let new = name.anew(salt);
        Self {
            value: name.value(),
            old: Plain::of(name),
            written: Plain::of(&new),
            new,
        }
    }

    /// The field of a number; texts are told by themselves.
    fn field(&self) -> Option<&str> {
        match &self.new {
            Unique::Number { field, .. } => Some(field),
            _ => None,
        }
    }

    fn is_telling_number(&self) -> bool {
        let number: Option<i64> = self.old.text.parse().ok();
        number.is_some_and(|number| number >= TELLING_NUMBER)
    }

    /// Writes the new text for the old one, in one of its spellings.
    fn replace<'t>(&self, text: &'t str, spelling: fn(&Plain) -> &str) -> Cow<'t, str> {
        let (old, new) = (spelling(&self.old), spelling(&self.written));
        match () {
            () if old.is_empty() || !text.contains(old) => Cow::Borrowed(text),
            () if old.chars().count() < TELLING => Cow::Owned(replaced_alone(text, old, new)),
            () => Cow::Owned(text.replace(old, new)),
        }
    }

    fn in_text(&self, text: &str) -> String {
        match self.field() {
            Some(field) => replaced_after(text, field, &self.old.text, &self.written.text),
            None => self.replace(text, |plain| &plain.text).into_owned(),
        }
    }

    fn in_json(&self, text: &str) -> String {
        let text = self.in_text(text);
        if self.field().is_some() || self.old.inside == self.old.text {
            return text;
        }
        self.replace(&text, |plain| &plain.inside).into_owned()
    }

    fn in_target(&self, text: &str) -> String {
        let text = self.in_text(text);
        match self.field() {
            Some(_) if self.is_telling_number() => {
                replaced_alone(&text, &self.old.text, &self.written.text)
            }
            Some(_) => text,
            None if self.old.escaped == self.old.text => text,
            None => self.replace(&text, |plain| &plain.escaped).into_owned(),
        }
    }

    /// Whether a number is the one that is meant.
    fn is(&self, field: &str, value: &Value) -> bool {
        self.field() == Some(field) && self.value == *value
    }
}

fn rename(call: &mut Call, pairs: &[Pair]) {
    rename_text(&mut call.target, pairs, Pair::in_target);
    for (_, text) in &mut call.headers {
        rename_text(text, pairs, Pair::in_text);
    }
    match &mut call.payload {
        Payload::None => {}
        Payload::Bytes { bytes, media_type } => {
            let json = media_type.ends_with("json");
            let rename = if json { Pair::in_json } else { Pair::in_text };
            if let Ok(text) = std::str::from_utf8(bytes) {
                *bytes = Bytes::from(renamed(text, pairs, rename));
            }
        }
        Payload::Json { value, .. } => rename_value(value, "", pairs),
    }
}

fn rename_text(text: &mut Text, pairs: &[Pair], rename: fn(&Pair, &str) -> String) {
    for part in &mut text.0 {
        if let Part::Fixed(fixed) = part {
            *fixed = renamed(fixed, pairs, rename);
        }
    }
}

fn renamed(text: &str, pairs: &[Pair], rename: fn(&Pair, &str) -> String) -> String {
    let text = text.to_owned();
    pairs.iter().fold(text, |text, pair| rename(pair, &text))
}

fn rename_value(value: &mut Value, field: &str, pairs: &[Pair]) {
    match value {
        Value::String(text) => *text = renamed(text, pairs, Pair::in_text),
        Value::Array(items) => {
            let each = |item| rename_value(item, field, pairs);
            items.iter_mut().for_each(each);
        }
        Value::Object(map) => {
            let each = |(field, item): (&String, &mut Value)| rename_value(item, field, pairs);
            map.iter_mut().for_each(each);
        }
        _ => {
            if let Some(pair) = pairs.iter().find(|pair| pair.is(field, value)) {
                *value = pair.new.value();
            }
        }
    }
}

fn is_of_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// Replaces a word where it stands for itself, not as a part of another.
fn replaced_alone(text: &str, old: &str, new: &str) -> String {
    replaced_where(text, old, new, |before| !before.ends_with(is_of_word))
}

/// Replaces a number that is given for a field: `"field": 7`, `field=7`.
fn replaced_after(text: &str, field: &str, old: &str, new: &str) -> String {
    replaced_where(text, old, new, |before| {
        let before = before.trim_end();
        let Some(named) = before.strip_suffix([':', '=']) else {
            return false;
        };
        let named = named.trim_end().trim_end_matches(['"', '\\']);
        let rest = named.strip_suffix(field);
        rest.is_some_and(|rest| !rest.ends_with(is_of_word))
    })
}

/// Whether a word or a number goes on here.
fn goes_on(rest: &str) -> bool {
    let mut chars = rest.chars();
    match chars.next() {
        Some('.') => chars.next().is_some_and(|c| c.is_ascii_digit()),
        first => first.is_some_and(is_of_word),
    }
}

/// Replaces a text that no word goes on after, where what stands before it is as wanted.
fn replaced_where(text: &str, old: &str, new: &str, wanted: impl Fn(&str) -> bool) -> String {
    let mut out = String::with_capacity(text.len() + new.len());
    let mut from = 0;
    for (at, found) in text.match_indices(old) {
        let end = at + found.len();
        if at < from || goes_on(&text[end..]) || !wanted(&text[..at]) {
            continue;
        }
        out.push_str(&text[from..at]);
        out.push_str(new);
        from = end;
    }
    out.push_str(&text[from..]);
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Intent, Role};
    use fossick_contract::Method;

    fn call(target: &str, payload: Payload) -> Call {
        Call {
            operation: "x".into(),
            method: Method::Post,
            target: Text::fixed(target),
            headers: vec![],
            payload,
            user: None,
            role: Role::Main,
            intent: Intent::Valid,
            graphql: None,
        }
    }

    fn json(text: &str) -> Payload {
        Payload::Bytes {
            media_type: "application/json".into(),
            bytes: Bytes::copy_from_slice(text.as_bytes()),
        }
    }

    fn sent(script: &Script, at: usize) -> String {
        let Payload::Bytes { bytes, .. } = &script.calls[at].payload else {
            panic!("bytes");
        };
        String::from_utf8(bytes.to_vec()).expect("text")
    }

    fn target(script: &Script, at: usize) -> String {
        script.calls[at].target.fill(|_| None).expect("no holes")
    }

    fn naming(name: Unique, body: &str, target: &str) -> Script {
        Script {
            calls: vec![call("/a", json(body)), call(target, Payload::None)],
            names: vec![name],
            ..Script::default()
        }
    }

    fn script() -> Script {
        naming(
            Unique::Text("amber-x6fch".to_owned()),
            r#"{"name":"amber-x6fch","kind":"open"}"#,
            "/a/amber-x6fch",
        )
    }

    #[test]
    fn a_name_changes_everywhere_in_the_same_way() {
        let renamed = script().renamed(1);
        let new = renamed.text_names().next().expect("one name");
        assert_ne!(new, "amber-x6fch");
        assert_eq!(new.len(), "amber-x6fch".len());
        assert_eq!(target(&renamed, 1), format!("/a/{new}"));
        assert_eq!(
            sent(&renamed, 0),
            format!(r#"{{"name":"{new}","kind":"open"}}"#)
        );
        assert_eq!(script().renamed(3), script().renamed(3));
    }

    #[test]
    fn a_name_that_json_escapes_changes_too() {
        let name = Unique::Text("amber\n-x6fch".to_owned());
        let renamed = naming(name, r#"{"name":"amber\n-x6fch"}"#, "/a").renamed(1);
        let sent: Value = serde_json::from_str(&sent(&renamed, 0)).expect("JSON");
        assert_eq!(sent["name"], renamed.names[0].value());
        assert_ne!(sent["name"], "amber\n-x6fch");
    }

    #[test]
    fn a_name_that_a_path_escapes_changes_too() {
        let name = Unique::Text("ada@mail.test".to_owned());
        let renamed = naming(name, r#"{"to":"ada@mail.test"}"#, "/a/ada%40mail.test").renamed(1);
        let new = renamed.text_names().next().expect("one name").to_owned();
        assert_eq!(
            target(&renamed, 1),
            format!("/a/{}", new.replace('@', "%40"))
        );
        assert!(sent(&renamed, 0).contains(&new));
    }

    #[test]
    fn a_short_name_is_left_alone_inside_other_words() {
        let name = Unique::Text("abc".to_owned());
        let body = r#"{"code":"abc","note":"abcess","of":"x-abc."}"#;
        let renamed = naming(name, body, "/abc/abcd?q=abc").renamed(2);
        let new = renamed.text_names().next().expect("one name").to_owned();
        assert_eq!(target(&renamed, 1), format!("/{new}/abcd?q={new}"));
        assert_eq!(
            sent(&renamed, 0),
            format!(r#"{{"code":"{new}","note":"abcess","of":"x-{new}."}}"#)
        );
    }

    fn number(number: i64) -> Unique {
        Unique::Number {
            number,
            least: 1,
            most: 1_000_000,
            field: "taxNumber".to_owned(),
        }
    }

    #[test]
    fn a_number_changes_where_its_field_says_that_it_is_meant() {
        let body = r#"{"taxNumber":4711,"size":4711,"old":{"taxNumber" : 4711},"n":[4711.5]}"#;
        let renamed = naming(number(4711), body, "/a/4711?size=14711&taxNumber=4711").renamed(1);
        let new = renamed.names[0].value();
        assert_ne!(new, 4711);
        assert_eq!(
            sent(&renamed, 0),
            format!(
                r#"{{"taxNumber":{new},"size":4711,"old":{{"taxNumber" : {new}}},"n":[4711.5]}}"#
            )
        );
        assert_eq!(
            target(&renamed, 1),
            format!("/a/{new}?size=14711&taxNumber={new}")
        );
    }

    #[test]
    fn a_small_number_in_a_path_may_be_anything() {
        let renamed = naming(number(7), r#"{"taxNumber":7,"pages":7}"#, "/a/7").renamed(1);
        let new = renamed.names[0].value();
        assert_eq!(target(&renamed, 1), "/a/7");
        assert_eq!(
            sent(&renamed, 0),
            format!(r#"{{"taxNumber":{new},"pages":7}}"#)
        );
    }

    #[test]
    fn a_number_changes_where_the_body_has_holes_and_where_it_is_written_inline() {
        let mut script = naming(
            number(4711),
            r#"{"query":"mutation { add(taxNumber: 4711, size: 4711) { id } }"}"#,
            "/a",
        );
        script.calls[1].payload = Payload::Json {
            media_type: "application/json".into(),
            value: serde_json::json!({"taxNumber": 4711, "size": 4711, "all": {"taxNumber": [4711]}}),
            fills: vec![],
        };
        let renamed = script.renamed(5);
        let new = renamed.names[0].value();
        assert_eq!(
            sent(&renamed, 0),
            format!(r#"{{"query":"mutation {{ add(taxNumber: {new}, size: 4711) {{ id }} }}"}}"#)
        );
        let Payload::Json { value, .. } = &renamed.calls[1].payload else {
            panic!("JSON");
        };
        let expected =
            serde_json::json!({"taxNumber": new, "size": 4711, "all": {"taxNumber": [new]}});
        assert_eq!(*value, expected);
    }
}
