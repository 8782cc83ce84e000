//! Headers that are for one connection only, and do not belong on the next.
//!
//! Everything else goes through as it came, in its order and case. `Via` is not added: a call
//! should arrive as it would without a recorder.

use hyper::HeaderMap;
use hyper::header::{CONNECTION, HeaderName, HeaderValue, TE, TRANSFER_ENCODING, UPGRADE};
use hyper::http::request::Parts;
use hyper::{Version, header};

const KEEP_ALIVE: HeaderName = HeaderName::from_static("keep-alive");
const PROXY_CONNECTION: HeaderName = HeaderName::from_static("proxy-connection");
const HTTP2_SETTINGS: HeaderName = HeaderName::from_static("http2-settings");

/// Whether the client wants the connection to become something else. An upgrade to HTTP/2 is
/// obsolete and may be ignored; it is, because calls could not be seen any more.
pub(crate) fn wants_upgrade(head: &Parts) -> bool {
    head.version == Version::HTTP_11
        && head.headers.contains_key(UPGRADE)
        && tokens(&head.headers).any(|token| token.eq_ignore_ascii_case("upgrade"))
        && !is_http2(&head.headers)
}

fn is_http2(headers: &HeaderMap) -> bool {
    let value = headers.get(UPGRADE).map(HeaderValue::as_bytes);
    value.is_some_and(|value| value.eq_ignore_ascii_case(b"h2c"))
}

/// The words of `Connection`.
fn tokens(headers: &HeaderMap) -> impl Iterator<Item = &str> {
    let values = headers.get_all(CONNECTION).iter();
    values
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(','))
        .map(str::trim)
}

/// Leaves of a request what is for the upstream.
pub(crate) fn clean_request(headers: &mut HeaderMap, upgrade: bool) {
    // What the client says of its connection is mostly true of the next one too.
    let shared = |token: &str| {
        token.eq_ignore_ascii_case("keep-alive")
            || (upgrade && token.eq_ignore_ascii_case("upgrade"))
    };
    let foreign = !tokens(headers).all(shared)
        || (!upgrade && headers.contains_key(UPGRADE))
        || [KEEP_ALIVE, PROXY_CONNECTION, TE]
            .iter()
            .any(|name| headers.contains_key(name));
    if !foreign {
        return;
    }
    let trailers = accepts_trailers(headers);
    clean(headers, upgrade);
    if upgrade {
        headers.insert(CONNECTION, HeaderValue::from_static("upgrade"));
    }
    if trailers {
        headers.insert(TE, HeaderValue::from_static("trailers"));
    }
}

/// Leaves of an answer what is for the client.
pub(crate) fn clean_answer(headers: &mut HeaderMap, upgraded: bool) {
    let named = [CONNECTION, KEEP_ALIVE, PROXY_CONNECTION, UPGRADE];
    if upgraded || !named.iter().any(|name| headers.contains_key(name)) {
        return;
    }
    clean(headers, false);
}

/// Taking headers out one by one would change the order of the others.
fn clean(headers: &mut HeaderMap, upgrade: bool) {
    let named: Vec<HeaderName> = tokens(headers)
        .filter_map(|token| HeaderName::from_bytes(token.as_bytes()).ok())
        .collect();
    let goes = |name: &HeaderName| {
        [CONNECTION, KEEP_ALIVE, PROXY_CONNECTION, TE, HTTP2_SETTINGS].contains(name)
            || (*name == UPGRADE && !upgrade)
            || (named.contains(name) && !is_needed(name))
    };
    let mut rest = HeaderMap::with_capacity(headers.len());
    let mut last = None;
    for (name, value) in headers.drain() {
        last = name.or(last);
        if let Some(name) = last.as_ref().filter(|name| !goes(name)) {
            rest.append(name.clone(), value);
        }
    }
    *headers = rest;
}

