//! The running example of the paper on property graphs, played by a pet shop in memory: what the
//! document leaves out is found out on the way.

use std::collections::{BTreeMap, BTreeSet};

use fossick_search::{RpgSettings, Settings, Strategy, Way};
use fossick_trace::{EdgeState, Joins, PropertyGraph, Request};
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::play::{Round, World, free, play};
use crate::workshop::Reply;

const FIGURE: &str = include_str!("../../../../testdata/openapi/petstore-figure/openapi.yaml");

/// Pets and orders are numbered as they come. A status must be one of three.
#[derive(Default)]
struct Shop {
    pets: BTreeMap<u64, Value>,
    orders: BTreeMap<u64, Value>,
    ordered: u64,
}

impl Shop {
    fn answer(&mut self, request: &Request) -> Reply {
        let body = serde_json::from_slice(&request.body).unwrap_or(Value::Null);
        let (path, query) = match request.target.split_once('?') {
            Some((path, query)) => (path, query),
            None => (request.target.as_str(), ""),
        };
        let parts: Vec<&str> = path.split('/').skip(1).collect();
        match (request.method.as_str(), parts.as_slice()) {
            ("POST", ["pet"]) => self.add(&body),
            ("GET", ["pet", "findByStatus"]) => self.find(query),
            ("GET", ["pet", id]) => shown(&self.pets, id),
            ("POST", ["store", "order"]) => self.order(&body),
            ("GET", ["store", "order", id]) => shown(&self.orders, id),
            ("DELETE", ["store", "order", id]) => {
                let gone = id.parse().ok().and_then(|id: u64| self.orders.remove(&id));
                gone.map_or((404, json!({})), |_| (200, Value::Null))
            }
            _ => (405, json!({})),
        }
    }

    fn add(&mut self, body: &Value) -> Reply {
        let id = self.pets.len() as u64 + 1;
        let pet = json!({"id": id, "name": body["name"], "status": "sold"});
        self.pets.insert(id, pet.clone());
        (200, pet)
    }

    fn find(&self, query: &str) -> Reply {
        let Some(status) = query.strip_prefix("status=") else {
            return (400, json!({}));
        };
        if !["sold", "available", "pending"].contains(&status) {
            return (400, json!({"message": "no such status"}));
        }
        let found = self.pets.values().filter(|pet| pet["status"] == status);
        (200, found.take(3).cloned().collect())
    }

    fn order(&mut self, body: &Value) -> Reply {
        let pet = body["petId"].as_u64().and_then(|id| self.pets.get(&id));
        let Some(pet) = pet else {
            return (404, json!({"message": "no such pet"}));
        };
        self.ordered += 1;
        let order = json!({"id": self.ordered, "petId": pet["id"], "status": "succ"});
        self.orders.insert(self.ordered, order.clone());
        (200, order)
    }
}

fn shown(all: &BTreeMap<u64, Value>, id: &str) -> Reply {
    let found = id.parse().ok().and_then(|id: u64| all.get(&id));
    found.map_or((404, json!({})), |found| (200, found.clone()))
}

fn following(seed: u64, settings: RpgSettings) -> Settings {
    Settings {
        strategy: Strategy::Graph(settings),
        ..free(seed)
    }
}

fn world() -> World {
    World::document("openapi.yaml", FIGURE.to_owned())
}

fn played(world: &World, settings: Settings, rounds: usize) -> (Vec<Round>, PropertyGraph) {
    let mut shop = Shop::default();
    let mut search = world.search(settings);
    let rounds = play(&mut search, rounds, |request| shop.answer(request));
    (rounds, search.property_graph())
}

/// `POST /pet -> Pet`, `Order -status-> GET /pet/findByStatus`, `Pet =id:petId= Order`.
fn lines(graph: &PropertyGraph, wanted: impl Fn(EdgeState) -> bool) -> BTreeSet<String> {
    let operation = |at: u32| graph.operations[at as usize].label.as_str();
    let schema = |at: u32| graph.schemas[at as usize].name.as_str();
    let edges = graph.edges.iter().filter(|edge| wanted(edge.state));
    let told = edges.flat_map(|edge| match &edge.joins {
        Joins::Produces {
            operation: o,
            schema: s,
        } => vec![format!("{} -> {}", operation(*o), schema(*s))],
        Joins::Consumes {
            schema: s,
            operation: o,
            uses,
        } => uses
            .iter()
            .map(|u| format!("{} -{}-> {}", schema(*s), u.property, operation(*o)))
            .collect(),
        Joins::Equals { one, other, pairs } => pairs
            .iter()
            .map(|(a, b)| format!("{} ={a}:{b}= {}", schema(*one), schema(*other)))
            .collect(),
        Joins::Endpoint { .. } => Vec::new(),
    });
    told.collect()
}

