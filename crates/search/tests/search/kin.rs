//! Removals among kin: what hangs under a thing, what refers to it and what it hangs under; and
//! writes on a child under a parent that is not its own.

use std::collections::BTreeSet;

use fossick_contract::Method;
use fossick_search::Way;
use fossick_trace::{Intent, Request};
use serde_json::{Value, json};

use crate::play::{Round, World, free, play};
use crate::workshop::{Reply, Workshop, document, missing, refuse, schemas};

/// The workshop with boards that may show projects, and with tasks that can be changed.
fn with_boards() -> World {
    let (mut paths, mut shapes) = (document(), schemas());
    let id = json!({"type": "integer"});
    let board = json!({"type": "object", "required": ["title"], "properties": {
        "title": {"type": "string", "minLength": 1},
        "shows": {"type": "array", "items": {"type": "object", "required": ["project_id"],
            "properties": {"project_id": id}}},
    }});
    let mut made = board.clone();
    made["properties"]["id"] = id.clone();
    shapes["Board"] = made;
    let content = |schema: &Value| json!({"application/json": {"schema": schema}});
    let shape = json!({"$ref": "#/components/schemas/Board"});
    let answers = json!({"200": {"description": "", "content": content(&shape)}});
    let hole = json!([{"name": "board_id", "in": "path", "required": true, "schema": id}]);
    paths["/boards"] = json!({"post": {"responses": answers,
        "requestBody": {"required": true, "content": content(&board)}}});
    paths["/boards/{board_id}"] = json!({"parameters": hole, "get": {"responses": answers}});
    let post = paths["/projects/{project_id}/tasks"]["post"].clone();
    for method in ["put", "patch"] {
        paths["/projects/{project_id}/tasks/{task_id}"][method] = post.clone();
    }
    World::of(paths, json!({ "schemas": shapes }))
}

/// Boards are kept as they come; tasks are changed wherever they are asked for.
fn answer(workshop: &mut Workshop, boards: &mut Vec<Value>, request: &Request) -> Reply {
    let body: Value = serde_json::from_slice(&request.body).unwrap_or(Value::Null);
    let parts: Vec<&str> = request.target.split('/').skip(1).collect();
    match (request.method, parts.as_slice()) {
        (Method::Post, ["boards"]) if !body["title"].is_string() => refuse(),
        (Method::Post, ["boards"]) => {
            let mut board = body;
            board["id"] = json!(boards.len());
            boards.push(board.clone());
            (201, board)
        }
        (Method::Get, ["boards", id]) => {
            let board = id.parse::<usize>().ok().and_then(|id| boards.get(id));
            board.map_or_else(missing, |board| (200, board.clone()))
        }
        (Method::Put | Method::Patch, ["projects", _, "tasks", _]) => {
            let there = Request {
                method: Method::Get,
                ..request.clone()
            };
            workshop.answer(&there)
        }
        _ => workshop.answer(request),
    }
}

fn lives(world: &World) -> Vec<Round> {
    let (mut workshop, mut boards) = (Workshop::new(), Vec::new());
    let mut search = world.search(free(1));
    let mut rounds = play(&mut search, 1200, |request| {
        answer(&mut workshop, &mut boards, request)
    });
    rounds.retain(|round| round.proposal.way == Way::Life);
    rounds
}

/// Methods and targets of an episode, in order.
fn lines(round: &Round) -> Vec<String> {
    let requests = round.episode.exchanges.iter().map(|e| &e.request);
    requests
        .map(|r| format!("{} {}", r.method, r.target))
        .collect()
}

/// What is deleted while a board shows it and a task hangs under it is looked at from all sides.
#[test]
fn what_is_referred_to_is_removed_between_looks() {
    let world = with_boards();
    let rounds = lives(&world);
    let mut referred = rounds.iter().filter(|round| {
        world.subject(round) == "DELETE /projects/{project_id}"
            && lines(round).iter().any(|line| line == "POST /boards")
            && world
                .verbs(&round.proposal.plan)
                .ends_with("GET GET GET DELETE GET GET GET")
    });
    let round = referred.next().expect("it was tried");
    let lines = lines(round);
    let id = round
        .episode
        .answer(0)
        .and_then(|a| a.json()?["id"].as_u64());
    let project = format!("/projects/{}", id.expect("a project"));
    let board = round
        .episode
        .exchanges
        .iter()
        .find(|e| e.request.target == "/boards")
        .expect("a board");
    let sent: Value = serde_json::from_slice(&board.request.body).expect("a body");
    assert_eq!(sent["shows"][0]["project_id"], json!(id), "{sent}");
    let removal = format!("DELETE {project}");
    let at = lines.iter().position(|line| *line == removal).expect("it");
    assert_eq!(lines[at - 3], format!("GET {project}"));
    assert_eq!(lines[at - 2], format!("GET {project}/tasks"));
    assert!(lines[at - 1].starts_with("GET /boards/"));
    assert_eq!(lines[at - 3..at], lines[at + 1..]);
    assert!(lines[..at].contains(&format!("POST {project}/tasks")));
    assert!(referred.next().is_none(), "once is enough");
}

#[test]
fn a_child_comes_and_goes_before_the_eyes_of_its_parent() {
    let world = World::workshop();
    let rounds = world.played(free(1), 900);
    let seen = rounds.iter().filter(|round| {
        world.subject(round) == "DELETE /projects/{project_id}/tasks/{task_id}"
            && world.verbs(&round.proposal.plan) == "POST GET POST GET DELETE GET GET"
    });
    let mut seen = seen.peekable();
    let round = seen.peek().expect("it was tried");
    let lines = lines(round);
    assert_eq!(lines[1], lines[3]);
    assert_eq!(lines[1], lines[6]);
    assert_eq!(
        lines[2].replace("POST", "GET"),
        format!("{}/tasks", lines[1])
    );
    assert_eq!(lines[4].replace("DELETE", "GET"), lines[5]);
    assert_eq!(round.statuses(), [201, 200, 201, 200, 204, 404, 200]);
    assert_eq!(seen.count(), 1);
}

/// All three of them may forget whose child it is.
#[test]
fn every_write_on_a_child_is_tried_under_a_wrong_parent() {
    let world = with_boards();
    let mut tried = BTreeSet::new();
    for round in lives(&world) {
        let main = round.proposal.plan.main();
        if !matches!(round.main().intent, Intent::Misplaced { .. }) {
            continue;
        }
        let lines = lines(&round);
        let (wrong, look) = (&lines[main], &lines[main + 1]);
        let verb = wrong.split(' ').next().expect("a method").to_owned();
        let of = |line: &str| line.rsplit('/').next().map(str::to_owned);
        assert_eq!(of(wrong), of(look), "{lines:?}");
        assert_ne!(wrong.replace(&verb, "GET"), *look);
        assert_eq!(lines[main - 1], *look, "{lines:?}");
        tried.insert(verb);
    }
    let all = ["DELETE", "PATCH", "PUT"].map(str::to_owned);
    assert_eq!(tried, all.into());
}
