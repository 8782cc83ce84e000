//! The running example of the paper on property graphs: what the document tells of it, and what
//! answers make of that.

use fossick_contract::OperationIndex;
use fossick_graph::{Flow, Place, Yield};
use fossick_trace::{EdgeState, GraphEdge, Joins, PropertyGraph, Take};
use serde_json::{Value, json};

use crate::desk::Desk;

const FIGURE: &str = include_str!("../../../../testdata/openapi/petstore-figure/openapi.yaml");

const ADD: &str = "POST /pet";
const FIND: &str = "GET /pet/findByStatus";
const PET: &str = "GET /pet/{petId}";
const PLACE: &str = "POST /store/order";
const ORDER: &str = "GET /store/order/{orderId}";
const REMOVE: &str = "DELETE /store/order/{orderId}";

fn drawn(desk: &Desk) -> PropertyGraph {
    desk.graph.property_graph(&desk.api, |_| (0, 0))
}

/// `POST /pet -> Pet`, `Pet -id:petId-> GET /pet/{petId}`, `Order =petId:id= Pet`.
fn told(graph: &PropertyGraph, edge: &GraphEdge) -> String {
    let operation = |at: u32| graph.operations[at as usize].label.as_str();
    let schema = |at: u32| graph.schemas[at as usize].name.as_str();
    match &edge.joins {
        Joins::Produces {
            operation: o,
            schema: s,
        } => {
            format!("{} -> {}", operation(*o), schema(*s))
        }
        Joins::Consumes {
            schema: s,
            operation: o,
            uses,
        } => {
            let uses: Vec<_> = uses
                .iter()
                .map(|u| format!("{}:{}", u.property, u.parameter))
                .collect();
            format!("{} -{}-> {}", schema(*s), uses.join(","), operation(*o))
        }
        Joins::Equals { one, other, pairs } => {
            let pairs: Vec<_> = pairs.iter().map(|(a, b)| format!("{a}:{b}")).collect();
            format!("{} ={}= {}", schema(*one), pairs.join(","), schema(*other))
        }
        Joins::Endpoint { one, other } => format!("{} | {}", operation(*one), operation(*other)),
    }
}

fn lines(graph: &PropertyGraph, state: EdgeState) -> Vec<String> {
    let edges = graph.edges.iter().filter(|edge| edge.state == state);
    edges.map(|edge| told(graph, edge)).collect()
}

fn flow(desk: &mut Desk, maker: &str, pointer: &str, given: &Value, to: &str, got: Option<&Value>) {
    let consumer = desk.index(to);
    let place = Place::Parameter(0);
    let flow = Flow {
        maker: desk.index(maker),
        pointer,
        given,
        consumer,
        place: &place,
        got,
        worked: Some(got.is_some()),
    };
    desk.graph.sent(2);
    desk.graph.flowed(&desk.api, &flow);
}

#[test]
fn the_document_tells_the_first_figure() {
    let desk = Desk::document(FIGURE);
    let graph = drawn(&desk);
    let names: Vec<&str> = graph.schemas.iter().map(|s| s.name.as_str()).collect();
    assert_eq!(names, ["Pet", "Order"]);
    assert_eq!(graph.schemas[1].properties.len(), 3);
    let lines = lines(&graph, EdgeState::Told);
    for line in [
        format!("{FIND} -> Pet"),
        format!("{PET} -> Pet"),
        format!("{PLACE} -> Order"),
        format!("{ORDER} -> Order"),
        format!("Pet --> {ADD}"),
        format!("Pet -status:status-> {FIND}"),
        format!("Order -status:status-> {FIND}"),
        format!("Order -petId:petId-> {PET}"),
        format!("{ORDER} | {REMOVE}"),
    ] {
        assert!(lines.contains(&line), "{line} in {lines:#?}");
    }
    assert!(!lines.iter().any(|line| line.contains(" =")), "{lines:#?}");
    assert!(graph.edges.iter().all(|edge| !edge.history.is_empty()));
}

#[test]
fn answers_refine_it_to_the_second_figure() {
    let mut desk = Desk::document(FIGURE);
    let pet = json!({"id": 1, "name": "cat", "status": "sold"});
    desk.graph.sent(1);
    assert!(desk.graph.see(&desk.api, desk.index(ADD), &pet));
    let order = json!({"id": 1, "petId": 1, "status": "succ"});
    flow(&mut desk, ORDER, "/petId", &order, PET, Some(&pet));
    assert!(
        lines(&drawn(&desk), EdgeState::Added)
            .iter()
            .all(|l| !l.contains('='))
    );
    let order = json!({"id": 1, "petId": 2, "status": "succ"});
    let pet = json!({"id": 2, "name": "dog", "status": "sold"});
    flow(&mut desk, ORDER, "/petId", &order, PET, Some(&pet));
    for _ in 0..9 {
        flow(&mut desk, ORDER, "/status", &order, FIND, None);
    }
    let graph = drawn(&desk);
    let added = lines(&graph, EdgeState::Added);
    assert!(added.contains(&format!("{ADD} -> Pet")), "{added:#?}");
    assert!(
        added.contains(&"Pet =id:petId= Order".to_owned()),
        "{added:#?}"
    );
    let removed = lines(&graph, EdgeState::Removed);
    assert_eq!(removed, [format!("Order -status:status-> {FIND}")]);
    let ways = desk.ways(PET, "petId");
    assert!(
        ways.iter().any(|way| way.ends_with("POST /pet /id")),
        "{ways:#?}"
    );
    let told = told_history(&graph, "Pet =id:petId= Order");
    assert_eq!(told, [(5, "of what could be equal when GET /pet/{petId} was called, only Pet.id and Order.petId always were".to_owned())]);
    assert_eq!(graph.requests, 5 + 18);
}

