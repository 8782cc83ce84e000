//! F201 to F204: statuses, media types, headers and bodies against what the document promises.

use fossick_trace::{Finding, Intent, Severity};
use serde_json::{Value, json};

use crate::story::World;

/// A service of one operation, `GET /things`, that answers 200 with this schema.
fn promising(schema: Value) -> World {
    World::of(json!({"/things": {"get": {"responses": {
        "200": {"description": "", "content": {"application/json": {"schema": schema}}},
    }}}}))
}

fn responding(responses: Value) -> World {
    World::of(json!({"/things": {"get": {"responses": responses}}}))
}

fn json_of(schema: Value) -> Value {
    json!({"description": "", "content": {"application/json": {"schema": schema}}})
}

fn schema_findings(schema: Value, answer: Value) -> Vec<Finding> {
    let world = promising(schema);
    world.story().get("/things", 200, answer).heard("F201")
}

fn thing() -> Value {
    json!({
        "type": "object",
        "required": ["id", "name"],
        "properties": {
            "id": {"type": "integer"},
            "name": {"type": "string"},
            "note": {"type": ["string", "null"]},
            "made": {"type": "string", "format": "date-time"},
        },
    })
}

#[test]
fn a_text_where_a_number_was_promised_is_told() {
    let found = schema_findings(thing(), json!({"id": "7", "name": "x"}));
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].severity, Severity::Medium);
    assert!(found[0].title.starts_with("id: \"7\""), "{found:?}");
}

#[test]
fn ten_items_with_one_fault_are_one_fault() {
    let list = json!({"type": "array", "items": thing()});
    let item = json!({"id": 1, "name": null});
    let found = schema_findings(list, json!([item, item, item]));
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!(found[0].mark, "2 /*/name type");
}

#[test]
fn what_fits_is_not_told() {
    for answer in [
        json!({"id": 1, "name": "x"}),
        json!({"id": 1.0, "name": "x"}),
        json!({"id": 1, "name": "x", "note": null}),
        json!({"id": 1, "name": "x", "more": [1]}),
    ] {
        assert_eq!(schema_findings(thing(), answer.clone()), [], "{answer}");
    }
}

#[test]
fn null_is_not_the_same_as_absent() {
    let mut schema = thing();
    schema["properties"]["note"] = json!({"type": "string"});
    let null = json!({"id": 1, "name": "x", "note": null});
    assert_eq!(schema_findings(schema.clone(), null).len(), 1);
    assert_eq!(schema_findings(schema, json!({"id": 1, "name": "x"})), []);
}

#[test]
fn pedantries_are_mild() {
    let mut closed = thing();
    closed["additionalProperties"] = json!(false);
    let extra = schema_findings(closed, json!({"id": 1, "name": "x", "more": 1}));
    assert_eq!(extra[0].severity, Severity::Low, "{extra:?}");
    let date = json!({"id": 1, "name": "x", "made": "2024-05-17 10:30"});
    let format = schema_findings(thing(), date);
    assert_eq!(format[0].severity, Severity::Low, "{format:?}");
}

/// The alternative fails as a whole, but only for the sake of a date.
#[test]
fn a_format_hidden_in_an_alternative_is_mild_too() {
    let nested = json!({"anyOf": [thing(), {"type": "null"}]});
    let schema = json!({"type": "object", "properties": {"thing": nested}});
    let date = json!({"thing": {"id": 1, "name": "x", "made": "yesterday"}});
    let found = schema_findings(schema.clone(), date);
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!(found[0].severity, Severity::Low);
    let wrong = schema_findings(schema.clone(), json!({"thing": {"id": "1", "name": "x"}}));
    assert!(
        wrong.iter().any(|f| f.severity == Severity::Medium),
        "{wrong:?}"
    );
    assert_eq!(schema_findings(schema, json!({"thing": null})), []);
}

