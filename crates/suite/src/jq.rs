//! JSON pointers and paths as filters of jq.

use std::fmt::Write as _;

use serde_json::Value;

use crate::{Item, Key};

/// `/items/0/id` becomes `.items[0].id`.
///
/// A number in a pointer is an index in an array but a key in an object; the answer that was seen
/// tells which. Where there is none, it is taken for an index.
pub fn filter(pointer: &str, seen: Option<&Value>) -> String {
    let mut out = String::new();
    let mut at = seen;
    for segment in segments(pointer) {
        let in_object = at.is_some_and(Value::is_object);
        out.push_str(&step(&segment, in_object, out.is_empty()));
        at = at.and_then(|value| inside(value, &segment));
    }
    if out.is_empty() { ".".to_owned() } else { out }
}

/// The path of a check: `.items[0].id`, or `(.items | item(["id"]; $tool_id)).name`.
///
/// `item` is no word of jq: whoever runs the filter defines it. `named` is what a variable of the
/// test is called there.
pub fn path(keys: &[Key], named: &dyn Fn(&str) -> String) -> String {
    let mut out = String::new();
    for key in keys {
        match key {
            Key::Index(index) => out.push_str(&step(&index.to_string(), false, out.is_empty())),
            Key::Name(name) => out.push_str(&step(name, true, out.is_empty())),
            Key::Item(item) => {
                let found = format!("item({})", carried(item, named));
                out = match out.as_str() {
                    "" => found,
                    list => format!("({list} | {found})"),
                };
            }
        }
    }
    if out.is_empty() { ".".to_owned() } else { out }
}

/// What tells an item from others: `["node", "id"]; $lot_id`.
pub fn carried(item: &Item, named: &dyn Fn(&str) -> String) -> String {
    let names: Vec<String> = item.at.iter().map(|name| text(name)).collect();
    format!("[{}]; ${}", names.join(", "), named(&item.is))
}

/// The names on the way, as they are in the document.
pub fn segments(pointer: &str) -> impl Iterator<Item = String> {
    pointer
        .split('/')
        .skip(1)
        .map(fossick_contract::unescape_token)
}

fn step(segment: &str, in_object: bool, first: bool) -> String {
    let dot = if first { "." } else { "" };
    if !in_object && is_index(segment) {
        return format!("{dot}[{segment}]");
    }
    if is_plain_key(segment) {
        return format!(".{segment}");
    }
    // A JSON string is a jq string: its backslashes are doubled, so no `\(` can begin code.
    format!("{dot}[{}]", text(segment))
}

/// A string of jq, and of JSON: whatever can't be seen is escaped.
pub fn text(text: &str) -> String {
    let mut out = String::new();
    for c in Value::from(text).to_string().chars() {
        if c == ' ' || c.is_ascii_graphic() || (!c.is_ascii() && c.is_alphanumeric()) {
            out.push(c);
            continue;
        }
        let mut units = [0; 2];
        for unit in c.encode_utf16(&mut units) {
            let _ = write!(out, "\\u{unit:04x}");
        }
    }
    out
}

fn is_index(segment: &str) -> bool {
    !segment.is_empty() && segment.bytes().all(|b| b.is_ascii_digit())
}

fn is_plain_key(segment: &str) -> bool {
    !segment.starts_with(|c: char| c.is_ascii_digit())
        && !segment.is_empty()
        && segment
            .bytes()
            .all(|b| b.is_ascii_alphanumeric() || b == b'_')
}

fn inside<'a>(value: &'a Value, segment: &str) -> Option<&'a Value> {
    match value {
        Value::Object(members) => members.get(segment),
        Value::Array(items) => items.get(segment.parse::<usize>().ok()?),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn plain_names_need_no_quotes() {
        assert_eq!(filter("/id", None), ".id");
        assert_eq!(filter("/items/0/id", None), ".items[0].id");
        assert_eq!(filter("/0/id", None), ".[0].id");
        assert_eq!(filter("", None), ".");
    }

    #[test]
    fn odd_names_are_quoted_and_stay_names() {
        assert_eq!(filter("/a-b/c~1d", None), r#".["a-b"]["c/d"]"#);
        assert_eq!(filter(r#"/"|halt"#, None), r#".["\"|halt"]"#);
        assert_eq!(filter(r"/\(1)", None), r#".["\\(1)"]"#);
    }

    #[test]
    fn the_keys_of_a_check_say_what_they_are() {
        let keys = [Key::Name("0".into()), Key::Index(0), Key::Name("id".into())];
        let path = |keys: &[Key]| path(keys, &str::to_owned);
        assert_eq!(path(&keys), r#".["0"][0].id"#);
        assert_eq!(path(&[Key::Index(1)]), ".[1]");
        assert_eq!(path(&[]), ".");
        let item = Key::Item(Item {
            at: vec!["node".into(), "a\"b".into()],
            is: "lot_id".into(),
        });
        let keys = [
            Key::Name("lots".into()),
            item.clone(),
            Key::Name("n".into()),
        ];
        let found = r#"(.lots | item(["node", "a\"b"]; $lot_id)).n"#;
        assert_eq!(path(&keys), found);
        let keys = [item, Key::Index(0)];
        assert_eq!(path(&keys), r#"item(["node", "a\"b"]; $lot_id)[0]"#);
    }

    #[test]
    fn a_text_shows_all_it_has() {
        let odd = "a\u{2028}\u{202e}é木\u{1f6e0}\u{7f}\n\"\\(";
        let written = text(odd);
        assert_eq!(written, r#""a\u2028\u202eé木\ud83d\udee0\u007f\n\"\\(""#);
        assert_eq!(
            serde_json::from_str::<String>(&written).ok().as_deref(),
            Some(odd)
        );
    }

    #[test]
    fn a_number_that_was_a_key_stays_a_key() {
        let seen = json!({"0": {"id": 1}});
        assert_eq!(filter("/0/id", Some(&seen)), r#".["0"].id"#);
    }
}
