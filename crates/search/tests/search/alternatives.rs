//! Needs met in other ways than the best one: things of every type, and the caller itself.

use std::collections::BTreeSet;

use fossick_contract::Method;
use fossick_search::Way;
use fossick_trace::Request;
use serde_json::{Value, json};

use crate::play::{Round, World, free, play};
use crate::workshop::{Reply, missing};

const MUSEUM: &str = "interface Node { id: ID! }
    type Room implements Node { id: ID! floor: Int }
    type Vase implements Node { id: ID! age: Int }
    type Coin implements Node { id: ID! metal: String }
    type Query { node(id: ID!): Node }
    type Mutation { addRoom(floor: Int!): Room! addVase(age: Int!): Vase!
        addCoin(metal: String!): Coin! }";

fn museum(request: &Request) -> Reply {
    let body: Value = serde_json::from_slice(&request.body).unwrap_or(Value::Null);
    let query = body["query"].as_str().unwrap_or("");
    let made = ["Room", "Vase", "Coin"];
    let made = made
        .into_iter()
        .find(|name| query.contains(&format!("add{name}")));
    let data = match made {
        Some(name) => json!({ format!("add{name}"): {"id": name} }),
        None => json!({"node": {"id": body["variables"]["id"], "__typename": "Room"}}),
    };
    (200, json!({ "data": data }))
}

/// The body of the main call as it went out.
fn sent(round: &Round) -> Value {
    let exchange = round.episode.exchanges.last().expect("a call");
    serde_json::from_slice(&exchange.request.body).unwrap_or(Value::Null)
}

#[test]
fn things_of_every_type_are_looked_up_and_asked_for_what_they_have() {
    let world = World::document("schema.graphql", MUSEUM.to_owned());
    let mut search = world.search(free(1));
    let rounds = play(&mut search, 120, museum);
    let through = rounds.iter().filter(|r| r.proposal.way == Way::Through);
    let mut looked_up = BTreeSet::new();
    for round in through {
        assert_eq!(world.subject(round), "query node");
        let body = sent(round);
        let id = body["variables"]["id"].as_str().unwrap_or("").to_owned();
        let query = body["query"].as_str().unwrap_or("");
        assert!(query.contains(&format!("... on {id}")), "{id}: {query}");
        looked_up.insert(id);
    }
    let all = ["Coin", "Room", "Vase"].map(str::to_owned);
    assert_eq!(looked_up, BTreeSet::from(all));
}

fn people() -> World {
    let id = json!({"type": "integer"});
    let user = json!({"type": "object", "properties": {"id": id, "name": {"type": "string"}}});
    let content = json!({"application/json": {"schema": user}});
    let gives = json!({"responses": {"200": {"description": "", "content": content}}});
    let hole = json!({"name": "userId", "in": "path", "required": true, "schema": id});
    let owner = json!({"name": "owner_id", "in": "query", "schema": id});
    let mut makes = gives.clone();
    makes["requestBody"] = json!({"required": true, "content": {"application/json": {"schema":
        {"type": "object", "required": ["name"], "properties": {"name": {"type": "string"}}}}}});
    let mut lists = gives.clone();
    lists["parameters"] = json!([owner]);
    World::of(
        json!({
            "/users": {"post": makes},
            "/users/me": {"get": gives},
            "/users/{userId}": {"parameters": [hole], "get": gives, "put": makes, "delete": gives},
            "/projects": {"get": lists},
        }),
        json!({}),
    )
}

const ME: u64 = 7;

#[test]
fn where_a_user_is_named_the_caller_is_tried_too_and_left_unharmed() {
    let world = people();
    let mut last = 100;
    let mut touched = BTreeSet::new();
    let service = |request: &Request| -> Reply {
        let target = request.target.as_str();
        if target.contains(&format!("/users/{ME}")) || target.contains(&format!("owner_id={ME}")) {
            touched.insert((request.method, target.to_owned()));
        }
        match (request.method, target) {
            (Method::Post, "/users") => {
                last += 1;
                (200, json!({"id": last, "name": "x"}))
            }
            (Method::Get, "/users/me") => (200, json!({"id": ME, "name": "me"})),
            (Method::Get, "/projects") => (200, json!({})),
            (Method::Get, target) if target.starts_with("/projects") => (200, json!({})),
            (_, target) if target.starts_with("/users/") => (200, json!({"id": 1, "name": "x"})),
            _ => missing(),
        }
    };
    let mut search = world.search(free(1));
    let rounds = play(&mut search, 300, service);
    let through = rounds.iter().filter(|r| r.proposal.way == Way::Through);
    let subjects: BTreeSet<&str> = through.map(|round| world.subject(round)).collect();
    let expected = ["GET /projects", "GET /users/{userId}"];
    assert_eq!(subjects, BTreeSet::from(expected));
    assert!(touched.contains(&(Method::Get, format!("/users/{ME}"))));
    assert!(touched.contains(&(Method::Get, format!("/projects?owner_id={ME}"))));
    let harmed = touched.iter().filter(|(method, _)| *method != Method::Get);
    assert_eq!(harmed.count(), 0);
}
