//! Tests that count on somebody, or nobody, having made a thing.
//!
//! Asked for project 49, a service that has made 40 of them says that there is none; a week later
//! there is. Such a test is asked about a number that nobody will reach instead: if that tells as
//! much, it stands alone. Numbers in paths are moved where nothing was found, numbers of
//! identifiers in JSON wherever the call did not succeed. Where the service can't begin anew, a
//! number that happened to be somebody's is moved as well: nothing else would show it.

use fossick_graph::Words;
use fossick_trace::{Call, Episode, Exchange, Part, Payload, Script};
use serde_json::Value;

/// Nobody has so many things in a test.
const SMALL: u64 = 1_000_000;

/// As far as a signed number of 32 bits allows, about.
const FAR: u64 = 2_100_000_000;

/// A script with far numbers, by what became of it; none where it has none to move. `all` moves
/// those of calls that succeeded too.
pub(crate) fn far_away(script: &Script, episode: &Episode, all: bool) -> Option<Script> {
    let mut script = script.clone();
    let mut moved = false;
    for (call, exchange) in script.calls.iter_mut().zip(&episode.exchanges) {
        let succeeded = exchange.outcome.is_success();
        moved |= (all && succeeded || is_absent(exchange)) && move_path(call);
        moved |= (all || !succeeded) && move_payload(call);
    }
    moved.then_some(script)
}

/// A script with all its numbers far away, whatever may become of it; none where it has none.
pub(crate) fn far_away_at_once(script: &Script) -> Option<Script> {
    let mut script = script.clone();
    let mut moved = false;
    for call in &mut script.calls {
        moved |= move_path(call);
        moved |= move_payload(call);
    }
    moved.then_some(script)
}

fn is_absent(exchange: &Exchange) -> bool {
    matches!(exchange.outcome.status(), Some(404 | 410))
}

fn move_path(call: &mut Call) -> bool {
    let mut moved = false;
    for part in &mut call.target.0 {
        if let Part::Fixed(text) = part {
            let far = far_path(text);
            moved |= far != *text;
            *text = far;
        }
    }
    moved
}

fn far_path(text: &str) -> String {
    let end = text.find('?').unwrap_or(text.len());
    let (path, query) = text.split_at(end);
    let pieces: Vec<String> = path
        .split('/')
        .map(|piece| far_number(piece).unwrap_or_else(|| piece.to_owned()))
        .collect();
    pieces.join("/") + query
}

/// Nothing has the number zero, so that may stay.
fn far_number(text: &str) -> Option<String> {
    match text.parse::<u64>() {
        Ok(number @ 1..SMALL) => Some((number + FAR).to_string()),
        _ => None,
    }
}

fn move_payload(call: &mut Call) -> bool {
    match &mut call.payload {
        Payload::Json { value, .. } => move_value(value, false, 0),
        Payload::Bytes { media_type, bytes } if media_type.ends_with("json") => {
            // What was broken on purpose stays as it is.
            let Ok(mut value) = serde_json::from_slice::<Value>(bytes) else {
                return false;
            };
            let moved = move_value(&mut value, false, 0);
            if moved {
                *bytes = value.to_string().into();
            }
            moved
        }
        _ => false,
    }
}

/// Deeper nobody looks for identifiers.
const DEPTH: usize = 32;

fn move_value(value: &mut Value, is_identifier: bool, depth: usize) -> bool {
    if depth > DEPTH {
        return false;
    }
    match value {
        Value::Object(map) => map.iter_mut().fold(false, |moved, (name, value)| {
            move_value(value, Words::of(name).is_identifier(), depth + 1) | moved
        }),
        Value::Array(items) => items.iter_mut().fold(false, |moved, item| {
            move_value(item, is_identifier, depth + 1) | moved
        }),
        scalar if is_identifier => move_scalar(scalar),
        _ => false,
    }
}

fn move_scalar(value: &mut Value) -> bool {
    let far = match &*value {
        Value::Number(number) => far_number(&number.to_string())
            .and_then(|far| far.parse::<u64>().ok())
            .map(Value::from),
        Value::String(text) => far_number(text).map(Value::from),
        _ => None,
    };
    match far {
        Some(far) => {
            *value = far;
            true
        }
        None => false,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn small_numbers_of_a_path_move_far_away_and_nothing_else_does() {
        assert_eq!(
            far_path("/projects/49/tasks?page=3"),
            "/projects/2100000049/tasks?page=3"
        );
        for same in [
            "/projects/0",
            "/v1/projects/-7?limit=5",
            "/projects/1999999999",
        ] {
            assert_eq!(far_path(same), same);
        }
    }

    #[test]
    fn identifiers_in_json_move_far_away_and_counts_stay() {
        let mut value = json!({"book": {"pages": 92, "authorId": 43, "id": "7"}, "tagIds": [1, 2]});
        assert!(move_value(&mut value, false, 0));
        assert_eq!(
            value,
            json!({"book": {"pages": 92, "authorId": 2_100_000_043_u64, "id": "2100000007"},
                "tagIds": [2_100_000_001_u64, 2_100_000_002_u64]})
        );
        assert!(!move_value(&mut json!({"pages": 92}), false, 0));
    }
}
