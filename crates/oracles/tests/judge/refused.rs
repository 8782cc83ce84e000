//! F205: a refusal contradicts the document where it speaks of the value alone; rules between
//! fields, with a state or told in words are no contradiction.

use fossick_trace::{Finding, Severity};
use serde_json::{Value, json};

use crate::story::{World, edge};

/// Bookings with ranges, a closed set, and a rule or two in prose.
fn bookings(refusal: Option<&str>, description: &str) -> World {
    let number = json!({"type": "integer", "minimum": 1, "maximum": 100});
    let day = json!({"type": "string", "format": "date"});
    let limited = json!({"type": "integer", "maximum": 100, "description": "At most 50."});
    let follows = json!({"type": "integer", "maximum": 100, "description": "Must be after seats."});
    let properties = json!({"guests": number, "seats": number, "first": day, "last": day,
        "kind": {"enum": ["single", "suite"]}, "code": {"type": "string", "maxLength": 5},
        "limited": limited, "follows": follows, "minAge": number, "maxAge": number});
    let schema = json!({"type": "object", "properties": properties});
    let content = json!({"application/json": {"schema": schema}});
    let mut responses = json!({"201": {"description": ""}});
    if let Some(words) = refusal {
        responses["422"] = json!({"description": words});
    }
    World::of(json!({"/bookings": {"post": {
        "description": description, "responses": responses,
        "requestBody": {"required": true, "content": content}}}}))
}

const GOOD: u16 = 201;

/// A booking that works, then one whose field has an edge value and is refused.
fn refused(world: &World, field: &str, value: Value, answer: Value) -> Finding {
    let mut body = json!({"guests": 2, "seats": 4});
    let story = world.story();
    let story = story.call("POST", "/bookings", body.clone(), GOOD, json!({}));
    body[field] = value.clone();
    story
        .call("POST", "/bookings", body, 422, answer)
        .meaning(edge(&format!("body /{field}"), &value.to_string(), true))
        .one("F205")
}

fn severity(world: &World, field: &str, value: Value, answer: Value) -> Severity {
    refused(world, field, value, answer).severity
}

#[test]
fn a_refusal_of_this_very_value_contradicts_the_document() {
    let world = bookings(Some("The booking is not valid"), "");
    for answer in [
        json!({"detail": [{"loc": ["body", "guests"], "msg": "Input should be less than or equal to 99"}]}),
        json!({"errors": {"guests": ["must be at most 99"]}}),
        json!({"message": "guests is invalid"}),
        json!({"title": "Bad Request", "status": 422, "detail": "guests: too large"}),
    ] {
        let found = severity(&world, "guests", json!(100), answer.clone());
        assert_eq!(found, Severity::Medium, "{answer}");
    }
    let kind = json!({"message": "kind must be one of ['single']"});
    assert_eq!(
        severity(&world, "kind", json!("suite"), kind),
        Severity::Medium
    );
    let code = json!({"errors": {"code": ["is too long (maximum is 4 characters)"]}});
    assert_eq!(
        severity(&world, "code", json!("aaaaa"), code),
        Severity::Medium
    );
}

#[test]
fn a_refusal_that_smells_of_another_field_or_a_state_is_perhaps_only() {
    let world = bookings(None, "");
    for words in [
        "guests must not exceed seats",
        "guests: invalid in combination with a suite",
        "guests is invalid when the kind is single",
        "guests must be before 5",
        "guests exceeds the capacity",
        "guests: not enough beds left",
        "guests was already booked",
        "guests 100 not found",
        "guests requires a reservation",
        "only 20 guests are allowed",
    ] {
        let found = refused(&world, "guests", json!(100), json!({ "message": words }));
        assert_eq!(found.severity, Severity::Low, "{words}");
        assert_eq!(found.cause, "refused values of POST /bookings");
    }
    let located = json!({"detail": [{"loc": ["body", "seats"], "msg": "seats are too few"}]});
    assert_eq!(
        severity(&world, "guests", json!(100), located),
        Severity::Low
    );
}

#[test]
fn a_rule_that_the_document_tells_in_words_is_no_contradiction() {
    let too_large = |field: &str| json!({"errors": {field: ["is too large"]}});
    let world = bookings(None, "");
    for field in ["limited", "follows"] {
        let found = severity(&world, field, json!(100), too_large(field));
        assert_eq!(found, Severity::Low, "{field}");
    }
    let found = severity(&world, "guests", json!(100), too_large("guests"));
    assert_eq!(found, Severity::Medium);
    let told = bookings(None, "Books a room. guests must be at most 20 in winter.");
    let found = severity(&told, "guests", json!(100), too_large("guests"));
    assert_eq!(found, Severity::Low);
    let stateful = bookings(Some("No room is available"), "");
    let found = severity(&stateful, "guests", json!(100), too_large("guests"));
    assert_eq!(found, Severity::Low);
}

/// With others beside it: the same value so often, each time answered like this.
fn in_company(world: &World, field: &str, value: Value, answers: &[u16]) -> Vec<Finding> {
    let mut body = json!({"guests": 2, "seats": 4});
    let mut story = world.story();
    story = story.call("POST", "/bookings", body.clone(), GOOD, json!({}));
    body[field] = value.clone();
    for (at, status) in answers.iter().enumerate() {
        body["seats"] = json!(10 + at);
        let intent = edge(&format!("body /{field}"), &value.to_string(), true);
        let answer = if *status == GOOD {
            json!({})
        } else {
            json!({"message": "no"})
        };
        story = story.call("POST", "/bookings", body.clone(), *status, answer);
        story = story.meaning(intent);
    }
    story.heard("F205")
}

#[test]
fn a_value_that_is_accepted_in_other_company_is_not_refused() {
    let world = bookings(None, "");
    assert_eq!(
        in_company(&world, "guests", json!(100), &[422, 201, 422]),
        []
    );
    assert_eq!(in_company(&world, "guests", json!(100), &[201, 422]), []);
}

#[test]
fn a_refusal_without_reasons_is_believed_where_company_changes_nothing() {
    let world = bookings(None, "");
    let found = in_company(&world, "guests", json!(100), &[422, 422, 422]);
    assert_eq!(found.len(), 1, "told once");
    assert_eq!((found[0].severity, found[0].call), (Severity::Medium, 3));
    let alone = in_company(&world, "guests", json!(100), &[422]);
    assert_eq!(alone[0].severity, Severity::Low, "seats may be the reason");
    assert_ne!(alone[0].mark, found[0].mark, "a shorter form proves less");
    let told = bookings(Some("The booking is not valid"), "");
    let documented = in_company(&told, "guests", json!(100), &[422, 422]);
    assert_eq!(
        documented[0].severity,
        Severity::Low,
        "the document tells of refusals"
    );
    let ends = in_company(&world, "maxAge", json!(100), &[422, 422]);
    assert_eq!(ends[0].severity, Severity::Low, "it has another end");
    let example = in_company(&world, "code", json!("ab"), &[422, 422]);
    assert_eq!(
        example[0].severity,
        Severity::Low,
        "an example may be taken"
    );
}
