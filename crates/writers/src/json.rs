//! JSON files: as prettier writes them, and with nothing in them that cannot be seen.

use serde_json::Value;

use crate::layout::{Doc, JSON, Kind};
use crate::letters::is_plain;

pub(crate) fn file(value: &Value) -> String {
    JSON.statement(0, "", &doc(value), "") + "\n"
}

fn doc(value: &Value) -> Doc {
    doc_with(value, string)
}

/// The value with its texts written by another rule.
pub(crate) fn doc_with(value: &Value, string: fn(&str) -> String) -> Doc {
    let doc = |value: &Value| doc_with(value, string);
    match value {
        Value::String(text) => Doc::text(string(text)),
        Value::Array(items) => {
            let all_numbers = items.len() > 1 && items.iter().all(Value::is_number);
            let kind = if all_numbers {
                Kind::Numbers
            } else {
                Kind::Array
            };
            Doc::list("[", items.iter().map(doc).collect(), "]", kind)
        }
        Value::Object(fields) => {
            let pair = |(key, field): (&String, &Value)| {
                Doc::pair(format!("{}: ", string(key)), doc(field))
            };
            Doc::list("{", fields.iter().map(pair).collect(), "}", Kind::Object)
        }
        scalar => Doc::text(scalar.to_string()),
    }
}

/// A text of JSON in which every letter that is not plain is escaped.
pub(crate) fn string(text: &str) -> String {
    let quoted = Value::from(text).to_string();
    let mut units = [0; 2];
    let mut shown = String::with_capacity(quoted.len());
    for letter in quoted.chars() {
        if is_plain(letter) {
            shown.push(letter);
        } else {
            let units = letter.encode_utf16(&mut units);
            shown.extend(units.iter().map(|unit| format!("\\u{unit:04x}")));
        }
    }
    shown
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    #[test]
    fn lists_stay_on_a_line_and_objects_do_not() {
        let text = file(&json!({"a": [1, 2], "b": {"c": ["x"]}, "d": {}}));
        let expected =
            "{\n  \"a\": [1, 2],\n  \"b\": {\n    \"c\": [\"x\"]\n  },\n  \"d\": {}\n}\n";
        assert_eq!(text, expected);
    }

    proptest! {
        #[test]
        fn every_text_comes_back_and_all_of_it_can_be_seen(text in "(?s).{0,40}") {
            let literal = string(&text);
            prop_assert!(literal.chars().all(is_plain));
            prop_assert_eq!(serde_json::from_str::<String>(&literal).expect("JSON"), text);
        }
    }
}
