//! Literals of PHP.

use std::fmt::Write as _;

use fossick_suite::{Piece, Template};
use serde_json::{Number, Value};

use crate::variables::Variables;

/// In single quotes, where nothing is special, or in double ones with all that can't be seen
/// escaped.
pub(super) fn string(text: &str) -> String {
    if text.chars().all(is_plain) {
        return format!("'{}'", text.replace('\\', "\\\\").replace('\'', "\\'"));
    }
    format!("\"{}\"", text.chars().map(escaped).collect::<String>())
}

fn is_plain(c: char) -> bool {
    c == ' ' || c.is_ascii_graphic() || (!c.is_ascii() && c.is_alphanumeric())
}

fn escaped(c: char) -> String {
    match c {
        '"' | '\\' | '$' => format!("\\{c}"),
        '\n' => "\\n".to_owned(),
        '\r' => "\\r".to_owned(),
        '\t' => "\\t".to_owned(),
        c if is_plain(c) => c.to_string(),
        c => format!("\\u{{{:x}}}", c as u32),
    }
}

/// A string of bytes.
pub(super) fn bytes(bytes: &[u8]) -> String {
    let mut out = String::from("\"");
    for byte in bytes {
        match byte {
            b'"' | b'\\' | b'$' => {
                out.push('\\');
                out.push(char::from(*byte));
            }
            b' '..=b'~' => out.push(char::from(*byte)),
            _ => {
                let _ = write!(out, "\\x{byte:02X}");
            }
        }
    }
    out.push('"');
    out
}

pub(super) fn number(number: &Number) -> String {
    match (number.as_i64(), number.as_f64()) {
        // The language reads a minus and a number that is too large.
        (Some(i64::MIN), _) => "PHP_INT_MIN".to_owned(),
        (_, Some(float)) if number.is_f64() => format!("{float:?}"),
        _ => number.to_string(),
    }
}

/// A scalar that an answer is compared with: `1.0` is `1`.
pub(super) fn scalar(value: &Value) -> String {
    match value {
        Value::Number(value) => number(&crate::number::whole(value)),
        value => json(&Template::Value(value.clone()), None, 0),
    }
}

/// Whether a number in it is larger than the language can hold.
pub(super) fn is_too_large(value: &Value) -> bool {
    match value {
        Value::Number(number) => number.is_u64() && !number.is_i64(),
        Value::Array(items) => items.iter().any(is_too_large),
        Value::Object(members) => members.values().any(is_too_large),
        _ => false,
    }
}

/// Lists and objects as arrays, at this depth.
pub(super) fn json(template: &Template, names: Option<&Variables>, depth: usize) -> String {
    match template {
        Template::Value(value) => value_at(value, depth),
        Template::Text(pieces) => joined(pieces, names, Filter::Text),
        Template::Variable(name) => names.map_or_else(
            || "null".to_owned(),
            |names| format!("${}", names.get(name)),
        ),
        Template::List(items) => {
            let items = items.iter().map(|item| json(item, names, depth + 1));
            bracketed(&items.collect::<Vec<_>>(), depth)
        }
        Template::Object(members) => {
            let keys: Vec<&str> = members.iter().map(|(name, _)| name.as_str()).collect();
            let values = members
                .iter()
                .map(|(_, value)| json(value, names, depth + 1));
            object(&keys, &values.collect::<Vec<_>>(), depth)
        }
    }
}

fn value_at(value: &Value, depth: usize) -> String {
    match value {
        Value::Null => "null".to_owned(),
        Value::Bool(value) => value.to_string(),
        Value::Number(value) => number(value),
        Value::String(text) => string(text),
        Value::Array(items) => {
            let items = items.iter().map(|item| value_at(item, depth + 1));
            bracketed(&items.collect::<Vec<_>>(), depth)
        }
        Value::Object(members) => {
            let keys: Vec<&str> = members.keys().map(String::as_str).collect();
            let values = members.values().map(|value| value_at(value, depth + 1));
            object(&keys, &values.collect::<Vec<_>>(), depth)
        }
    }
}

