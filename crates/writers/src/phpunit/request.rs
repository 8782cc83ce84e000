//! One request.

use fossick_suite::{Body, Piece, Request, Template};
use fossick_trace::Take;

use super::literal::Filter;
use super::{WIDTH, literal};
use crate::page::Page;
use crate::variables::{Variables, header, header_text};

pub(super) fn request(page: &mut Page, request: &Request, sender: &str, names: &Variables) {
    let depth = page.indent(4) / 4;
    let path = literal::joined(&request.path, Some(names), Filter::Segment);
    let mut arguments = vec![format!("'{}'", request.method.as_str()), path];
    let mut headers = headers(request, names);
    let as_data = match &request.body {
        Body::Json {
            value: Template::Value(value),
            ..
        } => !literal::is_too_large(value),
        body => matches!(body, Body::Json { .. }),
    };
    headers.extend(content_type(&request.body, as_data && headers.is_empty()));
    let function = if as_data { "sendJson" } else { "send" };
    let body = body(&request.body, names, as_data, depth);
    let headers = (!headers.is_empty()).then(|| literal::bracketed(&headers, depth));
    if as_data {
        arguments.extend(body);
        arguments.extend(headers);
    } else {
        let needed = body.is_some().then(|| "[]".to_owned());
        arguments.extend(headers.or(needed));
        arguments.extend(body);
    }
    sent(
        page,
        &format!("$answer = ${sender}->{function}("),
        &arguments,
    );
}

/// The last argument may be an array that begins on the line of the call.
fn sent(page: &mut Page, head: &str, arguments: &[String]) {
    let flat = format!("{head}{});", arguments.join(", "));
    let first = flat.lines().next().unwrap_or("").chars().count();
    let only_last_is_long = arguments.split_last().is_some_and(|(last, before)| {
        (last.starts_with('[') || !last.contains('\n'))
            && before.iter().all(|argument| !argument.contains('\n'))
    });
    if only_last_is_long && page.indent(4) + first <= WIDTH {
        page.line(flat);
        return;
    }
    page.open(head);
    for (at, argument) in arguments.iter().enumerate() {
        let comma = if at + 1 < arguments.len() { "," } else { "" };
        page.line(format!("{}{comma}", argument.replace('\n', "\n    ")));
    }
    page.close(");");
}

fn headers(request: &Request, names: &Variables) -> Vec<String> {
    let header = |(name, value): &(String, Vec<Piece>)| {
        let value: Vec<Piece> = value.iter().map(plain).collect();
        let value = literal::joined(&value, Some(names), Filter::Text);
        format!("{} => {value}", literal::string(&header(name)))
    };
    request.headers.iter().map(header).collect()
}

fn plain(piece: &Piece) -> Piece {
    match piece {
        Piece::Fixed(text) => Piece::Fixed(header_text(text)),
        Piece::Variable(name) => Piece::Variable(name.clone()),
    }
}

/// What is sent as JSON by default need not be said.
fn content_type(body: &Body, is_default: bool) -> Option<String> {
    let media_type = match body {
        Body::None => return None,
        Body::Json { media_type, .. }
        | Body::Text { media_type, .. }
        | Body::Bytes { media_type, .. } => media_type,
    };
    if is_default && media_type == "application/json" {
        return None;
    }
    let media_type = literal::string(&header_text(media_type));
    Some(format!("'Content-Type' => {media_type}"))
}

fn body(body: &Body, names: &Variables, as_data: bool, depth: usize) -> Option<String> {
    match body {
        Body::None => None,
        Body::Json { value, .. } if as_data => Some(literal::json(value, Some(names), depth)),
        Body::Json { value, .. } => match value {
            Template::Value(value) => Some(literal::string(&value.to_string())),
            _ => None,
        },
        Body::Text { text, .. } => Some(literal::joined(text, Some(names), Filter::Text)),
        Body::Bytes { bytes, .. } => Some(literal::bytes(bytes)),
    }
}

/// The call that gives the value.
pub(super) fn take(take: &Take) -> String {
    match take {
        Take::Location => "location()".to_owned(),
        Take::Header(name) => format!("header({})", literal::string(&header(name))),
        Take::Pointer(pointer) => format!("take({})", literal::string(pointer)),
    }
}
