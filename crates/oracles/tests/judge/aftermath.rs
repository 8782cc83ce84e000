//! F301 in lists and parents, F310 and F312: what is left of something that was deleted.

use fossick_trace::{Intent, Location};
use serde_json::{Value, json};

use crate::story::{Story, World};

/// A clinic: patients have appointments, which stand on their own; rooms are named by callers.
fn clinic() -> World {
    let any = json!({"description": "", "content": {"application/json": {}}});
    let operation = || json!({"responses": {"default": any}});
    let hole = |name: &str| json!({"name": name, "in": "path", "required": true, "schema": {"type": "string"}});
    let item = |name: &str| {
        json!({
            "parameters": [hole(name)],
            "get": operation(), "put": operation(), "patch": operation(), "delete": operation(),
        })
    };
    World::of(json!({
        "/patients": {"get": operation(), "post": operation()},
        "/patients/{id}": item("id"),
        "/appointments": {"get": operation(), "post": operation()},
        "/appointments/{id}": item("id"),
        "/appointments/{id}/notes": {"parameters": [hole("id")], "get": operation(), "post": operation()},
        "/appointments/{id}/restore": {"parameters": [hole("id")], "post": operation()},
        "/bills": {"post": operation()},
        "/bills/{id}": item("id"),
        "/search": {"get": operation()},
        "/rooms": {"get": operation(), "post": operation()},
        "/rooms/{code}": item("code"),
    }))
}

fn appointment() -> Value {
    json!({"id": 1, "patientId": 7, "reason": "headache"})
}

fn deleted(world: &World) -> Story<'_> {
    let sent = json!({"patientId": 7, "reason": "headache"});
    world
        .story()
        .call("POST", "/appointments", sent, 201, appointment())
        .call("DELETE", "/appointments/1", Value::Null, 204, Value::Null)
}

fn gone(world: &World) -> Story<'_> {
    deleted(world).get(
        "/appointments/1",
        404,
        json!({"error": "no such appointment"}),
    )
}

#[test]
fn what_stands_below_a_deleted_thing_is_told_where_strangers_are_known() {
    let world = clinic();
    let asked = |strangers: u16, below: u16| {
        gone(&world)
            .get("/appointments/1/notes", below, json!([]))
            .get("/appointments/1900000007/notes", strangers, json!([]))
            .meaning(Intent::Stranger {
                parameter: "id".to_owned(),
            })
    };
    let found = asked(404, 200).one("F301");
    assert_eq!(found.operation, "GET /appointments/{id}/notes");
    assert_eq!(found.title, "200 below what DELETE answered 204 for");
    asked(200, 200).silent("F301");
    asked(404, 404).silent("F301");
}

#[test]
fn a_deleted_thing_in_its_list_is_told() {
    let world = clinic();
    for list in [
        json!([{"id": 3}, appointment()]),
        json!({"items": [appointment()], "total": 1}),
    ] {
        let found = gone(&world).get("/appointments", 200, list).one("F301");
        assert_eq!(found.operation, "GET /appointments");
        assert_eq!(
            found.title,
            "still shows appointment 1 after DELETE answered 204"
        );
        assert!(matches!(found.location, Location::Body { .. }));
    }
}

#[test]
fn a_deleted_thing_in_its_parent_is_told() {
    let world = clinic();
    let parent = json!({"id": 7, "name": "x", "appointments": [{"id": 1, "reason": "headache"}]});
    let found = gone(&world).get("/patients/7", 200, parent).one("F301");
    assert_eq!(found.operation, "GET /patients/{id}");
    let Location::Body { path, .. } = found.location else {
        panic!("it is in the body");
    };
    assert_eq!(path, "/appointments/*");
}

#[test]
fn a_deleted_thing_in_a_search_is_told() {
    let world = clinic();
    let hits = json!({"items": [{"id": 1, "reason": "headache"}], "total": 1});
    gone(&world).get("/search?q=head", 200, hits).one("F301");
}

#[test]
fn others_of_the_same_number_are_others() {
    let world = clinic();
    for (target, answer) in [
        ("/patients/7", json!({"id": 7, "visits": [{"id": 1}]})),
        (
            "/patients/7",
            json!({"id": 7, "appointments": [{"id": 2, "reason": "headache"}]}),
        ),
        ("/patients/9", json!({"id": 9, "appointments": [{"id": 1}]})),
        (
            "/search?q=x",
            json!([{"id": 1, "name": "x"}, {"id": 1, "reason": "cough!"}]),
        ),
        ("/appointments", json!([{"id": 2, "patientId": 1}])),
        ("/patients", json!([{"id": 1}])),
    ] {
        gone(&world).get(target, 200, answer).silent("F301");
    }
}

/// What keeps a copy of what it was made of does not show the thing.
#[test]
fn a_bill_may_keep_what_it_was_made_of() {
    let world = clinic();
    let bill = json!({"id": 7000, "appointments": [{"id": 1, "reason": "headache"}]});
    gone(&world).get("/bills/7000", 200, bill).silent("F301");
}

