//! A proxy between a client and a service, and what it recorded.

use std::net::SocketAddr;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use bytes::Bytes;
use fossick_harvest::Seen;
use fossick_recorder::{
    Figures, Keep, Kept, Patience, ProxySettings, RecordSettings, Recorder, Running, Teller, Told,
    start_proxy,
};
use http_body_util::{BodyExt as _, Full};
use hyper::body::Incoming;
use hyper::client::conn::http1;
use hyper::{Request, Response};
use hyper_util::rt::TokioIo;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

pub(crate) const LOOPBACK: SocketAddr =
    SocketAddr::new(std::net::IpAddr::V4(std::net::Ipv4Addr::LOCALHOST), 0);

/// Everything that was kept.
#[derive(Clone, Default)]
pub(crate) struct Shelf(Arc<Mutex<Vec<Seen>>>);

impl Keep for Shelf {
    fn keep(&mut self, batch: &[Seen]) -> Result<Kept, String> {
        let mut shelf = self.0.lock().expect("no test panicked");
        shelf.extend_from_slice(batch);
        Ok(Kept {
            calls: batch.len() as u64,
            skipped: 0,
        })
    }
}

impl Shelf {
    pub(crate) fn all(&self) -> Vec<Seen> {
        self.0.lock().expect("no test panicked").clone()
    }
}

#[derive(Clone, Default)]
pub(crate) struct Heard(Arc<Mutex<Vec<Told>>>);

impl Heard {
    pub(crate) fn teller(&self) -> Teller {
        let heard = Arc::clone(&self.0);
        Arc::new(move |told| heard.lock().expect("no test panicked").push(told))
    }

    pub(crate) fn all(&self) -> Vec<Told> {
        self.0.lock().expect("no test panicked").clone()
    }
}

pub(crate) struct Rig {
    pub(crate) proxy: Running,
    pub(crate) shelf: Shelf,
}

pub(crate) fn settings(upstream: &str) -> ProxySettings {
    let patience = Patience {
        ending: Duration::from_secs(2),
        ..Patience::default()
    };
    ProxySettings {
        threads: 2,
        patience,
        ..ProxySettings::new(LOOPBACK, upstream.parse().expect("a good URL"))
    }
}

pub(crate) fn recording() -> RecordSettings {
    RecordSettings {
        every: Duration::from_millis(10),
        flush: Duration::from_secs(2),
        ..RecordSettings::default()
    }
}

pub(crate) fn recorder(settings: RecordSettings, keep: impl Keep + 'static) -> Recorder {
    Recorder::start(settings, Box::new(keep), Heard::default().teller()).expect("threads")
}

impl Rig {
    pub(crate) fn new(upstream: &str) -> Self {
        Self::with(settings(upstream))
    }

    pub(crate) fn with(settings: ProxySettings) -> Self {
        let shelf = Shelf::default();
        let recorder = recorder(recording(), shelf.clone());
        let tell = Heard::default().teller();
        let proxy = start_proxy(settings, recorder, tell).expect("a free port");
        Self { proxy, shelf }
    }

    pub(crate) fn address(&self) -> SocketAddr {
        self.proxy.address()
    }

    pub(crate) async fn end(self) -> (Figures, Vec<Seen>) {
        let figures = end(self.proxy).await;
        (figures, self.shelf.all())
    }
}

pub(crate) async fn end(proxy: Running) -> Figures {
    let ended = tokio::task::spawn_blocking(move || proxy.end()).await;
    ended.expect("it ends")
}

/// Sends bytes and gives all that comes until the other side closes.
pub(crate) async fn raw(to: SocketAddr, bytes: &str) -> String {
    let mut stream = TcpStream::connect(to).await.expect("somebody listens");
    stream.write_all(bytes.as_bytes()).await.expect("it reads");
    let mut answer = Vec::new();
    let reading = stream.read_to_end(&mut answer);
    let _ = tokio::time::timeout(Duration::from_secs(10), reading).await;
    String::from_utf8_lossy(&answer).into_owned()
}

/// A client on one connection.
pub(crate) struct Client(http1::SendRequest<Full<Bytes>>);

impl Client {
    pub(crate) async fn new(to: SocketAddr) -> Self {
        let stream = TcpStream::connect(to).await.expect("somebody listens");
        let (sender, connection) = http1::handshake(TokioIo::new(stream))
            .await
            .expect("a handshake");
        tokio::spawn(connection);
        Self(sender)
    }

    pub(crate) async fn try_send(
        &mut self,
        request: Request<Full<Bytes>>,
    ) -> Result<Response<Incoming>, hyper::Error> {
        self.0.ready().await?;
        self.0.send_request(request).await
    }

    pub(crate) async fn send(&mut self, request: Request<Full<Bytes>>) -> Response<Incoming> {
        self.try_send(request).await.expect("an answer")
    }
}

pub(crate) fn get(target: &str) -> Request<Full<Bytes>> {
    request("GET", target, Bytes::new())
}

pub(crate) fn post(target: &str, body: impl Into<Bytes>) -> Request<Full<Bytes>> {
    request("POST", target, body.into())
}

pub(crate) fn request(method: &str, target: &str, body: Bytes) -> Request<Full<Bytes>> {
    Request::builder()
        .method(method)
        .uri(target)
        .header("host", "public.example")
        .body(Full::new(body))
        .expect("a good request")
}

pub(crate) async fn body_of(response: Response<Incoming>) -> Bytes {
    let body = response.into_body().collect().await;
    body.expect("the whole body").to_bytes()
}

/// Waits until something holds, or fails the test.
pub(crate) async fn until(what: &str, holds: impl Fn() -> bool) {
    for _ in 0..500 {
        if holds() {
            return;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    panic!("never: {what}");
}
