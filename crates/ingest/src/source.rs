//! Turns text into a JSON tree, or says why it can't.
//!
//! JSON is tried first where the text looks like it. For YAML there are two readers: the first
//! keeps `Y`, `ON` and `0123` as the author wrote them; the second takes what the first refuses
//! (tabs in odd places, integers beyond 64 bits). Does not know what an API is; see `looks`.

use fossick_contract::Place;
use serde::de::DeserializeSeed;
use serde_json::Value;

use crate::tree::{Budget, Grow, TOO_DEEP, TOO_MUCH};
use crate::{ReadError, Source};

pub(crate) fn parse(source: &Source) -> Result<Value, ReadError> {
    let text = without_mark(&source.text);
    if text.trim().is_empty() {
        return Err(ReadError::Empty {
            name: source.name.clone(),
        });
    }
    if let Some(at) = text.find('\0') {
        return Err(nul(source, text, at));
    }
    let value = if text.trim_start().starts_with(['{', '[']) {
        from_json(source, text)
    } else {
        from_yaml(text).map_err(|problem| problem.into_error(source))
    }?;
    match value {
        Value::Null => Err(ReadError::Empty {
            name: source.name.clone(),
        }),
        value => Ok(value),
    }
}

/// Editors on Windows begin a file with a byte order mark.
pub(crate) fn without_mark(text: &str) -> &str {
    text.strip_prefix('\u{feff}').unwrap_or(text)
}

fn nul(source: &Source, text: &str, at: usize) -> ReadError {
    let before = text.get(..at).unwrap_or("");
    let line = before.matches('\n').count() + 1;
    let column = before.chars().rev().take_while(|c| *c != '\n').count() + 1;
    ReadError::Unreadable {
        name: source.name.clone(),
        message: "it holds NUL characters: a binary file, or text in UTF-16".to_owned(),
        place: Some(place(source, line, column)),
    }
}

fn place(source: &Source, line: usize, column: usize) -> Place {
    Place {
        file: source.name.clone(),
        line,
        column,
    }
}

fn from_json(source: &Source, text: &str) -> Result<Value, ReadError> {
    let problem = match serde_json::from_str(text) {
        Ok(value) => return Ok(value),
        Err(problem) => problem,
    };
    // serde_json names this limit in no other way than by its message.
    if problem.to_string().starts_with("recursion limit") {
        return Err(ReadError::TooBig {
            name: source.name.clone(),
            message: TOO_DEEP,
        });
    }
    // Trailing commas, comments and single quotes are YAML; if it is neither, the author meant
    // JSON, so it is JSON's complaint that helps.
    from_yaml(text).map_err(|other| match other {
        Problem::Limit(message) => ReadError::TooBig {
            name: source.name.clone(),
            message,
        },
        Problem::Syntax { .. } => ReadError::Unreadable {
            name: source.name.clone(),
            message: without_position(&problem.to_string()),
            place: Some(place(source, problem.line(), problem.column().max(1))),
        },
    })
}

/// Drops the " at line 3 column 5" that a parser appends: the place says it.
fn without_position(message: &str) -> String {
    let cut = message.rfind(" at line ").unwrap_or(message.len());
    message.get(..cut).unwrap_or(message).to_owned()
}

enum Problem {
    Limit(&'static str),
    Syntax {
        message: String,
        position: Option<(usize, usize)>,
    },
}

impl Problem {
    fn new(message: String, position: Option<(usize, usize)>) -> Self {
        if message.contains(TOO_MUCH) || message.contains("repetition limit") {
            return Self::Limit(TOO_MUCH);
        }
        if message.contains(TOO_DEEP) || message.contains("recursion limit") {
            return Self::Limit(TOO_DEEP);
        }
        Self::Syntax { message, position }
    }

