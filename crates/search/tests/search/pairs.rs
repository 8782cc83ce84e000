//! Two telling values together, and the ends of ranges.

use std::collections::BTreeSet;
use std::sync::Arc;

use fossick_plan::Plan;
use fossick_search::{Shrinker, Way};
use fossick_trace::{Intent, Request};
use serde_json::{Value, json};

use crate::play::{Round, World, free, play, run};
use crate::workshop::{Reply, refuse};

/// A service with one operation, `POST /things` with this body.
fn thing(schema: &Value) -> World {
    let body = json!({"required": true, "content": {"application/json": {"schema": schema}}});
    let operation = json!({"requestBody": body, "responses": {"201": {"description": ""}}});
    World::of(json!({"/things": {"post": operation}}), json!({}))
}

fn body(request: &Request) -> Value {
    serde_json::from_slice(&request.body).unwrap_or(Value::Null)
}

/// Rounds of a service that judges bodies.
fn played(world: &World, rounds: usize, judge: impl Fn(&Value) -> Reply) -> Vec<Round> {
    let mut search = world.search(free(1));
    play(&mut search, rounds, |request| judge(&body(request)))
}

fn sent(round: &Round) -> Value {
    let body = round.main().body.as_ref();
    body.map_or(Value::Null, |body| body.gene.value())
}

fn object(required: &[&str], properties: &Value) -> Value {
    json!({"type": "object", "required": required, "properties": properties})
}

fn sizes() -> Value {
    let number = json!({"type": "integer", "minimum": 1, "maximum": 500});
    object(
        &["width", "height"],
        &json!({"width": number, "height": number, "depth": number,
            "kind": {"type": "string", "enum": ["a", "b", "c"]}, "note": {"type": "string"}}),
    )
}

fn both_largest(body: &Value) -> bool {
    body["width"] == 500 && body["height"] == 500
}

#[test]
fn two_maxima_meet_and_the_call_says_so() {
    let world = thing(&sizes());
    let rounds = played(&world, 400, |body| {
        if both_largest(body) {
            (500, json!({}))
        } else {
            (201, json!({}))
        }
    });
    let crash = rounds.iter().find(|round| round.statuses() == [500]);
    let crash = crash.expect("both are tried together");
    let Intent::Edges(tellings) = &crash.main().intent else {
        panic!("{:?}", crash.main().intent);
    };
    let places: Vec<&str> = tellings.iter().map(|one| one.place.as_str()).collect();
    assert_eq!(places, ["body /width", "body /height"]);
    assert!(
        tellings
            .iter()
            .all(|one| one.value.as_deref() == Some("500"))
    );
}

#[test]
fn fields_that_were_never_sent_together_are() {
    let world = thing(&sizes());
    let rounds = played(&world, 500, |_| (201, json!({})));
    let pairs: BTreeSet<(bool, bool, bool)> = rounds
        .iter()
        .filter(|round| round.proposal.way == Way::Edges)
        .map(|round| {
            let body = sent(round);
            let has = |name: &str| body.get(name).is_some();
            (has("depth"), has("kind"), has("note"))
        })
        .collect();
    for both in [
        (true, true, false),
        (true, false, true),
        (false, true, true),
    ] {
        assert!(pairs.contains(&both), "{both:?} in {pairs:?}");
    }
}

#[test]
fn pairs_come_after_single_values_and_end() {
    let world = thing(&sizes());
    let rounds = played(&world, 2500, |_| (201, json!({})));
    let is_pair = |round: &Round| round.proposal.way == Way::Edges;
    let is_single = |round: &&Round| matches!(round.proposal.way, Way::Edge { .. });
    let first = rounds.iter().position(is_pair).expect("there are pairs");
    let before = rounds[..first].iter().filter(is_single).count();
    assert!(before >= 30, "six values for each of five places: {before}");
    let pairs: Vec<&Round> = rounds.iter().filter(|round| is_pair(round)).collect();
    assert!((40..=120).contains(&pairs.len()), "{}", pairs.len());
    let told: BTreeSet<String> = pairs
        .iter()
        .map(|round| format!("{:?}", round.main().intent))
        .collect();
    assert_eq!(told.len(), pairs.len(), "each once");
}

#[test]
fn what_a_shape_forbids_together_is_not_sent_together() {
    let mut schema = sizes();
    schema["maxProperties"] = json!(3);
    schema["dependentRequired"] = json!({"depth": ["note"]});
    let world = thing(&schema);
    let rounds = played(&world, 800, |_| (201, json!({})));
    let mut seen = 0;
    for round in rounds.iter().filter(|r| r.proposal.way == Way::Edges) {
        let body = sent(round);
        let fields = body.as_object().map_or(0, serde_json::Map::len);
        let lonely = body.get("depth").is_some() && body.get("note").is_none();
        assert!(fields <= 3 && !lonely, "{body}");
        seen += 1;
    }
    assert!(seen > 10, "{seen}");
}

