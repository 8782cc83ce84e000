//! Strings of Hurl: between quotes, on a line, and as paths into JSON.
//!
//! `{{` begins a template wherever it stands, so no two braces of a text are left together. What
//! can't be seen is escaped.

use std::fmt::Write as _;

use fossick_suite::{Key, Piece};
use serde_json::Number;

use super::scope::Scope;

/// Which signs are special besides backslashes and braces.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    Quotes,
    Backticks,
    /// A value that ends with its line or with a comment.
    Line,
}

/// `"text"`
pub(super) fn quoted(text: &str) -> String {
    format!("\"{}\"", escaped(text, Place::Quotes))
}

/// The same with holes.
pub(super) fn quoted_pieces(pieces: &[Piece], scope: &Scope) -> String {
    format!("\"{}\"", filled(pieces, scope, Place::Quotes))
}

/// Text with holes between backticks, which is a body.
pub(super) fn backticked(pieces: &[Piece], scope: &Scope) -> String {
    format!("`{}`", filled(pieces, scope, Place::Backticks))
}

/// Text with holes to the end of a line.
pub(super) fn line(pieces: &[Piece], scope: &Scope) -> String {
    let text = filled(pieces, scope, Place::Line);
    let inner = text.trim_matches(' ');
    let (before, after) = (leading(&text), leading_of_end(&text, inner));
    format!("{before}{inner}{after}")
}

fn leading(text: &str) -> String {
    let spaces = text.len() - text.trim_start_matches(' ').len();
    "\\u{20}".repeat(spaces)
}

fn leading_of_end(text: &str, inner: &str) -> String {
    if inner.is_empty() {
        return String::new();
    }
    let spaces = text.len() - text.trim_end_matches(' ').len();
    "\\u{20}".repeat(spaces)
}

/// A text to the end of a line, or before something else.
pub(super) fn unquoted(text: &str) -> String {
    escaped(text, Place::Line).replace(' ', "\\u{20}")
}

/// A text at the start of a value, with more behind it.
pub(super) fn unquoted_start(text: &str) -> String {
    let text = escaped(text, Place::Line);
    format!("{}{}", leading(&text), text.trim_start_matches(' '))
}

fn filled(pieces: &[Piece], scope: &Scope, place: Place) -> String {
    let part = |piece: &Piece| match piece {
        Piece::Fixed(text) => escaped(text, place),
        Piece::Variable(name) => format!("{{{{{}}}}}", scope.get(name)),
    };
    pieces.iter().map(part).collect()
}

fn escaped(text: &str, place: Place) -> String {
    let mut out = String::new();
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        let before_brace = matches!(chars.peek(), None | Some('{'));
        match c {
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '"' if place == Place::Quotes => out.push_str("\\\""),
            '`' if place == Place::Backticks => out.push_str("\\`"),
            '#' if place == Place::Line => out.push_str("\\#"),
            '{' if before_brace => out.push_str("\\u{7b}"),
            c if is_plain(c) => out.push(c),
            c => {
                let _ = write!(out, "\\u{{{:x}}}", c as u32);
            }
        }
    }
    out
}

fn is_plain(c: char) -> bool {
    c == ' ' || c.is_ascii_graphic() || (!c.is_ascii() && c.is_alphanumeric())
}

/// The name of a header.
pub(super) fn key(name: &str) -> String {
    let mut out = String::new();
    for c in name.chars() {
        if c.is_ascii_alphanumeric() || "_-.".contains(c) {
            out.push(c);
        } else {
            let _ = write!(out, "\\u{{{:x}}}", c as u32);
        }
    }
    out
}

/// What stands between the quotes of a JSON string, where a text has no template by chance.
pub(super) fn json_inner(text: &str) -> String {
    let written = fossick_suite::jq::text(text);
    let inner = written
        .strip_prefix('"')
        .and_then(|text| text.strip_suffix('"'));
    let inner = inner.unwrap_or("");
    let mut out = String::new();
    let mut chars = inner.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '{' if matches!(chars.peek(), None | Some('{')) => out.push_str("\\u007b"),
            c => out.push(c),
        }
    }
    out
}

/// `$.items[0].id`, with holes where an item goes by what it carries:
/// `$.items[?@.id == '{{tool_id}}'].name`.
pub(super) fn json_path(keys: &[Key], scope: &Scope) -> Vec<Piece> {
    let mut pieces = Vec::new();
    let mut out = String::from("$");
    for key in keys {
        match key {
            Key::Index(index) => {
                let _ = write!(out, "[{index}]");
            }
            Key::Name(name) => out.push_str(&member(name)),
            Key::Item(item) => {
                let names: String = item.at.iter().map(|name| member(name)).collect();
                let quote = if scope.is_quoted(&item.is) { "'" } else { "" };
                let _ = write!(out, "[?@{names} == {quote}");
                pieces.push(Piece::Fixed(std::mem::take(&mut out)));
                pieces.push(Piece::Variable(item.is.clone()));
                out = format!("{quote}]");
            }
        }
    }
    pieces.push(Piece::Fixed(out));
    pieces
}

/// `.name`, or `['odd name']`
fn member(name: &str) -> String {
    if is_plain_name(name) {
        format!(".{name}")
    } else {
        format!("['{}']", in_path(name))
    }
}

fn is_plain_name(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_')
}

