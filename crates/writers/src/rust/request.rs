//! One request: its body, its path, and that it is sent.

use fossick_contract::Method;
use fossick_suite::{Body, Piece, Request, Template};
use fossick_trace::Take;

use super::{WIDTH, call, literal};
use crate::page::Page;
use crate::variables::{Variables, header, header_text};

/// Longer chains have a line for each call, says rustfmt.
const CHAIN: usize = 60;

pub(super) fn request(page: &mut Page, request: &Request, sender: &str, names: &Variables) {
    if let Body::Json { value, .. } = &request.body {
        json_body(page, value, names);
    }
    let path = path(page, &request.path, names);
    let mut calls = vec![method(request.method, &path)];
    for (name, value) in &request.headers {
        calls.push(format!(
            ".header({}, {})",
            literal::string(&header(name)),
            header_value(value, names)
        ));
    }
    calls.extend(body(&request.body, names));
    let short = format!("send({sender}{}).await", calls.concat());
    if short.chars().count() <= CHAIN {
        page.line(format!("let answer = {short};"));
        return;
    }
    chain(page, "let request = ", sender, &calls);
    page.line("let answer = send(request).await;");
}

fn json_body(page: &mut Page, template: &Template, names: &Variables) {
    let depth = page.indent(4) / 4;
    let json = literal::json(template, Some(names), depth);
    page.line(format!("let body = json!({json});"));
}

/// The path as an argument, made on a line before where it has holes.
fn path(page: &mut Page, pieces: &[Piece], names: &Variables) -> String {
    let [Piece::Fixed(fixed)] = pieces else {
        let (format, values) = parts(pieces, Some(names), "segment");
        let mut arguments = vec![format!("\"{format}\"")];
        arguments.extend(values);
        call(page, "let path = format!(", &arguments, ");", false);
        return "&path".to_owned();
    };
    literal::string(fixed)
}

fn method(method: Method, path: &str) -> String {
    let name = match method {
        Method::Get => "get",
        Method::Post => "post",
        Method::Put => "put",
        Method::Patch => "patch",
        Method::Delete => "delete",
        Method::Head => "head",
        Method::Options | Method::Trace | Method::Query => {
            return format!(".request(\"{}\", {path})", method.as_str());
        }
    };
    format!(".{name}({path})")
}

fn header_value(pieces: &[Piece], names: &Variables) -> String {
    let plain: Vec<Piece> = pieces.iter().map(plain).collect();
    match plain.as_slice() {
        [] => "\"\"".to_owned(),
        [Piece::Fixed(text)] if text.is_ascii() => literal::string(text),
        [Piece::Fixed(text)] => format!("{}.as_bytes()", literal::string(text)),
        [Piece::Variable(name)] => format!("text(&{}).into_bytes()", names.get(name)),
        pieces => format!("{}.into_bytes()", format(pieces, Some(names), "text")),
    }
}

fn plain(piece: &Piece) -> Piece {
    match piece {
        Piece::Fixed(text) => Piece::Fixed(header_text(text)),
        Piece::Variable(name) => Piece::Variable(name.clone()),
    }
}

fn body(body: &Body, names: &Variables) -> Vec<String> {
    let content_type = |media_type: &str| {
        let media_type = literal::string(&header_text(media_type));
        format!(".header(\"Content-Type\", {media_type})")
    };
    match body {
        Body::None => Vec::new(),
        Body::Json { media_type, .. } if media_type == "application/json" => {
            vec![".json(&body)".to_owned()]
        }
        Body::Json { media_type, .. } => {
            vec![content_type(media_type), ".json(&body)".to_owned()]
        }
        Body::Text { media_type, text } => vec![
            content_type(media_type),
            format!(".body({})", format(text, Some(names), "text")),
        ],
        Body::Bytes { media_type, bytes } => vec![
            content_type(media_type),
            format!(".body({}.as_slice())", literal::bytes(bytes)),
        ],
    }
}

/// Pieces as a string, or as a `format!` where there are holes.
pub(super) fn format(pieces: &[Piece], names: Option<&Variables>, function: &str) -> String {
    if let [Piece::Fixed(text)] = pieces {
        return literal::string(text);
    }
    let (format, values) = parts(pieces, names, function);
    if values.is_empty() {
        let fixed = pieces.iter().map(|piece| match piece {
            Piece::Fixed(text) => text.as_str(),
            Piece::Variable(_) => "",
        });
        return literal::string(&fixed.collect::<String>());
    }
    format!("format!(\"{format}\", {})", values.join(", "))
}

/// What `format!` reads, and what it fills in.
fn parts(pieces: &[Piece], names: Option<&Variables>, function: &str) -> (String, Vec<String>) {
    let mut format = String::new();
    let mut values = Vec::new();
    for piece in pieces {
        match piece {
            Piece::Fixed(text) => format.push_str(&literal::in_format(text)),
            Piece::Variable(name) => {
                format.push_str("{}");
                let name = names.map_or_else(|| "value".to_owned(), |names| names.get(name));
                values.push(format!("{function}(&{name})"));
            }
        }
    }
    (format, values)
}

/// Calls on one line where they are short, as rustfmt decides it.
fn chain(page: &mut Page, head: &str, root: &str, calls: &[String]) {
    let flat = format!("{root}{}", calls.concat());
    let width = flat.chars().count();
    let fits = page.indent(4) + head.len() + width < WIDTH;
    if fits && (calls.len() == 1 || width <= CHAIN) {
        page.line(format!("{head}{flat};"));
        return;
    }
    page.open(format!("{head}{root}"));
    for (at, call) in calls.iter().enumerate() {
        let end = if at + 1 == calls.len() { ";" } else { "" };
        page.line(format!("{call}{end}"));
    }
    page.close_silently();
}

/// The call that gives the value.
pub(super) fn take(take: &Take) -> String {
    match take {
        Take::Location => "location()".to_owned(),
        Take::Header(name) => format!("header({})", literal::string(&header(name))),
        Take::Pointer(pointer) => format!("at({})", literal::string(pointer)),
    }
}
