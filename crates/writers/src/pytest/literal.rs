//! Values as Python writes them, with the quotes that its formatters prefer.

use fossick_suite::{Piece, Template};
use serde_json::Value;

use crate::layout::{Doc, Kind};
use crate::letters::is_plain;
use crate::scope::Scope;

/// Double quotes, unless single ones need fewer escapes.
fn quote(text: &str) -> char {
    let doubles = text.matches('"').count();
    if doubles > text.matches('\'').count() {
        '\''
    } else {
        '"'
    }
}

pub(super) fn string(text: &str) -> String {
    let quote = quote(text);
    format!("{quote}{}{quote}", escaped(text, quote))
}

fn escaped(text: &str, quote: char) -> String {
    text.chars()
        .map(|letter| letter_of(letter, quote))
        .collect()
}

fn letter_of(letter: char, quote: char) -> String {
    match letter {
        '\\' => "\\\\".to_owned(),
        '\n' => "\\n".to_owned(),
        '\r' => "\\r".to_owned(),
        '\t' => "\\t".to_owned(),
        _ if letter == quote => format!("\\{letter}"),
        _ if is_plain(letter) => letter.to_string(),
        _ => match u32::from(letter) {
            code @ 0..=0xff => format!("\\x{code:02x}"),
            code @ 0x100..=0xffff => format!("\\u{code:04x}"),
            code => format!("\\U{code:08x}"),
        },
    }
}

pub(super) fn bytes(bytes: &[u8]) -> String {
    let text: String = bytes.iter().copied().map(char::from).collect();
    let quote = quote(&text);
    let byte = |letter: char| match letter {
        '\u{80}'..='\u{ff}' => format!("\\x{:02x}", u32::from(letter)),
        _ => letter_of(letter, quote),
    };
    format!(
        "b{quote}{}{quote}",
        text.chars().map(byte).collect::<String>()
    )
}

/// Text with variables in it: an f-string, or less where less will do.
pub(super) fn text(pieces: &[Piece], scope: &Scope) -> String {
    if let [Piece::Variable(variable)] = pieces {
        return as_text(variable, scope);
    }
    let has_variable = pieces
        .iter()
        .any(|piece| matches!(piece, Piece::Variable(_)));
    let fixed: String = pieces.iter().map(fixed).collect();
    if !has_variable {
        return string(&fixed);
    }
    let quote = quote(&fixed);
    let inside: String = pieces
        .iter()
        .map(|piece| match piece {
            Piece::Fixed(text) => braces(&escaped(text, quote)),
            Piece::Variable(variable) => format!("{{{}}}", as_text(variable, scope)),
        })
        .collect();
    format!("f{quote}{inside}{quote}")
}

fn fixed(piece: &Piece) -> &str {
    match piece {
        Piece::Fixed(text) => text,
        Piece::Variable(_) => "",
    }
}

/// Braces that mean themselves, in an f-string and in the paths that `conftest.py` fills in.
pub(super) fn braces(text: &str) -> String {
    text.replace('{', "{{").replace('}', "}}")
}

fn as_text(variable: &str, scope: &Scope) -> String {
    let variable = scope.get(variable);
    if variable.is_text {
        variable.name
    } else {
        format!("as_text({})", variable.name)
    }
}

pub(super) fn value(value: &Value) -> Doc {
    match value {
        Value::Null => Doc::text("None"),
        Value::Bool(true) => Doc::text("True"),
        Value::Bool(false) => Doc::text("False"),
        Value::Number(number) => Doc::text(number.to_string().replace("e+", "e")),
        Value::String(text) => Doc::text(string(text)),
        Value::Array(items) => list(items.iter().map(self::value).collect()),
        Value::Object(fields) => dict(fields.iter().map(|(key, field)| (key, self::value(field)))),
    }
}

pub(super) fn template(template: &Template, scope: &Scope) -> Doc {
    match template {
        Template::Value(fixed) => value(fixed),
        Template::Text(pieces) => Doc::text(text(pieces, scope)),
        Template::Variable(variable) => Doc::text(scope.get(variable).name),
        Template::List(items) => list(
            items
                .iter()
                .map(|item| self::template(item, scope))
                .collect(),
        ),
        Template::Object(fields) => dict(
            fields
                .iter()
                .map(|(key, field)| (key, self::template(field, scope))),
        ),
    }
}

