//! F105: whose mistake an error is.

use fossick_trace::{Finding, Intent, Severity, Sureness};
use serde_json::{Value, json};

use super::ask::library;
use crate::story::{broken, edge, stranger};

const BY: &str = "query($n: Int) { booksBy(minPages: $n) { title } }";

/// What is said of one error entry in the answer to a valid operation.
fn of_entry(entry: Value) -> Vec<Finding> {
    told(Intent::Valid, 200, entry)
}

fn told(intent: Intent, status: u16, entry: Value) -> Vec<Finding> {
    let world = library();
    let answer = json!({"data": {"booksBy": null}, "errors": [entry]}).to_string();
    world
        .story()
        .ask_raw(BY, json!({"n": 1}), status, &[], &answer)
        .meaning(intent)
        .heard("F105")
}

fn entry(message: &str) -> Value {
    json!({"message": message, "path": ["booksBy"]})
}

fn with_code(message: &str, code: Value) -> Value {
    json!({"message": message, "path": ["booksBy"], "extensions": {"code": code}})
}

#[test]
fn an_exception_is_told_with_its_circumstances_and_evidence() {
    let intent = edge("argument minPages", "42", true);
    let found = told(intent, 200, entry("integer division or modulo by zero"));
    assert_eq!(found.len(), 1);
    let found = &found[0];
    assert_eq!(
        found.title,
        "resolver of Query.booksBy failed when minPages = 42: integer division or modulo by zero"
    );
    assert!(found.why.contains("“modulo by zero”"), "{}", found.why);
    assert!(found.why.contains("valid by the schema"), "{}", found.why);
    assert_eq!(
        (found.severity, found.sureness),
        (Severity::High, Sureness::Sure)
    );
}

#[test]
fn breakdowns_are_known_in_many_tongues() {
    for message in [
        "'NoneType' object has no attribute 'title'",
        "list index out of range",
        "'title'",
        "('artist', 'Nova')",
        "IndexError",
        "index out of bounds: the len is 3 but the index is 7",
        "not enough values to unpack (expected 2, got 1)",
        "called `Option::unwrap()` on a `None` value",
        "Cannot read properties of undefined (reading 'required')",
        "Cannot invoke \"String.length()\" because \"name\" is null",
        "Exception while fetching data (/booksBy) : / by zero",
        "Object reference not set to an instance of an object.",
        "undefined method `title' for nil:NilClass",
        "Call to a member function title() on null",
        "runtime error: index out of range [3] with length 2",
        "thread 'main' panicked at src/main.rs:3",
        "Internal Server Error(s) while executing query",
        "Unexpected Execution Error",
        "internal system error",
        "connect ECONNREFUSED 127.0.0.1:5432",
        "context deadline exceeded",
        "Cannot return null for non-nullable field Book.pages.",
        "Expected Iterable, but did not find one for field \"Query.booksBy\".",
        "Enum \"Genre\" cannot represent value: \"DRAMA\"",
        "Int cannot represent non-integer value: \"many\"",
        "Abstract type \"Item\" must resolve to an Object type at runtime",
    ] {
        let found = of_entry(entry(message));
        assert_eq!(found.len(), 1, "{message}");
        assert_eq!(found[0].severity, Severity::High, "{message}");
    }
}

#[test]
fn what_is_said_to_callers_is_no_failure() {
    for message in [
        "Book not found",
        "(Book not found)",
        "NotFoundException",
        "Book 7 does not exist",
        "minPages must be positive",
        "You are not allowed to see this",
        "Please log in",
        "Title already exists",
        "title: cannot be empty",
        "duplicate key value violates unique constraint \"books_title_key\"",
        "invalid genre",
        "expected a positive number, but got: -1",
    ] {
        assert_eq!(of_entry(entry(message)), [], "{message}");
    }
}

#[test]
fn codes_speak_for_themselves() {
    for code in [
        json!("BAD_USER_INPUT"),
        json!("UNAUTHENTICATED"),
        json!("FORBIDDEN"),
        json!("NOT_FOUND"),
        json!("GRAPHQL_VALIDATION_FAILED"),
        json!("CONFLICT"),
        json!("23505"),
        json!(101),
    ] {
        let found = of_entry(with_code("that did not work", code.clone()));
        assert_eq!(found, [], "{code}");
    }
    for code in [
        json!("INTERNAL_SERVER_ERROR"),
        json!("INTERNAL"),
        json!("DOWNSTREAM_SERVICE_ERROR"),
        json!("42P01"),
        json!(1),
    ] {
        let found = of_entry(with_code("that did not work", code.clone()));
        assert_eq!(found.len(), 1, "{code}");
        assert_eq!(found[0].sureness, Sureness::Likely, "{code}");
    }
    let classified = json!({"message": "x", "path": ["booksBy"],
        "extensions": {"classification": "DataFetchingException"}});
    assert_eq!(of_entry(classified).len(), 1);
}

