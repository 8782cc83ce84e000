//! Bodies of any size, piece by piece and never whole.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use bytes::Bytes;
use http_body_util::BodyExt as _;
use hyper::Request;
use hyper::body::{Body, Frame};
use hyper::client::conn::http1;
use hyper_util::rt::TokioIo;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};

use crate::rig::{Client, Rig, body_of, get, post, settings, until};
use crate::upstream::{Pattern, read_request, service};

const SIZE: usize = 100 << 20;
/// What sockets and the buffers of connections may hold, far below the size of the body.
const MOST_UNDER_WAY: usize = 32 << 20;

/// A body that counts what was asked of it.
struct Counted {
    pattern: Pattern,
    given: Arc<AtomicUsize>,
}

impl Body for Counted {
    type Data = Bytes;
    type Error = hyper::Error;

    fn poll_frame(
        mut self: std::pin::Pin<&mut Self>,
        cx: &mut std::task::Context<'_>,
    ) -> std::task::Poll<Option<Result<Frame<Bytes>, hyper::Error>>> {
        let next = std::pin::Pin::new(&mut self.pattern).poll_frame(cx);
        self.given
            .store(SIZE - self.pattern.left, Ordering::Relaxed);
        next
    }
}

fn counted() -> (Counted, Arc<AtomicUsize>) {
    let given = Arc::new(AtomicUsize::new(0));
    let pattern = Pattern { left: SIZE };
    let counter = Arc::clone(&given);
    (Counted { pattern, given }, counter)
}

/// Waits until nothing moves any more and tells how far it got.
async fn standstill(counter: &AtomicUsize) -> usize {
    let mut last = 0;
    loop {
        tokio::time::sleep(Duration::from_millis(300)).await;
        let now = counter.load(Ordering::Relaxed);
        if now == last && now > 0 {
            return now;
        }
        last = now;
    }
}

#[tokio::test]
async fn an_upload_waits_for_an_upstream_that_does_not_read_and_then_arrives_whole() {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let address = listener.local_addr().expect("an address");
    let rig = Rig::new(&format!("http://{address}"));
    let stream = TcpStream::connect(rig.address()).await.expect("the proxy");
    let (mut sender, connection) = http1::handshake(TokioIo::new(stream)).await.expect("HTTP");
    tokio::spawn(connection);
    let (body, given) = counted();
    let request = Request::post("/").header("host", "h").body(body);
    let answer = tokio::spawn(sender.send_request(request.expect("a good request")));
    let (mut upstream, _) = listener.accept().await.expect("the proxy comes");
    let under_way = standstill(&given).await;
    assert!(
        under_way < MOST_UNDER_WAY,
        "{under_way} bytes are somewhere"
    );
    let mut size = 0;
    let mut buffer = vec![0; 64 << 10];
    let mut tail = Vec::new();
    while !tail.ends_with(b"\r\n0\r\n\r\n") {
        let read = upstream.read(&mut buffer).await.expect("it comes");
        size += read;
        tail.extend_from_slice(&buffer[..read]);
        tail.drain(..tail.len().saturating_sub(16));
    }
    assert!(size > SIZE);
    let ok = b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok";
    upstream.write_all(ok).await.expect("it reads");
    let answer = answer.await.expect("no panic").expect("an answer");
    assert_eq!(body_of(answer).await, "ok");
    let (figures, _) = rig.end().await;
    assert_eq!((figures.passed, figures.left_out), (1, 1));
    assert_eq!(figures.bytes_up, SIZE as u64);
}

#[tokio::test]
async fn a_download_waits_for_a_client_that_does_not_read_and_then_arrives_whole() {
    let (listener, given) = (
        TcpListener::bind("127.0.0.1:0").await.expect("a port"),
        counted(),
    );
    let (body, given) = given;
    let address = listener.local_addr().expect("an address");
    tokio::spawn(async move {
        let (stream, _) = listener.accept().await.expect("the proxy comes");
        let body = std::sync::Mutex::new(Some(body));
        let service = hyper::service::service_fn(|_| {
            let body = body.lock().expect("no panic").take().expect("asked once");
            std::future::ready(Ok::<_, hyper::Error>(hyper::Response::new(body)))
        });
        let _ = hyper::server::conn::http1::Builder::new()
            .serve_connection(TokioIo::new(stream), service)
            .await;
    });
    let rig = Rig::new(&format!("http://{address}"));
    let mut client = Client::new(rig.address()).await;
    let mut answer = client.send(get("/")).await.into_body();
    let under_way = standstill(&given).await;
    assert!(
        under_way < MOST_UNDER_WAY,
        "{under_way} bytes are somewhere"
    );
    let mut size = 0;
    while let Some(frame) = answer.frame().await {
        size += frame.expect("it goes on").data_ref().map_or(0, Bytes::len);
    }
    assert_eq!(size, SIZE);
    let (figures, seen) = rig.end().await;
    assert_eq!(figures.bytes_down, SIZE as u64);
    let answer = seen[0].answer.as_ref().expect("it was answered");
    assert_eq!(answer.body, None, "too large to be kept");
}

#[tokio::test]
async fn a_large_body_can_go_both_ways_at_once() {
    let upstream = service().await;
    let rig = Rig::new(&upstream.url);
    let stream = TcpStream::connect(rig.address()).await.expect("the proxy");
    let (mut sender, connection) = http1::handshake(TokioIo::new(stream)).await.expect("HTTP");
    tokio::spawn(connection);
    let (body, _) = counted();
    let request = Request::post("/echo").header("host", "h").body(body);
    let answer = sender.send_request(request.expect("a good request")).await;
    let mut answer = answer.expect("it begins early").into_body();
    let mut size = 0;
    while let Some(frame) = answer.frame().await {
        let frame = frame.expect("it goes on");
        let data = frame.data_ref().expect("no trailers");
        assert!(data.iter().all(|byte| *byte == b'x'));
        size += data.len();
    }
    assert_eq!(size, SIZE);
    rig.end().await;
}

