//! Things that have states: what is done to them in a row, and what is looked at on the way.

use std::collections::BTreeMap;
use std::sync::Arc;

use fossick_contract::Method;
use fossick_trace::Request;
use serde_json::{Value, json};

use crate::play::{Round, World, free, play, run};
use crate::workshop::Reply;

/// Doors that are opened and closed: opening an open one is refused, and so is closing a closed one.
#[derive(Default)]
struct Doors {
    last: u64,
    by_id: BTreeMap<u64, Value>,
    turns: BTreeMap<u64, u32>,
}

impl Doors {
    fn answer(&mut self, request: &Request) -> Reply {
        let path = request.target.split('?').next().unwrap_or_default();
        let parts: Vec<&str> = path.trim_matches('/').split('/').collect();
        let id = parts.get(1).and_then(|part| part.parse().ok());
        match (request.method, parts.len(), id) {
            (Method::Post, 1, _) => self.make(request),
            (Method::Get, 1, _) => (200, json!(self.by_id.values().collect::<Vec<_>>())),
            (Method::Get, 2, Some(id)) => match self.by_id.get(&id) {
                Some(door) => (200, door.clone()),
                None => missing(),
            },
            // Nobody thought of hinges that are worn out.
            (Method::Delete, 2, Some(id)) => match self.by_id.get(&id) {
                Some(_) if self.turns.get(&id) > Some(&2) => (500, json!({"error": "stuck"})),
                Some(_) => {
                    self.by_id.remove(&id);
                    (204, Value::Null)
                }
                None => missing(),
            },
            (Method::Post, 3, Some(id)) => self.turn(id, parts[2] == "open"),
            _ => missing(),
        }
    }

    fn make(&mut self, request: &Request) -> Reply {
        let sent: Value = serde_json::from_slice(&request.body).unwrap_or_default();
        if !["glass", "wood"].contains(&sent["kind"].as_str().unwrap_or_default()) {
            return (400, json!({"error": "kind is glass or wood"}));
        }
        if sent["width"] == 1000 && sent["kind"] == "glass" {
            return (422, json!({"error": "it does not fit through here"}));
        }
        self.last += 1;
        let door = json!({"id": self.last, "kind": sent["kind"], "open": false});
        self.by_id.insert(self.last, door.clone());
        (201, door)
    }

    fn turn(&mut self, id: u64, open: bool) -> Reply {
        let Some(door) = self.by_id.get_mut(&id) else {
            return missing();
        };
        if door["open"] == open {
            return (409, json!({"error": "it stands like this already"}));
        }
        door["open"] = json!(open);
        *self.turns.entry(id).or_default() += 1;
        (200, door.clone())
    }
}

fn missing() -> Reply {
    (404, json!({"error": "not found"}))
}

fn world() -> World {
    let door = json!({"$ref": "#/components/schemas/Door"});
    let gives = |status: &str, schema: &Value| {
        let content = json!({"application/json": {"schema": schema}});
        let mut answers = json!({"400": {"description": ""}, "404": {"description": ""}, "409": {"description": ""}, "422": {"description": ""}});
        answers[status] = json!({"description": "", "content": content});
        answers
    };
    let kind = json!({"type": "string", "enum": ["wood", "glass"]});
    let width = json!({"type": "integer", "minimum": 1, "maximum": 1000});
    let new = json!({"type": "object", "required": ["kind"], "properties": {"kind": kind, "width": width}});
    let hole =
        json!([{"name": "id", "in": "path", "required": true, "schema": {"type": "integer"}}]);
    let act = json!({"parameters": hole, "post": {"responses": gives("200", &door)}});
    let paths = json!({
        "/doors": {
            "get": {"responses": gives("200", &json!({"type": "array", "items": door}))},
            "post": {
                "requestBody": {"required": true, "content": {"application/json": {"schema": new}}},
                "responses": gives("201", &door),
            },
        },
        "/doors/{id}": {
            "parameters": hole,
            "get": {"responses": gives("200", &door)},
            "delete": {"responses": {"204": {"description": ""}, "404": {"description": ""}}},
        },
        "/doors/{id}/open": act,
        "/doors/{id}/close": act,
    });
    let properties = json!({"id": {"type": "integer"}, "kind": kind, "open": {"type": "boolean"}});
    let schema = json!({"type": "object", "required": ["id"], "properties": properties});
    World::of(paths, json!({"schemas": {"Door": schema}}))
}

/// What a round sent, in order: `POST /doors 201`.
fn sent(round: &Round) -> Vec<(String, u16)> {
    let exchanges = round.episode.exchanges.iter();
    let one = |exchange: &fossick_trace::Exchange| {
        let request = &exchange.request;
        let line = format!("{} {}", request.method.as_str(), request.target);
        (line, exchange.outcome.status().unwrap_or_default())
    };
    exchanges.map(one).collect()
}

#[test]
fn a_walk_opens_and_closes_one_thing_with_looks_between() {
    let world = world();
    let mut doors = Doors::default();
    let rounds = play(&mut world.search(free(1)), 600, |request| {
        doors.answer(request)
    });
    let walks = |round: &&Round| {
        let sent = sent(round);
        let turns = sent.iter().enumerate().filter(|(_, (line, status))| {
            (line.ends_with("/open") || line.ends_with("/close")) && *status == 200
        });
        let looked_at = turns.filter(|(at, (line, _))| {
            let id = line.split('/').nth(2).unwrap_or_default();
            let look = sent.get(at + 1).map(|(line, _)| line.as_str());
            look == Some(&format!("GET /doors/{id}"))
        });
        looked_at.count() >= 3
    };
    let walk = rounds.iter().find(walks);
    assert!(
        walk.is_some(),
        "no door was opened, closed and opened again"
    );
}

#[test]
fn a_refused_write_is_sent_again_between_two_looks() {
    let world = world();
    let mut doors = Doors::default();
    let rounds = play(&mut world.search(free(1)), 600, |request| {
        doors.answer(request)
    });
    let watched = |round: &&Round| {
        let sent = sent(round);
        sent.windows(3).any(|three| {
            let looks = three[0].0.starts_with("GET /doors") && three[0] == three[2];
            looks && three[1] == ("POST /doors".to_owned(), 422)
        })
    };
    assert!(rounds.iter().any(|round| watched(&round)));
}

#[test]
fn a_removal_that_crashes_in_a_clean_up_becomes_a_plan() {
    let world = world();
    let mut search = world.search(free(1));
    let mut doors = Doors::default();
    let (mut crashed, mut told) = (0, 0);
    for _ in 0..1200 {
        let proposal = search.propose().expect("there is always something to try");
        let script = Arc::new(search.render_tidy(&proposal.plan));
        let episode = run(&script, &mut |request| doors.answer(request));
        let failed = Some(fossick_trace::Removal::Failed);
        crashed += usize::from(episode.removed.contains(&failed));
        let round = Round {
            proposal,
            script,
            episode,
        };
        let main = round.proposal.plan.main();
        let (line, status) = &sent(&round)[main.min(round.episode.exchanges.len() - 1)];
        told += usize::from(crashed > 0 && line.starts_with("DELETE") && *status == 500);
        search.learn(&round.proposal, &round.episode, &[]);
    }
    assert!(crashed > 0, "clean-ups meet worn doors");
    assert!(told > 0, "what crashed in a clean-up is tried on its own");
}