    fn into_error(self, source: &Source) -> ReadError {
        let name = source.name.clone();
        match self {
            Self::Limit(message) => ReadError::TooBig { name, message },
            Self::Syntax { message, position } => ReadError::Unreadable {
                name,
                message,
                place: position.map(|(line, column)| place(source, line, column)),
            },
        }
    }
}

fn from_yaml(text: &str) -> Result<Value, Problem> {
    match first_reader(text) {
        Err(problem @ Problem::Syntax { .. }) => second_reader(text).map_err(|other| match other {
            limit @ Problem::Limit(_) => limit,
            Problem::Syntax { .. } => problem,
        }),
        done => done,
    }
}

fn first_reader(text: &str) -> Result<Value, Problem> {
    let budget = Budget::for_text(text);
    let Some(document) = yaml_serde::Deserializer::from_str(text).next() else {
        return Ok(Value::Null);
    };
    Grow::new(&budget).deserialize(document).map_err(|error| {
        let position = error.location().map(|at| (at.line(), at.column()));
        Problem::new(without_position(&error.to_string()), position)
    })
}

fn second_reader(text: &str) -> Result<Value, Problem> {
    let budget = Budget::for_text(text);
    let options = serde_saphyr::options! {
        strict_booleans: true,
        budget: None,
        duplicate_keys: serde_saphyr::DuplicateKeyPolicy::LastWins,
        with_snippet: false,
    };
    serde_saphyr::with_deserializer_from_str_with_options(text, options, |deserializer| {
        Grow::new(&budget).deserialize(deserializer)
    })
    .map_err(|error| {
        let position = error
            .location()
            .map(|at| (at.line() as usize, at.column() as usize));
        Problem::new(without_position(&error.to_string()), position)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn parse_text(text: &str) -> Result<Value, ReadError> {
        parse(&Source {
            name: "x.yaml".to_owned(),
            text: text.to_owned(),
        })
    }

    #[test]
    fn yaml_keeps_what_the_author_wrote() {
        let tree = parse_text("a: Y\nb: ON\nc: 0123\nd: no\n").expect("valid");
        assert_eq!(tree, json!({"a": "Y", "b": "ON", "c": "0123", "d": "no"}));
    }

    #[test]
    fn json_with_a_trailing_comma_is_still_read() {
        assert_eq!(parse_text("{\"a\": 1,}").expect("read"), json!({"a": 1}));
    }

    #[test]
    fn a_mark_at_the_beginning_is_ignored() {
        assert_eq!(
            parse_text("\u{feff}{\"a\": 1}").expect("read"),
            json!({"a": 1})
        );
        assert_eq!(parse_text("\u{feff}a: 1").expect("read"), json!({"a": 1}));
    }

    #[test]
    fn broken_json_is_told_with_its_position() {
        let error = parse_text("{\n  \"a\": 1,\n  \"b\" [}\n").expect_err("broken");
        let place = error.place().expect("has a place");
        assert_eq!((place.line, place.file.as_str()), (3, "x.yaml"));
    }

    #[test]
    fn broken_yaml_is_told_with_its_position() {
        let error = parse_text("a: b\n  c: [1\n").expect_err("broken");
        assert!(error.place().is_some(), "{error}");
    }

    #[test]
    fn nothing_is_empty() {
        for text in ["", "  \n\t\n", "# only a comment\n", "---\n", "\u{feff}"] {
            let error = parse_text(text).expect_err("empty");
            assert!(
                matches!(error, ReadError::Empty { .. }),
                "{text:?}: {error}"
            );
        }
    }

    #[test]
    fn nul_characters_are_told() {
        let error = parse_text("open\0api: 3").expect_err("refused");
        assert_eq!(error.place().map(|p| (p.line, p.column)), Some((1, 5)));
    }

    #[test]
    fn endless_nesting_is_refused_quickly() {
        for open in ["[", "{\"a\":", "- ", "? "] {
            let error = parse_text(&open.repeat(20_000)).expect_err("refused");
            assert!(!error.to_string().is_empty());
        }
    }

    #[test]
    fn integers_beyond_64_bits_are_read() {
        let tree = parse_text("a: 340282366920938463463374607431768211456\n").expect("read");
        assert!(tree["a"].is_number() || tree["a"].is_string());
    }
}
