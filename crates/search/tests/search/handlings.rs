//! Handlings: looks before and after what is done to a resource.

use std::collections::BTreeSet;

use fossick_search::Way;
use fossick_trace::Role;
use serde_json::{Value, json};

use crate::play::{Round, World, free};
use crate::workshop::{document, schemas};

fn handlings(world: &World) -> Vec<Round> {
    let mut rounds = world.played(free(1), 600);
    rounds.retain(|round| round.proposal.way == Way::Handling);
    rounds
}

/// The methods of every handling of an operation, in order.
fn of(world: &World, rounds: &[Round], label: &str) -> BTreeSet<String> {
    rounds
        .iter()
        .filter(|round| world.subject(round) == label)
        .map(|round| world.verbs(&round.proposal.plan))
        .collect()
}

fn set(all: &[&str]) -> BTreeSet<String> {
    all.iter().map(|one| (*one).to_owned()).collect()
}

#[test]
fn every_method_has_its_handlings_in_the_right_order() {
    let world = World::workshop();
    let rounds = handlings(&world);
    let of = |label: &str| of(&world, &rounds, label);
    assert_eq!(of("POST /projects"), set(&["POST GET", "GET POST GET"]));
    assert_eq!(
        of("PUT /projects/{project_id}"),
        set(&["POST GET PUT GET", "POST PUT GET PUT GET"])
    );
    assert_eq!(
        of("PATCH /projects/{project_id}"),
        set(&["POST GET PATCH GET"])
    );
    assert_eq!(
        of("DELETE /projects/{project_id}"),
        set(&[
            "POST DELETE GET",
            "POST DELETE GET DELETE GET",
            // What stands below it, and below what never was.
            "POST DELETE GET GET",
            "POST DELETE POST",
            "POST POST DELETE GET"
        ])
    );
    assert_eq!(
        of("DELETE /projects/{project_id}/tasks/{task_id}"),
        set(&[
            "POST POST DELETE GET",
            "POST POST DELETE GET DELETE GET",
            "POST POST DELETE POST"
        ])
    );
    assert_eq!(of("GET /projects/{project_id}"), set(&[]));
}

/// A handling proves something only if all its steps are about one thing.
#[test]
fn looks_are_at_what_is_handled() {
    let world = World::workshop();
    for round in handlings(&world) {
        let calls = &round.script.calls;
        let main = round.proposal.plan.main();
        let method = calls[main].method.as_str();
        let creates = method == "POST";
        for (at, call) in calls
            .iter()
            .enumerate()
            .filter(|(_, c)| c.role == Role::Check && c.method.as_str() != "POST")
        {
            if creates
                && at > main
                && call.operation.contains("_id}")
                && call.operation.ends_with('}')
            {
                let end = call
                    .target
                    .captures()
                    .last()
                    .expect("a read of what was made");
                assert_eq!(end.call, main, "{:?}", round.script);
            } else if !creates && !call.operation.ends_with("/tasks") {
                let path = |target: &fossick_trace::Text| target.clone();
                assert_eq!(path(&call.target), path(&calls[main].target));
            }
        }
    }
}

#[test]
fn every_look_of_a_handling_finds_what_it_should() {
    let world = World::workshop();
    for round in handlings(&world) {
        assert!(round.episode.is_complete(), "{:?}", round.script);
        let verbs = world.verbs(&round.proposal.plan);
        let statuses = round.statuses();
        match verbs.as_str() {
            "POST DELETE GET" => assert_eq!(statuses, [201, 204, 404]),
            "POST DELETE GET DELETE GET" => assert_eq!(statuses, [201, 204, 404, 404, 404]),
            "POST DELETE POST" => assert_eq!(statuses, [201, 204, 201]),
            "POST GET" => assert_eq!(statuses, [201, 200]),
            "GET POST GET" => assert_eq!(statuses, [200, 201, 200]),
            "POST PUT GET PUT GET" => assert_eq!(statuses, [201, 200, 200, 200, 200]),
            _ => {}
        }
    }
}

#[test]
fn twice_the_same_means_the_same_bytes() {
    let world = World::workshop();
    let mut seen = 0;
    for round in handlings(&world) {
        let verbs = world.verbs(&round.proposal.plan);
        let calls = &round.script.calls;
        let pair = match verbs.as_str() {
            "POST PUT GET PUT GET" | "POST DELETE GET DELETE GET" => (1, 3),
            _ => continue,
        };
        seen += 1;
        assert_eq!(calls[pair.0].target, calls[pair.1].target);
        assert_eq!(calls[pair.0].payload, calls[pair.1].payload);
    }
    assert!(seen >= 2, "{seen}");
}

/// What a refused write leaves behind shows only if it carried something new. Where a document
/// has examples, set-up and write are both made of them.
#[test]
fn a_write_that_must_be_refused_carries_other_values_than_stand_there() {
    let mut shapes = schemas();
    shapes["NewProject"]["properties"]["name"]["example"] = json!("Spirit level");
    let world = World::of(document(), json!({ "schemas": shapes }));
    let sent = |round: &Round, at: usize| {
        let body = &round.episode.exchanges[at].request.body;
        serde_json::from_slice::<Value>(body).unwrap_or_default()["name"].clone()
    };
    let told = world.played(free(1), 900).iter().any(|round| {
        let main = round.proposal.plan.main();
        let place = round.main().intent.place().unwrap_or("body /name");
        world.subject(round) == "PUT /projects/{project_id}"
            && place != "body /name"
            && sent(round, main).is_string()
            && sent(round, main) != sent(round, 0)
    });
    assert!(told);
}
