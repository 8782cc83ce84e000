//! What is sent, what is left out, and when the client waits.

use std::time::{Duration, Instant};

use fossick_contract::Method;
use fossick_trace::{Failure, Request};
use fossick_transport::{Client, Credentials, Settings, User, fetch};

use crate::stub::{Act, Stub, json};
use crate::{answered, client, failed, get, post, settings};

fn pairs(headers: &[(&str, &str)]) -> Vec<(String, String)> {
    headers
        .iter()
        .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
        .collect()
}

#[tokio::test]
async fn targets_go_out_byte_for_byte() {
    let stub = Stub::start(|_| json(200, "", "{}")).await;
    let client = client(&format!("{}/api/", stub.url));
    for target in [
        "/a%2Fb/../c//d?x=%00&y=[]{}|&&",
        "/%ff%C3%28;v=1,2",
        "?only=query",
        "/é",
    ] {
        answered(client.send(&get(target)).await);
        let last = stub.requests().pop().unwrap_or_default();
        assert_eq!(
            last.lines().next(),
            Some(format!("GET /api{target} HTTP/1.1").as_str())
        );
    }
    answered(client.send(&get("/a b\r\nEvil: yes")).await);
    let last = stub.requests().pop().unwrap_or_default();
    assert!(
        last.starts_with("GET /api/a%20b%0D%0AEvil:%20yes HTTP/1.1\r\n"),
        "{last}"
    );
}

#[tokio::test]
async fn a_base_may_be_the_whole_address() {
    let stub = Stub::start(|_| json(200, "", "{}")).await;
    let mut settings = settings(&format!("{}/graphql", stub.url));
    for path in ["/graphql", "/graphql/"] {
        path.clone_into(&mut settings.base.path);
        let client = Client::new(settings.clone()).expect("good settings");
        answered(client.send(&post("", "{\"query\":\"{a}\"}")).await);
        answered(client.send(&get("?query=%7Ba%7D&variables=%7B%7D")).await);
        let lines: Vec<String> = stub
            .requests()
            .iter()
            .rev()
            .take(2)
            .filter_map(|request| request.lines().next().map(str::to_owned))
            .collect();
        assert_eq!(
            lines,
            [
                format!("GET {path}?query=%7Ba%7D&variables=%7B%7D HTTP/1.1"),
                format!("POST {path} HTTP/1.1"),
            ]
        );
    }
}

#[tokio::test]
async fn every_method_is_sent_and_bodies_have_a_length() {
    let stub = Stub::start(|_| Act::SayAndClose(b"HTTP/1.1 204 X\r\n\r\n".to_vec())).await;
    let client = client(&stub.url);
    for method in Method::ALL {
        let request = Request {
            method,
            ..post("/", "[1]")
        };
        answered(client.send(&request).await);
        let last = stub.requests().pop().unwrap_or_default();
        assert!(
            last.starts_with(&format!("{method} / HTTP/1.1\r\n")),
            "{last}"
        );
        assert!(
            last.contains("content-length: 3\r\n") && last.ends_with("\r\n\r\n[1]"),
            "{last}"
        );
    }
    answered(client.send(&post("/", "")).await);
    assert!(
        stub.requests()
            .pop()
            .is_some_and(|last| last.contains("content-length: 0\r\n"))
    );
    answered(client.send(&get("/")).await);
    assert!(
        stub.requests()
            .pop()
            .is_some_and(|last| !last.contains("content-length"))
    );
}

#[tokio::test]
async fn a_header_that_can_not_be_sent_is_a_failure() {
    let stub = Stub::start(|_| json(200, "", "{}")).await;
    let request = Request {
        headers: pairs(&[("x-bad", "a\0b")]),
        ..get("/")
    };
    let failure = failed(client(&stub.url).send(&request).await);
    let expected = Failure::Malformed("header x-bad can't be sent".into());
    assert_eq!(failure, expected);
    assert!(stub.requests().is_empty());
}