pub(super) fn list(items: Vec<Doc>) -> Doc {
    Doc::list("[", items, "]", Kind::Array)
}

pub(super) fn dict<'a>(fields: impl Iterator<Item = (&'a String, Doc)>) -> Doc {
    let pairs = fields.map(|(key, field)| Doc::pair(format!("{}: ", string(key)), field));
    Doc::list("{", pairs.collect(), "}", Kind::Object)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    /// Reads a literal back by the rules of the language, and says where it ended.
    fn read(literal: &str) -> Option<(String, usize)> {
        let mut letters = literal.char_indices();
        let (_, quote) = letters.next()?;
        let mut text = String::new();
        while let Some((place, letter)) = letters.next() {
            match letter {
                _ if letter == quote => return Some((text, place + 1)),
                '\n' | '\r' => return None,
                '\\' => text.push(escape(&mut letters)?),
                _ => text.push(letter),
            }
        }
        None
    }

    fn escape(letters: &mut std::str::CharIndices<'_>) -> Option<char> {
        let digits = match letters.next()?.1 {
            'n' => return Some('\n'),
            'r' => return Some('\r'),
            't' => return Some('\t'),
            'x' => 2,
            'u' => 4,
            'U' => 8,
            same @ ('\\' | '"' | '\'') => return Some(same),
            _ => return None,
        };
        let code: String = letters.take(digits).map(|(_, digit)| digit).collect();
        char::from_u32(u32::from_str_radix(&code, 16).ok()?)
    }

    #[test]
    fn the_quotes_are_those_that_need_fewer_escapes() {
        assert_eq!(string("it's"), "\"it's\"");
        assert_eq!(string("a \"b\""), "'a \"b\"'");
        assert_eq!(string("'\""), "\"'\\\"\"");
    }

    #[test]
    fn braces_are_doubled_where_a_variable_makes_an_f_string_of_a_text() {
        let pieces = [
            Piece::Fixed("{x} ".to_owned()),
            Piece::Variable("name".to_owned()),
        ];
        assert_eq!(
            text(&pieces, &Scope::default()),
            "f\"{{x}} {missing_name}\""
        );
        assert_eq!(text(&pieces[..1], &Scope::default()), "\"{x} \"");
    }

    #[test]
    fn bytes_beyond_ascii_are_escaped() {
        assert_eq!(bytes(b"a\x00\xff'\n\\"), "b\"a\\x00\\xff'\\n\\\\\"");
    }

    #[test]
    fn json_becomes_python() {
        let style = super::super::STYLE;
        let doc = value(&json!({"a": [null, true, 1.5], "b": {}}));
        assert_eq!(style.flat(&doc), "{\"a\": [None, True, 1.5], \"b\": {}}");
    }

    proptest! {
        #[test]
        fn every_text_comes_back_out_of_its_literal(text in "(?s).{0,40}|[\"'\\\\{}\\n\\r\u{2028}ntxuU0a]{0,20}") {
            let literal = string(&text);
            prop_assert_eq!(read(&literal), Some((text, literal.len())));
            prop_assert!(literal.chars().all(is_plain));
        }

        #[test]
        fn bytes_are_written_in_ascii(raw in proptest::collection::vec(any::<u8>(), 0..40)) {
            let literal = bytes(&raw);
            prop_assert!(literal.is_ascii());
            let (text, end) = read(&literal[1..]).expect("a literal");
            prop_assert_eq!(end + 1, literal.len());
            let back: Vec<u32> = text.chars().map(u32::from).collect();
            prop_assert_eq!(back, raw.into_iter().map(u32::from).collect::<Vec<_>>());
        }

        #[test]
        fn the_fixed_part_of_an_f_string_holds_no_expression(text in "[{}a\"'\\\\!:]{0,20}") {
            let pieces = [Piece::Fixed(text.clone()), Piece::Variable("v".to_owned())];
            let literal = super::text(&pieces, &Scope::default());
            let body = literal.strip_prefix('f').expect("an f-string");
            let (inside, end) = read(body).expect("a literal");
            prop_assert_eq!(end, body.len());
            let fixed = inside.strip_suffix("{missing_v}").expect("the variable");
            prop_assert_eq!(fixed.replace("{{", "{").replace("}}", "}"), text);
        }
    }
}
