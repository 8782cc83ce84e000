//! F205 and F206: valid operations that are refused, and invalid ones that are not.

use fossick_trace::{Finding, Intent, Severity};
use serde_json::{Value, json};

use super::ask::library;
use crate::story::{broken, edge};

const ADD: &str = "mutation($input: BookInput!) { addBook(input: $input) { id } }";
const BY: &str = "query($n: Int, $g: Genre) { booksBy(minPages: $n, genre: $g) { id } }";
const PAINT: &str = "query($with: Paint!, $times: Int) { painted(with: $with, times: $times) }";

fn refused(query: &str, intent: Intent, entry: Value) -> Vec<Finding> {
    let world = library();
    let answer = json!({"errors": [entry]}).to_string();
    let story = world.story().ask_raw(query, json!({}), 400, &[], &answer);
    story.meaning(intent).heard("F205")
}

fn message(text: &str) -> Value {
    json!({"message": text, "locations": [{"line": 1, "column": 1}]})
}

#[test]
fn a_valid_operation_that_validation_refuses_is_told() {
    for text in [
        "Cannot query field \"id\" on type \"Book\".",
        "Unknown argument \"input\" on field \"Mutation.addBook\".",
        "Unknown type \"BookInput\".",
        "Variable \"$n\" of type \"Int\" used in position expecting type \"Float\".",
        "Field \"pages\" is not defined by type \"BookInput\".",
        "Field 'id' doesn't exist on type 'Book'",
        "Cannot query field \"cost\" on type \"Book\".",
        "Variable \"$n\" got invalid value 3; Expected type \"Int\".",
    ] {
        let found = refused(BY, Intent::Valid, message(text));
        assert_eq!(found.len(), 1, "{text}");
        assert_eq!(found[0].severity, Severity::Medium);
        assert!(
            found[0].title.contains("a valid operation is refused"),
            "{}",
            found[0].title
        );
    }
    let coded = json!({"message": "no", "extensions": {"code": "GRAPHQL_VALIDATION_FAILED"}});
    assert_eq!(refused(BY, Intent::Valid, coded).len(), 1);
}

#[test]
fn refusals_of_different_fields_are_different_faults() {
    let mark = |field: &str| {
        let text = format!("Cannot query field \"{field}\" on type \"Book\".");
        refused(BY, Intent::Valid, message(&text))[0].mark.clone()
    };
    assert_ne!(mark("id"), mark("title"));
    let value = |sent: &str| {
        let text = format!("Variable \"$n\" got invalid value \"{sent}\"; Expected type \"Int\".");
        refused(BY, Intent::Valid, message(&text))[0].mark.clone()
    };
    assert_eq!(value("a"), value("b"));
}

#[test]
fn values_that_nobody_describes_may_be_refused() {
    for (query, text) in [
        (
            PAINT,
            "Variable \"$with\" got invalid value \"red\" at \"with.shade\"; Expected type \"Shade\".",
        ),
        (PAINT, "Variable \"$with\" got invalid value {}; it is odd"),
        (BY, "Expected value of type \"ID\", found 7."),
        (
            ADD,
            "Variable \"$input\" got invalid value \"x\" at \"input.authorId\"; Expected type \"ID\".",
        ),
    ] {
        assert_eq!(refused(query, Intent::Valid, message(text)), [], "{text}");
    }
    let plain = "Variable \"$times\" got invalid value 3; Expected type \"Int\".";
    assert_eq!(refused(PAINT, Intent::Valid, message(plain)).len(), 1);
}

#[test]
fn limits_and_invalid_operations_are_refused_rightly() {
    for text in [
        "Query is too complex: 1200. Maximum allowed complexity: 1000",
        "Syntax Error: token limit of 1000 exceeded",
        "validation error: query depth 12 exceeds maximum depth 10",
        "Book not found",
        "You must be logged in",
        "syntax error at or near \"LIMIT\"",
    ] {
        assert_eq!(refused(BY, Intent::Valid, message(text)), [], "{text}");
    }
    let text = "Cannot query field \"x\" on type \"Book\".";
    assert_eq!(
        refused(BY, broken("the operation", "field"), message(text)),
        []
    );
    assert_eq!(
        refused(BY, edge("argument n", "3", false), message(text)),
        []
    );
    assert_eq!(
        refused(BY, edge("argument n", "3", true), message(text)).len(),
        1
    );
}

/// An error with a path happened while a field was resolved, whatever its words are.
#[test]
fn what_a_resolver_says_is_no_validation() {
    let world = library();
    let entry = json!({"message": "validation error: title is taken", "path": ["booksBy"]});
    let answer = json!({"data": {"booksBy": null}, "errors": [entry]});
    world.story().ask(BY, json!({}), answer).silent("F205");
}

fn accepted(intent: Intent, answer: Value) -> Vec<Finding> {
    let world = library();
    let story = world.story().ask(BY, json!({"n": "x"}), answer);
    story.meaning(intent).heard("F206")
}

#[test]
fn an_invalid_operation_that_is_carried_out_is_told() {
    for data in [json!({"booksBy": []}), json!({"booksBy": null})] {
        let found = accepted(broken("argument minPages", "enum"), json!({ "data": data }));
        assert_eq!(found.len(), 1);
        assert!(
            found[0]
                .title
                .starts_with("accepted although argument minPages breaks enum"),
            "{}",
            found[0].title
        );
    }
    let spoilt = accepted(
        broken("the operation", "field"),
        json!({"data": {"booksBy": []}}),
    );
    assert_eq!(spoilt[0].severity, Severity::Medium);
    let lenient = accepted(
        broken("argument minPages", "type"),
        json!({"data": {"booksBy": []}}),
    );
    assert_eq!(lenient[0].severity, Severity::Low);
}

#[test]
fn an_invalid_operation_that_is_refused_is_not_told() {
    let intent = || broken("argument minPages", "enum");
    let entry = json!([{"message": "no"}]);
    assert_eq!(accepted(intent(), json!({ "errors": entry })), []);
    assert_eq!(
        accepted(intent(), json!({"data": null, "errors": entry})),
        []
    );
    assert_eq!(
        accepted(
            intent(),
            json!({"data": {"booksBy": null}, "errors": entry})
        ),
        []
    );
    assert_eq!(
        accepted(Intent::Valid, json!({"data": {"booksBy": []}})),
        []
    );
    let world = library();
    let update = "mutation { updateBook(id: 1, patch: {}) { book { id } userErrors { message } } }";
    let payload = json!({"book": null, "userErrors": [{"message": "empty"}]});
    world
        .story()
        .ask(update, json!({}), json!({"data": {"updateBook": payload}}))
        .meaning(intent())
        .silent("F206");
}