#[tokio::test]
async fn headers_of_an_answer_are_kept_as_text() {
    let stub = Stub::start(|_| {
        let head =
            b"HTTP/1.1 200 OK\r\nX-Odd: a\xffb\r\nSet-Cookie: a=1\r\nSet-Cookie: b=2\r\n\r\n";
        Act::SayAndClose(head.to_vec())
    })
    .await;
    let answer = answered(client(&stub.url).send(&get("/")).await);
    let expected = [
        ("x-odd", "a\u{fffd}b"),
        ("set-cookie", "a=1"),
        ("set-cookie", "b=2"),
    ];
    assert_eq!(answer.headers, pairs(&expected));
}

#[tokio::test]
async fn redirects_are_answers() {
    let stub = Stub::start(|_| json(302, "location: /elsewhere\r\n", "")).await;
    let answer = answered(client(&stub.url).send(&get("/")).await);
    assert_eq!(
        (answer.status, answer.header("location")),
        (302, Some("/elsewhere"))
    );
    assert_eq!(stub.requests().len(), 1);
}

#[tokio::test]
async fn an_anonymous_request_has_no_credentials() {
    let stub = Stub::start(|_| json(200, "", "{}")).await;
    let ann = User {
        name: "ann".into(),
        credentials: Credentials::All(vec![
            Credentials::Bearer("anns-token".into()),
            Credentials::Query(pairs(&[("key", "anns-key")])),
        ]),
    };
    let client = Client::new(Settings {
        users: vec![ann],
        headers: pairs(&[("X-Api-Key", "shared-secret"), ("X-Trace", "on")]),
        ..settings(&stub.url)
    })
    .expect("good settings");
    answered(client.send(&get("/x?a=1")).await);
    let known = stub.requests().pop().unwrap_or_default();
    assert!(known.starts_with("GET /x?a=1&key=anns-key "), "{known}");
    assert!(
        known.contains("anns-token") && known.contains("shared-secret"),
        "{known}"
    );
    let anonymous = Request {
        anonymous: true,
        ..get("/x?a=1")
    };
    answered(client.send(&anonymous).await);
    let unknown = stub.requests().pop().unwrap_or_default();
    assert!(
        unknown.starts_with("GET /x?a=1 ") && unknown.contains("x-trace: on"),
        "{unknown}"
    );
    assert!(
        !unknown.contains("token") && !unknown.contains("secret"),
        "{unknown}"
    );
    assert_eq!(
        client.secrets(),
        [
            "Bearer anns-token",
            "shared-secret",
            "anns-token",
            "anns-key"
        ]
    );
}

#[tokio::test]
async fn a_request_names_its_user_and_its_own_headers_win() {
    let stub = Stub::start(|_| json(200, "", "{}")).await;
    let users = ["ann", "bob"].map(|name| User {
        name: name.into(),
        credentials: Credentials::Bearer(format!("{name}-token")),
    });
    let client = Client::new(Settings {
        users: users.to_vec(),
        ..settings(&stub.url)
    })
    .expect("good settings");
    let as_user = |name: &str| Request {
        user: Some(name.into()),
        ..get("/")
    };
    answered(client.send(&get("/")).await);
    answered(client.send(&as_user("bob")).await);
    let spoilt = Request {
        headers: pairs(&[("Authorization", "Bearer nobody"), ("Accept", "text/csv")]),
        ..as_user("bob")
    };
    answered(client.send(&spoilt).await);
    let seen = stub.requests();
    assert!(seen[0].contains("ann-token") && seen[1].contains("bob-token"));
    assert!(seen[2].contains("authorization: Bearer nobody\r\n") && !seen[2].contains("bob"));
    assert!(seen[2].contains("accept: text/csv\r\n"));
    let failure = failed(client.send(&as_user("eve")).await);
    assert!(failure.to_string().contains("no user is called `eve`"));
}