/// The schema takes any text for an ID, the server only some; it may mean so, and should say so.
#[test]
fn what_the_schema_allows_and_the_server_can_not_read_is_likely_its_own() {
    for message in [
        "invalid literal for int() with base 10: 'abc'",
        "For input string: \"abc\"",
        "strconv.ParseInt: parsing \"abc\": invalid syntax",
        "invalid input syntax for type integer: \"abc\"",
    ] {
        let found = of_entry(entry(message));
        assert_eq!(found.len(), 1, "{message}");
        assert_eq!(found[0].sureness, Sureness::Likely, "{message}");
    }
}

/// Some libraries give the code of an internal error to everything that is thrown.
#[test]
fn a_code_against_the_words_leaves_it_open() {
    let found = of_entry(with_code("Book not found", json!("INTERNAL_SERVER_ERROR")));
    assert_eq!(found.len(), 1);
    assert_eq!(
        (found[0].severity, found[0].sureness),
        (Severity::Low, Sureness::Perhaps)
    );
    assert!(found[0].why.contains("can't be told"), "{}", found[0].why);
}

#[test]
fn what_nobody_can_tell_is_mild_and_only_told_of_valid_input() {
    let found = of_entry(entry("boom"));
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].severity, Severity::Low);
    assert_eq!(
        told(broken("argument minPages", "type"), 200, entry("boom")),
        []
    );
    assert_eq!(told(stranger("id"), 200, entry("boom")), []);
}

#[test]
fn broken_input_may_not_break_the_server_either() {
    let intent = broken("argument minPages", "type");
    let found = told(intent, 200, entry("division by zero"));
    assert_eq!(found.len(), 1);
    assert_eq!(
        (found[0].severity, found[0].sureness),
        (Severity::Medium, Sureness::Likely)
    );
    let unknown = told(stranger("id"), 200, entry("NullPointerException"));
    assert_eq!(unknown[0].severity, Severity::High);
}

#[test]
fn a_status_of_its_own_is_told_by_another_oracle() {
    assert_eq!(told(Intent::Valid, 500, entry("division by zero")), []);
    let world = library();
    let answer = json!({"errors": [{"message": "oops"}]}).to_string();
    let found = world
        .story()
        .ask_raw(BY, json!({"n": 1}), 500, &[], &answer)
        .meaning(edge("argument minPages", "1", true))
        .one("F101");
    assert_eq!(found.title, "500 when minPages = 1");
    assert_eq!(
        found.why,
        "A service should never fail on what a caller sends."
    );
}

#[test]
fn an_operation_that_was_refused_did_not_fail() {
    let world = library();
    for message in [
        "Cannot query field \"x\" on type \"Book\".",
        "Syntax Error: Expected Name, found \"}\".",
        "Variable \"$n\" got invalid value \"x\"; Int cannot represent non-integer value: \"x\"",
    ] {
        let answer =
            json!({"errors": [{"message": message, "locations": [{"line": 1, "column": 3}]}]});
        world
            .story()
            .ask(BY, json!({"n": 1}), answer)
            .silent("F105");
    }
}

#[test]
fn ten_items_that_fail_alike_are_one_fault() {
    let world = library();
    let failed = |at: usize| {
        let path = json!(["books", at, "editor"]);
        json!({"message": format!("row {at} is gone: KeyError"), "path": path})
    };
    let answer = json!({
        "data": {"books": [{"editor": null}, {"editor": null}]},
        "errors": [failed(0), failed(1)],
    });
    let found = world
        .story()
        .ask("{ books { editor { name } } }", json!({}), answer)
        .one("F105");
    assert!(
        found.title.starts_with("resolver of Book.editor failed"),
        "{}",
        found.title
    );
}

/// Whichever operation leads to it.
#[test]
fn one_resolver_that_fails_is_one_cause() {
    let world = library();
    let cause = |query: &str, path: Value| {
        let root = path[0].clone();
        let mut data = json!({});
        data[root.as_str().expect("a key")] = Value::Null;
        let answer = json!({"data": data, "errors": [{"message": "KeyError: 'x'", "path": path}]});
        world
            .story()
            .ask(query, json!({}), answer)
            .one("F105")
            .cause
    };
    let single = cause(
        "{ book(id: 1) { author { name } } }",
        json!(["book", "author", "name"]),
    );
    let listed = cause(
        "{ booksBy { author { it: name } } }",
        json!(["booksBy", 0, "author", "it"]),
    );
    assert_eq!(single, listed);
    let other = cause("{ book(id: 1) { title } }", json!(["book", "title"]));
    assert_ne!(single, other);
}

#[test]
fn exceptions_are_found_in_stacks_too() {
    let stack = json!([
        "TypeError: x is not a function",
        "    at books (/app/index.js:3:12)"
    ]);
    let masked = json!({"message": "that did not work", "path": ["booksBy"],
        "extensions": {"exception": {"stacktrace": stack}}});
    let found = of_entry(masked);
    assert_eq!(found[0].sureness, Sureness::Sure);
    let plain = json!({"message": "Book not found", "path": ["booksBy"],
        "extensions": {"stacktrace": ["Error: Book not found", "    at x (/app/y.js:1:1)"]}});
    assert_eq!(of_entry(plain), []);
}
