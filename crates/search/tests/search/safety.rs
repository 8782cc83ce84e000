//! What is never done: changing what others own, and sawing off the branch one sits on.

use fossick_contract::{Location, Method};
use fossick_plan::Spot;
use fossick_search::Settings;
use serde_json::{Value, json};

use crate::play::{World, free, play, run};
use crate::workshop::Workshop;

fn changes(method: Method) -> bool {
    matches!(method, Method::Put | Method::Patch | Method::Delete)
}

#[test]
fn on_foreign_ground_only_what_a_plan_made_is_changed() {
    let world = World::workshop();
    let settings = Settings {
        seed: 1,
        free: false,
        undeclared: true,
        credentials: true,
        ..Settings::default()
    };
    let mut changed = 0;
    for round in world.played(settings, 4000) {
        let steps = &round.proposal.plan.steps;
        for step in steps.iter().filter(|step| changes(world.method(step))) {
            changed += 1;
            let parameters = &world.api.operation(step.operation).parameters;
            for (at, parameter) in parameters.iter().enumerate() {
                if parameter.location != Location::Path {
                    continue;
                }
                let bind = step.bind_at(&Spot::Parameter(at));
                let maker = &steps[bind.expect("a value of its own making").step];
                let method = world.method(maker);
                assert_eq!(
                    method,
                    Method::Post,
                    "{}",
                    world.verbs(&round.proposal.plan)
                );
            }
        }
    }
    assert!(changed > 1000, "{changed}");
}

#[test]
fn what_belongs_to_others_is_as_it_was() {
    let world = World::workshop();
    let mut workshop = Workshop::new();
    let before: Vec<Value> = workshop.foreign().into_iter().cloned().collect();
    let mut search = world.search(Settings::default());
    play(&mut search, 4000, |request| workshop.answer(request));
    for index in search.last_ones() {
        for _ in 0..3 {
            let Some(proposal) = search.propose_last(index) else {
                continue;
            };
            let script = std::sync::Arc::new(search.render(&proposal.plan));
            let episode = run(&script, &mut |request: &_| workshop.answer(request));
            search.learn(&proposal, &episode, &[]);
        }
    }
    let after: Vec<Value> = workshop.foreign().into_iter().cloned().collect();
    assert_eq!(before.len(), 3);
    assert_eq!(after, before);
}

/// At home, what was found may be changed, but it is not removed while others still need it.
#[test]
fn at_home_nothing_that_was_found_is_removed() {
    let world = World::workshop();
    let mut workshop = Workshop::new();
    let mut search = world.search(free(3));
    play(&mut search, 4000, |request| workshop.answer(request));
    assert_eq!(workshop.foreign().len(), 3);
}

#[test]
fn what_may_end_the_run_waits_for_its_end() {
    let world = World::workshop();
    let logout = world.index("POST /logout");
    let mut workshop = Workshop::new();
    let mut search = world.search(free(4));
    let rounds = play(&mut search, 1500, |request| workshop.answer(request));
    for round in &rounds {
        let steps = &round.proposal.plan.steps;
        assert!(steps.iter().all(|step| step.operation != logout));
    }
    assert_eq!(search.held().collect::<Vec<_>>(), [logout]);
    assert!(search.last_ones().contains(&logout));
    let last = search.propose_last(logout).expect("its turn has come");
    assert_eq!(last.subject, logout);
}

/// The campaign finds out by what happens; from then on it is as if the words had told.
#[test]
fn what_is_held_is_neither_tried_nor_used_to_set_up() {
    let world = World::workshop();
    let create = world.index("POST /projects");
    let mut workshop = Workshop::new();
    let mut search = world.search(free(5));
    play(&mut search, 50, |request| workshop.answer(request));
    search.hold(create);
    let rounds = play(&mut search, 300, |request| workshop.answer(request));
    let plainly = |way: &fossick_search::Way| *way == fossick_search::Way::Plain;
    for round in rounds.iter().filter(|round| plainly(&round.proposal.way)) {
        let steps = &round.proposal.plan.steps;
        assert!(steps.iter().all(|step| step.operation != create));
    }
    assert!(rounds.iter().all(|round| round.proposal.subject != create));
}

