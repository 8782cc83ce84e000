//! What can go wrong between the proxy and the upstream, and what may be tried again.

use std::error::Error;

use hyper::Request;

use super::upload::Upload;

pub(crate) enum Trouble {
    /// The request never left: it can be sent again whatever it asks for.
    Unsent(Box<Request<Upload>>, String),
    /// The connection ended before the first byte of an answer.
    Silent(String),
    Failed(String),
}

impl Trouble {
    pub(crate) fn why(self) -> String {
        match self {
            Self::Unsent(_, why) | Self::Silent(why) | Self::Failed(why) => why,
        }
    }
}

/// The error with its causes, which the library leaves out of its own text.
pub(crate) fn chain(error: &hyper::Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(inner) = cause {
        text.push_str(": ");
        text.push_str(&inner.to_string());
        cause = inner.source();
    }
    text
}
