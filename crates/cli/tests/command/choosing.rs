//! What is tested, what is told and how fast: `--include`, `--exclude`, `--ignore`, `--rate`.

use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use fossick_testkit::{Fake, FakeResponse};
use serde_json::json;

use crate::program::{Ended, Folder, run};
use crate::report::Report;
use crate::services::{Shelf, answers, shelf_document};

/// A shelf, and two more operations that answer with a status of their own invention.
fn odd_shelf() -> Fake {
    let shelf = Shelf::default();
    Fake::start(move |request| match request.path.as_str() {
        "/health" | "/version" => FakeResponse::json(203, json!({})),
        _ => shelf.answer(request),
    })
}

fn odd_document() -> String {
    let get = json!({"get": {"tags": ["odd"], "responses": answers(&[200], &json!({}))}});
    shelf_document(json!({"/health": get, "/version": get}))
}

fn tested(fake: &Fake, config: &str, more: &[&str]) -> (Ended, Report) {
    let folder = Folder::new();
    folder.write("openapi.json", &odd_document());
    folder.write("fossick.toml", config);
    let url = fake.url();
    let mut arguments = vec!["test", "openapi.json", "--url", &url, "--seed", "1"];
    arguments.extend(["--report", "json=report.json"]);
    arguments.extend(more);
    let ended = run(&folder, &arguments);
    assert!([0, 1].contains(&ended.code), "{ended:?}");
    (ended, Report::read(&folder, "report.json"))
}

fn calls(fake: &Fake, wanted: impl Fn(&str) -> bool) -> usize {
    let requests = fake.requests();
    requests.iter().filter(|r| wanted(&r.line())).count()
}

#[test]
fn what_is_excluded_is_not_called() {
    let fake = odd_shelf();
    let more = [
        "--requests",
        "300",
        "--exclude",
        "method:DELETE",
        "--exclude",
        "/health",
    ];
    let (_, report) = tested(&fake, "exclude = [\"GET /ver*\"]\n", &more);
    assert_eq!(calls(&fake, |line| line.starts_with("DELETE")), 0);
    assert_eq!(calls(&fake, |line| line == "GET /health"), 0);
    assert_eq!(calls(&fake, |line| line == "GET /version"), 0);
    assert!(calls(&fake, |line| line == "GET /items") > 10);
    assert_eq!(report.operation("GET /health")["requests"], 0);
}

#[test]
fn what_is_not_included_is_called_only_to_set_things_up() {
    let fake = odd_shelf();
    let more = [
        "--requests",
        "200",
        "--include",
        "GET /items/{id}",
        "--include",
        "tag:odd",
    ];
    let (_, report) = tested(&fake, "", &more);
    assert_eq!(calls(&fake, |line| line.starts_with("DELETE")), 0);
    assert!(
        calls(&fake, |line| line == "POST /items") > 0,
        "items come from somewhere"
    );
    assert!(calls(&fake, |line| line == "GET /health") > 10);
    let got = &report.operation("GET /items/{id}")["statuses"]["2xx"];
    assert!(got.as_u64() > Some(10), "{got}");
    for finding in report.findings() {
        let operation = finding["operation"].as_str().unwrap_or_default();
        assert_ne!(operation, "POST /items", "{:#?}", report.lines());
    }
}

#[test]
fn an_ignored_code_is_not_told() {
    let fake = odd_shelf();
    let more = ["--requests", "200"];
    let (all, report) = tested(&fake, "", &more);
    assert_eq!(all.code, 1, "{all:?}");
    assert!(report.shows("F202", "GET /health"), "{:#?}", report.lines());
    assert!(
        report.shows("F202", "GET /version"),
        "{:#?}",
        report.lines()
    );
    let (none, report) = tested(&fake, "", &[&more[..], &["--ignore", "f202"]].concat());
    assert_eq!(none.code, 0, "{:#?}", report.lines());
    assert!(report.findings().is_empty(), "{:#?}", report.lines());
}

#[test]
fn an_accepted_finding_is_not_told_and_its_like_elsewhere_is() {
    let fake = odd_shelf();
    let config = "[[ignore]]\ncode = \"F202\"\noperation = \"GET /health\"\nreason = \"answered by the load balancer\"\n";
    let (_, report) = tested(&fake, config, &["--requests", "200"]);
    assert!(
        !report.shows("F202", "GET /health"),
        "{:#?}",
        report.lines()
    );
    assert!(
        report.shows("F202", "GET /version"),
        "{:#?}",
        report.lines()
    );
}

#[test]
fn a_rate_is_kept_to() {
    let times: Arc<Mutex<Vec<Instant>>> = Arc::default();
    let heard = Arc::clone(&times);
    let shelf = Shelf::default();
    let fake = Fake::start(move |request| {
        heard.lock().expect("nobody panics").push(Instant::now());
        shelf.answer(request)
    });
    let (ended, _) = tested(&fake, "", &["--rate", "20", "--time", "3s"]);
    let times = times.lock().expect("nobody panics").clone();
    let second = Duration::from_secs(1);
    let busiest = times
        .iter()
        .map(|from| {
            times
                .iter()
                .filter(|t| *t >= from && **t < *from + second)
                .count()
        })
        .max();
    assert!(busiest <= Some(30), "{busiest:?} in one second");
    assert!(
        (30..=130).contains(&times.len()),
        "{} in {:?}",
        times.len(),
        ended.took
    );
}
