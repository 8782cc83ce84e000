//! Headers on their way out and back.
//!
//! What is the same for every request is built once and cloned; a request's own headers win over
//! it by name. Cookies are the exception: they are joined, and win one by one.

use fossick_trace::Failure;
use hyper::HeaderMap;
use hyper::header::{self, HeaderName, HeaderValue};

use crate::secret::is_credential;
use crate::{Settings, SetupError};

const ACCEPT: HeaderValue = HeaderValue::from_static("application/json, */*;q=0.5");
const ENCODINGS: HeaderValue = HeaderValue::from_static("gzip, deflate, br");

/// A header that can't be written; the name of it.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Unsendable(pub(crate) String);

impl From<Unsendable> for Failure {
    fn from(Unsendable(name): Unsendable) -> Self {
        Self::Malformed(format!("header {name} can't be sent"))
    }
}

impl From<Unsendable> for SetupError {
    fn from(Unsendable(name): Unsendable) -> Self {
        Self::Header(name)
    }
}

/// What every request carries, before anybody's credentials.
pub(crate) fn constant(settings: &Settings, anonymous: bool) -> Result<HeaderMap, Unsendable> {
    let mut map = HeaderMap::with_capacity(16);
    let host = settings.base.authority();
    map.insert(header::HOST, value("host", &host)?);
    let agent = value("user-agent", &settings.user_agent)?;
    map.insert(header::USER_AGENT, agent);
    map.insert(header::ACCEPT, ACCEPT);
    map.insert(header::ACCEPT_ENCODING, ENCODINGS);
    let kept: Vec<_> = settings
        .headers
        .iter()
        .filter(|(name, _)| !anonymous || !is_credential(name))
        .cloned()
        .collect();
    overlay(&mut map, &kept)?;
    Ok(map)
}

/// Puts headers over others: the first of a name replaces what was there, the next are added.
pub(crate) fn overlay(map: &mut HeaderMap, headers: &[(String, String)]) -> Result<(), Unsendable> {
    for (at, (name, text)) in headers.iter().enumerate() {
        let key = HeaderName::from_bytes(name.as_bytes()).map_err(|_| Unsendable(name.clone()))?;
        if is_framing(&key) {
            continue;
        }
        let content = value(name, text)?;
        if key == header::COOKIE {
            add_cookies(map, text)?;
        } else if headers[..at]
            .iter()
            .any(|(n, _)| n.eq_ignore_ascii_case(name))
        {
            map.append(key, content);
        } else {
            map.insert(key, content);
        }
    }
    Ok(())
}

/// The length of a body is the connection's business: a wrong one would spoil the next request
/// on it, or make the service wait for bytes that never come.
fn is_framing(name: &HeaderName) -> bool {
    *name == header::CONTENT_LENGTH || *name == header::TRANSFER_ENCODING
}

pub(crate) fn value(name: &str, text: &str) -> Result<HeaderValue, Unsendable> {
    HeaderValue::from_bytes(text.as_bytes()).map_err(|_| Unsendable(name.to_owned()))
}

/// Joins cookies to those already there; the new ones win by name.
pub(crate) fn add_cookies(map: &mut HeaderMap, cookies: &str) -> Result<(), Unsendable> {
    let Some(old) = map.get(header::COOKIE) else {
        map.insert(header::COOKIE, value("cookie", cookies)?);
        return Ok(());
    };
    let old = String::from_utf8_lossy(old.as_bytes()).into_owned();
    let kept = pairs(&old).filter(|pair| !pairs(cookies).any(|new| name_of(new) == name_of(pair)));
    let joined: Vec<&str> = pairs(cookies).chain(kept).collect();
    map.insert(header::COOKIE, value("cookie", &joined.join("; "))?);
    Ok(())
}

fn pairs(cookies: &str) -> impl Iterator<Item = &str> {
    cookies
        .split(';')
        .map(str::trim)
        .filter(|pair| !pair.is_empty())
}

fn name_of(pair: &str) -> &str {
    pair.split('=').next().unwrap_or(pair)
}

/// Headers of an answer as plain text, names in lower case.
pub(crate) fn plain(map: &HeaderMap) -> Vec<(String, String)> {
    map.iter()
        .map(|(name, value)| {
            let text = String::from_utf8_lossy(value.as_bytes()).into_owned();
            (name.as_str().to_owned(), text)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn owned(headers: &[(&str, &str)]) -> Vec<(String, String)> {
        headers
            .iter()
            .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
            .collect()
    }

    fn settings(headers: &[(&str, &str)]) -> Settings {
        Settings {
            headers: owned(headers),
            ..Settings::new("http://h:1".parse().expect("a good URL"))
        }
    }

    #[test]
    fn settings_win_over_what_is_always_there() {
        let map = constant(&settings(&[("Accept", "text/plain")]), false).expect("good headers");
        assert_eq!(map["accept"], "text/plain");
        assert_eq!(map["host"], "h:1");
        assert_eq!(map["user-agent"], crate::USER_AGENT);
    }

    #[test]
    fn an_anonymous_request_leaves_credentials_out() {
        let given = [("X-Api-Key", "s"), ("Authorization", "s"), ("X-Trace", "t")];
        let map = constant(&settings(&given), true).expect("good headers");
        assert!(!map.contains_key("x-api-key") && !map.contains_key("authorization"));
        assert_eq!(map["x-trace"], "t");
    }

    #[test]
    fn repeated_headers_are_all_sent() {
        let mut map = HeaderMap::new();
        map.insert("x-a", HeaderValue::from_static("old"));
        overlay(&mut map, &owned(&[("x-a", "1"), ("X-A", "2")])).expect("good headers");
        let all: Vec<_> = map.get_all("x-a").iter().collect();
        assert_eq!(all, ["1", "2"]);
    }

    #[test]
    fn a_control_character_can_not_be_sent() {
        let mut map = HeaderMap::new();
        let refused = overlay(&mut map, &owned(&[("x-a", "a\r\nb: c")]));
        assert_eq!(refused, Err(Unsendable("x-a".into())));
        assert!(overlay(&mut map, &owned(&[("a b", "")])).is_err());
        assert!(overlay(&mut map, &owned(&[("x-u", "é\t")])).is_ok());
    }

    #[test]
    fn the_length_of_a_body_is_not_taken_from_the_request() {
        let mut map = HeaderMap::new();
        let given = owned(&[("Content-Length", "9"), ("transfer-encoding", "x")]);
        overlay(&mut map, &given).expect("skipped");
        assert!(map.is_empty());
    }

    #[test]
    fn cookies_are_joined_and_the_newer_wins() {
        let mut map = HeaderMap::new();
        add_cookies(&mut map, "sid=1; a=1").expect("good cookies");
        overlay(&mut map, &owned(&[("Cookie", "a=2;b=3")])).expect("good cookies");
        assert_eq!(map["cookie"], "a=2; b=3; sid=1");
    }
}
