//! Things that must be in some state before an operation works on them.

use std::collections::BTreeMap;

use fossick_contract::Method;
use fossick_trace::Request;
use serde_json::{Value, json};

use crate::play::{World, free, play};
use crate::workshop::Reply;

/// Drafts that can be opened when they have a page, and closed when they are open.
fn world() -> World {
    let text = json!({"type": "string", "minLength": 1, "maxLength": 40});
    let thing = json!({"type": "object", "required": ["id"], "properties": {
        "id": {"type": "integer"}, "title": text}});
    let content = |schema: &Value| json!({"application/json": {"schema": schema}});
    let gives = json!({"responses": {"200": {"description": "", "content": content(&thing)},
        "409": {"description": "It is not in the right state"}}});
    let takes = {
        let body = json!({"type": "object", "required": ["title"], "properties": {"title": text}});
        let mut told = gives.clone();
        told["requestBody"] = json!({"required": true, "content": content(&body)});
        told
    };
    let hole = json!([{"name": "draftId", "in": "path", "required": true,
        "schema": {"type": "integer"}}]);
    World::of(
        json!({
            "/drafts": {"post": takes},
            "/drafts/{draftId}": {"parameters": hole, "get": gives},
            "/drafts/{draftId}/stamp": {"parameters": hole, "post": gives},
            "/drafts/{draftId}/pages": {"parameters": hole, "post": takes},
            "/drafts/{draftId}/open": {"parameters": hole, "post": gives},
            "/drafts/{draftId}/close": {"parameters": hole, "post": gives},
        }),
        json!({}),
    )
}

#[derive(Default)]
struct Desk {
    /// The pages of each draft, and whether it is open.
    drafts: BTreeMap<u64, (u64, bool)>,
}

impl Desk {
    fn answer(&mut self, request: &Request) -> Reply {
        let told = |status: u16, why: &str| (status, json!({ "detail": why }));
        let parts: Vec<&str> = request.target.split('/').skip(1).collect();
        let new = self.drafts.len() as u64 + 1;
        let draft = parts.get(1).and_then(|id| id.parse().ok()).unwrap_or(0);
        let known = self.drafts.get_mut(&draft);
        match (request.method, parts.as_slice(), known) {
            (Method::Post, ["drafts"], _) => {
                self.drafts.insert(new, (0, false));
                (200, json!({ "id": new }))
            }
            (_, _, None) => told(404, "no such draft"),
            (Method::Get, _, Some(_)) | (_, [.., "stamp"], _) => (200, json!({ "id": draft })),
            (_, [.., "pages"], Some((pages, _))) => {
                *pages += 1;
                (200, json!({"id": *pages}))
            }
            (_, [.., "open"], Some((0, _))) => told(409, "the draft has no pages"),
            (_, [.., "open"], Some((_, open))) => {
                *open = true;
                (200, json!({ "id": draft }))
            }
            (_, [.., "close"], Some((_, false))) => told(409, "the draft is not open"),
            _ => (200, json!({ "id": draft })),
        }
    }
}

#[test]
fn what_a_thing_needs_first_is_done_first() {
    let world = world();
    let (mut search, mut desk) = (world.search(free(1)), Desk::default());
    let rounds = play(&mut search, 300, |request| desk.answer(request));
    let works = |label: &str| {
        let works = |round: &&crate::play::Round| {
            let main = round.proposal.plan.main();
            let exchange = round.episode.exchanges.get(main);
            world.subject(round) == label && exchange.is_some_and(|e| e.outcome.is_success())
        };
        rounds.iter().filter(works).count()
    };
    assert!(works("POST /drafts/{draftId}/open") > 5);
    assert!(works("POST /drafts/{draftId}/close") > 5);
}

