//! Telling values and broken ones: all of them, each once, and named for what they are.

use std::collections::{BTreeMap, BTreeSet};

use fossick_contract::Location;
use fossick_genes::landmarks;
use fossick_plan::Spot;
use fossick_search::Way;
use fossick_trace::Intent;

use crate::play::{Round, World, free};

#[test]
fn every_telling_value_of_a_bounded_number_is_proposed() {
    let world = World::workshop();
    let operation = world.api.operation(world.index("GET /projects"));
    let limit = operation.parameter(Location::Query, "limit");
    let shape = limit.expect("there is a limit").shape;
    let wanted: BTreeSet<String> = landmarks(&world.api, shape, "limit")
        .into_iter()
        .map(|landmark| landmark.value.to_string())
        .collect();
    assert_eq!(wanted.len(), 100, "a small domain is tried whole");
    let mut proposed = BTreeSet::new();
    for round in world.played(free(1), 2500) {
        let step = round.main();
        if let (Way::Edge { spot, .. }, "GET /projects") =
            (&round.proposal.way, world.subject(&round))
        {
            let value = step.value_at(spot).expect("a value").to_string();
            let Intent::Edge { value: told, .. } = &step.intent else {
                panic!("an edge says so: {:?}", step.intent);
            };
            assert_eq!(*told, value);
            proposed.insert(value);
        }
    }
    assert_eq!(proposed, wanted);
}

#[test]
fn bounds_are_declared_and_their_neighbours_are_not() {
    let world = World::workshop();
    let mut declared = BTreeMap::new();
    for round in world.played(free(1), 2500) {
        if world.subject(&round) != "GET /projects" {
            continue;
        }
        if let Intent::Edge {
            value,
            declared: is,
            ..
        } = &round.main().intent
        {
            declared.insert(value.clone(), *is);
        }
    }
    let at = |value: &str| declared.get(value).copied();
    assert_eq!((at("1"), at("100")), (Some(true), Some(true)));
    assert_eq!((at("2"), at("99")), (Some(false), Some(false)));
}

/// Every breakage that was proposed: operation, place, constraint, and how.
fn breakages(world: &World, rounds: &[Round]) -> Vec<[String; 4]> {
    let mut found = Vec::new();
    // What was refused is sent once more between looks.
    let unwatched = |round: &&Round| round.proposal.way != Way::Life;
    for round in rounds.iter().filter(unwatched) {
        if let Intent::Broken {
            place,
            constraint,
            detail,
        } = &round.main().intent
        {
            let subject = world.subject(round).to_owned();
            found.push([subject, place.clone(), constraint.clone(), detail.clone()]);
        }
    }
    found
}

#[test]
fn every_declared_constraint_is_broken_and_named() {
    let world = World::workshop();
    let found = breakages(&world, &world.played(free(1), 1500));
    for (operation, place, constraint) in [
        ("GET /projects", "query limit", "minimum"),
        ("GET /projects", "query limit", "maximum"),
        ("GET /projects", "query limit", "type"),
        ("POST /projects", "body", "required"),
        ("POST /projects", "body /name", "minLength"),
        ("POST /projects", "body /name", "maxLength"),
        ("POST /projects", "body /name", "type"),
        ("POST /projects", "body /size", "minimum"),
        ("POST /projects", "body /size", "maximum"),
        ("POST /projects", "body /size", "type"),
        ("POST /projects", "body /kind", "enum"),
        ("PUT /projects/{project_id}", "body /size", "maximum"),
        ("PATCH /projects/{project_id}", "body /name", "minLength"),
        (
            "POST /projects/{project_id}/tasks",
            "body /title",
            "maxLength",
        ),
        ("GET /projects/{project_id}", "path project_id", "type"),
    ] {
        let named = |b: &&[String; 4]| b[0] == operation && b[1] == place && b[2] == constraint;
        let times = found.iter().filter(named).count();
        assert!(times > 0, "{operation} {place} {constraint}");
    }
}

#[test]
fn nothing_is_broken_twice_in_the_same_way() {
    let world = World::workshop();
    let found = breakages(&world, &world.played(free(1), 4000));
    let distinct: BTreeSet<&[String; 4]> = found.iter().collect();
    assert_eq!(distinct.len(), found.len());
}

/// The service keeps the document's word, so whatever claims to be broken must be refused.
#[test]
fn what_is_called_broken_is_broken_and_what_is_called_valid_is_valid() {
    let world = World::workshop();
    let (mut refused, mut welcome) = (0, 0);
    for round in world.played(free(9), 3000) {
        let main = round.proposal.plan.main();
        let Some(status) = round
            .episode
            .exchanges
            .get(main)
            .and_then(|e| e.outcome.status())
        else {
            continue;
        };
        let told = || format!("{:?} {:?}", round.main().intent, round.script.calls[main]);
        match &round.main().intent {
            Intent::Broken { .. } => {
                assert!((400..500).contains(&status), "{status} {}", told());
                refused += 1;
            }
            intent if intent.is_valid() => {
                assert_ne!(status, 400, "{}", told());
                welcome += usize::from(status < 300);
            }
            _ => {}
        }
    }
    assert!(refused > 50 && welcome > 1000, "{refused} {welcome}");
}

#[test]
fn an_edge_changes_the_place_it_names_and_no_bind() {
    let world = World::workshop();
    for round in world.played(free(3), 2500) {
        let Way::Edge { spot, .. } = &round.proposal.way else {
            continue;
        };
        let step = round.main();
        let operation = world.api.operation(step.operation);
        assert_eq!(step.intent.place(), Some(spot.describe(operation).as_str()));
        assert!(
            step.bind_at(spot).is_none(),
            "what is bound is not ours to say"
        );
        if let Spot::Parameter(at) = spot {
            assert_ne!(operation.parameters[*at].location, Location::Path);
        }
    }
}
