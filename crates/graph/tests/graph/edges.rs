//! Who gives what others need.

use fossick_graph::Evidence;
use serde_json::{Map, Value, json};

use crate::desk::{Desk, gives, list, object, takes};

#[test]
fn a_creator_gives_the_identifier_of_what_it_makes() {
    let project = object(&["id", "name"]);
    let desk = Desk::of(&json!({
        "/projects": {"post": takes(&object(&["name"]), &project)},
        "/projects/{project_id}/tasks": {"get": gives(&list(&object(&["id"])))},
    }));
    let best = desk.best("GET /projects/{project_id}/tasks", "project_id");
    assert_eq!(best, "Creator POST /projects /id");
}

#[test]
fn what_is_made_under_a_parent_may_stand_elsewhere() {
    let task = object(&["id", "title"]);
    let desk = Desk::of(&json!({
        "/projects/{id}/tasks": {"post": takes(&object(&["title"]), &task)},
        "/tasks/{task_id}": {"get": gives(&task)},
        "/projects": {"post": takes(&object(&["name"]), &object(&["id"]))},
    }));
    let best = desk.best("GET /tasks/{task_id}", "task_id");
    assert_eq!(best, "Creator POST /projects/{id}/tasks /id");
    let makers = desk.makers("GET /tasks/{task_id}", "task_id", Evidence::Creator);
    assert_eq!(makers, ["POST /projects/{id}/tasks"]);
}

/// `id` alone says nothing; what stands before the hole does.
#[test]
fn bare_holes_are_told_apart_by_their_paths() {
    let thing = object(&["id"]);
    let create = takes(&object(&["name"]), &thing);
    let desk = Desk::of(&json!({
        "/cats": {"post": create}, "/cats/{id}": {"get": gives(&thing)},
        "/dogs": {"post": create}, "/dogs/{id}": {"get": gives(&thing)},
    }));
    let cats = desk.makers("GET /cats/{id}", "id", Evidence::Creator);
    assert!(cats.iter().all(|maker| *maker == "POST /cats"), "{cats:?}");
    assert_eq!(desk.best("GET /dogs/{id}", "id"), "Creator POST /dogs /id");
}

#[test]
fn identifiers_are_found_in_envelopes() {
    let wrapped = json!({"type": "object", "properties": {"data": object(&["id"])}});
    let lists = json!({"type": "object", "properties": {"items": list(&object(&["id"]))}});
    let desk = Desk::of(&json!({
        "/projects": {"post": takes(&object(&["name"]), &wrapped), "get": gives(&lists)},
        "/projects/{id}": {"get": gives(&wrapped)},
    }));
    let ways = desk.ways("GET /projects/{id}", "id");
    assert_eq!(ways[0], "Creator POST /projects /data/id");
    assert!(
        ways.contains(&"Lister GET /projects /items/0/id".to_owned()),
        "{ways:?}"
    );
}

#[test]
fn a_put_chooses_the_identifier_itself() {
    let thing = object(&["name"]);
    let desk = Desk::of(&json!({
        "/projects/{name}": {"put": takes(&thing, &thing), "get": gives(&thing)},
    }));
    let best = desk.best("GET /projects/{name}", "name");
    assert_eq!(best, "PutsItself PUT /projects/{name} sent name");
    let reader = desk.index("GET /projects/{name}");
    let readers = desk
        .graph
        .readers(&desk.api, desk.index("PUT /projects/{name}"));
    assert_eq!(readers, [(reader, 0)]);
}

#[test]
fn a_name_that_was_sent_may_be_the_identifier() {
    let desk = Desk::of(&json!({
        "/tenants": {"post": takes(&object(&["name"]), &json!({}))},
        "/tenants/{tenant_name}": {"get": gives(&object(&["name"]))},
    }));
    let ways = desk.ways("GET /tenants/{tenant_name}", "tenant_name");
    assert!(
        ways.contains(&"Creator POST /tenants sent /name".to_owned()),
        "{ways:?}"
    );
}

#[test]
fn what_one_made_oneself_is_preferred_to_what_is_found() {
    let project = object(&["id"]);
    let desk = Desk::of(&json!({
        "/projects": {
            "get": gives(&list(&project)),
            "post": takes(&object(&["name"]), &project),
        },
        "/projects/{id}": {"get": gives(&project)},
    }));
    let ways = desk.ways("GET /projects/{id}", "id");
    assert_eq!(ways[0], "Creator POST /projects /id");
    let lister = ways
        .iter()
        .position(|way| way == "Lister GET /projects /0/id");
    let creator = ways
        .iter()
        .rposition(|way| way == "Creator POST /projects /id");
    assert!(creator < lister, "{ways:?}");
}

#[test]
fn a_list_alone_gives_identifiers_too() {
    let desk = Desk::of(&json!({
        "/projects": {"get": gives(&list(&object(&["id"])))},
        "/projects/{projectId}": {"get": gives(&object(&["id"]))},
    }));
    let best = desk.best("GET /projects/{projectId}", "projectId");
    assert_eq!(best, "Lister GET /projects /0/id");
}

