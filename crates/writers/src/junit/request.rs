//! Requests as chains of REST Assured.

use fossick_contract::Method;
use fossick_suite::{Body, Piece, Request};

use super::layout::{Expression, Link};
use super::scope::Scope;
use super::text::Part;
use super::{Language, target, value};

/// `given(alice()).contentType(…).body(…).when().post("/tools")`; `who` is what is given.
pub(super) fn chain(request: &Request, who: Vec<Expression>, scope: &mut Scope) -> Expression {
    let mut links = Vec::new();
    for (name, pieces) in &request.headers {
        links.push(header(name, pieces, scope));
    }
    links.extend(body(&request.body, scope));
    let path = path(&request.path, scope);
    send(request, path, &mut links, scope);
    scope.call("given", who).chain(links)
}

/// REST Assured sends no content type that was not set with its own method.
fn header(name: &str, pieces: &[Piece], scope: &mut Scope) -> Link {
    let text = value::text(pieces, scope);
    if name.eq_ignore_ascii_case("content-type") {
        return Link::new("contentType", vec![text]);
    }
    Link::new("header", vec![Expression::text(name), text])
}

fn body(body: &Body, scope: &mut Scope) -> Vec<Link> {
    let (media_type, body) = match body {
        Body::None => return Vec::new(),
        Body::Json { media_type, value } if is_json(media_type) => {
            (media_type, value::body(value, scope))
        }
        Body::Json { media_type, value } => {
            let value = value::filled(value, scope);
            let text = scope.call("json", vec![value]);
            (media_type, scope.call("utf8", vec![text]))
        }
        Body::Text { media_type, text } => {
            let text = value::text(text, scope);
            (media_type, as_text(media_type, text, scope))
        }
        Body::Bytes { media_type, bytes } => (media_type, as_bytes(bytes, scope)),
    };
    let media_type = Expression::text(media_type);
    vec![
        Link::new("contentType", vec![media_type]),
        Link::new("body", vec![body]),
    ]
}

/// REST Assured refuses a text whose media type it doesn't know, and recodes one with a charset.
fn as_text(media_type: &str, text: Expression, scope: &mut Scope) -> Expression {
    let essence = essence(media_type);
    let known = is_json(media_type)
        || essence.starts_with("text/")
        || essence == "application/xml"
        || essence == "application/x-www-form-urlencoded";
    if known && !media_type.contains(';') {
        return text;
    }
    scope.call("utf8", vec![text])
}

fn as_bytes(bytes: &[u8], scope: &mut Scope) -> Expression {
    let mut hex = String::new();
    for byte in bytes {
        hex += &format!("{byte:02x}");
    }
    scope.call("bytes", vec![Expression::text(&hex)])
}

fn essence(media_type: &str) -> String {
    let essence = media_type.split(';').next().unwrap_or_default();
    essence.trim().to_ascii_lowercase()
}

fn is_json(media_type: &str) -> bool {
    let essence = essence(media_type);
    essence == "application/json"
        || (essence.starts_with("application/") && essence.ends_with("+json"))
}

fn path(pieces: &[Piece], scope: &mut Scope) -> Vec<Part> {
    let mut parts = Vec::new();
    for piece in pieces {
        match piece {
            Piece::Fixed(text) => parts.extend(text.chars().map(Part::Char)),
            Piece::Variable(variable) => parts.push(scope.component(variable)),
        }
    }
    parts
}

/// The last links: where it goes, and how.
fn send(request: &Request, path: Vec<Part>, links: &mut Vec<Link>, scope: &mut Scope) {
    let path = if target::is_kept(&request.path) {
        Expression::Text(path)
    } else {
        let exactly = scope.call("exactly", vec![Expression::Text(path)]);
        links.push(Link::new("filter", vec![exactly]));
        Expression::text("/")
    };
    if scope.language == Language::Java {
        links.push(Link::new("when", Vec::new()));
    }
    let method = Expression::text(request.method.as_str());
    links.push(function(request.method).map_or_else(
        || Link::new("request", vec![method, path.clone()]),
        |name| Link::new(name, vec![path.clone()]),
    ));
}

/// REST Assured's own word for a method, if it has one.
fn function(method: Method) -> Option<&'static str> {
    Some(match method {
        Method::Get => "get",
        Method::Post => "post",
        Method::Put => "put",
        Method::Patch => "patch",
        Method::Delete => "delete",
        Method::Head => "head",
        Method::Options => "options",
        Method::Trace | Method::Query => return None,
    })
}
