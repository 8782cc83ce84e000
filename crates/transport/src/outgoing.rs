//! Makes a request ready for the wire: target, headers and body.

use bytes::Bytes;
use fossick_contract::Method;
use fossick_trace::{Failure, Request};
use http_body_util::Full;
use hyper::HeaderMap;
use hyper::header::{AUTHORIZATION, CONTENT_LENGTH, HOST, HeaderValue};
use hyper::http::Uri;
use hyper::http::uri::PathAndQuery;

use crate::client::Inner;
use crate::identity::Identity;
use crate::pool::Lane;
use crate::session::Session;
use crate::{Scheme, headers, target};

/// How a request is sent, beside what it says itself.
#[derive(Clone, Copy)]
pub(crate) struct Manner<'a> {
    pub(crate) identity: Option<&'a Identity>,
    /// The target stands at the root instead of below the base's path.
    pub(crate) rooted: bool,
    /// A login starts afresh: without the old token and without the cookies that came with it.
    pub(crate) is_login: bool,
}

/// A request that lacks only the connection it goes over.
pub(crate) struct Outgoing {
    method: hyper::Method,
    path: PathAndQuery,
    headers: HeaderMap,
    body: Bytes,
    scheme: Scheme,
}

impl Outgoing {
    pub(crate) fn new(
        client: &Inner,
        request: &Request,
        manner: Manner<'_>,
    ) -> Result<Self, Failure> {
        let prefix = if manner.rooted {
            ""
        } else {
            &client.settings.base.path
        };
        let query = manner.identity.map_or(&[][..], |identity| &identity.query);
        let path = target::build(prefix, &request.target, query)?;
        Ok(Self {
            method: method(request.method),
            headers: all_headers(client, request, manner, path.path())?,
            path,
            body: request.body.clone(),
            scheme: client.settings.base.scheme,
        })
    }

    pub(crate) fn over(mut self, lane: &Lane) -> Result<hyper::Request<Full<Bytes>>, Failure> {
        let uri = if lane.is_shared() {
            // Over HTTP/2 the host is part of the target.
            let host = self.headers.remove(HOST);
            absolute(self.scheme, host.as_ref(), self.path)?
        } else {
            Uri::from(self.path)
        };
        let mut request = hyper::Request::new(Full::new(self.body));
        *request.method_mut() = self.method;
        *request.uri_mut() = uri;
        *request.headers_mut() = self.headers;
        Ok(request)
    }
}

fn all_headers(
    client: &Inner,
    request: &Request,
    manner: Manner<'_>,
    path: &str,
) -> Result<HeaderMap, Failure> {
    let mut map = match manner.identity {
        Some(identity) => identity.headers.clone(),
        None if request.anonymous => client.anonymous.clone(),
        None => client.plain.clone(),
    };
    if let Some(identity) = manner.identity
        && !manner.is_login
        && !brings_its_own(request, identity)
    {
        add_session(&mut map, identity, path)?;
    }
    headers::overlay(&mut map, &request.headers)?;
    if request.body.is_empty() && has_body_by_nature(request.method) {
        map.insert(CONTENT_LENGTH, HeaderValue::from_static("0"));
    }
    Ok(map)
}

/// Whether the request says itself who it is. Then nothing of the user's session goes with it: a
/// spoilt token beside a good cookie would prove nothing.
fn brings_its_own(request: &Request, identity: &Identity) -> bool {
    match &identity.session {
        Some(session) => session.is_overruled_by(request),
        None => fossick_trace::header(&request.headers, AUTHORIZATION.as_str()).is_some(),
    }
}

/// The token of the login and the cookies that came since.
fn add_session(map: &mut HeaderMap, identity: &Identity, path: &str) -> Result<(), Failure> {
    let session = identity.session.as_ref();
    if let Some((name, value)) = session.and_then(Session::header) {
        headers::overlay(map, &[(name.as_str().to_owned(), value)])?;
    }
    if let Some(cookies) = identity.cookies(path) {
        headers::add_cookies(map, &cookies)?;
    }
    Ok(())
}

fn absolute(
    scheme: Scheme,
    host: Option<&HeaderValue>,
    path: PathAndQuery,
) -> Result<Uri, Failure> {
    Uri::builder()
        .scheme(scheme.to_string().as_str())
        .authority(host.map_or(&b""[..], HeaderValue::as_bytes))
        .path_and_query(path)
        .build()
        .map_err(|why| Failure::Malformed(format!("header host can't be sent: {why}")))
}

fn method(method: Method) -> hyper::Method {
    match method {
        Method::Get => hyper::Method::GET,
        Method::Post => hyper::Method::POST,
        Method::Put => hyper::Method::PUT,
        Method::Patch => hyper::Method::PATCH,
        Method::Delete => hyper::Method::DELETE,
        Method::Head => hyper::Method::HEAD,
        Method::Options => hyper::Method::OPTIONS,
        Method::Trace => hyper::Method::TRACE,
        Method::Query => hyper::Method::from_bytes(b"QUERY").expect("letters are a method name"),
    }
}

/// Methods that services expect a length for, even of nothing.
fn has_body_by_nature(method: Method) -> bool {
    matches!(method, Method::Post | Method::Put | Method::Patch)
}