fn in_path(name: &str) -> String {
    let mut out = String::new();
    for c in name.chars() {
        match c {
            '\'' | '\\' => {
                out.push('\\');
                out.push(c);
            }
            c if c.is_control() => {
                let _ = write!(out, "\\u{:04x}", c as u32);
            }
            c => out.push(c),
        }
    }
    out
}

/// A pointer as a path between quotes; a number is taken for a place in a list.
pub(super) fn of_pointer(pointer: &str) -> String {
    let keys: Vec<Key> = fossick_suite::jq::segments(pointer)
        .map(|segment| match segment.parse() {
            Ok(index) if segment == "0" || !segment.starts_with(['0', '+']) => Key::Index(index),
            _ => Key::Name(segment),
        })
        .collect();
    let scope = Scope::default();
    quoted_pieces(&json_path(&keys, &scope), &scope)
}

/// Hurl has no exponents.
pub(super) fn number(number: &Number) -> String {
    match number.as_f64() {
        Some(float) if number.is_f64() => {
            let digits = format!("{float}");
            if digits.contains('.') {
                digits
            } else {
                format!("{digits}.0")
            }
        }
        _ => number.to_string(),
    }
}

/// A pattern between slashes that matches nothing but this text.
pub(super) fn pattern(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        if c.is_ascii_alphanumeric() {
            out.push(c);
        } else if c.is_ascii_graphic() {
            out.push('\\');
            out.push(c);
        } else {
            let _ = write!(out, "\\x{{{:x}}}", c as u32);
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Reads a string as Hurl does; `None` where it would end early or begin a template.
    fn read(text: &str, special: &[char]) -> Option<String> {
        let mut out = String::new();
        let mut chars = text.chars().peekable();
        while let Some(c) = chars.next() {
            match c {
                c if special.contains(&c) || (c.is_control()) => return None,
                '{' if matches!(chars.peek(), None | Some('{')) => return None,
                '\\' => match chars.next()? {
                    'n' => out.push('\n'),
                    'r' => out.push('\r'),
                    't' => out.push('\t'),
                    'u' => {
                        let digits: String = chars.by_ref().take_while(|c| *c != '}').collect();
                        let code = u32::from_str_radix(digits.strip_prefix('{')?, 16).ok()?;
                        out.push(char::from_u32(code)?);
                    }
                    c @ ('"' | '\\' | '`' | '#') => out.push(c),
                    _ => return None,
                },
                c => out.push(c),
            }
        }
        Some(out)
    }

    const HOSTILE: &str = "(?s)(.|[\"'`\\\\{}#\r\n\u{202e}\u{2028} ]|\\{\\{x\\}\\}){0,30}";

    proptest! {
        #[test]
        fn every_quoted_text_reads_back_as_itself(text in HOSTILE) {
            let written = quoted(&text);
            let inner = &written[1..written.len() - 1];
            prop_assert_eq!(read(inner, &['"']), Some(text));
        }

        #[test]
        fn every_text_on_a_line_reads_back_as_itself(text in HOSTILE) {
            let written = unquoted(&text);
            prop_assert_eq!(written.trim(), written.as_str());
            prop_assert_eq!(read(&written, &['#', ' ']), Some(text));
        }

        #[test]
        fn every_piece_on_a_line_reads_back_as_itself(text in HOSTILE) {
            let written = line(&[Piece::Fixed(text.clone())], &Scope::default());
            prop_assert_eq!(written.trim_matches(' '), written.as_str());
            prop_assert_eq!(read(&written, &['#']), Some(text));
        }

        #[test]
        fn every_text_in_json_reads_back_as_itself(text in HOSTILE) {
            let written = json_inner(&text);
            let opens = written.contains("{{") || written.ends_with('{');
            prop_assert!(!opens);
            let read: Result<String, _> = serde_json::from_str(&format!("\"{written}\""));
            prop_assert_eq!(read.ok(), Some(text));
        }

        #[test]
        fn a_pattern_ends_where_it_should(text in HOSTILE) {
            let rest = pattern(&text).replace("\\\\", "").replace("\\/", "");
            prop_assert!(!rest.contains('/') && !rest.contains(char::is_control));
        }
    }

    #[test]
    fn paths_show_names_and_places() {
        let keys = [
            Key::Name("a".into()),
            Key::Index(0),
            Key::Name("it's \\".into()),
        ];
        let scope = Scope::default();
        let path = |keys: &[Key]| quoted_pieces(&json_path(keys, &scope), &scope);
        assert_eq!(path(&keys), r#""$.a[0]['it\\'s \\\\']""#);
        let item = Key::Item(fossick_suite::Item {
            at: vec!["node".into(), "a b".into()],
            is: "lot".into(),
        });
        let keys = [Key::Name("lots".into()), item, Key::Name("n".into())];
        assert_eq!(path(&keys), r#""$.lots[?@.node['a b'] == '{{lot}}'].n""#);
        assert_eq!(of_pointer("/items/0/a~1b"), "\"$.items[0]['a/b']\"");
        assert_eq!(of_pointer(""), "\"$\"");
    }

    #[test]
    fn numbers_have_no_exponents() {
        let float = |float: f64| number(&Number::from_f64(float).expect("finite"));
        assert_eq!(float(1e-7), "0.0000001");
        assert_eq!(float(1e3), "1000.0");
        assert_eq!(number(&u64::MAX.into()), u64::MAX.to_string());
    }
}
