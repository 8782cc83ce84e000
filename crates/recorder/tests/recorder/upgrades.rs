//! Connections that become something else.

use std::time::Duration;

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};

use crate::rig::{Rig, raw, settings};
use crate::upstream::{read_request, saying};

const QUESTION: &str = "GET /chat HTTP/1.1\r\nHost: h\r\nConnection: Upgrade\r\n\
                        Upgrade: websocket\r\nSec-WebSocket-Key: abc\r\n\r\n";
const SWITCH: &str = "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\n\
                      Upgrade: websocket\r\nSec-WebSocket-Accept: def\r\n\r\n";

/// Agrees, says hello with the same bytes, and then sends back whatever comes.
async fn echo() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let address = listener.local_addr().expect("an address");
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            tokio::spawn(async move {
                let asked = read_request(&mut stream).await.expect("a request");
                assert!(asked.contains("Upgrade: websocket\r\n"), "{asked}");
                let hello = format!("{SWITCH}\u{1}hello");
                stream.write_all(hello.as_bytes()).await.expect("a reader");
                let (mut from, mut to) = stream.split();
                let _ = tokio::io::copy(&mut from, &mut to).await;
            });
        }
    });
    format!("http://{address}")
}

async fn read_until(stream: &mut TcpStream, end: &[u8]) -> Vec<u8> {
    let mut all = Vec::new();
    while !all.ends_with(end) {
        let reading = tokio::time::timeout(Duration::from_secs(5), stream.read_buf(&mut all));
        let size = reading.await.expect("in time").expect("it goes on");
        assert!(size > 0, "closed after {}", String::from_utf8_lossy(&all));
    }
    all
}

#[tokio::test]
async fn a_websocket_goes_through_untouched() {
    let rig = Rig::new(&echo().await);
    let mut client = TcpStream::connect(rig.address()).await.expect("the proxy");
    // The first bytes of the new protocol may come with the question.
    let question = format!("{QUESTION}first");
    client
        .write_all(question.as_bytes())
        .await
        .expect("it reads");
    let text = read_until(&mut client, b"first").await;
    let text = String::from_utf8_lossy(&text).into_owned();
    assert_eq!(text, format!("{SWITCH}\u{1}hellofirst"));
    let bytes: Vec<u8> = (0..200_000_u32).map(|n| (n % 251) as u8).collect();
    let (mut from, mut to) = client.split();
    let sent = bytes.clone();
    let mut back = vec![0; bytes.len()];
    let (written, read) = tokio::join!(to.write_all(&sent), from.read_exact(&mut back));
    written.expect("it reads");
    read.expect("it answers");
    assert_eq!(back, bytes);
    to.shutdown().await.expect("one side may end");
    assert_eq!(
        from.read(&mut back).await.expect("and the other follows"),
        0
    );
    let (figures, seen) = rig.end().await;
    assert_eq!((figures.tunnels, figures.passed, seen.len()), (1, 0, 0));
}

#[tokio::test]
async fn an_upgrade_that_is_refused_is_an_answer_like_others() {
    let no = "HTTP/1.1 426 Upgrade Required\r\nContent-Length: 2\r\n\r\nno";
    let upstream = saying(no, true).await;
    let rig = Rig::new(&upstream.url);
    let text = raw(
        rig.address(),
        &QUESTION.replace("Upgrade\r\n", "Upgrade, close\r\n"),
    )
    .await;
    assert!(
        text.starts_with("HTTP/1.1 426 ") && text.ends_with("no"),
        "{text}"
    );
    let (figures, seen) = rig.end().await;
    assert_eq!((figures.tunnels, figures.recorded), (0, 1));
    assert_eq!(seen[0].answer.as_ref().map(|a| a.status), Some(426));
}

#[tokio::test]
async fn an_upstream_that_switches_unasked_is_a_fault() {
    let upstream = saying(SWITCH, true).await;
    let rig = Rig::new(&upstream.url);
    let text = raw(
        rig.address(),
        "GET / HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n",
    )
    .await;
    assert!(text.starts_with("HTTP/1.1 502 "), "{text}");
    let (figures, _) = rig.end().await;
    assert_eq!((figures.failed, figures.tunnels), (1, 0));
}

#[tokio::test]
async fn open_tunnels_are_cut_when_the_time_of_the_end_is_up() {
    let url = echo().await;
    let mut settings = settings(&url);
    settings.patience.ending = Duration::from_millis(300);
    let rig = Rig::with(settings);
    let mut client = TcpStream::connect(rig.address()).await.expect("the proxy");
    client
        .write_all(QUESTION.as_bytes())
        .await
        .expect("it reads");
    read_until(&mut client, b"hello").await;
    let started = std::time::Instant::now();
    rig.end().await;
    assert!(started.elapsed() < Duration::from_secs(3));
    let mut rest = Vec::new();
    let reading = client.read_to_end(&mut rest);
    let ended = tokio::time::timeout(Duration::from_secs(3), reading).await;
    assert!(ended.is_ok(), "the client hears of it");
}
