//! F210: the form of an answer.

use fossick_trace::{Finding, Severity};
use serde_json::{Value, json};

use super::ask::library;

const BOOKS: &str = "{ books { id author { name } } }";

fn raw(status: u16, headers: &[(&str, &str)], body: &str) -> Vec<Finding> {
    let world = library();
    let story = world
        .story()
        .ask_raw(BOOKS, json!({}), status, headers, body);
    story.heard("F210")
}

fn titles(answer: Value) -> Vec<String> {
    let found = raw(200, &[], &answer.to_string());
    found.into_iter().map(|finding| finding.title).collect()
}

fn with_error(entry: Value) -> Value {
    json!({"data": null, "errors": [entry]})
}

#[test]
fn what_is_no_answer_at_all_is_told() {
    for (body, told) in [
        ("", "the body is not JSON"),
        ("it works", "the body is not JSON"),
        ("[1]", "the body is [1] and not an object"),
        ("{}", "neither data nor errors"),
        (r#"{"result": 1}"#, "neither data nor errors"),
        (r#"{"data": null}"#, "data is null and no error says why"),
        (r#"{"data": [1]}"#, "data is [1] and not an object"),
    ] {
        let found = raw(200, &[], body);
        assert_eq!(found.len(), 1, "{body}");
        assert_eq!(found[0].title, told);
        assert_eq!(found[0].severity, Severity::Medium);
    }
}

#[test]
fn guards_servers_and_pages_have_forms_of_their_own() {
    assert_eq!(raw(502, &[], "<html>bad gateway</html>"), []);
    assert_eq!(raw(403, &[], r#"{"message": "no"}"#), []);
    assert_eq!(raw(429, &[], "slow down"), []);
    assert_eq!(
        raw(200, &[("content-type", "text/html")], "<html>hello</html>"),
        []
    );
    assert_eq!(
        raw(
            200,
            &[("content-type", "multipart/mixed; boundary=x")],
            "--x"
        ),
        []
    );
    let world = library();
    let page = [("content-type", "text/html; charset=utf-8")];
    let story = world
        .story()
        .ask_raw(BOOKS, json!({}), 200, &page, "<html>hello</html>");
    assert_eq!(story.one("F104").title, "an HTML page with status 200");
}

#[test]
fn errors_are_a_list_with_something_in_it() {
    let data = json!({"books": []});
    assert_eq!(
        titles(json!({"data": data, "errors": []})),
        ["errors is an empty list; it should be left out"]
    );
    assert_eq!(
        titles(json!({"data": data, "errors": null})),
        ["errors is null; it should be left out"]
    );
    assert_eq!(
        titles(json!({"data": null, "errors": "no"})),
        ["errors is \"no\" and not a list"]
    );
    assert_eq!(titles(json!({"errors": [{"message": "no"}]})), [""; 0]);
    assert_eq!(
        titles(json!({"data": null, "errors": [{"message": "no"}]})),
        [""; 0]
    );
}

#[test]
fn an_entry_has_a_message() {
    assert_eq!(
        titles(with_error(json!("no"))),
        ["an error is \"no\" and not an object"]
    );
    assert_eq!(
        titles(with_error(json!({"error": "no"}))),
        ["an error has no message: {\"error\":\"no\"}"]
    );
    assert_eq!(
        titles(with_error(json!({"message": null}))),
        ["an error has no message: {\"message\":null}"]
    );
    assert_eq!(titles(with_error(json!({"message": ""}))), [""; 0]);
}

#[test]
fn locations_count_from_one() {
    let told = |locations: Value| {
        let entry = json!({"message": "no", "locations": locations});
        raw(200, &[], &with_error(entry).to_string())
    };
    for right in [json!([{"line": 1, "column": 3}]), json!([]), json!(null)] {
        assert_eq!(told(right), []);
    }
    for wrong in [
        json!([{"line": 0, "column": 3}]),
        json!([{}]),
        json!("1:3"),
        json!([1, 3]),
    ] {
        let found = told(wrong);
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].severity, Severity::Low);
    }
}

#[test]
fn a_path_leads_through_what_was_asked_for() {
    let told = |path: Value| titles(with_error(json!({"message": "no", "path": path})));
    for right in [
        json!(["books"]),
        json!(["books", 3]),
        json!(["books", 0, "author", "name"]),
        json!(null),
    ] {
        assert_eq!(told(right.clone()), [""; 0], "{right}");
    }
    for wrong in [
        json!(["book"]),
        json!(["books", "author"]),
        json!(["books", 0, "title"]),
        json!(["books", 0, 0]),
        json!([0]),
        json!(["books", 0, "author", "name", "first"]),
    ] {
        let title = format!("an error's path {wrong} leads nowhere");
        assert_eq!(told(wrong), [title]);
    }
    assert_eq!(told(json!("books")), ["an error's path is \"books\""]);
    assert_eq!(
        told(json!(["books", -1])),
        ["an error's path is [\"books\",-1]"]
    );
}

/// Where validation refuses, some tell the path of what they refuse within the operation.
#[test]
fn a_path_into_the_operation_is_none_into_data() {
    let entry = json!({"message": "Field 'x' doesn't exist on type 'Book'", "path": ["query", "books", "x"]});
    assert_eq!(titles(json!({"errors": [entry]})), [""; 0]);
}

#[test]
fn what_was_refused_has_no_data() {
    let refusal = json!({"message": "Cannot query field \"x\" on type \"Book\"."});
    assert_eq!(
        titles(json!({"data": {"books": []}, "errors": [refusal]})),
        ["data although the operation was refused: Cannot query field \"x\" on type \"Book\"."]
    );
}

#[test]
fn a_body_that_was_cut_is_not_judged() {
    let world = library();
    let story = world
        .story()
        .ask_raw(BOOKS, json!({}), 200, &[], "{\"data\":")
        .cut();
    assert_eq!(story.findings(), []);
}
