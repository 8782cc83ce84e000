//! What came over a connection, before it is an answer, and what can go wrong on the way.

use std::error::Error;

use fossick_trace::Failure;
use hyper::HeaderMap;

pub(crate) struct Reply {
    pub(crate) status: u16,
    pub(crate) headers: HeaderMap,
    /// Still encoded.
    pub(crate) body: Vec<u8>,
    /// There was more than the limit allows.
    pub(crate) cut: bool,
}

pub(crate) enum Trouble {
    /// The request never left: it can be sent again whatever it asks for.
    Unsent(Failure),
    /// The connection ended before the first byte of an answer.
    Silent(Failure),
    Failed(Failure),
}

impl Trouble {
    pub(crate) fn failure(self) -> Failure {
        match self {
            Self::Unsent(failure) | Self::Silent(failure) | Self::Failed(failure) => failure,
        }
    }
}

/// Sorts an error of the HTTP library: either what came is not HTTP, or it did not all come.
pub(crate) fn failure(error: &hyper::Error) -> Failure {
    if error.is_parse() || is_nonsense(error) {
        Failure::Malformed(chain(error))
    } else {
        Failure::Dropped(chain(error))
    }
}

/// A body whose chunks make no sense is reported as an input error below a body error.
fn is_nonsense(error: &hyper::Error) -> bool {
    error
        .source()
        .and_then(|source| source.downcast_ref::<std::io::Error>())
        .is_some_and(|source| {
            use std::io::ErrorKind::{InvalidData, InvalidInput};
            matches!(source.kind(), InvalidData | InvalidInput)
        })
}

/// The error with its causes, which the library leaves out of its own text.
fn chain(error: &hyper::Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(inner) = cause {
        text.push_str(": ");
        text.push_str(&inner.to_string());
        cause = inner.source();
    }
    text
}
