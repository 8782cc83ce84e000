//! Where a request goes: its target and its `Host`, for either version of HTTP.

use std::net::IpAddr;

use bytes::Bytes;
use hyper::header::{CONTENT_LENGTH, COOKIE, HOST, HeaderName, HeaderValue, TRANSFER_ENCODING};
use hyper::http::request::Parts;
use hyper::http::uri::{Authority, PathAndQuery, Scheme, Uri};
use hyper::{HeaderMap, Version};

use super::headers::clean_for_two;
use crate::{HostHeader, ProxySettings};

/// What is the same for every request, made once.
pub(crate) struct Address {
    host: HeaderValue,
    rewrite: bool,
    /// The path below which the upstream lives; mostly empty.
    prefix: String,
    scheme: Scheme,
    forwarded: bool,
}

impl Address {
    /// None where the upstream's name can't be written in a header.
    pub(crate) fn new(settings: &ProxySettings) -> Option<Self> {
        let upstream = &settings.upstream;
        Some(Self {
            host: HeaderValue::try_from(upstream.authority()).ok()?,
            rewrite: settings.host == HostHeader::Upstream,
            prefix: upstream.path.clone(),
            scheme: match upstream.scheme {
                fossick_transport::Scheme::Http => Scheme::HTTP,
                fossick_transport::Scheme::Https => Scheme::HTTPS,
            },
            forwarded: settings.forwarded,
        })
    }

    /// Directs a request to the upstream, in the form of HTTP/1.1. Clean headers come first.
    pub(crate) fn direct(&self, head: &mut Parts, has_body: bool, client: IpAddr) {
        if self.forwarded {
            forward(head, client);
        }
        self.set_host(head);
        if !self.prefix.is_empty() || head.uri.authority().is_some() {
            head.uri = self.target(&head.uri);
        }
        if head.version == Version::HTTP_2 {
            join_cookies(&mut head.headers);
            declare_body(&mut head.headers, has_body);
        }
        head.version = Version::HTTP_11;
    }

    fn set_host(&self, head: &mut Parts) {
        let said = head.uri.authority().map(Authority::as_str);
        let said = said.and_then(|said| HeaderValue::from_str(said).ok());
        let missing = || !head.headers.contains_key(HOST);
        let host = match said {
            _ if self.rewrite => Some(self.host.clone()),
            Some(said) => Some(said),
            None => missing().then(|| self.host.clone()),
        };
        if let Some(host) = host {
            head.headers.insert(HOST, host);
        }
    }

    fn target(&self, uri: &Uri) -> Uri {
        let target = uri.path_and_query().map_or("/", PathAndQuery::as_str);
        if target == "*" {
            return Uri::from(PathAndQuery::from_static("*"));
        }
        let text = format!("{}{target}", self.prefix);
        // What was a target before is one with a path in front.
        let target = PathAndQuery::from_maybe_shared(Bytes::from(text));
        target.map_or_else(|_| uri.clone(), Uri::from)
    }

    /// Turns a directed request into the form of HTTP/2.
    pub(crate) fn make_two(&self, head: &mut Parts) {
        let host = head.headers.remove(HOST);
        let host = host.unwrap_or_else(|| self.host.clone());
        let mut parts = head.uri.clone().into_parts();
        if let Ok(authority) = Authority::from_maybe_shared(Bytes::copy_from_slice(host.as_bytes()))
        {
            parts.authority = Some(authority);
            parts.scheme = Some(self.scheme.clone());
        }
        if let Ok(uri) = Uri::from_parts(parts) {
            head.uri = uri;
        }
        clean_for_two(&mut head.headers);
        head.version = Version::HTTP_2;
    }

    /// Turns it back.
    pub(crate) fn make_one(&self, head: &mut Parts, has_body: bool) {
        if head.version != Version::HTTP_2 {
            return;
        }
        self.set_host(head);
        let target = head.uri.path_and_query().cloned();
        head.uri = Uri::from(target.unwrap_or_else(|| PathAndQuery::from_static("/")));
        declare_body(&mut head.headers, has_body);
        head.version = Version::HTTP_11;
    }
}

/// HTTP/2 may split what HTTP/1.1 says in one line.
fn join_cookies(headers: &mut HeaderMap) {
    let mut values = headers.get_all(COOKIE).iter();
    if values.nth(1).is_none() {
        return;
    }
    let all: Vec<&[u8]> = headers
        .get_all(COOKIE)
        .iter()
        .map(HeaderValue::as_bytes)
        .collect();
    if let Ok(joined) = HeaderValue::from_bytes(&all.join(&b"; "[..])) {
        headers.insert(COOKIE, joined);
    }
}

/// A body of unknown length must be announced, or a GET would be thought to have none.
fn declare_body(headers: &mut HeaderMap, has_body: bool) {
    if has_body && !headers.contains_key(CONTENT_LENGTH) {
        headers.insert(TRANSFER_ENCODING, HeaderValue::from_static("chunked"));
    }
}