#[test]
fn what_helped_is_done_on_the_very_thing() {
    let world = world();
    let (mut search, mut desk) = (world.search(free(2)), Desk::default());
    let rounds = play(&mut search, 300, |request| desk.answer(request));
    let closes = rounds.iter().rev().find(|round| {
        let last = round.episode.exchanges.last();
        let closed = last.is_some_and(|e| e.outcome.is_success());
        world.label(round.main()) == "POST /drafts/{draftId}/close" && closed
    });
    let plan = &closes.expect("it works at last").proposal.plan;
    let labels: Vec<&str> = plan.steps.iter().map(|step| world.label(step)).collect();
    let main = plan.main();
    assert!(
        labels[..main].contains(&"POST /drafts/{draftId}/open"),
        "{labels:?}"
    );
    let makers: Vec<usize> = plan.steps[1..=main]
        .iter()
        .map(|step| step.binds[0].step)
        .collect();
    assert!(makers.iter().all(|maker| *maker == makers[0]), "{makers:?}");
}

/// Trips that are drafts until their status is set, and can be booked while they are open. One that
/// is open is there from the start.
fn harbour() -> World {
    let text = json!({"type": "string", "minLength": 1, "maxLength": 40});
    let thing = json!({"type": "object", "required": ["id"], "properties": {
        "id": {"type": "integer"}}});
    let content = |schema: &Value| json!({"application/json": {"schema": schema}});
    let gives = json!({"responses": {"200": {"description": "", "content": content(&thing)},
        "409": {"description": "It is not in the right state"}}});
    let takes = |field: &str, of: Value| {
        let body = json!({"type": "object", "required": [field], "properties": {field: of}});
        let mut told = gives.clone();
        told["requestBody"] = json!({"required": true, "content": content(&body)});
        told
    };
    let all = json!({"responses": {"200": {"description": "",
        "content": content(&json!({"type": "array", "items": thing}))}}});
    let status = json!({"type": "string", "enum": ["draft", "open", "closed"]});
    let hole = json!([{"name": "tripId", "in": "path", "required": true,
        "schema": {"type": "integer"}}]);
    World::of(
        json!({
            "/trips": {"post": takes("title", text.clone()), "get": all},
            "/trips/{tripId}": {"parameters": hole, "get": gives},
            "/trips/{tripId}/status": {"parameters": hole, "post": takes("status", status)},
            "/trips/{tripId}/bookings": {"parameters": hole, "post": takes("name", text)},
        }),
        json!({}),
    )
}

#[test]
fn a_status_that_a_refusal_asks_for_is_set_first() {
    let world = harbour();
    let mut search = world.search(free(1));
    let mut trips: BTreeMap<u64, String> = [(1, "open".to_owned())].into();
    let rounds = play(&mut search, 400, |request| {
        let parts: Vec<&str> = request.target.split('/').skip(1).collect();
        let body: Value = serde_json::from_slice(&request.body).unwrap_or_default();
        let id = parts.get(1).and_then(|id| id.parse().ok()).unwrap_or(0);
        let new = trips.len() as u64 + 1;
        match (request.method, parts.as_slice(), trips.get_mut(&id)) {
            (Method::Get, ["trips"], _) => (200, json!([{ "id": 1 }])),
            (Method::Post, ["trips"], _) => {
                trips.insert(new, "draft".to_owned());
                (200, json!({ "id": new }))
            }
            (_, _, None) => (404, json!({"detail": "no such trip"})),
            (_, [.., "status"], Some(status)) => {
                *status = body["status"].as_str().unwrap_or_default().to_owned();
                (200, json!({ "id": id }))
            }
            (_, [.., "bookings"], Some(status)) if status != "open" => {
                let why = format!("the trip is not open but {status}");
                (409, json!({ "detail": why }))
            }
            _ => (200, json!({ "id": id })),
        }
    });
    let own = rounds.iter().filter(|round| {
        let main = round.proposal.plan.main();
        let exchange = round.episode.exchanges.get(main);
        let booked = world.subject(round) == "POST /trips/{tripId}/bookings"
            && exchange.is_some_and(|e| e.outcome.is_success());
        booked && !round.main().binds.is_empty() && main >= 2
    });
    assert!(own.count() > 5, "trips of its own are opened and booked");
}
