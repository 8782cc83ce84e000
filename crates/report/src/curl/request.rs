//! One request as a curl command.

use std::fmt::Write as _;

use bytes::Bytes;
use fossick_contract::Method;
use fossick_query::{read, write};
use fossick_suite::Piece;
use fossick_suite::shell::{printf_format, quote, word};
use fossick_trace::{Call, Intent, Payload, Request, header};
use serde_json::Value;

use crate::captures::Names;
use crate::plain::is_unsafe;
use crate::redact::is_credential;

/// What every request of a line shares.
pub(super) struct Sender<'a> {
    pub base_url: &'a str,
    pub names: &'a Names,
    /// Headers that the client adds to every request that is not anonymous.
    pub credentials: &'a [String],
}

impl Sender<'_> {
    pub(super) fn command(&self, options: &str, call: &Call, request: &Request) -> String {
        let mut out = format!("curl {options}");
        let url = self.url(call, request);
        out.push_str(url_options(&url));
        out.push_str(&method(call, request));
        let _ = write!(out, " {}", word(&url));
        for header in self.headers(call, request) {
            let _ = write!(out, " -H {header}");
        }
        match self.data(call, request) {
            Data::None => out,
            Data::Word(data) => format!("{out} --data-raw {data}"),
            Data::Piped(format) => format!("printf {format} | {out} --data-binary @-"),
        }
    }

    fn url(&self, call: &Call, request: &Request) -> Vec<Piece> {
        let sent = || vec![Piece::Fixed(request.target.clone())];
        let has_holes = call.target.captures().next().is_some();
        let named = has_holes.then(|| self.names.pieces(&call.target)).flatten();
        let mut pieces = named.unwrap_or_else(sent);
        let absolute = ["http://", "https://"];
        if !absolute
            .iter()
            .any(|scheme| request.target.starts_with(scheme))
        {
            pieces.insert(0, Piece::Fixed(self.prefix(&request.target).to_owned()));
        }
        pieces
    }

    /// A GraphQL endpoint is the whole address and may end in a slash that matters.
    fn prefix(&self, target: &str) -> &str {
        if target.starts_with('/') {
            self.base_url.trim_end_matches('/')
        } else {
            self.base_url
        }
    }

    /// The headers that matter: the call's own, the type of the body, the credentials. curl adds
    /// the rest as any client would.
    fn headers(&self, call: &Call, request: &Request) -> Vec<String> {
        let mut out = Vec::new();
        for (name, value) in &request.headers {
            let own = call
                .headers
                .iter()
                .find(|(known, _)| known.eq_ignore_ascii_case(name));
            if is_credential(name) {
                out.push(credential(name, value, call, request));
            } else if let Some((_, text)) = own {
                let named = text.captures().next().and_then(|_| self.names.pieces(text));
                let value = named.unwrap_or_else(|| vec![Piece::Fixed(value.clone())]);
                out.push(header_word(name, value));
            }
        }
        out.extend(self.added_credentials(request));
        out.extend(content_type(call, request));
        out
    }

    fn added_credentials(&self, request: &Request) -> Vec<String> {
        let added = self
            .credentials
            .iter()
            .filter(|name| !request.anonymous && header(&request.headers, name).is_none());
        added
            .map(|name| placeholder(name, request.user.as_deref()))
            .collect()
    }

    fn data(&self, call: &Call, request: &Request) -> Data {
        if !has_body(call, request) {
            return Data::None;
        }
        if let Some(pieces) = self.filled_json(call, request) {
            return Data::Word(word(&pieces));
        }
        let body = on_one_line(call, &request.body).unwrap_or_else(|| request.body.clone());
        match std::str::from_utf8(&body) {
            Ok(text) if !text.contains(is_unsafe) => Data::Word(quote(text)),
            _ => Data::Piped(printf_format(&body)),
        }
    }

    /// The body as sent, with variables where earlier answers filled it.
    fn filled_json(&self, call: &Call, request: &Request) -> Option<Vec<Piece>> {
        let Payload::Json { fills, .. } = &call.payload else {
            return None;
        };
        let body = on_one_line(call, &request.body).unwrap_or_else(|| request.body.clone());
        let mut value: Value = serde_json::from_slice(&body).ok()?;
        let mut variables = Vec::new();
        for (pointer, capture) in fills {
            let name = self.names.get_json(capture)?;
            *value.pointer_mut(pointer)? = Value::String(mark(variables.len()));
            variables.push(name);
        }
        (!variables.is_empty()).then(|| cut_at_marks(&escaped(&value.to_string()), variables))
    }
}

