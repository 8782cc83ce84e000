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
        {"name": "tag_ids", "in": "query", "schema": {"type": "array", "items": {"type": "integer"}}},
        {"name": "states", "in": "query", "schema": {"type": "array", "items": {"type": "string"}}},
    ]);
    let desk = Desk::of(&json!({"/things": {"get": operation}}));
    assert_eq!(names(&desk, "GET /things"), ["owner_id", "user", "tag_ids"]);
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

fn line(properties: &serde_json::Value) -> serde_json::Value {
    json!({"type": "object", "properties": properties})
}

#[test]
fn references_in_lists_and_choices_are_needed_at_any_depth() {
    let id = json!({"type": "integer"});
    let many = |items: serde_json::Value| json!({"type": "array", "minItems": 1, "items": items});
    let pays = json!({"oneOf": [
        line(&json!({"cardId": id, "kind": {"type": "string"}})),
        line(&json!({"accountId": id})),
    ]});
    let deep =
        line(&json!({"a": line(&json!({"b": line(&json!({"c": line(&json!({"binId": id}))}))}))}));
    let mut body = line(&json!({
        "lines": many(line(&json!({"articleId": id, "tagIds": many(id.clone())}))),
        "watcherIds": {"type": "array", "items": id},
        "pays": pays,
        "deep": deep,
    }));
    body["required"] = json!(["lines"]);
    body["properties"]["lines"]["items"]["required"] = json!(["articleId"]);
    let desk = Desk::of(&json!({"/orders": {"post": takes(&body, &json!({}))}}));
    let needs = desk.needs("POST /orders").iter();
    let told: Vec<(&str, bool)> = needs
        .map(|need| match &need.place {
            Place::Body(pointer) => (pointer.as_str(), need.required),
            Place::Parameter(_) => panic!("in the body"),
        })
        .collect();
    assert_eq!(
        told,
        [
            ("/watcherIds/0", false),
            ("/lines/0/articleId", true),
            ("/pays/cardId", false),
            ("/pays/accountId", false),
            ("/lines/0/tagIds/0", false),
            ("/deep/a/b/c/binId", false),
        ]
    );
}

#[test]
fn a_place_in_any_item_has_the_need_of_all_of_them() {
    let body = line(
        &json!({"lines": {"type": "array", "items": line(&json!({"articleId": {"type": "integer"}}))}}),
    );
    let desk = Desk::of(&json!({"/orders": {"post": takes(&body, &json!({}))}}));
    let index = desk.index("POST /orders");
    let at = |pointer: &str| desk.graph.need_at(index, &Place::Body(pointer.to_owned()));
    assert_eq!(at("/lines/0/articleId"), Some(0));
    assert_eq!(at("/lines/17/articleId"), Some(0));
    assert_eq!(at("/lines/x/articleId"), None);
    assert_eq!(at("/articleId"), None);
}

/// A shop whose articles have a key of their own name, and orders that speak of them.
fn shop(order: &serde_json::Value) -> Desk {
    let text = json!({"type": "string"});
    let number = json!({"type": "integer"});
    let hole = |name: &str, schema: &serde_json::Value| json!([{"name": name, "in": "path", "required": true, "schema": schema}]);
    let article = line(&json!({"sku": text, "title": text, "supplier": number}));
    let supplier = line(&json!({"id": number, "name": text}));
    let category = line(&json!({"slug": text, "title": text}));
    Desk::of(&json!({
        "/articles": {"post": takes(&article, &article)},
        "/articles/{sku}": {"parameters": hole("sku", &text), "get": gives(&article), "put": takes(&article, &article)},
        "/suppliers": {"post": takes(&line(&json!({"name": text})), &supplier)},
        "/suppliers/{id}": {"parameters": hole("id", &number), "get": gives(&supplier)},
        "/categories": {"post": takes(&category, &category)},
        "/categories/{slug}": {"parameters": hole("slug", &text), "get": gives(&category)},
        "/orders": {"post": takes(order, &json!({}))},
    }))
}

#[test]
fn a_field_that_is_called_after_a_thing_or_its_key_is_needed() {
    let text = json!({"type": "string"});
    let number = json!({"type": "integer"});
    let order = line(&json!({
        "sku": text,
        "preferredSupplier": number,
        "category": text,
        "lines": {"type": "array", "items": line(&json!({
            "articleSku": text, "supplier": line(&json!({"id": number, "note": text})),
        }))},
    }));
    let desk = shop(&order);
    let best = |pointer: &str| desk.best_at("POST /orders", pointer);
    assert_eq!(best("/sku"), "Creator POST /articles /sku");
    assert_eq!(best("/preferredSupplier"), "Creator POST /suppliers /id");
    assert_eq!(best("/category"), "Creator POST /categories /slug");
    assert_eq!(best("/lines/0/articleSku"), "Creator POST /articles /sku");
    assert_eq!(best("/lines/0/supplier/id"), "Creator POST /suppliers /id");
    assert_eq!(best_of_supplier(&desk), "Creator POST /suppliers /id");
}

fn best_of_supplier(desk: &Desk) -> String {
    desk.best_at("POST /articles", "/supplier")
}

/// Names that only resemble those of things.
#[test]
fn other_fields_are_not_taken_for_references() {
    let text = json!({"type": "string"});
    let order = line(&json!({
        "supplier": text, "supplierNote": text, "preferredCategory": text, "title": text,
        "category": {"type": "integer"}, "id": {"type": "integer"},
        "article": {"type": "string", "format": "date"},
        "colour": {"type": "object", "properties": {"id": {"type": "integer"}}},
    }));
    let desk = shop(&order);
    assert_eq!(desk.pointers("POST /orders"), []);
    // Whoever makes a thing says itself what the thing is called.
    let own: Vec<&str> = desk
        .pointers("POST /articles")
        .into_iter()
        .map(|(at, _)| at)
        .collect();
    assert_eq!(own, ["/supplier"]);
    assert_eq!(desk.pointers("POST /categories"), []);
}

#[test]
fn whoever_makes_a_thing_may_choose_its_key() {
    let desk = shop(&line(&json!({"sku": {"type": "string"}})));
    let keys = |label: &str| desk.graph.own_keys(&desk.api, desk.index(label));
    assert_eq!(keys("POST /articles"), [Place::Body("/sku".to_owned())]);
    assert_eq!(keys("POST /categories"), [Place::Body("/slug".to_owned())]);
    for other in ["POST /suppliers", "POST /orders", "PUT /articles/{sku}"] {
        assert_eq!(keys(other), [], "{other}");
    }
}
