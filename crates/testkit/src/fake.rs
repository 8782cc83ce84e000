//! A real HTTP server on loopback, on a thread of its own, whose answers a closure gives.
//!
//! The closure runs on the server's single thread, so a slow closure holds up every caller;
//! waiting is for [`FakeResponse::after`]. Speaks HTTP/1.1 with keep-alive and no TLS.

use std::convert::Infallible;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;

use bytes::Bytes;
use http_body_util::BodyExt;
use hyper::body::Incoming;
use hyper::http::request::Parts;
use hyper::http::response::Builder;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::oneshot;

use crate::body::{BrokenOff, FakeBody};
use crate::exchange::{FakeRequest, FakeResponse, Manner};

type Handler = dyn Fn(&FakeRequest) -> FakeResponse + Send + Sync;

/// A running fake. Dropping it stops it.
#[derive(Debug)]
pub struct Fake {
    pub address: SocketAddr,
    log: Arc<Mutex<Vec<FakeRequest>>>,
    stop: Option<oneshot::Sender<Infallible>>,
    thread: Option<JoinHandle<()>>,
}

#[derive(Clone)]
enum Behaviour {
    /// Answers everything alike and remembers nothing.
    Null,
    Closure(Arc<Handler>, Arc<Mutex<Vec<FakeRequest>>>),
}

impl Fake {
    /// Serves on a free port; when this returns, the fake answers.
    pub fn start(handler: impl Fn(&FakeRequest) -> FakeResponse + Send + Sync + 'static) -> Self {
        let log = Arc::default();
        let behaviour = Behaviour::Closure(Arc::new(handler), Arc::clone(&log));
        Self::serve(behaviour, log)
    }

    /// Answers every request with 200 and `{}` as fast as it can, and logs none: the measure of
    /// what a client costs.
    pub fn null() -> Self {
        Self::serve(Behaviour::Null, Arc::default())
    }

    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Every request so far, in the order in which they were complete.
    pub fn requests(&self) -> Vec<FakeRequest> {
        let log = self.log.lock().unwrap_or_else(PoisonError::into_inner);
        log.clone()
    }

    fn serve(behaviour: Behaviour, log: Arc<Mutex<Vec<FakeRequest>>>) -> Self {
        let listener = std::net::TcpListener::bind((Ipv4Addr::LOCALHOST, 0))
            .expect("loopback has a free port");
        let address = listener.local_addr().expect("a bound port has an address");
        let (stop, stopped) = oneshot::channel();
        let thread = std::thread::spawn(move || run(listener, &behaviour, stopped));
        Self {
            address,
            log,
            stop: Some(stop),
            thread: Some(thread),
        }
    }
}

impl Drop for Fake {
    fn drop(&mut self) {
        drop(self.stop.take());
        if let Some(thread) = self.thread.take() {
            // A closure that panicked has failed its own connection; the test sees that.
            let _ = thread.join();
        }
    }
}

fn run(
    listener: std::net::TcpListener,
    behaviour: &Behaviour,
    stopped: oneshot::Receiver<Infallible>,
) {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .expect("a runtime needs no more than a file descriptor");
    runtime.block_on(async {
        tokio::select! {
            _ = stopped => {}
            () = accept(listener, behaviour) => {}
        }
    });
}

async fn accept(listener: std::net::TcpListener, behaviour: &Behaviour) {
    listener
        .set_nonblocking(true)
        .expect("loopback sockets can wait without blocking");
    let listener = TcpListener::from_std(listener).expect("the runtime is there");
    loop {
        if let Ok((stream, _)) = listener.accept().await {
            tokio::spawn(converse(stream, behaviour.clone()));
        }
    }
}

async fn converse(stream: TcpStream, behaviour: Behaviour) {
    let _ = stream.set_nodelay(true);
    let service = service_fn(move |request| respond(request, behaviour.clone()));
    let _ = http1::Builder::new()
        .serve_connection(TokioIo::new(stream), service)
        .await;
}

async fn respond(
    request: hyper::Request<Incoming>,
    behaviour: Behaviour,
) -> Result<hyper::Response<FakeBody>, BrokenOff> {
    let (head, body) = request.into_parts();
    match behaviour {
        Behaviour::Null => nothing(body).await,
        Behaviour::Closure(handler, log) => {
            let body = body.collect().await.map_err(|_| BrokenOff)?.to_bytes();
            let request = heard(&head, body);
            let response = handler(&request);
            log.lock()
                .unwrap_or_else(PoisonError::into_inner)
                .push(request);
            say(response).await
        }
    }
}

/// Reads the body away, because an unread one would cost the connection.
async fn nothing(mut body: Incoming) -> Result<hyper::Response<FakeBody>, BrokenOff> {
    while let Some(frame) = body.frame().await {
        frame.map_err(|_| BrokenOff)?;
    }
    let builder = hyper::Response::builder().header("content-type", "application/json");
    Ok(built(builder, FakeBody::Whole(Bytes::from_static(b"{}"))))
}

fn heard(head: &Parts, body: Bytes) -> FakeRequest {
    let header = |(name, value): (&hyper::header::HeaderName, &hyper::header::HeaderValue)| {
        let value = String::from_utf8_lossy(value.as_bytes()).into_owned();
        (name.as_str().to_owned(), value)
    };
    FakeRequest {
        method: head.method.as_str().to_owned(),
        path: head.uri.path().to_owned(),
        query: head.uri.query().unwrap_or_default().to_owned(),
        headers: head.headers.iter().map(header).collect(),
        body,
    }
}

