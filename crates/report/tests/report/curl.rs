//! Shell lines, read as text and run by a shell.

use fossick_contract::Method;
use fossick_report::{curl, curl_with_credentials};
use fossick_trace::{Episode, Intent};
use serde_json::json;

use crate::sample::{self, BASE, episode, step};

fn line(episode: &Episode) -> String {
    curl(BASE, episode, episode.exchanges.len() - 1)
}

#[test]
fn a_plain_get_is_a_plain_curl() {
    let one = step("GET /a", Method::Get, "/a?x=1&y=%27").header("Accept", "text/csv");
    insta::assert_snapshot!(
        line(&episode(vec![one])),
        @"curl -i 'http://127.0.0.1:8000/a?x=1&y=%27' -H 'Accept: text/csv'"
    );
}

#[test]
fn a_body_keeps_its_quotes_inside_its_word() {
    let one = step("POST /a", Method::Post, "/a").json(&json!({"n": "it's; $(rm -rf /) `x`"}));
    insta::assert_snapshot!(
        line(&episode(vec![one])),
        @r#"curl -i -X POST 'http://127.0.0.1:8000/a' -H 'Content-Type: application/json' --data-raw '{"n":"it'\''s; $(rm -rf /) `x`"}'"#
    );
}

#[test]
fn a_body_that_is_not_text_goes_through_printf() {
    insta::assert_snapshot!(
        line(&sample::binary_upload()),
        @r"printf '\377\000'\''' | curl -i -X PUT 'http://127.0.0.1:8000/files/a%20b' -H 'Content-Type: application/octet-stream' --data-binary @-"
    );
}

#[test]
fn values_flow_through_variables() {
    insta::assert_snapshot!(
        line(&sample::chained()),
        @r#"p=$(curl -sS -X POST 'http://127.0.0.1:8000/projects' -H 'Content-Type: application/json' --data-raw '{"name":"it'\''s"}' | jq -ec .data.id) && answer2=$(curl -sS -i -X POST 'http://127.0.0.1:8000/tasks' -H 'Content-Type: application/json' --data-raw '{"project":'"$p"',"title":"$(date)"}') && t=$(printf '%s' "$answer2" | tr -d '\r' | sed -n '/^[Ll]ocation: */{s///;s/[?#].*//;s,/*$,,;s,.*/,,p;q;}') && test -n "$t" && t2=$(printf '%s' "$answer2" | tr -d '\r' | sed -n '/^[Ee][Tt][Aa][Gg]: */{s///p;q;}' | jq -Rr @uri) && test -n "$t2" && curl -i "http://127.0.0.1:8000/projects/$p/tasks/$t" -H "If-None-Match: $t2""#
    );
}

