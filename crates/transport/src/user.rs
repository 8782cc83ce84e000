//! Who sends a request, and how a service is told so. Plain data, as a configuration gives it.

use std::fmt;
use std::time::Duration;

use bytes::Bytes;
use fossick_contract::Method;

#[derive(Debug, Clone)]
pub struct User {
    pub name: String,
    pub credentials: Credentials,
}

#[derive(Clone, Default)]
pub enum Credentials {
    #[default]
    None,
    Headers(Vec<(String, String)>),
    Query(Vec<(String, String)>),
    Basic {
        user: String,
        password: String,
    },
    Bearer(String),
    Login(Login),
    /// Several at once, an API key beside a login for one.
    All(Vec<Credentials>),
}

/// A call that trades a name and a password for a token, and how the token is shown afterwards.
#[derive(Clone)]
pub struct Login {
    pub method: Method,
    /// A path below the base URL, or an absolute URL at the same origin.
    pub target: String,
    pub headers: Vec<(String, String)>,
    pub body: Bytes,
    pub media_type: String,
    pub token: TokenSource,
    /// `Authorization: Bearer {token}`, `Cookie: sid={token}`
    pub send: String,
    /// Log in again after this long, without waiting for a 401.
    pub expires: Option<Duration>,
}

/// Where in the login's answer the token lies.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TokenSource {
    /// A JSON pointer into the body.
    Pointer(String),
    Header(String),
    /// A cookie that the answer sets.
    Cookie(String),
}

impl fmt::Display for TokenSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Pointer(pointer) => write!(f, "`{pointer}` of its body"),
            Self::Header(name) => write!(f, "its header `{name}`"),
            Self::Cookie(name) => write!(f, "its cookie `{name}`"),
        }
    }
}

// Written by hand: a derived one would print passwords into the first log line that shows it.
impl fmt::Debug for Credentials {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::None => f.write_str("None"),
            Self::Headers(_) => f.write_str("Headers([redacted])"),
            Self::Query(_) => f.write_str("Query([redacted])"),
            Self::Basic { user, .. } => write!(f, "Basic({user}, [redacted])"),
            Self::Bearer(_) => f.write_str("Bearer([redacted])"),
            Self::Login(login) => login.fmt(f),
            Self::All(all) => f.debug_list().entries(all).finish(),
        }
    }
}

impl fmt::Debug for Login {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Login({} {}, [redacted])", self.method, self.target)
    }
}

impl Credentials {
    /// Each simple kind in it, in order.
    pub(crate) fn parts(&self) -> Vec<&Self> {
        match self {
            Self::All(all) => all.iter().flat_map(Self::parts).collect(),
            Self::None => Vec::new(),
            one => vec![one],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn passwords_are_not_printed() {
        let all = Credentials::All(vec![
            Credentials::Bearer("s3cret".into()),
            Credentials::Basic {
                user: "ann".into(),
                password: "s3cret".into(),
            },
            Credentials::Headers(vec![("k".into(), "s3cret".into())]),
        ]);
        let printed = format!("{all:?}");
        assert!(printed.contains("ann") && !printed.contains("s3cret"));
    }
}
