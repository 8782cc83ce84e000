//! Plans that stand alone: what earlier plans made is made again, and what was there before stays.

use std::sync::Arc;

use fossick_genes::{Gene, Source};
use fossick_plan::{Plan, Step};
use fossick_search::Search;
use fossick_trace::{
    Episode, Evidence, Finding, Location, Request, Role, Severity, Sureness, Wrong,
};
use serde_json::{Value, json};

use crate::play::{World, free, play, run};
use crate::workshop::Workshop;

fn finding(call: usize, location: Location, got: Option<Value>) -> Finding {
    Finding {
        code: "F999".to_owned(),
        severity: Severity::High,
        sureness: Sureness::Sure,
        operation: String::new(),
        call,
        location,
        evidence: Evidence {
            got,
            ..Evidence::default()
        },
        title: String::new(),
        why: String::new(),
        mark: String::new(),
        cause: String::new(),
    }
}

/// A look at one project by a number that an answer once gave.
fn look_at(world: &World, project: u64) -> Plan {
    let index = world.index("GET /projects/{project_id}");
    let mut step = Step::new(index, 1);
    step.arguments[0] = Some(Gene::literal(json!(project), Source::Seen));
    Plan { steps: vec![step] }
}

/// The number of a project that the search made itself.
fn made(world: &World, search: &mut Search<'_>, workshop: &mut Workshop) -> u64 {
    let rounds = play(search, 60, |request| workshop.answer(request));
    let creates = |round: &&crate::play::Round| {
        let made = round.episode.exchanges.first();
        world.verbs(&round.proposal.plan) == "POST" && made.is_some_and(|e| e.outcome.is_success())
    };
    let round = rounds.iter().rev().find(creates).expect("one was made");
    let answer = round.episode.answer(0).expect("it was answered");
    answer
        .value_at("/id")
        .and_then(|id| id.as_u64())
        .expect("a number")
}

#[test]
fn a_thing_of_an_earlier_plan_is_made_again() {
    let world = World::workshop();
    let (mut search, mut workshop) = (world.search(free(1)), Workshop::new());
    search.close_survey();
    let project = made(&world, &mut search, &mut workshop);
    let plan = look_at(&world, project);
    let script = Arc::new(search.render(&plan));
    let episode = run(&script, &mut |request| workshop.answer(request));
    let standing = search.standing(&plan, &episode, &finding(0, Location::Outcome, None));
    assert!(!standing.is_alone(), "{standing:?}");
    let whole = search.completed(&plan, &standing);
    let whole = whole.first().expect("it can be made");
    assert_eq!(world.verbs(whole), "POST GET");
    assert_eq!(whole.steps[0].role, Role::Setup);
    // On a service that knows nothing of the run it works all the same.
    let mut fresh = Workshop::new();
    let script = Arc::new(search.render(whole));
    let episode = run(&script, &mut |request| fresh.answer(request));
    assert!(episode.exchanges.iter().all(|e| e.outcome.is_success()));
    let standing = search.standing(whole, &episode, &finding(1, Location::Outcome, None));
    assert!(
        standing.is_alone() && standing.seeds.is_empty(),
        "{standing:?}"
    );
}

#[test]
fn what_was_there_before_is_named_and_left() {
    let world = World::workshop();
    let (mut search, mut workshop) = (world.search(free(1)), Workshop::new());
    let survey = search.survey();
    assert!(!survey.is_empty());
    let mut there = None;
    for proposal in &survey {
        let script = Arc::new(search.render(&proposal.plan));
        let episode = run(&script, &mut |request| workshop.answer(request));
        let first = episode.answer(0).and_then(|a| a.value_at("/0/id"));
        there = there.or(first.and_then(|id| id.as_u64()));
        search.learn(proposal, &episode, &[]);
    }
    search.close_survey();
    let project = there.expect("some projects stand there from the beginning");
    let plan = look_at(&world, project);
    let script = Arc::new(search.render(&plan));
    let episode = run(&script, &mut |request| workshop.answer(request));
    let standing = search.standing(&plan, &episode, &finding(0, Location::Outcome, None));
    assert!(standing.is_alone());
    assert_eq!(standing.seeds, [format!("project_id {project}")]);
}

