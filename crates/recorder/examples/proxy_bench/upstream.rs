//! A service that reads its question and gives two kilobytes of JSON at once.

use std::convert::Infallible;

use bytes::Bytes;
use http_body_util::{BodyExt as _, Full};
use hyper::body::Incoming;
use hyper::header::{CONTENT_TYPE, HeaderValue};
use hyper::service::service_fn;
use hyper::{Request, Response};
use hyper_util::rt::TokioIo;
use tokio::net::TcpListener;

use crate::AnyError;

pub(crate) fn run() -> Result<(), AnyError> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    runtime.block_on(serve())
}

async fn serve() -> Result<(), AnyError> {
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    println!("{}", listener.local_addr()?);
    let answer = Bytes::from(answer());
    loop {
        let (stream, _) = listener.accept().await?;
        stream.set_nodelay(true)?;
        let answer = answer.clone();
        tokio::spawn(async move {
            let service = service_fn(|request| respond(request, answer.clone()));
            let _ = hyper::server::conn::http1::Builder::new()
                .serve_connection(TokioIo::new(stream), service)
                .await;
        });
    }
}

async fn respond(
    request: Request<Incoming>,
    answer: Bytes,
) -> Result<Response<Full<Bytes>>, Infallible> {
    // The body is read to its end, or the connection could not be used again.
    let _ = request.into_body().collect().await;
    let mut response = Response::new(Full::new(answer));
    let json = HeaderValue::from_static("application/json; charset=utf-8");
    response.headers_mut().insert(CONTENT_TYPE, json);
    Ok(response)
}

fn answer() -> String {
    let items: Vec<String> = (0..16)
        .map(|id| {
            format!(
                r#"{{"id":"{id}","name":"item number {id}","price":{{"amount":"19.9{id}","currency":"EUR"}},"tags":["new","sale"],"available":true}}"#
            )
        })
        .collect();
    format!(
        r#"{{"data":{{"items":{{"nodes":[{}]}}}}}}"#,
        items.join(",")
    )
}
