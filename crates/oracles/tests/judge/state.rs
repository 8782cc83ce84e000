//! F301, F302 and F306 to F308: what is there, what is not, and what should not be.

use fossick_trace::{Finding, Intent, Severity};
use serde_json::{Value, json};

use crate::story::{Story, World, desk, stranger};

fn deleted(world: &World) -> Story<'_> {
    world
        .story()
        .call("DELETE", "/projects/7", Value::Null, 204, Value::Null)
}

#[test]
fn what_is_served_after_it_was_deleted_is_told() {
    let world = desk();
    let found = deleted(&world)
        .get(
            "/projects/7",
            200,
            json!({"id": 7, "name": "x", "tags": []}),
        )
        .one("F301");
    assert_eq!(found.title, "200 after DELETE answered 204");
    assert_eq!(found.operation, "GET /projects/{id}");
    assert_eq!((found.call, found.severity), (1, Severity::High));
}

#[test]
fn what_is_gone_is_gone() {
    let world = desk();
    for status in [301, 404, 410, 500] {
        deleted(&world)
            .get("/projects/7", status, json!({}))
            .silent("F301");
    }
    deleted(&world)
        .get("/projects/8", 200, json!({"id": 8}))
        .silent("F301");
}

#[test]
fn a_second_deletion_brings_nothing_back() {
    let world = desk();
    let found = deleted(&world)
        .call("DELETE", "/projects/7", Value::Null, 404, json!({}))
        .get(
            "/projects/7",
            200,
            json!({"id": 7, "name": "x", "tags": []}),
        )
        .one("F301");
    assert_eq!(
        (found.call, found.title.as_str()),
        (2, "200 after DELETE answered 204")
    );
    deleted(&world)
        .call(
            "PUT",
            "/projects/7",
            json!({"name": "x"}),
            200,
            json!({"id": 7}),
        )
        .get(
            "/projects/7",
            200,
            json!({"id": 7, "name": "x", "tags": []}),
        )
        .silent("F301");
}

#[test]
fn tombstones_are_honest() {
    let world = desk();
    for body in [
        json!({"id": 7, "deleted": true}),
        json!({"id": 7, "deletedAt": "2024-05-17T10:30:00Z"}),
        json!({"data": {"id": 7, "is_deleted": 1}}),
        json!({"project": {"id": 7, "archived": true}}),
        json!({"id": 7, "status": "DELETED"}),
        json!({"id": 7, "state": "archived"}),
    ] {
        deleted(&world).get("/projects/7", 200, body).silent("F301");
    }
}

#[test]
fn a_thing_that_says_it_is_not_deleted_is_no_tombstone() {
    let world = desk();
    for body in [
        json!({"id": 7, "deleted": false}),
        json!({"id": 7, "deleted_at": null, "status": "open"}),
        json!({"id": 7, "active": false}),
    ] {
        let story = deleted(&world).get("/projects/7", 200, body.clone());
        assert_eq!(story.heard("F301").len(), 1, "{body}");
    }
}

#[test]
fn a_deletion_may_switch_a_thing_off() {
    let world = desk();
    world
        .story()
        .call(
            "POST",
            "/projects",
            json!({}),
            201,
            json!({"id": 7, "active": true}),
        )
        .call("DELETE", "/projects/{0/id}", Value::Null, 204, Value::Null)
        .get("/projects/{0/id}", 200, json!({"id": 7, "active": false}))
        .silent("F301");
}

#[test]
fn an_answer_with_nothing_in_it_serves_nothing() {
    let world = desk();
    for body in [
        Value::Null,
        json!([]),
        json!({"items": [], "total": 0}),
        json!({"data": null}),
        json!({"error": "no such project"}),
    ] {
        deleted(&world).get("/projects/7", 200, body).silent("F301");
    }
    deleted(&world)
        .get("/projects/7", 204, Value::Null)
        .silent("F301");
}

#[test]
fn a_deletion_that_is_not_done_yet_is_none() {
    let world = desk();
    let there = json!({"id": 7});
    for (target, status) in [
        ("/projects/7", 202),
        ("/projects/7", 404),
        ("/projects/7?dryRun=true", 200),
        ("/projects/7?dry_run=1", 200),
    ] {
        world
            .story()
            .call("DELETE", target, Value::Null, status, Value::Null)
            .get("/projects/7", 200, there.clone())
            .silent("F301");
    }
    world
        .story()
        .call(
            "DELETE",
            "/projects/7?dry_run=false",
            Value::Null,
            204,
            Value::Null,
        )
        .get("/projects/7", 200, there)
        .one("F301");
}

