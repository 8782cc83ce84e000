//! What the search makes of answers: refusals that say what is wanted, operations that never
//! work, and names that must be new.

use std::collections::BTreeSet;

use fossick_search::Way;
use fossick_trace::{Exchange, Request};
use serde_json::{Value, json};

use crate::play::{Round, World, free, play};
use crate::workshop::{Reply, Workshop};

fn sent(exchange: &Exchange) -> Value {
    serde_json::from_slice(&exchange.request.body).unwrap_or(Value::Null)
}

/// `POST /things` with this body schema.
fn taking(schema: &Value) -> World {
    let body = json!({"required": true, "content": {"application/json": {"schema": schema}}});
    let operation = json!({"requestBody": body, "responses": {"201": {"description": ""}}});
    World::of(json!({"/things": {"post": operation}}), json!({}))
}

/// The first round that succeeds against a service that is a function of the body.
fn first_success(world: &World, rounds: usize, judge: impl Fn(&Value) -> Reply) -> Option<usize> {
    let mut search = world.search(free(1));
    let service = |request: &Request| {
        let body = serde_json::from_slice(&request.body).unwrap_or(Value::Null);
        judge(&body)
    };
    let played = play(&mut search, rounds, service);
    played.iter().position(|round| round.statuses() == [201])
}

#[test]
fn an_optional_field_that_the_service_wants_is_sent() {
    let world = taking(&json!({"type": "object", "properties": {
        "environment": {"type": "string"}, "name": {"type": "string"}}}));
    let found = first_success(&world, 12, |body| {
        if body["environment"].is_string() {
            return (201, json!({}));
        }
        let told = "The request should have required property 'environment'";
        (400, json!({ "message": told }))
    });
    assert!(found.is_some_and(|round| round <= 1), "{found:?}");
}

/// A service of `POST /things` that wants one more thing than its document says.
fn wanting(pointer: &str, refusal: &Value) -> impl Fn(&Value) -> Reply {
    move |body: &Value| match body.pointer(pointer) {
        Some(Value::String(_)) => (201, json!({})),
        _ => (422, refusal.clone()),
    }
}

#[test]
fn a_field_inside_a_known_one_is_sent_though_nobody_documented_it() {
    let world = taking(&json!({"type": "object", "properties": {"meta": {"type": "object"}}}));
    let refusal = json!({"detail": [{"loc": ["body", "meta", "site"], "msg": "Field required"}]});
    let found = first_success(&world, 12, wanting("/meta/site", &refusal));
    assert!(found.is_some_and(|round| round <= 1), "{found:?}");
}

#[test]
fn a_field_that_nobody_documented_is_sent() {
    let world = taking(&json!({"type": "object", "properties": {"name": {"type": "string"}}}));
    let refusal = json!({"detail": [{"loc": ["body", "site"], "msg": "Field required"}]});
    let found = first_success(&world, 12, wanting("/site", &refusal));
    assert!(found.is_some_and(|round| round <= 1), "{found:?}");
}

#[test]
fn values_that_a_refusal_names_are_tried() {
    let world = taking(
        &json!({"type": "object", "required": ["kind"], "properties": {
        "kind": {"type": "string"}}}),
    );
    let found = first_success(&world, 40, |body| match body["kind"].as_str() {
        Some("zebra" | "lemur") => (201, json!({})),
        _ => (
            422,
            json!({"detail": [{"loc": ["body", "kind"],
            "msg": "Input should be 'zebra' or 'lemur'"}]}),
        ),
    });
    assert!(found.is_some());
}

