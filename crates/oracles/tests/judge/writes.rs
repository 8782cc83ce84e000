//! F303 to F305: writes that fail and write, writes that succeed and do not, and writes that do
//! more the second time.

use fossick_trace::{Failure, Finding, Intent};
use serde_json::{Value, json};

use crate::story::{Story, World, broken, desk};

/// A look, a write, a look.
fn around<'w>(
    world: &'w World,
    before: Value,
    write: (&str, Value, u16),
    after: Value,
) -> Story<'w> {
    let (method, body, status) = write;
    world
        .story()
        .get("/projects/7", 200, before)
        .call(method, "/projects/7", body, status, json!({}))
        .get("/projects/7", 200, after)
}

fn failed(before: Value, after: Value) -> Vec<Finding> {
    let world = desk();
    let write = ("PUT", json!({"name": ""}), 400);
    around(&world, before, write, after).heard("F303")
}

#[test]
fn a_refused_write_that_changed_something_is_told() {
    let found = failed(json!({"name": "old"}), json!({"name": ""}));
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].title, "PUT changed /name although it answered 400");
    assert_eq!(
        (found[0].operation.as_str(), found[0].call),
        ("PUT /projects/{id}", 2)
    );
    assert_eq!(
        failed(json!({"id": 7}), json!({"id": 7, "note": "x"})).len(),
        1
    );
    assert_eq!(
        failed(json!({"country": "no"}), json!({"country": "se"})).len(),
        1
    );
}

#[test]
fn what_changes_by_itself_does_not_count() {
    for (before, after) in [
        (json!({"updated_at": 1}), json!({"updated_at": 2})),
        (
            json!({"version": 1, "etag": "a"}),
            json!({"version": 2, "etag": "b"}),
        ),
        (json!({"viewCount": 1}), json!({"viewCount": 2})),
        (json!({"lastSeen": "a"}), json!({"lastSeen": "b"})),
        (
            json!({"meta": {"requestId": "a"}}),
            json!({"meta": {"requestId": "b"}}),
        ),
        (json!({"n": 1}), json!({"n": 1.0})),
        (json!({"note": null}), json!({})),
        (json!({}), json!({"note": null})),
        (json!({"tags": ["a", "b"]}), json!({"tags": ["b", "a"]})),
        (
            json!({"members": [{"id": 1}, {"id": 2}]}),
            json!({"members": [{"id": 2}, {"id": 1}]}),
        ),
    ] {
        assert_eq!(failed(before.clone(), after), [], "{before}");
    }
}

#[test]
fn another_write_in_between_explains_the_difference() {
    let world = desk();
    world
        .story()
        .get("/projects/7", 200, json!({"name": "a"}))
        .call("PUT", "/projects/7", json!({"name": ""}), 400, json!({}))
        .call("PUT", "/projects/7", json!({"name": "b"}), 200, json!({}))
        .get("/projects/7", 200, json!({"name": "b"}))
        .silent("F303");
}

#[test]
fn a_write_that_succeeded_or_crashed_is_not_a_refused_one() {
    let world = desk();
    for status in [200, 204, 500] {
        let write = ("PUT", json!({"name": "b"}), status);
        let story = around(&world, json!({"name": "a"}), write, json!({"name": "b"}));
        story.silent("F303");
    }
}

/// Everybody adds to a collection, and this run does so with many calls at once.
#[test]
fn a_list_that_grew_beside_a_refused_creation_is_no_proof() {
    let world = desk();
    for (before, after) in [
        (json!([]), json!([{"id": 1}])),
        (
            json!({"items": [], "total": 0}),
            json!({"items": [1], "total": 1}),
        ),
    ] {
        world
            .story()
            .get("/projects", 200, before)
            .call("POST", "/projects", json!({}), 400, json!({}))
            .get("/projects", 200, after)
            .silent("F303");
    }
}

fn updated(old: Value, sent: Value, new: Value) -> Vec<Finding> {
    let world = desk();
    around(&world, old, ("PATCH", sent, 200), new).heard("F304")
}

#[test]
fn what_is_read_in_another_form_than_it_was_sent_is_not_compared() {
    let shown = json!({"parts": [{"tool": {"code": "A"}, "count": 1}]});
    let same = json!({"parts": [{"toolCode": "A", "count": 1}]});
    assert!(updated(shown.clone(), same, shown.clone()).is_empty());
    let other = json!({"parts": [{"count": 2}]});
    assert_eq!(updated(shown.clone(), other, shown).len(), 1);
}