#[test]
fn a_fault_in_an_item_of_another_plan_brings_that_plan_along() {
    let world = World::workshop();
    let (mut search, mut workshop) = (world.search(free(2)), Workshop::new());
    search.close_survey();
    let project = made(&world, &mut search, &mut workshop);
    let index = world.index("GET /projects");
    let plan = Plan {
        steps: vec![Step::new(index, 1)],
    };
    let script = Arc::new(search.render(&plan));
    let episode = run(&script, &mut |request| workshop.answer(request));
    let path = "/*/id".to_owned();
    let location = Location::Body {
        path,
        wrong: Wrong::Type,
    };
    let finding = finding(0, location, Some(json!(project)));
    let standing = search.standing(&plan, &episode, &finding);
    let whole = search.completed(&plan, &standing);
    let whole = whole.first().expect("it can be made");
    assert_eq!(world.verbs(whole), "POST GET");
}

/// Tenants that are known by the name that their creation sends, and is not told again.
fn tenants() -> World {
    let named = json!({
        "type": "object",
        "required": ["name"],
        "properties": {"name": {"type": "string"}},
    });
    let body = json!({"required": true, "content": {"application/json": {"schema": named}}});
    let hole =
        json!({"name": "name", "in": "path", "required": true, "schema": {"type": "string"}});
    let answers = json!({"2XX": {"description": ""}, "4XX": {"description": ""}});
    let paths = json!({
        "/tenants": {"post": {"requestBody": body, "responses": answers}},
        "/tenants/{name}": {"parameters": [hole], "get": {"responses": answers}},
    });
    World::of(paths, json!({}))
}

fn tenant(known: &mut Vec<String>, request: &Request) -> (u16, Value) {
    let body: Value = serde_json::from_slice(&request.body).unwrap_or_default();
    match (
        request.target.strip_prefix("/tenants/"),
        body["name"].as_str(),
    ) {
        (None, Some(name)) => {
            known.push(name.to_owned());
            (200, json!({}))
        }
        (Some(name), _) if known.iter().any(|other| other == name) => (200, json!({})),
        _ => (404, json!({})),
    }
}

#[test]
fn a_thing_that_no_answer_named_is_made_again_under_its_name() {
    let world = tenants();
    let mut search = world.search(free(1));
    search.close_survey();
    let mut known = Vec::new();
    let rounds = play(&mut search, 20, |request| tenant(&mut known, request));
    let made = rounds
        .iter()
        .find(|r| world.verbs(&r.proposal.plan) == "POST GET");
    let made = made.expect("one is made and read");
    let standing = |plan: &Plan, episode: &Episode| {
        let last = finding(plan.steps.len() - 1, Location::Outcome, None);
        search.standing(plan, episode, &last)
    };
    assert!(standing(&made.proposal.plan, &made.episode).is_alone());
    let mut look = made.proposal.plan.steps[1].clone();
    look.binds.clear();
    let plan = Plan { steps: vec![look] };
    let script = Arc::new(search.render(&plan));
    let episode = run(&script, &mut |request| tenant(&mut known, request));
    assert!(episode.exchanges[0].outcome.is_success());
    let leans = standing(&plan, &episode);
    assert!(!leans.is_alone(), "{leans:?}");
    let whole = search.completed(&plan, &leans);
    let whole = whole.first().expect("it can be made");
    assert_eq!(world.verbs(whole), "POST GET");
    let script = Arc::new(search.render(whole).renamed(7));
    let mut fresh = Vec::new();
    let episode = run(&script, &mut |request| tenant(&mut fresh, request));
    assert_eq!(episode.exchanges.len(), 2);
    assert!(episode.exchanges.iter().all(|e| e.outcome.is_success()));
}