/// Nothing in the document says that a boss is a person; the database behind it does.
#[test]
fn a_reference_that_a_database_misses_is_made_first() {
    let posts = |required: &str| {
        let schema = json!({"type": "object", "required": [required],
            "properties": {required: {"type": "string"}}});
        let content = json!({"application/json": {"schema": schema}});
        json!({"post": {"requestBody": {"required": true, "content": content},
            "responses": {"201": {"description": "", "content": content}}}})
    };
    let paths = json!({"/people": posts("handle"), "/teams": posts("boss")});
    let world = World::of(paths, json!({}));
    let mut search = world.search(free(1));
    let mut people = BTreeSet::new();
    let rounds = play(&mut search, 12, |request| {
        let body: Value = serde_json::from_slice(&request.body).unwrap_or(Value::Null);
        if request.target == "/people" {
            people.insert(body["handle"].to_string());
            return (201, body);
        }
        if people.contains(&body["boss"].to_string()) {
            return (201, body);
        }
        let told = r#"Key (boss)=(?) is not present in table "hr_people"."#;
        (500, json!({ "detail": told }))
    });
    let staffed = |round: &Round| {
        let calls = round.script.calls.iter().map(|call| &*call.operation);
        calls.eq(["POST /people", "POST /teams"]) && round.statuses() == [201, 201]
    };
    assert!(rounds.iter().any(staffed), "a person was made for the team");
}

#[test]
fn the_last_refusal_is_kept_in_the_words_of_the_service() {
    let world = taking(&json!({"type": "object"}));
    let mut search = world.search(free(1));
    play(&mut search, 3, |_| {
        (400, json!({"detail": "not on a Sunday"}))
    });
    let refusal = search.refusal(world.index("POST /things"));
    assert!(refusal.is_some_and(|text| text.contains("not on a Sunday")));
}

/// Eleven operations share the run; one that only answers 404 gets less than half a share.
#[test]
fn operations_that_are_never_found_sink() {
    let world = World::workshop();
    let rounds = world.played(free(1), 2000);
    let late = &rounds[1000..];
    let calls: usize = late.iter().map(|round| round.statuses().len()).sum();
    let ghosts = |round: &&Round| world.subject(round) == "GET /ghosts/{ghost_id}";
    let wasted = late.iter().filter(ghosts).count();
    assert!(wasted * 22 < calls, "{wasted} of {calls}");
    assert!(wasted > 0, "but they never starve");
}

#[test]
fn names_are_made_anew_for_every_plan() {
    let world = World::workshop();
    let mut workshop = Workshop::new();
    workshop.unique_names = true;
    let mut search = world.search(free(2));
    let rounds = play(&mut search, 600, |request| workshop.answer(request));
    let mut names = Vec::new();
    let mut conflicts = 0;
    for round in rounds
        .iter()
        .filter(|round| round.proposal.way == Way::Handling)
    {
        let first = round.episode.exchanges.first().expect("something was sent");
        conflicts += usize::from(first.outcome.status() == Some(409));
        if &*round.script.calls[0].operation == "POST /projects" {
            names.push(sent(first)["name"].to_string());
        }
    }
    let distinct: BTreeSet<&String> = names.iter().collect();
    assert!(names.len() > 10, "{names:?}");
    assert_eq!(distinct.len(), names.len());
    assert_eq!(conflicts, 0);
}

/// Where a caller chooses a name, the same one stands wherever the thing is spoken of.
#[test]
fn a_name_is_the_same_wherever_it_stands_in_one_plan() {
    let thing = json!({"type": "object", "required": ["size"], "properties": {
        "size": {"type": "integer", "minimum": 1, "maximum": 9}}});
    let content = json!({"application/json": {"schema": thing}});
    let answers = json!({"200": {"description": "", "content": content}});
    let hole = json!({"name": "name", "in": "path", "required": true,
        "schema": {"type": "string", "minLength": 5, "maxLength": 12, "pattern": "^[a-z]+$"}});
    let world = World::of(
        json!({"/things/{name}": {
            "parameters": [hole],
            "put": {"requestBody": {"required": true, "content": content}, "responses": answers},
            "get": {"responses": answers},
        }}),
        json!({}),
    );
    let mut there = BTreeSet::new();
    let mut search = world.search(free(3));
    let rounds = play(&mut search, 400, |request| {
        let made = request.method.as_str() == "PUT";
        let new = made && there.insert(request.target.clone());
        match there.contains(&request.target) {
            true if new => (201, json!({"size": 1})),
            true => (200, json!({"size": 1})),
            false => (404, json!({})),
        }
    });
    let mut names = BTreeSet::new();
    let mut plans = 0;
    for round in rounds
        .iter()
        .filter(|round| round.proposal.way == Way::Handling)
    {
        let targets: BTreeSet<&str> = round
            .episode
            .exchanges
            .iter()
            .map(|exchange| exchange.request.target.as_str())
            .collect();
        assert_eq!(targets.len(), 1, "{targets:?}");
        names.extend(targets.into_iter().map(str::to_owned));
        plans += 1;
    }
    assert!(plans >= 3, "{plans}");
    assert_eq!(names.len(), plans, "another name for every plan");
}

