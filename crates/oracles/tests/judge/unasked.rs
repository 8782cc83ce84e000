//! F313: a partial update that changes what it was not sent.

use fossick_trace::{Finding, Location};
use serde_json::{Value, json};

use crate::story::{Story, World};

fn world() -> World {
    let room = json!({"type": "object", "properties": {
        "id": {"type": "integer", "readOnly": true},
        "name": {"type": "string"},
        "slug": {"type": "string"},
        "note": {"type": "string", "nullable": true},
        "email": {"type": "string"},
        "emailVerified": {"type": "boolean"},
        "open": {"type": "boolean"},
        "status": {"enum": ["free", "taken"], "default": "free"},
        "seats": {"type": "integer"},
        "price": {"type": "number"},
        "dueDate": {"type": "string", "format": "date"},
        "updatedAt": {"type": "string"},
        "version": {"type": "integer"},
        "tags": {"type": "array", "items": {"type": "string"}},
        "address": {"type": "object", "properties": {"street": {"type": "string"}}},
        "street": {"type": "string"},
    }});
    let any = json!({"description": "", "content": {"application/json": {}}});
    let operation = || json!({"responses": {"default": any}});
    let body = json!({"content": {"application/json": {"schema": room}}});
    let taking = || json!({"requestBody": body, "responses": {"default": any}});
    let hole = json!({"name": "id", "in": "path", "required": true, "schema": {"type": "string"}});
    World::of(json!({
        "/rooms": {"get": operation(), "post": taking()},
        "/rooms/{id}": {
            "parameters": [hole],
            "get": operation(), "put": taking(), "patch": taking(), "delete": operation(),
        },
    }))
}

fn patched(world: &World, old: Value, sent: Value, new: Value) -> Story<'_> {
    world
        .story()
        .get("/rooms/7", 200, old)
        .call("PATCH", "/rooms/7", sent, 200, Value::Null)
        .get("/rooms/7", 200, new)
}

fn heard(old: Value, sent: Value, new: Value) -> Vec<Finding> {
    patched(&world(), old, sent, new).heard("F313")
}

#[test]
fn a_field_that_was_not_sent_and_changed_is_told() {
    let world = world();
    let old = json!({"id": 7, "name": "hall", "note": "by the stairs", "seats": 4});
    let new = json!({"id": 7, "name": "loft", "note": null, "seats": 4});
    let found = patched(&world, old, json!({"name": "loft"}), new).one("F313");
    assert_eq!(
        found.title,
        "note was \"by the stairs\" and is null after PATCH without it"
    );
    assert_eq!(found.operation, "PATCH /rooms/{id}");
    let path = "/note".to_owned();
    assert_eq!(found.location, Location::State { path });
    assert_eq!((found.call, found.evidence.calls), (2, vec![0, 1]));
}

#[test]
fn whatever_is_reset_is_told() {
    for (field, old, new) in [
        ("seats", json!(4), json!(0)),
        ("seats", json!(4), json!(5)),
        ("status", json!("taken"), json!("free")),
        ("open", json!(true), json!(false)),
        ("tags", json!(["a", "b"]), json!([])),
        ("dueDate", json!("2024-05-17"), json!(null)),
        ("address", json!({"street": "Elm"}), json!(null)),
    ] {
        let thing = |name: &str, value: &Value| json!({"id": 7, "name": name, field: value});
        let found = heard(
            thing("hall", &old),
            json!({"name": "loft"}),
            thing("loft", &new),
        );
        assert_eq!(found.len(), 1, "{field}");
    }
}

#[test]
fn what_changes_by_itself_or_in_form_alone_is_none() {
    for (old, new) in [
        (json!({"updatedAt": "a"}), json!({"updatedAt": "b"})),
        (json!({"version": 1}), json!({"version": 2})),
        (json!({"views": 1}), json!({"views": 2})),
        (json!({"price": 1}), json!({"price": 1.0})),
        (json!({"price": 1.239}), json!({"price": 1.24})),
        (
            json!({"dueDate": "2024-05-17"}),
            json!({"dueDate": "2024-05-17T00:00:00Z"}),
        ),
        (json!({"note": null}), json!({})),
        (json!({"note": "x"}), json!({})),
        (json!({}), json!({"note": null})),
        (json!({"note": null}), json!({"note": "made up"})),
        (json!({"tags": ["a", "b"]}), json!({"tags": ["b", "a"]})),
        (json!({"id": 7}), json!({"id": 8})),
    ] {
        assert_eq!(
            heard(old.clone(), json!({"name": "loft"}), new),
            [],
            "{old}"
        );
    }
}