#[tokio::test]
async fn cookies_are_kept_only_when_asked_for() {
    for cookies in [true, false] {
        let stub = Stub::start(|_| json(200, "set-cookie: a=1\r\n", "{}")).await;
        let ann = User {
            name: "ann".into(),
            credentials: Credentials::Bearer("anns-token".into()),
        };
        let client = Client::new(Settings {
            cookies,
            users: vec![ann],
            ..settings(&stub.url)
        })
        .expect("good settings");
        answered(client.send(&get("/")).await);
        answered(client.send(&get("/")).await);
        assert_eq!(stub.requests()[1].contains("cookie: a=1\r\n"), cookies);
    }
}

#[tokio::test]
async fn a_pause_that_is_asked_for_is_kept() {
    let stub = Stub::start(|seen| match seen.number {
        0 => json(429, "retry-after: 1\r\n", "{}"),
        _ => json(200, "", "{}"),
    })
    .await;
    let client = client(&stub.url);
    let started = Instant::now();
    assert_eq!(answered(client.send(&post("/", "{}")).await).status, 200);
    assert!(started.elapsed() >= Duration::from_millis(900));
    assert!(client.paused() >= Duration::from_millis(900));
    assert_eq!((client.pauses(), stub.requests().len()), (1, 2));
}

#[tokio::test]
async fn a_pause_has_an_end_and_a_request_is_repeated_once() {
    let stub = Stub::start(|_| json(503, "retry-after: 86400\r\n", "{}")).await;
    let client = Client::new(Settings {
        longest_pause: Duration::from_millis(50),
        ..settings(&stub.url)
    })
    .expect("good settings");
    assert_eq!(answered(client.send(&get("/")).await).status, 503);
    assert_eq!(stub.requests().len(), 2);
    let plain = Stub::start(|_| json(503, "", "{}")).await;
    answered(crate::client(&plain.url).send(&get("/")).await);
    assert_eq!(plain.requests().len(), 1);
}

#[tokio::test]
async fn a_rate_is_not_exceeded() {
    let stub = Stub::start(|_| json(200, "", "{}")).await;
    let client = Client::new(Settings {
        rate: Some(100.0),
        ..settings(&stub.url)
    })
    .expect("good settings");
    let started = Instant::now();
    let tasks: Vec<_> = (0..31)
        .map(|_| {
            let client = client.clone();
            tokio::spawn(async move { answered(client.send(&get("/")).await) })
        })
        .collect();
    for task in tasks {
        task.await.expect("an answer");
    }
    assert!(started.elapsed() >= Duration::from_millis(250));
}

#[tokio::test]
async fn a_document_is_fetched_through_redirects_on_its_host() {
    let stub = Stub::start(|seen| match seen.first_line() {
        "GET /old?v=1 HTTP/1.1" => json(301, "location: new\r\n", ""),
        "GET /new HTTP/1.1" => json(200, "", "{\"openapi\":1}"),
        "GET /away HTTP/1.1" => json(302, "location: http://192.0.2.1/\r\n", ""),
        _ => json(302, "location: /loop\r\n", ""),
    })
    .await;
    let headers = pairs(&[("X-Api-Key", "k")]);
    let at = |path: &str| format!("{}{path}", stub.url);
    let document = fetch(&at("/old?v=1"), &headers, false).await;
    let expected = (200, "application/json".to_owned(), "{\"openapi\":1}".into());
    assert_eq!(document, Ok(expected));
    assert!(
        stub.requests()
            .iter()
            .all(|seen| seen.contains("x-api-key: k"))
    );
    let away = fetch(&at("/away"), &headers, false).await;
    assert!(away.is_err_and(|why| why.contains("another host")));
    let endless = fetch(&at("/loop"), &headers, false).await;
    assert!(endless.is_err_and(|why| why.contains("redirects")));
}