#[test]
fn new_answers_are_new_targets_and_old_ones_are_not() {
    let world = taking(&json!({"type": "object"}));
    let mut search = world.search(free(1));
    play(&mut search, 5, |_| (201, json!({"id": 1})));
    let before = search.targets();
    assert!(before > 0);
    play(&mut search, 5, |_| (201, json!({"id": 1})));
    assert_eq!(search.targets(), before);
    play(&mut search, 1, |_| (409, json!({"id": 1})));
    assert!(search.targets() > before);
}

/// A declared value that is refused is contrasted with one that works, once for each place.
#[test]
fn a_refused_bound_is_looked_at_more_closely() {
    let world = World::workshop();
    let mut workshop = Workshop::new();
    let mut search = world.search(free(1));
    let rounds = play(&mut search, 600, |request| match request.target.as_str() {
        "/projects?limit=100" => (400, json!({"detail": "too many"})),
        _ => workshop.answer(request),
    });
    let contrasts: Vec<&Round> = rounds
        .iter()
        .filter(|round| round.proposal.way == Way::Contrast)
        .collect();
    assert_eq!(contrasts.len(), 1);
    assert_eq!(contrasts[0].statuses(), [200, 400]);
    assert_eq!(world.verbs(&contrasts[0].proposal.plan), "GET GET");
}

/// A number among others, and a service that says which thing it is the number of.
#[test]
fn a_reference_that_a_refusal_speaks_of_is_made_first() {
    let id = json!({"type": "integer"});
    let object =
        |name: &str| json!({"type": "object", "required": [name], "properties": {name: id}});
    let content = |schema: &Value| json!({"application/json": {"schema": schema}});
    let takes = |body: &Value, answer: &Value| {
        json!({"requestBody": {"required": true, "content": content(body)},
            "responses": {"201": {"description": "", "content": content(answer)}}})
    };
    let hole = json!([{"name": "id", "in": "path", "required": true, "schema": id}]);
    let paths = json!({
        "/articles": {"post": takes(&json!({"type": "object"}), &object("id"))},
        "/articles/{id}": {"parameters": hole, "get": {"responses": {}}},
        "/parcels": {"post": takes(&object("content"), &object("id"))},
    });
    let world = World::of(paths, json!({}));
    let mut search = world.search(free(1));
    let mut made = 100;
    let rounds = play(&mut search, 24, |request| {
        let body: Value = serde_json::from_slice(&request.body).unwrap_or(Value::Null);
        match request.target.as_str() {
            "/articles" => {
                made += 1;
                (201, json!({"id": made}))
            }
            "/parcels"
                if body["content"]
                    .as_i64()
                    .is_some_and(|id| (101..=made).contains(&id)) =>
            {
                (201, json!({"id": 1}))
            }
            "/parcels" => {
                let told = format!("article {} not found", body["content"]);
                (422, json!({ "detail": told }))
            }
            _ => (404, json!({"detail": "article not found"})),
        }
    });
    let packed = |round: &Round| {
        let calls = round.script.calls.iter().map(|call| &*call.operation);
        calls.eq(["POST /articles", "POST /parcels"]) && round.statuses() == [201, 201]
    };
    assert!(
        rounds.iter().any(packed),
        "an article was made for the parcel"
    );
}
