//! `fossick inspect`: what is understood of a document, for people and for programs.

use serde_json::Value;

use crate::program::{Folder, run, run_with_input};

const BROKEN: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/../../testdata/openapi/broken/openapi.yaml"
);

fn json(text: &str) -> Value {
    serde_json::from_str(text).expect("it prints JSON")
}

fn list<'a>(view: &'a Value, key: &str) -> &'a [Value] {
    view[key].as_array().expect("a list")
}

#[test]
fn a_program_reads_what_is_usable_what_is_not_and_where() {
    let ended = run(&Folder::new(), &["inspect", BROKEN, "--format", "json"]);
    assert_eq!(ended.code, 0, "{}", ended.stderr);
    let view = json(&ended.stdout);
    assert_eq!(view["operations"], 5);
    assert_eq!(list(&view, "operation_list").len(), 5);
    let unusable: Vec<&str> = list(&view, "unusable")
        .iter()
        .filter_map(|u| u["operation"].as_str())
        .collect();
    assert_eq!(
        unusable,
        ["POST /unusable", "PUT /unusable", "GET /unusable"]
    );
    for one in list(&view, "unusable") {
        assert!(
            one["reason"].as_str().is_some_and(|r| !r.is_empty()),
            "{one}"
        );
        assert!(
            one["place"]
                .as_str()
                .is_some_and(|p| p.contains("openapi.yaml:")),
            "{one}"
        );
    }
    let diagnostics = list(&view, "diagnostics");
    assert!(diagnostics.len() > 40, "{}", diagnostics.len());
    for diagnostic in diagnostics {
        let place = &diagnostic["place"];
        assert!(
            place["line"].as_u64().is_some_and(|line| line > 0),
            "{diagnostic}"
        );
        assert!(
            place["column"].as_u64().is_some_and(|column| column > 0),
            "{diagnostic}"
        );
    }
}

#[test]
fn a_person_reads_it_line_by_line() {
    let ended = run(&Folder::new(), &["inspect", BROKEN]);
    assert_eq!(ended.code, 0, "{}", ended.stderr);
    for line in [
        "8 operations, ",
        "3 of the operations can't be tested",
        "  GET /twice/{id}  1 parameters",
        "can't be tested: PUT /unusable: ",
        "openapi.yaml:11:41: `int` is not a type; read as `integer`",
    ] {
        assert!(ended.stdout.contains(line), "{line}\n{}", ended.stdout);
    }
}

#[test]
fn standard_input_is_as_good_as_a_file() {
    let folder = Folder::new();
    let text = std::fs::read_to_string(BROKEN).expect("it is there");
    folder.write("document", &text);
    let ended = run_with_input(&folder, &["inspect", "-", "--format", "json"], "document");
    assert_eq!(ended.code, 0, "{}", ended.stderr);
    assert_eq!(json(&ended.stdout)["operations"], 5);
}

#[test]
fn nothing_is_called_and_nothing_written() {
    let folder = Folder::new();
    let fake = fossick_testkit::Fake::start(|_| {
        let text = fossick_testkit::pure_document();
        fossick_testkit::FakeResponse::bytes(200, "application/json", text)
    });
    let url = format!("{}/openapi.json", fake.url());
    let ended = run(&folder, &["inspect", &url]);
    assert_eq!(ended.code, 0, "{}", ended.stderr);
    assert_eq!(fake.requests().len(), 1);
    assert!(folder.files().is_empty());
}

const RULED: &str = r#"{"openapi": "3.1.0", "info": {"title": "t", "version": "1"}, "paths": {
    "/rooms": {"get": {"responses": {"200": {"description": ""}}, "parameters": [
        {"name": "from", "in": "query", "schema": {"type": "string", "format": "date"}},
        {"name": "to", "in": "query", "schema": {"type": "string", "format": "date"}},
        {"name": "code", "in": "query", "description": "No more than 8 characters.",
            "schema": {"type": "string"}}]}},
    "/health": {"get": {"responses": {"200": {"description": ""}}}}}}"#;

#[test]
fn rules_that_no_schema_tells_are_shown() {
    let folder = Folder::new();
    folder.write("openapi.json", RULED);
    let text = run(&folder, &["inspect", "openapi.json"]).stdout;
    assert!(
        text.contains("    code: at most 8 long\n    from not after to\n"),
        "{text}"
    );
    let view = json(&run(&folder, &["inspect", "openapi.json", "--format", "json"]).stdout);
    let list = list(&view, "operation_list");
    assert_eq!(list[0]["rules"][1], "from not after to");
    assert_eq!(list[1].get("rules"), None);
}
