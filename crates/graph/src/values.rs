//! Which answer a value came from: the surest sign that two operations belong together is that
//! one gave what the other took, whatever the two call it.

use std::collections::HashMap;

use fossick_contract::OperationIndex;
use serde_json::Value;

use crate::words::Words;

/// Where values that look like identifiers were first seen.
#[derive(Debug, Default)]
pub(crate) struct Origins {
    by_text: HashMap<String, (OperationIndex, String)>,
}

const MOST_VALUES: usize = 4096;
const MOST_PER_ANSWER: usize = 30;
const DEPTH: usize = 4;
/// `data`, the root field, a payload and a connection stand around everything in GraphQL.
const DATA_DEPTH: usize = 8;

impl Origins {
    /// Remembers the telling values of an answer, each with its place.
    pub(crate) fn note(&mut self, maker: OperationIndex, body: &Value) {
        let mut left = MOST_PER_ANSWER;
        self.walk(maker, body, &mut String::new(), DEPTH, &mut left);
    }

    /// The same for a GraphQL answer, of which only `data` tells.
    pub(crate) fn note_data(&mut self, maker: OperationIndex, body: &Value) {
        let Some(data) = body.get("data") else {
            return;
        };
        let mut left = MOST_PER_ANSWER;
        let mut pointer = "/data".to_owned();
        self.walk(maker, data, &mut pointer, DATA_DEPTH, &mut left);
    }

    /// The answer and place that a value came from.
    pub(crate) fn of(&self, value: &Value) -> Option<&(OperationIndex, String)> {
        self.by_text.get(&telling(value)?)
    }

    fn walk(
        &mut self,
        maker: OperationIndex,
        value: &Value,
        pointer: &mut String,
        depth: usize,
        left: &mut usize,
    ) {
        if depth == 0 || *left == 0 || self.by_text.len() >= MOST_VALUES {
            return;
        }
        let length = pointer.len();
        match value {
            Value::Object(map) => {
                // The name of a type is the same in every answer.
                for (key, inner) in map.iter().filter(|(key, _)| *key != "__typename") {
                    pointer.push('/');
                    pointer.push_str(&fossick_contract::escape_token(key));
                    self.walk(maker, inner, pointer, depth - 1, left);
                    pointer.truncate(length);
                }
            }
            Value::Array(items) => {
                if let Some(first) = items.first() {
                    pointer.push_str("/0");
                    self.walk(maker, first, pointer, depth - 1, left);
                    pointer.truncate(length);
                }
            }
            scalar => {
                let text = telling(scalar).filter(|_| may_identify(scalar, pointer));
                if let Some(text) = text {
                    *left -= 1;
                    self.by_text
                        .entry(text)
                        .or_insert_with(|| (maker, pointer.clone()));
                }
            }
        }
    }
}

/// The text of a value that can hardly be a coincidence.
fn telling(value: &Value) -> Option<String> {
    match value {
        Value::String(text) if (6..=64).contains(&text.len()) && !text.contains(' ') => {
            Some(text.clone())
        }
        Value::Number(number) if number.as_u64().is_some_and(|n| n > 999) => {
            Some(number.to_string())
        }
        _ => None,
    }
}

/// Whether a number may be an identifier: those that count and measure are called otherwise, and
/// meet the identifiers of a busy service soon enough.
fn may_identify(value: &Value, pointer: &str) -> bool {
    const TOO_LARGE_TO_MEASURE: u64 = 100_000_000;
    let Some(number) = value.as_u64() else {
        return true;
    };
    let field = pointer
        .rsplit('/')
        .find(|token| token.parse::<usize>().is_err());
    let words = Words::of(field.unwrap_or_default());
    let named = words.is_identifier() || matches!(words.last(), Some("number" | "code" | "no"));
    named || number > TOO_LARGE_TO_MEASURE
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_value_is_traced_to_where_it_was_first_seen() {
        let mut origins = Origins::default();
        origins.note(
            OperationIndex(1),
            &json!({"items": [{"handle": "k7-amber"}]}),
        );
        origins.note(OperationIndex(2), &json!({"owner": "k7-amber", "n": 3}));
        let found = origins.of(&json!("k7-amber")).expect("it was seen");
        assert_eq!(found, &(OperationIndex(1), "/items/0/handle".to_owned()));
        assert!(
            origins.of(&json!(3)).is_none(),
            "a small number tells nothing"
        );
    }

    #[test]
    fn what_measures_is_no_identifier() {
        let mut origins = Origins::default();
        let ship = json!({"passengerCapacity": 1400, "shipId": 1200, "codes": [7001]});
        origins.note(OperationIndex(1), &ship);
        assert!(origins.of(&json!(1400)).is_none());
        assert!(origins.of(&json!(1200)).is_some() && origins.of(&json!(7001)).is_some());
    }
}
