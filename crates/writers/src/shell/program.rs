//! Programs of jq that make text and JSON.

use fossick_suite::{Piece, Template, jq};
use serde_json::Value;

use crate::arrange::{of_pieces, of_template};
use crate::variables::{Variables, environment};

/// Where the variables of a program come from.
pub(super) enum Names<'a> {
    Test(&'a Variables),
    /// Of a login: they are secrets, which jq takes from the environment by itself.
    Environment,
}

impl Names<'_> {
    fn get(&self, variable: &str) -> String {
        match self {
            Self::Test(variables) => format!("${}", variables.get(variable)),
            Self::Environment => format!("env.{}", environment(variable)),
        }
    }

    /// The arguments that give a program its variables.
    pub(super) fn arguments(&self, variables: &[String]) -> String {
        let Self::Test(known) = self else {
            return String::new();
        };
        let mut names: Vec<String> = variables.iter().map(|name| known.get(name)).collect();
        names.sort();
        names.dedup();
        let argument = |name: &String| format!(" --argjson {name} \"${name}\"");
        names.iter().map(argument).collect()
    }
}

/// A string with holes: `"/tools/\($tool_id | @uri)"`.
pub(super) fn text(pieces: &[Piece], names: &Names<'_>, filter: &str) -> String {
    let inside = pieces.iter().map(|piece| match piece {
        Piece::Fixed(text) => unquoted(&jq::text(text)),
        Piece::Variable(name) => format!("\\({}{filter})", names.get(name)),
    });
    format!("\"{}\"", inside.collect::<String>())
}

fn unquoted(text: &str) -> String {
    let inner = text
        .strip_prefix('"')
        .and_then(|text| text.strip_suffix('"'));
    inner.unwrap_or(text).to_owned()
}

/// JSON with holes, laid out at this depth.
pub(super) fn json(template: &Template, names: &Names<'_>, depth: usize) -> String {
    match template {
        Template::Value(value) => value_at(value, depth),
        Template::Text(pieces) => text(pieces, names, ""),
        Template::Variable(name) => names.get(name),
        Template::List(items) => {
            let items = items.iter().map(|item| json(item, names, depth + 1));
            bracketed('[', &items.collect::<Vec<_>>(), ']', depth)
        }
        Template::Object(members) => {
            let member = |(name, value): &(String, Template)| {
                format!("{}: {}", jq::text(name), json(value, names, depth + 1))
            };
            bracketed(
                '{',
                &members.iter().map(member).collect::<Vec<_>>(),
                '}',
                depth,
            )
        }
    }
}

/// A value as JSON, which is a program of jq as well.
pub(super) fn value_at(value: &Value, depth: usize) -> String {
    match value {
        Value::String(text) => jq::text(text),
        Value::Array(items) => {
            let items = items.iter().map(|item| value_at(item, depth + 1));
            bracketed('[', &items.collect::<Vec<_>>(), ']', depth)
        }
        Value::Object(members) => {
            let member = |(name, value): (&String, &Value)| {
                format!("{}: {}", jq::text(name), value_at(value, depth + 1))
            };
            bracketed(
                '{',
                &members.iter().map(member).collect::<Vec<_>>(),
                '}',
                depth,
            )
        }
        scalar => scalar.to_string(),
    }
}

/// On one line where it is short.
fn bracketed(open: char, items: &[String], close: char, depth: usize) -> String {
    let flat = format!("{open}{}{close}", items.join(", "));
    if flat.len() <= 72 && !flat.contains('\n') {
        return flat;
    }
    let line = format!("\n{}", "\t".repeat(depth + 1));
    let items = items.join(&format!(",{line}"));
    format!("{open}{line}{items}\n{}{close}", "\t".repeat(depth))
}

pub(super) fn variables_of(template: &Template) -> Vec<String> {
    let mut names = Vec::new();
    of_template(template, &mut names);
    names
}

pub(super) fn variables_in(pieces: &[Piece]) -> Vec<String> {
    let mut names = Vec::new();
    of_pieces(pieces, &mut names);
    names
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn short_things_stay_on_one_line() {
        assert_eq!(
            value_at(&json!({"a": [1, 2.5, null]}), 1),
            r#"{"a": [1, 2.5, null]}"#
        );
        let long = value_at(&json!(["x".repeat(50), "y".repeat(50)]), 1);
        assert_eq!(long.lines().count(), 4);
    }

    #[test]
    fn a_hole_can_not_be_made_by_text() {
        let pieces = [
            Piece::Fixed("\\(env)\"".into()),
            Piece::Variable("TOKEN".into()),
        ];
        assert_eq!(
            text(&pieces, &Names::Environment, " | @uri"),
            r#""\\(env)\"\(env.TOKEN | @uri)""#
        );
    }
}
