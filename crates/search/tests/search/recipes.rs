//! Things are made in the way that is known to work from nothing.

use std::sync::Arc;

use fossick_genes::{Gene, Source};
use fossick_plan::{Plan, Spot, Step};
use fossick_trace::Request;
use serde_json::{Value, json};

use crate::play::{World, free, play, run};
use crate::workshop::Reply;

/// Cards whose kind must be another one than the examples of the document show.
fn world() -> World {
    let content = |schema: Value| json!({"application/json": {"schema": schema}});
    let card = json!({"type": "object", "properties": {
        "id": {"type": "integer"}, "kind": {"type": "string"}, "note": {"type": "string"}}});
    let new = json!({"type": "object", "required": ["kind"], "properties": {
        "kind": {"type": "string", "enum": ["plain", "framed", "double"], "example": "plain"},
        "note": {"type": "string", "maxLength": 9}}});
    let answers =
        json!({"200": {"description": "", "content": content(card)}, "422": {"description": ""}});
    let hole = json!({"name": "id", "in": "path", "required": true, "schema": {"type": "integer"}});
    World::of(
        json!({
            "/cards": {"post": {"requestBody": {"required": true, "content": content(new)}, "responses": answers}},
            "/cards/{id}": {"parameters": [hole], "get": {"responses": answers}}
        }),
        json!({}),
    )
}

/// Takes nothing but double cards, and keeps a limited number of them.
#[derive(Default)]
struct Cards(Vec<Value>);

impl Cards {
    fn answer(&mut self, request: &Request) -> Reply {
        if request.target == "/cards" {
            let sent: Value = serde_json::from_slice(&request.body).unwrap_or_default();
            if sent["kind"] != "double" {
                return (422, json!({"detail": "no"}));
            }
            let id = self.0.len() + 1;
            self.0
                .push(json!({"id": id, "kind": "double", "note": sent["note"]}));
            return (200, self.0[id - 1].clone());
        }
        let id = request
            .target
            .rsplit('/')
            .next()
            .and_then(|id| id.parse::<u64>().ok());
        let found = self.0.iter().find(|card| card["id"].as_u64() == id);
        found.map_or((404, Value::Null), |card| (200, card.clone()))
    }
}

#[test]
fn what_a_plan_borrows_is_made_as_it_was_seen_to_work() {
    let world = world();
    let mut search = world.search(free(3));
    search.close_survey();
    let mut cards = Cards::default();
    play(&mut search, 120, |request| cards.answer(request));
    assert!(!cards.0.is_empty(), "one was accepted by chance");
    let mut step = Step::new(world.index("GET /cards/{id}"), 1);
    step.arguments[0] = Some(Gene::literal(json!(1), Source::Seen));
    let whole = search.stand_alone(&Plan { steps: vec![step] }).plan;
    assert_eq!(world.verbs(&whole), "POST GET");
    let kind = whole.steps[0].value_at(&Spot::Body("/kind".to_owned()));
    assert_eq!(kind, Some(json!("double")), "and not as the example says");
    let script = Arc::new(search.render(&whole));
    let mut fresh = Cards::default();
    let episode = run(&script, &mut |request| fresh.answer(request));
    assert!(episode.exchanges.iter().all(|e| e.outcome.is_success()));
}
