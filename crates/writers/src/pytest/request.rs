//! A request of a test: one call on the client of its user.

use std::collections::BTreeSet;

use fossick_suite::{Body, Piece, Request};

use super::literal::{braces, bytes, string, template, text};
use super::users::Users;
use crate::layout::{Doc, Kind};
use crate::scope::Scope;

pub(super) fn request(request: &Request, users: &Users, scope: &Scope) -> Doc {
    let method = request.method.as_str().to_ascii_lowercase();
    let open = format!("{}.{method}", users.name(request.user));
    Doc::call(open, arguments(request, scope))
}

pub(super) fn arguments(request: &Request, scope: &Scope) -> Vec<Doc> {
    let mut arguments = vec![Doc::text(path(&request.path, scope))];
    arguments.extend(path_variables(&request.path, scope));
    arguments.extend(headers(&request.headers, scope));
    arguments.extend(body(&request.body, scope));
    arguments
}

/// The path with its variables in braces, as API documents write it.
fn path(pieces: &[Piece], scope: &Scope) -> String {
    let template: String = pieces
        .iter()
        .map(|piece| match piece {
            Piece::Fixed(text) => braces(text),
            Piece::Variable(variable) => format!("{{{}}}", scope.get(variable).name),
        })
        .collect();
    string(&template)
}

fn path_variables(pieces: &[Piece], scope: &Scope) -> Vec<Doc> {
    let mut seen = BTreeSet::new();
    let names = pieces.iter().filter_map(|piece| match piece {
        Piece::Fixed(_) => None,
        Piece::Variable(variable) => Some(scope.get(variable).name),
    });
    names
        .filter(|name| seen.insert(name.clone()))
        .map(|name| Doc::pair(format!("{name}="), Doc::text(name)))
        .collect()
}

fn headers(headers: &[(String, Vec<Piece>)], scope: &Scope) -> Option<Doc> {
    if headers.is_empty() {
        return None;
    }
    let names: BTreeSet<String> = headers
        .iter()
        .map(|(name, _)| name.to_ascii_lowercase())
        .collect();
    let value = |pieces: &[Piece]| Doc::text(text(pieces, scope));
    let doc = if names.len() == headers.len() {
        super::literal::dict(headers.iter().map(|(name, pieces)| (name, value(pieces))))
    } else {
        let pair = |name: &str, pieces| {
            Doc::list(
                "(",
                vec![Doc::text(string(name)), value(pieces)],
                ")",
                Kind::Array,
            )
        };
        super::literal::list(
            headers
                .iter()
                .map(|(name, pieces)| pair(name, pieces))
                .collect(),
        )
    };
    Some(Doc::pair("headers=", doc))
}

fn body(body: &Body, scope: &Scope) -> Vec<Doc> {
    let (content, media_type) = match body {
        Body::None => return Vec::new(),
        Body::Json { media_type, value } => {
            (Doc::pair("json=", template(value, scope)), media_type)
        }
        Body::Text {
            media_type,
            text: pieces,
        } => (
            Doc::pair("content=", Doc::text(text(pieces, scope))),
            media_type,
        ),
        Body::Bytes {
            media_type,
            bytes: raw,
        } => (Doc::pair("content=", Doc::text(bytes(raw))), media_type),
    };
    if matches!(body, Body::Json { .. }) && media_type == "application/json" {
        return vec![content];
    }
    vec![
        content,
        Doc::pair("media_type=", Doc::text(string(media_type))),
    ]
}
