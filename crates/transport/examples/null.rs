//! A service that answers everything at once with 300 bytes of JSON: what is measured against it
//! is the client. `null PORT`

#![expect(
    clippy::print_stdout,
    reason = "an example that tells where it listens"
)]

use std::convert::Infallible;
use std::future::ready;

use bytes::Bytes;
use http_body_util::Full;
use hyper::Response;
use hyper::header::{CONTENT_TYPE, HeaderValue};
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use tokio::net::TcpListener;

type AnyError = Box<dyn std::error::Error>;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), AnyError> {
    let port: u16 = std::env::args().nth(1).ok_or("usage: null PORT")?.parse()?;
    let listener = TcpListener::bind(("127.0.0.1", port)).await?;
    println!("listening on http://{}", listener.local_addr()?);
    let body = body();
    loop {
        let (stream, _) = listener.accept().await?;
        stream.set_nodelay(true)?;
        let body = body.clone();
        tokio::spawn(async move {
            let service = service_fn(|_| ready(Ok::<_, Infallible>(answer(body.clone()))));
            // A client that goes away is no fault of the service.
            let _ = hyper::server::conn::http1::Builder::new()
                .serve_connection(TokioIo::new(stream), service)
                .await;
        });
    }
}

fn body() -> Bytes {
    let mut text = String::from(r#"{"ok":true,"items":[1,2,3],"text":""#);
    while text.len() < 298 {
        text.push('x');
    }
    text.push_str("\"}");
    Bytes::from(text)
}

fn answer(body: Bytes) -> Response<Full<Bytes>> {
    let mut response = Response::new(Full::new(body));
    let json = HeaderValue::from_static("application/json");
    response.headers_mut().insert(CONTENT_TYPE, json);
    response
}