#[test]
fn what_follows_from_what_was_sent_is_none() {
    for (sent, old, new) in [
        (
            json!({"name": "The Loft"}),
            json!({"slug": "the-hall"}),
            json!({"slug": "the-loft"}),
        ),
        (
            json!({"email": "a@b.example"}),
            json!({"emailVerified": true}),
            json!({"emailVerified": false}),
        ),
        (
            json!({"status": "taken"}),
            json!({"status": "free", "open": true}),
            json!({"status": "taken", "open": false}),
        ),
        (
            json!({"seats": 5}),
            json!({"seats": 4, "price": 40}),
            json!({"seats": 5, "price": 50}),
        ),
        (
            json!({"name": "loft"}),
            json!({"status": "free"}),
            json!({"status": "taken"}),
        ),
        (
            json!({"address": {"street": "Oak"}}),
            json!({"street": "Elm"}),
            json!({"street": "Oak"}),
        ),
    ] {
        assert_eq!(heard(old, sent.clone(), new), [], "{sent}");
    }
}

#[test]
fn a_whole_replacement_or_a_refusal_is_no_partial_update() {
    let world = world();
    let (old, new) = (json!({"note": "x"}), json!({"note": null}));
    for (method, status) in [("PUT", 200), ("PATCH", 400), ("PATCH", 202)] {
        world
            .story()
            .get("/rooms/7", 200, old.clone())
            .call(
                method,
                "/rooms/7",
                json!({"name": "loft"}),
                status,
                Value::Null,
            )
            .get("/rooms/7", 200, new.clone())
            .silent("F313");
    }
}

#[test]
fn another_write_or_another_look_explains_it() {
    let world = world();
    let (old, new) = (json!({"note": "x"}), json!({"note": "other"}));
    let rename = || json!({"name": "loft"});
    let begun = || world.story().get("/rooms/7", 200, old.clone());
    begun()
        .call(
            "PATCH",
            "/rooms/7",
            json!({"note": "other"}),
            200,
            Value::Null,
        )
        .call("PATCH", "/rooms/7", rename(), 200, Value::Null)
        .get("/rooms/7", 200, new.clone())
        .silent("F313");
    begun()
        .call("PATCH", "/rooms/7", rename(), 200, Value::Null)
        .call(
            "PUT",
            "/rooms/7",
            json!({"note": "other"}),
            200,
            Value::Null,
        )
        .get("/rooms/7", 200, new.clone())
        .silent("F313");
    begun()
        .call("PATCH", "/rooms/7", rename(), 200, Value::Null)
        .get("/rooms/7?lang=de", 200, new.clone())
        .silent("F313");
    begun()
        .call("PATCH", "/rooms/8", rename(), 200, Value::Null)
        .get("/rooms/8", 200, new)
        .silent("F313");
}

fn made(world: &World) -> Story<'_> {
    let room = json!({"id": 7, "name": "hall", "note": "by the stairs", "seats": 4});
    world.story().call("POST", "/rooms", json!({}), 201, room)
}

#[test]
fn the_creation_is_the_look_before_where_there_is_no_other() {
    let world = world();
    let rename = || json!({"name": "loft"});
    let changed = || json!({"id": 7, "name": "loft", "note": "none", "seats": 4});
    made(&world)
        .call("PATCH", "/rooms/7", rename(), 200, Value::Null)
        .get("/rooms/7", 200, changed())
        .one("F313");
    made(&world)
        .call("PATCH", "/rooms/7", rename(), 200, changed())
        .one("F313");
    made(&world)
        .call(
            "PATCH",
            "/rooms/7",
            json!({"note": "none"}),
            200,
            Value::Null,
        )
        .call("PATCH", "/rooms/7", rename(), 200, changed())
        .silent("F313");
    made(&world)
        .call("PATCH", "/rooms/8", rename(), 200, changed())
        .silent("F313");
}

/// An answer to the update may be made of what was sent alone.
#[test]
fn an_echo_with_nothing_for_the_rest_is_no_proof() {
    let world = world();
    for echo in [
        json!({"id": 7, "name": "loft", "note": null, "seats": 0}),
        json!({"note": "updated", "message": "ok"}),
    ] {
        made(&world)
            .call("PATCH", "/rooms/7", json!({"name": "loft"}), 200, echo)
            .silent("F313");
    }
}
