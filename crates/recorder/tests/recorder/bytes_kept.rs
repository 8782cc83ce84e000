//! What goes through is what came, down to the bytes.

use crate::rig::{Client, Rig, body_of, get, post, raw, settings};
use crate::upstream::{saying, service};

const ANSWER: &str = "HTTP/1.1 207 Odd Reason\r\nX-Camel-Case: Ünï\r\nContent-Type: text/x\r\n\
                      SET-Cookie: a=1\r\nset-cookie: b=2\r\nContent-Length: 5\r\n\r\nhello";

#[tokio::test]
async fn an_answer_arrives_byte_by_byte_as_it_left() {
    let upstream = saying(ANSWER.as_bytes().to_vec(), false).await;
    let rig = Rig::new(&upstream.url);
    let question = "GET /a%20b?c=d HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n";
    let answer = raw(rig.address(), question).await;
    let expected = ANSWER.replace("\r\n\r\nhello", "\r\nconnection: close\r\n\r\nhello");
    assert_eq!(answer.replace("Connection", "connection"), expected);
    rig.end().await;
}

#[tokio::test]
async fn a_request_arrives_byte_by_byte_as_it_left() {
    let upstream = saying("HTTP/1.1 204 No Content\r\n\r\n", true).await;
    let rig = Rig::new(&upstream.url);
    let question = "POST /g//x/../y?a=%2F&b HTTP/1.1\r\nHost: Public.Example:8\r\nX-ODD-case: 1\r\n\
                    accept: */*\r\nConnection: keep-alive\r\nContent-Length: 4\r\n\
                    Authorization: Bearer t\r\n\r\nbody";
    let reading = raw(rig.address(), question);
    let _ = tokio::time::timeout(std::time::Duration::from_millis(500), reading).await;
    assert_eq!(upstream.log.requests(), [question]);
    let (figures, seen) = rig.end().await;
    assert_eq!((figures.passed, figures.recorded), (1, 1));
    assert_eq!(seen[0].target, "/g//x/../y?a=%2F&b");
    assert_eq!(seen[0].header("authorization"), Some("Bearer t"));
    assert_eq!(seen[0].client.as_deref(), Some("127.0.0.1"));
    let answer = seen[0].answer.as_ref().expect("it was answered");
    assert_eq!(
        (answer.status, answer.body.as_deref()),
        (204, Some(&b""[..]))
    );
    assert!(answer.took.is_some());
}

#[tokio::test]
async fn what_is_recorded_is_what_went_through() {
    let upstream = service().await;
    let rig = Rig::new(&upstream.url);
    let mut client = Client::new(rig.address()).await;
    let question = r#"{"query":"{ me { id } }"}"#;
    let answer = body_of(client.send(post("/echo", question)).await).await;
    assert_eq!(answer, question);
    body_of(client.send(get("/things?page=2")).await).await;
    let (figures, seen) = rig.end().await;
    assert_eq!((figures.passed, figures.recorded, figures.lost), (2, 2, 0));
    assert_eq!(seen[0].body, question.as_bytes());
    let echoed = seen[0].answer.as_ref().and_then(|a| a.body.as_deref());
    assert_eq!(echoed, Some(question.as_bytes()));
    assert_eq!(
        (seen[1].method.as_str(), seen[1].target.as_str()),
        ("GET", "/things?page=2")
    );
    assert!(seen[1].at > 1_600_000_000_000, "milliseconds since 1970");
}

#[tokio::test]
async fn answers_without_bodies_keep_the_connection() {
    for (method, answer, expected) in [
        (
            "HEAD",
            "HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\n",
            "Content-Length: 99",
        ),
        ("GET", "HTTP/1.1 204 No Content\r\nX-A: 1\r\n\r\n", "X-A: 1"),
        (
            "GET",
            "HTTP/1.1 304 Not Modified\r\nETag: \"x\"\r\n\r\n",
            "ETag: \"x\"",
        ),
        (
            "POST",
            "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n",
            "Content-Length: 0",
        ),
    ] {
        let upstream = saying(answer, false).await;
        let rig = Rig::new(&upstream.url);
        let one = format!("{method} / HTTP/1.1\r\nHost: h\r\n\r\n");
        let last = format!("{method} / HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n");
        let text = raw(rig.address(), &format!("{one}{one}{last}")).await;
        assert_eq!(text.matches(expected).count(), 3, "{method} {text}");
        assert_eq!(upstream.log.connections(), 1, "{method}");
        let (figures, _) = rig.end().await;
        assert_eq!((figures.passed, figures.recorded), (3, 3));
    }
}

