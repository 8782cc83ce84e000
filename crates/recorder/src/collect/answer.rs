//! What the collector answers.

use bytes::Bytes;
use http_body_util::Full;
use hyper::header::{ALLOW, CONTENT_TYPE, HeaderName, HeaderValue, RETRY_AFTER, WWW_AUTHENTICATE};
use hyper::{Response, StatusCode};
use serde_json::{Value, json};

pub(super) type Answer = Response<Full<Bytes>>;

/// Why a request was turned away.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Refusal {
    NoSuchPath,
    /// With the method that is served.
    Method(&'static str),
    Token,
    Encoded(String),
    TooLarge(usize),
    Unread(String),
    /// Nothing of it was queued: it can be sent again.
    Full,
    /// It was queued and the store has not taken it: some are lost, or it took too long.
    NotStored(u64),
    StoreLate,
    Broke,
}

impl Refusal {
    fn status(&self) -> StatusCode {
        match self {
            Self::NoSuchPath => StatusCode::NOT_FOUND,
            Self::Method(_) => StatusCode::METHOD_NOT_ALLOWED,
            Self::Token => StatusCode::UNAUTHORIZED,
            Self::Encoded(_) => StatusCode::UNSUPPORTED_MEDIA_TYPE,
            Self::TooLarge(_) => StatusCode::PAYLOAD_TOO_LARGE,
            Self::Unread(_) => StatusCode::BAD_REQUEST,
            Self::Full | Self::NotStored(_) => StatusCode::SERVICE_UNAVAILABLE,
            Self::StoreLate => StatusCode::GATEWAY_TIMEOUT,
            Self::Broke => StatusCode::INTERNAL_SERVER_ERROR,
        }
    }

    fn words(&self) -> String {
        match self {
            Self::NoSuchPath => "calls are told by POST /v1/seen".to_owned(),
            Self::Method(served) => format!("only {served} is served here"),
            Self::Token => "the token is missing or wrong: Authorization: Bearer …".to_owned(),
            Self::Encoded(encoding) => {
                format!("a body with content-encoding {encoding} is not read: send it plain")
            }
            Self::TooLarge(most) => {
                format!("a body of more than {most} bytes is not read: send fewer lines at a time")
            }
            Self::Unread(why) => format!("the body did not come whole: {why}"),
            Self::Full => "the queue is full and nothing was taken: send it again later".to_owned(),
            Self::NotStored(lost) => format!("{lost} of these calls are lost"),
            Self::StoreLate => "taken, but the store did not take it in time".to_owned(),
            Self::Broke => "the lines could not be read".to_owned(),
        }
    }

    fn header(&self) -> Option<(HeaderName, HeaderValue)> {
        match self {
            Self::Method(served) => Some((ALLOW, HeaderValue::from_static(served))),
            Self::Token => Some((WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"))),
            Self::Full => Some((RETRY_AFTER, HeaderValue::from_static("1"))),
            _ => None,
        }
    }
}

impl From<Refusal> for Answer {
    fn from(refusal: Refusal) -> Self {
        let mut answer = written(refusal.status(), &json!({ "error": refusal.words() }));
        if let Some((name, value)) = refusal.header() {
            answer.headers_mut().insert(name, value);
        }
        answer
    }
}

pub(super) fn written(status: StatusCode, value: &Value) -> Answer {
    let mut answer = Response::new(Full::new(Bytes::from(value.to_string())));
    *answer.status_mut() = status;
    let json = HeaderValue::from_static("application/json");
    answer.headers_mut().insert(CONTENT_TYPE, json);
    answer
}
