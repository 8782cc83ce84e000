//! What a client is told when it is made, and what can be wrong with it.

use std::fmt;
use std::time::Duration;

use crate::{Base, User, redact};

pub const USER_AGENT: &str = concat!("fossick/", env!("CARGO_PKG_VERSION"));

#[derive(Clone)]
pub struct Settings {
    pub base: Base,
    /// For one whole exchange, from the first byte sent to the last byte of the body.
    pub timeout: Duration,
    pub connect_timeout: Duration,
    /// What lies beyond is not read: the connection is closed and the answer is truncated.
    pub max_body: usize,
    /// At most this many exchanges at a time.
    pub connections: usize,
    /// Requests per second, evenly spaced.
    pub rate: Option<f64>,
    /// On every request.
    pub headers: Vec<(String, String)>,
    /// Accept any certificate.
    pub insecure: bool,
    /// HTTP/2 without asking, for `http`; for `https` both versions are always offered.
    pub http2: bool,
    /// Where a request names no user, it runs as the first.
    pub users: Vec<User>,
    pub user_agent: String,
    /// Keep cookies for every user; for users who log in they are always kept.
    pub cookies: bool,
    /// The longest that a `Retry-After` is obeyed by pausing all requests; zero leaves it to the
    /// caller.
    pub longest_pause: Duration,
}

impl Settings {
    pub fn new(base: Base) -> Self {
        Self {
            base,
            timeout: Duration::from_secs(10),
            connect_timeout: Duration::from_secs(3),
            max_body: 8 << 20,
            connections: 16,
            rate: None,
            headers: Vec::new(),
            insecure: false,
            http2: false,
            users: Vec::new(),
            user_agent: USER_AGENT.to_owned(),
            cookies: false,
            longest_pause: Duration::from_mins(1),
        }
    }
}

// Written by hand: headers may hold secrets.
impl fmt::Debug for Settings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Settings")
            .field("base", &self.base)
            .field("headers", &redact(&self.headers))
            .field("users", &self.users)
            .finish_non_exhaustive()
    }
}

#[derive(Debug, thiserror::Error)]
pub enum SetupError {
    #[error("header {0} can't be sent: it has a character that no header may have")]
    Header(String),
    #[error("no connection is allowed: at least one is needed")]
    NoConnections,
    #[error("a rate of {0} requests per second is no rate")]
    Rate(f64),
    #[error("two users are called `{0}`")]
    TwiceUser(String),
    #[error("login of `{user}`: {why}")]
    Login { user: String, why: String },
    #[error("`{0}` can't be named in a TLS handshake")]
    ServerName(String),
    #[error("TLS can't be set up: {0}")]
    Tls(String),
}