/// Things that can be listed, acted upon and removed, but that nobody makes.
fn found_things() -> World {
    let list = json!({"type": "array", "items": {"type": "object",
        "properties": {"id": {"type": "integer"}}}});
    let content = json!({"application/json": {"schema": list}});
    let hole = json!({"name": "id", "in": "path", "required": true, "schema": {"type": "integer"}});
    World::of(
        json!({
            "/things": {"get": {"responses": {"200": {"description": "", "content": content}}}},
            "/things/{id}": {
                "parameters": [hole],
                "post": {"responses": {}},
                "delete": {"responses": {}},
            },
        }),
        json!({}),
    )
}

/// How often the only thing there is was removed in a run.
fn removals(settings: Settings) -> usize {
    let world = found_things();
    let mut search = world.search(settings);
    let mut removed = 0;
    play(&mut search, 300, |request| match request.method {
        Method::Get => (200, json!([{"id": 7}])),
        Method::Delete if request.target == "/things/7" => {
            removed += 1;
            (204, Value::Null)
        }
        _ if request.target == "/things/7" => (204, Value::Null),
        _ => (404, json!({})),
    });
    removed
}

/// An action on what a list showed makes nothing, however it is called.
#[test]
fn on_foreign_ground_what_a_list_showed_is_not_removed() {
    assert_eq!(removals(Settings::default()), 0);
}

/// At home it is removed when all else is done, and not while others still need it.
#[test]
fn at_home_what_a_list_showed_is_not_removed_before_the_end() {
    assert_eq!(removals(free(1)), 0);
}

/// A service whose accounts are put under names of the caller's choice.
#[test]
fn the_account_that_calls_are_made_with_is_left_alone() {
    let account = json!({"type": "object", "required": ["name", "password"], "properties": {
        "name": {"type": "string"}, "password": {"type": "string", "minLength": 1}}});
    let answer =
        json!({"200": {"description": "", "content": {"application/json": {"schema": account}}}});
    let list = json!({"type": "array", "items": account});
    let body = json!({"required": true, "content": {"application/json": {"schema": account}}});
    let hole =
        json!([{"name": "name", "in": "path", "required": true, "schema": {"type": "string"}}]);
    let paths = json!({
        "/accounts": {"get": {"responses": {"200": {"description": "", "content": {"application/json": {"schema": list}}}}}},
        "/accounts/{name}": {
            "parameters": hole,
            "get": {"responses": answer},
            "put": {"requestBody": body, "responses": answer},
        },
    });
    let world = World::of(paths, json!({}));
    let named = |accounts: &[&str]| {
        let settings = Settings {
            accounts: accounts.iter().map(|name| (*name).to_owned()).collect(),
            ..free(1)
        };
        let rounds = play(&mut world.search(settings), 600, |request| {
            let own = json!({"name": "root", "password": "s3cr3t"});
            match (request.method, request.target.as_str()) {
                (Method::Get, "/accounts") => (200, json!([own])),
                (Method::Get | Method::Put, _) => (200, own),
                _ => (405, Value::Null),
            }
        });
        let requests = rounds.iter().flat_map(|round| &round.episode.exchanges);
        let puts = requests.filter(|e| e.request.method == Method::Put);
        let touches = |target: &str, body: &[u8]| {
            target == "/accounts/root" || String::from_utf8_lossy(body).contains("\"root\"")
        };
        puts.filter(|e| touches(&e.request.target, &e.request.body))
            .count()
    };
    assert!(named(&[]) > 0, "who is not told may do it");
    assert_eq!(named(&["root"]), 0);
}
