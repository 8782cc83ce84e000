//! Ways that real traffic went.

use fossick_graph::Place;
use serde_json::json;

use crate::desk::Desk;

fn desk() -> Desk {
    let text = json!({"type": "string"});
    let made = json!({"type": "object", "properties": {"id": text, "ticket": text}});
    let gives =
        json!({"200": {"description": "", "content": {"application/json": {"schema": made}}}});
    let told = json!({"content": {"application/json": {"schema":
        {"type": "object", "required": ["note"], "properties": {"note": text}}}}});
    Desk::of(&json!({
        "/projects": {"post": {"responses": gives}},
        "/projects/{id}": {"get": {"responses": gives}},
        "/reports": {"get": {"parameters": [{"name": "about", "in": "query", "schema": text}],
            "responses": gives},
            "post": {"requestBody": told, "responses": gives}},
    }))
}

#[test]
fn a_way_that_names_say_nothing_of_becomes_an_edge() {
    let mut desk = desk();
    let (maker, reports) = (desk.index("POST /projects"), desk.index("GET /reports"));
    assert!(desk.graph.need_at(reports, &Place::Parameter(0)).is_none());
    let place = Place::Parameter(0);
    assert!(
        desk.graph
            .seen_in_traffic(&desk.api, maker, "/ticket", reports, &place)
    );
    assert_eq!(
        desk.best("GET /reports", "about"),
        "Traffic POST /projects /ticket"
    );
    assert!(desk.edges("GET /reports", "about")[0].confidence() > 0.9);
    let body = Place::Body("/note".to_owned());
    let post = desk.index("POST /reports");
    assert!(
        desk.graph
            .seen_in_traffic(&desk.api, maker, "/id", post, &body)
    );
    assert_eq!(
        desk.best_at("POST /reports", "/note"),
        "Traffic POST /projects /id"
    );
}

#[test]
fn a_way_that_was_guessed_is_believed_and_keeps_its_evidence() {
    let mut desk = desk();
    let (maker, reader) = (
        desk.index("POST /projects"),
        desk.index("GET /projects/{id}"),
    );
    let before = desk.edges("GET /projects/{id}", "id").len();
    let place = Place::Parameter(0);
    assert!(
        desk.graph
            .seen_in_traffic(&desk.api, maker, "/id", reader, &place)
    );
    let edges = desk.edges("GET /projects/{id}", "id");
    assert_eq!(edges.len(), before);
    assert!(
        edges[0].in_traffic && edges[0].evidence.makes(),
        "{:?}",
        edges[0]
    );
}

#[test]
fn the_property_graph_tells_of_traffic() {
    let mut desk = desk();
    let maker = desk.index("POST /projects");
    for (consumer, pointer) in [("GET /reports", "/ticket"), ("GET /projects/{id}", "/id")] {
        let consumer = desk.index(consumer);
        desk.graph
            .seen_in_traffic(&desk.api, maker, pointer, consumer, &Place::Parameter(0));
    }
    let graph = desk.graph.property_graph(&desk.api, |_| (0, 0));
    let told = graph.edges.iter().flat_map(|edge| &edge.history);
    let told: Vec<&str> = told
        .map(|event| event.why.as_str())
        .filter(|why| why.starts_with("seen in traffic"))
        .collect();
    assert_eq!(told.len(), 2, "{told:?}");
    assert!(
        told.iter().any(|why| why.contains("about of GET /reports")),
        "{told:?}"
    );
}

#[test]
fn places_that_an_operation_does_not_have_are_passed_over() {
    let mut desk = desk();
    let (maker, post) = (desk.index("POST /projects"), desk.index("POST /reports"));
    for place in [
        Place::Parameter(3),
        Place::Body("/nothing".to_owned()),
        Place::Body(String::new()),
    ] {
        assert!(
            !desk
                .graph
                .seen_in_traffic(&desk.api, maker, "/id", post, &place)
        );
    }
    assert!(!desk.graph.seen_in_traffic(
        &desk.api,
        post,
        "/id",
        post,
        &Place::Body("/note".to_owned())
    ));
}
