//! A request and its answer as plain data, so that everything behind the socket can be read and
//! tested without one.

use bytes::Bytes;
use serde::Serialize;
use serde_json::json;

/// What came in, undecoded: the desk decides what it means.
#[derive(Debug, Default)]
pub(crate) struct Request {
    pub(crate) method: String,
    pub(crate) path: String,
    pub(crate) query: String,
    pub(crate) authorization: Option<String>,
    pub(crate) content_type: Option<String>,
    pub(crate) body: Bytes,
}

#[derive(Debug, PartialEq)]
pub(crate) struct Reply {
    pub(crate) status: u16,
    pub(crate) headers: Vec<(&'static str, String)>,
    pub(crate) media_type: &'static str,
    /// As it goes over the wire.
    pub(crate) body: Option<String>,
}

impl Reply {
    pub(crate) fn empty(status: u16) -> Self {
        Self {
            status,
            headers: Vec::new(),
            media_type: "application/json",
            body: None,
        }
    }

    pub(crate) fn json(status: u16, body: impl Serialize) -> Self {
        Self {
            body: Some(json!(body).to_string()),
            ..Self::empty(status)
        }
    }

    pub(crate) fn with(mut self, header: &'static str, value: impl Into<String>) -> Self {
        self.headers.push((header, value.into()));
        self
    }
}

/// Why a request is not served.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Refusal {
    /// The caller's mistake, and its status.
    Problem(u16, String),
    /// Something broke in here. Only planted faults do this.
    Crash,
    /// The connection goes down without a word. Only a planted fault does this.
    HangUp,
}

impl Refusal {
    pub(crate) fn not_found(what: &str) -> Self {
        Self::Problem(404, format!("there is no such {what}"))
    }

    /// The answer to give, or none at all.
    pub(crate) fn reply(self) -> Option<Reply> {
        match self {
            Self::Problem(status, detail) => Some(problem(status, &detail)),
            Self::Crash => Some(problem(500, "something went wrong in here")),
            Self::HangUp => None,
        }
    }
}

pub(crate) type Answer = Result<Reply, Refusal>;

fn problem(status: u16, detail: &str) -> Reply {
    let body = json!({"title": title(status), "status": status, "detail": detail});
    let reply = Reply {
        media_type: "application/problem+json",
        ..Reply::json(status, body)
    };
    match status {
        401 => reply.with("www-authenticate", "Bearer"),
        _ => reply,
    }
}

fn title(status: u16) -> &'static str {
    match status {
        400 => "Bad request",
        401 => "Unauthorized",
        404 => "Not found",
        405 => "Method not allowed",
        409 => "Conflict",
        415 => "Unsupported media type",
        _ => "Internal error",
    }
}

/// The pairs of a query, decoded; `None` for one whose escapes are broken.
pub(crate) fn pairs(query: &str) -> impl Iterator<Item = Option<(String, String)>> {
    query.split('&').map(|pair| {
        let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
        decode(name).zip(decode(&value.replace('+', " ")))
    })
}

/// Undoes percent-encoding; `None` if an escape is broken or the result is not UTF-8.
pub(crate) fn decode(text: &str) -> Option<String> {
    let mut bytes = text.bytes();
    let mut decoded = Vec::with_capacity(text.len());
    while let Some(byte) = bytes.next() {
        decoded.push(match byte {
            b'%' => hex(bytes.next()?)? * 16 + hex(bytes.next()?)?,
            other => other,
        });
    }
    String::from_utf8(decoded).ok()
}

fn hex(digit: u8) -> Option<u8> {
    let value = char::from(digit).to_digit(16)?;
    u8::try_from(value).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percent_escapes_are_undone() {
        assert_eq!(decode("a%20b%C3%a9").as_deref(), Some("a bé"));
        assert_eq!(decode("plain").as_deref(), Some("plain"));
    }

    #[test]
    fn broken_escapes_are_refused() {
        for text in ["%", "%2", "%zz", "%ff"] {
            assert_eq!(decode(text), None, "{text}");
        }
    }

    #[test]
    fn hanging_up_is_no_answer() {
        assert_eq!(Refusal::HangUp.reply(), None);
    }
}
