//! The endpoint for those who saw calls elsewhere.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use bytes::Bytes;
use fossick_harvest::Seen;
use fossick_recorder::{
    CollectSettings, Figures, Keep, Kept, Parse, RecordSettings, Running, start_collector,
};
use hyper::Response;
use hyper::body::Incoming;
use serde_json::Value;

use crate::rig::{
    Client, Heard, LOOPBACK, Shelf, body_of, get, post, recorder, recording, request,
};

/// One target per line; a line that does not begin with a slash is wrong.
fn parse() -> Parse {
    Arc::new(|body: &[u8]| {
        let text = String::from_utf8_lossy(body);
        text.lines()
            .map(|line| {
                let good = line.starts_with('/').then(|| Seen::once(1, "GET", line));
                good.ok_or_else(|| format!("`{line}` is no target"))
            })
            .collect()
    })
}

fn collector(
    change: impl FnOnce(&mut CollectSettings),
    record: RecordSettings,
    keep: impl Keep + 'static,
) -> Running {
    let mut settings = CollectSettings::new(LOOPBACK);
    change(&mut settings);
    let tell = Heard::default().teller();
    start_collector(settings, parse(), recorder(record, keep), tell).expect("a free port")
}

async fn end(collector: Running) -> Figures {
    let ended = tokio::task::spawn_blocking(move || collector.end()).await;
    ended.expect("it ends")
}

async fn told(to: SocketAddr, target: &str, body: &str) -> (u16, Value) {
    let mut client = Client::new(to).await;
    json(client.send(post(target, body.to_owned())).await).await
}

async fn json(response: Response<Incoming>) -> (u16, Value) {
    let status = response.status().as_u16();
    assert_eq!(response.headers()["content-type"], "application/json");
    let body = body_of(response).await;
    (status, serde_json::from_slice(&body).expect("JSON"))
}

#[tokio::test]
async fn lines_are_taken_and_wrong_ones_are_told() {
    let shelf = Shelf::default();
    let collector = collector(|_| {}, recording(), shelf.clone());
    let (status, answer) = told(collector.address(), "/v1/seen", "/a\nnonsense\n/b\n").await;
    assert_eq!(status, 202);
    assert_eq!(
        (&answer["taken"], &answer["refused"]),
        (&2.into(), &1.into())
    );
    assert_eq!(answer["complaints"][0], "`nonsense` is no target");
    let (status, answer) = told(collector.address(), "/", "/c").await;
    assert_eq!(
        (status, answer.to_string().as_str()),
        (202, r#"{"taken":1,"refused":0}"#)
    );
    let figures = end(collector).await;
    assert_eq!((figures.passed, figures.recorded), (3, 3));
    let targets: Vec<String> = shelf.all().into_iter().map(|seen| seen.target).collect();
    assert_eq!(targets, ["/a", "/b", "/c"]);
}

#[tokio::test]
async fn who_waits_is_answered_when_the_store_has_it() {
    let shelf = Shelf::default();
    let collector = collector(|_| {}, recording(), shelf.clone());
    for number in 1..=3 {
        let (status, answer) = told(collector.address(), "/v1/seen?wait=true", "/a\n/b").await;
        assert_eq!((status, &answer["taken"]), (200, &2.into()));
        assert_eq!(shelf.all().len(), 2 * number, "it is there already");
    }
    end(collector).await;
}

#[tokio::test]
async fn who_waits_hears_when_the_store_does_not_come() {
    let gone = |_: &[Seen]| -> Result<Kept, String> { Err("gone".to_owned()) };
    let patience = |settings: &mut CollectSettings| settings.wait = Duration::from_millis(200);
    let collector = collector(patience, recording(), gone);
    let (status, answer) = told(collector.address(), "/?wait=true", "/a").await;
    assert_eq!(status, 504, "{answer}");
    let figures = end(collector).await;
    assert_eq!((figures.passed, figures.recorded, figures.lost), (1, 0, 1));
}

#[tokio::test]
async fn who_waits_hears_of_a_loss() {
    let broken = |_: &[Seen]| -> Result<Kept, String> { panic!("a planted fault of the store") };
    let collector = collector(|_| {}, recording(), broken);
    let (status, answer) = told(collector.address(), "/?wait=true", "/a\n/b").await;
    assert_eq!(
        (status, &answer["error"]),
        (503, &"2 of these calls are lost".into())
    );
    end(collector).await;
}

#[tokio::test]
async fn a_full_queue_takes_nothing_of_a_request_and_says_so() {
    let open = Arc::new(AtomicBool::new(false));
    let gate = Arc::clone(&open);
    let keep = move |_: &[Seen]| {
        let open = gate.load(Ordering::SeqCst);
        open.then(Kept::default).ok_or_else(|| "not now".to_owned())
    };
    let record = RecordSettings {
        most_calls: 5,
        ..recording()
    };
    let collector = collector(|_| {}, record, keep);
    assert_eq!(told(collector.address(), "/", "/a\n/b\n/c").await.0, 202);
    let mut client = Client::new(collector.address()).await;
    let full = client.send(post("/", "/d\n/e\n/f")).await;
    assert_eq!(full.headers()["retry-after"], "1");
    assert_eq!(json(full).await.0, 503);
    assert_eq!(told(collector.address(), "/", "/d\n/e").await.0, 202);
    open.store(true, Ordering::SeqCst);
    let figures = end(collector).await;
    assert_eq!((figures.passed, figures.recorded, figures.lost), (5, 5, 0));
}

#[tokio::test]
async fn only_who_shows_the_token_is_heard() {
    let secret = |settings: &mut CollectSettings| settings.token = Some("s3cret".to_owned());
    let collector = collector(secret, recording(), Shelf::default());
    let mut client = Client::new(collector.address()).await;
    for (shown, expected) in [
        (None, 401),
        (Some("Bearer no"), 401),
        (Some("Bearer s3cret"), 202),
    ] {
        let mut call = post("/", "/a");
        if let Some(shown) = shown {
            let headers = call.headers_mut();
            headers.insert("authorization", shown.parse().expect("a value"));
        }
        let response = client.send(call).await;
        assert_eq!(response.status(), expected);
        body_of(response).await;
    }
    assert_eq!(client.send(get("/health")).await.status(), 200);
    assert_eq!(end(collector).await.passed, 1);
}

#[tokio::test]
async fn what_is_no_request_for_us_is_refused_in_words() {
    let small = |settings: &mut CollectSettings| settings.max_body = 100;
    let collector = collector(small, recording(), Shelf::default());
    let address = collector.address();
    let mut packed = post("/", "/a");
    let gzip = "gzip".parse().expect("a value");
    packed.headers_mut().insert("content-encoding", gzip);
    for (call, expected) in [
        (get("/v1/seen"), 405),
        (post("/elsewhere", "/a"), 404),
        (post("/", Bytes::from(vec![b'/'; 101])), 413),
        (packed, 415),
        (request("DELETE", "/health", Bytes::new()), 405),
        (post("/", Bytes::from(vec![b'/'; 100])), 202),
    ] {
        let mut client = Client::new(address).await;
        let (status, answer) = json(client.send(call).await).await;
        assert_eq!(status, expected, "{answer}");
        assert!(status == 202 || answer["error"].is_string());
    }
    end(collector).await;
}
