//! The variables that stand in requests.

use std::collections::BTreeSet;

use crate::{Body, Piece, Request, Template};

/// The variables of a request, each once, in the order they stand in it.
pub fn variables(request: &Request) -> Vec<String> {
    let mut names = Vec::new();
    of_pieces(&request.path, &mut names);
    for (_, value) in &request.headers {
        of_pieces(value, &mut names);
    }
    match &request.body {
        Body::Json { value, .. } => of_template(value, &mut names),
        Body::Text { text, .. } => of_pieces(text, &mut names),
        Body::None | Body::Bytes { .. } => {}
    }
    let mut seen = BTreeSet::new();
    names.retain(|name| seen.insert(name.clone()));
    names
}

pub fn of_pieces(pieces: &[Piece], names: &mut Vec<String>) {
    names.extend(pieces.iter().filter_map(|piece| match piece {
        Piece::Variable(name) => Some(name.clone()),
        Piece::Fixed(_) => None,
    }));
}

pub fn of_template(template: &Template, names: &mut Vec<String>) {
    match template {
        Template::Value(_) => {}
        Template::Text(pieces) => of_pieces(pieces, names),
        Template::Variable(name) => names.push(name.clone()),
        Template::List(items) => items.iter().for_each(|item| of_template(item, names)),
        Template::Object(members) => {
            for (_, value) in members {
                of_template(value, names);
            }
        }
    }
}