#[test]
fn a_body_that_is_no_json_is_told_once() {
    let world = promising(thing());
    let json = [("content-type", "application/json")];
    let story = world.story();
    let found = story.raw("GET", "/things", &Value::Null, 200, &json, "<b>");
    assert_eq!(found.one("F201").title, "the body is not JSON");
}

#[test]
fn what_was_cut_off_or_is_empty_is_not_judged() {
    let world = promising(thing());
    let wrong = json!({"id": "7"});
    world
        .story()
        .get("/things", 200, wrong)
        .cut()
        .silent("F201");
    world
        .story()
        .get("/things", 200, Value::Null)
        .silent("F201");
}

#[test]
fn write_only_fields_need_not_come_back() {
    let schema = json!({"type": "object", "required": ["name", "pin"], "properties": {
        "name": {"type": "string"}, "pin": {"type": "string", "writeOnly": true}}});
    assert_eq!(schema_findings(schema, json!({"name": "x"})), []);
}

#[test]
fn classes_and_the_default_have_schemas_as_well() {
    let problem = json!({"type": "object", "required": ["detail"]});
    let world = responding(json!({
        "200": json_of(thing()), "4XX": json_of(problem), "default": json_of(json!({"type": "array"})),
    }));
    let at = |status, answer| world.story().get("/things", status, answer).heard("F201");
    assert_eq!(at(404, json!({"detail": "gone"})), []);
    assert_eq!(at(302, json!([])), []);
    assert_eq!(at(404, json!({}))[0].severity, Severity::Low);
    assert_eq!(at(302, json!({})).len(), 1);
}

#[test]
fn an_answer_is_judged_by_the_schema_of_its_own_media_type() {
    let world = responding(json!({"400": {"description": "", "content": {
        "application/json": {"schema": {"type": "array"}},
        "application/problem+json": {"schema": {"type": "object"}},
    }}}));
    let sent = |media_type: &str| {
        let headers = [("content-type", media_type)];
        let story = world.story();
        story
            .raw("GET", "/things", &Value::Null, 400, &headers, "{}")
            .heard("F201")
            .len()
    };
    assert_eq!(sent("application/problem+json"), 0);
    assert_eq!(sent("application/json; charset=utf-8"), 1);
}

#[test]
fn another_method_is_not_held_to_what_its_neighbour_promises() {
    let world = responding(json!({"200": {
        "description": "",
        "headers": {"X-Total": {"required": true, "schema": {"type": "integer"}}},
        "content": {"application/json": {"schema": thing()}},
    }}));
    let asked = |headers: &[(&str, &str)], answer: &str| {
        let story = world.story();
        let story = story.raw("OPTIONS", "/things", &Value::Null, 200, headers, answer);
        story.meaning(Intent::Undeclared).findings()
    };
    assert_eq!(asked(&[("content-type", "text/plain")], "GET,POST"), []);
    assert_eq!(asked(&[("content-type", "text/html")], "<p>"), []);
    assert_eq!(asked(&[("content-type", "application/json")], "{}"), []);
}

#[test]
fn an_undocumented_status_is_told() {
    let world = promising(thing());
    let found = world.story().get("/things", 409, json!({})).one("F202");
    assert_eq!(found.title, "answered 409");
    assert_eq!(found.severity, Severity::Low);
}

/// Guards in front of a service answer these on their own.
#[test]
fn guards_need_not_be_documented() {
    let world = promising(thing());
    for status in [401, 403, 429] {
        world
            .story()
            .get("/things", status, json!({}))
            .silent("F202");
    }
}

#[test]
fn classes_and_the_default_document_statuses() {
    let world = responding(json!({"200": json_of(json!({})), "4XX": {"description": ""}}));
    world.story().get("/things", 409, json!({})).silent("F202");
    let world = responding(json!({"default": {"description": ""}}));
    world.story().get("/things", 409, json!({})).silent("F202");
}

