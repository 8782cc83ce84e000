//! A script with new names, so that it can be run again where it has run before.

use bytes::Bytes;
use fossick_contract::is_uuid;
use serde_json::Value;

use crate::{Call, Part, Payload, Script, Text};

impl Script {
    /// The same script with every name made anew; equal salts give equal names.
    pub fn renamed(&self, salt: u64) -> Self {
        let pairs: Vec<(&str, String)> = self
            .names
            .iter()
            .map(|name| (name.as_str(), varied(name, salt)))
            .collect();
        let mut script = self.clone();
        if !pairs.is_empty() {
            script
                .calls
                .iter_mut()
                .for_each(|call| rename(call, &pairs));
            script.names = pairs.into_iter().map(|(_, new)| new).collect();
        }
        script
    }
}

/// A name of the same length and make: only its last letters and digits change, each for one of
/// its kind, so that patterns and bounds hold as before.
fn varied(name: &str, salt: u64) -> String {
    const CHANGED: usize = 5;
    let mut left = CHANGED;
    let letters = if is_uuid(name) { 6 } else { 26 };
    // Mixed, so that neighbouring salts differ in every place.
    let mut bits = salt.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let changed: Vec<char> = name
        .chars()
        .rev()
        .map(|c| {
            let (first, size) = match c {
                'a'..='z' if left > 0 => (b'a', letters),
                'A'..='Z' if left > 0 => (b'A', letters),
                '0'..='9' if left > 0 => (b'0', 10),
                _ => return c,
            };
            left -= 1;
            bits = bits.rotate_left(13).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            let old = u64::from(c as u8 - first);
            char::from(first + ((old + (bits >> 33)) % size) as u8)
        })
        .collect();
    changed.into_iter().rev().collect()
}

fn rename(call: &mut Call, pairs: &[(&str, String)]) {
    rename_text(&mut call.target, pairs);
    for (_, text) in &mut call.headers {
        rename_text(text, pairs);
    }
    match &mut call.payload {
        Payload::None => {}
        Payload::Bytes { bytes, media_type } => {
            if let Ok(text) = std::str::from_utf8(bytes) {
                let text = replaced(text, pairs);
                *bytes = Bytes::from(if media_type.ends_with("json") {
                    replaced_escaped(&text, pairs)
                } else {
                    text
                });
            }
        }
        Payload::Json { value, .. } => rename_value(value, pairs),
    }
}

fn rename_text(text: &mut Text, pairs: &[(&str, String)]) {
    for part in &mut text.0 {
        if let Part::Fixed(fixed) = part {
            *fixed = replaced(fixed, pairs);
        }
    }
}

fn rename_value(value: &mut Value, pairs: &[(&str, String)]) {
    match value {
        Value::String(text) => *text = replaced(text, pairs),
        Value::Array(items) => items.iter_mut().for_each(|item| rename_value(item, pairs)),
        Value::Object(map) => map.values_mut().for_each(|item| rename_value(item, pairs)),
        _ => {}
    }
}

fn replaced(text: &str, pairs: &[(&str, String)]) -> String {
    pairs
        .iter()
        .fold(text.to_owned(), |text, (old, new)| text.replace(old, new))
}

/// In JSON some names stand in another spelling.
fn replaced_escaped(text: &str, pairs: &[(&str, String)]) -> String {
    let inside = |name: &str| {
        let quoted = Value::from(name).to_string();
        quoted[1..quoted.len() - 1].to_owned()
    };
    let escaped = pairs.iter().map(|(old, new)| (*old, inside(old), new));
    escaped
        .filter(|(old, inside, _)| old != inside)
        .fold(text.to_owned(), |text, (_, old, new)| {
            text.replace(&old, &inside(new))
        })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Intent, Role};
    use fossick_contract::Method;

    fn script() -> Script {
        let call = |target: &str, payload| Call {
            operation: "x".into(),
            method: Method::Post,
            target: Text::fixed(target),
            headers: vec![],
            payload,
            user: None,
            role: Role::Main,
            intent: Intent::Valid,
            graphql: None,
        };
        let payload = Payload::Bytes {
            media_type: "application/json".into(),
            bytes: Bytes::from_static(br#"{"name":"amber-x6fch","kind":"open"}"#),
        };
        Script {
            calls: vec![call("/a", payload), call("/a/amber-x6fch", Payload::None)],
            names: vec!["amber-x6fch".to_owned()],
        }
    }

    #[test]
    fn a_name_changes_everywhere_in_the_same_way() {
        let renamed = script().renamed(1);
        let [new] = renamed.names.as_slice() else {
            panic!("one name");
        };
        assert_ne!(new, "amber-x6fch");
        assert_eq!(new.len(), "amber-x6fch".len());
        assert_eq!(renamed.calls[1].target, Text::fixed(format!("/a/{new}")));
        let Payload::Bytes { bytes, .. } = &renamed.calls[0].payload else {
            panic!("bytes");
        };
        let text = String::from_utf8(bytes.to_vec()).expect("text");
        assert_eq!(text, format!(r#"{{"name":"{new}","kind":"open"}}"#));
    }

    #[test]
    fn an_identifier_stays_one() {
        let mut script = script();
        script.names = vec!["5a79db59-9527-4b83-ae87-64a9065cfedc".to_owned()];
        for salt in 0..50 {
            let renamed = script.renamed(salt);
            assert!(is_uuid(&renamed.names[0]), "{}", renamed.names[0]);
        }
    }

    #[test]
    fn a_name_that_json_escapes_changes_too() {
        let mut script = script();
        script.names = vec!["amber\n-x6fch".to_owned()];
        script.calls[0].payload = Payload::Bytes {
            media_type: "application/json".into(),
            bytes: Bytes::from_static(br#"{"name":"amber\n-x6fch"}"#),
        };
        let renamed = script.renamed(1);
        let Payload::Bytes { bytes, .. } = &renamed.calls[0].payload else {
            panic!("bytes");
        };
        let sent: Value = serde_json::from_slice(bytes).expect("JSON");
        assert_eq!(sent["name"], Value::from(renamed.names[0].as_str()));
        assert_ne!(sent["name"], "amber\n-x6fch");
    }

    #[test]
    fn salts_make_the_difference() {
        assert_eq!(script().renamed(3), script().renamed(3));
        let names: std::collections::BTreeSet<String> =
            (0..200).map(|salt| varied("amber-x6fch", salt)).collect();
        assert!(names.len() > 190, "{}", names.len());
    }

    #[test]
    fn the_make_of_a_name_stays() {
        let new = varied("ABC-12-xyz", 7);
        let make = |text: &str| -> String {
            text.chars()
                .map(|c| match c {
                    'a'..='z' => 'a',
                    'A'..='Z' => 'A',
                    '0'..='9' => '0',
                    c => c,
                })
                .collect()
        };
        assert_eq!(make(&new), make("ABC-12-xyz"));
    }
}
