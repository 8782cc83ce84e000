//! Literals of Rust.

use std::fmt::Write as _;

use fossick_suite::Template;
use serde_json::{Number, Value};

use crate::variables::Variables;
use crate::wrap::is_unseen;

/// A string; whatever can't be seen is escaped, for the compiler refuses some of it.
pub(super) fn string(text: &str) -> String {
    format!("\"{}\"", text.chars().map(escaped).collect::<String>())
}

fn escaped(c: char) -> String {
    match c {
        '"' => "\\\"".to_owned(),
        '\\' => "\\\\".to_owned(),
        '\n' => "\\n".to_owned(),
        '\r' => "\\r".to_owned(),
        '\t' => "\\t".to_owned(),
        '\0' => "\\0".to_owned(),
        c if is_unseen(c) || (!c.is_ascii() && !c.is_alphanumeric()) => {
            format!("\\u{{{:x}}}", c as u32)
        }
        c => c.to_string(),
    }
}

/// What stands in a string that `format!` reads: braces are doubled.
pub(super) fn in_format(text: &str) -> String {
    let inner: String = text.chars().map(escaped).collect();
    // The braces of `\u{2028}` are the compiler's, and gone when the text is read as a format.
    let mut out = String::new();
    let mut rest = inner.as_str();
    while let Some(at) = rest.find(['{', '}', '\\']) {
        let (before, found) = rest.split_at(at);
        out.push_str(before);
        let length = escape_length(found);
        let (sign, after) = found.split_at(length);
        match sign {
            "{" => out.push_str("{{"),
            "}" => out.push_str("}}"),
            escape => out.push_str(escape),
        }
        rest = after;
    }
    out + rest
}

fn escape_length(text: &str) -> usize {
    if text.starts_with("\\u") {
        return text.find('}').map_or(text.len(), |at| at + 1);
    }
    if text.starts_with('\\') { 2 } else { 1 }
}

/// A string of bytes.
pub(super) fn bytes(bytes: &[u8]) -> String {
    let mut out = String::from("b\"");
    for byte in bytes {
        match byte {
            b'"' => out.push_str("\\\""),
            b'\\' => out.push_str("\\\\"),
            b'\n' => out.push_str("\\n"),
            b'\r' => out.push_str("\\r"),
            b'\t' => out.push_str("\\t"),
            b' '..=b'~' => out.push(char::from(*byte)),
            _ => {
                let _ = write!(out, "\\x{byte:02x}");
            }
        }
    }
    out.push('"');
    out
}

/// A number with the type it needs to be held.
pub(super) fn number(number: &Number) -> String {
    if let Some(small) = number.as_i64() {
        let fits = i32::try_from(small).is_ok();
        return if fits {
            format!("{small}")
        } else {
            format!("{small}_i64")
        };
    }
    match (number.as_u64(), number.as_f64()) {
        (Some(large), _) => format!("{large}_u64"),
        (_, Some(float)) => format!("{float:?}"),
        _ => number.to_string(),
    }
}

/// A scalar that an answer is compared with: `1.0` is `1`.
pub(super) fn scalar(value: &Value) -> String {
    match value {
        Value::String(text) => string(text),
        Value::Bool(value) => value.to_string(),
        Value::Number(value) => number(&crate::number::whole(value)),
        _ => format!("json!({})", json(&Template::Value(value.clone()), None, 0)),
    }
}