#[test]
fn an_update_that_can_not_be_seen_is_told() {
    let found = updated(
        json!({"id": 7, "name": "old"}),
        json!({"name": "new"}),
        json!({"id": 7, "name": "old"}),
    );
    assert_eq!(found.len(), 1);
    assert_eq!(
        found[0].title,
        "name is still \"old\" after PATCH of \"new\""
    );
    assert_eq!(
        (found[0].operation.as_str(), found[0].call),
        ("PATCH /projects/{id}", 2)
    );
}

#[test]
fn an_update_is_looked_for_in_depth_and_in_envelopes() {
    let (old, new) = (json!({"size": {"w": 1}}), json!({"size": {"w": 2}}));
    assert_eq!(updated(old.clone(), new.clone(), old.clone()).len(), 1);
    let wrapped = |inner: Value| json!({ "data": inner });
    let found = updated(
        wrapped(json!({"name": "a"})),
        json!({"name": "b"}),
        wrapped(json!({"name": "a"})),
    );
    assert_eq!(found.len(), 1);
    assert_eq!(updated(old, new.clone(), new), []);
}

#[test]
fn fields_with_innocent_names_are_looked_at() {
    for name in ["country", "message", "paid", "lastName", "discount"] {
        let found = updated(json!({name: "a"}), json!({name: "b"}), json!({name: "a"}));
        assert_eq!(found.len(), 1, "{name}");
    }
}

#[test]
fn values_of_the_service_own_are_not_updated() {
    for name in [
        "id",
        "ownerId",
        "owner_id",
        "updated_at",
        "createdAt",
        "version",
        "etag",
        "password",
        "client_secret",
        "viewCount",
    ] {
        let found = updated(json!({name: "a"}), json!({name: "b"}), json!({name: "a"}));
        assert_eq!(found, [], "{name}");
    }
}

#[test]
fn a_set_may_hold_more_than_was_sent() {
    let roles = |list: Value| json!({ "roles": list });
    let owner = roles(json!(["owner", "reader"]));
    assert_eq!(
        updated(owner.clone(), roles(json!(["reader"])), owner.clone()),
        []
    );
    assert_eq!(updated(owner.clone(), roles(json!([])), owner.clone()), []);
    assert_eq!(
        updated(
            owner.clone(),
            roles(json!(["reader", "owner"])),
            owner.clone()
        ),
        []
    );
    assert_eq!(
        updated(owner.clone(), roles(json!(["writer"])), owner).len(),
        1
    );
}

#[test]
fn another_form_of_the_same_value_is_no_old_value() {
    for (old, sent) in [
        (json!(1), json!(1.0)),
        (json!("Ada"), json!(" ada ")),
        (json!("7"), json!(8)),
        (json!("x"), Value::Null),
    ] {
        let field = |value: &Value| json!({ "field": value });
        let found = updated(field(&old), field(&sent), field(&old));
        assert_eq!(found, [], "{old} {sent}");
    }
    let hidden = updated(json!({"id": 7}), json!({"name": "b"}), json!({"id": 7}));
    assert_eq!(hidden, []);
}

#[test]
fn what_an_update_answered_with_and_nobody_knows_of_is_told() {
    let world = desk();
    let heard = |echo: Value, after: Value| {
        let story = world
            .story()
            .get("/projects/7", 200, json!({"name": "a", "story": null}))
            .call(
                "PUT",
                "/projects/7",
                json!({"name": "b", "story": "c"}),
                200,
                echo,
            )
            .get("/projects/7", 200, after);
        story.heard("F304").len()
    };
    let lost = || json!({"name": "b", "story": null});
    assert_eq!(heard(json!({"name": "b", "story": "c"}), lost()), 1);
    // It may be that nobody is ever shown it.
    assert_eq!(heard(json!({"name": "b"}), lost()), 0);
    assert_eq!(heard(json!({"name": "b", "story": null}), lost()), 0);
    let kept = json!({"name": "b", "story": "c"});
    assert_eq!(heard(kept.clone(), kept), 0);
}