#[test]
fn an_emptied_collection_may_be_served() {
    let world = desk();
    world
        .story()
        .call("DELETE", "/projects/7/tasks", Value::Null, 204, Value::Null)
        .get("/projects/7/tasks", 200, json!([{"id": 1}]))
        .silent("F301");
}

#[test]
fn what_was_made_again_may_be_served() {
    let world = desk();
    let there = json!({"id": 7});
    deleted(&world)
        .call("PUT", "/projects/7", json!({}), 200, there.clone())
        .get("/projects/7", 200, there.clone())
        .silent("F301");
    deleted(&world)
        .call("POST", "/projects", json!({"id": 7}), 201, there.clone())
        .get("/projects/7", 200, there.clone())
        .silent("F301");
    deleted(&world)
        .get("/projects/7?include_deleted=true", 200, there)
        .silent("F301");
}

fn created(world: &World, status: u16) -> Story<'_> {
    let made = json!({"id": 7});
    world
        .story()
        .call("POST", "/projects", json!({"name": "x"}), status, made)
}

#[test]
fn what_is_absent_right_after_it_was_created_is_told() {
    let world = desk();
    for status in [404, 410] {
        let found = created(&world, 201)
            .get("/projects/{0/id}", status, json!({}))
            .checking()
            .one("F302");
        let title = format!("{status} right after POST /projects answered 201");
        assert_eq!(found.title, title);
    }
}

#[test]
fn what_was_put_at_a_path_must_be_there() {
    let world = desk();
    world
        .story()
        .call("PUT", "/projects/mine", json!({}), 201, json!({}))
        .get("/projects/mine", 404, json!({}))
        .checking()
        .one("F302");
}

#[test]
fn what_can_be_read_is_not_absent() {
    let world = desk();
    for status in [200, 401, 403, 429, 500] {
        created(&world, 201)
            .get("/projects/{0/id}", status, json!({}))
            .checking()
            .silent("F302");
    }
}

#[test]
fn what_is_kept_from_others_need_not_be_there_for_all() {
    let world = desk();
    let heard = |sent: Value| {
        let made = json!({"id": 7, "name": "x"});
        let story = world.story().call("POST", "/projects", sent, 201, made);
        let story = story.get("/projects/{0/id}", 404, json!({}));
        story.checking().heard("F302").len()
    };
    assert_eq!(heard(json!({"name": "x", "private": true})), 0);
    assert_eq!(heard(json!({"name": "x", "private": false})), 1);
    assert_eq!(heard(json!({"name": "x", "large": true})), 1);
}

#[test]
fn what_was_refused_deferred_or_deleted_need_not_be_there() {
    let world = desk();
    for status in [202, 400, 409] {
        created(&world, status)
            .get("/projects/{0/id}", 404, json!({}))
            .checking()
            .silent("F302");
    }
    created(&world, 201)
        .call("DELETE", "/projects/{0/id}", Value::Null, 204, Value::Null)
        .get("/projects/{0/id}", 404, json!({}))
        .checking()
        .silent("F302");
}

/// Only the end of a path names what is read.
#[test]
fn what_is_absent_under_something_created_was_perhaps_never_there() {
    let world = desk();
    created(&world, 201)
        .get("/projects/{0/id}/tasks/9", 404, json!({}))
        .checking()
        .silent("F302");
    created(&world, 201)
        .get("/projects/9?owner={0/id}", 404, json!({}))
        .checking()
        .silent("F302");
    created(&world, 201)
        .get("/projects/{0/id}", 404, json!({}))
        .meaning(stranger("id"))
        .checking()
        .silent("F302");
}

/// Three lines that ask for identifiers which nobody made.
fn strangers<'w>(
    world: &'w World,
    targets: [&str; 3],
    parameter: &str,
    answer: &Value,
) -> Story<'w> {
    targets.into_iter().fold(world.story(), |story, target| {
        story
            .get(target, 200, answer.clone())
            .meaning(stranger(parameter))
    })
}

const UNKNOWN: [&str; 3] = ["/projects/qua", "/projects/zim", "/projects/kel"];

#[test]
fn resources_that_are_invented_are_told() {
    let world = desk();
    let found = strangers(&world, UNKNOWN, "id", &json!({"id": 1, "tags": []})).one("F306");
    assert_eq!(found.title, "200 for a id that nobody made");
    assert_eq!(found.severity, Severity::Medium);
}