#[test]
fn a_crash_or_a_method_of_another_is_no_undocumented_status() {
    let world = promising(thing());
    world.story().get("/things", 500, json!({})).silent("F202");
    let options = world
        .story()
        .call("OPTIONS", "/things", Value::Null, 204, Value::Null);
    options.meaning(Intent::Undeclared).silent("F202");
}

fn typed(world: &World, status: u16, headers: &[(&str, &str)], body: &str) -> Vec<Finding> {
    let story = world.story();
    let story = story.raw("GET", "/things", &Value::Null, status, headers, body);
    story.heard("F203")
}

#[test]
fn a_media_type_that_nobody_promised_is_told() {
    let world = promising(thing());
    let found = typed(&world, 200, &[("content-type", "text/csv")], "1,2");
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].title, "answered text/csv");
    assert_eq!(typed(&world, 200, &[], "1,2")[0].title, "no content type");
}

#[test]
fn spelling_parameters_and_ranges_do_not_matter() {
    let world = promising(thing());
    let spelt = [("Content-Type", "Application/JSON; charset=utf-8")];
    assert_eq!(typed(&world, 200, &spelt, "{}"), []);
    for range in ["*/*", "image/*", "Image/PNG"] {
        let content = json!({"200": {"description": "", "content": {range: {}}}});
        let png = [("content-type", "image/png")];
        assert_eq!(typed(&responding(content), 200, &png, "png"), [], "{range}");
    }
}

#[test]
fn what_is_empty_has_no_media_type() {
    let world = promising(thing());
    assert_eq!(
        typed(&world, 200, &[("content-type", "text/plain")], ""),
        []
    );
    assert_eq!(
        typed(&world, 404, &[("content-type", "text/plain")], "x"),
        []
    );
    let bare = responding(json!({"200": {"description": ""}}));
    assert_eq!(
        typed(&bare, 200, &[("content-type", "text/plain")], "x"),
        []
    );
}

fn header_findings(header: Value, sent: &[(&str, &str)]) -> Vec<Finding> {
    let world = responding(json!({"200": {"description": "", "headers": {"X-Page": header}}}));
    let story = world.story();
    let story = story.raw("GET", "/things", &Value::Null, 200, sent, "");
    story.heard("F204")
}

#[test]
fn a_required_header_that_is_missing_is_told() {
    let header = json!({"required": true, "schema": {"type": "integer"}});
    let found = header_findings(header, &[]);
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].title, "header X-Page is missing");
}

#[test]
fn a_header_of_another_form_is_told() {
    let header = json!({"schema": {"type": "integer", "minimum": 1}});
    assert_eq!(
        header_findings(header.clone(), &[("x-page", "one")]).len(),
        1
    );
    assert_eq!(header_findings(header, &[("x-page", "0")]).len(), 1);
}

#[test]
fn optional_headers_may_be_missing() {
    assert_eq!(
        header_findings(json!({"schema": {"type": "integer"}}), &[]),
        []
    );
    assert_eq!(header_findings(json!({}), &[("x-page", "anything")]), []);
}

#[test]
fn header_text_is_read_as_what_was_promised() {
    for (schema, sent) in [
        (json!({"type": "integer"}), "7"),
        (json!({"type": "string"}), "7"),
        (json!({"type": "boolean"}), "true"),
        (json!({"enum": [1, 2]}), "2"),
        (json!({"enum": ["1", "2"]}), "2"),
        (json!({"type": ["integer", "null"]}), "7"),
        (
            json!({"anyOf": [{"type": "integer"}, {"type": "boolean"}]}),
            "7",
        ),
        (
            json!({"type": "array", "items": {"type": "integer"}}),
            "1, 2,3",
        ),
        (json!({"type": "array", "items": {"type": "string"}}), "1,2"),
        (json!({"type": "object"}), "a,1"),
    ] {
        let header = json!({ "schema": schema });
        let found = header_findings(header, &[("X-PAGE", sent)]);
        assert_eq!(found, [], "{schema} {sent}");
    }
}
