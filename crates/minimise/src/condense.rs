//! GraphQL operations on one line: in most languages a text of several is a row of `\n`.
//!
//! That is done before the tests are run: errors tell the line and column of what they are about.

use bytes::Bytes;
use fossick_trace::{Payload, Script};
use serde_json::Value;

/// The script with each operation on one line.
pub(crate) fn condensed(mut script: Script) -> Script {
    for call in script.calls.iter_mut().filter(|c| c.graphql.is_some()) {
        match &mut call.payload {
            Payload::Json { value, .. } => condense_in(value),
            Payload::Bytes { bytes, .. } => {
                // What was broken on purpose stays as it is.
                if let Ok(mut body) = serde_json::from_slice(bytes) {
                    condense_in(&mut body);
                    *bytes = Bytes::from(body.to_string());
                }
            }
            Payload::None => {}
        }
    }
    script
}

fn condense_in(body: &mut Value) {
    if let Some(Value::String(query)) = body.get_mut("query") {
        *query = on_one_line(query);
    }
}

/// Blanks and ends of lines become one blank, but in texts. Comments end with their line, so an
/// operation that has some stays as it is.
fn on_one_line(query: &str) -> String {
    if query.contains('#') || query.contains("\"\"\"") {
        return query.to_owned();
    }
    let mut line = String::with_capacity(query.len());
    let (mut in_text, mut is_escaped) = (false, false);
    for c in query.trim().chars() {
        match c {
            '"' if !is_escaped => in_text = !in_text,
            c if c.is_ascii_whitespace() && !in_text => {
                if !line.ends_with(' ') {
                    line.push(' ');
                }
                continue;
            }
            _ => {}
        }
        is_escaped = in_text && c == '\\' && !is_escaped;
        line.push(c);
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_operation_goes_on_one_line_and_texts_stay() {
        let query = "query a($t: String) {\n  a(t: \"x  \\\"  y\") {\n    id\n  }\n}\n";
        assert_eq!(
            on_one_line(query),
            "query a($t: String) { a(t: \"x  \\\"  y\") { id } }"
        );
    }

    #[test]
    fn comments_and_blocks_of_text_stay_on_their_lines() {
        for query in ["{ a # b\n}", "{ a(t: \"\"\"x\n y\"\"\") }"] {
            assert_eq!(on_one_line(query), query);
        }
    }
}
