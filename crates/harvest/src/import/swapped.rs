//! Variables as AutoGraphQL wrote them: a Python dictionary's text, every `'` turned to `"`.
//!
//! That is JSON until a text has an apostrophe in it, or a value is `True`. What was meant can
//! mostly be told: a quote ends a text only where something of the structure follows it. Where a
//! text has lone quotes inside, they are taken for apostrophes, unless escaped ones stand beside
//! them: then Python had both to write, and escaped the apostrophes.

use serde_json::{Map, Number, Value};

/// What the text meant, if anything can be made of it.
pub(super) fn read(text: &str) -> Option<Value> {
    let mut reader = Reader {
        rest: text.trim(),
        depth: 0,
    };
    let value = reader.value()?;
    reader.rest.trim().is_empty().then_some(value)
}

/// As deep as the real parser goes.
const DEEPEST: u32 = 100;

struct Reader<'a> {
    rest: &'a str,
    depth: u32,
}

impl Reader<'_> {
    fn value(&mut self) -> Option<Value> {
        self.space();
        match self.rest.chars().next()? {
            '{' => self.nested(Self::object),
            '[' => self.nested(Self::list),
            '"' | '\'' => self.text(Follows::Value).map(Value::String),
            _ => self.word(),
        }
    }

    fn nested(&mut self, read: fn(&mut Self) -> Option<Value>) -> Option<Value> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return None;
        }
        self.skip(1);
        let value = read(self);
        self.depth -= 1;
        value
    }

    fn object(&mut self) -> Option<Value> {
        let mut object = Map::new();
        loop {
            if self.took('}') {
                return Some(Value::Object(object));
            }
            let key = self.text(Follows::Key)?;
            if !self.took(':') {
                return None;
            }
            object.insert(key, self.value()?);
            if !self.took(',') && !self.is_next('}') {
                return None;
            }
        }
    }

    fn list(&mut self) -> Option<Value> {
        let mut list = Vec::new();
        loop {
            if self.took(']') {
                return Some(Value::Array(list));
            }
            list.push(self.value()?);
            if !self.took(',') && !self.is_next(']') {
                return None;
            }
        }
    }

    fn word(&mut self) -> Option<Value> {
        let end = self
            .rest
            .find([',', '}', ']', ' ', '\n'])
            .unwrap_or(self.rest.len());
        let word = self.rest.get(..end)?;
        let value = match word {
            "True" | "true" => Value::Bool(true),
            "False" | "false" => Value::Bool(false),
            "None" | "null" => Value::Null,
            number => Value::Number(number.parse::<Number>().ok()?),
        };
        self.skip(end);
        Some(value)
    }

    /// A text, up to the first quote that something fitting follows.
    fn text(&mut self, follows: Follows) -> Option<String> {
        self.space();
        let quote = self
            .rest
            .chars()
            .next()
            .filter(|c| *c == '"' || *c == '\'')?;
        let inside = self.rest.get(1..)?;
        let mut from = 0;
        loop {
            let at = from + next_quote(inside.get(from..)?, quote)?;
            let behind = inside.get(at + 1..)?;
            if follows.fits(behind) {
                let text = meant(inside.get(..at)?, quote);
                self.rest = behind;
                return Some(text);
            }
            from = at + 1;
        }
    }

    fn took(&mut self, wanted: char) -> bool {
        let there = self.is_next(wanted);
        if there {
            self.skip(wanted.len_utf8());
        }
        there
    }

    fn is_next(&mut self, wanted: char) -> bool {
        self.space();
        self.rest.starts_with(wanted)
    }

    fn space(&mut self) {
        self.rest = self.rest.trim_start();
    }

    fn skip(&mut self, bytes: usize) {
        self.rest = self.rest.get(bytes..).unwrap_or_default();
    }
}

/// Where the next quote is that no backslash stands before.
fn next_quote(text: &str, quote: char) -> Option<usize> {
    let mut escaped = false;
    for (at, c) in text.char_indices() {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            _ if c == quote => return Some(at),
            _ => {}
        }
    }
    None
}

/// What may stand behind a text.
#[derive(Clone, Copy)]
enum Follows {
    Key,
    Value,
}