#[test]
fn calls_after_the_telling_one_are_left_out() {
    let chain = curl(BASE, &sample::served_after_delete(), 0);
    insta::assert_snapshot!(chain, @r#"curl -i -X POST 'http://127.0.0.1:8000/projects' -H 'Content-Type: application/json' --data-raw '{"name":"a"}'"#);
    assert_eq!(curl(BASE, &episode(vec![]), 3), "");
}

#[test]
fn credentials_are_named_and_never_shown() {
    let one = step("GET /a", Method::Get, "/a").header("Authorization", "Bearer hush-hush");
    let mut two = step("GET /b", Method::Get, "/b");
    two.exchange.request.user = Some("alice".into());
    let mut three = step("GET /c", Method::Get, "/c");
    three.exchange.request.anonymous = true;
    let names = ["X-Api-Key".to_owned()];
    let chain = curl_with_credentials(BASE, &episode(vec![one, two, three]), 2, &names);
    insta::assert_snapshot!(chain, @r#"curl -sS -o /dev/null 'http://127.0.0.1:8000/a' -H "Authorization: $AUTHORIZATION" -H "X-Api-Key: $X_API_KEY" && curl -sS -o /dev/null 'http://127.0.0.1:8000/b' -H "X-Api-Key: $ALICE_X_API_KEY" && curl -i 'http://127.0.0.1:8000/c'"#);
}

#[test]
fn spoilt_credentials_stay_spoilt() {
    let mut one =
        step("GET /a", Method::Get, "/a").header("Authorization", "Bearer half-of-a-real");
    one.call.intent = Intent::Unauthenticated {
        how: "a token cut short".into(),
    };
    insta::assert_snapshot!(line(&episode(vec![one])), @"curl -i 'http://127.0.0.1:8000/a' -H 'Authorization: Bearer invalid'");
}

#[test]
fn methods_that_curl_treats_apart_are_said_in_its_way() {
    let head = step("HEAD /a", Method::Head, "/a/../[b]");
    insta::assert_snapshot!(line(&episode(vec![head])), @"curl -i -g --path-as-is -I 'http://127.0.0.1:8000/a/../[b]'");
    let search = step("GET /a", Method::Get, "/a").bytes("", b"x");
    insta::assert_snapshot!(line(&episode(vec![search])), @"curl -i -X GET 'http://127.0.0.1:8000/a' -H 'Content-Type;' --data-raw 'x'");
}

#[cfg(unix)]
pub(crate) mod run_by_a_shell {
    use super::*;
    use std::io::{Read, Write};
    use std::net::{TcpListener, TcpStream};
    use std::process::{Command, Stdio};
    use std::thread;

    /// Answers each request in turn and gives them back as they came in.
    pub(crate) fn served(
        answers: &'static [&'static str],
        line: impl Fn(&str) -> String,
    ) -> Vec<Vec<u8>> {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let address = listener.local_addr().expect("a bound port has an address");
        let server = thread::spawn(move || {
            let exchange = |answer: &&str| {
                let (stream, _) = listener.accept().expect("the shell line connects");
                exchange(stream, answer)
            };
            answers.iter().map(exchange).collect()
        });
        let line = line(&format!("http://{address}"));
        let done = Command::new("sh")
            .args(["-c", &line])
            .env("NO_PROXY", "*")
            .env("X_API_KEY", "from the environment")
            .output()
            .expect("every Unix has sh");
        assert!(
            done.status.success(),
            "{line}\n{}",
            String::from_utf8_lossy(&done.stderr)
        );
        server.join().expect("the server saw every request")
    }

    fn exchange(mut stream: TcpStream, answer: &str) -> Vec<u8> {
        let mut request = Vec::new();
        while !is_whole(&request) {
            let mut part = [0; 4096];
            let read = stream.read(&mut part).expect("the request arrives");
            assert!(read > 0, "the request ends before its body does");
            request.extend_from_slice(&part[..read]);
        }
        stream
            .write_all(answer.as_bytes())
            .expect("the answer leaves");
        request
    }

    fn is_whole(request: &[u8]) -> bool {
        let Some(end) = request.windows(4).position(|w| w == b"\r\n\r\n") else {
            return false;
        };
        let head = String::from_utf8_lossy(&request[..end]).to_lowercase();
        let length = head.split("content-length: ").nth(1).map_or(0, |rest| {
            let digits = rest.lines().next().unwrap_or("0");
            digits.parse().expect("a length is a number")
        });
        request.len() >= end + 4 + length
    }

    pub(crate) fn has(program: &str) -> bool {
        let found = Command::new(program)
            .arg("--version")
            .stdout(Stdio::null())
            .status();
        found.is_ok_and(|status| status.success())
    }

    #[test]
    fn bytes_arrive_as_they_were_sent() {
        if !has("curl") {
            return;
        }
        let answers = &["HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"];
        let seen = served(answers, |base| curl(base, &sample::binary_upload(), 0));
        assert!(seen[0].starts_with(b"PUT /files/a%20b HTTP/1.1\r\n"));
        assert!(seen[0].ends_with(b"\r\n\r\n\xff\x00'"));
    }

    #[test]
    fn a_chain_takes_its_values_from_the_answers_of_today() {
        if !has("curl") || !has("jq") {
            return;
        }
        let answers = &[
            "HTTP/1.1 201 Created\r\nConnection: close\r\n\r\n{\"data\": {\"id\": 77}}",
            "HTTP/1.1 201 Created\r\nLocation: http://h/tasks/t-5/?x#y\r\nETag: \"v 2\"\r\n\
             Connection: close\r\n\r\n{}",
            "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n{}",
        ];
        let seen = served(answers, |base| curl(base, &sample::chained(), 2));
        let texts: Vec<_> = seen.iter().map(|s| String::from_utf8_lossy(s)).collect();
        assert!(texts[0].ends_with("{\"name\":\"it's\"}"), "{}", texts[0]);
        assert!(
            texts[1].ends_with(r#"{"project":77,"title":"$(date)"}"#),
            "{}",
            texts[1]
        );
        assert!(
            texts[2].starts_with("GET /projects/77/tasks/t-5 HTTP/1.1"),
            "{}",
            texts[2]
        );
        assert!(
            texts[2].contains("If-None-Match: %22v%202%22\r\n"),
            "{}",
            texts[2]
        );
    }

    #[test]
    fn a_chain_stops_where_a_value_is_missing() {
        if !has("curl") || !has("jq") {
            return;
        }
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let base = format!("http://{}", listener.local_addr().expect("an address"));
        let server = thread::spawn(move || {
            let (stream, _) = listener.accept().expect("the shell line connects");
            exchange(
                stream,
                "HTTP/1.1 500 Oh\r\nConnection: close\r\n\r\n{\"detail\": 1}",
            )
        });
        let line = curl(&base, &sample::served_after_delete(), 2);
        let done = Command::new("sh")
            .args(["-c", &line])
            .env("NO_PROXY", "*")
            .output();
        assert!(!done.expect("every Unix has sh").status.success());
        server.join().expect("one request came");
    }
}
