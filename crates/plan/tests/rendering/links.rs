//! Values that flow from one step to another, and plans that lose steps.

use fossick_contract::Api;
use fossick_plan::{Bind, Plan, Spot, Step};
use fossick_trace::{Capture, Part, Payload, Take};
use serde_json::{Value, json};

use crate::desk::{api, call, script, step, with_body};

fn desk() -> Api {
    let parameter = |name: &str, place: &str| {
        let required = place == "path";
        json!({"name": name, "in": place, "required": required, "schema": {"type": "string"}})
    };
    let body = json!({"content": {"application/json": {}}});
    api(&json!({
        "/projects": {"post": {"requestBody": body, "responses": {}}},
        "/projects/{id}/tasks": {"post": {
            "parameters": [
                parameter("id", "path"), parameter("owner", "query"),
                parameter("word", "query"), parameter("X-Key", "header"),
            ],
            "requestBody": body, "responses": {},
        }},
    }))
}

const TASKS: &str = "POST /projects/{id}/tasks";

fn bound(mut step: Step, spot: Spot, from: usize, pointer: &str) -> Step {
    step.binds.push(Bind {
        spot,
        step: from,
        take: Take::Pointer(pointer.to_owned()),
    });
    step
}

fn capture(pointer: &str) -> Capture {
    Capture {
        call: 0,
        take: Take::Pointer(pointer.to_owned()),
    }
}

#[test]
fn a_bound_hole_is_filled_by_an_earlier_answer() {
    let api = desk();
    let task = bound(step(&api, TASKS, &json!({})), Spot::Parameter(0), 0, "/id");
    let create = step(&api, "POST /projects", &json!({}));
    let script = script(&api, vec![create, task]);
    assert_eq!(
        script.calls[1].target.0,
        [
            Part::Fixed("/projects/".to_owned()),
            Part::Captured(capture("/id")),
            Part::Fixed("/tasks".to_owned()),
        ]
    );
}

#[test]
fn queries_and_headers_may_be_bound_as_well() {
    let api = desk();
    let task = step(&api, TASKS, &json!({"id": "7", "word": "w"}));
    let task = bound(task, Spot::Parameter(1), 0, "/owner");
    let written = call(&api, bound(task, Spot::Parameter(3), 0, "/key"));
    assert_eq!(
        written.target.0,
        [
            Part::Fixed("/projects/7/tasks?owner=".to_owned()),
            Part::Captured(capture("/owner")),
            Part::Fixed("&word=w".to_owned()),
        ]
    );
    assert_eq!(written.headers[0].0, "X-Key");
    assert_eq!(written.headers[0].1.0, [Part::Captured(capture("/key"))]);
    assert_eq!(written.captures().count(), 2);
}

#[test]
fn a_bound_body_keeps_its_holes() {
    let api = desk();
    let value = json!({"title": "x", "owner": {"id": null}});
    let task = with_body(step(&api, TASKS, &json!({"id": "7"})), 0, &value);
    let spot = Spot::Body("/owner/id".to_owned());
    let written = call(&api, bound(task, spot, 0, "/id"));
    let fills = vec![("/owner/id".to_owned(), capture("/id"))];
    let media_type = "application/json".to_owned();
    assert_eq!(
        written.payload,
        Payload::Json {
            media_type,
            value,
            fills
        }
    );
}

#[test]
fn a_spot_is_told_in_the_words_of_the_document() {
    let api = desk();
    let operation = api.operation(api.find(TASKS).expect("it is there"));
    let told = |spot: Spot| spot.describe(operation);
    assert_eq!(told(Spot::Parameter(0)), "path id");
    assert_eq!(told(Spot::Parameter(3)), "header X-Key");
    assert_eq!(told(Spot::Body("/a/b".to_owned())), "body /a/b");
    assert_eq!(told(Spot::Body(String::new())), "body");
    assert_eq!(told(Spot::Parameter(99)), "parameter");
}

#[test]
fn own_ground_is_what_the_plan_made_or_named() {
    use fossick_genes::{Gene, Source};
    use fossick_plan::{Ground, Plan};
    let api = desk();
    let named = |value: Value, source| {
        let mut step = step(&api, TASKS, &json!({}));
        step.put(0, Some(Gene::literal(value, source)));
        step
    };
    let ground = |step: Step| Plan { steps: vec![step] }.ground(&api, 0);
    let with = |source| named(json!("linden"), source);
    assert_eq!(ground(with(Source::Random)), Ground::Named);
    assert_eq!(ground(with(Source::Fixed)), Ground::Made);
    for source in [Source::Seen, Source::Told, Source::Example] {
        assert_eq!(ground(with(source)), Ground::Found, "{source:?}");
    }
    let guessed = named(json!(7), Source::Random);
    assert_eq!(ground(guessed), Ground::Found, "a number is somebody's");
    let made = bound(with(Source::Seen), Spot::Parameter(0), 0, "/id");
    let mut put = made;
    put.put(0, None);
    assert!(
        put.binds.is_empty(),
        "what is put takes the place of a bind"
    );
}

#[test]
fn a_plan_loses_only_what_nobody_needs() {
    let api = desk();
    let create = || step(&api, "POST /projects", &json!({}));
    let task = |from| {
        bound(
            step(&api, TASKS, &json!({})),
            Spot::Parameter(0),
            from,
            "/id",
        )
    };
    let plan = Plan {
        steps: vec![create(), create(), task(1)],
    };
    assert_eq!(plan.main(), 2);
    assert!(plan.without(1).is_none());
    let shorter = plan.without(0).expect("nobody needs the first");
    assert_eq!(shorter.steps.len(), 2);
    assert_eq!(shorter.steps[1].binds[0].step, 0);
    let shortest = shorter.without(1).expect("nobody needs the last");
    assert!(shortest.without(0).is_none(), "a plan has a step");
}
