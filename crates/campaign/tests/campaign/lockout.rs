//! Services that begin to refuse us: noticed, told, undone where that is possible.

use std::sync::Mutex;
use std::sync::atomic::{AtomicU32, Ordering};
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

/// Serves a hundred requests; the next turn of the switch makes it deaf for a while.
fn switched() -> Fake {
    let deaf_since: Mutex<Option<Instant>> = Mutex::default();
    let served = AtomicU32::new(0);
    Fake::start(move |request: &FakeRequest| {
        let mut since = deaf_since.lock().expect("nobody panics here");
        if since.is_some_and(|since| since.elapsed() < Duration::from_millis(400)) {
            return FakeResponse::json(503, json!({}));
        }
        let served = served.fetch_add(1, Ordering::Relaxed);
        if served > 100 && since.is_none() && request.line() == "POST /mode" {
            *since = Some(Instant::now());
        }
        FakeResponse::json(200, json!({}))
    })
}

fn note(outcome: &Outcome) -> &str {
    let said = |note: &&String| note.starts_with("since request");
    outcome.notes.iter().find(said).map_or("", String::as_str)
}

#[test]
fn a_lock_out_is_told_with_its_culprit_who_waits_from_then_on() {
    let fake = switched();
    let outcome = desk().hunt(&fake.url(), 1200);
    assert_eq!(outcome.ending, Ending::Finished, "{:?}", outcome.notes);
    let note = note(&outcome);
    assert!(
        note.contains("the service answers 503"),
        "{:?}",
        outcome.notes
    );
    assert!(note.contains("POST /mode did it"), "{note}");
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

/// A service that wants to be left alone for so many seconds, and a run of one.
fn paused(seconds: u64) -> (Outcome, Duration) {
    let fake = Fake::start(move |_| {
        let pause = seconds.to_string();
        FakeResponse::json(429, json!({})).header("retry-after", &pause)
    });
    let start = Instant::now();
    let outcome = desk().hunt_with(&fake.url(), 1000, |settings| {
        settings.budget.time = Some(Duration::from_secs(1));
    });
    (outcome, start.elapsed())
}

#[test]
fn a_long_pause_does_not_outlast_the_budget() {
    let (outcome, took) = paused(3600);
    assert!((1..200).contains(&outcome.requests), "{}", outcome.requests);
    assert!(took < Duration::from_secs(8), "{took:?}");
}

/// However long a service wants to be left alone: nobody falls over it.
#[test]
fn an_endless_pause_is_survived() {
    let (outcome, _) = paused(u64::MAX);
    assert!(outcome.requests > 0);
}