#[test]
fn an_invention_that_holds_nothing_is_mild() {
    let world = desk();
    for nothing in [json!([]), json!({"items": [], "total": 0}), Value::Null] {
        let found = strangers(&world, UNKNOWN, "id", &nothing).one("F306");
        assert_eq!(found.severity, Severity::Low, "{nothing}");
    }
}

#[test]
fn one_stranger_who_is_turned_away_clears_the_service() {
    let world = desk();
    for status in [400, 404] {
        world
            .story()
            .get("/projects/a", 200, json!({"id": 1}))
            .meaning(stranger("id"))
            .get("/projects/b", status, json!({}))
            .meaning(stranger("id"))
            .get("/projects/c", 200, json!({"id": 1}))
            .meaning(stranger("id"))
            .silent("F306");
    }
}

#[test]
fn a_stranger_or_two_may_be_a_coincidence() {
    let world = desk();
    let ask = |story: Story<'_>| {
        story
            .get("/projects/a", 200, json!({"id": 1}))
            .meaning(stranger("id"))
            .heard("F306")
    };
    assert_eq!(ask(world.story()), []);
    let same = strangers(&world, ["/projects/a"; 3], "id", &json!({"id": 1}));
    same.silent("F306");
}

const ELSEWHERE: [&str; 3] = [
    "/projects/a/tasks",
    "/projects/b/tasks",
    "/projects/c/tasks",
];

#[test]
fn a_list_under_a_parent_that_nobody_made_is_told() {
    let world = desk();
    let found = strangers(&world, ELSEWHERE, "id", &json!([])).one("F307");
    assert_eq!(found.title, "200 under a id that nobody made");
    strangers(&world, ELSEWHERE, "id", &json!([])).silent("F306");
}

#[test]
fn an_invented_thing_is_no_wrong_parent() {
    let world = desk();
    strangers(&world, UNKNOWN, "id", &json!({"id": 1})).silent("F307");
}

fn misplaced(right: &str, wrong: &str, status: u16, answer: Value) -> Vec<Finding> {
    let world = desk();
    let intent = Intent::Misplaced {
        parameter: "id".to_owned(),
    };
    let story = world.story().get(right, 200, json!({"id": 1}));
    let story = story.get(wrong, status, answer).meaning(intent);
    story.heard("F307")
}

#[test]
fn a_child_that_is_served_under_another_parent_is_told() {
    let found = misplaced(
        "/projects/1/tasks/5",
        "/projects/2/tasks/5",
        200,
        json!({"id": 5}),
    );
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].title, "200 under a id that is not its own");
}

#[test]
fn a_child_that_is_not_there_under_another_parent_is_right() {
    let (right, wrong) = ("/projects/1/tasks/5", "/projects/2/tasks/5");
    assert_eq!(misplaced(right, wrong, 404, json!({})), []);
    assert_eq!(misplaced(right, wrong, 200, json!([])), []);
    assert_eq!(
        misplaced(right, wrong, 200, json!({"error": "no task"})),
        []
    );
}

#[test]
fn another_parent_that_is_the_same_one_proves_nothing() {
    let path = "/projects/1/tasks/5";
    assert_eq!(misplaced(path, path, 200, json!({"id": 5})), []);
    let elsewhere = "/projects/1";
    assert_eq!(misplaced(elsewhere, path, 200, json!({"id": 5})), []);
}

/// A look at the list, a creation, and another look.
fn listed(before: Value, created: Value, after: Value) -> Vec<Finding> {
    let world = desk();
    world
        .story()
        .get("/projects", 200, before)
        .call("POST", "/projects", json!({"name": "x"}), 201, created)
        .get("/projects", 200, after)
        .heard("F308")
}

#[test]
fn a_list_that_lacks_what_was_created_is_told() {
    let found = listed(json!([{"id": 1}]), json!({"id": 7}), json!([{"id": 1}]));
    assert_eq!(found.len(), 1);
    assert_eq!(
        found[0].title,
        "lacks 7, which POST /projects had just answered"
    );
    assert_eq!(found[0].operation, "GET /projects");
    let wrapped = json!({"items": [], "total": 0, "next": null});
    let made = json!({"data": {"id": "a"}});
    assert_eq!(listed(wrapped.clone(), made, wrapped).len(), 1);
}

#[test]
fn a_list_that_holds_it_is_right() {
    let one = json!([{"id": 1}]);
    let held = listed(one.clone(), json!({"id": 7}), json!([{"id": 1}, {"id": 7}]));
    assert_eq!(held, []);
    let as_text = listed(one.clone(), json!({"id": 7}), json!([{"id": "7"}]));
    assert_eq!(as_text, []);
    let bare = listed(json!(["a"]), json!({"name": "x"}), json!(["x"]));
    assert_eq!(bare, []);
    let grown = listed(one, json!({"id": 7}), json!([{"id": 1}, {"key": "seven"}]));
    assert_eq!(grown, []);
}

