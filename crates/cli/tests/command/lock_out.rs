//! Services that stop answering because of something the run itself did.

use std::sync::atomic::{AtomicBool, Ordering};

use fossick_testkit::{Fake, FakeRequest, FakeResponse};
use serde_json::{Value, json};

use crate::program::{Ended, Folder, run};
use crate::report::Report;
use crate::services::{Shelf, answers, refusal, shelf_document};

fn tested(fake: &Fake, more: Value) -> (Ended, Report) {
    let folder = Folder::new();
    folder.write("openapi.json", &shelf_document(more));
    let url = fake.url();
    let mut arguments = vec!["test", "openapi.json", "--url", &url, "--seed", "1"];
    arguments.extend(["--time", "6s", "--report", "json=report.json"]);
    let ended = run(&folder, &arguments);
    (ended, Report::read(&folder, "report.json"))
}

fn note_about<'r>(report: &'r Report, operation: &str) -> &'r str {
    let notes = report.notes();
    let found = notes.iter().find(|note| note.contains(operation));
    found.unwrap_or_else(|| panic!("no note about {operation}: {notes:?}"))
}

/// No word of its name gives it away.
const LEAVE: &str = "/sessions/end";

#[test]
fn an_operation_that_locks_the_run_out_is_named() {
    let shelf = Shelf::default();
    let gone = AtomicBool::new(false);
    let fake = Fake::start(move |request: &FakeRequest| {
        if gone.load(Ordering::SeqCst) {
            return refusal(401);
        }
        if request.line() == format!("POST {LEAVE}") {
            gone.store(true, Ordering::SeqCst);
            return FakeResponse::status(204);
        }
        shelf.answer(request)
    });
    let (ended, report) = tested(
        &fake,
        json!({LEAVE: {"post": {"responses": answers(&[204, 401], &Value::Null)}}}),
    );
    assert_eq!(ended.code, 3, "{:?}", report.notes());
    assert_eq!(report.ending(), "service_lost");
    let note = note_about(&report, "POST /sessions/end");
    assert!(note.contains("401"), "{note}");
    assert!(note.contains("stayed so to the end of the run"), "{note}");
    assert_eq!(report.alarms(), [""; 0]);
}

/// A shelf with a switch that closes everything else, and with more to read beside it.
fn switched(rooms: usize) -> (Fake, Value) {
    let shelf = Shelf::default();
    let closed = AtomicBool::new(false);
    let fake = Fake::start(move |request: &FakeRequest| {
        if request.line() == "POST /switch" {
            return match request.json().unwrap_or_default()["enabled"] {
                Value::Bool(enabled) => {
                    closed.store(enabled, Ordering::SeqCst);
                    FakeResponse::json(200, json!({"enabled": enabled}))
                }
                _ => refusal(400),
            };
        }
        if closed.load(Ordering::SeqCst) {
            return refusal(503);
        }
        match request.path.strip_prefix("/rooms/") {
            Some(_) => FakeResponse::json(200, json!({"free": true})),
            None => shelf.answer(request),
        }
    });
    let schema = json!({"type": "object", "required": ["enabled"],
                        "properties": {"enabled": {"type": "boolean"}}});
    let mut paths = json!({"/switch": {"post": {
        "requestBody": {"required": true, "content": {"application/json": {"schema": schema}}},
        "responses": answers(&[200, 400], &schema),
    }}});
    for room in 0..rooms {
        let open = answers(&[200], &json!({"type": "object"}));
        paths[format!("/rooms/{room}")] = json!({"get": {"responses": open}});
    }
    (fake, paths)
}

fn assert_turned_back(rooms: usize) {
    let (fake, paths) = switched(rooms);
    let (ended, report) = tested(&fake, paths);
    assert_eq!(report.ending(), "finished", "{:?}", report.notes());
    assert!([0, 1].contains(&ended.code), "{ended:?}");
    assert_eq!(report.alarms(), [""; 0]);
    let note = note_about(&report, "POST /switch");
    assert!(note.contains("503"), "{note}");
    // Another call of the switch may have been under way already.
    let back = ["Undone by POST /switch", "It answers again"];
    assert!(back.iter().any(|words| note.contains(words)), "{note}");
    assert!(note.contains("waits for the end of the run"), "{note}");
    let listed = &report.operation("GET /items")["statuses"];
    assert!(listed["2xx"].as_u64() > listed["5xx"].as_u64(), "{listed}");
}

#[test]
fn a_switch_that_closes_everything_is_turned_back() {
    assert_turned_back(40);
}

/// Every fifth call is one of the switch itself, and those always succeed.
#[test]
fn a_switch_in_a_small_service_is_turned_back_too() {
    assert_turned_back(0);
}
