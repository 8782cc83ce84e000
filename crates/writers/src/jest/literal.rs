//! Values as JavaScript writes them, with the quotes that prettier prefers.
//!
//! Text never stands in a template literal: there would be one more thing in it to escape.

use fossick_suite::{Piece, Template};
use serde_json::{Number, Value};

use crate::layout::{Doc, Kind};
use crate::letters::is_plain;
use crate::scope::Scope;

/// The largest integer that a number of JavaScript holds exactly.
const SAFE: u64 = (1 << 53) - 1;

pub(crate) fn string(text: &str) -> String {
    let doubles = text.matches('"').count();
    let quote = if doubles > text.matches('\'').count() {
        '\''
    } else {
        '"'
    };
    let mut literal = String::from(quote);
    for letter in text.chars() {
        push(&mut literal, letter, quote);
    }
    literal.push(quote);
    literal
}

fn push(literal: &mut String, letter: char, quote: char) {
    match letter {
        '\n' => literal.push_str("\\n"),
        '\r' => literal.push_str("\\r"),
        '\t' => literal.push_str("\\t"),
        '\\' => literal.push_str("\\\\"),
        _ if letter == quote => literal.extend(['\\', quote]),
        _ if is_plain(letter) => literal.push(letter),
        _ => {
            let mut units = [0; 2];
            let units = letter.encode_utf16(&mut units);
            literal.extend(units.iter().map(|unit| format!("\\u{unit:04x}")));
        }
    }
}

/// A key of an object literal.
pub(super) fn key(name: &str) -> String {
    let mut letters = name.chars();
    let is_start = |letter: char| letter.is_ascii_alphabetic() || matches!(letter, '_' | '$');
    let is_name = letters.next().is_some_and(is_start)
        && letters.all(|letter| is_start(letter) || letter.is_ascii_digit());
    match name {
        // Anything but a computed key would set the prototype.
        "__proto__" => "[\"__proto__\"]".to_owned(),
        _ if is_name => name.to_owned(),
        _ => string(name),
    }
}

fn number(number: &Number) -> String {
    let is_safe = number
        .as_f64()
        .is_some_and(|value| value.abs() <= SAFE as f64);
    let text = number.to_string().replace("e+", "e");
    if number.is_f64() || is_safe {
        text
    } else {
        format!("{text}n")
    }
}

/// Text with variables in it.
pub(super) fn text(pieces: &[Piece], scope: &Scope) -> Doc {
    let has_variable = pieces
        .iter()
        .any(|piece| matches!(piece, Piece::Variable(_)));
    if !has_variable {
        let fixed: String = pieces.iter().map(fixed).collect();
        return Doc::text(string(&fixed));
    }
    let mut parts: Vec<Doc> = pieces
        .iter()
        .map(|piece| match piece {
            Piece::Fixed(text) => Doc::text(string(text)),
            Piece::Variable(variable) => Doc::text(as_text(variable, scope)),
        })
        .collect();
    match parts.len() {
        1 => parts.remove(0),
        _ => Doc::list("[", parts, "].join(\"\")", Kind::Call),
    }
}

fn fixed(piece: &Piece) -> &str {
    match piece {
        Piece::Fixed(text) => text,
        Piece::Variable(_) => "",
    }
}

fn as_text(variable: &str, scope: &Scope) -> String {
    let variable = scope.get(variable);
    if variable.is_text {
        variable.name
    } else {
        format!("asText({})", variable.name)
    }
}

pub(crate) fn value(value: &Value) -> Doc {
    match value {
        Value::Null | Value::Bool(_) => Doc::text(value.to_string()),
        Value::Number(number) => Doc::text(self::number(number)),
        Value::String(text) => Doc::text(string(text)),
        Value::Array(items) => {
            let kind = if items.len() > 1 && items.iter().all(Value::is_number) {
                Kind::Numbers
            } else {
                Kind::Array
            };
            Doc::list("[", items.iter().map(self::value).collect(), "]", kind)
        }
        Value::Object(fields) => object(
            fields
                .iter()
                .map(|(key, field)| (key.as_str(), self::value(field))),
        ),
    }
}

pub(super) fn template(template: &Template, scope: &Scope) -> Doc {
    match template {
        Template::Value(fixed) => value(fixed),
        Template::Text(pieces) => text(pieces, scope),
        Template::Variable(variable) => Doc::text(scope.get(variable).name),
        Template::List(items) => {
            let items = items.iter().map(|item| self::template(item, scope));
            Doc::list("[", items.collect(), "]", Kind::Array)
        }
        Template::Object(fields) => object(
            fields
                .iter()
                .map(|(key, field)| (key.as_str(), self::template(field, scope))),
        ),
    }
}

pub(super) fn object<'a>(fields: impl Iterator<Item = (&'a str, Doc)>) -> Doc {
    let pair = |(name, field): (&str, Doc)| match field {
        Doc::Text(variable) if variable == name => Doc::Text(variable),
        field => Doc::pair(format!("{}: ", key(name)), field),
    };
    Doc::list("{", fields.map(pair).collect(), "}", Kind::Object)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::super::STYLE;
    use super::*;

    /// JSON's reader knows our escapes, once the quotes are JSON's.
    fn read(literal: &str) -> Option<String> {
        let inside = literal.get(1..literal.len() - 1)?;
        let json = match literal.chars().next()? {
            '"' => literal.to_owned(),
            _ => format!("\"{}\"", inside.replace("\\'", "'").replace('"', "\\\"")),
        };
        serde_json::from_str(&json).ok()
    }

    #[test]
    fn the_quotes_are_those_that_need_fewer_escapes() {
        assert_eq!(string("it's"), "\"it's\"");
        assert_eq!(string("a \"b\""), "'a \"b\"'");
    }

    #[test]
    fn no_key_sets_the_prototype() {
        let doc = value(&json!({"__proto__": {}, "a-b": 1, "c": 2}));
        assert_eq!(
            STYLE.flat(&doc),
            "{ [\"__proto__\"]: {}, \"a-b\": 1, c: 2 }"
        );
    }

    #[test]
    fn integers_that_a_double_cannot_hold_stay_exact() {
        assert_eq!(
            STYLE.flat(&value(&json!(9_007_199_254_740_993_u64))),
            "9007199254740993n"
        );
        assert_eq!(STYLE.flat(&value(&json!(-5))), "-5");
        assert_eq!(STYLE.flat(&value(&json!(1e300))), "1e300");
    }

    #[test]
    fn a_field_named_as_its_variable_is_written_once() {
        let doc = object([("name", Doc::text("name")), ("x", Doc::text("y"))].into_iter());
        assert_eq!(STYLE.flat(&doc), "{ name, x: y }");
    }

    proptest! {
        #[test]
        fn every_text_comes_back_out_of_its_literal(text in "(?s).{0,40}|[\"'`\\\\$\\{}\\n\\r\u{2028}ntxu0]{0,20}") {
            let literal = string(&text);
            prop_assert!(literal.chars().all(is_plain));
            prop_assert_eq!(read(&literal), Some(text));
            let quote = literal.chars().next().expect("a quote");
            let inside = &literal[1..literal.len() - 1];
            let bare = inside.replace("\\\\", "").replace(&format!("\\{quote}"), "");
            prop_assert!(!bare.contains(quote));
        }
    }
}
