//! Tests of the evolutionary search as the search sends them.

use std::collections::BTreeSet;
use std::sync::Arc;

use fossick_contract::Method;
use fossick_evolve::{Algorithm, Settings as Evolving};
use fossick_search::{Search, Settings, Strategy};
use fossick_trace::{Insight, Request};
use serde_json::{Value, json};

use crate::play::{Round, World, play, run};
use crate::workshop::Reply;

/// Things whose number the client chooses.
fn numbered() -> World {
    let id = json!({"type": "integer", "minimum": 0, "maximum": 1_000_000});
    let hole = json!({"name": "id", "in": "path", "required": true, "schema": id});
    let thing = json!({
        "type": "object",
        "required": ["id", "value"],
        "properties": {"id": id, "value": {"type": "integer"}},
    });
    let body = json!({"required": true, "content": {"application/json": {"schema": thing}}});
    let answers = json!({"2XX": {"description": ""}, "4XX": {"description": ""}});
    let paths = json!({
        "/things": {
            "get": {"responses": answers},
            "post": {"requestBody": body, "responses": answers},
        },
        "/things/{id}": {
            "parameters": [hole],
            "get": {"responses": answers},
            "delete": {"responses": answers},
        },
    });
    World::of(paths, json!({}))
}

/// The service behind it, and whoever's thing was removed.
#[derive(Default)]
struct Things {
    there: BTreeSet<String>,
}

impl Things {
    fn answer(&mut self, request: &Request) -> Reply {
        let body: Value = serde_json::from_slice(&request.body).unwrap_or_default();
        let key = request.target.strip_prefix("/things/");
        match (request.method, key) {
            (Method::Post, None) => {
                let new = self.there.insert(body["id"].to_string());
                (if new { 201 } else { 409 }, json!({}))
            }
            (Method::Delete, Some(key)) if self.there.remove(key) => (204, Value::Null),
            (Method::Get, Some(key)) if self.there.contains(key) => (200, json!({})),
            (Method::Get, None) => (200, json!([])),
            _ => (404, json!({})),
        }
    }
}

fn algorithms() -> [Evolving; 5] {
    let of = |algorithm, smart| Evolving {
        algorithm,
        smart,
        ..Evolving::default()
    };
    [
        of(Algorithm::Random, 0.5),
        of(Algorithm::Mio, 0.5),
        of(Algorithm::Wts, 0.5),
        of(Algorithm::Mosa, 0.5),
        Evolving::default().with_resources(),
    ]
}

fn settings(evolving: &Evolving, free: bool) -> Settings {
    Settings {
        seed: 1,
        free,
        strategy: Strategy::Evolve(Box::new(evolving.clone())),
        ..Settings::default()
    }
}

fn played(world: &World, evolving: &Evolving, free: bool) -> Vec<Round> {
    let mut search: Search<'_> = world.search(settings(evolving, free));
    let mut things = Things::default();
    play(&mut search, 300, |request| things.answer(request))
}

/// Deletions that were sent, each with whether the same test had made the thing.
fn deletions(rounds: &[Round]) -> Vec<bool> {
    let mut found = Vec::new();
    for round in rounds {
        let mut made = BTreeSet::new();
        for exchange in &round.episode.exchanges {
            let request = &exchange.request;
            let body: Value = serde_json::from_slice(&request.body).unwrap_or_default();
            let key = request.target.strip_prefix("/things/").unwrap_or_default();
            match request.method {
                Method::Post if exchange.outcome.is_success() => {
                    made.insert(body["id"].to_string());
                }
                Method::Delete => found.push(made.contains(key)),
                _ => {}
            }
        }
    }
    found
}

#[test]
fn what_a_test_made_it_may_remove_whoever_chose_the_key() {
    let world = numbered();
    for evolving in algorithms() {
        let sent = deletions(&played(&world, &evolving, false));
        assert!(sent.len() > 5, "{:?}: {}", evolving.algorithm, sent.len());
        assert!(sent.iter().all(|own| *own), "{:?}", evolving.algorithm);
    }
}

#[test]
fn at_home_everything_that_is_declared_may_be_called() {
    let world = numbered();
    for evolving in algorithms() {
        let sent = deletions(&played(&world, &evolving, true));
        assert!(sent.iter().any(|own| *own), "{:?}", evolving.algorithm);
        assert!(sent.iter().any(|own| !*own), "{:?}", evolving.algorithm);
    }
}

/// One operation in four may not be called: were whole tests drawn again for its sake, hardly one
/// in twenty would have ten calls.
#[test]
fn what_may_not_be_sent_makes_tests_no_shorter() {
    let world = numbered();
    let plain = Evolving {
        algorithm: Algorithm::Random,
        ..Evolving::default()
    };
    let most = plain.max_test_size as f64;
    for free in [true, false] {
        let rounds = played(&world, &plain, free);
        let calls: usize = rounds.iter().map(|r| r.proposal.plan.steps.len()).sum();
        let mean = calls as f64 / rounds.len() as f64;
        assert!(
            (mean - f64::midpoint(1.0, most)).abs() < 0.8,
            "{free}: {mean}"
        );
    }
}

/// Two kinds of things whose names have nothing in common.
fn strangers() -> World {
    let answers = json!({"2XX": {"description": ""}});
    let thing = json!({"type": "object", "properties": {"note": {"type": "string"}}});
    let body = json!({"required": true, "content": {"application/json": {"schema": thing}}});
    let collection = json!({
        "get": {"responses": answers},
        "post": {"requestBody": body, "responses": answers},
    });
    World::of(
        json!({"/lamps": collection, "/tides": collection, "/forks": collection}),
        json!({}),
    )
}

/// How many tests work on lamps and tides, where calls on these touch the tables named.
fn tests_of_both(lamps: &str, tides: &str) -> usize {
    let world = strangers();
    let mut search = world.search(settings(&Evolving::default().with_resources(), true));
    let mut both = 0;
    for _ in 0..300 {
        let proposal = search.propose().expect("evolution goes on");
        let script = Arc::new(search.render(&proposal.plan));
        let mut inside = Vec::new();
        let mut episode = run(&script, &mut |request: &Request| -> Reply {
            let table = match &*request.target {
                "/lamps" => Some(lamps.to_owned()),
                "/tides" => Some(tides.to_owned()),
                _ => None,
            };
            let tables = table.into_iter().collect();
            inside.push(Insight {
                tables,
                ..Insight::default()
            });
            (200, json!({}))
        });
        let works_on = |path: &str| episode.exchanges.iter().any(|e| e.request.target == path);
        both += usize::from(works_on("/lamps") && works_on("/tides"));
        episode.inside = inside;
        search.learn(&proposal, &episode, &[]);
    }
    both
}

#[test]
fn resources_that_share_a_table_are_tested_together() {
    let (shared, apart) = (tests_of_both("stock", "stock"), tests_of_both("a", "b"));
    assert!(
        shared > apart * 3 / 2,
        "{shared} with a shared table, {apart} without"
    );
}
