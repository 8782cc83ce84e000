//! Ways to meet a need that are worth a call of their own.

use serde_json::{Value, json};

use crate::desk::Desk;
use crate::schemas::RELAY;

fn alternatives(desk: &Desk, label: &str) -> Vec<String> {
    let found = desk.graph.alternatives(desk.index(label)).into_iter();
    let kind = |id| desk.api.types.get(id).name.to_string();
    found
        .map(|one| {
            format!(
                "{} {}",
                one.kind.map_or(String::new(), kind),
                desk.told(&one.edge)
            )
        })
        .collect()
}

#[test]
fn an_interface_is_looked_up_by_a_thing_of_each_of_its_types() {
    let desk = Desk::schema(RELAY);
    assert_eq!(
        alternatives(&desk, "query node"),
        [
            "Faction Creator mutation createFaction /data/createFaction/faction/id",
            "Ship Creator mutation introduceShip /data/introduceShip/ship/id",
        ]
    );
    assert_eq!(alternatives(&desk, "query ship"), Vec::<String>::new());
}

#[test]
fn a_union_is_looked_up_by_a_thing_of_each_of_its_types() {
    let desk = Desk::schema(
        "type Book { id: ID! } type Film { id: ID! } union Work = Book | Film
        type Query { work(id: ID!): Work films: [Film!]! }
        type Mutation { addBook(title: String!): Book! }",
    );
    let ways = alternatives(&desk, "query work");
    assert_eq!(
        ways,
        [
            "Book Creator mutation addBook /data/addBook/id",
            "Film Lister query films /data/films/0/id",
        ]
    );
}

fn gives(schema: &Value) -> Value {
    let content = json!({"application/json": {"schema": schema}});
    json!({"responses": {"200": {"description": "", "content": content}}})
}

fn user() -> Value {
    json!({"type": "object", "properties": {
        "id": {"type": "integer"}, "name": {"type": "string"}}})
}

fn people() -> Desk {
    let plain = || gives(&json!({"type": "object"}));
    let mut ends = plain();
    ends["parameters"] = json!([{"name": "user_id", "in": "query", "schema": {"type": "integer"}}]);
    Desk::of(&json!({
        "/users": {"post": gives(&user())},
        "/users/me": {"get": gives(&user())},
        "/users/{userId}": {"get": plain(), "put": plain(), "delete": plain()},
        "/users/{userId}/posts": {"get": plain(), "post": plain()},
        "/users/{userId}/ban": {"post": plain()},
        "/sessions": {"delete": ends},
        "/projects/{projectId}": {"get": plain()},
    }))
}

#[test]
fn where_a_user_is_named_the_caller_may_be() {
    let desk = people();
    let own = [" Caller GET /users/me /id"];
    assert_eq!(alternatives(&desk, "GET /users/{userId}"), own);
    assert_eq!(alternatives(&desk, "GET /users/{userId}/posts"), own);
    assert_eq!(alternatives(&desk, "POST /users/{userId}/posts"), own);
    // Users that were made come first.
    let best = desk.best("GET /users/{userId}", "userId");
    assert_eq!(best, "Creator POST /users /id");
}

#[test]
fn nothing_is_done_to_the_caller() {
    let desk = people();
    for label in [
        "PUT /users/{userId}",
        "DELETE /users/{userId}",
        "POST /users/{userId}/ban",
        "GET /projects/{projectId}",
        "DELETE /sessions",
    ] {
        assert_eq!(alternatives(&desk, label), Vec::<String>::new(), "{label}");
        let parameter = label.split(['{', '}']).nth(1).unwrap_or("user_id");
        let ways = desk.ways(label, parameter);
        let callers = ways.iter().filter(|way| way.starts_with("Caller"));
        assert_eq!(callers.count(), 0, "{label}");
    }
}

#[test]
fn a_list_of_users_is_not_the_caller() {
    let list = json!({"type": "array", "items": user()});
    let desk = Desk::of(&json!({
        "/account": {"get": gives(&list)},
        "/users/{userId}": {"get": gives(&user())},
    }));
    assert_eq!(
        alternatives(&desk, "GET /users/{userId}"),
        Vec::<String>::new()
    );
}

#[test]
fn what_an_answer_shows_of_the_caller_is_learned() {
    let mut desk = Desk::of(&json!({
        "/me": {"get": {"responses": {"200": {"description": ""}}}},
        "/users/{userId}": {"get": gives(&user())},
    }));
    let label = "GET /users/{userId}";
    assert_eq!(alternatives(&desk, label), Vec::<String>::new());
    let me = desk.index("GET /me");
    desk.graph
        .see(&desk.api, me, &json!({"id": 7, "name": "ada"}));
    assert_eq!(alternatives(&desk, label), [" Caller GET /me /id"]);
}
