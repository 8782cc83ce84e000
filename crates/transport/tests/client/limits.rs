//! Answers that are too long, too late or too good to be true.

use std::io::Write;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use fossick_testkit::{Fake, FakeResponse};
use fossick_trace::Failure;
use fossick_transport::{Client, Settings};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;

use crate::stub::{Act, Stub};
use crate::{answered, client, failed, get, impatient, settings};

/// Says `head` once and `piece` for ever, as long as somebody listens. Counts what it could write.
async fn fountain(
    head: &'static str,
    piece: Vec<u8>,
    rest: Duration,
) -> (String, Arc<AtomicUsize>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
    let url = format!("http://{}", listener.local_addr().expect("an address"));
    let written = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&written);
    tokio::spawn(async move {
        let (mut stream, _) = listener.accept().await.expect("a client");
        let _ = stream.read(&mut [0; 4096]).await;
        let _ = stream.write_all(head.as_bytes()).await;
        while stream.write_all(&piece).await.is_ok() {
            count.fetch_add(piece.len(), Ordering::SeqCst);
            tokio::time::sleep(rest).await;
        }
    });
    (url, written)
}

#[tokio::test]
async fn a_huge_answer_is_cut_and_the_rest_is_never_read() {
    let head = "HTTP/1.1 200 OK\r\ncontent-length: 209715200\r\n\r\n";
    let (url, written) = fountain(head, vec![b'x'; 64 << 10], Duration::ZERO).await;
    let client = Client::new(Settings {
        max_body: 1 << 20,
        ..settings(&url)
    })
    .expect("good settings");
    let answer = answered(client.send(&get("/")).await);
    assert_eq!((answer.body.len(), answer.truncated), (1 << 20, true));
    // What the sockets hold is beyond our say; it is far from 200 MB.
    assert!(written.load(Ordering::SeqCst) < 64 << 20);
}

#[tokio::test]
async fn an_answer_that_never_ends_times_out() {
    let head = "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n";
    let (url, _) = fountain(head, b"1\r\nx\r\n".to_vec(), Duration::from_millis(20)).await;
    let failure = failed(impatient(&url).send(&get("/")).await);
    assert_eq!(failure, Failure::TimedOut(Duration::from_millis(400)));
}

#[tokio::test]
async fn headers_that_never_end_time_out() {
    let rest = Duration::from_millis(20);
    let (url, _) = fountain("HTTP/1.1 200 OK\r\n", b"x-a: b\r\n".to_vec(), rest).await;
    let failure = failed(impatient(&url).send(&get("/")).await);
    assert!(matches!(failure, Failure::TimedOut(_)), "{failure}");
}

#[tokio::test]
async fn an_endless_answer_is_cut_where_the_limit_comes_first() {
    let head = "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n";
    let (url, _) = fountain(head, b"1\r\nx\r\n".repeat(1000), Duration::from_millis(1)).await;
    let client = Client::new(Settings {
        max_body: 5000,
        ..settings(&url)
    })
    .expect("good settings");
    let answer = answered(client.send(&get("/")).await);
    assert_eq!((answer.body.len(), answer.truncated), (5000, true));
}

#[tokio::test]
async fn a_service_that_says_nothing_times_out() {
    let stub = Stub::start(|_| Act::Hang).await;
    let client = impatient(&stub.url);
    for _ in 0..2 {
        let failure = failed(client.send(&get("/")).await);
        assert!(matches!(failure, Failure::TimedOut(_)), "{failure}");
    }
    assert_eq!(
        stub.connections(),
        2,
        "nobody waits on a silent connection twice"
    );
}

#[tokio::test]
async fn a_body_of_exactly_the_limit_is_whole() {
    let stub =
        Stub::start(|_| Act::Say("HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\n12345".into())).await;
    for (limit, truncated) in [(5, false), (4, true)] {
        let client = Client::new(Settings {
            max_body: limit,
            ..settings(&stub.url)
        })
        .expect("good settings");
        let answer = answered(client.send(&get("/")).await);
        assert_eq!((answer.body.len(), answer.truncated), (limit, truncated));
    }
}

fn gzipped(bytes: &[u8]) -> Vec<u8> {
    let mut to = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    to.write_all(bytes).expect("memory takes all");
    to.finish().expect("memory takes all")
}

async fn sends_gzip(bytes: &[u8]) -> Stub {
    let body = gzipped(bytes);
    Stub::start(move |_| {
        let head = "HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\n\r\n";
        Act::SayAndClose([head.as_bytes(), &body].concat())
    })
    .await
}

#[tokio::test]
async fn a_compressed_answer_is_unpacked() {
    let stub = sends_gzip(b"{\"a\": 1}").await;
    let answer = answered(client(&stub.url).send(&get("/")).await);
    assert!(answer.json().is_some_and(|value| value["a"] == 1));
    assert!(stub.requests()[0].contains("accept-encoding: gzip, deflate, br"));
}

#[tokio::test]
async fn a_bomb_is_not_unpacked_beyond_the_limit() {
    let stub = sends_gzip(&vec![0; 64 << 20]).await;
    let client = Client::new(Settings {
        max_body: 100 << 10,
        ..settings(&stub.url)
    })
    .expect("good settings");
    let answer = answered(client.send(&get("/")).await);
    assert_eq!((answer.body.len(), answer.truncated), (100 << 10, true));
}

/// A service that does one thing at a time and refuses the others.
fn locking() -> Fake {
    let free = Mutex::new(Instant::now());
    Fake::start(move |_| {
        let now = Instant::now();
        let mut free = free.lock().unwrap_or_else(PoisonError::into_inner);
        if now < *free {
            return FakeResponse::text(500, "OperationalError: database is locked");
        }
        *free = now + WORK;
        FakeResponse::status(200).after(WORK)
    })
}

const WORK: Duration = Duration::from_millis(3);

#[tokio::test(flavor = "current_thread")]
async fn a_service_that_locks_is_asked_one_thing_at_a_time() {
    let service = locking();
    let client = client(&service.url());
    let mut statuses = Vec::new();
    for _ in 0..30 {
        let round = (0..16).map(|_| {
            let client = client.clone();
            tokio::spawn(async move { answered(client.send(&get("/")).await).status })
        });
        for answer in round.collect::<Vec<_>>() {
            statuses.push(answer.await.expect("it ends"));
        }
    }
    let refused = statuses.iter().skip(80).filter(|status| **status == 500);
    let refused = refused.count();
    assert!(refused < 100, "{refused} of 400 were refused");
    assert!(client.limit() <= 4, "{} at once", client.limit());
}
