//! The body of a request.

use std::fmt::Write as _;

use fossick_suite::{Body, Piece, Template};
use serde_json::Value;

use super::literal;
use super::scope::Scope;
use crate::page::Page;
use crate::variables::header_text;

pub(super) fn body(page: &mut Page, body: &Body, scope: &Scope) {
    let content_type = |page: &mut Page, media_type: &str| {
        let media_type = [Piece::Fixed(header_text(media_type))];
        page.line(format!(
            "Content-Type: {}",
            literal::line(&media_type, scope)
        ));
    };
    match body {
        Body::None => {}
        Body::Json { media_type, value } => {
            content_type(page, media_type);
            page.lines(json_body(value, scope).lines());
        }
        Body::Text { media_type, text } => {
            content_type(page, media_type);
            page.line(literal::backticked(text, scope));
        }
        Body::Bytes { media_type, bytes } => {
            content_type(page, media_type);
            let mut hex = String::from("hex,");
            for byte in bytes {
                let _ = write!(hex, "{byte:02x}");
            }
            page.line(hex + ";");
        }
    }
}

/// As JSON that Hurl knows for JSON, which escapes what it fills in; but it writes names without
/// their escapes, so such a body goes as text.
fn json_body(template: &Template, scope: &Scope) -> String {
    let is_json = match template {
        Template::Value(value) => value.is_array() || value.is_object(),
        Template::List(_) | Template::Object(_) => true,
        Template::Text(_) | Template::Variable(_) => false,
    };
    if is_json && !names(template).iter().any(|name| needs_escapes(name)) {
        return json(template, scope, 0);
    }
    literal::backticked(&text(template, scope), scope)
}

fn needs_escapes(name: &str) -> bool {
    name.contains(['"', '\\']) || name.contains(char::is_control)
}

fn names(template: &Template) -> Vec<String> {
    match template {
        Template::Value(value) => names_in(value),
        Template::Text(_) | Template::Variable(_) => Vec::new(),
        Template::List(items) => items.iter().flat_map(names).collect(),
        Template::Object(members) => members
            .iter()
            .flat_map(|(name, value)| std::iter::once(name.clone()).chain(names(value)))
            .collect(),
    }
}

fn names_in(value: &Value) -> Vec<String> {
    match value {
        Value::Array(items) => items.iter().flat_map(names_in).collect(),
        Value::Object(members) => members
            .iter()
            .flat_map(|(name, value)| std::iter::once(name.clone()).chain(names_in(value)))
            .collect(),
        _ => Vec::new(),
    }
}

fn json(template: &Template, scope: &Scope, depth: usize) -> String {
    match template {
        Template::Value(value) => value_at(value, depth),
        Template::Text(pieces) => {
            let part = |piece: &Piece| match piece {
                Piece::Fixed(text) => literal::json_inner(text),
                Piece::Variable(name) => format!("{{{{{}}}}}", scope.get(name)),
            };
            format!("\"{}\"", pieces.iter().map(part).collect::<String>())
        }
        Template::Variable(name) if scope.is_quoted(name) => {
            format!("\"{{{{{}}}}}\"", scope.get(name))
        }
        Template::Variable(name) => format!("{{{{{}}}}}", scope.get(name)),
        Template::List(items) => {
            let items = items.iter().map(|item| json(item, scope, depth + 1));
            bracketed('[', &items.collect::<Vec<_>>(), ']', depth)
        }
        Template::Object(members) => {
            let member = |(name, value): &(String, Template)| {
                format!(
                    "\"{}\": {}",
                    literal::json_inner(name),
                    json(value, scope, depth + 1)
                )
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

fn value_at(value: &Value, depth: usize) -> String {
    match value {
        Value::String(text) => format!("\"{}\"", literal::json_inner(text)),
        Value::Array(items) => {
            let items = items.iter().map(|item| value_at(item, depth + 1));
            bracketed('[', &items.collect::<Vec<_>>(), ']', depth)
        }
        Value::Object(members) => {
            let member = |(name, value): (&String, &Value)| {
                format!(
                    "\"{}\": {}",
                    literal::json_inner(name),
                    value_at(value, depth + 1)
                )
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

/// The outermost always in lines; what is inside on one line where it is short. A brace never
/// stands beside another.
fn bracketed(open: char, items: &[String], close: char, depth: usize) -> String {
    let flat = format!("{open}{}{close}", items.join(", "));
    if items.is_empty() || (depth > 0 && open == '[' && flat.len() <= 72 && !flat.contains('\n')) {
        return flat;
    }
    let line = format!("\n{}", "  ".repeat(depth + 1));
    let items = items.join(&format!(",{line}"));
    format!("{open}{line}{items}\n{}{close}", "  ".repeat(depth))
}

/// JSON as pieces of text.
fn text(template: &Template, scope: &Scope) -> Vec<Piece> {
    let fixed = |text: String| vec![Piece::Fixed(text)];
    match template {
        Template::Value(value) => fixed(value.to_string()),
        Template::Text(pieces) => {
            let inner = pieces.iter().map(|piece| match piece {
                Piece::Fixed(text) => Piece::Fixed(unquoted(text)),
                Piece::Variable(name) => Piece::Variable(name.clone()),
            });
            let quote = || std::iter::once(Piece::Fixed("\"".to_owned()));
            quote().chain(inner).chain(quote()).collect()
        }
        Template::Variable(name) if scope.is_quoted(name) => {
            let quote = || Piece::Fixed("\"".to_owned());
            vec![quote(), Piece::Variable(name.clone()), quote()]
        }
        Template::Variable(name) => vec![Piece::Variable(name.clone())],
        Template::List(items) => {
            let items = items.iter().map(|item| text(item, scope)).collect();
            joined("[", items, "]")
        }
        Template::Object(members) => {
            let member = |(name, value): &(String, Template)| {
                let mut pieces = fixed(format!("{}:", Value::from(name.as_str())));
                pieces.extend(text(value, scope));
                pieces
            };
            joined("{", members.iter().map(member).collect(), "}")
        }
    }
}

fn unquoted(text: &str) -> String {
    let written = Value::from(text).to_string();
    let inner = written
        .strip_prefix('"')
        .and_then(|text| text.strip_suffix('"'));
    inner.unwrap_or("").to_owned()
}

fn joined(open: &str, items: Vec<Vec<Piece>>, close: &str) -> Vec<Piece> {
    let mut pieces = vec![Piece::Fixed(open.to_owned())];
    for (at, item) in items.into_iter().enumerate() {
        if at > 0 {
            pieces.push(Piece::Fixed(",".to_owned()));
        }
        pieces.extend(item);
    }
    pieces.push(Piece::Fixed(close.to_owned()));
    pieces
}
