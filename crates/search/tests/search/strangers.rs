//! Identifiers that nobody made, parents that are not one's own, callers without credentials and
//! methods that nobody declared.

use std::collections::BTreeSet;

use fossick_contract::Method;
use fossick_plan::Spot;
use fossick_search::{Settings, Way};
use fossick_trace::{Intent, Role};
use serde_json::json;

use crate::play::{World, free, play};
use crate::workshop::{Workshop, document, schemas};

#[test]
fn strangers_are_read_in_threes_that_differ_and_written_one_by_one() {
    let world = World::workshop();
    let (mut rows, mut writes) = (BTreeSet::new(), BTreeSet::new());
    for round in world.played(free(1), 600) {
        if round.proposal.way == Way::Life {
            continue;
        }
        let targets: Vec<String> = round
            .script
            .calls
            .iter()
            .zip(&round.episode.exchanges)
            .filter(|(call, _)| matches!(call.intent, Intent::Stranger { .. }))
            .map(|(_, exchange)| exchange.request.target.clone())
            .collect();
        if targets.is_empty() {
            continue;
        }
        let subject = world.subject(&round).to_owned();
        if !subject.starts_with("GET") {
            writes.insert(subject);
            assert_eq!(targets.len(), 1);
            assert_eq!(round.statuses().last(), Some(&404), "nobody made it");
            continue;
        }
        rows.insert(subject);
        assert_eq!(targets.len(), 3);
        let distinct: BTreeSet<&String> = targets.iter().collect();
        assert_eq!(distinct.len(), 3, "{targets:?}");
        let last: Vec<u16> = round.statuses().split_off(round.script.calls.len() - 3);
        assert_eq!(last, [404; 3], "nobody made them");
    }
    let tried: Vec<&str> = rows.iter().map(String::as_str).collect();
    assert_eq!(
        tried,
        [
            "GET /projects/{project_id}",
            "GET /projects/{project_id}/tasks",
            "GET /projects/{project_id}/tasks/{task_id}",
        ]
    );
    assert!(writes.contains("PUT /projects/{project_id}"), "{writes:?}");
}

#[test]
fn a_child_is_misplaced_only_where_it_was_made_under_its_parent() {
    let world = World::workshop();
    let mut seen = 0;
    for seed in 1..=10 {
        for round in world.played(free(seed), 150) {
            let wrong = round.main();
            let Intent::Misplaced { parameter } = &wrong.intent else {
                continue;
            };
            if round.proposal.way == Way::Life {
                continue;
            }
            seen += 1;
            assert_eq!(parameter, "project_id");
            let steps = &round.proposal.plan.steps;
            let (parent, child) = (Spot::Parameter(0), Spot::Parameter(1));
            let taken = |spot: &Spot| wrong.bind_at(spot).expect("a bind").step;
            let maker = &steps[taken(&child)];
            let own = maker
                .bind_at(&parent)
                .expect("it was made under a parent")
                .step;
            assert_ne!(own, taken(&parent), "another parent than its own");
            assert_eq!(steps[own].operation, steps[taken(&parent)].operation);
            assert_eq!(round.statuses().last(), Some(&404));
            let right = round.statuses().into_iter().rev().nth(2);
            assert_eq!(right, Some(200), "it was there under the right one");
        }
    }
    assert!(seen >= 8, "{seen}");
}

/// The second parent must not be refused for the name of the first.
#[test]
fn the_other_parent_has_a_name_of_its_own() {
    let world = World::workshop();
    let mut workshop = Workshop::new();
    workshop.unique_names = true;
    let mut search = world.search(free(1));
    let rounds = play(&mut search, 150, |request| workshop.answer(request));
    let misplaced = |intent: &Intent| matches!(intent, Intent::Misplaced { .. });
    let round = rounds.iter().find(|round| misplaced(&round.main().intent));
    let round = round.expect("it was tried");
    assert!(round.episode.is_complete(), "{:?}", round.statuses());
}

/// Where the document makes the task elsewhere, its place under a project proves nothing.
#[test]
fn a_child_that_was_made_elsewhere_is_never_misplaced() {
    let mut paths = document();
    let create = paths["/projects/{project_id}/tasks"]["post"].take();
    paths["/projects/{project_id}/tasks"]
        .as_object_mut()
        .expect("a path")
        .remove("post");
    paths["/tasks"] = json!({ "post": create });
    let world = World::of(paths, json!({ "schemas": schemas() }));
    let mut workshop = Workshop::new();
    let mut search = world.search(free(1));
    let rounds = play(&mut search, 1000, |request| match request.target.as_str() {
        "/tasks" => (201, json!({"id": 1})),
        path if path.contains("/tasks/") => (200, json!({"id": 1})),
        _ => workshop.answer(request),
    });
    let misplaced = |intent: &Intent| matches!(intent, Intent::Misplaced { .. });
    assert!(rounds.iter().all(|round| !misplaced(&round.main().intent)));
}

fn guarded() -> World {
    let mut paths = document();
    paths["/projects/{project_id}"]["get"]["security"] = json!([{"key": []}]);
    paths["/projects/{project_id}"]["delete"]["security"] = json!([{"key": []}]);
    let key = json!({"type": "apiKey", "in": "header", "name": "X-Key"});
    let components = json!({"schemas": schemas(), "securitySchemes": {"key": key}});
    World::of(paths, components)
}

#[test]
fn guarded_operations_are_tried_without_credentials_once() {
    let world = guarded();
    let settings = Settings {
        credentials: true,
        ..free(1)
    };
    let anonymous = |intent: &Intent| matches!(intent, Intent::Unauthenticated { .. });
    let mut tried = Vec::new();
    for round in world.played(settings, 600) {
        let steps = &round.proposal.plan.steps;
        let without = steps.iter().filter(|step| anonymous(&step.intent)).count();
        if without > 0 {
            assert_eq!(without, 1);
            assert!(anonymous(&round.main().intent), "the last main call is it");
            tried.push((
                world.subject(&round).to_owned(),
                world.verbs(&round.proposal.plan),
            ));
        }
    }
    tried.sort();
    let told: Vec<(&str, &str)> = tried
        .iter()
        .map(|(a, b)| (a.as_str(), b.as_str()))
        .collect();
    assert_eq!(
        told,
        [
            ("DELETE /projects/{project_id}", "POST DELETE"),
            ("GET /projects/{project_id}", "POST GET GET"),
        ]
    );
}

#[test]
fn undeclared_methods_are_tried_only_where_that_is_wanted() {
    let world = World::workshop();
    let methods = |settings: Settings| {
        let mut found = BTreeSet::new();
        for round in world.played(settings, 1500) {
            for step in &round.proposal.plan.steps {
                if step.intent == Intent::Undeclared {
                    assert_eq!(step.role, Role::Main);
                    found.insert(world.method(step).as_str());
                }
                let other = world.method(step) != world.api.operation(step.operation).method;
                assert_eq!(other, step.intent == Intent::Undeclared);
            }
        }
        found
    };
    assert_eq!(methods(free(1)), ["OPTIONS"].into());
    let undeclared = Settings {
        undeclared: true,
        ..free(1)
    };
    let all = methods(undeclared);
    assert!(all.contains(Method::Delete.as_str()) && all.contains(Method::Trace.as_str()));
    let on_foreign_ground = Settings {
        undeclared: true,
        ..Settings::default()
    };
    assert_eq!(methods(on_foreign_ground), ["OPTIONS"].into());
}
