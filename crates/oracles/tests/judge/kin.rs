//! F315, and F303 of what hangs under a thing: deletions that others should notice, or should not.

use serde_json::{Value, json};

use crate::story::{Story, World};

/// Boards with cards under them, and labels that refer to a board.
fn boards() -> World {
    let any = json!({"description": "", "content": {"application/json": {}}});
    let operation = || json!({"responses": {"default": any}});
    let hole = |name: &str| json!({"name": name, "in": "path", "required": true, "schema": {"type": "string"}});
    let item = |holes: &[&str]| {
        let holes: Vec<Value> = holes.iter().map(|name| hole(name)).collect();
        json!({"parameters": holes, "get": operation(), "delete": operation()})
    };
    World::of(json!({
        "/boards": {"get": operation(), "post": operation()},
        "/boards/{id}": item(&["id"]),
        "/boards/{id}/cards": {"parameters": [hole("id")], "get": operation(), "post": operation()},
        "/boards/{id}/cards/{card}": item(&["id", "card"]),
        "/boards/{id}/events": {"parameters": [hole("id")], "get": operation()},
        "/labels": {"post": operation()},
        "/labels/{id}": item(&["id"]),
    }))
}

fn board(world: &World) -> Story<'_> {
    let made = json!({"id": 1, "name": "x"});
    world.story().call("POST", "/boards", json!({}), 201, made)
}

/// A card comes and goes, and the board is shown before, in between and after.
fn card_seen_by<'w>(world: &'w World, [before, between, after]: [&Value; 3]) -> Story<'w> {
    let shown = |value: &Value| {
        let mut all = value.clone();
        all["id"] = json!(1);
        all
    };
    board(world)
        .get("/boards/1", 200, shown(before))
        .call("POST", "/boards/1/cards", json!({}), 201, json!({"id": 5}))
        .get("/boards/1", 200, shown(between))
        .call("DELETE", "/boards/1/cards/5", Value::Null, 204, Value::Null)
        .get("/boards/1/cards/5", 404, json!({}))
        .get("/boards/1", 200, shown(after))
}

#[test]
fn a_board_that_goes_on_counting_a_deleted_card_is_told() {
    let world = boards();
    let (none, one) = (json!({"cardCount": 0}), json!({"cardCount": 1}));
    let found = card_seen_by(&world, [&none, &one, &one]).one("F315");
    assert_eq!(found.operation, "DELETE /boards/{id}/cards/{card}");
    assert_eq!(
        found.title,
        "/cardCount is still 1 after DELETE answered 204"
    );
    assert_eq!(found.call, 6);
}

#[test]
fn numbers_inside_are_looked_at_and_so_is_what_falls() {
    let world = boards();
    let stats = |n: u32| json!({"stats": {"open": n}});
    card_seen_by(&world, [&stats(2), &stats(3), &stats(3)]).one("F315");
    let room = |n: u32| json!({"room": n});
    card_seen_by(&world, [&room(9), &room(8), &room(8)]).one("F315");
}

#[test]
fn a_number_that_is_taken_back_or_never_is_by_its_name_is_right() {
    let world = boards();
    let silent = |name: &str, shown: [u32; 3]| {
        let [a, b, c] = shown.map(|n| json!({ name: n }));
        card_seen_by(&world, [&a, &b, &c]).silent("F315");
    };
    silent("cardCount", [0, 1, 0]);
    silent("cardCount", [4, 4, 4]);
    // Some of it was taken back: somebody else may be at work.
    silent("cardCount", [0, 3, 2]);
    for name in ["version", "totalCreated", "nextNumber", "updatedAt"] {
        silent(name, [0, 1, 1]);
    }
}

