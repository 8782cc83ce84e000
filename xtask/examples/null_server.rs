//! A service that does nothing but answer: what is measured against it is the client.
//!
//! `null_server PORT` serves `testdata/null/openapi.json` on loopback. Every answer has about 300
//! bytes and keeps the document's promises; nothing is stored and nothing is checked.

use std::convert::Infallible;

use bytes::Bytes;
use http_body_util::{BodyExt as _, Full};
use hyper::body::Incoming;
use hyper::header::{CONTENT_TYPE, HeaderValue};
use hyper::service::service_fn;
use hyper::{Method, Request, Response, StatusCode};
use hyper_util::rt::TokioIo;
use tokio::net::TcpListener;

type AnyError = Box<dyn std::error::Error>;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), AnyError> {
    let port: u16 = std::env::args()
        .nth(1)
        .ok_or("usage: null_server PORT")?
        .parse()?;
    let listener = TcpListener::bind(("127.0.0.1", port)).await?;
    eprintln!("listening on http://{}", listener.local_addr()?);
    loop {
        let (stream, _) = listener.accept().await?;
        stream.set_nodelay(true)?;
        tokio::spawn(async move {
            // A client that goes away is no fault of the service.
            let _ = hyper::server::conn::http1::Builder::new()
                .serve_connection(TokioIo::new(stream), service_fn(answer))
                .await;
        });
    }
}

const THING: &[u8] = br#"{"id":7,"name":"a thing of no importance","state":"open","weight":12.5,"tags":["one","two","three"],"note":"This text is here to bring the whole answer to about three hundred bytes, which is what a small object of a usual service weighs when it is written as JSON without spaces between its parts."}"#;

const LIST: &[u8] = br#"{"total":3,"things":[{"id":1,"name":"first","state":"open","weight":1.5,"tags":[],"note":"short"},{"id":2,"name":"second","state":"done","weight":2.5,"tags":["one"],"note":"short"},{"id":3,"name":"third","state":"open","weight":3.5,"tags":["one","two"],"note":"a little longer"}]}"#;

async fn answer(request: Request<Incoming>) -> Result<Response<Full<Bytes>>, Infallible> {
    let (head, body) = request.into_parts();
    // The body is read to its end, or the connection could not be used again.
    let _ = body.collect().await;
    let path = head.uri.path();
    let (status, body) = match (head.method, path) {
        (Method::POST, "/things") => (StatusCode::CREATED, THING),
        (Method::GET, "/things") | (Method::POST, "/search") => (StatusCode::OK, LIST),
        (Method::GET | Method::PUT, _) => (StatusCode::OK, THING),
        (Method::DELETE, _) => (StatusCode::NO_CONTENT, &b""[..]),
        _ => (StatusCode::METHOD_NOT_ALLOWED, &b"{}"[..]),
    };
    Ok(response(status, body))
}

fn response(status: StatusCode, body: &'static [u8]) -> Response<Full<Bytes>> {
    let mut response = Response::new(Full::new(Bytes::from_static(body)));
    *response.status_mut() = status;
    if !body.is_empty() {
        let json = HeaderValue::from_static("application/json");
        response.headers_mut().insert(CONTENT_TYPE, json);
    }
    response
}
