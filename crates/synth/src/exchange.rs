//! A request and its answer as plain data, so that everything behind the socket can be tested
//! without one.

/// What came in, undecoded.
#[derive(Debug, Default, Clone, Copy)]
pub(crate) struct Request<'a> {
    pub(crate) method: &'a str,
    pub(crate) path: &'a str,
    pub(crate) content_type: Option<&'a str>,
    /// The number by which a tool knows the call; 0 if it gave none.
    pub(crate) call: u64,
    pub(crate) body: &'a [u8],
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Reply {
    pub(crate) status: u16,
    pub(crate) body: Option<String>,
    /// The methods that there are, for a request with one that there is not.
    pub(crate) allow: Option<String>,
}

impl Reply {
    pub(crate) fn empty(status: u16) -> Self {
        Self {
            status,
            body: None,
            allow: None,
        }
    }

    pub(crate) fn json(status: u16, body: String) -> Self {
        Self {
            body: Some(body),
            ..Self::empty(status)
        }
    }

    /// The words are our own and need no escapes.
    pub(crate) fn problem(status: u16, words: &str) -> Self {
        let body = format!("{{\"status\":{status},\"detail\":\"{words}\"}}");
        Self::json(status, body)
    }
}