#[test]
fn a_reference_in_a_body_is_met_by_the_maker_of_what_it_names() {
    let user =
        json!({"type": "object", "properties": {"id": {"type": "string", "format": "uuid"}}});
    let body = json!({"type": "object", "properties": {
        "user_id": {"type": "string"}, "user": {"type": "string", "format": "uuid"}}});
    let desk = Desk::of(&json!({
        "/users": {"post": takes(&object(&["name"]), &user)},
        "/projects": {"post": takes(&body, &object(&["id"]))},
    }));
    for name in ["user_id", "user"] {
        let best = desk.best("POST /projects", name);
        assert_eq!(best, "Creator POST /users /id", "{name}");
    }
}

#[test]
fn a_reference_by_a_role_is_met_by_whoever_shows_that_role() {
    let desk = Desk::of(&json!({
        "/projects": {"get": gives(&list(&object(&["id", "owner_id"])))},
        "/reports": {"post": takes(&object(&["owner_id"]), &object(&["id"]))},
        "/users": {"post": takes(&object(&["name"]), &object(&["id"]))},
    }));
    let best = desk.best("POST /reports", "owner_id");
    assert_eq!(best, "Lister GET /projects /0/owner_id");
}

#[test]
fn a_comment_that_mentions_a_task_makes_no_task() {
    let comment = object(&["id", "task_id", "text"]);
    let desk = Desk::of(&json!({
        "/comments": {"post": takes(&object(&["text"]), &comment)},
        "/tasks/{task_id}": {"get": gives(&object(&["id"]))},
    }));
    let edges = desk.edges("GET /tasks/{task_id}", "task_id");
    assert!(edges.iter().all(|edge| !edge.evidence.makes()), "{edges:?}");
    let comments = desk.index("POST /comments");
    assert_eq!(desk.graph.readers(&desk.api, comments), []);
}

/// The identifier of something nested is not the identifier of what was answered.
#[test]
fn a_project_with_an_owner_makes_no_owner() {
    let project = json!({"type": "object", "properties": {
        "id": {"type": "string"}, "owner": object(&["id"])}});
    let desk = Desk::of(&json!({
        "/projects": {"post": takes(&object(&["name"]), &project)},
        "/projects/{id}": {"get": gives(&project)},
        "/owners/{owner_id}": {"get": gives(&object(&["id"]))},
    }));
    let makers = desk.makers("GET /owners/{owner_id}", "owner_id", Evidence::Creator);
    assert_eq!(makers, [""; 0]);
    assert_eq!(
        desk.best("GET /projects/{id}", "id"),
        "Creator POST /projects /id"
    );
}

#[test]
fn readers_read_one_item_of_what_was_made() {
    let thing = object(&["id"]);
    let create = takes(&object(&["name"]), &thing);
    let desk = Desk::of(&json!({
        "/projects": {"post": create, "get": gives(&list(&thing))},
        "/projects/{id}": {"get": gives(&thing), "delete": gives(&json!({}))},
        "/projects/{id}/tasks": {"post": create, "get": gives(&list(&thing))},
        "/projects/{id}/tasks/{task_id}": {"get": gives(&thing)},
    }));
    let read = |maker: &str| {
        let readers = desk.graph.readers(&desk.api, desk.index(maker));
        let labels = readers
            .into_iter()
            .map(|(at, _)| &desk.api.operation(at).label);
        labels.cloned().collect::<Vec<_>>()
    };
    assert_eq!(read("POST /projects"), ["GET /projects/{id}"]);
    let task = "GET /projects/{id}/tasks/{task_id}";
    assert_eq!(read("POST /projects/{id}/tasks"), [task]);
}

#[test]
fn nobody_meets_a_need_with_its_own_answer() {
    let thing = object(&["id"]);
    let desk =
        Desk::of(&json!({"/things/{id}": {"get": gives(&thing), "put": takes(&thing, &thing)}}));
    for label in ["GET /things/{id}", "PUT /things/{id}"] {
        let own = desk.index(label);
        let edges = desk.edges(label, "id");
        assert!(edges.iter().all(|edge| edge.maker != own), "{label}");
    }
}

/// A hundred resources that all look alike: every need keeps a handful of ways, not thousands.
#[test]
fn many_operations_keep_few_edges() {
    let thing = object(&["id", "name", "owner_id"]);
    let mut paths = Map::new();
    for n in 0..100 {
        let create = takes(&object(&["name", "owner_id"]), &thing);
        paths.insert(
            format!("/things{n}"),
            json!({"post": create, "get": gives(&list(&thing))}),
        );
        paths.insert(format!("/things{n}/{{id}}"), json!({"get": gives(&thing)}));
    }
    let desk = Desk::of(&Value::Object(paths));
    assert_eq!(desk.api.operations.len(), 300);
    let mut needs = 0;
    for (index, operation) in desk.api.indexed() {
        for need in 0..desk.graph.needs(index).len() {
            needs += 1;
            let edges = desk.graph.edges(index, need).len();
            assert!(edges <= 12, "{} has {edges}", operation.label);
        }
    }
    assert_eq!(needs, 200, "one hole or one reference for two of three");
    assert_eq!(
        desk.best("GET /things42/{id}", "id"),
        "Creator POST /things42 /id"
    );
}
