//! What operations need.

use fossick_graph::{Place, Words};
use serde_json::json;

use crate::desk::{Desk, gives, object, takes};

fn names(desk: &Desk, label: &str) -> Vec<String> {
    let needs = desk.needs(label).iter();
    needs.map(|need| need.name.clone()).collect()
}

#[test]
fn every_hole_of_a_path_is_needed() {
    let nothing = gives(&json!({}));
    let desk = Desk::of(&json!({"/projects/{id}/tasks/{task}": {"get": nothing}}));
    let needs = desk.needs("GET /projects/{id}/tasks/{task}");
    assert_eq!(needs.len(), 2);
    assert!(needs.iter().all(|need| need.required));
    assert_eq!(needs[0].words, Words::of("project_id"));
    assert_eq!(needs[1].place, Place::Parameter(1));
}

#[test]
fn a_hole_that_is_chosen_from_a_small_set_is_not_needed() {
    let kind = json!({"name": "kind", "in": "path", "required": true,
                      "schema": {"type": "string", "enum": ["a", "b"]}});
    let item = json!({"parameters": [kind], "get": gives(&json!({}))});
    let desk = Desk::of(&json!({"/things/{kind}": item}));
    assert_eq!(names(&desk, "GET /things/{kind}"), [""; 0]);
}

#[test]
fn queries_need_what_they_refer_to_and_nothing_else() {
    let query = |name: &str, format: &str| json!({"name": name, "in": "query", "schema": {"type": "string", "format": format}});
    let mut operation = gives(&json!({}));
    operation["parameters"] = json!([
        query("owner_id", ""),
        query("search", ""),
        query("user", "uuid"),
        query("id", ""),
    ]);
    let desk = Desk::of(&json!({"/things": {"get": operation}}));
    assert_eq!(names(&desk, "GET /things"), ["owner_id", "user"]);
    assert!(desk.needs("GET /things").iter().all(|need| !need.required));
}

#[test]
fn bodies_need_what_they_refer_to_at_any_depth() {
    let body = json!({"type": "object", "required": ["owner_id", "place"], "properties": {
        "owner_id": {"type": "integer"},
        "name": {"type": "string"},
        "user": {"type": "string", "format": "uuid"},
        "made_id": {"type": "string", "readOnly": true},
        "status_key": {"type": "string", "enum": ["a"]},
        "place": {"type": "object", "required": ["room_id"], "properties": {
            "room_id": {"type": "string"},
            "a/b~c": {"type": "object", "properties": {"desk_id": {"type": "string"}}},
        }},
    }});
    let desk = Desk::of(&json!({"/things": {"post": takes(&body, &json!({}))}}));
    let needs = desk.needs("POST /things");
    let told: Vec<(&Place, bool)> = needs.iter().map(|n| (&n.place, n.required)).collect();
    let at = |pointer: &str| Place::Body(pointer.to_owned());
    assert_eq!(
        told,
        [
            (&at("/owner_id"), true),
            (&at("/user"), false),
            (&at("/place/room_id"), true),
            (&at("/place/a~1b~0c/desk_id"), false),
        ]
    );
}

#[test]
fn a_body_that_contains_itself_has_an_end() {
    let node = json!({"type": "object", "properties": {
        "next": {"$ref": "#/components/schemas/Node"}, "owner_id": {"type": "string"}}});
    let link = json!({"$ref": "#/components/schemas/Node"});
    let desk = Desk::with(
        &json!({"/nodes": {"post": takes(&link, &link)}}),
        &json!({"Node": node}),
    );
    let needs = desk.needs("POST /nodes").len();
    assert!((1..=5).contains(&needs), "{needs}");
}

#[test]
fn the_last_hole_identifies_an_item() {
    let desk = Desk::of(&json!({
        "/projects/{id}/tasks/{task}": {"get": gives(&object(&["id"]))},
        "/status": {"get": gives(&object(&["id"]))},
    }));
    let item = desk.index("GET /projects/{id}/tasks/{task}");
    assert_eq!(desk.graph.last_hole(&desk.api, item), Some(1));
    let status = desk.index("GET /status");
    assert_eq!(desk.graph.last_hole(&desk.api, status), None);
}