#[test]
fn a_page_is_not_the_whole_list() {
    let made = json!({"id": 7});
    let page = |beside: Value| {
        let mut page = json!({"items": [{"id": 1}, {"id": 2}]});
        for (name, value) in beside.as_object().expect("a map") {
            page[name] = value.clone();
        }
        page
    };
    for beside in [
        json!({"next": "/projects?page=2"}),
        json!({"next_cursor": "abc"}),
        json!({"hasMore": true}),
        json!({"total": 9}),
        json!({"meta": {"total_count": 9}}),
        json!({"pagination": {"next_page": "x"}}),
        json!({"_links": {"next": {"href": "/projects?page=2"}}}),
    ] {
        let found = listed(page(beside.clone()), made.clone(), page(beside.clone()));
        assert_eq!(found, [], "{beside}");
    }
    let full: Value = (1..=10).map(|id| json!({ "id": id })).collect();
    assert_eq!(listed(full.clone(), made, full), []);
}

#[test]
fn a_last_page_is_the_whole_list() {
    let whole = json!({"items": [{"id": 1}], "total": 1, "next": "", "has_more": false});
    let found = listed(whole.clone(), json!({"id": 7}), whole);
    assert_eq!(found.len(), 1);
}

fn looked<'w>(story: Story<'w>, header: (&str, &str)) -> Story<'w> {
    let headers = [("content-type", "application/json"), header];
    story.raw("GET", "/projects", &Value::Null, 200, &headers, "[]")
}

#[test]
fn headers_and_queries_tell_of_pages_too() {
    let world = desk();
    for header in [
        ("link", "</projects?page=2>; rel=\"next\""),
        ("x-total-count", "12"),
    ] {
        let story = looked(world.story(), header);
        let story = story.call("POST", "/projects", json!({}), 201, json!({"id": 7}));
        looked(story, header).silent("F308");
    }
    world
        .story()
        .get("/projects?status=done", 200, json!([]))
        .call("POST", "/projects", json!({}), 201, json!({"id": 7}))
        .get("/projects?status=done", 200, json!([]))
        .silent("F308");
}

#[test]
fn a_thing_that_has_a_list_is_not_the_list_of_things() {
    let thing = json!({"name": "desk", "drawers": []});
    assert_eq!(listed(thing.clone(), json!({"id": 7}), thing), []);
    let world = desk();
    world
        .story()
        .get("/projects", 200, json!([]))
        .call("POST", "/projects", json!({}), 202, json!({"id": 7}))
        .get("/projects", 200, json!([]))
        .silent("F308");
}

fn misplaced_write(world: &World, after: (u16, Value)) -> Story<'_> {
    let task = json!({"id": 3, "name": "x"});
    world
        .story()
        .call(
            "POST",
            "/projects/7/tasks",
            json!({"name": "x"}),
            201,
            task.clone(),
        )
        .get("/projects/7/tasks/3", 200, task)
        .call("POST", "/projects", json!({}), 201, json!({"id": 8}))
        .call(
            "DELETE",
            "/projects/8/tasks/3",
            Value::Null,
            204,
            Value::Null,
        )
        .meaning(Intent::Misplaced {
            parameter: "id".to_owned(),
        })
        .get("/projects/7/tasks/3", after.0, after.1)
}

#[test]
fn a_write_under_a_wrong_parent_that_is_carried_out_is_told() {
    let world = desk();
    let found = misplaced_write(&world, (404, Value::Null)).one("F307");
    assert_eq!(found.operation, "DELETE /projects/{id}/tasks/{task}");
    assert_eq!((found.call, found.evidence.calls), (3, vec![4]));
}

/// Whoever is content with what is not there says 204 and does nothing.
#[test]
fn a_write_under_a_wrong_parent_that_does_nothing_is_none() {
    let world = desk();
    misplaced_write(&world, (200, json!({"id": 3, "name": "x"}))).silent("F307");
}

/// A task of project 7, and project 8; nobody says that what follows is meant to be wrong.
fn two_projects(world: &World) -> Story<'_> {
    let task = json!({"id": 3, "name": "sweep the floor", "note": "with a broom"});
    world
        .story()
        .call("POST", "/projects/7/tasks", json!({}), 201, task)
        .call("POST", "/projects", json!({}), 201, json!({"id": 8}))
}

