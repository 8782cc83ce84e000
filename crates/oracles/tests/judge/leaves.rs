//! F303 around other things, F309 and F311: what a write leaves that it should not.

use serde_json::{Value, json};

use crate::story::{Story, World};

fn shop() -> World {
    let any = json!({"description": "", "content": {"application/json": {}}});
    let operation = || json!({"responses": {"default": any}});
    let hole = |name: &str| json!({"name": name, "in": "path", "required": true, "schema": {"type": "string"}});
    let item = |name: &str| {
        json!({
            "parameters": [hole(name)],
            "get": operation(), "put": operation(), "patch": operation(), "delete": operation(),
        })
    };
    World::of(json!({
        "/articles": {"get": operation(), "post": operation()},
        "/articles/{id}": item("id"),
        "/orders": {"get": operation(), "post": operation()},
        "/orders/{id}": item("id"),
        "/orders/{id}/place": {"parameters": [hole("id")], "post": operation()},
        "/audit": {"get": operation()},
    }))
}

fn article(id: u32, sku: &str, stock: u32) -> Value {
    json!({"id": id, "sku": sku, "stock": stock, "updatedAt": stock})
}

fn made(world: &World) -> Story<'_> {
    let sent = json!({"sku": "hammer-16", "stock": 40});
    world
        .story()
        .call("POST", "/articles", sent, 201, article(1, "hammer-16", 40))
}

const WHY: &str = "either a supplier or a price must be given";

#[test]
fn what_a_refused_creation_left_in_its_list_is_told() {
    let world = shop();
    // It does not matter whether the list was asked for that very text.
    for list in ["/articles?limit=50", "/articles?q=saw-9x7k2"] {
        let left = json!({"items": [{"id": 4, "sku": "saw-9x7k2"}], "total": 1});
        let found = world
            .story()
            .get(list, 200, json!({"items": [], "total": 0}))
            .call(
                "POST",
                "/articles",
                json!({"sku": "saw-9x7k2"}),
                422,
                json!({"error": WHY}),
            )
            .get(list, 200, left)
            .one("F303");
        assert_eq!(found.operation, "POST /articles");
        assert_eq!((found.call, found.evidence.calls), (2, vec![0, 1]));
        assert!(found.title.contains("saw-9x7k2"), "{}", found.title);
    }
}

#[test]
fn lists_that_grow_without_the_refused_call() {
    let world = shop();
    let refused = |before: Value, sku: &str, after: Value| {
        world
            .story()
            .get("/articles", 200, before)
            .call(
                "POST",
                "/articles",
                json!({ "sku": sku }),
                422,
                json!({"error": WHY}),
            )
            .get("/articles", 200, after)
            .silent("F303");
    };
    let saw = json!([{"id": 4, "sku": "saw-9x7k2"}]);
    refused(json!([]), "drill-1", saw.clone());
    refused(saw.clone(), "saw-9x7k2", saw.clone());
    refused(json!([]), "saw", json!([{"id": 4, "sku": "saw"}]));
    // Another call sent the same.
    made(&world)
        .get("/articles", 200, json!([]))
        .call(
            "POST",
            "/articles",
            json!({"sku": "hammer-16"}),
            409,
            json!({"error": "taken"}),
        )
        .get("/articles", 200, json!([article(1, "hammer-16", 40)]))
        .silent("F303");
    // A journal tells what was tried.
    world
        .story()
        .get("/audit", 200, json!([]))
        .call(
            "POST",
            "/articles",
            json!({"sku": "saw-9x7k2"}),
            422,
            json!({"error": WHY}),
        )
        .get("/audit", 200, json!([{"id": 4, "sku": "saw-9x7k2"}]))
        .silent("F303");
}

fn refused_place(world: &World, stock: u32, between: bool) -> Story<'_> {
    let order = json!({"id": 9, "lines": [{"articleId": 1}]});
    let story = made(world)
        .call(
            "POST",
            "/orders",
            json!({"lines": [{"articleId": 1}]}),
            201,
            order,
        )
        .get("/articles/1", 200, article(1, "hammer-16", 40))
        .call(
            "POST",
            "/orders/9/place",
            Value::Null,
            409,
            json!({"error": "no stock"}),
        );
    let story = if between {
        story.call("POST", "/orders", json!({}), 201, json!({"id": 10}))
    } else {
        story
    };
    story.get("/articles/1", 200, article(1, "hammer-16", stock))
}

#[test]
fn what_a_refused_action_changed_elsewhere_is_told() {
    let world = shop();
    let found = refused_place(&world, 39, false).one("F303");
    assert_eq!(found.operation, "POST /orders/{id}/place");
    assert!(found.title.contains("/stock"), "{}", found.title);
}

#[test]
fn refused_actions_that_changed_nothing_that_is_known() {
    let world = shop();
    refused_place(&world, 40, false).silent("F303");
    refused_place(&world, 39, true).silent("F303");
    // It is not ours: others may have changed it.
    world
        .story()
        .get("/articles/1", 200, article(1, "hammer-16", 40))
        .call("POST", "/orders/9/place", Value::Null, 409, json!({}))
        .get("/articles/1", 200, article(1, "hammer-16", 39))
        .silent("F303");
}

