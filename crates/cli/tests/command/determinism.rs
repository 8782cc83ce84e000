//! The same seed and the same answers give the same run, with one worker or with sixteen.
//!
//! The service has no memory, so whatever differs is the tester's doing.

use std::collections::BTreeMap;

use fossick_testkit::{FakeRequest, pure_crud, pure_document};
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

fn seen(concurrency: &str) -> Seen {
    let pure = pure_crud(true);
    let fake = jittery(&pure);
    let folder = Folder::new();
    folder.write("openapi.json", &pure_document());
    let url = fake.url();
    let ended = run(
        &folder,
        &[
            "test", "openapi.json", "--url", &url, "--requests", &std::env::var("REQ").unwrap(), "--seed", &std::env::var("SEED").unwrap(),
            "--concurrency", concurrency, "--report", "json=report.json",
        ],
    );
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

#[test]
fn one_worker_and_sixteen_make_the_same_run() {
    let (one, sixteen) = std::thread::scope(|scope| {
        let one = scope.spawn(|| seen("1"));
        let sixteen = scope.spawn(|| seen("16"));
        (one.join().expect("a run"), sixteen.join().expect("a run"))
    });
    assert!(one.findings.len() >= 2, "{:?}", one.findings);
    assert_eq!(one.operations, sixteen.operations);
    assert_eq!(one.findings, sixteen.findings);
    let (more, less) = (difference(&one, &sixteen), difference(&sixteen, &one));
    assert!(
        more.is_empty() && less.is_empty(),
        "only or more often with one worker: {more:#?}\nwith sixteen: {less:#?}"
    );
}

/// The same answers after waits that differ from run to run.
fn jittery(pure: &fossick_testkit::Fake) -> fossick_testkit::Fake {
    use std::io::{Read, Write};
    use std::hash::{BuildHasher, Hasher};
    let address = pure.address;
    let chance = std::collections::hash_map::RandomState::new();
    let count = std::sync::atomic::AtomicU64::new(0);
    fossick_testkit::Fake::start(move |request| {
        let mut stream = std::net::TcpStream::connect(address).unwrap();
        let target = if request.query.is_empty() { request.path.clone() } else { format!("{}?{}", request.path, request.query) };
        let mut head = format!("{} {target} HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncontent-length: {}\r\n", request.method, request.body.len());
        if let Some(t) = request.header("content-type") { head.push_str(&format!("content-type: {t}\r\n")); }
        head.push_str("\r\n");
        stream.write_all(head.as_bytes()).unwrap();
        stream.write_all(&request.body).unwrap();
        let mut heard = String::new();
        stream.read_to_string(&mut heard).unwrap();
        let (head, body) = heard.split_once("\r\n\r\n").unwrap();
        let status: u16 = head[9..12].parse().unwrap();
        let mut hasher = chance.build_hasher();
        hasher.write_u64(count.fetch_add(1, std::sync::atomic::Ordering::Relaxed));
        let wait = hasher.finish() % 12;
        fossick_testkit::FakeResponse::bytes(status, "application/json", body.to_owned()).after(std::time::Duration::from_millis(wait))
    })
}
