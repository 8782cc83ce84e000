//! Connections that are refused, dropped, closed and used again.

use fossick_contract::Method;
use fossick_trace::{Failure, Request};
use tokio::net::TcpListener;

use crate::stub::{Act, Stub, json};
use crate::{answered, client, failed, get};

#[tokio::test]
async fn a_service_that_is_not_there_is_unreachable() {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
    let url = format!("http://{}", listener.local_addr().expect("an address"));
    drop(listener);
    let client = client(&url);
    let failure = failed(client.send(&get("/")).await);
    assert!(matches!(failure, Failure::Unreachable(_)), "{failure}");
    assert_eq!(client.requests(), 0);
}

#[tokio::test]
async fn an_answer_that_breaks_off_is_dropped() {
    for beginning in [
        "",
        "HTTP/1.1 200",
        "HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nabc",
    ] {
        let stub = Stub::start(move |_| Act::SayAndClose(beginning.into())).await;
        let failure = failed(client(&stub.url).send(&get("/")).await);
        assert!(
            matches!(failure, Failure::Dropped(_)),
            "{beginning}: {failure}"
        );
        assert_eq!(stub.requests().len(), 1, "a fresh connection is no excuse");
    }
}

#[tokio::test]
async fn what_is_not_http_is_malformed() {
    let chunks = "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n";
    for nonsense in ["SSH-2.0-x\r\n\r\n", "HTTP/1.1 abc OK\r\n\r\n", chunks] {
        let stub = Stub::start(move |_| Act::SayAndClose(nonsense.into())).await;
        let failure = failed(client(&stub.url).send(&get("/")).await);
        assert!(
            matches!(failure, Failure::Malformed(_)),
            "{nonsense}: {failure}"
        );
    }
}

#[tokio::test]
async fn a_connection_is_used_again() {
    let stub = Stub::start(|_| json(200, "", "{}")).await;
    let client = client(&stub.url);
    for _ in 0..50 {
        answered(client.send(&get("/")).await);
    }
    assert_eq!((stub.connections(), client.requests()), (1, 50));
}

#[tokio::test]
async fn there_are_never_more_connections_than_allowed() {
    let stub = Stub::start(|_| json(200, "", "{}")).await;
    let client = fossick_transport::Client::new(fossick_transport::Settings {
        connections: 3,
        ..crate::settings(&stub.url)
    })
    .expect("good settings");
    let tasks: Vec<_> = (0..40)
        .map(|_| {
            let client = client.clone();
            tokio::spawn(async move { answered(client.send(&get("/")).await) })
        })
        .collect();
    for task in tasks {
        task.await.expect("an answer");
    }
    assert!(stub.connections() <= 3);
    assert_eq!(stub.requests().len(), 40);
}

#[tokio::test]
async fn an_answer_without_a_length_ends_with_the_connection() {
    let stub =
        Stub::start(|_| Act::SayAndClose(b"HTTP/1.1 200 OK\r\n\r\nall of it".to_vec())).await;
    let client = client(&stub.url);
    for _ in 0..3 {
        let answer = answered(client.send(&get("/")).await);
        assert_eq!(
            (&answer.body[..], answer.truncated),
            (&b"all of it"[..], false)
        );
    }
    assert_eq!(stub.connections(), 3);
}

#[tokio::test]
async fn a_connection_that_was_closed_while_idle_is_no_failure() {
    // It promises to keep the connection, answers, and closes it all the same.
    let answer = "HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}";
    let stub = Stub::start(move |_| Act::SayAndClose(answer.into())).await;
    let client = client(&stub.url);
    for _ in 0..10 {
        answered(client.send(&get("/")).await);
    }
    assert_eq!(stub.connections(), 10);
}

/// Answers the first request on the first connection, then closes when it hears another one.
async fn forgetful() -> Stub {
    Stub::start(|seen| match seen.number {
        1 => Act::SayAndClose(vec![]),
        _ => json(200, "", "{}"),
    })
    .await
}

#[tokio::test]
async fn a_request_that_may_be_repeated_is_sent_again_on_a_fresh_connection() {
    for method in [Method::Get, Method::Post, Method::Put, Method::Delete] {
        let stub = forgetful().await;
        let client = client(&stub.url);
        answered(client.send(&get("/")).await);
        let request = Request {
            method,
            ..get("/again")
        };
        answered(client.send(&request).await);
        assert_eq!((stub.connections(), stub.requests().len()), (2, 3));
        assert_eq!(client.requests(), 3);
    }
}

#[tokio::test]
async fn a_request_that_always_kills_the_connection_is_dropped_in_the_end() {
    let stub = Stub::start(|seen| match seen.first_line() {
        "GET /poison HTTP/1.1" => Act::SayAndClose(vec![]),
        _ => json(200, "", "{}"),
    })
    .await;
    let client = client(&stub.url);
    answered(client.send(&get("/")).await);
    let failure = failed(client.send(&get("/poison")).await);
    assert!(matches!(failure, Failure::Dropped(_)), "{failure}");
    assert_eq!(stub.requests().len(), 3);
}