/// The one that does not matter goes; where both do, both stay.
#[test]
fn of_two_values_the_one_that_matters_is_left() {
    let world = thing(&sizes());
    let shrunk = |fault: fn(&Value) -> bool| {
        let crashes = |plan: &Plan| {
            let script = Arc::new(world.search(free(0)).render(plan));
            let mut service = |request: &Request| {
                if fault(&body(request)) {
                    (500, json!({}))
                } else {
                    (201, json!({}))
                }
            };
            run(&script, &mut service).exchanges[0].outcome.status() == Some(500)
        };
        let rounds = played(&world, 600, |_| (201, json!({})));
        let pairs = rounds.iter().filter(|r| r.proposal.way == Way::Edges);
        let mut plans = pairs.map(|round| &round.proposal.plan);
        let mut plan = plans.find(|plan| crashes(plan)).expect("a pair").clone();
        let shrinker = Shrinker::new(&world.api, &world.validators, 1);
        while let Some((simpler, _)) =
            (shrinker.shorter(&plan, 0).into_iter()).find(|(simpler, _)| crashes(simpler))
        {
            plan = simpler;
        }
        let tellings = plan.steps[0].intent.tellings();
        tellings
            .into_iter()
            .map(|one| one.place)
            .collect::<Vec<_>>()
    };
    assert_eq!(shrunk(|body| body["kind"] == "c"), ["body /kind"]);
    assert_eq!(shrunk(|body| body["width"] == 500), ["body /width"]);
    assert_eq!(shrunk(both_largest), ["body /width", "body /height"]);
    assert_eq!(shrunk(|_| true), Vec::<String>::new());
}

fn stay() -> Value {
    let day = json!({"type": "string", "format": "date"});
    object(
        &["start_date", "end_date"],
        &json!({"start_date": day, "end_date": day, "guests": {"type": "integer"}}),
    )
}

fn is_orderly(body: &Value) -> bool {
    let day = |name: &str| body[name].as_str().unwrap_or_default().to_owned();
    day("start_date") <= day("end_date")
}

#[test]
fn a_telling_date_moves_the_other_end_of_its_range() {
    let world = thing(&stay());
    let rounds = played(&world, 500, |body| {
        if is_orderly(body) {
            (201, json!({}))
        } else {
            refuse()
        }
    });
    let mut tried = BTreeSet::new();
    for round in &rounds {
        if !round.main().intent.is_telling() {
            continue;
        }
        let body = sent(round);
        assert!(is_orderly(&body), "{body} {:?}", round.main().intent);
        if let Intent::Edge { place, value, .. } = &round.main().intent {
            tried.insert(format!("{place} {value}"));
        }
    }
    for wanted in ["\"9999-12-31\"", "\"0001-01-01\"", "\"2024-02-29\""] {
        for place in ["body /start_date", "body /end_date"] {
            assert!(
                tried.contains(&format!("{place} {wanted}")),
                "{place} {wanted}"
            );
        }
    }
}

#[test]
fn both_ends_of_a_range_may_be_equal() {
    let number = json!({"type": "integer", "minimum": 0, "maximum": 1000});
    let query = |name: &str| json!({"name": name, "in": "query", "schema": number});
    let operation = json!({"parameters": [query("min_price"), query("max_price")],
        "responses": {"200": {"description": ""}}});
    let world = World::of(json!({"/things": {"get": operation}}), json!({}));
    let mut search = world.search(free(1));
    let rounds = play(&mut search, 300, |_| (200, json!([])));
    let told = |round: &Round| {
        let values = round.main().intent.tellings().into_iter();
        values.filter_map(|one| one.value).collect::<Vec<_>>()
    };
    let pairs: Vec<Vec<String>> = rounds
        .iter()
        .filter(|round| round.proposal.way == Way::Edges)
        .map(told)
        .collect();
    for equal in ["0", "1000"] {
        assert!(
            pairs.contains(&vec![equal.to_owned(), equal.to_owned()]),
            "{pairs:?}"
        );
    }
    let turned = ["1000".to_owned(), "0".to_owned()];
    assert!(
        !pairs.contains(&turned.to_vec()),
        "the least above the most"
    );
    let wide = ["0".to_owned(), "1000".to_owned()];
    assert!(pairs.contains(&wide.to_vec()), "{pairs:?}");
}