/// What stands in `json!`, at this depth.
pub(super) fn json(template: &Template, names: Option<&Variables>, depth: usize) -> String {
    match template {
        Template::Value(value) => value_at(value, depth),
        Template::Text(pieces) => super::request::format(pieces, names, "text"),
        Template::Variable(name) => names.map_or_else(|| "null".to_owned(), |n| n.get(name)),
        Template::List(items) => {
            let items = items.iter().map(|item| json(item, names, depth + 1));
            bracketed('[', &items.collect::<Vec<_>>(), ']', depth)
        }
        Template::Object(members) => {
            let member = |(name, value): &(String, Template)| {
                format!("{}: {}", string(name), json(value, names, depth + 1))
            };
            bracketed(
                '{',
                &members.iter().map(member).collect::<Vec<_>>(),
                '}',
                depth,
            )
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
            bracketed('[', &items.collect::<Vec<_>>(), ']', depth)
        }
        Value::Object(members) => {
            let member = |(name, value): (&String, &Value)| {
                format!("{}: {}", string(name), value_at(value, depth + 1))
            };
            bracketed(
                '{',
                &members.iter().map(member).collect::<Vec<_>>(),
                '}',
                depth,
            )
        }
    }
}

/// On one line where it is short.
fn bracketed(open: char, items: &[String], close: char, depth: usize) -> String {
    let flat = format!("{open}{}{close}", items.join(", "));
    if flat.chars().count() <= 60 && !flat.contains('\n') {
        return flat;
    }
    let line = format!("\n{}", "    ".repeat(depth + 1));
    let items = items
        .iter()
        .flat_map(|item| [line.as_str(), item.as_str(), ","]);
    let items: String = items.collect();
    format!("{open}{items}\n{}{close}", "    ".repeat(depth))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Reads a string literal as the language says.
    fn read(literal: &str) -> Option<String> {
        let inner = literal.strip_prefix('"')?.strip_suffix('"')?;
        let mut out = String::new();
        let mut chars = inner.chars();
        while let Some(c) = chars.next() {
            match c {
                '"' => return None,
                c if is_unseen(c) => return None,
                '\\' => match chars.next()? {
                    'n' => out.push('\n'),
                    'r' => out.push('\r'),
                    't' => out.push('\t'),
                    '0' => out.push('\0'),
                    'u' => {
                        let digits: String = chars.by_ref().take_while(|c| *c != '}').collect();
                        let code = u32::from_str_radix(digits.strip_prefix('{')?, 16).ok()?;
                        out.push(char::from_u32(code)?);
                    }
                    c @ ('"' | '\\') => out.push(c),
                    _ => return None,
                },
                c => out.push(c),
            }
        }
        Some(out)
    }

    proptest! {
        #[test]
        fn every_string_reads_back_as_itself(text in "(?s)(.|[\"\\\\{}\r\n\u{202e}\u{2028}]){0,40}") {
            prop_assert_eq!(read(&string(&text)), Some(text.clone()));
        }

        #[test]
        fn every_format_reads_back_as_itself(text in "(?s)(.|[\"\\\\{}\r\n\u{202e}\u{2028}]){0,40}") {
            let format = read(&format!("\"{}\"", in_format(&text))).expect("a string");
            let rest = format.replace("{{", "\u{1}").replace("}}", "\u{2}");
            let alone = rest.contains(['{', '}']);
            prop_assert!(!alone);
            prop_assert_eq!(format.replace("{{", "{").replace("}}", "}"), text);
        }

        #[test]
        fn bytes_hold_nothing_but_what_can_be_seen(raw: Vec<u8>) {
            let literal = bytes(&raw);
            prop_assert!(literal.bytes().all(|b| (b' '..=b'~').contains(&b)));
            let inner = &literal[2..literal.len() - 1];
            let quotes = inner.replace("\\\\", "").replace("\\\"", "");
            prop_assert!(!quotes.contains('"'));
        }
    }

    #[test]
    fn numbers_have_the_type_that_holds_them() {
        assert_eq!(number(&900.into()), "900");
        assert_eq!(
            number(&9_007_199_254_740_993_i64.into()),
            "9007199254740993_i64"
        );
        assert_eq!(number(&u64::MAX.into()), "18446744073709551615_u64");
        assert_eq!(scalar(&serde_json::json!(1e300)), "1e300");
        assert_eq!(scalar(&serde_json::json!(2.0)), "2");
    }
}