#[test]
fn a_list_may_show_tombstones_or_be_asked_for_them() {
    let world = clinic();
    let tombstone = json!([{"id": 1, "status": "cancelled"}]);
    gone(&world)
        .get("/appointments", 200, tombstone)
        .silent("F301");
    let all = json!([appointment()]);
    gone(&world)
        .get("/appointments?includeDeleted=true", 200, all.clone())
        .silent("F301");
    deleted(&world)
        .call("POST", "/appointments", json!({}), 201, appointment())
        .get("/appointments", 200, all.clone())
        .silent("F301");
    let later = world
        .story()
        .call("POST", "/appointments", json!({}), 201, appointment())
        .call("DELETE", "/appointments/1", Value::Null, 202, Value::Null);
    later.get("/appointments", 200, all).silent("F301");
}

#[test]
fn a_write_on_something_deleted_is_told() {
    let world = clinic();
    let note = json!({"id": 5});
    for (method, target, body) in [
        ("PATCH", "/appointments/1", json!({"reason": "cough"})),
        ("POST", "/appointments/1/notes", json!({"text": "x"})),
        ("POST", "/bills", json!({"lines": [{"appointmentId": 1}]})),
    ] {
        let found = gone(&world)
            .call(method, target, body, 201, note.clone())
            .one("F312");
        assert_eq!((found.call, found.evidence.calls), (3, vec![1, 2]));
    }
}

#[test]
fn writes_that_are_right_on_or_beside_something_deleted() {
    let world = clinic();
    let silent = |story: Story<'_>| story.silent("F312");
    let done = json!({"id": 5});
    silent(gone(&world).call("PUT", "/appointments/1", json!({}), 201, done.clone()));
    silent(gone(&world).call("DELETE", "/appointments/1", Value::Null, 204, Value::Null));
    silent(gone(&world).call(
        "POST",
        "/appointments/1/restore",
        json!({}),
        200,
        done.clone(),
    ));
    silent(gone(&world).call(
        "POST",
        "/appointments/1/notes",
        json!({}),
        202,
        done.clone(),
    ));
    silent(gone(&world).call("POST", "/appointments/1/notes", json!({}), 404, json!({})));
    silent(gone(&world).call(
        "POST",
        "/appointments/12/notes",
        json!({}),
        201,
        done.clone(),
    ));
    silent(gone(&world).call(
        "POST",
        "/bills",
        json!({"patientId": 1, "amount": 1}),
        201,
        done.clone(),
    ));
    // Nobody says that it is gone: a tombstone may be written on.
    silent(
        deleted(&world)
            .get("/appointments/1", 200, json!({"id": 1, "deleted": true}))
            .call("POST", "/appointments/1/notes", json!({}), 201, done),
    );
}

fn room() -> Value {
    json!({"code": "A-104", "name": "x"})
}

fn room_gone(world: &World) -> Story<'_> {
    world
        .story()
        .call("POST", "/rooms", room(), 201, room())
        .call("DELETE", "/rooms/A-104", Value::Null, 204, Value::Null)
        .get("/rooms/A-104", 404, json!({}))
}

#[test]
fn a_key_that_is_not_free_after_a_deletion_is_told() {
    let world = clinic();
    for (status, told) in [
        (409, "no"),
        (422, "code is already taken"),
        (400, "duplicate key"),
    ] {
        let found = room_gone(&world)
            .call("POST", "/rooms", room(), status, json!({"error": told}))
            .one("F310");
        assert_eq!((found.call, found.evidence.calls), (3, vec![0, 1]));
    }
}

#[test]
fn refusals_that_say_nothing_of_the_deletion() {
    let world = clinic();
    let taken = json!({"error": "taken"});
    let again = |story: Story<'_>, status: u16, body: Value, answer: Value| {
        story
            .call("POST", "/rooms", body, status, answer)
            .silent("F310");
    };
    again(room_gone(&world), 201, room(), room());
    again(
        room_gone(&world),
        422,
        room(),
        json!({"error": "no such building"}),
    );
    again(room_gone(&world), 429, room(), taken.clone());
    let other = json!({"code": "A-105", "name": "x"});
    again(room_gone(&world), 409, other, taken.clone());
    let there = world.story().call("POST", "/rooms", room(), 201, room());
    again(there, 409, room(), taken.clone());
    let made = room_gone(&world).call("POST", "/rooms", room(), 201, room());
    again(made, 409, room(), taken.clone());
    let tombstone = world
        .story()
        .call("POST", "/rooms", room(), 201, room())
        .call("DELETE", "/rooms/A-104", Value::Null, 204, Value::Null)
        .get(
            "/rooms/A-104",
            200,
            json!({"code": "A-104", "deleted": true}),
        );
    again(tombstone, 409, room(), taken);
}