fn renames(story: Story<'_>, answer: Value) -> Story<'_> {
    let sent = json!({"name": "mop the floor"});
    story.call("PATCH", "/projects/8/tasks/3", sent, 200, answer)
}

fn renamed() -> Value {
    json!({"id": 3, "name": "mop the floor", "note": "with a broom"})
}

#[test]
fn a_write_elsewhere_is_known_by_the_story_alone() {
    let world = desk();
    let found = renames(two_projects(&world), Value::Null)
        .get("/projects/7/tasks/3", 200, renamed())
        .one("F307");
    assert_eq!(found.operation, "PATCH /projects/{id}/tasks/{task}");
    assert_eq!(found.title, "200 under a id that is not its own");
    assert_eq!((found.call, found.evidence.calls), (2, vec![3]));
    let target = "/projects/8/tasks/3";
    two_projects(&world)
        .call("DELETE", target, Value::Null, 204, Value::Null)
        .get("/projects/7/tasks/3", 404, json!({}))
        .one("F307");
}

#[test]
fn an_answer_that_shows_the_child_is_proof_enough() {
    let world = desk();
    let found = renames(two_projects(&world), renamed()).one("F307");
    assert_eq!(found.evidence.calls, [0]);
    let echo = json!({"id": 3, "name": "mop the floor", "note": null});
    renames(two_projects(&world), echo).silent("F307");
}

#[test]
fn a_write_elsewhere_that_changes_nothing_at_home_is_none() {
    let world = desk();
    let task = json!({"id": 3, "name": "sweep the floor", "note": "with a broom"});
    renames(two_projects(&world), Value::Null)
        .get("/projects/7/tasks/3", 200, task)
        .silent("F307");
    let target = "/projects/8/tasks/3";
    for status in [202, 404] {
        two_projects(&world)
            .call("DELETE", target, Value::Null, status, Value::Null)
            .get("/projects/7/tasks/3", 404, json!({}))
            .silent("F307");
    }
}

#[test]
fn keys_may_count_within_a_parent() {
    let world = desk();
    let other = json!({"id": 3, "name": "dust the shelf"});
    let made =
        two_projects(&world).call("POST", "/projects/8/tasks", json!({}), 201, other.clone());
    renames(made, renamed()).silent("F307");
    let listed = two_projects(&world).get("/projects/8/tasks", 200, json!([other]));
    renames(listed, renamed()).silent("F307");
    let read = two_projects(&world).get("/projects/8/tasks/3", 200, other);
    renames(read, renamed()).silent("F307");
}

#[test]
fn what_is_put_anew_under_another_parent_is_another_child() {
    let world = desk();
    let put = |status| {
        let sent = json!({"name": "mop the floor"});
        two_projects(&world).call("PUT", "/projects/8/tasks/3", sent, status, renamed())
    };
    put(201).silent("F307");
    put(200).one("F307");
}

#[test]
fn what_was_moved_or_removed_with_its_parent_is_not_misplaced() {
    let world = desk();
    let home = "/projects/7/tasks/3";
    let moved = two_projects(&world).call("PATCH", home, json!({"project": 8}), 200, json!({}));
    renames(moved, renamed()).silent("F307");
    renames(two_projects(&world), Value::Null)
        .call("DELETE", "/projects/7", Value::Null, 204, Value::Null)
        .get(home, 404, json!({}))
        .silent("F307");
    renames(two_projects(&world), Value::Null)
        .call(
            "PATCH",
            home,
            json!({"name": "mop the floor"}),
            200,
            json!({}),
        )
        .get(home, 200, renamed())
        .silent("F307");
}

/// What nobody made may be no parent at all: a version, a language.
#[test]
fn a_parent_that_nobody_made_is_no_stranger() {
    let world = desk();
    let task = json!({"id": 3, "name": "sweep the floor", "note": "with a broom"});
    let story = world
        .story()
        .call("POST", "/projects/7/tasks", json!({}), 201, task);
    renames(story, renamed()).silent("F307");
}

/// A small number is a key in one place and an amount in another.
#[test]
fn an_amount_is_no_key_of_a_child() {
    let world = desk();
    let task = json!({"id": 12, "hours": 3, "note": "with a broom"});
    let target = "/projects/8/tasks/3";
    world
        .story()
        .call("POST", "/projects/7/tasks", json!({}), 201, task)
        .call("POST", "/projects", json!({}), 201, json!({"id": 8}))
        .call("DELETE", target, Value::Null, 204, Value::Null)
        .get("/projects/7/tasks/3", 404, json!({}))
        .silent("F307");
}
