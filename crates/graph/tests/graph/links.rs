//! The document's own links.

use fossick_graph::Evidence;
use serde_json::{Value, json};

use crate::desk::{Desk, gives, object};

/// `POST /orders?shop_id` that links to `GET /bills/{bill}?shop_id&word` with one expression.
fn linked(parameter: &str, expression: &str) -> Desk {
    let id = |name: &str, place: &str| {
        let required = place == "path";
        json!({"name": name, "in": place, "required": required, "schema": {"type": "string"}})
    };
    let mut bill = gives(&json!({}));
    bill["operationId"] = json!("getBill");
    bill["parameters"] = json!([
        id("bill", "path"),
        id("shop_id", "query"),
        id("word", "query"),
        id("a.b_id", "query")
    ]);
    let mut order = gives(&object(&["number"]));
    order["parameters"] = json!([id("shop_id", "query"), id("shop_id", "header")]);
    order["requestBody"] = json!({"content": {"application/json": {"schema": object(&["code"])}}});
    order["responses"]["200"]["links"] = json!({"bill": {
        "operationId": "getBill", "parameters": {parameter: expression}}});
    Desk::of(&json!({
        "/orders": {"post": order},
        "/bills/{bill}": {"parameters": [], "get": bill},
    }))
}

/// What the link alone says of a need, where it says something.
fn link(parameter: &str, need: &str, expression: &str) -> Option<String> {
    let desk = linked(parameter, expression);
    let ways = desk.ways("GET /bills/{bill}", need);
    ways.into_iter().find(|way| way.starts_with("Link"))
}

#[test]
fn every_kind_of_expression_is_understood() {
    for (expression, way) in [
        ("$response.body#/number", "Link POST /orders /number"),
        ("{$response.body#/number}", "Link POST /orders /number"),
        ("$response.body#/a/0/b", "Link POST /orders /a/0/b"),
        ("$response.header.X-Bill", "Link POST /orders header X-Bill"),
        ("$request.body#/code", "Link POST /orders sent /code"),
        ("$request.query.shop_id", "Link POST /orders sent shop_id"),
    ] {
        let told = link("bill", "bill", expression);
        assert_eq!(told.as_deref(), Some(way), "{expression}");
    }
}

#[test]
fn what_is_no_value_of_a_call_makes_no_edge() {
    for expression in [
        "$url",
        "$method",
        "$statusCode",
        "$request.body",
        "$request.query.nothing",
        "$request.path.shop_id",
        "42",
        "",
    ] {
        assert_eq!(link("bill", "bill", expression), None, "{expression}");
    }
}

#[test]
fn a_parameter_may_be_named_with_its_place() {
    let way = Some("Link POST /orders /number".to_owned());
    let expression = "$response.body#/number";
    assert_eq!(link("path.bill", "bill", expression), way);
    assert_eq!(link("query.shop_id", "shop_id", expression), way);
    assert_eq!(link("a.b_id", "a.b_id", expression), way);
}

/// Names say nothing of `word`; the link does.
#[test]
fn a_link_makes_a_need_where_names_do_not() {
    let way = Some("Link POST /orders /number".to_owned());
    assert_eq!(link("word", "word", "$response.body#/number"), way);
}

#[test]
fn a_request_parameter_is_found_at_its_own_place() {
    let desk = linked("bill", "$request.header.shop_id");
    let edges = desk.edges("GET /bills/{bill}", "bill");
    let edge = edges.iter().find(|edge| edge.evidence == Evidence::Link);
    let yields = &edge.expect("the link is there").yields;
    assert_eq!(*yields, fossick_graph::Yield::SentParameter(1));
}

#[test]
fn a_link_is_believed_before_anything_else() {
    let mut create = gives(&object(&["id", "bill"]));
    create["responses"]["200"]["links"] = json!({"bill": {
        "operationId": "getBill", "parameters": {"bill": "$response.body#/bill"}}});
    let mut read: Value = gives(&object(&["id"]));
    read["operationId"] = json!("getBill");
    let desk = Desk::of(&json!({
        "/orders": {"post": create},
        "/bills": {"post": gives(&object(&["id"]))},
        "/bills/{bill}": {"get": read},
    }));
    let ways = desk.ways("GET /bills/{bill}", "bill");
    assert_eq!(ways[0], "Link POST /orders /bill");
    let same = ways
        .iter()
        .filter(|way| way.ends_with("POST /orders /bill"));
    assert_eq!(same.count(), 1, "once, as what it is: {ways:?}");
}

/// The child knows its parent, but whoever made the parent knew it first.
#[test]
fn a_link_to_what_the_caller_said_itself_gives_way_to_its_maker() {
    let mut create = gives(&object(&["id", "projectId"]));
    create["responses"]["200"]["links"] = json!({"task": {
        "operationId": "getTask",
        "parameters": {"projectId": "$response.body#/projectId", "id": "$response.body#/id"},
    }});
    let mut read: Value = gives(&object(&["id"]));
    read["operationId"] = json!("getTask");
    let desk = Desk::of(&json!({
        "/projects": {"post": gives(&object(&["id"]))},
        "/projects/{projectId}/tasks": {"post": create},
        "/projects/{projectId}/tasks/{id}": {"get": read},
    }));
    let label = "GET /projects/{projectId}/tasks/{id}";
    assert_eq!(desk.best(label, "projectId"), "Creator POST /projects /id");
    let own = "Link POST /projects/{projectId}/tasks /id";
    assert_eq!(desk.best(label, "id"), own);
}
