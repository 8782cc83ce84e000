//! Services that begin to refuse us: noticed, told, undone where that is possible.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use fossick_campaign::Outcome;
use fossick_testkit::{Fake, FakeRequest, FakeResponse, document};
use fossick_trace::Ending;
use serde_json::json;

use crate::desk::Desk;

/// Things to read, and a switch whose name gives nothing away.
fn desk() -> Desk {
    let answers = json!({"200": {"description": ""}, "503": {"description": ""}});
    let switch = json!({"type": "object", "required": ["quiet"], "properties": {
        "quiet": {"type": "boolean"}}});
    let body = json!({"required": true, "content": {"application/json": {"schema": switch}}});
    let read = json!({"get": {"responses": answers}});
    Desk::of(document(json!({
        "/things": read, "/others": read, "/more": read,
        "/mode": {"post": {"requestBody": body, "responses": answers}},
    })))
}

/// Serves until it is switched to be quiet, and again once that is taken back.
fn switched() -> Fake {
    let quiet = AtomicBool::new(false);
    Fake::start(move |request: &FakeRequest| {
        let flag = request.json().and_then(|body| body["quiet"].as_bool());
        match (request.line().as_str(), flag) {
            ("POST /mode", Some(flag)) => {
                quiet.store(flag, Ordering::Relaxed);
                FakeResponse::json(200, json!({}))
            }
            _ if quiet.load(Ordering::Relaxed) => FakeResponse::json(503, json!({})),
            ("POST /mode", None) => FakeResponse::json(400, json!({})),
            _ => FakeResponse::json(200, json!({})),
        }
    })
}

fn note(outcome: &Outcome) -> &str {
    let said = |note: &&String| note.starts_with("since request");
    outcome.notes.iter().find(said).map_or("", String::as_str)
}

#[test]
fn a_switch_that_locks_us_out_is_found_turned_back_and_kept_for_the_end() {
    let fake = switched();
    let outcome = desk().hunt(&fake.url(), 1200);
    assert_eq!(outcome.ending, Ending::Finished, "{:?}", outcome.notes);
    let note = note(&outcome);
    assert!(note.contains("POST /mode did it"), "{:?}", outcome.notes);
    assert!(note.contains("waits for the end of the run"), "{note}");
}

#[test]
fn a_service_that_always_refused_raises_no_alarm() {
    let fake = Fake::start(|request| match request.path.as_str() {
        "/things" => FakeResponse::json(200, json!({})),
        _ => FakeResponse::json(403, json!({})),
    });
    let outcome = desk().hunt(&fake.url(), 300);
    assert_eq!(note(&outcome), "");
    assert_eq!(outcome.ending, Ending::Finished);
}

/// However long a service wants to be left alone: nobody waits for the end of the world.
#[test]
fn an_endless_pause_is_survived() {
    let fake = Fake::start(|_| {
        let pause = u64::MAX.to_string();
        FakeResponse::json(429, json!({})).header("retry-after", &pause)
    });
    let start = Instant::now();
    let outcome = desk().hunt_with(&fake.url(), 50, |settings| {
        settings.budget.time = Some(Duration::from_secs(2));
    });
    assert!(outcome.requests > 0);
    assert!(start.elapsed() < Duration::from_secs(10));
}
