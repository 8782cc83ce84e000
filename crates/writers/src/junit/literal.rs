//! Literals and comments of Java and Kotlin that hold any text at all.
//!
//! Java replaces `\uXXXX` before it looks for strings and comments, so a backslash is always
//! doubled in a literal and never stands before a `u` in a comment. Kotlin puts variables into
//! strings at a `$`. What can't be seen is written as an escape in both.

use serde_json::Number;

use super::Language;
use crate::wrap::{self, is_unseen};

/// One character as it stands inside of a string.
pub(super) fn escaped(c: char, language: Language) -> String {
    match c {
        '"' => "\\\"".into(),
        '\\' => "\\\\".into(),
        '\n' => "\\n".into(),
        '\r' => "\\r".into(),
        '\t' => "\\t".into(),
        '$' if language == Language::Kotlin => "\\$".into(),
        c if is_plain(c) => c.into(),
        c => by_number(c),
    }
}

fn is_plain(c: char) -> bool {
    c == ' ' || c.is_ascii_graphic() || (!c.is_ascii() && c.is_alphanumeric() && !is_unseen(c))
}

/// Both languages count in UTF-16.
fn by_number(c: char) -> String {
    let mut out = String::new();
    for unit in c.encode_utf16(&mut [0; 2]) {
        out += &format!("\\u{unit:04x}");
    }
    out
}

/// A text on one line, in quotes.
pub(super) fn quoted(text: &str, language: Language) -> String {
    let inner: String = text.chars().map(|c| escaped(c, language)).collect();
    format!("\"{inner}\"")
}

/// The lines of a comment, with the slashes, for a place that is `indent` deep.
pub(super) fn comment(text: &str, indent: usize) -> Vec<String> {
    let width = super::layout::WIDTH.saturating_sub(indent + "// ".len());
    let lines = wrap::lines(&without_escapes(text), width);
    lines.iter().map(|line| format!("// {line}")).collect()
}

/// `\u` would be read as a character, or would be an error, even in a comment.
fn without_escapes(text: &str) -> String {
    text.replace("\\u", "\\ u")
}

/// A number as a literal of the smallest kind that holds it.
pub(super) fn number(number: &Number, language: Language) -> String {
    match (number.as_i64(), number.as_u64(), number.as_f64()) {
        (Some(i64::MIN), ..) => "Long.MIN_VALUE".into(),
        (Some(whole), ..) if i32::try_from(whole).is_ok() => whole.to_string(),
        (Some(whole), ..) => format!("{whole}L"),
        (_, Some(whole), _) => big(&whole.to_string(), language),
        (.., Some(real)) => format!("{real:?}"),
        _ => big(&number.to_string(), language),
    }
}

fn big(digits: &str, language: Language) -> String {
    match language {
        Language::Java => format!("new BigInteger(\"{digits}\")"),
        Language::Kotlin => format!("BigInteger(\"{digits}\")"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// As the language specifications read a literal: in Java, escapes by number come first.
    fn read(literal: &str, language: Language) -> Option<String> {
        let text = match language {
            Language::Java => without_numbers(literal)?,
            Language::Kotlin => literal.encode_utf16().collect(),
        };
        let inner = text.strip_prefix(&[u16::from(b'"')])?;
        let inner = inner.strip_suffix(&[u16::from(b'"')])?;
        String::from_utf16(&unescaped(inner, language)?).ok()
    }

    fn four(units: &[u16]) -> Option<u16> {
        let digits = String::from_utf16(units.get(..4)?).ok()?;
        u16::from_str_radix(&digits, 16).ok()
    }

    const BACKSLASH: u16 = b'\\' as u16;

    /// The first pass of a Java compiler.
    fn without_numbers(source: &str) -> Option<Vec<u16>> {
        let source: Vec<u16> = source.encode_utf16().collect();
        let (mut out, mut at, mut run) = (Vec::new(), 0, 0);
        while let Some(&unit) = source.get(at) {
            let marked = unit == BACKSLASH && run % 2 == 0;
            if marked && source.get(at + 1) == Some(&u16::from(b'u')) {
                out.push(four(source.get(at + 2..)?)?);
                at += 6;
                continue;
            }
            run = if unit == BACKSLASH { run + 1 } else { 0 };
            out.push(unit);
            at += 1;
        }
        Some(out)
    }

    fn unescaped(inner: &[u16], language: Language) -> Option<Vec<u16>> {
        let (mut out, mut at) = (Vec::new(), 0);
        while let Some(&unit) = inner.get(at) {
            let c = char::from_u32(u32::from(unit)).unwrap_or('\u{fffd}');
            let forbidden = ['"', '\n', '\r'].contains(&c);
            if forbidden || (language == Language::Kotlin && c == '$') {
                return None;
            }
            at += 1;
            if c != '\\' {
                out.push(unit);
                continue;
            }
            let next = char::from_u32(u32::from(*inner.get(at)?))?;
            at += 1;
            out.push(match next {
                'n' => 10,
                'r' => 13,
                't' => 9,
                '"' | '\\' => next as u16,
                '$' if language == Language::Kotlin => next as u16,
                'u' if language == Language::Kotlin => {
                    at += 4;
                    four(inner.get(at - 4..)?)?
                }
                _ => return None,
            });
        }
        Some(out)
    }

    const HOSTILE: &str = "(\\\\u000a|\\\\u0022|\\\\|\\$\\{|\\$|\"|\"\"\"|[\r\n\u{0}\u{1a}\u{c}\u{85}\u{2028}\u{202e}\u{feff}\u{1f6e0}\u{301}]|u|\\PC|.){0,40}";

    proptest! {
        #[test]
        fn literals_hold_any_text(text in HOSTILE) {
            for language in [Language::Java, Language::Kotlin] {
                let literal = quoted(&text, language);
                prop_assert_eq!(read(&literal, language), Some(text.clone()), "{}", literal);
                prop_assert!(literal.chars().all(is_plain), "{}", literal);
            }
        }

        #[test]
        fn comments_stay_on_their_lines(text in HOSTILE) {
            for line in comment(&text, 4) {
                prop_assert!(line.starts_with("// "));
                prop_assert!(!line.contains("\\u") && !line.contains("*/"), "{line}");
                prop_assert!(!line.contains(is_unseen), "{line:?}");
                let read = without_numbers(&line).and_then(|units| String::from_utf16(&units).ok());
                prop_assert_eq!(read, Some(line));
            }
        }
    }

    #[test]
    fn dollars_are_letters_in_java_and_escaped_in_kotlin() {
        assert_eq!(quoted("${x}", Language::Java), "\"${x}\"");
        assert_eq!(quoted("${x}", Language::Kotlin), "\"\\${x}\"");
        assert_eq!(
            quoted("木 \u{1f6e0}", Language::Java),
            "\"木 \\ud83d\\udee0\""
        );
    }

    #[test]
    fn numbers_have_the_smallest_type_that_holds_them() {
        let written = |text: &str, language| {
            let value: Number = serde_json::from_str(text).expect("a number");
            number(&value, language)
        };
        assert_eq!(written("-1", Language::Java), "-1");
        assert_eq!(
            written("9007199254740993", Language::Java),
            "9007199254740993L"
        );
        assert_eq!(written("1e300", Language::Kotlin), "1e300");
        assert_eq!(written("2.0", Language::Kotlin), "2.0");
        let biggest = written("18446744073709551615", Language::Java);
        assert_eq!(biggest, "new BigInteger(\"18446744073709551615\")");
        let smallest = written("-9223372036854775808", Language::Kotlin);
        assert_eq!(smallest, "Long.MIN_VALUE");
    }
}
