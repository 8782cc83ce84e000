//! A request, read as far as anybody needs it to be.

use std::borrow::Cow;

use serde_json::Value;

use super::{media, target};
use crate::Seen;

pub(crate) struct Request<'a> {
    pub seen: &'a Seen,
    /// In capitals.
    pub method: String,
    pub path: Cow<'a, str>,
    pub query: Vec<(String, String)>,
    /// In its one form; empty where nobody said.
    pub media_type: String,
    pub body: Body<'a>,
}

pub(crate) enum Body<'a> {
    None,
    Json(Value),
    Form(Vec<(String, String)>),
    Text(&'a str),
    /// Not text, or too much of it.
    Bytes,
}

impl<'a> Request<'a> {
    pub(super) fn read(seen: &'a Seen, most: usize) -> Self {
        let (path, query) = target::split(&seen.target);
        let media_type = media::canonical(seen.header("content-type").unwrap_or_default());
        Self {
            seen,
            method: seen.method.to_ascii_uppercase(),
            path,
            query: target::pairs(query),
            body: body(&seen.body, &media_type, most),
            media_type,
        }
    }

    /// The whole header, as sent.
    pub(super) fn content_type(&self) -> &str {
        self.seen.header("content-type").unwrap_or_default()
    }
}

fn body<'a>(bytes: &'a [u8], media_type: &str, most: usize) -> Body<'a> {
    if bytes.is_empty() {
        return Body::None;
    }
    if bytes.len() > most || media::is_multipart(media_type) {
        return Body::Bytes;
    }
    let Ok(text) = str::from_utf8(bytes) else {
        return Body::Bytes;
    };
    if may_be_json(text, media_type)
        && let Ok(value) = serde_json::from_str(text)
    {
        return Body::Json(value);
    }
    if media::is_form(media_type) {
        return Body::Form(target::pairs(text));
    }
    let readable = media::is_text(media_type) && !text.contains('\0');
    if readable {
        Body::Text(text)
    } else {
        Body::Bytes
    }
}

/// Some clients send JSON as plain text, which browsers let pass unasked.
fn may_be_json(text: &str, media_type: &str) -> bool {
    let unsaid = matches!(media::essence(media_type), "" | "text/plain");
    media::is_json(media_type) || (unsaid && text.trim_start().starts_with(['{', '[']))
}
