//! References that a service tells of by refusing one.

use fossick_graph::Words;
use serde_json::json;

use crate::desk::{Desk, gives, list, object, takes};
use crate::schemas::FLAGS;

/// Whether the graph learned something.
fn refer(desk: &mut Desk, label: &str, [field, table, key]: [&str; 3]) -> bool {
    let index = desk.index(label);
    let [field, table, key] = [field, table, key].map(Words::of);
    desk.graph.refer(&desk.api, index, &field, &table, &key)
}

#[test]
fn a_field_becomes_a_need_by_the_name_of_its_table() {
    let mut desk = Desk::schema(FLAGS);
    let label = "mutation createMetric";
    assert!(refer(&mut desk, label, ["author", "users", ""]));
    let author = desk.ways_at(label, "/input/metric/author");
    assert_eq!(
        author,
        ["Creator mutation createUser /data/createUser/user/id"]
    );
    assert!(refer(&mut desk, label, ["username", "app_users", ""]));
    let name = desk.ways_at(label, "/input/metric/username");
    let expected = [
        "Creator mutation createUser /data/createUser/user/username",
        "Creator mutation createUser sent /input/user/username",
    ];
    assert_eq!(name, expected);
    let other = ["invited_by", "projects", ""];
    assert!(
        !refer(&mut desk, "mutation createUser", other),
        "a number is no text"
    );
}

#[test]
fn what_is_told_is_surer_than_what_was_guessed() {
    let mut desk = Desk::schema(FLAGS);
    let label = "mutation createFeature";
    let guessed = desk.edges(label, "project")[0].confidence();
    assert!(refer(&mut desk, label, ["project", "projects", ""]));
    let edges = desk.edges(label, "project");
    assert!(edges[0].confidence() > guessed);
    assert_eq!(edges.len(), 3, "the ways are the same");
    assert_eq!(desk.needs(label).len(), 2, "and so are the needs");
}

#[test]
fn a_wrong_guess_gives_way_to_what_is_told() {
    let mut desk = Desk::schema(FLAGS);
    let label = "mutation createMilestoneStrategy";
    assert!(refer(
        &mut desk,
        label,
        ["strategy_name", "features", "name"]
    ));
    let best = desk.best_at(label, "/input/milestoneStrategy/strategyName");
    let feature = "Creator mutation createFeature /data/createFeature/feature/name";
    assert_eq!(best, feature);
}

#[test]
fn every_part_of_a_key_is_told_by_itself() {
    let mut desk = Desk::schema(
        "scalar Datetime type Metric { app: String! at: Datetime! } type Variant { id: ID! }
         type Query { metric(app: String!, at: Datetime!): Metric }
         input MetricInput { app: String! at: Datetime! }
         type Mutation { createMetric(metric: MetricInput!): Metric
                         createVariant(app: String!, at: Datetime!): Variant }",
    );
    let label = "mutation createVariant";
    for field in ["app", "at"] {
        assert!(refer(&mut desk, label, [field, "metrics", ""]), "{field}");
    }
    let app = "Creator mutation createMetric /data/createMetric/app";
    assert_eq!(desk.best_at(label, "/app"), app);
    let at = "Creator mutation createMetric sent /metric/at";
    assert_eq!(desk.best_at(label, "/at"), at);
}

#[test]
fn nothing_is_learned_of_the_unknown_or_twice() {
    let mut desk = Desk::schema(FLAGS);
    let label = "mutation createMetric";
    assert!(refer(&mut desk, label, ["author", "users", ""]));
    assert!(!refer(&mut desk, label, ["author", "users", ""]));
    assert!(!refer(&mut desk, label, ["nobody", "users", ""]));
    assert!(!refer(&mut desk, label, ["username", "ghosts", ""]));
    assert!(!refer(&mut desk, label, ["", "", ""]));
}

#[test]
fn paths_tell_tables_too() {
    let task = object(&["id", "title", "owner", "project"]);
    let mut desk = Desk::of(&json!({
        "/projects": {"post": takes(&object(&["name"]), &object(&["id", "name"])),
                      "get": gives(&list(&object(&["id"])))},
        "/projects/{id}": {"get": gives(&object(&["id"]))},
        "/users": {"post": takes(&object(&["login"]), &object(&["login"]))},
        "/tasks": {"post": takes(&json!({"type": "object",
            "properties": {"task": task, "title": {"type": "string"}}}), &task)}}));
    let label = "POST /tasks";
    assert!(refer(&mut desk, label, ["project", "tracker_project", ""]));
    let ways = desk.ways_at(label, "/task/project");
    assert_eq!(ways[0], "Creator POST /projects /id");
    assert!(
        ways.contains(&"Lister GET /projects /0/id".to_owned()),
        "{ways:?}"
    );
    assert!(refer(&mut desk, label, ["owner", "users", "login"]));
    assert_eq!(
        desk.best_at(label, "/task/owner"),
        "Creator POST /users /login"
    );
    assert!(!refer(&mut desk, label, ["title", "ghosts", ""]));
}
