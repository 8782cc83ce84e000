//! F401: who is let through without credentials.

use fossick_trace::{Finding, Intent, Severity};
use serde_json::{Value, json};

use crate::story::World;

fn world() -> World {
    let answers = json!({"default": {"description": ""}});
    let guarded = |path: &str| {
        (
            path.to_owned(),
            json!({"get": {
        "security": [{"key": []}], "responses": answers}}),
        )
    };
    let mut paths: serde_json::Map<String, Value> = [
        guarded("/ledger"),
        guarded("/health"),
        guarded("/auth/login"),
        guarded("/apps/{id}/health"),
    ]
    .into_iter()
    .collect();
    let open = |security: Value| json!({"get": {"security": security, "responses": answers}});
    paths.insert("/open".to_owned(), open(json!([])));
    paths.insert("/either".to_owned(), open(json!([{"key": []}, {}])));
    let key = json!({"type": "apiKey", "in": "header", "name": "X-Key"});
    World::with(
        Value::Object(paths),
        json!({"securitySchemes": {"key": key}}),
    )
}

fn asked(path: &str, status: u16, how: &str) -> Vec<Finding> {
    let world = world();
    let intent = Intent::Unauthenticated {
        how: how.to_owned(),
    };
    let story = world.story().get(path, status, json!({})).meaning(intent);
    story.heard("F401")
}

fn anonymous(path: &str, status: u16) -> Vec<Finding> {
    asked(path, status, "without credentials")
}

#[test]
fn a_guarded_operation_that_serves_anybody_is_told() {
    let found = anonymous("/ledger", 200);
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].severity, Severity::High);
    assert!(found[0].why.contains("asks for key"), "{found:?}");
}

#[test]
fn a_guard_that_refuses_is_right() {
    for status in [302, 401, 403, 404, 500] {
        assert_eq!(anonymous("/ledger", status), [], "{status}");
    }
}

#[test]
fn what_the_document_leaves_open_is_open() {
    assert_eq!(anonymous("/open", 200), []);
    assert_eq!(anonymous("/either", 200), []);
}

#[test]
fn a_call_with_credentials_is_let_through_rightly() {
    let world = world();
    world.story().get("/ledger", 200, json!({})).silent("F401");
}

/// Documents often protect everything in one line.
#[test]
fn what_monitors_read_and_what_gives_credentials_is_told_mildly() {
    for path in ["/health", "/auth/login"] {
        assert_eq!(anonymous(path, 200)[0].severity, Severity::Low, "{path}");
    }
    let app = anonymous("/apps/7/health", 200);
    assert_eq!(
        app[0].severity,
        Severity::High,
        "an app is nobody's monitor"
    );
}

#[test]
fn a_run_that_never_had_credentials_says_little() {
    let found = asked("/ledger", 200, "although no credentials were given");
    assert_eq!(found[0].severity, Severity::Low);
}
