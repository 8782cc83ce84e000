//! Telling values in what is made beforehand, and what comes of them later.

use std::collections::BTreeSet;

use fossick_contract::Method;
use fossick_search::Way;
use fossick_trace::{Intent, Request, Role};
use serde_json::{Value, json};

use crate::play::{Round, World, free, play};
use crate::workshop::{Reply, missing};

fn prepared<'r>(world: &World, rounds: &'r [Round], label: &str) -> Vec<&'r Round> {
    let wanted = |r: &&Round| r.proposal.way == Way::Beforehand && world.subject(r) == label;
    rounds.iter().filter(wanted).collect()
}

/// The places of telling values before the main call.
fn places(rounds: &[&Round]) -> BTreeSet<String> {
    let steps = rounds.iter().flat_map(|round| &round.proposal.plan.steps);
    steps
        .filter_map(|step| step.intent.place().map(str::to_owned))
        .collect()
}

#[test]
fn lists_are_read_after_something_telling_was_put_into_them() {
    let world = World::workshop();
    let rounds = world.played(free(1), 3000);
    let lists = prepared(&world, &rounds, "GET /projects");
    assert!((10..=60).contains(&lists.len()), "{}", lists.len());
    for round in &lists {
        assert_eq!(world.verbs(&round.proposal.plan), "POST GET");
        let [made, list] = round.proposal.plan.steps.as_slice() else {
            panic!("two calls");
        };
        assert!(
            matches!(made.intent, Intent::Edge { .. }),
            "{:?}",
            made.intent
        );
        assert_eq!((made.role, list.role), (Role::Setup, Role::Main));
        assert_eq!(list.intent, Intent::Valid);
        assert_eq!(round.statuses(), [201, 200]);
    }
    let named = ["body /kind", "body /name", "body /size"].map(str::to_owned);
    assert_eq!(places(&lists), BTreeSet::from(named));
}

#[test]
fn operations_work_on_what_was_made_with_telling_values() {
    let world = World::workshop();
    let rounds = world.played(free(2), 3000);
    let tasks = prepared(&world, &rounds, "GET /projects/{project_id}/tasks");
    assert!(places(&tasks).contains("body /size"), "of the project");
    assert!(places(&tasks).contains("body /title"), "of a task in it");
    // Whoever reads back what was made has seen all of it already.
    assert_eq!(
        prepared(&world, &rounds, "GET /projects/{project_id}").len(),
        0
    );
}

#[test]
fn an_operation_has_its_own_values_first() {
    let world = World::workshop();
    let rounds = world.played(free(3), 3000);
    for label in ["GET /projects", "PATCH /projects/{project_id}"] {
        let own = |round: &&Round| world.subject(round) == label;
        let turns: Vec<&Round> = rounds.iter().filter(own).collect();
        let is_later = |round: &&Round| round.proposal.way == Way::Beforehand;
        let first = turns.iter().position(is_later).expect(label);
        assert!(first > 16, "{label}: {first}");
    }
}

/// Tags go by the names that their makers choose.
#[test]
fn a_name_of_the_callers_choice_is_carried_on() {
    let name = json!({"type": "string", "minLength": 1, "maxLength": 30});
    let body = json!({"type": "object", "required": ["name"], "properties": {
        "name": name, "note": {"type": "string"}}});
    let content = json!({"application/json": {"schema": body}});
    let hole = json!({"name": "name", "in": "path", "required": true, "schema": name});
    let answers = json!({"204": {"description": ""}});
    let world = World::of(
        json!({
            "/tags": {"post": {"requestBody": {"required": true, "content": content},
                "responses": {"201": {"description": ""}}}},
            "/tags/{name}": {"delete": {"parameters": [hole], "responses": answers}},
        }),
        json!({}),
    );
    let mut tags: BTreeSet<String> = BTreeSet::new();
    let service = |request: &Request| -> Reply {
        let body: Value = serde_json::from_slice(&request.body).unwrap_or(Value::Null);
        match (request.method, request.target.strip_prefix("/tags/")) {
            (Method::Post, None) => {
                tags.insert(escaped(body["name"].as_str().unwrap_or("")));
                (201, json!({}))
            }
            (Method::Delete, Some(name)) if tags.remove(name) => (204, Value::Null),
            _ => missing(),
        }
    };
    let mut search = world.search(free(1));
    let rounds = play(&mut search, 600, service);
    let removals = prepared(&world, &rounds, "DELETE /tags/{name}");
    assert!(places(&removals).contains("body /name"));
    for round in removals {
        assert_eq!(round.statuses(), [201, 204], "{:?}", round.script.calls);
    }
}

fn escaped(text: &str) -> String {
    let plain = |b: u8| b.is_ascii_alphanumeric() || b"-._~".contains(&b);
    let write = |b: u8| {
        if plain(b) {
            char::from(b).to_string()
        } else {
            format!("%{b:02X}")
        }
    };
    text.bytes().map(write).collect()
}

const LIBRARY: &str = "type Book { id: ID! title: String! shelf: String pages: Int }
    input NewBook { title: String! shelf: String pages: Int }
    type Query { book(id: ID!): Book books: [Book!]! }
    type Mutation { addBook(book: NewBook!): Book! removeBook(id: ID!): Book }";

#[test]
fn graphql_asks_for_the_field_that_was_filled() {
    let world = World::document("schema.graphql", LIBRARY.to_owned());
    let mut search = world.search(free(1));
    let service = |request: &Request| -> Reply {
        let body: Value = serde_json::from_slice(&request.body).unwrap_or(Value::Null);
        let query = body["query"].as_str().unwrap_or("");
        let book = json!({"id": "b-1", "title": "x"});
        let field = ["addBook", "removeBook", "books"];
        let field = field.into_iter().find(|name| query.contains(*name));
        let data = match field {
            Some("books") => json!({"books": [book]}),
            Some(name) => json!({ name: book }),
            None => json!({"book": book}),
        };
        (200, json!({ "data": data }))
    };
    let rounds = play(&mut search, 900, service);
    let lists = prepared(&world, &rounds, "query books");
    assert!(lists.len() > 10, "{}", lists.len());
    for round in lists {
        let made = &round.proposal.plan.steps[0];
        let place = made.intent.place().expect("it is telling");
        let name = place.rsplit('.').next().unwrap_or("");
        let ask = round
            .main()
            .ask
            .as_ref()
            .and_then(|ask| ask.selection.as_ref());
        let selection = ask.expect("a selection");
        assert!(selection.asks_for(&world.api.types, &[name]), "{place}");
    }
}
