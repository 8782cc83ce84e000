//! The request target: base path, path and query as they go out on the first line.
//!
//! Callers escape what they send, and it goes out byte for byte. Only bytes that the HTTP library
//! refuses to write are escaped here, because the alternative is not to send the request at all.

use std::borrow::Cow;
use std::fmt::Write as _;

use bytes::Bytes;
use hyper::http::uri::PathAndQuery;

use fossick_trace::Failure;

/// Builds the target from the base's path, the request's own target and the user's parameters.
pub(crate) fn build(
    prefix: &str,
    target: &str,
    query: &[(String, String)],
) -> Result<PathAndQuery, Failure> {
    let text = assemble(prefix, target, query);
    // A `#` would be taken for a fragment and silently cut off.
    if !text.contains('#')
        && let Ok(path) = PathAndQuery::from_maybe_shared(Bytes::from(text))
    {
        return Ok(path);
    }
    let text = escape(&assemble(prefix, target, query));
    let length = text.len();
    PathAndQuery::from_maybe_shared(Bytes::from(text)).map_err(|why| {
        Failure::Malformed(format!("a target of {length} bytes can't be sent: {why}"))
    })
}

fn assemble(prefix: &str, target: &str, query: &[(String, String)]) -> String {
    let mut text = String::with_capacity(prefix.len() + target.len());
    text.push_str(prefix);
    text.push_str(target);
    if !text.starts_with('/') && text != "*" {
        text.insert(0, '/');
    }
    for (name, value) in query {
        add_parameter(&mut text, name, value);
    }
    text
}

/// What the request says itself is never said twice.
fn add_parameter(text: &mut String, name: &str, value: &str) {
    let own = text.split_once('?').is_some_and(|(_, query)| {
        query
            .split('&')
            .any(|pair| pair.split('=').next() == Some(name))
    });
    if own {
        return;
    }
    text.push(if text.contains('?') { '&' } else { '?' });
    text.push_str(name);
    text.push('=');
    text.push_str(value);
}

fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 8);
    let mut in_query = false;
    for character in text.chars() {
        if is_accepted(character, in_query) {
            out.push(character);
        } else {
            // Whatever is refused is ASCII: the library takes all other characters.
            let _ = write!(out, "%{:02X}", u32::from(character));
        }
        in_query |= character == '?';
    }
    out
}

/// Asks the library itself, one character at a time: this is the rare way and its rules are its own.
fn is_accepted(character: char, in_query: bool) -> bool {
    if !character.is_ascii() {
        return true;
    }
    let lead = if in_query { "/?" } else { "/" };
    character != '#' && PathAndQuery::try_from(format!("{lead}{character}")).is_ok()
}

/// A name or a value for the query, escaped.
pub(crate) fn encoded(text: &str) -> String {
    Cow::from(percent_encoding::utf8_percent_encode(
        text,
        fossick_trace::COMPONENT,
    ))
    .into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn built(prefix: &str, target: &str) -> String {
        build(prefix, target, &[])
            .expect("a target that can be sent")
            .as_str()
            .to_owned()
    }

    #[test]
    fn odd_but_legal_targets_are_not_touched() {
        for target in [
            "//a/../b/./c",
            "/a%2Fb%00?x=%ff&&=&y",
            "/{id}/\"q\"",
            "/a?b?c=/d",
            "/é?ü",
            "/?",
        ] {
            assert_eq!(built("", target), target);
        }
        assert_eq!(built("/api", "/x"), "/api/x");
    }

    #[test]
    fn what_can_not_be_written_is_escaped() {
        assert_eq!(built("", "/a b\r\nx#y?z z<"), "/a%20b%0D%0Ax%23y?z%20z%3C");
        assert_eq!(built("", "/\u{0}\u{7f}"), "/%00%7F");
    }

    #[test]
    fn a_target_always_begins_with_a_slash() {
        assert_eq!(built("", ""), "/");
        assert_eq!(built("", "?a=1"), "/?a=1");
        assert_eq!(built("", "*"), "*");
        assert_eq!(built("/api", ""), "/api");
    }

    #[test]
    fn a_target_beyond_the_limit_is_a_failure() {
        let long = "/x".repeat(40_000);
        let failure = build("", &long, &[]).expect_err("too long");
        assert!(failure.to_string().contains("80000 bytes"));
    }

    #[test]
    fn a_parameter_of_the_user_yields_to_the_request() {
        let key = [("key".to_owned(), "s".to_owned())];
        let with = |target| build("", target, &key).expect("can be sent").to_string();
        assert_eq!(with("/a"), "/a?key=s");
        assert_eq!(with("/a?b=1"), "/a?b=1&key=s");
        assert_eq!(with("/a?key=mine"), "/a?key=mine");
    }
}
