//! Services behind the proxy: one that speaks HTTP, and one that does what a test tells it, down
//! to the bytes.

use std::convert::Infallible;
use std::net::SocketAddr;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use bytes::Bytes;
use http_body_util::combinators::BoxBody;
use http_body_util::{BodyExt as _, Full};
use hyper::body::Incoming;
use hyper::service::service_fn;
use hyper::{Request, Response};
use hyper_util::rt::{TokioExecutor, TokioIo};
use hyper_util::server::conn::auto;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};

/// What a service has seen.
#[derive(Clone, Default)]
pub(crate) struct Log {
    pub(crate) connections: Arc<AtomicUsize>,
    /// Connections that the other side has closed.
    pub(crate) closed: Arc<AtomicUsize>,
    requests: Arc<Mutex<Vec<String>>>,
}

impl Log {
    pub(crate) fn requests(&self) -> Vec<String> {
        self.requests.lock().expect("no test panicked").clone()
    }

    pub(crate) fn connections(&self) -> usize {
        self.connections.load(Ordering::SeqCst)
    }
}

pub(crate) struct Upstream {
    pub(crate) url: String,
    pub(crate) address: SocketAddr,
    pub(crate) log: Log,
}

async fn listener() -> (TcpListener, SocketAddr) {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
    let address = listener.local_addr().expect("an address");
    (listener, address)
}

/// Answers each request with the same bytes; `close` ends the connection after each.
pub(crate) async fn saying(answer: impl Into<Vec<u8>>, close: bool) -> Upstream {
    let (listener, address) = listener().await;
    let log = Log::default();
    let (answer, into) = (Arc::new(answer.into()), log.clone());
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            into.connections.fetch_add(1, Ordering::SeqCst);
            tokio::spawn(say(stream, Arc::clone(&answer), close, into.clone()));
        }
    });
    Upstream {
        url: format!("http://{address}"),
        address,
        log,
    }
}

async fn say(mut stream: TcpStream, answer: Arc<Vec<u8>>, close: bool, log: Log) {
    while let Some(text) = read_request(&mut stream).await {
        log.requests.lock().expect("no test panicked").push(text);
        if stream.write_all(&answer).await.is_err() || close {
            let _ = stream.shutdown().await;
            return;
        }
    }
    log.closed.fetch_add(1, Ordering::SeqCst);
}

/// The next request, head and body; a body must come with its length or in one last chunk.
pub(crate) async fn read_request(stream: &mut TcpStream) -> Option<String> {
    let mut bytes = Vec::new();
    loop {
        let text = String::from_utf8_lossy(&bytes).into_owned();
        if is_whole(&text) {
            return Some(text);
        }
        if stream.read_buf(&mut bytes).await.ok()? == 0 {
            return None;
        }
    }
}

fn is_whole(text: &str) -> bool {
    let Some((head, body)) = text.split_once("\r\n\r\n") else {
        return false;
    };
    let head = head.to_ascii_lowercase();
    if head.contains("transfer-encoding: chunked") {
        return body.contains("0\r\n") && body.ends_with("\r\n\r\n");
    }
    let length = head
        .lines()
        .find_map(|line| line.strip_prefix("content-length: "));
    body.len() >= length.and_then(|text| text.parse().ok()).unwrap_or(0)
}

type AnyBody = BoxBody<Bytes, hyper::Error>;

/// A service that speaks either version of HTTP: `/echo` sends back what comes, `/slow` takes its
/// time, `/big` sends 100 MB, all others tell what was asked.
pub(crate) async fn service() -> Upstream {
    let (listener, address) = listener().await;
    let log = Log::default();
    tokio::spawn(accept(listener, log.clone()));
    Upstream {
        url: format!("http://{address}"),
        address,
        log,
    }
}

pub(crate) async fn accept(listener: TcpListener, log: Log) {
    while let Ok((stream, _)) = listener.accept().await {
        log.connections.fetch_add(1, Ordering::SeqCst);
        let log = log.clone();
        tokio::spawn(async move {
            let _ = stream.set_nodelay(true);
            let service = service_fn(|request| answer(request, log.clone()));
            let _ = auto::Builder::new(TokioExecutor::new())
                .serve_connection(TokioIo::new(stream), service)
                .await;
            log.closed.fetch_add(1, Ordering::SeqCst);
        });
    }
}

pub(crate) async fn answer(
    request: Request<Incoming>,
    log: Log,
) -> Result<Response<AnyBody>, Infallible> {
    let asked = format!("{} {}", request.method(), request.uri());
    log.requests.lock().expect("no test panicked").push(asked);
    let path = request.uri().path().to_owned();
    let body = match path.as_str() {
        "/echo" => request.into_body().boxed(),
        "/big" => big(100 << 20),
        "/swallow" => text(swallowed(request.into_body()).await.to_string()),
        "/slow" => {
            tokio::time::sleep(Duration::from_millis(400)).await;
            text(format!("slowly {}", request.uri()))
        }
        _ => text(told(request).await),
    };
    Ok(Response::new(body))
}

async fn told(request: Request<Incoming>) -> String {
    let (head, body) = request.into_parts();
    let body = body.collect().await.map(|body| body.to_bytes().len());
    format!("{} {} {}", head.method, head.uri.path(), body.unwrap_or(0))
}

async fn swallowed(mut body: Incoming) -> usize {
    let mut size = 0;
    while let Some(Ok(frame)) = body.frame().await {
        size += frame.data_ref().map_or(0, Bytes::len);
    }
    size
}

fn text(text: String) -> AnyBody {
    Full::new(Bytes::from(text))
        .map_err(|never| match never {})
        .boxed()
}

/// Bytes that follow a pattern, made as they are asked for.
pub(crate) fn big(size: usize) -> AnyBody {
    Pattern { left: size }.boxed()
}

pub(crate) struct Pattern {
    pub(crate) left: usize,
}

impl hyper::body::Body for Pattern {
    type Data = Bytes;
    type Error = hyper::Error;

    fn poll_frame(
        mut self: std::pin::Pin<&mut Self>,
        _: &mut std::task::Context<'_>,
    ) -> std::task::Poll<Option<Result<hyper::body::Frame<Bytes>, hyper::Error>>> {
        static PIECE: [u8; 32 << 10] = [b'x'; 32 << 10];
        let size = self.left.min(PIECE.len());
        self.left -= size;
        let frame = hyper::body::Frame::data(Bytes::from_static(&PIECE[..size]));
        std::task::Poll::Ready((size > 0).then_some(Ok(frame)))
    }
}
