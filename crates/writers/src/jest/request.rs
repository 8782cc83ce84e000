//! A request of a test: one call on the client of its user.

use std::collections::BTreeSet;

use fossick_suite::{Body, Piece, Request};

use super::literal::{object, string, template, text};
use super::users::Users;
use crate::layout::{Doc, Kind};
use crate::scope::Scope;

pub(super) fn request(request: &Request, users: &Users, scope: &Scope) -> Doc {
    let method = request.method.as_str().to_ascii_lowercase();
    let open = format!("{}.{method}", users.name(request.user));
    Doc::call(open, arguments(request, scope))
}

pub(super) fn arguments(request: &Request, scope: &Scope) -> Vec<Doc> {
    let mut options = Vec::new();
    options.extend(variables(&request.path, scope));
    options.extend(headers(&request.headers, scope));
    options.extend(body(&request.body, scope));
    let mut arguments = vec![Doc::text(path(&request.path, scope))];
    if !options.is_empty() {
        arguments.push(object(options.into_iter()));
    }
    arguments
}

/// The path with its variables in braces, as API documents write it; braces that mean themselves
/// are doubled.
fn path(pieces: &[Piece], scope: &Scope) -> String {
    let template: String = pieces
        .iter()
        .map(|piece| match piece {
            Piece::Fixed(text) => text.replace('{', "{{").replace('}', "}}"),
            Piece::Variable(variable) => format!("{{{}}}", scope.get(variable).name),
        })
        .collect();
    string(&template)
}

fn variables(pieces: &[Piece], scope: &Scope) -> Option<(&'static str, Doc)> {
    let mut seen = BTreeSet::new();
    let names: Vec<String> = pieces
        .iter()
        .filter_map(|piece| match piece {
            Piece::Fixed(_) => None,
            Piece::Variable(variable) => Some(scope.get(variable).name),
        })
        .filter(|name| seen.insert(name.clone()))
        .collect();
    let fields = names.iter().map(|name| (name.as_str(), Doc::text(name)));
    (!names.is_empty()).then(|| ("path", object(fields)))
}

fn headers(headers: &[(String, Vec<Piece>)], scope: &Scope) -> Option<(&'static str, Doc)> {
    if headers.is_empty() {
        return None;
    }
    let names: BTreeSet<String> = headers
        .iter()
        .map(|(name, _)| name.to_ascii_lowercase())
        .collect();
    let doc = if names.len() == headers.len() {
        object(
            headers
                .iter()
                .map(|(name, pieces)| (name.as_str(), text(pieces, scope))),
        )
    } else {
        let pair = |(name, pieces): &(String, Vec<Piece>)| {
            let items = vec![Doc::text(string(name)), text(pieces, scope)];
            Doc::list("[", items, "]", Kind::Array)
        };
        Doc::list("[", headers.iter().map(pair).collect(), "]", Kind::Array)
    };
    Some(("headers", doc))
}

fn body(body: &Body, scope: &Scope) -> Vec<(&'static str, Doc)> {
    let (content, media_type) = match body {
        Body::None => return Vec::new(),
        Body::Json { media_type, value } => (("json", template(value, scope)), media_type),
        Body::Text {
            media_type,
            text: pieces,
        } => (("text", text(pieces, scope)), media_type),
        Body::Bytes { media_type, bytes } => (("bytes", buffer(bytes)), media_type),
    };
    if matches!(body, Body::Json { .. }) && media_type == "application/json" {
        return vec![content];
    }
    vec![content, ("mediaType", Doc::text(string(media_type)))]
}

fn buffer(bytes: &[u8]) -> Doc {
    let arguments = vec![
        Doc::text(string(&crate::hex::text(bytes))),
        Doc::text("\"hex\""),
    ];
    Doc::call("Buffer.from", arguments)
}
