//! F101 to F104: the service broke, or shows its insides.

use std::time::Duration;

use fossick_trace::{Failure, Intent, Severity};
use serde_json::{Value, json};

use crate::story::{World, broken, desk, edge, edges};

#[test]
fn a_server_error_is_told_with_its_circumstances() {
    let world = desk();
    let found = world
        .story()
        .get("/projects?limit=97", 500, json!({"detail": "oops"}))
        .meaning(edge("query limit", "97", true))
        .one("F101");
    assert_eq!(found.title, "500 when query limit = 97");
    assert_eq!(found.operation, "GET /projects");
    assert_eq!(found.severity, Severity::High);
}

#[test]
fn values_that_are_telling_together_are_told_together() {
    let world = desk();
    let found = world
        .story()
        .get("/projects?limit=97&page=1", 500, json!({"detail": "oops"}))
        .meaning(edges([("query limit", "97"), ("query q", "")]))
        .one("F101");
    assert_eq!(
        found.title,
        "500 when query limit = 97 and query q is left out"
    );
    // Which of the two matters is found out later: until then it is a failure of a valid call.
    let plain = world
        .story()
        .get("/projects", 500, json!({"detail": "oops"}))
        .one("F101");
    assert_eq!(found.fingerprint(), plain.fingerprint());
}

#[test]
fn what_was_special_before_is_told_of_a_plain_call() {
    let world = desk();
    let told = |intent: Intent| {
        let story = world
            .story()
            .call("POST", "/projects", json!({}), 201, json!({"id": 1}))
            .meaning(intent)
            .get("/projects", 500, json!({}));
        story.one("F101").title
    };
    assert_eq!(
        told(edge("body /name", "\"a%\"", false)),
        "500 to a valid request after POST /projects with body /name = \"a%\""
    );
    assert_eq!(told(Intent::Valid), "500 to a valid request");
}

#[test]
fn server_errors_are_the_same_if_only_what_varies_differs() {
    let world = desk();
    let mark = |message: &str| {
        let answer = json!({ "error": message });
        let story = world.story().get("/projects", 500, answer);
        story.one("F101").fingerprint()
    };
    assert_eq!(mark("KeyError: 'Ada'"), mark("KeyError: 'Bob'"));
    assert_eq!(mark("row 17 is gone"), mark("row 4 is gone"));
    assert_ne!(mark("row 17 is gone"), mark("the disk is full"));
}

#[test]
fn invalid_input_may_not_crash_a_service_either() {
    let world = desk();
    let found = world
        .story()
        .call("POST", "/projects", json!({"name": 1}), 500, json!({}))
        .meaning(broken("body /name", "type"))
        .one("F101");
    assert!(found.title.contains("body /name is invalid"), "{found:?}");
}

#[test]
fn a_refusal_is_no_server_error() {
    let world = desk();
    for status in [200, 302, 400, 404, 409, 429] {
        let story = world.story().get("/projects", status, json!({}));
        story.silent("F101");
    }
}

#[test]
fn a_service_may_say_that_it_can_not() {
    let world = desk();
    for status in [501, 503] {
        let found = world.story().get("/projects", status, json!({}));
        assert_eq!(found.one("F101").severity, Severity::Low, "{status}");
    }
}

/// It is what HTTP asks for where a method is not known.
#[test]
fn not_implemented_is_right_for_a_method_that_nobody_declared() {
    let world = desk();
    for method in ["OPTIONS", "TRACE", "PUT"] {
        world
            .story()
            .call(method, "/projects", Value::Null, 501, json!({}))
            .meaning(Intent::Undeclared)
            .silent("F101");
    }
}

#[test]
fn a_dropped_connection_is_told() {
    let world = desk();
    for failure in [
        Failure::Dropped("reset".into()),
        Failure::Malformed("no status line".into()),
    ] {
        let found = world.story().unanswered("GET", "/projects", failure);
        assert_eq!(found.one("F102").severity, Severity::High);
    }
}

#[test]
fn what_was_never_reached_was_not_dropped() {
    let world = desk();
    for failure in [
        Failure::Unreachable("refused".into()),
        Failure::Unbound("/id".into()),
        Failure::TimedOut(Duration::from_secs(1)),
    ] {
        let story = world.story().unanswered("GET", "/projects", failure);
        story.silent("F102");
    }
}

#[test]
fn a_timeout_is_told_with_its_limit() {
    let world = desk();
    let timeout = Failure::TimedOut(Duration::from_millis(1500));
    let found = world
        .story()
        .unanswered("GET", "/projects", timeout)
        .one("F103");
    assert_eq!(found.title, "no answer within 1.5 s to a valid request");
}

#[test]
fn an_answer_or_a_dropped_connection_is_no_timeout() {
    let world = desk();
    world
        .story()
        .get("/projects", 504, json!({}))
        .silent("F103");
    let dropped = Failure::Dropped("reset".into());
    let story = world.story().unanswered("GET", "/projects", dropped);
    story.silent("F103");
}

const TRACE: &str = "Traceback (most recent call last)\n  File \"app.py\", line 3";

#[test]
fn a_stack_trace_is_told_with_its_language() {
    let world = desk();
    let body = json!({ "detail": TRACE });
    let found = world.story().get("/projects", 500, body).one("F104");
    assert_eq!(found.title, "the answer shows a Python stack trace");
}

#[test]
fn a_stack_trace_is_seen_in_a_long_page_whatever_is_written_around_it() {
    let world = desk();
    let page = format!("{TRACE}{}", "é".repeat(9_000));
    let found = world
        .story()
        .raw("GET", "/projects", &Value::Null, 400, &[], &page);
    assert_eq!(found.heard("F104").len(), 1);
}

/// A service that keeps logs shows traces for a living.
#[test]
fn a_trace_that_was_asked_for_is_no_leak() {
    let world = desk();
    let body = json!({ "log": TRACE });
    world.story().get("/projects", 200, body).silent("F104");
    let told = json!({"detail": "there is no such page"});
    world.story().get("/projects", 404, told).silent("F104");
}

fn page(world: &World, status: u16, body: &str) -> Vec<fossick_trace::Finding> {
    let headers = [("content-type", "text/html; charset=utf-8")];
    let story = world.story();
    let story = story.raw("GET", "/projects", &Value::Null, status, &headers, body);
    story.heard("F104")
}

#[test]
fn a_page_where_json_was_promised_is_told() {
    let found = page(&desk(), 404, "<html>nginx</html>");
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].severity, Severity::Low);
}

#[test]
fn an_empty_page_or_a_promised_one_is_none() {
    assert_eq!(page(&desk(), 404, ""), []);
    let pages = World::of(json!({"/projects": {"get": {"responses": {
        "200": {"description": "", "content": {"text/html": {}, "application/json": {}}},
        "404": {"description": ""},
    }}}}));
    assert_eq!(page(&pages, 200, "<html></html>"), []);
    assert_eq!(page(&pages, 404, "<html></html>"), []);
    assert_eq!(page(&desk(), 502, "<html>bad gateway</html>"), []);
}
