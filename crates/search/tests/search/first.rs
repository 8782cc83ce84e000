//! The beginning: everything once, what is needed before who needs it, and the same every time.

use std::collections::BTreeSet;

use fossick_search::{Search, Way};
use fossick_trace::Role;
use serde_json::json;

use crate::play::{Round, World, free, play};
use crate::workshop::{Workshop, refuse};

/// Operations that are free to be tried: all but what may end the run.
fn ordinary(world: &World) -> BTreeSet<String> {
    let labels = world.api.operations.iter().map(|o| o.label.clone());
    labels.filter(|label| label != "POST /logout").collect()
}

#[test]
fn the_first_proposals_try_every_operation_once() {
    let world = World::workshop();
    let wanted = ordinary(&world);
    let rounds = world.played(free(1), wanted.len());
    let tried: BTreeSet<String> = rounds
        .iter()
        .map(|round| world.subject(round).to_owned())
        .collect();
    assert_eq!(tried, wanted);
    assert!(rounds.iter().all(|round| round.proposal.way == Way::Plain));
}

/// No operation is tried out to its end while another still waits for its second turn.
#[test]
fn operations_take_turns() {
    let world = World::workshop();
    let rounds = world.played(free(1), 200);
    for label in ordinary(&world) {
        let turns = rounds.iter().filter(|round| world.subject(round) == label);
        assert!((6..60).contains(&turns.count()), "{label}");
    }
}

#[test]
fn what_is_needed_comes_before_who_needs_it() {
    let world = World::workshop();
    for round in world.played(free(2), 1500) {
        for (at, call) in round.script.calls.iter().enumerate() {
            for capture in call.captures() {
                assert!(capture.call < at, "{:?}", round.script);
            }
        }
        let main = round.proposal.plan.main();
        let before = &round.proposal.plan.steps[..main];
        let plain = round.proposal.way == Way::Plain;
        let set_up = |role| role == Role::Setup;
        assert!(!plain || before.iter().all(|step| set_up(step.role)));
    }
}

#[test]
fn plans_about_one_task_make_its_project_first() {
    let world = World::workshop();
    let rounds = world.played(free(3), 30);
    let label = "GET /projects/{project_id}/tasks/{task_id}";
    let first = rounds.iter().find(|round| world.subject(round) == label);
    let first = first.expect("it was tried");
    assert_eq!(world.verbs(&first.proposal.plan), "POST POST GET");
    let calls = &first.script.calls;
    let from = |at: usize| calls[at].captures().map(|c| c.call).collect::<Vec<_>>();
    assert_eq!(from(1), [0], "the task is made in the project");
    assert_eq!(from(2), [0, 1], "and read as its task");
    assert_eq!(first.statuses(), [201, 201, 200]);
}

/// What never worked is tried plainly again and again; nothing is built on it.
#[test]
fn a_plan_whose_set_up_failed_is_no_base() {
    let world = World::workshop();
    let mut search = world.search(free(4));
    let mut workshop = Workshop::default();
    let rounds = play(&mut search, 400, |request| {
        match (request.method.as_str(), request.target.as_str()) {
            ("POST", "/projects") => refuse(),
            _ => workshop.answer(request),
        }
    });
    let on_items = |round: &&Round| world.subject(round).contains("/projects/{project_id}");
    let item_rounds: Vec<&Round> = rounds.iter().filter(on_items).collect();
    assert!(item_rounds.len() > 50);
    for round in item_rounds {
        let plain = matches!(round.proposal.way, Way::Plain | Way::Sequence);
        assert!(plain, "{}: {:?}", world.subject(round), round.proposal.way);
    }
}

fn written(world: &World, seed: u64) -> Vec<String> {
    let rounds = world.played(free(seed), 600);
    let scripts = rounds
        .iter()
        .map(|round| serde_json::to_string(&*round.script));
    scripts
        .map(|text| text.expect("a script can be written"))
        .collect()
}

#[test]
fn the_same_seed_proposes_the_same() {
    let world = World::workshop();
    let first = written(&world, 7);
    assert_eq!(first, written(&world, 7));
    assert_ne!(first, written(&world, 8));
}

#[test]
fn operations_that_are_left_out_are_only_called_to_set_up() {
    let world = World::workshop();
    let wanted = world.index("GET /projects/{project_id}");
    let mut search = world.search(free(5));
    search.only(|index| index == wanted);
    let mut workshop = Workshop::new();
    let rounds = play(&mut search, 100, |request| workshop.answer(request));
    assert!(rounds.iter().all(|round| round.proposal.subject == wanted));
    let set_up = rounds
        .iter()
        .any(|round| world.verbs(&round.proposal.plan) == "POST GET");
    assert!(set_up);
}

#[test]
fn with_nothing_to_try_nothing_is_proposed() {
    let world = World::of(json!({}), json!({}));
    let mut search: Search<'_> = world.search(free(1));
    assert!(search.propose().is_none());
    assert_eq!(search.last_ones(), []);
}

#[test]
fn a_sketch_can_be_written_of_every_operation() {
    let world = World::workshop();
    let mut search = world.search(free(1));
    for (index, operation) in world.api.indexed() {
        let script = search.sketch(index).expect("a plausible call");
        let last = script.calls.last().expect("it calls something");
        assert_eq!(&*last.operation, operation.label);
    }
}

#[test]
fn operations_that_rest_are_left_alone_until_they_wake() {
    let world = World::workshop();
    let resting = world.index("GET /projects");
    let mut search = world.search(free(6));
    let mut workshop = Workshop::new();
    search.rest(resting, true);
    let rounds = play(&mut search, 200, |request| workshop.answer(request));
    assert!(rounds.iter().all(|round| round.proposal.subject != resting));
    search.rest(resting, false);
    let rounds = play(&mut search, 50, |request| workshop.answer(request));
    assert!(rounds.iter().any(|round| round.proposal.subject == resting));
}
