//! F205 to F207: what is refused, what is accepted, and methods that nobody declared.

use fossick_trace::{Intent, Severity};
use serde_json::{Value, json};

use crate::story::{broken, desk, edge, edges};

#[test]
fn a_declared_value_that_is_refused_while_another_works_is_told() {
    let world = desk();
    let found = world
        .story()
        .get("/projects?limit=10", 200, json!([]))
        .get(
            "/projects?limit=100",
            422,
            json!({"detail": "limit is too large"}),
        )
        .meaning(edge("query limit", "100", true))
        .one("F205");
    assert_eq!(found.title, "422 when query limit = 100");
    assert!(found.why.contains("limit is too large"), "{found:?}");
    assert_eq!(found.severity, Severity::Medium);
}

#[test]
fn a_refused_value_that_the_document_does_not_name_is_mild() {
    let world = desk();
    let found = world
        .story()
        .get("/projects?q=a", 200, json!([]))
        .get("/projects?q=%25", 400, json!({}))
        .meaning(edge("query q", "\"%\"", false))
        .one("F205");
    assert_eq!(found.severity, Severity::Low);
}

/// Hardly any schema says which of its fields exclude each other.
#[test]
fn two_declared_values_that_are_refused_together_prove_nothing() {
    let both = edges([("query limit", "100"), ("query page", "1")]);
    desk()
        .story()
        .get("/projects", 200, json!([]))
        .get("/projects?limit=100&page=1", 422, json!({}))
        .meaning(both)
        .silent("F205");
}

#[test]
fn a_refusal_without_contrast_proves_nothing() {
    let world = desk();
    world
        .story()
        .get("/projects?limit=100", 422, json!({}))
        .meaning(edge("query limit", "100", true))
        .silent("F205");
    world
        .story()
        .call("POST", "/projects", json!({}), 201, json!({"id": 1}))
        .get("/projects?limit=100", 422, json!({}))
        .meaning(edge("query limit", "100", true))
        .silent("F205");
}

#[test]
fn a_conflict_or_an_absence_is_no_refusal_of_a_value() {
    let world = desk();
    for status in [401, 403, 404, 409, 429, 500] {
        world
            .story()
            .get("/projects?limit=10", 200, json!([]))
            .get("/projects?limit=100", status, json!({}))
            .meaning(edge("query limit", "100", true))
            .silent("F205");
    }
}

#[test]
fn broken_values_are_refused_rightly() {
    let world = desk();
    world
        .story()
        .get("/projects?limit=10", 200, json!([]))
        .get("/projects?limit=101", 422, json!({}))
        .meaning(broken("query limit", "maximum"))
        .silent("F205");
}

#[test]
fn invalid_input_that_is_accepted_is_told() {
    let world = desk();
    let found = world
        .story()
        .call("POST", "/projects", json!({}), 201, json!({"id": 1}))
        .meaning(broken("body", "required"))
        .one("F206");
    assert_eq!(found.severity, Severity::Medium);
    assert!(found.title.starts_with("201 although body breaks required"));
}

#[test]
fn leniency_that_many_mean_is_mild() {
    let world = desk();
    for (place, constraint) in [
        ("body /more", "additionalProperties"),
        ("body /mail", "format"),
        ("query limit", "type"),
        ("header X-Page", "minimum"),
        ("cookie session", "minLength"),
    ] {
        let found = world
            .story()
            .get("/projects", 200, json!([]))
            .meaning(broken(place, constraint))
            .one("F206");
        assert_eq!(found.severity, Severity::Low, "{place} {constraint}");
    }
    let found = world
        .story()
        .call("PATCH", "/projects/7", json!({"part": {}}), 200, json!({}))
        .meaning(broken("body /part", "required"))
        .one("F206");
    assert_eq!(found.severity, Severity::Low);
}

#[test]
fn invalid_input_that_is_refused_is_not_told() {
    let world = desk();
    for status in [302, 400, 404, 422, 500] {
        world
            .story()
            .get("/projects", status, json!({}))
            .meaning(broken("query limit", "maximum"))
            .silent("F206");
    }
}

#[test]
fn valid_input_that_is_accepted_is_not_told() {
    let world = desk();
    world
        .story()
        .get("/projects", 200, json!([]))
        .silent("F206");
    world
        .story()
        .get("/projects?limit=100", 200, json!([]))
        .meaning(edge("query limit", "100", true))
        .silent("F206");
}

fn undeclared(method: &str, status: u16) -> Vec<fossick_trace::Finding> {
    let world = desk();
    let story = world.story();
    let story = story.call(method, "/projects", Value::Null, status, Value::Null);
    story.meaning(Intent::Undeclared).heard("F207")
}

#[test]
fn an_undeclared_method_that_is_carried_out_is_told() {
    let found = undeclared("DELETE", 204);
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].title, "DELETE /projects answered 204");
    assert_eq!(found[0].severity, Severity::Medium);
    assert_eq!(undeclared("TRACE", 200)[0].severity, Severity::Low);
}

/// OPTIONS belongs to HTTP itself, and HEAD comes with GET.
#[test]
fn options_and_head_need_not_be_declared() {
    assert_eq!(undeclared("OPTIONS", 200), []);
    assert_eq!(undeclared("HEAD", 200), []);
}

#[test]
fn an_undeclared_method_that_is_refused_is_not_told() {
    for status in [301, 401, 404, 405, 501] {
        assert_eq!(undeclared("PUT", status), [], "{status}");
    }
}

#[test]
fn a_declared_method_is_no_undeclared_one() {
    let world = desk();
    let story = world.story().get("/projects", 200, json!([]));
    story.silent("F207");
}