fn forward(head: &mut Parts, client: IpAddr) {
    const FOR: HeaderName = HeaderName::from_static("x-forwarded-for");
    const PROTO: HeaderName = HeaderName::from_static("x-forwarded-proto");
    const ORIGINAL: HeaderName = HeaderName::from_static("x-forwarded-host");
    let before = head.headers.get(FOR).and_then(|value| value.to_str().ok());
    let all = before.map_or_else(
        || client.to_string(),
        |before| format!("{before}, {client}"),
    );
    let authority = head.uri.authority();
    let host = authority.and_then(|host| HeaderValue::from_str(host.as_str()).ok());
    let host = host.or_else(|| head.headers.get(HOST).cloned());
    if let Ok(all) = HeaderValue::try_from(all) {
        head.headers.insert(FOR, all);
    }
    let headers = &mut head.headers;
    headers
        .entry(PROTO)
        .or_insert(HeaderValue::from_static("http"));
    if let Some(host) = host {
        headers.entry(ORIGINAL).or_insert(host);
    }
}

#[cfg(test)]
mod tests {
    use std::net::SocketAddr;

    use super::*;

    const CLIENT: IpAddr = IpAddr::V4(std::net::Ipv4Addr::new(10, 0, 0, 7));

    fn address(upstream: &str, change: impl FnOnce(&mut ProxySettings)) -> Address {
        let listen = SocketAddr::from(([127, 0, 0, 1], 0));
        let upstream = upstream.parse().expect("a good URL");
        let mut settings = ProxySettings::new(listen, upstream);
        change(&mut settings);
        Address::new(&settings).expect("a good name")
    }

    fn head(target: &str, headers: &[(&str, &str)]) -> Parts {
        let mut builder = hyper::Request::builder().uri(target);
        for (name, value) in headers {
            builder = builder.header(*name, *value);
        }
        builder.body(()).expect("a good request").into_parts().0
    }

    #[test]
    fn a_usual_request_is_not_touched() {
        let address = address("http://up:1", |_| {});
        let mut usual = head("/a//b/../c?x=%20", &[("host", "public.example")]);
        address.direct(&mut usual, false, CLIENT);
        assert_eq!(usual.uri, "/a//b/../c?x=%20");
        assert_eq!(usual.headers["host"], "public.example");
        assert_eq!(usual.headers.len(), 1);
    }

    #[test]
    fn the_host_is_the_upstream_s_by_wish_or_by_need() {
        let rewriting = address("http://up:1", |s| s.host = HostHeader::Upstream);
        let mut told = head("/", &[("host", "public.example")]);
        rewriting.direct(&mut told, false, CLIENT);
        assert_eq!(told.headers["host"], "up:1");
        let mut silent = head("/", &[]);
        address("http://up:1", |_| {}).direct(&mut silent, false, CLIENT);
        assert_eq!(silent.headers["host"], "up:1");
    }

    #[test]
    fn a_target_of_the_absolute_form_and_a_path_of_the_upstream_are_laid_together() {
        let address = address("http://up:1/api", |_| {});
        let mut absolute = head("http://public.example/x?y", &[("host", "lie")]);
        address.direct(&mut absolute, false, CLIENT);
        assert_eq!(absolute.uri, "/api/x?y");
        assert_eq!(absolute.headers["host"], "public.example");
    }

    #[test]
    fn a_request_of_http_2_is_written_in_one_line_each() {
        let address = address("http://up:1", |_| {});
        let mut two = head("http://h/x", &[("cookie", "a=1"), ("cookie", "b=2")]);
        two.version = Version::HTTP_2;
        address.direct(&mut two, true, CLIENT);
        assert_eq!(two.headers.get_all("cookie").iter().count(), 1);
        assert_eq!(two.headers["cookie"], "a=1; b=2");
        assert_eq!(two.headers["transfer-encoding"], "chunked");
        assert_eq!(
            (two.version, two.uri.to_string()),
            (Version::HTTP_11, "/x".into())
        );
    }

    #[test]
    fn either_form_can_be_turned_into_the_other() {
        let address = address("https://up", |s| s.host = HostHeader::Kept);
        let mut call = head("/x?y", &[("host", "h:8")]);
        address.make_two(&mut call);
        assert_eq!(call.uri, "https://h:8/x?y");
        assert!(call.headers.is_empty());
        address.make_one(&mut call, false);
        assert_eq!(call.uri, "/x?y");
        assert_eq!(call.headers["host"], "h:8");
    }

    #[test]
    fn the_upstream_hears_of_the_client_only_by_wish() {
        let address = address("http://up", |s| s.forwarded = true);
        let mut call = head("/", &[("host", "h"), ("x-forwarded-for", "1.1.1.1")]);
        address.direct(&mut call, false, CLIENT);
        assert_eq!(call.headers["x-forwarded-for"], "1.1.1.1, 10.0.0.7");
        assert_eq!(call.headers["x-forwarded-host"], "h");
        assert_eq!(call.headers["x-forwarded-proto"], "http");
    }
}