/// Headers that `Connection` must not be used to take away: without them a message means
/// something else, which has been used to trick services.
fn is_needed(name: &HeaderName) -> bool {
    [
        header::HOST,
        header::CONTENT_LENGTH,
        TRANSFER_ENCODING,
        header::CONTENT_TYPE,
        header::AUTHORIZATION,
        UPGRADE,
    ]
    .contains(name)
}

fn accepts_trailers(headers: &HeaderMap) -> bool {
    let values = headers.get_all(TE).iter();
    values
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(','))
        .any(|coding| coding.trim().eq_ignore_ascii_case("trailers"))
}

/// HTTP/2 has no words for connections; the length of a body is told by its frames.
pub(crate) fn clean_for_two(headers: &mut HeaderMap) {
    for name in [
        CONNECTION,
        KEEP_ALIVE,
        PROXY_CONNECTION,
        TRANSFER_ENCODING,
        UPGRADE,
    ] {
        headers.remove(name);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn map(headers: &[(&'static str, &'static str)]) -> HeaderMap {
        let mut map = HeaderMap::new();
        for (name, value) in headers {
            map.append(*name, HeaderValue::from_static(value));
        }
        map
    }

    fn plain(map: &HeaderMap) -> Vec<(&str, &str)> {
        let text = |value: &'_ HeaderValue| -> String { value.to_str().expect("text").to_owned() };
        let _ = text;
        map.iter()
            .map(|(name, value)| (name.as_str(), value.to_str().expect("text")))
            .collect()
    }

    #[test]
    fn a_usual_request_is_left_alone() {
        let usual = [
            ("host", "h"),
            ("connection", "keep-alive"),
            ("accept", "*/*"),
        ];
        let mut headers = map(&usual);
        clean_request(&mut headers, false);
        assert_eq!(plain(&headers), usual);
    }

    #[test]
    fn what_is_for_the_connection_goes_and_the_rest_keeps_its_order() {
        let mut headers = map(&[
            ("host", "h"),
            ("connection", "close, X-Hop"),
            ("x-a", "1"),
            ("keep-alive", "timeout=5"),
            ("x-hop", "secret"),
            ("te", "gzip, trailers"),
            ("x-a", "2"),
            ("transfer-encoding", "chunked"),
        ]);
        clean_request(&mut headers, false);
        let expected = [
            ("host", "h"),
            ("x-a", "1"),
            ("x-a", "2"),
            ("transfer-encoding", "chunked"),
            ("te", "trailers"),
        ];
        assert_eq!(plain(&headers), expected);
    }

    #[test]
    fn what_a_message_needs_can_not_be_named_away() {
        let mut headers = map(&[
            ("connection", "close, host, content-length, authorization"),
            ("host", "h"),
            ("content-length", "3"),
            ("authorization", "x"),
        ]);
        clean_request(&mut headers, false);
        let expected = [
            ("host", "h"),
            ("content-length", "3"),
            ("authorization", "x"),
        ];
        assert_eq!(plain(&headers), expected);
    }

    #[test]
    fn an_upgrade_is_passed_on_but_not_one_to_http_2() {
        let head = |upgrade: &'static str| {
            let request = hyper::Request::builder()
                .header("connection", "keep-alive, Upgrade")
                .header("upgrade", upgrade);
            request.body(()).expect("good headers").into_parts().0
        };
        assert!(wants_upgrade(&head("websocket")) && !wants_upgrade(&head("h2c")));
        let mut headers = head("websocket").headers;
        let before = headers.clone();
        clean_request(&mut headers, true);
        assert_eq!(headers, before);
        clean_request(&mut headers, false);
        assert!(headers.is_empty());
    }

    #[test]
    fn an_answer_loses_only_what_is_for_its_connection() {
        let mut headers = map(&[("server", "s"), ("connection", "close"), ("x-b", "1")]);
        clean_answer(&mut headers, false);
        assert_eq!(plain(&headers), [("server", "s"), ("x-b", "1")]);
    }
}
