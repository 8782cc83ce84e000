//! What a fake hears and what it says, as plain data.

use std::time::Duration;

use bytes::Bytes;
use serde_json::Value;

use crate::body::FakeBody;

/// A request as it came in.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FakeRequest {
    pub method: String,
    /// Still escaped, without the query.
    pub path: String,
    /// Still escaped, without the question mark; empty if there is none.
    pub query: String,
    /// In the order of arrival; names in small letters.
    pub headers: Vec<(String, String)>,
    pub body: Bytes,
}

impl FakeRequest {
    /// The first header of this name, however it is written.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers
            .iter()
            .find(|(known, _)| known.eq_ignore_ascii_case(name))
            .map(|(_, value)| value.as_str())
    }

    /// The first query parameter of this name, still escaped.
    pub fn parameter(&self, name: &str) -> Option<&str> {
        self.query
            .split('&')
            .filter_map(|pair| pair.split_once('='))
            .find(|(known, _)| *known == name)
            .map(|(_, value)| value)
    }

    /// The body, if it is JSON.
    pub fn json(&self) -> Option<Value> {
        serde_json::from_slice(&self.body).ok()
    }

    /// Method and path, as `GET /things`: what most fakes decide by.
    pub fn line(&self) -> String {
        format!("{} {}", self.method, self.path)
    }

    pub fn segments(&self) -> Vec<&str> {
        self.path.split('/').skip(1).collect()
    }
}

/// An answer, or the lack of one.
#[derive(Debug, Clone)]
pub struct FakeResponse {
    pub(crate) manner: Manner,
    pub(crate) status: u16,
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) body: FakeBody,
    pub(crate) delay: Duration,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Manner {
    Answer,
    Drop,
    Silence,
}

impl FakeResponse {
    /// A bare status without a body.
    pub fn status(status: u16) -> Self {
        Self {
            manner: Manner::Answer,
            status,
            headers: Vec::new(),
            body: FakeBody::Whole(Bytes::new()),
            delay: Duration::ZERO,
        }
    }

    pub fn json(status: u16, value: impl Into<Value>) -> Self {
        Self::bytes(status, "application/json", value.into().to_string())
    }

    pub fn text(status: u16, text: impl Into<String>) -> Self {
        Self::bytes(status, "text/plain", text.into())
    }

    pub fn bytes(status: u16, media_type: &str, body: impl Into<Bytes>) -> Self {
        Self::with_body(status, FakeBody::Whole(body.into())).header("content-type", media_type)
    }

    /// Breaks the connection instead of answering.
    pub fn drop_connection() -> Self {
        Self {
            manner: Manner::Drop,
            ..Self::status(200)
        }
    }

    /// Keeps the connection open and says nothing.
    pub fn never() -> Self {
        Self {
            manner: Manner::Silence,
            ..Self::status(200)
        }
    }

    /// A body that does not end as long as somebody reads.
    pub fn endless(status: u16) -> Self {
        Self::with_body(status, FakeBody::Endless)
    }

    /// A body of so many bytes, streamed.
    pub fn huge(status: u16, length: u64) -> Self {
        Self::with_body(status, FakeBody::Huge(length))
    }

    /// Announces `length` bytes, sends these fewer ones, and breaks the connection.
    pub fn cut_short(status: u16, body: impl Into<Bytes>, length: u64) -> Self {
        Self::with_body(status, FakeBody::CutShort(body.into(), length))
    }

    pub fn header(mut self, name: &str, value: &str) -> Self {
        self.headers.push((name.to_owned(), value.to_owned()));
        self
    }

    /// Waits before it answers.
    pub fn after(mut self, delay: Duration) -> Self {
        self.delay = delay;
        self
    }

    fn with_body(status: u16, body: FakeBody) -> Self {
        Self {
            body,
            ..Self::status(status)
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_request_is_easy_to_question() {
        let request = FakeRequest {
            method: "PUT".to_owned(),
            path: "/a/b".to_owned(),
            query: "limit=3&sort=up".to_owned(),
            headers: vec![("x-key".to_owned(), "k".to_owned())],
            body: Bytes::from_static(b"{\"a\":1}"),
        };
        assert_eq!(request.line(), "PUT /a/b");
        assert_eq!(request.segments(), ["a", "b"]);
        assert_eq!(request.parameter("sort"), Some("up"));
        assert_eq!(request.parameter("none"), None);
        assert_eq!(request.header("X-Key"), Some("k"));
        assert_eq!(request.json(), Some(json!({"a": 1})));
    }
}
