//! What answers and outcomes teach.

use fossick_graph::Yield;
use fossick_trace::Take;
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::desk::{Desk, gives, object, takes};

/// A document that promises nothing of its answers.
fn silent() -> Desk {
    let nothing = json!({"responses": {"200": {"description": ""}}});
    Desk::of(&json!({
        "/projects": {"post": nothing, "get": nothing},
        "/projects/{id}": {"get": nothing},
        "/users/{user_id}": {"get": nothing},
    }))
}

fn see(desk: &mut Desk, label: &str, body: &Value) -> bool {
    let index = desk.index(label);
    desk.graph.see(&desk.api, index, body)
}

#[test]
fn a_value_that_worked_elsewhere_joins_the_two() {
    let mut desk = silent();
    let (lister, reader) = (
        desk.index("GET /projects"),
        desk.index("GET /users/{user_id}"),
    );
    desk.graph
        .note_values(lister, &json!([{"contact": "k7-amber"}]));
    let need = desk.graph.last_hole(&desk.api, reader).expect("a hole");
    desk.graph
        .worked(&desk.api, reader, need, &json!("k7-amber"));
    let ways = desk.ways("GET /users/{user_id}", "user_id");
    assert!(
        ways.contains(&"SeenValue GET /projects /0/contact".to_owned()),
        "{ways:?}"
    );
}

#[test]
fn fields_that_nobody_promised_are_learned() {
    let mut desk = silent();
    let before = desk.ways("GET /projects/{id}", "id");
    assert!(!before.contains(&"Creator POST /projects /id".to_owned()));
    let made = json!({"id": 7, "owner": {"id": 3}, "user_id": 9, "flag": true});
    assert!(see(&mut desk, "POST /projects", &made));
    assert_eq!(
        desk.best("GET /projects/{id}", "id"),
        "Creator POST /projects /id"
    );
    let users = desk.ways("GET /users/{user_id}", "user_id");
    assert_eq!(users, ["SameName POST /projects /user_id"]);
}

#[test]
fn lists_and_envelopes_are_learned() {
    let mut desk = silent();
    assert!(see(
        &mut desk,
        "GET /projects",
        &json!({"items": [{"id": 7}]})
    ));
    let ways = desk.ways("GET /projects/{id}", "id");
    assert!(
        ways.contains(&"Lister GET /projects /items/0/id".to_owned()),
        "{ways:?}"
    );
}

#[test]
fn what_is_known_teaches_nothing() {
    let mut desk = silent();
    assert!(!see(&mut desk, "POST /projects", &json!([])));
    assert!(see(&mut desk, "POST /projects", &json!({"id": 7})));
    assert!(!see(&mut desk, "POST /projects", &json!({"id": 8})));
    let ways = desk.ways("GET /projects/{id}", "id");
    let once = ways
        .iter()
        .filter(|way| way.as_str() == "Creator POST /projects /id");
    assert_eq!(once.count(), 1);
}

/// Answers with ever new keys must not make the graph grow for ever.
#[test]
fn only_the_first_answers_are_read() {
    let mut desk = silent();
    let learned = (0..50)
        .map(|n| see(&mut desk, "POST /projects", &json!({format!("key{n}"): 1})))
        .filter(|learned| *learned)
        .count();
    assert!((1..10).contains(&learned), "{learned}");
}

#[test]
fn outcomes_move_confidence() {
    let thing = object(&["id"]);
    let mut desk = Desk::of(&json!({
        "/projects": {"post": takes(&object(&["name"]), &thing), "get": gives(&json!({"type": "array", "items": thing}))},
        "/projects/{id}": {"get": gives(&thing)},
    }));
    let label = "GET /projects/{id}";
    let (consumer, maker) = (desk.index(label), desk.index("POST /projects"));
    let id = Yield::Answer(Take::Pointer("/id".into()));
    let confidence = |desk: &Desk| {
        let edges = desk.edges(label, "id");
        let edge = edges.iter().find(|e| e.maker == maker && e.yields == id);
        edge.expect("the edge is there").confidence()
    };
    let at_first = confidence(&desk);
    desk.graph.record(consumer, 0, maker, &id, true);
    assert!(confidence(&desk) > at_first);
    for _ in 0..60 {
        desk.graph.record(consumer, 0, maker, &id, false);
    }
    assert!(confidence(&desk) < 0.1, "{}", confidence(&desk));
    assert_ne!(desk.best(label, "id"), "Creator POST /projects /id");
    for _ in 0..600 {
        desk.graph.record(consumer, 0, maker, &id, true);
    }
    assert_eq!(
        desk.best(label, "id"),
        "Creator POST /projects /id",
        "and back again"
    );
}

#[test]
fn what_nobody_knows_of_is_not_recorded() {
    let mut desk = silent();
    let index = desk.index("GET /projects/{id}");
    let location = Yield::Answer(Take::Location);
    desk.graph.record(index, 99, index, &location, true);
    desk.graph.record(index, 0, index, &location, true);
    let edges = desk.edges("GET /projects/{id}", "id");
    assert!(edges.iter().all(|edge| edge.worked == 0));
}

fn any_json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<f64>().prop_map(|n| json!(n)),
        "\\PC{0,8}".prop_map(Value::from),
    ];
    let name = prop_oneof![
        Just("id".to_owned()),
        Just("user_id".to_owned()),
        "\\PC{0,8}"
    ];
    leaf.prop_recursive(6, 40, 5, move |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::vec((name.clone(), inner), 0..5)
                .prop_map(|pairs| Value::Object(pairs.into_iter().collect())),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn whatever_is_answered_can_be_seen(bodies in prop::collection::vec(any_json(), 1..5)) {
        let mut desk = silent();
        for body in &bodies {
            see(&mut desk, "POST /projects", body);
            see(&mut desk, "GET /projects", body);
        }
        let edges = desk.edges("GET /projects/{id}", "id");
        prop_assert!(!edges.is_empty() && edges.len() <= 12);
        prop_assert!(edges.iter().all(|edge| (0.0..=1.0).contains(&edge.confidence())));
    }
}
