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

#[test]
fn a_switch_that_closes_everything_is_turned_back() {
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
        shelf.answer(request)
    });
    let schema = json!({"type": "object", "required": ["enabled"], "properties": {"enabled": {"type": "boolean"}}});
    let (ended, report) = tested(
        &fake,
        json!({"/switch": {"post": {
            "requestBody": {"required": true, "content": {"application/json": {"schema": schema}}},
            "responses": answers(&[200, 400], &schema),
        }}}),
    );
    assert_eq!(report.ending(), "finished", "{:?}", report.notes());
    assert!([0, 1].contains(&ended.code), "{ended:?}");
    let note = note_about(&report, "POST /switch");
    assert!(note.contains("503"), "{note}");
    assert!(note.contains("Undone by POST /switch"), "{note}");
    let listed = &report.operation("GET /items")["statuses"];
    assert!(listed["2xx"].as_u64() > listed["5xx"].as_u64(), "{listed}");
}