#[test]
fn an_update_that_was_refused_deferred_or_broken_need_not_show() {
    let world = desk();
    let (old, new) = (json!({"name": "a"}), json!({"name": "b"}));
    for status in [202, 400, 409, 500] {
        let story = around(
            &world,
            old.clone(),
            ("PUT", new.clone(), status),
            old.clone(),
        );
        story.silent("F304");
    }
    world
        .story()
        .get("/projects/7", 200, old.clone())
        .call("PUT", "/projects/7", new.clone(), 200, json!({}))
        .meaning(broken("body /name", "maxLength"))
        .get("/projects/7", 200, old.clone())
        .silent("F304");
    world
        .story()
        .get("/projects/7", 200, old.clone())
        .call("PUT", "/projects/7", new, 200, json!({}))
        .call("PUT", "/projects/7", old.clone(), 200, json!({}))
        .get("/projects/7", 200, old)
        .silent("F304");
}

/// A write, a look, the same write, a look.
fn twice(method: &str, statuses: [u16; 2], looks: [(u16, Value); 2]) -> Vec<Finding> {
    let world = desk();
    let body = if method == "PUT" {
        json!({"n": 1})
    } else {
        Value::Null
    };
    let [once, again] = looks;
    world
        .story()
        .call(method, "/projects/7", body.clone(), statuses[0], json!({}))
        .get("/projects/7", once.0, once.1)
        .call(method, "/projects/7", body, statuses[1], json!({}))
        .get("/projects/7", again.0, again.1)
        .heard("F305")
}

#[test]
fn a_put_that_adds_instead_of_replacing_is_told() {
    let looks = [
        (200, json!({"wishes": ["a"]})),
        (200, json!({"wishes": ["a", "a"]})),
    ];
    let found = twice("PUT", [200, 200], looks);
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].title, "a second PUT changed /wishes");
}

#[test]
fn a_delete_that_brings_things_back_is_told() {
    let found = twice(
        "DELETE",
        [204, 204],
        [(404, json!({})), (200, json!({"id": 7}))],
    );
    assert_eq!(found[0].title, "a second DELETE brought it back");
    let found = twice(
        "PUT",
        [200, 200],
        [(200, json!({"id": 7})), (404, json!({}))],
    );
    assert_eq!(found[0].title, "a second PUT removed it");
}

#[test]
fn twice_that_is_as_good_as_once_is_right() {
    let there = || (200, json!({"tags": ["a", "b"], "version": 1}));
    let again = (200, json!({"tags": ["b", "a"], "version": 2}));
    assert_eq!(twice("PUT", [201, 200], [there(), again]), []);
    let gone = || (404, json!({}));
    assert_eq!(twice("DELETE", [204, 404], [gone(), gone()]), []);
    assert_eq!(twice("DELETE", [204, 204], [gone(), (410, json!({}))]), []);
}

#[test]
fn what_was_accepted_for_later_may_be_done_later() {
    let looks = || [(200, json!({"id": 7})), (404, json!({}))];
    assert_eq!(twice("DELETE", [202, 204], looks()), []);
    assert_eq!(twice("DELETE", [202, 202], looks()), []);
}

#[test]
fn a_look_that_failed_for_other_reasons_saw_nothing() {
    for status in [401, 429, 500, 503] {
        let looks = [(status, json!({})), (200, json!({"id": 7}))];
        assert_eq!(twice("PUT", [200, 200], looks), [], "{status}");
        let looks = [(200, json!({"id": 7})), (status, json!({}))];
        assert_eq!(twice("PUT", [200, 200], looks), [], "{status}");
    }
    let world = desk();
    let dropped = Failure::Dropped("reset".into());
    world
        .story()
        .call("PUT", "/projects/7", json!({}), 200, json!({}))
        .unanswered("GET", "/projects/7", dropped)
        .call("PUT", "/projects/7", json!({}), 200, json!({}))
        .get("/projects/7", 200, json!({"id": 7}))
        .silent("F305");
}

#[test]
fn two_different_writes_may_differ() {
    let world = desk();
    world
        .story()
        .call("PUT", "/projects/7", json!({"n": 1}), 200, json!({}))
        .get("/projects/7", 200, json!({"n": 1}))
        .call("PUT", "/projects/7", json!({"n": 2}), 200, json!({}))
        .get("/projects/7", 200, json!({"n": 2}))
        .silent("F305");
    world
        .story()
        .call("PUT", "/projects/7", json!({"n": 1}), 200, json!({}))
        .get("/projects/7", 200, json!({"tasks": 0}))
        .call("PUT", "/projects/7", json!({"n": 1}), 200, json!({}))
        .call("POST", "/projects/7/tasks", json!({}), 201, json!({}))
        .meaning(Intent::Valid)
        .get("/projects/7", 200, json!({"tasks": 1}))
        .silent("F305");
}
