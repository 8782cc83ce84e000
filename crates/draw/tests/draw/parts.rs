//! Parts of a graph, as the command asks for them.

use fossick_draw::{PARTS, described, only, without};

use crate::sample::{made_up, petstore};

#[test]
fn a_name_brings_its_neighbours() {
    let graph = only(&petstore("after"), "GETPET");
    let labels: Vec<&str> = graph.operations.iter().map(|o| o.label.as_str()).collect();
    assert_eq!(labels, ["GET /pet/{petId}"]);
    assert_eq!(graph.schemas.len(), 2);
    let lines: Vec<String> = graph.edges.iter().map(|e| described(&graph, e)).collect();
    assert!(
        lines.contains(&"Pet.id → GET /pet/{petId}, as petId".to_owned()),
        "{lines:?}"
    );
    assert!(
        lines.contains(&"Order.petId = Pet.id".to_owned()),
        "{lines:?}"
    );
    assert_eq!(lines.len(), 4);
}

#[test]
fn a_name_that_nobody_has_leaves_nothing() {
    let graph = only(&petstore("after"), "no such thing");
    assert!(graph.operations.is_empty() && graph.schemas.is_empty() && graph.edges.is_empty());
}

#[test]
fn every_part_can_be_left_out() {
    let graph = made_up(40, 100);
    let all: Vec<String> = PARTS.iter().map(|part| (*part).to_owned()).collect();
    assert!(without(&graph, &all).edges.is_empty());
    for part in all {
        let left = without(&graph, std::slice::from_ref(&part));
        assert!(left.edges.len() < graph.edges.len(), "{part}");
        assert_eq!(left.operations, graph.operations);
        let json = fossick_draw::json(&left);
        assert!(!json.contains(&format!("\"{part}\"")), "{part}");
    }
}