fn told_history(graph: &PropertyGraph, line: &str) -> Vec<(u64, String)> {
    let mut edges = graph.edges.iter().filter(|edge| told(graph, edge) == line);
    let edge = edges.next().expect("the edge is there");
    let events = edge.history.iter();
    events
        .map(|event| (event.after, event.why.clone()))
        .collect()
}

#[test]
fn an_equality_leads_to_parameters_of_other_names() {
    let text = FIGURE
        .replace("petId", "beast")
        .replace("/pet/{beast}", "/creature/{beast}");
    let mut desk = Desk::document(&text);
    let label = "GET /creature/{beast}";
    let ways = desk.ways(label, "beast");
    assert!(
        !ways.iter().any(|way| way.contains(FIND)),
        "names say nothing: {ways:#?}"
    );
    let order = json!({"id": 3, "beast": 7001, "status": "succ"});
    let pet = json!({"id": 7001, "name": "cat", "status": "sold"});
    flow(&mut desk, ORDER, "/beast", &order, label, Some(&pet));
    let ways = desk.ways(label, "beast");
    assert!(
        ways.contains(&format!("SameProperty {FIND} /0/id")),
        "{ways:#?}"
    );
    let added = lines(&drawn(&desk), EdgeState::Added);
    assert!(
        added.contains(&format!("Pet -id:beast-> {label}")),
        "{added:#?}"
    );
}

/// A list tells as much as a single thing, by its item that has the value.
#[test]
fn items_of_a_list_take_part_in_the_elimination() {
    let text = FIGURE
        .replace("petId", "beast")
        .replace("/pet/{beast}", "/creature/{beast}");
    let (before, after) = text
        .split_once("          description: the pet\n")
        .expect("pets are read");
    let after = after.replacen(
        "                $ref: '#/components/schemas/Pet'\n",
        "                type: array\n                items:\n                  $ref: '#/components/schemas/Pet'\n",
        1,
    );
    let text = format!("{before}          description: the pet\n{after}");
    let mut desk = Desk::document(&text);
    let label = "GET /creature/{beast}";
    let order = json!({"id": 3, "beast": 7001, "status": "succ"});
    let pets = json!([
        {"id": 12, "name": "dog", "status": "sold"},
        {"id": 7001, "name": "cat", "status": "sold"},
    ]);
    flow(&mut desk, ORDER, "/beast", &order, label, Some(&pets));
    let added = lines(&drawn(&desk), EdgeState::Added);
    assert!(
        added.contains(&"Pet =id:beast= Order".to_owned()),
        "{added:#?}"
    );
}

/// Two numbers that were equal by chance led to an edge; when they differ, it goes as well.
#[test]
fn an_equality_that_is_refuted_takes_back_what_followed_from_it() {
    let text = FIGURE
        .replace("petId", "beast")
        .replace("/pet/{beast}", "/creature/{beast}");
    let mut desk = Desk::document(&text);
    let label = "GET /creature/{beast}";
    let order = json!({"id": 3, "beast": 7001, "status": "succ"});
    let pet = json!({"id": 7001, "name": "cat", "status": "sold"});
    flow(&mut desk, ORDER, "/beast", &order, label, Some(&pet));
    let line = format!("Pet -id:beast-> {label}");
    assert!(lines(&drawn(&desk), EdgeState::Added).contains(&line));
    for other in 1..=20 {
        let pet = json!({"id": other, "name": "cat", "status": "sold"});
        flow(&mut desk, ORDER, "/beast", &order, label, Some(&pet));
    }
    let graph = drawn(&desk);
    let removed = lines(&graph, EdgeState::Removed);
    assert!(
        removed.contains(&"Pet =id:beast= Order".to_owned()),
        "{removed:#?}"
    );
    assert!(removed.contains(&line), "{removed:#?}");
    let ways = desk.ways(label, "beast");
    assert!(
        !ways.iter().any(|way| way.starts_with("SameProperty")),
        "{ways:#?}"
    );
}