impl Follows {
    fn fits(self, behind: &str) -> bool {
        let behind = behind.trim_start();
        let mut chars = behind.chars();
        match (self, chars.next()) {
            (Self::Key, Some(':')) | (Self::Value, None | Some('}' | ']')) => true,
            // Prose has commas behind quotes too, but seldom the beginning of a value behind them.
            (Self::Value, Some(',')) => begins_value(chars.as_str().trim_start()),
            _ => false,
        }
    }
}

fn begins_value(text: &str) -> bool {
    let words = ["True", "False", "None", "null", "true", "false"];
    text.starts_with(['"', '\'', '{', '[', '-', ']', '}'])
        || text.starts_with(|c: char| c.is_ascii_digit())
        || words.iter().any(|word| text.starts_with(word))
}

/// The text between the quotes, as it was before quotes were turned.
fn meant(inside: &str, quote: char) -> String {
    let escaped_quote = format!("\\{quote}");
    let lone = if inside.contains(&escaped_quote) {
        '"'
    } else {
        '\''
    };
    let mut written = String::with_capacity(inside.len());
    let mut chars = inside.chars();
    while let Some(c) = chars.next() {
        match c {
            '\\' => escape(&mut chars, &mut written),
            _ if c == quote => written.push(lone),
            _ => written.push(c),
        }
    }
    written
}

/// Python's escapes and JSON's.
fn escape(chars: &mut std::str::Chars<'_>, written: &mut String) {
    let Some(kind) = chars.next() else { return };
    let digits = match kind {
        'x' => 2,
        'u' => 4,
        'U' => 8,
        _ => 0,
    };
    if digits > 0 {
        let code: String = chars.by_ref().take(digits).collect();
        let code = u32::from_str_radix(&code, 16).ok().and_then(char::from_u32);
        written.push(code.unwrap_or(char::REPLACEMENT_CHARACTER));
        return;
    }
    written.push(match kind {
        'n' => '\n',
        'r' => '\r',
        't' => '\t',
        '"' => '\'',
        other => other,
    });
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    #[test]
    fn a_dictionary_with_turned_quotes_is_read_as_it_was() {
        let text = r#"{"id": "UHJvZHVjdDox", "on": True, "off": False, "none": null, "n": [1, -2.5], "o": {}}"#;
        let wanted = json!({"id": "UHJvZHVjdDox", "on": true, "off": false, "none": null, "n": [1, -2.5], "o": {}});
        assert_eq!(read(text), Some(wanted));
    }

    #[test]
    fn apostrophes_come_back() {
        assert_eq!(
            read(r#"{"name": "O"Neill"s, Dublin", "last": "it"s"}"#),
            Some(json!({"name": "O'Neill's, Dublin", "last": "it's"}))
        );
        assert_eq!(
            read(r#"{"say": "it\"s "so"\n"}"#),
            Some(json!({"say": "it's \"so\"\n"}))
        );
    }

    #[test]
    fn a_dictionary_as_python_writes_it_is_read_too() {
        assert_eq!(
            read("{'a': None, 'b': ['x', 'é\\xe9']}"),
            Some(json!({"a": null, "b": ["x", "éé"]}))
        );
    }

    #[test]
    fn what_means_nothing_is_refused() {
        for text in [
            "",
            "{",
            "{\"a\"}",
            "{\"a\": }",
            "[1 2]",
            "{\"a\": \"b\" c}",
            "nonsense",
        ] {
            assert_eq!(read(text), None, "{text}");
        }
        assert_eq!(read(&"[".repeat(100_000)), None);
    }

    proptest! {
        #[test]
        fn any_text_is_survived(text in "[\\[\\]{}:,\"'\\\\ a1é]{0,60}") {
            let _ = read(&text);
        }

        #[test]
        fn ordinary_texts_come_through_the_turning_of_quotes(values in prop::collection::vec("[a-zA-Z0-9 =]{0,12}", 0..6)) {
            let wanted = json!({"list": values});
            let turned = wanted.to_string().replace('"', "'").replace('\'', "\"");
            prop_assert_eq!(read(&turned), Some(wanted));
        }
    }
}
