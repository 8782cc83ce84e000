//! One request: what is made ready, and that it is sent.

use fossick_suite::shell::{printf_format, quote, quote_if_needed};
use fossick_suite::{Body, Piece, Request, Template};
use fossick_trace::Take;

use super::command;
use super::program::{Names, json, text, value_at, variables_in, variables_of};
use crate::page::Page;
use crate::variables::{header, header_text};

pub(super) fn request(page: &mut Page, request: &Request, users: &[String], names: &Names<'_>) {
    if let Some(user) = request.user.and_then(|user| users.get(user)) {
        page.line(format!("as_{user}"));
    }
    unsigned(page, request, names);
}

/// The request without credentials.
pub(super) fn unsigned(page: &mut Page, request: &Request, names: &Names<'_>) {
    for (name, value) in &request.headers {
        let value: Vec<Piece> = value.iter().map(plain).collect();
        page.line(format!(
            "header {} {}",
            quote_if_needed(&header(name)),
            word(&value, names, "text", " | tostring")
        ));
    }
    if let Some(line) = body(&request.body, names) {
        page.line(line);
    }
    let path = word(&request.path, names, "uri", " | @uri");
    page.line(format!("send {} {path}", request.method.as_str()));
}

fn plain(piece: &Piece) -> Piece {
    match piece {
        Piece::Fixed(text) => Piece::Fixed(header_text(text)),
        Piece::Variable(name) => Piece::Variable(name.clone()),
    }
}

/// One word of the shell, in which `function` is called for each variable.
fn word(pieces: &[Piece], names: &Names<'_>, function: &str, filter: &str) -> String {
    let Names::Test(variables) = names else {
        return secret_word(pieces, names, filter);
    };
    if variables_in(pieces).is_empty() {
        return quote_if_needed(&fixed(pieces));
    }
    let part = |piece: &Piece| match piece {
        Piece::Fixed(text) if text.is_empty() => String::new(),
        Piece::Fixed(text) => quote_in_word(text),
        Piece::Variable(name) => format!("$({function} \"${}\")", variables.get(name)),
    };
    joined(&pieces.iter().map(part).collect::<Vec<_>>())
}

/// Pieces that are safe between double quotes stand in one pair of them.
fn joined(parts: &[String]) -> String {
    let mut out = String::new();
    let mut open = false;
    for part in parts {
        let single = part.starts_with('\'');
        if single == open {
            out.push('"');
            open = !single;
        }
        out.push_str(part);
    }
    if open {
        out.push('"');
    }
    out
}

fn quote_in_word(text: &str) -> String {
    if text.contains(['$', '`', '"', '\\', '!', '\0', '\'', '\n']) {
        return quote(text);
    }
    text.to_owned()
}

fn secret_word(pieces: &[Piece], names: &Names<'_>, filter: &str) -> String {
    if variables_in(pieces).is_empty() {
        return quote_if_needed(&fixed(pieces));
    }
    format!("\"$(jq -n -r {})\"", quote(&text(pieces, names, filter)))
}

fn fixed(pieces: &[Piece]) -> String {
    let text = pieces.iter().map(|piece| match piece {
        Piece::Fixed(text) => text.as_str(),
        Piece::Variable(_) => "",
    });
    text.collect()
}

fn body(body: &Body, names: &Names<'_>) -> Option<String> {
    match body {
        Body::None => None,
        Body::Json { media_type, value } => Some(json_body(media_type, value, names)),
        Body::Text { media_type, text } => Some(text_body(media_type, text, names)),
        Body::Bytes { media_type, bytes } => Some(format!(
            "bytes_body {} {}",
            media(media_type),
            printf_format(bytes)
        )),
    }
}

fn media(media_type: &str) -> String {
    quote_if_needed(&header_text(media_type))
}

/// Without holes the text is JSON already and needs no jq, which would round large numbers.
fn json_body(media_type: &str, template: &Template, names: &Names<'_>) -> String {
    let media_type = media(media_type);
    if let Template::Value(value) = template {
        return format!("text_body {media_type} {}", quote(&value_at(value, 1)));
    }
    let arguments = names.arguments(&variables_of(template));
    let head = format!(
        "json_body {media_type} {}",
        quote(&json(template, names, 1))
    );
    command(&head, &arguments)
}

fn text_body(media_type: &str, pieces: &[Piece], names: &Names<'_>) -> String {
    let media_type = media(media_type);
    let variables = variables_in(pieces);
    if !variables.is_empty() {
        let program = quote(&text(pieces, names, ""));
        let head = format!("filled_body {media_type} {program}");
        return command(&head, &names.arguments(&variables));
    }
    let whole = fixed(pieces);
    if is_seen(&whole) {
        return format!("text_body {media_type} {}", quote(&whole));
    }
    format!(
        "bytes_body {media_type} {}",
        printf_format(whole.as_bytes())
    )
}

/// Nothing that a reader would overlook, and nothing that the shell can't hold.
pub(super) fn is_seen(text: &str) -> bool {
    let plain =
        |c: char| c.is_ascii_graphic() || c == ' ' || (!c.is_ascii() && c.is_alphanumeric());
    text.chars().all(plain)
}

/// The command that writes the value.
pub(super) fn take(take: &Take) -> String {
    match take {
        Take::Location => "take_location".to_owned(),
        Take::Header(name) => format!("take_header {}", quote_if_needed(&header(name))),
        Take::Pointer(pointer) => format!("take {}", quote(pointer)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotes_are_opened_and_closed_around_pieces() {
        let parts = ["/tools/", "$(uri \"$a\")", "'it'\\''s'", "/x"].map(str::to_owned);
        assert_eq!(joined(&parts), "\"/tools/$(uri \"$a\")\"'it'\\''s'\"/x\"");
    }
}
