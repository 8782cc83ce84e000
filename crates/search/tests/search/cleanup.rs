//! What plans make is removed again, once there is enough of it.

use std::sync::Arc;

use fossick_contract::Method;
use fossick_plan::Step;
use fossick_search::Search;
use fossick_trace::{Removal, Request};
use serde_json::{Value, json};

use crate::play::{World, free, run};
use crate::workshop::{Reply, Workshop};

/// Plays with scripts that clean up. Gives the projects that were made and those that are left.
fn tidy(search: &mut Search<'_>, rounds: usize) -> (usize, usize) {
    let mut workshop = Workshop::new();
    let (mut made, mut removed) = (0, 0);
    let mut service = |request: &Request| -> Reply {
        let reply = workshop.answer(request);
        let worked = (200..300).contains(&reply.0);
        made +=
            usize::from(worked && request.method == Method::Post && request.target == "/projects");
        let is_project =
            request.target.starts_with("/projects/") && !request.target.contains("/tasks");
        removed += usize::from(worked && request.method == Method::Delete && is_project);
        reply
    };
    for _ in 0..rounds {
        let proposal = search.propose().expect("there is always something to try");
        let script = Arc::new(search.render_tidy(&proposal.plan));
        let episode = run(&script, &mut service);
        search.learn(&proposal, &episode, &[]);
    }
    (made, made - removed)
}

#[test]
fn a_service_is_not_filled_without_end() {
    let world = World::workshop();
    let (made, left) = tidy(&mut world.search(free(1)), 600);
    assert!(made > 150, "{made} projects were made");
    assert!(left < 60, "{left} of {made} projects are left");
}

#[test]
fn the_first_things_stay() {
    let world = World::workshop();
    let mut search = world.search(free(1));
    let (made, left) = tidy(&mut search, 40);
    assert!(made > 3 && left > made / 2, "{left} of {made} are left");
}

#[test]
fn a_script_that_is_replayed_leaves_nothing_behind() {
    let world = World::workshop();
    let mut search = world.search(free(1));
    tidy(&mut search, 60);
    let proposals = std::iter::from_fn(|| search.propose());
    let creates = |step: &Step| world.label(step) == "POST /projects" && step.intent.is_valid();
    let plan = proposals
        .take(200)
        .map(|proposal| proposal.plan)
        .find(|plan| plan.steps.len() == 1 && creates(&plan.steps[0]))
        .expect("a project is made");
    let script = search.render_repeatable(&plan);
    let [cleanup] = &script.cleanup[..] else {
        panic!("one call removes the project: {:?}", script.cleanup);
    };
    assert_eq!(cleanup.call.method, Method::Delete);
    let renamed = Arc::new(script.renamed(7));
    let mut workshop = Workshop::new();
    let before = workshop.answer(&looking()).1;
    let episode = run(&renamed, &mut |request| workshop.answer(request));
    assert_eq!(episode.removed, [Some(Removal::Removed)]);
    assert_eq!(workshop.answer(&looking()).1, before);
}

/// A tag and an archived note need a note as well, and stand first in the document.
#[test]
fn what_is_removed_is_the_thing_itself_and_nothing_of_it() {
    let text = json!({"type": "string"});
    let hole = |name: &str| json!({"name": name, "in": "path", "required": true, "schema": text});
    let note = json!({"type": "object", "required": ["name"], "properties": {"name": text}});
    let content = json!({"application/json": {"schema": note}});
    let done = json!({"200": {"description": "", "content": content}});
    let delete = |holes: &[&str]| {
        let holes: Vec<Value> = holes.iter().map(|name| hole(name)).collect();
        json!({"delete": {"parameters": holes, "responses": {"204": {"description": ""}}}})
    };
    let world = World::of(
        json!({
            "/notes/{noteName}/tags/{tag}": delete(&["noteName", "tag"]),
            "/archive/{noteName}": delete(&["noteName"]),
            "/notes": {"post": {"requestBody": {"required": true, "content": content},
                "responses": done}},
            "/notes/{noteName}": delete(&["noteName"]),
        }),
        json!({}),
    );
    let mut search = world.search(free(1));
    let creates = |step: &Step| world.label(step) == "POST /notes" && step.intent.is_valid();
    let plan = std::iter::from_fn(|| search.propose())
        .map(|proposal| proposal.plan)
        .find(|plan| plan.steps.len() == 1 && creates(&plan.steps[0]))
        .expect("a note is made");
    let script = search.render_repeatable(&plan);
    let removals: Vec<&str> = script
        .cleanup
        .iter()
        .map(|cleanup| &*cleanup.call.operation)
        .collect();
    assert_eq!(removals, ["DELETE /notes/{noteName}"]);
}

fn looking() -> Request {
    Request {
        method: Method::Get,
        target: "/projects".to_owned(),
        headers: Vec::new(),
        body: bytes::Bytes::new(),
        user: None,
        anonymous: false,
    }
}
