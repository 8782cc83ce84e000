use fossick_contract::RootKind;
use fossick_ingest::{NoFetch, Source as Text, read};
use fossick_suite::Body;
use serde_json::json;

use super::*;
use crate::{Content, GraphQlCall, RestCall, Statuses};

const SHOP: &str =
    "type Saw { id: ID! name: String } type Query { saw(id: ID!): Saw saws: [Saw!]! }
    type Mutation { drop(id: ID!): Boolean! }";

fn api(text: &str) -> Api {
    let source = Text {
        name: "document".to_owned(),
        text: text.to_owned(),
    };
    read(&source, &mut NoFetch).expect("it can be read").api
}

fn record(call: Call) -> Record {
    Record {
        key: call.key(),
        call,
        created_at: 1_614_761_866_000,
        updated_at: 1_620_233_719_000,
        times_called: 301_016,
        statuses: Statuses::default(),
        took: Took::default(),
        redactions: Vec::new(),
    }
}

fn asked(query: &str, variables: &Value) -> Record {
    let document = fossick_query::read(query, None).expect("an operation");
    record(Call::GraphQl(GraphQlCall {
        path: "/graphql".to_owned(),
        root: document.kind,
        query: fossick_query::write_compact(&document),
        operation_name: document.name,
        variables: variables.as_object().cloned().unwrap_or_default(),
    }))
}

fn sent(method: &str, path: &str, statuses: Statuses) -> Record {
    let call = Call::Rest(RestCall {
        method: method.to_owned(),
        path: path.to_owned(),
        query: vec![("a b".to_owned(), "c&d".to_owned())],
        headers: Vec::new(),
        content: Content::None,
    });
    Record {
        statuses,
        ..record(call)
    }
}

fn names(made: &Made) -> Vec<&str> {
    made.suite
        .tests
        .iter()
        .map(|test| test.name.as_str())
        .collect()
}

#[test]
fn every_call_is_a_test_and_those_of_one_operation_share_a_schema() {
    let query = "query SawById($id: ID!) { saw(id: $id) { id } }";
    let records = [
        asked(query, &json!({"id": "1"})),
        asked(query, &json!({"id": "2"})),
    ];
    let made = suite(&api(SHOP), &records, &Settings::default());
    assert_eq!(names(&made), ["saw by id", "saw by id 2"]);
    assert_eq!(made.suite.schemas.len(), 1);
    let test = &made.suite.tests[0];
    assert_eq!(
        test.about,
        ["Called 301,016 times, first 2021-03-03 08:57:46, last 2021-05-05 16:55:19."]
    );
    let Body::Json { value, .. } = &test.steps[0].request.body else {
        panic!("a JSON body");
    };
    let body = serde_json::to_value(value).expect("a template");
    assert_eq!(
        body.pointer("/value/operationName"),
        Some(&json!("SawById"))
    );
    assert!(matches!(test.steps[0].checks.last(), Some(check) if check.what == What::Schema(0)));
}

#[test]
fn switches_make_schemas_of_their_own() {
    let query = "query($long: Boolean!) { saws { id name @include(if: $long) } }";
    let records = [true, false].map(|long| asked(query, &json!({"long": long})));
    let made = suite(&api(SHOP), &records, &Settings::default());
    assert_eq!(made.suite.schemas.len(), 2);
    assert_eq!(names(&made), ["saws", "saws 2"]);
}

#[test]
fn what_changes_something_is_a_test_only_by_choice() {
    let records = [asked("mutation { drop(id: 1) }", &json!({}))];
    assert!(matches!(&records[0].call, Call::GraphQl(call) if call.root == RootKind::Mutation));
    let without = suite(&api(SHOP), &records, &Settings::default());
    assert_eq!(without.left_out[0].why, Why::Changes);
    assert_eq!(without.left_out[0].what, "mutation drop");
    let settings = Settings {
        mutations: true,
        ..Settings::default()
    };
    assert_eq!(names(&suite(&api(SHOP), &records, &settings)), ["drop"]);
}

#[test]
fn what_cannot_be_read_is_named_with_the_reason() {
    let mut broken = asked("{ saws { id } }", &json!({}));
    if let Call::GraphQl(call) = &mut broken.call {
        call.query = "{ saws {".to_owned();
    }
    let made = suite(&api(SHOP), &[broken], &Settings::default());
    assert!(
        made.left_out[0].why.to_string().contains("line 1"),
        "{:?}",
        made.left_out
    );
}

const TOOLS: &str = r##"{"openapi": "3.1.0", "info": {"title": "Tools", "version": "1"},
    "servers": [{"url": "https://example.org/v1/"}],
    "paths": {"/tools/{id}": {"get": {
        "parameters": [{"name": "id", "in": "path", "required": true, "schema": {"type": "integer"}}],
        "responses": {"200": {"description": "", "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Tool"}}}},
            "404": {"description": "", "content": {"application/json": {"schema": {"type": "string"}}}}}}},
      "/tools/latest": {"get": {"responses": {"204": {"description": ""}}}},
      "/tools": {"post": {"responses": {"201": {"description": ""}}}}},
    "components": {"schemas": {"Tool": {"type": "object", "required": ["id"], "properties": {"id": {"type": "integer"}}}}}}"##;

#[test]
fn a_request_is_resolved_to_its_operation_below_the_server() {
    let api = api(TOOLS);
    let found = resolve(&api, "get", "/v1/tools/a%20b").expect("it has one");
    assert_eq!(
        (found.path, found.holes),
        ("/tools/a%20b", vec![("id".to_owned(), "a b".to_owned())])
    );
    let fixed = resolve(&api, "GET", "/tools/latest").expect("it has one");
    assert_eq!(api.operation(fixed.operation).path.text, "/tools/latest");
    for nothing in ["/tools/1/2", "/tools/", "/v2/tools/1"] {
        assert_eq!(resolve(&api, "GET", nothing), None, "{nothing}");
    }
}

#[test]
fn a_rest_call_is_held_to_what_the_document_promises_for_what_was_seen() {
    let successful = Statuses {
        successful: 3,
        ..Statuses::default()
    };
    let either = Statuses {
        client_error: 1,
        ..successful
    };
    let records = [
        sent("GET", "/v1/tools/7", successful),
        sent("GET", "/v1/tools/8", either),
        sent("POST", "/v1/tools", successful),
        sent("GET", "/elsewhere", successful),
    ];
    let made = suite(&api(TOOLS), &records, &Settings::default());
    assert_eq!(names(&made), ["get tools", "get tools 2"]);
    let by = |path: &str| {
        let mut tests = made.suite.tests.iter();
        let path = fossick_suite::Piece::Fixed(path.to_owned());
        tests
            .find(|test| test.steps[0].request.path[0] == path)
            .expect("there is one")
    };
    let checks = |path: &str| by(path).steps[0].checks.len();
    assert_eq!(checks("/tools/7?a%20b=c%26d"), 3);
    assert_eq!(checks("/tools/8?a%20b=c%26d"), 1);
    for (name, schema) in &made.suite.schemas {
        let fits = |value: Value| fossick_validate::first_misfit(schema, &value).is_none();
        assert!(fits(json!({"id": 7})) && !fits(json!({})), "{name}");
    }
    let why: Vec<&Why> = made.left_out.iter().map(|left| &left.why).collect();
    assert_eq!(why, [&Why::Changes, &Why::NoOperation]);
}
