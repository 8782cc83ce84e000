//! Updates of one field at a time, on a thing of which everything was said.

use std::collections::BTreeSet;

use fossick_contract::Method;
use fossick_search::Way;
use serde_json::{Value, json};

use crate::play::{Round, World, free};
use crate::workshop::{document, schemas};

/// The workshop with more to say of a project.
fn world(required: &[&str]) -> World {
    let mut shapes = schemas();
    let more = json!({
        "archived": {"type": "boolean", "default": false},
        "note": {"type": "string", "minLength": 1, "example": "as usual"},
        "tags": {"type": "array", "items": {"type": "string", "minLength": 1}},
        "place": {"type": "object", "properties": {"town": {"type": "string", "minLength": 1}}},
    });
    for shape in ["NewProject", "Change", "Project"] {
        for (name, schema) in more.as_object().expect("fields") {
            shapes[shape]["properties"][name] = schema.clone();
        }
    }
    shapes["Change"]["required"] = json!(required);
    World::of(document(), json!({ "schemas": shapes }))
}

/// Plans that change a project field by field.
fn pieces(world: &World) -> Vec<Round> {
    let mut rounds = world.played(free(1), 900);
    rounds.retain(|round| {
        let verbs = world.verbs(&round.proposal.plan);
        round.proposal.way == Way::Life
            && world.subject(round) == "PATCH /projects/{project_id}"
            && verbs.starts_with("POST GET PATCH GET PATCH GET")
    });
    rounds
}

fn sent(round: &Round, method: Method) -> Vec<Value> {
    let requests = round.episode.exchanges.iter().map(|e| &e.request);
    requests
        .filter(|request| request.method == method)
        .map(|request| serde_json::from_slice(&request.body).expect("a body"))
        .collect()
}

fn names(value: &Value) -> BTreeSet<String> {
    value
        .as_object()
        .into_iter()
        .flatten()
        .map(|(name, _)| name.clone())
        .collect()
}

#[test]
fn every_field_is_changed_alone_on_something_that_has_them_all() {
    let world = world(&[]);
    let rounds = pieces(&world);
    let mut changed = Vec::new();
    for round in &rounds {
        let made = &sent(round, Method::Post)[0];
        for name in ["archived", "note", "tags", "place"] {
            assert!(made.get(name).is_some(), "{name} in {made}");
        }
        assert_eq!(made["archived"], json!(true), "not what it falls back to");
        assert_ne!(made["note"], json!("as usual"));
        for change in sent(round, Method::Patch) {
            let names: Vec<String> = names(&change).into_iter().collect();
            let [name] = names.as_slice() else {
                panic!("{change} is more than one field");
            };
            assert_ne!(change[name], made[name], "{name}");
            changed.push(name.clone());
        }
    }
    changed.sort();
    assert_eq!(
        changed,
        ["archived", "name", "note", "place", "size", "tags"]
    );
}

#[test]
fn what_an_update_must_say_is_always_said() {
    let world = world(&["size"]);
    let rounds = pieces(&world);
    assert!(!rounds.is_empty());
    for change in rounds.iter().flat_map(|round| sent(round, Method::Patch)) {
        assert_eq!(names(&change).len(), 2, "{change}");
        assert!(change.get("size").is_some(), "{change}");
    }
}