/// The body of a GraphQL call with its operation on one line: the same operation without a `\n`
/// after every other word. `None` where it must go as it is.
fn on_one_line(call: &Call, body: &[u8]) -> Option<Bytes> {
    call.graphql.as_ref()?;
    let mut value: Value = serde_json::from_slice(body).ok()?;
    let text = value.get("query")?.as_str()?;
    let document = read(text, None).ok()?;
    let short = compact(&write(&document));
    // Directives of the operation itself, say, are not read; what is lost may be the point.
    let same = compact(text) == short && read(&short, None).ok()? == document;
    value["query"] = Value::String(short);
    same.then(|| Bytes::from(value.to_string()))
}

/// Line breaks and the indents behind them as a single space. A literal has no line break in it
/// unless it is a block text, which reads differently then and is found out.
fn compact(text: &str) -> String {
    let lines: Vec<&str> = text.lines().map(str::trim).collect();
    lines.join(" ").trim().to_owned()
}

enum Data {
    None,
    Word(String),
    /// Bytes that no word can hold, as a format of `printf`.
    Piped(String),
}

fn has_body(call: &Call, request: &Request) -> bool {
    // A HEAD with a body can't be said to curl, and no service looks at one.
    request.method != Method::Head && (!request.body.is_empty() || !call.payload.is_none())
}

fn method(call: &Call, request: &Request) -> String {
    match request.method {
        Method::Head => " -I".to_owned(),
        Method::Get if !has_body(call, request) => String::new(),
        other => format!(" -X {}", other.as_str()),
    }
}

/// curl gives brackets and dots in a URL a meaning of their own unless it is told not to.
fn url_options(url: &[Piece]) -> &'static str {
    let literals = || {
        url.iter().filter_map(|piece| match piece {
            Piece::Fixed(text) => Some(text),
            Piece::Variable(_) => None,
        })
    };
    let globs = literals().any(|text| text.contains(['[', ']', '{', '}']));
    let path = |text: &str| text.split('?').next().unwrap_or("").to_owned();
    let dots = literals().any(|text| path(text).split('/').any(|s| s == "." || s == ".."));
    match (globs, dots) {
        (false, false) => "",
        (true, false) => " -g",
        (false, true) => " --path-as-is",
        (true, true) => " -g --path-as-is",
    }
}

fn header_word(name: &str, value: Vec<Piece>) -> String {
    if value
        .iter()
        .all(|piece| *piece == Piece::Fixed(String::new()))
    {
        // This is how curl is told to send a header without a value.
        return quote(&format!("{name};"));
    }
    let mut pieces = vec![Piece::Fixed(format!("{name}: "))];
    pieces.extend(value);
    word(&pieces)
}

/// Spoilt credentials are part of what a call shows; a stand-in that is as wrong keeps that, and
/// keeps what may be half of a real one out of the line.
fn credential(name: &str, value: &str, call: &Call, request: &Request) -> String {
    if !matches!(call.intent, Intent::Unauthenticated { .. }) {
        return placeholder(name, request.user.as_deref());
    }
    let known = ["Bearer", "Basic", "Digest", "Token"];
    let scheme = value
        .split(' ')
        .next()
        .filter(|scheme| known.contains(scheme));
    let wrong = scheme.map_or_else(
        || "invalid".to_owned(),
        |scheme| format!("{scheme} invalid"),
    );
    header_word(name, vec![Piece::Fixed(wrong)])
}

