use fossick_ingest::{NoFetch, Source as Text, read};
use proptest::prelude::*;
use serde_json::json;

use super::*;
use crate::{Content, GraphQlCall, RestCall, Statuses, Took};

fn api(text: &str) -> Api {
    let source = Text {
        name: "document".to_owned(),
        text: text.to_owned(),
    };
    read(&source, &mut NoFetch).expect("it can be read").api
}

fn shop() -> Api {
    api(
        "type Saw { id: ID! name: String teeth(first: Int, of: [ID!]): [Int!]! }
        input Where { ids: [ID!] size: Int }
        type Query { saw(id: ID!): Saw saws(where: Where, kind: Kind): [Saw!]! }
        enum Kind { HAND BAND }
        type Mutation { make(name: String!): Saw! }",
    )
}

fn desk() -> Api {
    let hole = |name: &str| json!({"name": name, "in": "path", "required": true, "schema": {"type": "integer"}});
    let ok = json!({"200": {"description": ""}});
    let task = json!({"type": "object", "properties": {"title": {"type": "string"}, "size": {"type": "integer"}}});
    api(&json!({
        "openapi": "3.0.3", "info": {"title": "Desk", "version": "1"},
        "servers": [{"url": "/api"}],
        "paths": {
            "/projects": {"post": {"responses": ok}, "get": {"responses": ok, "parameters": [
                {"name": "ids", "in": "query", "schema": {"type": "array", "items": {"type": "integer"}}},
                {"name": "open", "in": "query", "required": true, "schema": {"type": "boolean"}}]}},
            "/projects/{id}/tasks": {"parameters": [hole("id")],
                "post": {"responses": ok, "requestBody": {"required": true, "content": {
                    "application/json": {"schema": task},
                    "application/x-www-form-urlencoded": {"schema": task}}}}},
        }
    }).to_string())
}

fn record(call: Call, times_called: u64) -> Record {
    Record {
        key: call.key(),
        call,
        created_at: 1,
        updated_at: 2,
        times_called,
        statuses: Statuses::default(),
        took: Took::default(),
        redactions: Vec::new(),
    }
}

fn asked(query: &str, variables: &Value, times: u64) -> Record {
    let document = fossick_query::read(query, None).expect("an operation");
    let call = GraphQlCall {
        path: "/graphql".to_owned(),
        root: document.kind,
        query: fossick_query::write_compact(&document),
        operation_name: document.name,
        variables: variables.as_object().cloned().unwrap_or_default(),
    };
    record(Call::GraphQl(call), times)
}

fn sent(method: &str, path: &str, query: &[(&str, &str)], content: Content) -> Record {
    let pair = |(name, value): &(&str, &str)| ((*name).to_owned(), (*value).to_owned());
    let call = RestCall {
        method: method.to_owned(),
        path: path.to_owned(),
        query: query.iter().map(pair).collect(),
        headers: Vec::new(),
        content,
    };
    record(Call::Rest(call), 1)
}

fn flow(from: &str, pointer: &str, to: &str, place: &str) -> Flow {
    Flow {
        from: from.to_owned(),
        pointer: pointer.to_owned(),
        to: to.to_owned(),
        place: place.to_owned(),
        times: 3,
    }
}

#[test]
fn every_root_field_is_a_seed_with_its_values_laid_in() {
    let api = shop();
    let both = asked(
        "query($id: ID!, $w: Where) { saw(id: $id) { name } all: saws(where: $w, kind: BAND) { teeth(first: 2) } }",
        &json!({"id": 7, "w": {"ids": "a"}}),
        5,
    );
    let often = asked("mutation { make(name: \"x\") { id } }", &json!({}), 9);
    let made = seeds(&api, &[both, often], &[]);
    let told: Vec<_> = made
        .calls
        .iter()
        .map(|seed| {
            (
                api.operation(seed.operation).label.as_str(),
                seed.body.clone(),
            )
        })
        .collect();
    assert_eq!(
        told,
        [
            ("mutation make", Some((0, json!({"name": "x"})))),
            ("query saw", Some((0, json!({"id": "7"})))),
            (
                "query saws",
                Some((0, json!({"where": {"ids": ["a"]}, "kind": "BAND"})))
            ),
        ]
    );
    assert_eq!(made.calls[2].picks.len(), 1);
}

#[test]
fn values_of_fields_below_the_root_are_coerced_too() {
    let asked = asked("{ saws { ... on Saw { teeth(of: 7) } } }", &json!({}), 1);
    let made = seeds(&shop(), &[asked], &[]);
    let Pick::Part(part) = &made.calls[0].picks[0] else {
        panic!("a part");
    };
    let Pick::Field(teeth) = &part.picks[0] else {
        panic!("a field");
    };
    assert_eq!(teeth.arguments[0].1.value(), Some(json!(["7"])));
}

