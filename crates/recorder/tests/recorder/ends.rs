//! Peers that leave, stay silent or come back, and the proxy's own end.

use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use fossick_recorder::Patience;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};

use crate::rig::{Client, Rig, body_of, end, get, post, raw, settings, until};
use crate::upstream::{Log, read_request, saying, service};

#[tokio::test]
async fn an_upstream_that_is_gone_is_answered_for_and_one_that_is_back_is_used() {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let address = listener.local_addr().expect("an address");
    drop(listener);
    let rig = Rig::new(&format!("http://{address}"));
    let mut client = Client::new(rig.address()).await;
    let answer = client.send(post("/echo", "x")).await;
    assert_eq!(answer.status(), 502);
    assert_eq!(
        answer.headers()["content-type"],
        "text/plain; charset=utf-8"
    );
    let text = body_of(answer).await;
    assert!(
        text.starts_with(b"the upstream gave no answer: "),
        "{text:?}"
    );
    let listener = TcpListener::bind(address).await.expect("the same port");
    tokio::spawn(crate::upstream::accept(listener, Log::default()));
    assert_eq!(body_of(client.send(post("/echo", "x")).await).await, "x");
    let (figures, seen) = rig.end().await;
    assert_eq!(
        (figures.failed, figures.passed, figures.recorded),
        (1, 1, 1)
    );
    assert_eq!(
        seen.len(),
        1,
        "what we said ourselves is no answer of the service"
    );
}

#[tokio::test]
async fn an_answer_that_breaks_off_breaks_off_for_the_client_too() {
    for answer in [
        "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhello",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n",
    ] {
        let upstream = saying(answer, true).await;
        let rig = Rig::new(&upstream.url);
        let text = raw(rig.address(), "GET / HTTP/1.1\r\nHost: h\r\n\r\n").await;
        assert!(
            text.contains("hello") && !text.contains("\r\n0\r\n"),
            "{text}"
        );
        let (figures, seen) = rig.end().await;
        assert_eq!((figures.passed, figures.recorded), (1, 1));
        let answer = seen[0].answer.as_ref().expect("its head came");
        assert_eq!(
            (answer.status, answer.body.as_ref(), answer.took),
            (200, None, None)
        );
    }
}

#[tokio::test]
async fn a_client_that_leaves_takes_its_call_with_it() {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let address = listener.local_addr().expect("an address");
    let rig = Rig::new(&format!("http://{address}"));
    let mut client = TcpStream::connect(rig.address()).await.expect("the proxy");
    let request = b"GET /never HTTP/1.1\r\nHost: h\r\n\r\n";
    client.write_all(request).await.expect("it reads");
    let (mut upstream, _) = listener.accept().await.expect("the proxy comes");
    assert!(read_request(&mut upstream).await.is_some());
    drop(client);
    let closed = tokio::time::timeout(Duration::from_secs(5), read_request(&mut upstream)).await;
    assert_eq!(closed.expect("the upstream hears of it"), None);
    until("it is counted", || rig.proxy.figures().abandoned == 1).await;
    let (figures, _) = rig.end().await;
    assert_eq!((figures.passed, figures.failed), (0, 0));
}

#[tokio::test]
async fn a_client_that_leaves_in_the_middle_of_an_answer_ends_it() {
    let upstream = service().await;
    let rig = Rig::new(&upstream.url);
    let mut client = TcpStream::connect(rig.address()).await.expect("the proxy");
    let request = b"GET /big HTTP/1.1\r\nHost: h\r\n\r\n";
    client.write_all(request).await.expect("it reads");
    let mut some = vec![0; 64 << 10];
    client.read_exact(&mut some).await.expect("it begins");
    drop(client);
    let closed = &upstream.log.closed;
    until("the upstream hears of it", || {
        closed.load(Ordering::SeqCst) == 1
    })
    .await;
    let (figures, seen) = rig.end().await;
    assert_eq!((figures.passed, figures.recorded), (1, 1));
    assert_eq!(seen[0].answer.as_ref().and_then(|a| a.took), None);
}

#[tokio::test]
async fn a_client_that_leaves_in_the_middle_of_a_request_ends_it() {
    let upstream = service().await;
    let rig = Rig::new(&upstream.url);
    let mut client = TcpStream::connect(rig.address()).await.expect("the proxy");
    let request = b"POST /swallow HTTP/1.1\r\nHost: h\r\nContent-Length: 1000000\r\n\r\npart";
    client.write_all(request).await.expect("it reads");
    until("the upstream is asked", || upstream.log.connections() == 1).await;
    drop(client);
    let closed = &upstream.log.closed;
    until("the upstream hears of it", || {
        closed.load(Ordering::SeqCst) == 1
    })
    .await;
    rig.end().await;
}

#[tokio::test]
async fn an_upstream_that_never_answers_is_given_up() {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let address = listener.local_addr().expect("an address");
    let mut settings = settings(&format!("http://{address}"));
    settings.patience.answer = Duration::from_millis(200);
    let rig = Rig::with(settings);
    let mut client = Client::new(rig.address()).await;
    assert_eq!(client.send(get("/")).await.status(), 504);
    let (figures, _) = rig.end().await;
    assert_eq!((figures.failed, figures.passed), (1, 0));
}