#[tokio::test]
async fn pipelined_requests_are_answered_in_order() {
    let upstream = service().await;
    let rig = Rig::new(&upstream.url);
    let mut all = String::new();
    for number in 0..20 {
        let close = if number == 19 {
            "Connection: close\r\n"
        } else {
            ""
        };
        all += &format!("GET /n/{number} HTTP/1.1\r\nHost: h\r\n{close}\r\n");
    }
    let text = raw(rig.address(), &all).await;
    let mut from = 0;
    for number in 0..20 {
        let at = text[from..].find(&format!("GET /n/{number} 0"));
        from += at.unwrap_or_else(|| panic!("{number} is missing or out of order: {text}"));
    }
    let (figures, seen) = rig.end().await;
    assert_eq!((figures.passed, seen.len()), (20, 20));
}

#[tokio::test]
async fn chunks_and_trailers_go_both_ways() {
    let answer = "HTTP/1.1 200 OK\r\nTrailer: X-Sum\r\nTransfer-Encoding: chunked\r\n\r\n\
                  5\r\nhello\r\n0\r\nX-Sum: 7\r\n\r\n";
    let upstream = saying(answer, false).await;
    let rig = Rig::new(&upstream.url);
    let question = "GET /x HTTP/1.1\r\nHost: h\r\nTE: trailers\r\nTrailer: X-In\r\n\
                    Transfer-Encoding: chunked\r\nConnection: close\r\n\r\n\
                    3\r\nabc\r\n0\r\nX-In: 1\r\n\r\n";
    let text = raw(rig.address(), question).await;
    assert!(text.contains("5\r\nhello\r\n0\r\n"), "{text}");
    assert!(text.to_lowercase().contains("x-sum: 7\r\n\r\n"), "{text}");
    let asked = upstream.log.requests().join("");
    assert!(asked.contains("3\r\nabc\r\n0\r\n"), "{asked}");
    assert!(asked.to_lowercase().contains("x-in: 1"), "{asked}");
    let (_, seen) = rig.end().await;
    assert_eq!(seen[0].body, b"abc");
}

#[tokio::test]
async fn a_host_is_rewritten_only_by_wish() {
    let upstream = saying("HTTP/1.1 204 No Content\r\n\r\n", false).await;
    let mut rewriting = settings(&upstream.url);
    rewriting.host = fossick_recorder::HostHeader::Upstream;
    for (settings, host) in [
        (settings(&upstream.url), "public.example".to_owned()),
        (rewriting, upstream.address.to_string()),
    ] {
        let rig = Rig::with(settings);
        let mut client = Client::new(rig.address()).await;
        client.send(get("/")).await;
        let last = upstream.log.requests().pop().expect("it was asked");
        assert!(last.contains(&format!("host: {host}\r\n")), "{last}");
        assert!(!last.to_lowercase().contains("x-forwarded"), "{last}");
        let (_, seen) = rig.end().await;
        assert_eq!(seen[0].header("host"), Some("public.example"));
    }
}

#[tokio::test]
async fn an_encoded_answer_is_passed_on_encoded_and_recorded_plain() {
    use std::io::Write as _;
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    gzip.write_all(b"{\"data\":1}").expect("memory takes all");
    let packed = gzip.finish().expect("memory takes all");
    let length = packed.len();
    let head = format!(
        "HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ncontent-type: application/json\r\n\
         content-length: {length}\r\n\r\n"
    );
    let upstream = saying([head.as_bytes(), &packed].concat(), false).await;
    let rig = Rig::new(&upstream.url);
    let mut client = Client::new(rig.address()).await;
    assert_eq!(body_of(client.send(get("/")).await).await, packed);
    let (_, seen) = rig.end().await;
    let answer = seen[0].answer.clone().expect("it was answered");
    assert_eq!(answer.body.as_deref(), Some(&b"{\"data\":1}"[..]));
    assert_eq!(answer.media_type.as_deref(), Some("application/json"));
}

#[tokio::test]
async fn a_client_of_http_1_0_gets_a_body_that_ends_with_the_connection() {
    let answer = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n";
    let upstream = saying(answer, false).await;
    let rig = Rig::new(&upstream.url);
    let text = raw(rig.address(), "GET / HTTP/1.0\r\n\r\n").await;
    assert!(text.ends_with("\r\n\r\nhello"), "{text}");
    assert!(upstream.log.requests()[0].starts_with("GET / HTTP/1.1\r\n"));
    rig.end().await;
}