#[test]
fn playing_refines_the_graph_of_the_document() {
    let world = world();
    let settings = RpgSettings {
        tries: Some(3),
        ..RpgSettings::default()
    };
    let (_, graph) = played(&world, following(1, settings), 3000);
    let added = lines(&graph, |state| state == EdgeState::Added);
    assert!(added.contains("POST /pet -> Pet"), "{added:#?}");
    assert!(added.contains("Pet =id:petId= Order"), "{added:#?}");
    let removed = lines(&graph, |state| state == EdgeState::Removed);
    let line = "Order -status-> GET /pet/findByStatus";
    assert!(removed.contains(line), "{removed:#?}");
    let used = lines(&graph, EdgeState::is_used);
    assert!(used.contains("Pet -id-> GET /pet/{petId}"), "{used:#?}");
    assert!(
        used.contains("Pet -status-> GET /pet/findByStatus"),
        "{used:#?}"
    );
}

/// Plays until so many requests were sent.
fn spent(world: &World, settings: Settings, requests: usize) -> PropertyGraph {
    let mut shop = Shop::default();
    let mut search = world.search(settings);
    let mut sent = 0;
    while sent < requests {
        let rounds = play(&mut search, 1, |request| shop.answer(request));
        let calls = rounds.iter().map(|round| round.episode.exchanges.len());
        sent += calls.sum::<usize>();
    }
    search.property_graph()
}

/// What the paper's figure shows after the repair, within a thousand requests and by the usual
/// settings, whether sequences are all there is or one way of many.
#[test]
fn the_wrong_edge_of_the_figure_goes_and_the_right_ones_come() {
    refines(&world());
}

/// What an order is like stands nowhere but in the answers.
#[test]
fn an_answer_that_the_document_leaves_out_takes_part() {
    let (before, after) = FIGURE
        .split_once("          description: placed\n")
        .expect("orders are placed");
    let (_, after) = after
        .split_once("  /store/order/{orderId}:\n")
        .expect("orders are read");
    let answer = "          description: placed\n";
    let text = format!("{before}{answer}  /store/order/{{orderId}}:\n{after}");
    refines(&World::document("openapi.yaml", text));
}

fn refines(world: &World) {
    for seed in 1..=3 {
        for settings in [following(seed, RpgSettings::default()), free(seed)] {
            let graph = spent(world, settings, 1000);
            let removed = lines(&graph, |state| state == EdgeState::Removed);
            let wrong = "Order -status-> GET /pet/findByStatus";
            let used = lines(&graph, EdgeState::is_used);
            assert!(removed.contains(wrong), "{seed}: {removed:#?}");
            for right in [
                "POST /pet -> Pet",
                "POST /store/order -> Order",
                "Pet =id:petId= Order",
                "Order -id-> GET /store/order/{orderId}",
                "Pet -id-> GET /pet/{petId}",
                "Pet -status-> GET /pet/findByStatus",
            ] {
                assert!(used.contains(right), "{seed}: no {right} in {used:#?}");
            }
        }
    }
}

#[test]
fn every_operation_succeeds_and_little_is_missed() {
    let world = world();
    let (rounds, graph) = played(&world, following(2, RpgSettings::default()), 300);
    let failing: Vec<_> = graph
        .operations
        .iter()
        .filter(|o| o.successes == 0)
        .collect();
    assert!(failing.is_empty(), "{failing:#?}");
    let statuses: Vec<u16> = rounds.iter().flat_map(Round::statuses).collect();
    let missed = statuses.iter().filter(|status| **status == 404).count();
    assert!(
        missed * 100 < 30 * statuses.len(),
        "{missed} of {}",
        statuses.len()
    );
}

#[test]
fn without_repair_the_graph_stays_and_without_a_graph_nothing_is_carried() {
    let world = world();
    let bare = RpgSettings {
        repair: false,
        ..RpgSettings::default()
    };
    let (_, graph) = played(&world, following(1, bare), 100);
    assert!(graph.edges.iter().all(|edge| edge.state == EdgeState::Told));
    let blind = RpgSettings {
        graph: false,
        ..RpgSettings::default()
    };
    let (rounds, _) = played(&world, following(1, blind), 100);
    let mut steps = rounds.iter().flat_map(|round| &round.proposal.plan.steps);
    assert!(steps.all(|step| step.binds.is_empty()));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    #[test]
    fn every_plan_of_a_sequence_stands_alone(seed in any::<u64>()) {
        let world = world();
        let (rounds, _) = played(&world, following(seed, RpgSettings::default()), 60);
        for round in &rounds {
            prop_assert!(matches!(
                round.proposal.way,
                Way::Sequence | Way::Plain | Way::Through
            ));
            for (at, step) in round.proposal.plan.steps.iter().enumerate() {
                prop_assert!(step.binds.iter().all(|bind| bind.step < at));
            }
        }
    }
}