#[test]
fn texts_become_what_the_document_says_they_are() {
    let api = desk();
    let listed = sent(
        "GET",
        "/api/projects",
        &[("ids", "1"), ("ids", "2"), ("open", "true"), ("utm", "x")],
        Content::None,
    );
    let form = Content::Form {
        fields: vec![
            ("size".to_owned(), "3".to_owned()),
            ("title".to_owned(), "5".to_owned()),
        ],
    };
    let posted = sent("POST", "/projects/7/tasks", &[], form);
    let made = seeds(&api, &[listed, posted], &[]);
    assert_eq!(made.left_out, []);
    assert_eq!(
        made.calls[0].arguments,
        [Some(json!([1, 2])), Some(json!(true))]
    );
    assert_eq!(made.calls[1].arguments, [Some(json!(7))]);
    assert_eq!(
        made.calls[1].body,
        Some((1, json!({"size": 3, "title": "5"})))
    );
}

#[test]
fn what_the_document_does_not_have_is_left_out_with_a_reason() {
    let text = Content::Text {
        media_type: "text/plain".to_owned(),
        text: "x".to_owned(),
    };
    let records = [
        sent("GET", "/elsewhere", &[], Content::None),
        sent("GET", "/projects", &[], Content::None),
        sent("POST", "/projects/7/tasks", &[], text),
        asked("{ saw(id: 1) { id } }", &json!({}), 1),
    ];
    let why: Vec<_> = seeds(&desk(), &records, &[])
        .left_out
        .into_iter()
        .map(|l| l.why)
        .collect();
    assert_eq!(
        why,
        [
            Why::NoOperation,
            Why::Missing("query open".to_owned()),
            Why::NoContent,
            Why::OtherKind
        ]
    );
    let gone = asked("{ hammer { id } }", &json!({}), 1);
    let made = seeds(&shop(), &[gone], &[]);
    assert_eq!(made.left_out[0].why, Why::NoRoot("hammer".to_owned()));
}

#[test]
fn calls_that_never_went_well_come_last() {
    let mut failing = asked("{ saw(id: 1) { id } }", &json!({}), 100);
    failing.statuses = Statuses {
        successful: 100,
        with_errors: 100,
        ..Statuses::default()
    };
    let works = asked("{ saws { id } }", &json!({}), 2);
    let made = seeds(&shop(), &[failing, works], &[]);
    assert_eq!(
        made.calls.iter().map(|s| s.times).collect::<Vec<_>>(),
        [2, 100]
    );
}

#[test]
fn flows_are_told_by_operation_and_place() {
    let api = desk();
    let (list, make, task) = (
        api.find("GET /projects"),
        api.find("POST /projects"),
        api.find("POST /projects/{id}/tasks"),
    );
    let flows = [
        flow(
            "POST /api/projects",
            "/id",
            "POST /api/projects/{}/tasks",
            "path 0",
        ),
        flow(
            "GET /projects",
            "/items/-/id",
            "POST /projects/{}/tasks",
            "body /after",
        ),
        flow("GET /projects", "/x", "GET /nowhere", "path 0"),
        flow("POST /projects", "/id", "POST /projects/{}/tasks", "path 4"),
    ];
    let found = seeds(&api, &[], &flows).flows;
    let told: Vec<_> = found
        .iter()
        .map(|f| {
            (
                Some(f.maker),
                f.pointer.as_str(),
                Some(f.consumer),
                f.into.clone(),
            )
        })
        .collect();
    assert_eq!(
        told,
        [
            (make, "/id", task, At::Parameter(0)),
            (list, "/items/0/id", task, At::Body("/after".to_owned())),
        ]
    );
}

#[test]
fn flows_of_graphql_end_in_arguments_of_the_root() {
    let api = shop();
    let flows = [
        flow("make", "/data/make/id", "saw", "argument saw.id"),
        flow("make", "/data/make/id", "saws", "argument saws.where.ids"),
        flow("make", "/data/make/id", "saws", "argument saws/teeth.first"),
    ];
    let found = seeds(&api, &[], &flows).flows;
    let into: Vec<_> = found.iter().map(|f| f.into.clone()).collect();
    assert_eq!(
        into,
        [
            At::Body("/id".to_owned()),
            At::Body("/where/ids".to_owned())
        ]
    );
}

proptest! {
    #[test]
    fn whatever_was_recorded_is_a_seed_or_is_left_out(
        path in "(/api)?(/projects|/[a-z{}%]{0,5}|/[0-9]{1,20}){0,5}",
        name in "(ids|open|ids\\[\\]|open\\[x\\]|[a-z\\[\\]]{0,5})",
        text in "\\PC{0,8}",
        method in "(GET|POST|X)",
        place in "(path|query|body|argument|) ?([0-9]{0,20}|/[a-z/-]{0,8}|[a-z.]{0,8})",
    ) {
        let fields = vec![(name.clone(), text.clone()), (name.clone(), text.clone())];
        let contents = [
            Content::None,
            Content::Form { fields },
            Content::Json { media_type: text.clone(), value: json!([text.clone()]) },
        ];
        let query = [(name.as_str(), text.as_str()), ("open", text.as_str())];
        let records: Vec<Record> = contents.into_iter().map(|c| sent(&method, &path, &query, c)).collect();
        let label = format!("{method} {path}");
        let flows = [flow("POST /projects", &place, &label, &place), flow(&label, &text, &label, &place)];
        let api = desk();
        let made = seeds(&api, &records, &flows);
        prop_assert_eq!(made.calls.len() + made.left_out.len(), records.len());
        for seed in &made.calls {
            prop_assert_eq!(seed.arguments.len(), api.operation(seed.operation).parameters.len());
        }
    }
}
