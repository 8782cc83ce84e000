//! A REST request in its one form.

use super::media;
use super::multipart;
use super::request::{Body, Request};
use crate::privacy::{Cover, Guard, Place, Sense};
use crate::{Content, How, RestCall};

pub(super) fn call(request: &Request<'_>, guard: &Guard, cover: &mut Cover<'_>) -> RestCall {
    let mut query = request.query.clone();
    cover.pairs("query", &mut query);
    query.sort_by(|a, b| a.0.cmp(&b.0));
    let mut headers = cover.headers(&request.seen.headers);
    // It is said with the content, or says nothing.
    headers.retain(|(name, value)| name != "content-type" && (name != "accept" || value != "*/*"));
    RestCall {
        method: request.method.clone(),
        path: cover.path(&request.path),
        query,
        headers,
        content: content(request, guard, cover),
    }
}

fn content(request: &Request<'_>, guard: &Guard, cover: &mut Cover<'_>) -> Content {
    match &request.body {
        Body::None => Content::None,
        // `&` alone says as much as nothing, and is sent again as nothing.
        Body::Form(fields) if fields.is_empty() => Content::None,
        Body::Json(value) => {
            let mut value = value.clone();
            cover.body(&mut value);
            value.sort_all_objects();
            Content::Json {
                media_type: said(&request.media_type, "application/json"),
                value,
            }
        }
        Body::Form(fields) => {
            let mut fields = fields.clone();
            cover.pairs("body", &mut fields);
            fields.sort_by(|a, b| a.0.cmp(&b.0));
            Content::Form { fields }
        }
        Body::Text(text) if guard.is_telling(text) => {
            cover.tell(&Place::Start("body"), How::Dropped);
            opaque(request, guard)
        }
        Body::Text(text) => Content::Text {
            media_type: said(&request.media_type, "text/plain"),
            text: cover.text(text, Sense::Plain, &Place::Start("body")),
        },
        Body::Bytes => opaque(request, guard),
    }
}

fn said(media_type: &str, unsaid: &str) -> String {
    let said = if media_type.is_empty() {
        unsaid
    } else {
        media_type
    };
    said.to_owned()
}

/// The digest is a keyed one: from a plain one a short secret could be guessed.
fn opaque(request: &Request<'_>, guard: &Guard) -> Content {
    let body = &request.seen.body;
    let boundary = media::boundary(request.content_type());
    let parted = media::is_multipart(&request.media_type);
    let pieces = match boundary.filter(|_| parted) {
        Some(boundary) => multipart::pieces(body, boundary),
        None => vec![body.as_slice()],
    };
    Content::Opaque {
        media_type: said(&request.media_type, "application/octet-stream"),
        size: pieces.iter().map(|piece| piece.len() as u64).sum(),
        digest: guard.keyed().digest("body", pieces),
    }
}