#[test]
fn a_card_that_is_still_there_may_be_counted() {
    let world = boards();
    let after_look = |status: u16, answer: u16| {
        let shown = |n: u32| json!({"id": 1, "cardCount": n});
        board(&world)
            .get("/boards/1", 200, shown(0))
            .call("POST", "/boards/1/cards", json!({}), 201, json!({"id": 5}))
            .get("/boards/1", 200, shown(1))
            .call(
                "DELETE",
                "/boards/1/cards/5",
                Value::Null,
                status,
                Value::Null,
            )
            .get("/boards/1/cards/5", answer, json!({"id": 5}))
            .get("/boards/1", 200, shown(1))
            .silent("F315");
    };
    // Refused, put off, and hidden only.
    after_look(409, 200);
    after_look(202, 404);
    after_look(204, 200);
}

#[test]
fn another_write_in_between_explains_the_number() {
    let world = boards();
    let shown = |n: u32| json!({"id": 1, "cardCount": n});
    board(&world)
        .get("/boards/1", 200, shown(0))
        .call("POST", "/boards/1/cards", json!({}), 201, json!({"id": 5}))
        .get("/boards/1", 200, shown(1))
        .call("DELETE", "/boards/1/cards/5", Value::Null, 204, Value::Null)
        .call("POST", "/boards/1/cards", json!({}), 201, json!({"id": 6}))
        .get("/boards/1/cards/5", 404, json!({}))
        .get("/boards/1", 200, shown(1))
        .silent("F315");
}

/// What is referred to may be used up for good; it is not counted for good.
#[test]
fn what_a_label_refers_to_may_be_used_up() {
    let world = boards();
    let label = |shown: [u32; 3]| {
        let [a, b, c] = shown.map(|n| json!({"id": 1, "labels": n}));
        let made = json!({"id": 8, "boardId": 1});
        board(&world)
            .get("/boards/1", 200, a)
            .call("POST", "/labels", json!({"boardId": 1}), 201, made)
            .get("/boards/1", 200, b)
            .call("DELETE", "/labels/8", Value::Null, 204, Value::Null)
            .get("/labels/8", 404, json!({}))
            .get("/boards/1", 200, c)
    };
    label([5, 4, 4]).silent("F315");
    label([5, 6, 6]).one("F315");
}

/// A board whose deletion is answered so, with looks at a list under it.
fn kept_board<'w>(world: &'w World, list: &str, status: u16, sizes: [usize; 2]) -> Story<'w> {
    let shown = |n: usize| Value::from((0..n).map(|id| json!({"id": id})).collect::<Vec<_>>());
    board(world)
        .get("/boards/1", 200, json!({"id": 1}))
        .get(list, 200, shown(sizes[0]))
        .call("DELETE", "/boards/1", Value::Null, status, json!({}))
        .get("/boards/1", 200, json!({"id": 1}))
        .get(list, 200, shown(sizes[1]))
}

#[test]
fn a_refused_deletion_that_took_the_children_is_told() {
    let world = boards();
    let found = kept_board(&world, "/boards/1/cards", 409, [2, 0]).one("F303");
    assert_eq!(
        found.title,
        "DELETE took 2 of 2 from GET /boards/{id}/cards although it answered 409"
    );
    assert_eq!(found.operation, "DELETE /boards/{id}");
}

#[test]
fn children_that_stay_or_go_with_their_board_are_right() {
    let world = boards();
    kept_board(&world, "/boards/1/cards", 409, [2, 2]).silent("F303");
    kept_board(&world, "/boards/1/cards", 409, [2, 3]).silent("F303");
    kept_board(&world, "/boards/1/cards", 204, [2, 0]).silent("F303");
    // Journals forget, and the list of all boards is anybody's.
    kept_board(&world, "/boards/1/events", 409, [2, 1]).silent("F303");
    kept_board(&world, "/boards", 409, [2, 1]).silent("F303");
}

/// Others may take away what is not the episode's own.
#[test]
fn children_of_a_board_that_was_there_before_are_not_judged() {
    let world = boards();
    world
        .story()
        .get("/boards/1/cards", 200, json!([{"id": 5}]))
        .call("DELETE", "/boards/1", Value::Null, 409, json!({}))
        .get("/boards/1/cards", 200, json!([]))
        .silent("F303");
}