#[tokio::test]
async fn a_body_that_stops_is_given_up() {
    let answer = "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhello";
    let upstream = saying(answer, false).await;
    let mut settings = settings(&upstream.url);
    settings.patience.stall = Duration::from_millis(200);
    let rig = Rig::with(settings);
    let started = Instant::now();
    let text = raw(rig.address(), "GET / HTTP/1.1\r\nHost: h\r\n\r\n").await;
    assert!(text.ends_with("hello") && started.elapsed() < Duration::from_secs(5));
    rig.end().await;
}

#[tokio::test]
async fn clients_that_say_nothing_or_too_little_are_shown_out() {
    let upstream = service().await;
    let mut settings = settings(&upstream.url);
    settings.patience = Patience {
        head: Duration::from_millis(200),
        ..settings.patience
    };
    let rig = Rig::with(settings);
    for beginning in ["", "P", "GET / HTTP/1.1\r\nHost", "PRI * HT"] {
        let started = Instant::now();
        let text = raw(rig.address(), beginning).await;
        assert!(
            started.elapsed() < Duration::from_secs(5),
            "{beginning}: {text}"
        );
    }
    rig.end().await;
}

#[tokio::test]
async fn an_upstream_that_closes_after_each_answer_unannounced_loses_no_call() {
    let upstream = saying("HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok", true).await;
    let rig = Rig::new(&upstream.url);
    let mut client = Client::new(rig.address()).await;
    for number in 0..100 {
        let request = if number % 2 == 0 {
            get("/")
        } else {
            post("/", "x")
        };
        // Long enough for the end of the connection to have come.
        tokio::time::sleep(Duration::from_millis(3)).await;
        assert_eq!(client.send(request).await.status(), 200, "call {number}");
    }
    let (figures, _) = rig.end().await;
    assert_eq!((figures.passed, figures.failed), (100, 0));
}

/// Answers the first request of a connection and closes on the second without a word.
async fn closing_on_the_second(answered: &'static str) -> (String, tokio::task::JoinHandle<()>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let address = listener.local_addr().expect("an address");
    let task = tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            tokio::spawn(async move {
                if read_request(&mut stream).await.is_some() {
                    let _ = stream.write_all(answered.as_bytes()).await;
                }
                let _ = read_request(&mut stream).await;
            });
        }
    });
    (format!("http://{address}"), task)
}

#[tokio::test]
async fn what_only_reads_is_asked_again_on_a_fresh_connection_and_nothing_else() {
    let ok = "HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok";
    let (url, _task) = closing_on_the_second(ok).await;
    let mut settings = settings(&url);
    settings.threads = 1;
    let rig = Rig::with(settings);
    let mut client = Client::new(rig.address()).await;
    assert_eq!(client.send(get("/1")).await.status(), 200);
    assert_eq!(client.send(get("/2")).await.status(), 200, "asked again");
    assert_eq!(
        client.send(post("/3", "pay")).await.status(),
        502,
        "not asked twice"
    );
    let (figures, _) = rig.end().await;
    assert_eq!((figures.passed, figures.failed), (2, 1));
}

#[tokio::test]
async fn connections_are_used_again_and_not_kept_for_long() {
    let upstream = service().await;
    let mut settings = settings(&upstream.url);
    settings.threads = 1;
    settings.patience.idle = Duration::from_millis(300);
    let rig = Rig::with(settings);
    for _ in 0..20 {
        let mut client = Client::new(rig.address()).await;
        body_of(client.send(post("/echo", "x")).await).await;
    }
    assert_eq!(upstream.log.connections(), 1);
    let closed = &upstream.log.closed;
    until("it is let go", || closed.load(Ordering::SeqCst) == 1).await;
    rig.end().await;
}

#[tokio::test]
async fn calls_under_way_are_answered_before_the_end() {
    let upstream = service().await;
    let rig = Rig::new(&upstream.url);
    let address = rig.address();
    let call = tokio::spawn(async move {
        let mut client = Client::new(address).await;
        body_of(client.send(get("/slow")).await).await
    });
    until("it is under way", || !upstream.log.requests().is_empty()).await;
    let figures = end(rig.proxy).await;
    assert_eq!(call.await.expect("no panic"), "slowly /slow");
    assert_eq!(
        (figures.passed, figures.recorded, figures.waiting),
        (1, 1, 0)
    );
    assert!(TcpStream::connect(address).await.is_err(), "nobody listens");
}

#[tokio::test]
async fn an_idle_client_does_not_hold_the_end_up() {
    let upstream = service().await;
    let mut settings = settings(&upstream.url);
    settings.patience.ending = Duration::from_secs(30);
    let rig = Rig::with(settings);
    let mut client = Client::new(rig.address()).await;
    body_of(client.send(get("/")).await).await;
    let _silent = TcpStream::connect(rig.address()).await.expect("the proxy");
    let started = Instant::now();
    rig.end().await;
    assert!(started.elapsed() < Duration::from_secs(15));
}

#[tokio::test]
async fn no_way_leads_to_other_hosts() {
    let upstream = service().await;
    let rig = Rig::new(&upstream.url);
    let question = "CONNECT other.example:443 HTTP/1.1\r\nHost: other.example:443\r\n\r\n";
    let text = raw(rig.address(), question).await;
    assert!(text.starts_with("HTTP/1.1 405 "), "{text}");
    assert_eq!(upstream.log.connections(), 0);
    rig.end().await;
}