#[test]
fn an_edge_that_was_removed_returns_when_a_value_shows_it() {
    let mut desk = Desk::document(FIGURE);
    let (consumer, need) = (desk.index(PET), desk.need(PET, "petId"));
    let maker = desk.index(ORDER);
    let take = Yield::Answer(Take::Pointer("/petId".into()));
    for _ in 0..9 {
        desk.graph.weigh(consumer, need, maker, &take, false);
    }
    let line = format!("Order -petId:petId-> {PET}");
    assert_eq!(
        lines(&drawn(&desk), EdgeState::Removed),
        std::slice::from_ref(&line)
    );
    assert!(desk.edges(PET, "petId").iter().all(|e| e.maker != maker));
    desk.graph
        .note_values(maker, &json!({"id": 3, "petId": 70_001}));
    desk.graph.worked(&desk.api, consumer, need, &json!(70_001));
    assert_eq!(lines(&drawn(&desk), EdgeState::Returned), [line]);
    assert!(desk.edges(PET, "petId").iter().any(|e| e.maker == maker));
    let changes = desk.graph.changes();
    assert_eq!((changes.removed, changes.returned), (1, 1));
}

#[test]
fn a_graph_without_repair_stays_as_it_is() {
    let mut desk = Desk::document(FIGURE);
    let before = drawn(&desk).edges;
    desk.graph.repair(fossick_graph::Repair {
        on: false,
        tries: None,
    });
    let pet = json!({"id": 1, "name": "cat", "status": "sold"});
    assert!(!desk.graph.see(&desk.api, desk.index(ADD), &pet));
    let order = json!({"id": 1, "petId": 7001, "status": "succ"});
    flow(
        &mut desk,
        ORDER,
        "/petId",
        &order,
        PET,
        Some(&json!({"id": 7001})),
    );
    assert_eq!(drawn(&desk).edges, before);
}

#[test]
fn the_last_way_to_meet_a_need_stays() {
    let paths = json!({
        "/crates/{crate}": {"get": crate::desk::gives(&json!({"type": "object", "properties": {"x": {"type": "string"}}}))},
        "/crates": {"get": crate::desk::gives(&json!({"type": "array", "items": {"type": "object", "properties": {"crate": {"type": "string"}}}}))},
    });
    let mut desk = Desk::of(&paths);
    let label = "GET /crates/{crate}";
    let (consumer, edges) = (desk.index(label), desk.edges(label, "crate").len());
    assert_eq!(edges, 1);
    let take = Yield::Answer(Take::Pointer("/0/crate".into()));
    for _ in 0..60 {
        desk.graph
            .weigh(consumer, 0, OperationIndex(1), &take, false);
    }
    assert_eq!(desk.edges(label, "crate").len(), 1);
}

#[test]
fn types_of_a_schema_are_nodes_like_others() {
    let desk = Desk::schema(
        "type Query { book(id: ID!): Book books: [Book!]! }
         type Mutation { addBook(title: String!, authorId: ID!): Book addAuthor(name: String!): Author }
         type Book { id: ID! title: String author: Author }
         type Author { id: ID! name: String }",
    );
    let graph = drawn(&desk);
    let lines = lines(&graph, EdgeState::Told);
    for line in [
        "query books -> Book",
        "mutation addAuthor -> Author",
        "Book -id:id-> query book",
        "Author -id:authorId-> mutation addBook",
    ] {
        assert!(lines.contains(&line.to_owned()), "{line} in {lines:#?}");
    }
    assert!(!lines.iter().any(|line| line.contains('|')), "no endpoints");
}

#[test]
fn an_answer_that_is_something_else_than_promised_is_recognised() {
    let mut desk = Desk::document(FIGURE);
    desk.graph.sent(7);
    let order = json!({"id": 4, "petId": 2, "status": "succ"});
    let body = json!({"data": [order]});
    desk.graph.see(&desk.api, desk.index(ADD), &body);
    desk.graph.see(&desk.api, desk.index(PET), &order);
    let graph = drawn(&desk);
    let added = lines(&graph, EdgeState::Added);
    assert!(added.contains(&format!("{ADD} -> Order")), "{added:#?}");
    assert!(added.contains(&format!("{PET} -> Order")), "{added:#?}");
    let removed = lines(&graph, EdgeState::Removed);
    assert_eq!(removed, [format!("{PET} -> Pet")]);
}

#[test]
fn an_object_that_no_schema_describes_becomes_one() {
    let mut desk = Desk::document(FIGURE);
    let receipt = json!({"receiptId": "r-1", "lines": 3, "paid": true});
    desk.graph.see(&desk.api, desk.index(REMOVE), &receipt);
    let graph = drawn(&desk);
    let node = graph.schemas.last().expect("there are schemas");
    assert_eq!((node.name.as_str(), node.documented), (REMOVE, false));
    let names: Vec<&str> = node.properties.iter().map(|p| p.name.as_str()).collect();
    assert_eq!(names, ["receiptId", "lines", "paid"]);
}
