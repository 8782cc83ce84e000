//! Services and documents at their worst: a run ends in time, within its memory, and says what it
//! saw.

use std::time::Duration;

use fossick_testkit::{Fake, FakeResponse, document_with};
use serde_json::{Value, json};

use crate::program::{Ended, Folder, Running, fossick, run};
use crate::report::Report;
use crate::services::{Shelf, answers, shelf_document};

/// Megabytes that a run may take, whatever it is fed: dozens of answers are held at a time, and on a
/// busy machine a few dozen more.
const MOST_MEMORY: u64 = 200;
/// What a run of six seconds may take beyond them: confirming, and a slow machine.
const GRACE: Duration = Duration::from_secs(8);

fn get(path: &str) -> Value {
    json!({path: {"get": {"responses": answers(&[200], &json!({"type": "object"}))}}})
}

/// A shelf with one more path, answered by a closure, tested for six seconds.
fn tested(path: &str, answer: fn() -> FakeResponse, more: &[&str]) -> (Ended, Report) {
    let shelf = Shelf::default();
    let odd = path.to_owned();
    let fake = Fake::start(move |request| {
        if request.path == odd {
            answer()
        } else {
            shelf.answer(request)
        }
    });
    let folder = Folder::new();
    folder.write("openapi.json", &shelf_document(get(path)));
    let url = fake.url();
    let mut arguments = vec!["test", "openapi.json", "--url", &url, "--time", "6s"];
    arguments.extend(["--seed", "1", "--report", "json=report.json"]);
    arguments.extend(more);
    let ended = run(&folder, &arguments);
    let report = Report::read(&folder, "report.json");
    assert!(ended.took < Duration::from_secs(6) + GRACE, "{ended:?}");
    assert_eq!(report.ending(), "finished", "{ended:?}");
    assert!(report.operation("GET /items")["statuses"]["2xx"].as_u64() > Some(0));
    (ended, report)
}

#[test]
fn an_answer_of_two_hundred_megabytes_is_not_kept() {
    let (ended, _) = tested("/huge", || FakeResponse::huge(200, 200_000_000), &[]);
    assert!(
        ended.peak > 0 && ended.peak < MOST_MEMORY,
        "{} MB",
        ended.peak
    );
}

#[test]
fn an_answer_without_end_is_not_waited_for() {
    let (ended, _) = tested("/endless", || FakeResponse::endless(200), &[]);
    assert!(
        ended.peak > 0 && ended.peak < MOST_MEMORY,
        "{} MB",
        ended.peak
    );
}

#[test]
fn an_answer_that_never_comes_is_a_finding() {
    let (ended, report) = tested("/never", FakeResponse::never, &["--timeout", "1s"]);
    assert_eq!(ended.code, 1, "{ended:?}");
    assert!(report.shows("F103", "GET /never"), "{:#?}", report.lines());
}

#[test]
fn a_schema_without_end_is_no_trouble() {
    let node = |required: Value| {
        json!({"type": "object", "required": required, "properties": {
            "name": {"type": "string"}, "next": {"$ref": "#/components/schemas/Endless"},
            "children": {"type": "array", "items": {"$ref": "#/components/schemas/Tree"}},
        }})
    };
    let post = |name: &str| {
        let schema = json!({"$ref": format!("#/components/schemas/{name}")});
        json!({"post": {
            "requestBody": {"required": true, "content": {"application/json": {"schema": schema}}},
            "responses": answers(&[201], &schema),
        }})
    };
    let schemas = json!({"Tree": node(json!(["name"])), "Endless": node(json!(["next"]))});
    let text = document_with(
        json!({"/trees": post("Tree"), "/endless": post("Endless")}),
        json!({"schemas": schemas}),
    );
    let fake = Fake::start(|request| FakeResponse::json(201, request.json().unwrap_or_default()));
    let folder = Folder::new();
    folder.write("openapi.json", &text);
    let inspected = run(&folder, &["inspect", "openapi.json"]);
    assert_eq!(inspected.code, 0, "{}", inspected.stderr);
    let mut arguments = vec!["test", "openapi.json", "--requests", "300", "--seed", "1"];
    let url = fake.url();
    arguments.extend(["--url", &url, "--report", "json=report.json"]);
    let ended = run(&folder, &arguments);
    assert!([0, 1].contains(&ended.code), "{ended:?}");
    assert!(ended.peak < MOST_MEMORY, "{} MB", ended.peak);
    let report = Report::read(&folder, "report.json");
    assert!(report.operation("POST /trees")["statuses"]["2xx"].as_u64() > Some(0));
}

/// One fault that shows on every call, so that something is found before the end.
fn shelf_with_a_crash() -> (Fake, String) {
    let shelf = Shelf::default();
    let fake = Fake::start(move |request| match request.path.as_str() {
        "/crash" => FakeResponse::json(500, json!({"status": 500})),
        _ => shelf.answer(request),
    });
    (fake, shelf_document(get("/crash")))
}

#[test]
fn a_service_that_dies_midway_is_told_and_what_was_found_is_kept() {
    let (fake, document) = shelf_with_a_crash();
    let folder = Folder::new();
    folder.write("openapi.json", &document);
    let url = fake.url();
    let mut arguments = vec!["test", "openapi.json", "--url", &url, "--time", "8s"];
    arguments.extend(["--seed", "1", "--report", "json=report.json"]);
    let running = Running::start(&mut fossick(&folder, &arguments));
    std::thread::sleep(Duration::from_secs(2));
    assert!(fake.requests().len() > 100, "{}", fake.requests().len());
    drop(fake);
    let ended = running.end();
    assert_eq!(ended.code, 3, "{ended:?}");
    let report = Report::read(&folder, "report.json");
    assert_eq!(report.ending(), "service_lost");
    let told = |note: &&str| note.contains("can't be reached");
    assert!(report.notes().iter().any(told), "{:?}", report.notes());
    assert!(report.shows("F101", "GET /crash"), "{:#?}", report.lines());
    assert!(!folder.findings("1").is_empty());
    assert_eq!(report.alarms().len(), 1, "{:#?}", report.lines());
    assert!(
        ended.took < Duration::from_secs(8) + GRACE,
        "{:?}",
        ended.took
    );
}
