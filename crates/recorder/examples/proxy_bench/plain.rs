//! What one would write without recording: hyper on both sides, bodies streamed, connections
//! pooled by the usual client.

use hyper::body::Incoming;
use hyper::service::service_fn;
use hyper::{Request, Response, Uri};
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::client::legacy::{Client, Error};
use hyper_util::rt::{TokioExecutor, TokioIo};
use tokio::net::TcpListener;

use crate::AnyError;

type Pooled = Client<HttpConnector, Incoming>;

/// Over many threads, as most would run it, or on one, which can be better where cores are few.
pub(crate) fn run(upstream: &str, many: bool) -> Result<(), AnyError> {
    let mut runtime = if many {
        tokio::runtime::Builder::new_multi_thread()
    } else {
        tokio::runtime::Builder::new_current_thread()
    };
    let runtime = runtime.enable_all().build()?;
    runtime.block_on(serve(upstream.to_owned()))
}

async fn serve(upstream: String) -> Result<(), AnyError> {
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    println!("{}", listener.local_addr()?);
    let mut connector = HttpConnector::new();
    connector.set_nodelay(true);
    let client: Pooled = Client::builder(TokioExecutor::new()).build(connector);
    loop {
        let (stream, _) = listener.accept().await?;
        stream.set_nodelay(true)?;
        let (client, upstream) = (client.clone(), upstream.clone());
        tokio::spawn(async move {
            let service = service_fn(|request| forward(&client, &upstream, request));
            let _ = hyper::server::conn::http1::Builder::new()
                .serve_connection(TokioIo::new(stream), service)
                .await;
        });
    }
}

async fn forward(
    client: &Pooled,
    upstream: &str,
    mut request: Request<Incoming>,
) -> Result<Response<Incoming>, Error> {
    let mut parts = request.uri().clone().into_parts();
    parts.scheme = Some("http".parse().expect("a scheme"));
    parts.authority = Some(upstream.parse().expect("an address"));
    *request.uri_mut() = Uri::from_parts(parts).expect("a whole URL");
    client.request(request).await
}
