//! The same seed and the same answers give the same run, with one worker or with sixteen.
//!
//! The service has no memory, so whatever differs is the tester's doing.

use std::collections::BTreeMap;
use std::hash::BuildHasher;
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use fossick_testkit::{Fake, FakeRequest, FakeResponse, pure_crud, pure_document};
use serde_json::{Value, json};

use crate::program::{Folder, run};
use crate::report::Report;

/// What a run did and said, without what has to differ: ports and times.
#[derive(Debug)]
struct Seen {
    findings: Vec<Value>,
    requests: BTreeMap<String, usize>,
    operations: BTreeMap<String, u64>,
}

fn seen(fake: &Fake, concurrency: &str) -> Seen {
    let folder = Folder::new();
    folder.write("openapi.json", &pure_document());
    let url = fake.url();
    let mut arguments = vec!["test", "openapi.json", "--url", &url, "--seed", "7"];
    arguments.extend(["--requests", "600", "--concurrency", concurrency]);
    arguments.extend(["--report", "json=report.json"]);
    let ended = run(&folder, &arguments);
    assert_eq!(ended.code, 1, "{}", ended.stderr);
    let report = Report::read(&folder, "report.json");
    Seen {
        findings: report.findings().iter().map(told).collect(),
        requests: counted(&fake.requests()),
        operations: per_operation(&report),
    }
}

fn told(finding: &Value) -> Value {
    let steps: Vec<Value> = finding["steps"]
        .as_array()
        .expect("a finding has steps")
        .iter()
        .map(|step| json!([step["method"], step["target"], step["request_body"]]))
        .collect();
    json!({
        "fingerprint": finding["fingerprint"], "title": finding["title"],
        "confirmed": finding["confirmed"], "steps": steps,
    })
}

fn counted(requests: &[FakeRequest]) -> BTreeMap<String, usize> {
    let mut counts = BTreeMap::new();
    for request in requests {
        let body = String::from_utf8_lossy(&request.body);
        let text = format!("{} ?{} {body}", request.line(), request.query);
        *counts.entry(text).or_default() += 1;
    }
    counts
}

fn per_operation(report: &Report) -> BTreeMap<String, u64> {
    let operations = report.0["operations"].as_array().expect("a list");
    operations
        .iter()
        .map(|o| (o["id"].to_string(), o["requests"].as_u64().unwrap_or(0)))
        .collect()
}

/// What one run sent more often than the other.
fn difference<'a>(one: &'a Seen, other: &Seen) -> Vec<(&'a str, usize, usize)> {
    let there = |text: &String| other.requests.get(text).copied().unwrap_or(0);
    one.requests
        .iter()
        .map(|(text, count)| (text.as_str(), *count, there(text)))
        .filter(|(_, here, there)| here > there)
        .collect()
}

fn assert_same(one: &Seen, other: &Seen) {
    assert!(one.findings.len() >= 2, "{:?}", one.findings);
    assert_eq!(one.operations, other.operations);
    assert_eq!(one.findings, other.findings);
    let (more, less) = (difference(one, other), difference(other, one));
    assert!(
        more.is_empty() && less.is_empty(),
        "more often the first time: {more:#?}\nthe second time: {less:#?}"
    );
}

#[test]
fn one_worker_and_sixteen_make_the_same_run() {
    assert_same(&seen(&pure_crud(true), "1"), &seen(&pure_crud(true), "16"));
}

#[test]
fn answers_that_come_late_and_out_of_order_change_nothing() {
    let pure = pure_crud(true);
    assert_same(
        &seen(&pure_crud(true), "16"),
        &seen(&jittery(pure.address), "16"),
    );
}

/// The answers of another service, each after a wait that differs from run to run.
fn jittery(pure: SocketAddr) -> Fake {
    let chance = std::collections::hash_map::RandomState::new();
    let count = AtomicU64::new(0);
    Fake::start(move |request| {
        let (status, body) = ask(pure, request).expect("the other one answers");
        let wait = chance.hash_one(count.fetch_add(1, Ordering::Relaxed)) % 10;
        FakeResponse::bytes(status, "application/json", body).after(Duration::from_millis(wait))
    })
}

fn ask(service: SocketAddr, request: &FakeRequest) -> std::io::Result<(u16, String)> {
    let media_type = request.header("content-type").unwrap_or_default();
    let head = format!(
        "{} {}?{} HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncontent-type: {media_type}\r\ncontent-length: {}\r\n\r\n",
        request.method,
        request.path,
        request.query,
        request.body.len()
    );
    let mut stream = TcpStream::connect(service)?;
    stream.write_all(head.as_bytes())?;
    stream.write_all(&request.body)?;
    let mut heard = String::new();
    stream.read_to_string(&mut heard)?;
    let (head, body) = heard.split_once("\r\n\r\n").unwrap_or_default();
    let status = head.split(' ').nth(1).and_then(|code| code.parse().ok());
    Ok((status.unwrap_or(0), body.to_owned()))
}
