//! The running example of the paper: the picture shows what its figure 4 shows.

use fossick_draw::{before, described, dot, html, read, state_name, svg};
use fossick_trace::PropertyGraph;

use crate::markup::{dot_skeleton, elements};
use crate::sample::petstore;

fn lines(graph: &PropertyGraph) -> Vec<String> {
    graph
        .edges
        .iter()
        .map(|edge| format!("{}: {}", state_name(edge.state), described(graph, edge)))
        .collect()
}

#[test]
fn the_refined_graph_is_that_of_the_figure() {
    let lines = lines(&petstore("after"));
    for wanted in [
        "told: Pet.status → GET /pet/findByStatus",
        "told: Order.petId → GET /pet/{petId}",
        "added: Pet.id → GET /pet/{petId}, as petId",
        "added: Order.petId = Pet.id",
        "added: POST /pet → Pet",
        "removed: Order.status → GET /pet/findByStatus",
        "told: GET /store/order/{orderId} – DELETE /store/order/{orderId}",
    ] {
        assert!(lines.contains(&wanted.to_owned()), "{wanted} in {lines:#?}");
    }
}

#[test]
fn the_graph_before_the_run_follows_from_the_one_after_it() {
    let told = before(&petstore("after"));
    let stored = petstore("before");
    assert_eq!(lines(&told), lines(&stored));
    assert_eq!(told.requests, 0);
    assert!(told.operations.iter().all(|o| o.calls == 0));
    assert!(told.edges.iter().all(|e| e.worked + e.failed == 0));
}

#[test]
fn the_picture_has_every_node_and_every_edge_once() {
    let graph = petstore("after");
    let picture = svg(&graph);
    elements(&picture).expect("it is well formed");
    for at in 0..graph.edges.len() {
        let id = format!("id=\"e{at}\"");
        assert_eq!(picture.matches(&id).count(), 1, "{id}");
    }
    for words in [
        ">Pet<",
        ">Order<",
        "/pet/{petId}",
        "getPetById",
        "id → petId",
    ] {
        assert!(picture.contains(words), "{words}");
    }
    assert_eq!(
        picture.matches("class=\"cross\"").count(),
        3,
        "two edges and the legend"
    );
}

#[test]
fn the_picture_of_the_graph_before_a_run_knows_of_no_changes() {
    let picture = svg(&petstore("before"));
    assert!(picture.contains("before a run"));
    for words in ["class=\"cross\"", "added: answers", "removed: failed"] {
        assert!(!picture.contains(words), "{words}");
    }
}

#[test]
fn graphviz_gets_ports_for_properties() {
    let text = dot(&petstore("after"));
    dot_skeleton(&text).expect("it is well formed");
    assert!(
        text.contains("s0:p0 -> o2 [label=\"id → petId\", style=dashed"),
        "{text}"
    );
    assert!(text.contains("s1:p1 -> s0:p0 [dir=none"), "{text}");
}

#[test]
fn the_page_refers_to_nothing_outside() {
    let page = html(&petstore("after"));
    elements(&page).expect("it is well formed");
    for words in ["http://", "https://", "src=", "href=", "@import", "url("] {
        let count = page.matches(words).count();
        let allowed = usize::from(words == "http://");
        assert_eq!(
            count, allowed,
            "{words}: only the name of SVG's own language"
        );
    }
}

#[test]
fn what_is_stored_is_read_back() {
    let graph = petstore("after");
    assert_eq!(read(&fossick_draw::json(&graph)).expect("ours"), graph);
}
