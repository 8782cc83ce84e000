//! Running a script: holes are filled, and what is useless is not sent.

use fossick_campaign::run;
use fossick_contract::Method::{Get, Post};
use fossick_testkit::{Fake, FakeRequest, FakeResponse};
use fossick_trace::{Call, Episode, Intent, Payload, Take, Text};
use serde_json::json;

use crate::desk::{around, call, capture, client, json_body, script, set_up, wait};

fn ran(fake: &Fake, calls: Vec<Call>) -> Episode {
    let client = client(&fake.url());
    wait(run(&client, script(calls)))
}

/// Makes a thing, and answers everything else with the status in the path's last segment.
fn fake() -> Fake {
    Fake::start(|request| {
        if request.line() == "POST /things" {
            let thing = json!({"id": "a/b c", "n": 7, "list": [1]});
            return FakeResponse::json(201, thing).header("location", "/things/9?x=1");
        }
        let last = request.segments().last().and_then(|s| s.parse().ok());
        let status = last.filter(|status| *status >= 200);
        FakeResponse::json(status.unwrap_or(200), json!({"id": 7}))
    })
}

fn creation() -> Call {
    call(Post, "POST /things", Text::fixed("/things"))
}

fn lines(fake: &Fake) -> Vec<String> {
    fake.requests().iter().map(FakeRequest::line).collect()
}

#[test]
fn holes_are_filled_from_earlier_answers_wherever_they_stand() {
    let fake = fake();
    let mut target = around("/things/", capture(0, "/id"), "/parts?n=");
    target.push_capture(capture(0, "/n"));
    let mut second = call(Post, "POST /parts", target);
    second.headers = vec![("x-thing".to_owned(), around("n", capture(0, "/n"), ""))];
    second.payload = Payload::Json {
        media_type: "application/json".to_owned(),
        value: json!({"thing": {"id": null}, "list": []}),
        fills: vec![
            ("/thing/id".to_owned(), capture(0, "/id")),
            ("/list".to_owned(), capture(0, "/list")),
        ],
    };
    let episode = ran(&fake, vec![creation(), second]);
    assert!(episode.is_complete());
    let sent = fake.requests().remove(1);
    assert_eq!(sent.path, "/things/a%2Fb%20c/parts");
    assert_eq!(sent.query, "n=7");
    assert_eq!(sent.header("x-thing"), Some("n7"));
    assert_eq!(sent.header("content-type"), Some("application/json"));
    assert_eq!(
        sent.json(),
        Some(json!({"thing": {"id": "a/b c"}, "list": [1]}))
    );
    assert_eq!(
        episode.exchanges[1].request.target,
        "/things/a%2Fb%20c/parts?n=7"
    );
}

#[test]
fn the_location_of_what_was_made_fills_a_hole() {
    let fake = fake();
    let taken = fossick_trace::Capture {
        call: 0,
        take: Take::Location,
    };
    let read = call(Get, "GET /things/{id}", around("/things/", taken, ""));
    ran(&fake, vec![creation(), read]);
    assert_eq!(lines(&fake), ["POST /things", "GET /things/9"]);
}

#[test]
fn nothing_follows_a_set_up_that_failed() {
    let fake = fake();
    let failing = set_up(call(Get, "GET /400", Text::fixed("/400")));
    let after = call(Get, "GET /after", Text::fixed("/after"));
    let episode = ran(&fake, vec![failing, after]);
    assert_eq!(episode.exchanges.len(), 1);
    assert!(!episode.is_complete());
    assert_eq!(lines(&fake), ["GET /400"]);
}

#[test]
fn looks_follow_a_main_call_that_failed() {
    let fake = fake();
    let refused = call(Get, "GET /400", Text::fixed("/400"));
    let look = call(Get, "GET /after", Text::fixed("/after"));
    let episode = ran(&fake, vec![refused, look]);
    assert!(episode.is_complete());
}

/// An error may well have an `id`; it is not the one that is meant.
#[test]
fn a_value_from_a_failed_answer_is_never_used() {
    let fake = fake();
    let refused = call(Get, "GET /400", Text::fixed("/400"));
    let read = call(
        Get,
        "GET /things/{id}",
        around("/things/", capture(0, "/id"), ""),
    );
    let episode = ran(&fake, vec![refused, read]);
    assert_eq!(episode.exchanges.len(), 1);
    assert_eq!(lines(&fake), ["GET /400"]);
}

#[test]
fn a_value_that_is_not_there_ends_the_script() {
    for pointer in ["/nothing", "/list", ""] {
        let fake = fake();
        let target = around("/things/", capture(0, pointer), "");
        let read = call(Get, "GET /things/{id}", target);
        let episode = ran(&fake, vec![creation(), read]);
        assert_eq!(episode.exchanges.len(), 1, "{pointer}");
    }
}

#[test]
fn a_dropped_connection_is_part_of_the_story() {
    let fake = Fake::start(|_| FakeResponse::drop_connection());
    let first = call(Get, "GET /a", Text::fixed("/a"));
    let episode = ran(&fake, vec![first.clone(), first]);
    assert!(episode.is_complete());
    assert!(
        episode
            .exchanges
            .iter()
            .all(|e| e.outcome.answer().is_none())
    );
}

#[test]
fn a_service_that_is_not_there_is_asked_once() {
    let fake = fake();
    let url = fake.url();
    drop(fake);
    let first = call(Get, "GET /a", Text::fixed("/a"));
    let client = client(&url);
    let episode = wait(run(&client, script(vec![first.clone(), first])));
    assert_eq!(episode.exchanges.len(), 1);
}

#[test]
fn who_comes_without_credentials_is_marked() {
    let fake = fake();
    let mut anonymous = json_body(creation(), &json!({}));
    anonymous.intent = Intent::Unauthenticated {
        how: "without credentials".to_owned(),
    };
    let episode = ran(&fake, vec![creation(), anonymous]);
    let marks: Vec<bool> = episode
        .exchanges
        .iter()
        .map(|e| e.request.anonymous)
        .collect();
    assert_eq!(marks, [false, true]);
}