/// An array whose keys are numbers, or that has none, would be a list.
fn object(keys: &[&str], values: &[String], depth: usize) -> String {
    let is_number = |key: &&str| !key.is_empty() && key.bytes().all(|b| b.is_ascii_digit());
    let cast = if keys.is_empty() || keys.iter().any(is_number) {
        "(object) "
    } else {
        ""
    };
    let members = keys.iter().zip(values);
    let members = members.map(|(key, value)| format!("{} => {value}", string(key)));
    format!("{cast}{}", bracketed(&members.collect::<Vec<_>>(), depth))
}

/// On one line where it is short.
pub(super) fn bracketed(items: &[String], depth: usize) -> String {
    let flat = format!("[{}]", items.join(", "));
    if flat.chars().count() <= 70 && !flat.contains('\n') {
        return flat;
    }
    let line = format!("\n{}", "    ".repeat(depth + 1));
    let items = items
        .iter()
        .flat_map(|item| [line.as_str(), item.as_str(), ","]);
    let items: String = items.collect();
    format!("[{items}\n{}]", "    ".repeat(depth))
}

/// What becomes of a variable in a text.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Filter {
    Text,
    Segment,
}

/// Pieces with dots between them.
pub(super) fn joined(pieces: &[Piece], names: Option<&Variables>, filter: Filter) -> String {
    let part = |piece: &Piece| match piece {
        Piece::Fixed(text) => string(text),
        Piece::Variable(name) => variable(name, names, filter),
    };
    match pieces {
        [] => "''".to_owned(),
        pieces => pieces.iter().map(part).collect::<Vec<_>>().join(" . "),
    }
}

fn variable(name: &str, names: Option<&Variables>, filter: Filter) -> String {
    let Some(names) = names else {
        return "''".to_owned();
    };
    let variable = format!("${}", names.get(name));
    match filter {
        Filter::Segment => format!("self::segment({variable})"),
        Filter::Text if names.is_text(name) => variable,
        Filter::Text => format!("self::text({variable})"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde_json::json;

    /// Reads a string as the language says; `None` where a variable would be put in.
    fn read(literal: &str) -> Option<String> {
        let quote = literal.chars().next()?;
        let inner = literal.strip_prefix(quote)?.strip_suffix(quote)?;
        let (mut out, mut chars) = (String::new(), inner.chars());
        while let Some(c) = chars.next() {
            match (c, quote) {
                (c, quote) if c == quote => return None,
                ('$', '"') => return None,
                (c, _) if c.is_control() => return None,
                ('\\', '\'') => match chars.next()? {
                    c @ ('\'' | '\\') => out.push(c),
                    _ => return None,
                },
                ('\\', _) => match chars.next()? {
                    'n' => out.push('\n'),
                    'r' => out.push('\r'),
                    't' => out.push('\t'),
                    'u' => {
                        let digits: String = chars.by_ref().take_while(|c| *c != '}').collect();
                        let code = u32::from_str_radix(digits.strip_prefix('{')?, 16).ok()?;
                        out.push(char::from_u32(code)?);
                    }
                    c @ ('"' | '\\' | '$') => out.push(c),
                    _ => return None,
                },
                (c, _) => out.push(c),
            }
        }
        Some(out)
    }

    const HOSTILE: &str = "(?s)(.|[\"'\\\\${}\r\n\u{202e}\u{2028}]|\\?>|\\{\\$a\\}){0,30}";

    proptest! {
        #[test]
        fn every_string_reads_back_as_itself(text in HOSTILE) {
            prop_assert_eq!(read(&string(&text)), Some(text));
        }

        #[test]
        fn bytes_hold_nothing_but_what_can_be_seen(raw: Vec<u8>) {
            let literal = bytes(&raw);
            prop_assert!(literal.bytes().all(|b| (b' '..=b'~').contains(&b)));
            let inner = literal[1..literal.len() - 1].replace("\\\\", "");
            prop_assert!(!inner.replace("\\\"", "").contains('"'));
            prop_assert!(!inner.replace("\\$", "").contains('$'));
        }
    }

    #[test]
    fn an_object_never_becomes_a_list() {
        let of = |value: Value| json(&Template::Value(value), None, 0);
        assert_eq!(of(json!({})), "(object) []");
        assert_eq!(of(json!({"0": 1})), "(object) ['0' => 1]");
        assert_eq!(of(json!({"a": []})), "['a' => []]");
    }
}