#[tokio::test]
async fn what_is_larger_than_the_limit_is_let_through_and_said() {
    let upstream = service().await;
    let mut settings = settings(&upstream.url);
    settings.copied = 1000;
    let rig = Rig::with(settings);
    let mut client = Client::new(rig.address()).await;
    for size in [999, 1000, 1001, 50_000] {
        let body = Bytes::from(vec![b'y'; size]);
        let answer = client.send(post("/echo", body.clone())).await;
        assert_eq!(body_of(answer).await, body);
    }
    let (figures, seen) = rig.end().await;
    assert_eq!((figures.passed, figures.recorded), (4, 2));
    assert_eq!((figures.left_out, figures.lost), (2, 0));
    let sizes: Vec<usize> = seen.iter().map(|seen| seen.body.len()).collect();
    assert_eq!(sizes, [999, 1000]);
}

#[tokio::test]
async fn a_body_is_sent_only_when_the_upstream_gives_leave() {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let address = listener.local_addr().expect("an address");
    let rig = Rig::new(&format!("http://{address}"));
    let mut client = TcpStream::connect(rig.address()).await.expect("the proxy");
    let head = b"POST / HTTP/1.1\r\nHost: h\r\nExpect: 100-continue\r\nContent-Length: 4\r\n\r\n";
    client.write_all(head).await.expect("it reads");
    let (mut upstream, _) = listener.accept().await.expect("the proxy comes");
    let mut asked = vec![0; 4096];
    let size = upstream.read(&mut asked).await.expect("a head");
    let text = String::from_utf8_lossy(&asked[..size]).into_owned();
    assert!(text.contains("Expect: 100-continue") && text.ends_with("\r\n\r\n"));
    let early = tokio::time::timeout(Duration::from_millis(100), client.read(&mut asked)).await;
    assert!(
        early.is_err(),
        "leave was given before the upstream gave it"
    );
    let leave = b"HTTP/1.1 100 Continue\r\n\r\n";
    upstream.write_all(leave).await.expect("it reads");
    let size = client.read(&mut asked).await.expect("leave");
    assert_eq!(&asked[..size], leave);
    client.write_all(b"body").await.expect("it reads");
    let size = upstream.read(&mut asked).await.expect("a body");
    assert_eq!(&asked[..size], b"body");
    let done = b"HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n";
    upstream.write_all(done).await.expect("it reads");
    let size = client.read(&mut asked).await.expect("an answer");
    assert!(asked[..size].starts_with(b"HTTP/1.1 200 OK"));
    let (_, seen) = rig.end().await;
    assert_eq!(seen[0].body, b"body");
}

#[tokio::test]
async fn an_upstream_that_refuses_a_body_spares_the_client_sending_it() {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let address = listener.local_addr().expect("an address");
    tokio::spawn(async move {
        let (mut stream, _) = listener.accept().await.expect("the proxy comes");
        let mut head = vec![0; 4096];
        let _ = stream.read(&mut head).await;
        let no = b"HTTP/1.1 413 Too Large\r\ncontent-length: 2\r\n\r\nno";
        stream.write_all(no).await.expect("it reads");
        let _ = read_request(&mut stream).await;
    });
    let rig = Rig::new(&format!("http://{address}"));
    let mut client = TcpStream::connect(rig.address()).await.expect("the proxy");
    let head = b"POST / HTTP/1.1\r\nHost: h\r\nExpect: 100-continue\r\nContent-Length: 9\r\n\r\n";
    client.write_all(head).await.expect("it reads");
    let mut answer = Vec::new();
    let _ = client.read_to_end(&mut answer).await;
    let text = String::from_utf8_lossy(&answer);
    assert!(
        text.starts_with("HTTP/1.1 413 ") && text.ends_with("no"),
        "{text}"
    );
    let (figures, _) = rig.end().await;
    assert_eq!((figures.passed, figures.left_out), (1, 1));
}

#[tokio::test]
async fn a_thousand_slow_calls_go_on_at_once() {
    // Four ends of a thousand connections are in this one process.
    #[cfg(target_os = "linux")]
    {
        use rustix::process::{Resource, getrlimit, setrlimit};
        let mut limit = getrlimit(Resource::Nofile);
        limit.current = limit.maximum;
        let _ = setrlimit(Resource::Nofile, limit);
    }
    let upstream = service().await;
    let rig = Rig::new(&upstream.url);
    let address = rig.address();
    let started = std::time::Instant::now();
    let calls: Vec<_> = (0..1000)
        .map(|number| {
            tokio::spawn(async move {
                let mut client = Client::new(address).await;
                let target = format!("/slow?{number}");
                let answer = client.send(get(&target)).await;
                assert_eq!(body_of(answer).await, format!("slowly {target}"));
            })
        })
        .collect();
    for call in calls {
        call.await.expect("answered rightly");
    }
    assert!(
        started.elapsed() < Duration::from_secs(30),
        "one after another"
    );
    until("all are recorded", || rig.proxy.figures().recorded == 1000).await;
    let (figures, _) = rig.end().await;
    assert_eq!((figures.passed, figures.lost), (1000, 0));
}