#[test]
fn an_answer_that_a_read_does_not_confirm_is_told() {
    let world = shop();
    let sent = json!({"sku": "hammer-16", "stock": 40});
    let found = world
        .story()
        .call("POST", "/articles", sent, 201, article(1, "hammer-16", 40))
        .get("/articles/1", 200, article(1, "hammer-16", 4))
        .one("F309");
    assert_eq!(found.title, "stock was answered as 40 and is read as 4");
    assert_eq!(
        (found.call, found.operation.as_str()),
        (1, "POST /articles")
    );
}

#[test]
fn what_a_service_says_by_itself_must_hold_as_well() {
    let world = shop();
    let told = json!({"id": 1, "sku": "hammer-16", "stock": 10});
    let found = world
        .story()
        .call("POST", "/articles", json!({"sku": "hammer-16"}), 201, told)
        .get("/articles/1", 200, article(1, "hammer-16", 4))
        .one("F309");
    assert_eq!(found.title, "stock was answered as 10 and is read as 4");
}

#[test]
fn answers_and_reads_that_agree_in_meaning() {
    let world = shop();
    let silent = |sent: Value, told: Value, read: Value| {
        world
            .story()
            .call("POST", "/articles", sent, 201, told)
            .get("/articles/1", 200, read)
            .silent("F309");
    };
    let pairs = [
        (json!({"sku": "Saw "}), json!({"sku": "saw"})),
        (json!({"price": 1.005}), json!({"price": 1.0})),
        (
            json!({"from": "2025-01-02T10:00:00Z"}),
            json!({"from": "2025-01-02T11:00:00+01:00"}),
        ),
        (json!({"text": "<b>bold</b>!"}), json!({"text": "bbold"})),
        (
            json!({"card": "4111111111111111"}),
            json!({"card": "************1111"}),
        ),
        (json!({"views": 1}), json!({"views": 2})),
        (json!({"note": "x"}), json!({"note": null})),
        (json!({"ownerId": 3}), json!({"ownerId": 4})),
    ];
    for (sent, read) in pairs {
        let mut told = sent.clone();
        told["id"] = json!(1);
        let mut read = read;
        read["id"] = json!(1);
        silent(sent, told, read);
    }
    // What goes on by itself may have gone on.
    silent(
        json!({"stock": 40}),
        json!({"id": 1, "status": "queued"}),
        json!({"id": 1, "status": "done"}),
    );
    // Another thing.
    silent(
        json!({"stock": 40}),
        json!({"id": 2, "stock": 40}),
        json!({"id": 1, "stock": 5}),
    );
    // Changed in between.
    made(&world)
        .call(
            "PATCH",
            "/articles/1",
            json!({"stock": 5}),
            200,
            article(1, "hammer-16", 5),
        )
        .get("/articles/1", 200, article(1, "hammer-16", 5))
        .silent("F309");
}

/// One article has the key, another does not, a third is refused for it.
fn refused_third(world: &World, status: u16) -> Story<'_> {
    let second = json!({"sku": "bolt-m8", "stock": 40});
    let third = json!({"sku": "hammer-16", "stock": 40});
    made(world)
        .call("POST", "/articles", second, 201, article(2, "bolt-m8", 40))
        .call(
            "POST",
            "/articles",
            third,
            status,
            json!({"error": "sku is taken"}),
        )
}

#[test]
fn an_update_that_takes_a_taken_key_is_told() {
    let world = shop();
    let found = refused_third(&world, 409)
        .call(
            "PATCH",
            "/articles/2",
            json!({"sku": "hammer-16"}),
            200,
            article(2, "hammer-16", 40),
        )
        .get("/articles/2", 200, article(2, "hammer-16", 40))
        .one("F311");
    assert_eq!(found.operation, "PATCH /articles/{id}");
    assert_eq!((found.call, found.evidence.calls), (4, vec![0, 2, 3]));
}

#[test]
fn updates_that_take_nothing_from_anybody() {
    let world = shop();
    let patch = |story: Story<'_>, id: u32, status: u16, read: &str| {
        story
            .call(
                "PATCH",
                &format!("/articles/{id}"),
                json!({"sku": "hammer-16"}),
                status,
                article(id, read, 40),
            )
            .get(&format!("/articles/{id}"), 200, article(id, read, 40))
            .silent("F311");
    };
    patch(refused_third(&world, 409), 1, 200, "hammer-16");
    patch(refused_third(&world, 409), 2, 409, "bolt-m8");
    patch(refused_third(&world, 409), 2, 200, "bolt-m8");
    patch(refused_third(&world, 201), 2, 200, "hammer-16");
    let freed =
        refused_third(&world, 409).call("DELETE", "/articles/1", Value::Null, 204, Value::Null);
    patch(freed, 2, 200, "hammer-16");
    let renamed = refused_third(&world, 409).call(
        "PATCH",
        "/articles/1",
        json!({"sku": "axe"}),
        200,
        article(1, "axe", 40),
    );
    patch(renamed, 2, 200, "hammer-16");
}
