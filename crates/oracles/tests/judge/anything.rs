//! Whatever a service answers, judging it ends well: no panic, and always the same findings.

use fossick_oracles::{Judge, ORACLES};
use fossick_trace::{Failure, Intent};
use proptest::prelude::*;
use serde_json::{Map, Value, json};

use crate::story::{Story, World, broken, edge, stranger};

fn world() -> World {
    let thing = json!({"type": "object", "required": ["id"], "properties": {
        "id": {"type": "integer"},
        "made": {"type": "string", "format": "date-time"},
        "next": {"anyOf": [{"$ref": "#/components/schemas/Thing"}, {"type": "null"}]},
    }});
    let content = json!({"application/json": {"schema": {"$ref": "#/components/schemas/Thing"}}});
    let header = json!({"X-Page": {"required": true, "schema": {"type": "integer"}}});
    let answers = json!({
        "200": {"description": "", "content": content, "headers": header},
        "4XX": {"description": "", "content": {"*/*": {}}},
        "default": {"description": ""},
    });
    let operation = json!({"security": [{"key": []}], "responses": answers});
    let id = json!({"name": "id", "in": "path", "required": true, "schema": {"type": "string"}});
    let paths = json!({
        "/things": {"get": operation, "post": operation},
        "/things/{id}": {
            "parameters": [id],
            "get": operation, "put": operation, "patch": operation, "delete": operation,
        },
    });
    let key = json!({"type": "http", "scheme": "bearer"});
    World::with(
        paths,
        json!({"schemas": {"Thing": thing}, "securitySchemes": {"key": key}}),
    )
}

/// JSON as odd as it comes, with names that oracles look for among its keys.
fn any_json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(|n| json!(n)),
        ".{0,8}".prop_map(Value::from),
    ];
    let name = prop_oneof![
        Just("id".to_owned()),
        Just("data".to_owned()),
        Just("items".to_owned()),
        Just("next".to_owned()),
        Just("error".to_owned()),
        Just("status".to_owned()),
        Just("updatedAt".to_owned()),
        "\\PC{0,6}",
    ];
    leaf.prop_recursive(4, 24, 4, move |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::vec((name.clone(), inner), 0..4)
                .prop_map(|pairs| Value::Object(pairs.into_iter().collect::<Map<_, _>>())),
        ]
    })
}

fn any_body() -> impl Strategy<Value = String> {
    prop_oneof![
        3 => any_json().prop_map(|value| value.to_string()),
        1 => "\\PC{0,40}",
        1 => Just("Traceback (most recent call last)".to_owned()),
        1 => Just(String::new()),
    ]
}

fn any_headers() -> impl Strategy<Value = Vec<(String, String)>> {
    let name = prop_oneof![
        Just("content-type".to_owned()),
        Just("Link".to_owned()),
        Just("x-page".to_owned()),
        Just("location".to_owned()),
        "[a-z-]{1,8}",
    ];
    let value = prop_oneof![
        Just("application/json".to_owned()),
        Just("text/html; charset=x".to_owned()),
        "\\PC{0,12}",
    ];
    prop::collection::vec((name, value), 0..4)
}

fn any_intent() -> impl Strategy<Value = Intent> {
    prop_oneof![
        Just(Intent::Valid),
        Just(edge("query limit", "1", true)),
        Just(broken("body /id", "type")),
        Just(stranger("id")),
        Just(Intent::Misplaced {
            parameter: "id".into()
        }),
        Just(Intent::Unauthenticated {
            how: "without credentials".into()
        }),
        Just(Intent::Undeclared),
    ]
}

#[derive(Debug, Clone)]
struct Line {
    method: &'static str,
    target: &'static str,
    body: Value,
    status: u16,
    headers: Vec<(String, String)>,
    answer: String,
    intent: Intent,
    answered: bool,
    cut: bool,
    check: bool,
}

fn any_line() -> impl Strategy<Value = Line> {
    let methods = [
        "GET", "GET", "GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS",
    ];
    let call = (
        prop::sample::select(methods.to_vec()),
        prop::sample::select(vec![
            "/things",
            "/things/1",
            "/things/2?q=%",
            "/things/1?dry",
        ]),
        any_json(),
        prop_oneof![Just(200), Just(201), Just(404), any::<u16>()],
    );
    let answer = (any_headers(), any_body(), any_intent());
    let flags = (
        prop::bool::weighted(0.9),
        prop::bool::weighted(0.1),
        any::<bool>(),
    );
    (call, answer, flags).prop_map(|(call, answer, flags)| Line {
        method: call.0,
        target: call.1,
        body: call.2,
        status: call.3,
        headers: answer.0,
        answer: answer.1,
        intent: answer.2,
        answered: flags.0,
        cut: flags.1,
        check: flags.2,
    })
}

fn told<'w>(world: &'w World, lines: &[Line]) -> Story<'w> {
    lines.iter().fold(world.story(), |story, line| {
        let headers: Vec<(&str, &str)> = line
            .headers
            .iter()
            .map(|(name, value)| (name.as_str(), value.as_str()))
            .collect();
        let story = if line.answered {
            let (method, target) = (line.method, line.target);
            story.raw(
                method,
                target,
                &line.body,
                line.status,
                &headers,
                &line.answer,
            )
        } else {
            let failure = Failure::Malformed(line.answer.clone());
            story.unanswered(line.method, line.target, failure)
        };
        let story = story.meaning(line.intent.clone());
        let story = if line.cut { story.cut() } else { story };
        if line.check { story.checking() } else { story }
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn whatever_is_answered_can_be_judged(lines in prop::collection::vec(any_line(), 1..6)) {
        let world = world();
        let episode = told(&world, &lines).episode();
        let judge = Judge::new(&world.api, &world.validators);
        let findings = judge.judge(&episode);
        prop_assert_eq!(&judge.judge(&episode), &findings);
        for finding in findings {
            prop_assert!(finding.call < lines.len());
            prop_assert!(!finding.title.is_empty() && !finding.mark.is_empty());
            prop_assert!(ORACLES.iter().any(|oracle| oracle.code == finding.code));
            prop_assert!(world.api.find(&finding.operation).is_some());
        }
    }
}

/// What is nested a hundred deep must not cost a hundred doublings.
#[test]
fn deep_answers_are_judged_in_good_time() {
    let world = world();
    let deep = |inner: i32| (0..100).fold(json!(inner), |value, _| json!([value]));
    let thing = |inner: i32| json!({"id": 1, "deep": deep(inner)});
    world
        .story()
        .get("/things/1", 200, thing(1))
        .call("PATCH", "/things/1", thing(3), 200, Value::Null)
        .get("/things/1", 200, thing(2))
        .silent("F304");
}

#[test]
fn silenced_oracles_are_silent_in_any_case() {
    let world = world();
    let story = world.story().get("/things", 500, json!({}));
    let episode = story.episode();
    let judge = Judge::new(&world.api, &world.validators).silence(vec!["f101".into()]);
    assert!(judge.judge(&episode).iter().all(|f| f.code != "F101"));
}
