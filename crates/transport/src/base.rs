//! Where a service lives: the part of every URL that stays the same.
//!
//! URLs are taken apart here by hand, because URL libraries normalise and a tester must send odd
//! paths as they are. Nothing is resolved or opened here.

use std::fmt;
use std::str::FromStr;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scheme {
    Http,
    Https,
}

impl Scheme {
    fn default_port(self) -> u16 {
        match self {
            Self::Http => 80,
            Self::Https => 443,
        }
    }
}

impl fmt::Display for Scheme {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Http => "http",
            Self::Https => "https",
        })
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Base {
    pub scheme: Scheme,
    /// A name or an address; IPv6 without its brackets.
    pub host: String,
    pub port: u16,
    /// No trailing slash; may be empty.
    pub path: String,
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BaseError {
    #[error("not a URL: `{0}` has no scheme; perhaps http://{0}")]
    NoScheme(String),
    #[error("not a URL: `{text}` ({why})")]
    Bad { text: String, why: &'static str },
}

impl Base {
    /// The `Host` of every request: the port is named only where it is not the usual one.
    pub fn authority(&self) -> String {
        let host = if self.host.contains(':') {
            format!("[{}]", self.host)
        } else {
            self.host.clone()
        };
        if self.port == self.scheme.default_port() {
            host
        } else {
            format!("{host}:{}", self.port)
        }
    }

    /// Whether both are the same door: connections to one serve the other.
    pub(crate) fn same_origin(&self, other: &Self) -> bool {
        self.scheme == other.scheme && self.host == other.host && self.port == other.port
    }
}

impl fmt::Display for Base {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}://{}{}", self.scheme, self.authority(), self.path)
    }
}

impl FromStr for Base {
    type Err = BaseError;

    fn from_str(text: &str) -> Result<Self, BaseError> {
        let (origin, target) = locate(text)?;
        if target.contains('?') {
            return Err(bad(text, "a base URL has no query"));
        }
        Ok(Self {
            path: target.trim_end_matches('/').to_owned(),
            ..origin
        })
    }
}

/// An absolute URL as its origin (a base without path) and the target below it; fragments go.
pub(crate) fn locate(text: &str) -> Result<(Base, String), BaseError> {
    let text = text.trim();
    let (scheme, rest) = split_scheme(text)?;
    let rest = rest.split('#').next().unwrap_or_default();
    let end = rest.find(['/', '?']).unwrap_or(rest.len());
    let (authority, target) = rest.split_at(end);
    let (host, port) = split_authority(authority).map_err(|why| bad(text, why))?;
    let target = match target {
        "" => "/".to_owned(),
        query if query.starts_with('?') => format!("/{query}"),
        path => path.to_owned(),
    };
    let origin = Base {
        scheme,
        host,
        port: port.unwrap_or_else(|| scheme.default_port()),
        path: String::new(),
    };
    Ok((origin, target))
}

fn bad(text: &str, why: &'static str) -> BaseError {
    BaseError::Bad {
        text: text.to_owned(),
        why,
    }
}

fn split_scheme(text: &str) -> Result<(Scheme, &str), BaseError> {
    let Some((scheme, rest)) = text.split_once("://") else {
        if text.is_empty() || text.contains(char::is_whitespace) {
            return Err(bad(text, "expected http://host or https://host"));
        }
        return Err(BaseError::NoScheme(text.to_owned()));
    };
    if scheme.eq_ignore_ascii_case("http") {
        Ok((Scheme::Http, rest))
    } else if scheme.eq_ignore_ascii_case("https") {
        Ok((Scheme::Https, rest))
    } else {
        Err(bad(text, "only http and https are spoken"))
    }
}

fn split_authority(authority: &str) -> Result<(String, Option<u16>), &'static str> {
    if authority.contains('@') {
        return Err("credentials belong to a user, not into the URL");
    }
    let (host, port) = match authority.strip_prefix('[') {
        Some(bracketed) => {
            let (host, rest) = bracketed.split_once(']').ok_or("`[` is never closed")?;
            host.parse::<std::net::Ipv6Addr>()
                .map_err(|_| "not an IPv6 address in brackets")?;
            (host, rest.strip_prefix(':').unwrap_or(rest))
        }
        None => authority.split_once(':').unwrap_or((authority, "")),
    };
    if host.is_empty() {
        return Err("the host is missing");
    }
    if !host.bytes().all(belongs_in_host) {
        return Err("the host has a character that no host name has");
    }
    Ok((host.to_ascii_lowercase(), parse_port(port)?))
}

fn belongs_in_host(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_' | b'~' | b':')
}

fn parse_port(text: &str) -> Result<Option<u16>, &'static str> {
    match text {
        "" => Ok(None),
        digits => digits
            .parse()
            .map(Some)
            .map_err(|_| "the port is not a number up to 65535"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn base(text: &str) -> Base {
        text.parse().expect("a good URL")
    }

    fn refusal(text: &str) -> String {
        text.parse::<Base>().expect_err("a bad URL").to_string()
    }

    #[test]
    fn a_base_is_read_and_written_back() {
        for text in [
            "http://localhost:8080/api/v1",
            "https://example.com",
            "http://[::1]:81/x",
        ] {
            assert_eq!(base(text).to_string(), text);
        }
        assert_eq!(base("http://h/a//").path, "/a");
        assert_eq!(base("http://H:80").to_string(), "http://h");
        assert_eq!(base("https://h:80").authority(), "h:80");
    }

    #[test]
    fn a_missing_scheme_is_suggested() {
        assert_eq!(
            refusal("localhost:8080"),
            "not a URL: `localhost:8080` has no scheme; perhaps http://localhost:8080"
        );
    }

    #[test]
    fn what_is_no_base_is_refused_with_the_reason() {
        assert!(refusal("ftp://h").contains("only http and https"));
        assert!(refusal("http://").contains("the host is missing"));
        assert!(refusal("http://h:99999").contains("port"));
        assert!(refusal("http://u:p@h").contains("credentials"));
        assert!(refusal("http://[::1").contains("never closed"));
        assert!(refusal("http://a b/").contains("character"));
        assert!(refusal("http://h/?a=1").contains("no query"));
        assert!(refusal("").contains("expected http://host"));
    }

    #[test]
    fn a_whole_url_gives_its_target_without_the_fragment() {
        let (origin, target) = locate("http://h:1?a=b#c").expect("a good URL");
        assert_eq!((origin.port, target.as_str()), (1, "/?a=b"));
        let (_, target) = locate("http://h/a//b/?q#f").expect("a good URL");
        assert_eq!(target, "/a//b/?q");
    }
}