/// `"Authorization: $AUTHORIZATION"`
fn placeholder(name: &str, user: Option<&str>) -> String {
    let owner = user.map_or_else(String::new, |user| format!("{user}_"));
    let variable: String = format!("{owner}{name}")
        .chars()
        .map(|c| {
            if c.is_ascii_alphanumeric() {
                c.to_ascii_uppercase()
            } else {
                '_'
            }
        })
        .collect();
    // A name can't begin with a digit: `$1x` is something else.
    let begins_badly = variable.starts_with(|c: char| c.is_ascii_digit());
    let prefix = if begins_badly { "_" } else { "" };
    header_word(name, vec![Piece::Variable(format!("{prefix}{variable}"))])
}

/// Without one, curl would call every body a form.
fn content_type(call: &Call, request: &Request) -> Option<String> {
    let own = call
        .headers
        .iter()
        .any(|(name, _)| name.eq_ignore_ascii_case("content-type"));
    let sent = header(&request.headers, "content-type");
    if !has_body(call, request) || (own && sent.is_some()) {
        return None;
    }
    Some(match sent.or(call.payload.media_type()) {
        Some(media_type) => header_word("Content-Type", vec![Piece::Fixed(media_type.to_owned())]),
        None => quote("Content-Type:"),
    })
}

/// Stands where a variable goes while the JSON around it is written.
fn mark(number: usize) -> String {
    format!("\u{1}{number}\u{1}")
}

fn cut_at_marks(text: &str, variables: Vec<String>) -> Vec<Piece> {
    // Members keep their order, but fills need not be listed in it.
    let mut places: Vec<(usize, usize, String)> = Vec::new();
    for (number, name) in variables.into_iter().enumerate() {
        let mark = Value::String(mark(number)).to_string();
        if let Some(at) = text.find(&mark) {
            places.push((at, at + mark.len(), name));
        }
    }
    places.sort();
    let mut pieces = Vec::new();
    let mut from = 0;
    for (start, end, name) in places {
        pieces.push(Piece::Fixed(text.get(from..start).unwrap_or("").to_owned()));
        pieces.push(Piece::Variable(name));
        from = end;
    }
    pieces.push(Piece::Fixed(text.get(from..).unwrap_or("").to_owned()));
    pieces
}

/// JSON has a way to write any character in plain letters.
fn escaped(json: &str) -> String {
    let mut out = String::with_capacity(json.len());
    for c in json.chars() {
        if is_unsafe(c) {
            let _ = write!(out, "\\u{:04x}", u32::from(c));
        } else {
            out.push(c);
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_placeholder_is_a_variable_of_the_shell() {
        let word = placeholder("X-Api-Key", None);
        assert_eq!(word, "\"X-Api-Key: $X_API_KEY\"");
        let word = placeholder("Authorization", Some("2nd user"));
        assert_eq!(word, "\"Authorization: $_2ND_USER_AUTHORIZATION\"");
    }

    #[test]
    fn dots_and_brackets_reach_the_service_as_they_are() {
        let url = |text: &str| [Piece::Fixed(text.to_owned())];
        assert_eq!(url_options(&url("http://h/a/../b")), " --path-as-is");
        assert_eq!(url_options(&url("http://h/a?x[]=..")), " -g");
        assert_eq!(url_options(&url("http://h/a.b/..c")), "");
    }

    #[test]
    fn variables_stand_where_the_fills_were() {
        let text = format!("{{\"a\":{},\"b\":1}}", Value::String(mark(0)));
        let pieces = cut_at_marks(&text, vec!["p_json".to_owned()]);
        assert_eq!(word(&pieces), r#"'{"a":'"$p_json"',"b":1}'"#);
    }
}