async fn say(response: FakeResponse) -> Result<hyper::Response<FakeBody>, BrokenOff> {
    if !response.delay.is_zero() {
        tokio::time::sleep(response.delay).await;
    }
    match response.manner {
        Manner::Drop => Err(BrokenOff),
        Manner::Silence => std::future::pending().await,
        Manner::Answer => {
            let mut builder = hyper::Response::builder().status(response.status);
            for (name, value) in &response.headers {
                builder = builder.header(name, value);
            }
            Ok(built(builder, response.body))
        }
    }
}

/// A test that makes up an impossible status or header hears of it.
fn built(builder: Builder, body: FakeBody) -> hyper::Response<FakeBody> {
    builder.body(body).expect("HTTP allows this answer")
}

#[cfg(test)]
mod tests {
    use std::io::{ErrorKind, Read, Write};
    use std::time::{Duration, Instant};

    use serde_json::json;

    use super::*;

    fn connect(fake: &Fake) -> std::net::TcpStream {
        let stream = std::net::TcpStream::connect(fake.address).unwrap();
        let patience = Some(Duration::from_millis(500));
        stream.set_read_timeout(patience).unwrap();
        stream
    }

    /// Sends one request and reads until the fake closes or patience ends.
    fn ask(fake: &Fake, line: &str, body: &str) -> (String, Option<ErrorKind>) {
        let mut stream = connect(fake);
        let length = body.len();
        let request = format!(
            "{line} HTTP/1.1\r\nhost: x\r\nconnection: close\r\nX-Key: k\r\ncontent-length: {length}\r\n\r\n{body}"
        );
        stream.write_all(request.as_bytes()).unwrap();
        let mut heard = Vec::new();
        let end = stream.read_to_end(&mut heard).err().map(|e| e.kind());
        (String::from_utf8_lossy(&heard).into_owned(), end)
    }

    #[test]
    fn the_closure_answers_and_the_log_remembers() {
        let fake = Fake::start(|request| {
            FakeResponse::json(201, json!({"path": request.path})).header("location", "/a/1")
        });
        let (heard, end) = ask(&fake, "POST /a?b=c%20d", "{}");
        assert_eq!(end, None);
        assert!(heard.starts_with("HTTP/1.1 201 Created\r\n"), "{heard}");
        assert!(heard.contains("location: /a/1\r\n"), "{heard}");
        assert!(heard.ends_with("{\"path\":\"/a\"}"), "{heard}");
        let requests = fake.requests();
        assert_eq!(requests.len(), 1);
        assert_eq!(requests[0].line(), "POST /a");
        assert_eq!(requests[0].query, "b=c%20d");
        assert_eq!(requests[0].header("x-key"), Some("k"));
        assert_eq!(requests[0].body, "{}");
    }

    #[test]
    fn a_dropped_connection_says_nothing() {
        let fake = Fake::start(|_| FakeResponse::drop_connection());
        assert_eq!(ask(&fake, "GET /", "").0, "");
        assert_eq!(fake.requests().len(), 1);
    }

    #[test]
    fn silence_lasts_longer_than_patience() {
        let fake = Fake::start(|_| FakeResponse::never());
        let (heard, end) = ask(&fake, "GET /", "");
        assert_eq!(heard, "");
        assert!(matches!(
            end,
            Some(ErrorKind::WouldBlock | ErrorKind::TimedOut)
        ));
    }

    #[test]
    fn a_delay_is_waited_for() {
        let delay = Duration::from_millis(60);
        let fake = Fake::start(move |_| FakeResponse::status(204).after(delay));
        let start = Instant::now();
        assert!(ask(&fake, "GET /", "").0.starts_with("HTTP/1.1 204"));
        assert!(start.elapsed() >= delay);
    }

    #[test]
    fn a_huge_body_has_exactly_its_length() {
        let fake = Fake::start(|_| FakeResponse::huge(200, 1_000_001));
        let (heard, end) = ask(&fake, "GET /", "");
        assert_eq!(end, None);
        let (head, body) = heard.split_once("\r\n\r\n").unwrap();
        assert!(head.contains("content-length: 1000001"), "{head}");
        assert_eq!(body.len(), 1_000_001);
    }

    #[test]
    fn an_endless_body_goes_on_until_nobody_reads() {
        let fake = Fake::start(|_| FakeResponse::endless(200));
        let mut stream = connect(&fake);
        stream
            .write_all(b"GET / HTTP/1.1\r\nhost: x\r\n\r\n")
            .unwrap();
        let mut much = vec![0; 5_000_000];
        stream.read_exact(&mut much).unwrap();
        drop(stream);
        assert_eq!(ask(&fake, "HEAD /", "").1, None);
    }

    #[test]
    fn a_body_cut_short_ends_before_its_length() {
        let fake = Fake::start(|_| FakeResponse::cut_short(200, "half", 8));
        let (heard, _) = ask(&fake, "GET /", "");
        assert!(heard.contains("content-length: 8"), "{heard}");
        assert!(heard.ends_with("\r\n\r\nhalf"), "{heard}");
    }

    #[test]
    fn the_null_fake_serves_many_requests_on_one_connection() {
        let fake = Fake::null();
        let mut stream = connect(&fake);
        for _ in 0..100 {
            let request = b"POST /any HTTP/1.1\r\nhost: x\r\ncontent-length: 4\r\n\r\nbody";
            stream.write_all(request).unwrap();
            let mut heard = [0; 1024];
            let length = stream.read(&mut heard).unwrap();
            let heard = String::from_utf8_lossy(&heard[..length]).into_owned();
            assert!(heard.starts_with("HTTP/1.1 200 OK"), "{heard}");
            assert!(heard.ends_with("{}"), "{heard}");
        }
        assert_eq!(fake.requests(), []);
    }

    #[test]
    fn a_dropped_fake_is_gone() {
        let fake = Fake::null();
        let address = fake.address;
        drop(fake);
        assert!(std::net::TcpStream::connect(address).is_err());
    }
}
