//! F401 and F402: who is let through without credentials, and what failures tell.

use fossick_trace::{Finding, Intent, Severity};
use serde_json::{Value, json};

use crate::story::{World, desk};

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

/// What a refused creation of a project tells of the inside.
fn told(sent: Value, status: u16, answer: Value) -> Vec<String> {
    let world = desk();
    let story = world
        .story()
        .call("POST", "/projects", sent, status, answer);
    let found = story.heard("F402").into_iter();
    found.map(|finding| finding.mark).collect()
}

#[test]
fn sql_files_and_exceptions_in_failures_are_told() {
    for (answer, mark) in [
        (
            json!({"error": "UNIQUE constraint failed: projects.name"}),
            "SQL",
        ),
        (
            json!({"errors": [{"detail": "INSERT INTO projects (name) VALUES (?)"}]}),
            "SQL",
        ),
        (
            json!({"message": "could not execute statement; SQL [n/a]"}),
            "SQL",
        ),
        (
            json!({"message": "open /srv/desk/projects.json: permission denied"}),
            "a file's path",
        ),
        (json!({"file": "/var/lib/desk/data"}), "a file's path"),
        (
            json!({"message": "sqlalchemy.exc.DataError: out of range"}),
            "an exception",
        ),
        (
            json!({"exception": "org.hibernate.exception.DataException"}),
            "an exception",
        ),
    ] {
        for status in [400, 409, 500] {
            assert_eq!(told(json!({}), status, answer.clone()), [mark], "{answer}");
        }
    }
}

#[test]
fn one_answer_that_tells_much_is_told_once() {
    let answer = json!({
        "message": "sqlalchemy.exc.IntegrityError: UNIQUE constraint failed: projects.name",
        "file": "/srv/desk/store.py",
    });
    let world = desk();
    let found = world
        .story()
        .call("POST", "/projects", json!({}), 500, answer)
        .one("F402");
    assert_eq!((found.cause.as_str(), found.call), ("SQL", 0));
    assert_eq!(found.operation, "POST /projects");
}

#[test]
fn what_a_failure_says_to_its_caller_is_no_internal() {
    for answer in [
        json!({"message": "Select one from the list", "path": "/projects"}),
        json!({"message": "Duplicate entry", "code": "CONFLICT"}),
        json!({"path": "/app/projects/12", "status": 404}),
        json!({"instance": "/home/projects/12", "type": "about:blank"}),
        json!({"errors": [{"path": "/name", "message": "must be given"}]}),
        json!({"errors": [{"source": {"pointer": "/data/attributes/name"}}]}),
        json!({"message": "no project at /projects/12/tasks/3"}),
        json!({"message": "use application/json or text/html"}),
        json!({"message": "see https://example.org/usr/share/errors.js"}),
        json!({"type": "value_error.any_str.max_length"}),
        json!({"error": "ValidationError: name is required"}),
    ] {
        assert_eq!(told(json!({}), 400, answer.clone()), [""; 0], "{answer}");
    }
}

#[test]
fn what_was_sent_comes_back_and_tells_nothing() {
    for sent in [
        "SELECT name FROM users",
        "/etc/passwd",
        "a \"DELETE FROM projects\"",
        "java.lang.RuntimeException: boo",
    ] {
        let answer = json!({"message": format!("'{sent}' is no name")});
        assert_eq!(told(json!({"name": sent}), 422, answer), [""; 0], "{sent}");
    }
    let inside = json!({"message": "/home/zip must be a number"});
    assert_eq!(told(json!({"home": {"zip": "x"}}), 400, inside), [""; 0]);
    let world = desk();
    world
        .story()
        .get(
            "/projects/SELECT%20a%20FROM%20b",
            404,
            json!({"message": "no project SELECT a FROM b"}),
        )
        .silent("F402");
}

/// Addresses of the service look like folders where it lives under such a name.
#[test]
fn paths_of_the_document_are_no_files() {
    let answers = json!({"default": {"description": ""}});
    let get = json!({"get": {"responses": answers}});
    let world = World::of(json!({"/home/rooms/{id}": get, "/home/rooms": get}));
    world
        .story()
        .get(
            "/home/rooms/1",
            404,
            json!({"message": "go to /home/rooms, or /home/rooms/2."}),
        )
        .silent("F402");
    world
        .story()
        .get(
            "/home/rooms/1",
            500,
            json!({"message": "no /home/rooms/db/data"}),
        )
        .one("F402");
}

#[test]
fn successes_and_traces_are_not_its_business() {
    let constraint = json!({"log": "UNIQUE constraint failed: projects.name"});
    assert_eq!(told(json!({}), 200, constraint), [""; 0]);
    let trace = json!({"message": "Traceback (most recent call last)\n  File \"/srv/desk/x.py\""});
    assert_eq!(told(json!({}), 500, trace), [""; 0]);
}

#[test]
fn plain_text_and_pages_are_read_too() {
    let world = desk();
    let said = |kind: &str, text: &str| {
        let headers = [("content-type", kind)];
        let story = world.story();
        story.raw("GET", "/projects", &Value::Null, 500, &headers, text)
    };
    said("text/plain", "pq: relation \"projects\" does not exist").one("F402");
    said("text/html", "<p>java.sql.SQLException: closed</p>").one("F402");
    said("text/html", "<script src=\"/app/main.js\"></script>").silent("F402");
    said("text/plain", "Internal Server Error").silent("F402");
}
