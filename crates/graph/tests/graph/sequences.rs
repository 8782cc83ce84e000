//! Call sequences: what follows what, in which order, and which come first.

use std::collections::BTreeSet;

use fossick_contract::{Deed, OperationIndex};
use fossick_graph::{Sequence, Sequences};
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::desk::Desk;

const FIGURE: &str = include_str!("../../../../testdata/openapi/petstore-figure/openapi.yaml");

fn labels(desk: &Desk, operations: &[OperationIndex]) -> Vec<String> {
    let label = |index: &OperationIndex| desk.api.operation(*index).label.clone();
    operations.iter().map(label).collect()
}

fn taken(desk: &Desk, count: usize, worth: impl Fn(OperationIndex) -> f64) -> Vec<Vec<String>> {
    let mut sequences = Sequences::default();
    let next = |_| sequences.next(&desk.graph, &desk.api, &worth);
    let found = (0..count).map_while(next);
    found.map(|s| labels(desk, &s.operations)).collect()
}

#[test]
fn sequences_go_from_what_gives_to_what_takes() {
    let desk = Desk::document(FIGURE);
    let found = taken(&desk, 1000, |_| 1.0);
    let has = |wanted: &[&str]| found.iter().any(|sequence| sequence == wanted);
    assert!(has(&["POST /store/order", "GET /pet/{petId}"]));
    assert!(has(&[
        "POST /store/order",
        "GET /pet/{petId}",
        "GET /pet/findByStatus"
    ]));
    assert!(has(&["GET /store/order/{orderId}"]), "each is one alone");
}

#[test]
fn what_is_worth_most_comes_first() {
    let desk = Desk::document(FIGURE);
    let wanted = desk.index("DELETE /store/order/{orderId}");
    let worth = |index| if index == wanted { 1.0 } else { 0.01 };
    let first = taken(&desk, 1, worth);
    assert_eq!(
        first[0].last().map(String::as_str),
        Some("DELETE /store/order/{orderId}")
    );
    let without = taken(&desk, 60, |index| if index == wanted { 0.0 } else { 1.0 });
    assert!(
        without
            .iter()
            .flatten()
            .all(|label| !label.starts_with("DELETE"))
    );
}

#[test]
fn an_operation_that_is_joined_to_nothing_has_its_turn() {
    let ping = json!({"responses": {"204": {"description": ""}}});
    let desk = Desk::of(&json!({"/ping": {"get": ping}, "/pong": {"get": ping}}));
    let found: BTreeSet<Vec<String>> = taken(&desk, 2, |_| 0.5).into_iter().collect();
    assert_eq!(found.len(), 2, "{found:?}");
    assert!(found.iter().all(|sequence| sequence.len() == 1));
}

#[test]
fn different_sequences_are_counted() {
    let desk = Desk::document(FIGURE);
    let mut sequences = Sequences::default();
    for _ in 0..100 {
        sequences.next(&desk.graph, &desk.api, |_| 1.0);
    }
    assert!(
        (20..=100).contains(&sequences.distinct()),
        "{}",
        sequences.distinct()
    );
}

/// Resources that refer to each other in a ring, each with all that can be done to it.
fn ring(size: usize) -> Desk {
    let (mut paths, mut schemas) = (json!({}), json!({}));
    let hole =
        json!([{"name": "id", "in": "path", "required": true, "schema": {"type": "integer"}}]);
    for at in 0..size {
        let (name, other) = (format!("Thing{at}"), format!("thing{}Id", (at + 1) % size));
        let shape = json!({"$ref": format!("#/components/schemas/{name}")});
        let gives = crate::desk::gives(&shape);
        let mut takes = gives.clone();
        takes["requestBody"] = json!({"content": {"application/json": {"schema": shape}}});
        let lists = crate::desk::gives(&json!({"type": "array", "items": shape}));
        let gone = json!({"responses": {"204": {"description": ""}}});
        paths[format!("/thing{at}s")] = json!({"get": lists, "post": takes});
        paths[format!("/thing{at}s/{{id}}")] =
            json!({"parameters": hole, "get": gives, "put": takes, "delete": gone});
        let mut properties = json!({"id": {"type": "integer"}});
        properties[other.as_str()] = json!({"type": "integer"});
        schemas[name.as_str()] = json!({"type": "object", "properties": properties});
    }
    Desk::with(&paths, &Value::clone(&schemas))
}

/// `/thing3s/{id}` is about `thing3s`.
fn subject(desk: &Desk, index: OperationIndex) -> String {
    let path = &desk.api.operation(index).path.text;
    path.split('/').nth(1).unwrap_or_default().to_owned()
}

/// Nothing after a removal, and no making after anything else, of one and the same thing.
fn is_in_order(desk: &Desk, operations: &[OperationIndex]) -> bool {
    let deed = |index: &OperationIndex| desk.api.operation(*index).deed();
    operations.iter().enumerate().all(|(at, index)| {
        let about = subject(desk, *index);
        let before = operations.iter().take(at);
        let mut same = before.filter(|before| subject(desk, **before) == about);
        same.all(|before| {
            deed(before) != Deed::Delete
                && (deed(index) != Deed::Create || deed(before) == Deed::Create)
        })
    })
}

/// Only a creation comes twice, and at once: two things, and then what becomes of them.
fn repeats_creations_only(desk: &Desk, operations: &[OperationIndex]) -> bool {
    let creates = |index: OperationIndex| desk.api.operation(index).deed() == Deed::Create;
    operations.iter().enumerate().all(|(at, index)| {
        let mut earlier = operations[..at]
            .iter()
            .enumerate()
            .filter(|(_, e)| *e == index);
        let twice = earlier.clone().count() > 1;
        !twice && earlier.all(|(before, _)| before + 1 == at && creates(*index))
    })
}

#[test]
fn two_things_are_made_before_one_of_them_goes() {
    let desk = ring(2);
    let mut sequences = Sequences::default();
    let found = (0..400).filter_map(|_| sequences.next(&desk.graph, &desk.api, |_| 1.0));
    let two = |found: &Sequence| {
        let all = &found.operations;
        let same = all.windows(2).any(|pair| pair[0] == pair[1]);
        let removes = |index: &OperationIndex| desk.api.operation(*index).deed() == Deed::Delete;
        same && all.iter().any(removes)
    };
    assert!({ found }.any(|found| two(&found)));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(16))]

    #[test]
    fn sequences_make_before_they_use_and_remove_last(
        size in 2_usize..6,
        worths in proptest::collection::vec(0.0..1.0_f64, 40),
    ) {
        let desk = ring(size);
        let mut sequences = Sequences::default();
        let mut longest = 0;
        for _ in 0..300 {
            let worth = |index: OperationIndex| 0.05 + worths[index.0 as usize % 40];
            let Some(found) = sequences.next(&desk.graph, &desk.api, worth) else {
                break;
            };
            prop_assert!(repeats_creations_only(&desk, &found.operations));
            prop_assert!(is_in_order(&desk, &found.operations), "{:?}", labels(&desk, &found.operations));
            longest = longest.max(found.operations.len());
        }
        prop_assert!(longest > 1);
    }
}
