//! Refusals in plain words, and what becomes of them: lists with members, parts under another
//! spelling, code, changes that change nothing.

use fossick_trace::Request;
use serde_json::{Value, json};

use crate::play::{World, free, play};
use crate::workshop::Reply;

/// The first round that succeeds, of a `POST /things` with this body schema.
fn first_success(schema: &Value, judge: impl Fn(&Value) -> Option<&'static str>) -> Option<usize> {
    let body = json!({"required": true, "content": {"application/json": {"schema": schema}}});
    let operation = json!({"requestBody": body, "responses": {"201": {"description": ""}}});
    let world = World::of(json!({"/things": {"post": operation}}), json!({}));
    let mut search = world.search(free(1));
    let service = |request: &Request| -> Reply {
        let body = serde_json::from_slice(&request.body).unwrap_or(Value::Null);
        match judge(&body) {
            Some(refusal) => (400, json!({ "message": refusal })),
            None => (201, json!({})),
        }
    };
    let played = play(&mut search, 16, service);
    played.iter().position(|round| round.statuses() == [201])
}

#[test]
fn a_list_gets_every_member_that_it_was_said_to_miss() {
    let cost = json!({"type": "object", "required": ["price", "tokenType"], "properties": {
        "price": {"type": "number"}, "tokenType": {"type": "string"}}});
    let schema = json!({"type": "object", "required": ["costs"], "properties": {
        "costs": {"type": "array", "items": cost}}});
    let found = first_success(&schema, |body| {
        let costs = body["costs"].as_array().map_or(&[][..], Vec::as_slice);
        let has = |kind: &str| costs.iter().any(|cost| cost["tokenType"] == kind);
        match () {
            () if !has("input") => Some("input cost is required"),
            () if !has("output") => Some("output cost is required"),
            () => None,
        }
    });
    assert!(found.is_some_and(|round| round <= 2), "{found:?}");
}

#[test]
fn a_part_is_sent_though_the_refusal_spells_it_differently() {
    let mapping = json!({"type": "object", "required": ["key"], "default": null, "nullable": true,
        "properties": {"key": {"type": "string"}}});
    let schema = json!({"type": "object", "properties": {"inputMapping": mapping}});
    let found = first_success(&schema, |body| match &body["inputMapping"] {
        Value::Object(_) => None,
        _ => Some("input_mapping is required"),
    });
    assert!(found.is_some_and(|round| round <= 1), "{found:?}");
}

#[test]
fn code_that_a_refusal_shows_is_sent_whole() {
    let schema = json!({"type": "object", "required": ["sourceCode"], "properties": {
        "sourceCode": {"type": "string"}}});
    let found = first_success(&schema, |body| {
        let code = body["sourceCode"].as_str().unwrap_or_default();
        let whole = code.starts_with("def run(input):") && code.contains("return");
        (!whole).then_some("No function was found. Define one like `def run(input):`.")
    });
    assert!(found.is_some_and(|round| round <= 1), "{found:?}");
}

#[test]
fn a_change_of_nothing_is_made_one_of_something() {
    let schema = json!({"type": "object", "properties": {
        "title": {"type": "string"}, "notes": {"type": "string"}}});
    let found = first_success(&schema, |body| {
        let empty = body.as_object().is_none_or(serde_json::Map::is_empty);
        empty.then_some("At least one field must be set")
    });
    assert!(found.is_some_and(|round| round <= 1), "{found:?}");
}

/// Whoever waited for a maker is tried again soon after the maker first works.
#[test]
fn what_a_maker_makes_possible_is_tried_soon() {
    let name = json!({"type": "object", "required": ["id"], "properties": {
        "id": {"type": "string"}}});
    let content = json!({"application/json": {"schema": name}});
    let good = json!({"description": "", "content": content});
    let hole = json!({"name": "id", "in": "path", "required": true, "schema": {"type": "string"}});
    let paths = json!({
        "/people": {"post": {"requestBody": {"required": true, "content": content},
            "responses": {"201": good}}},
        "/people/{id}": {"parameters": [hole], "get": {"responses": {"200": good}}},
    });
    let world = World::of(paths, json!({}));
    let mut search = world.search(free(1));
    let (mut calls, mut made) = (0, Vec::new());
    let rounds = play(&mut search, 120, |request| {
        let id = request.target.rsplit('/').next().unwrap_or_default();
        if request.target != "/people" {
            let known = made.iter().any(|name| name == id);
            return if known {
                (200, json!({ "id": id }))
            } else {
                (404, json!({}))
            };
        }
        calls += 1;
        if calls < 60 {
            return (503, json!({}));
        }
        let body: Value = serde_json::from_slice(&request.body).unwrap_or(Value::Null);
        let new = format!("p{calls}");
        made.push(new.clone());
        (201, json!({"id": new, "was": body["id"]}))
    });
    let first = |wanted: u16| {
        let mut rounds = rounds.iter();
        rounds.position(|round| round.statuses().last() == Some(&wanted))
    };
    let (maker, reader) = (first(201), first(200));
    let soon = maker
        .zip(reader)
        .is_some_and(|(maker, reader)| reader <= maker + 4);
    assert!(soon, "{maker:?} {reader:?}");
}
