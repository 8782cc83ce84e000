//! Nothing is said of a service that is right, whatever shape its right answers have.

use fossick_trace::Intent;
use serde_json::{Value, json};

use super::ask::library;
use crate::story::{broken, stranger};

#[track_caller]
fn right(query: &str, answer: Value) {
    let world = library();
    let findings = world.story().ask(query, json!({}), answer).findings();
    assert_eq!(findings, [], "{query}");
}

fn whole_book() -> Value {
    json!({
        "__typename": "Book", "id": 1, "title": "", "pages": 0, "rating": 0.0, "inPrint": false,
        "genre": null, "tags": [], "notes": [null], "grid": [[]],
        "author": {"id": "1", "name": "", "born": -5, "books": []},
        "editor": null, "reviews": [{"stars": 0, "by": {"name": "x"}}], "added": null,
        "shade": {"red": 1},
    })
}

const WHOLE: &str = "__typename id title pages rating inPrint genre tags notes grid \
    author { id name born books { id } } editor { name } reviews { stars by { name } } added shade";

#[test]
fn whole_things_empty_things_and_no_things() {
    let one = format!("{{ book(id: 1) {{ {WHOLE} }} }}");
    right(&one, json!({"data": {"book": whole_book()}}));
    right(&one, json!({"data": {"book": null}}));
    let all = format!("{{ books {{ {WHOLE} }} }}");
    right(&all, json!({"data": {"books": []}}));
    right(
        &all,
        json!({"data": {"books": [whole_book(), whole_book()]}}),
    );
    right(
        "{ booksBy { id } }",
        json!({"data": {"booksBy": [null, {"id": ""}]}}),
    );
    right(
        "{ count }",
        json!({"data": {"count": 0}, "extensions": {"cost": 1}}),
    );
    right(
        "mutation { deleteBook(id: 1) }",
        json!({"data": {"deleteBook": false}}),
    );
    right(
        "mutation { lendBook(id: 1) }",
        json!({"data": {"lendBook": null}}),
    );
}

#[test]
fn abstract_things() {
    let query = "{ search(text: \"x\") { __typename ...B ... on Item { title } ... on Author { name } } } \
        fragment B on Book { pages author { name } }";
    let found = json!([
        {"__typename": "Book", "pages": 1, "author": {"name": "x"}, "title": "y"},
        {"__typename": "Film", "title": "y"},
        {"__typename": "Author", "name": "x"},
    ]);
    right(query, json!({"data": {"search": found}}));
    right("{ items { id } }", json!({"data": {"items": null}}));
    right(
        "{ item(id: 1) { id } }",
        json!({"data": {"item": {"id": "x"}}}),
    );
}

#[test]
fn refusals_of_the_callers_own_making() {
    let refused = json!({"data": {"book": null},
        "errors": [{"message": "Book not found", "path": ["book"], "locations": [{"line": 1, "column": 3}],
            "extensions": {"code": "NOT_FOUND"}}]});
    right("{ book(id: 1) { id } }", refused);
    let rose = json!({"data": null, "errors": [{"message": "You are not allowed to see this",
        "path": ["books", 2, "author"], "extensions": {"code": "FORBIDDEN"}}]});
    right("{ books { author { id } } }", rose);
    let forbidden = json!({"errors": [{"message": "Query depth limit exceeded"}]});
    right("{ books { author { books { id } } } }", forbidden);
}

#[test]
fn several_fields_in_one_operation() {
    let query = "{ a: count b: count c: book(id: 1) { x: id y: id } c: book(id: 1) { z: title } }";
    right(
        query,
        json!({"data": {"a": 1, "b": 1, "c": {"x": 1, "y": 1, "z": ""}}}),
    );
}

#[test]
fn wrong_input_that_is_refused_in_any_of_the_usual_ways() {
    let world = library();
    let query = "query($n: Int) { booksBy(minPages: $n) { id } }";
    let invalid =
        "Variable \"$n\" got invalid value \"x\"; Int cannot represent non-integer value: \"x\"";
    for (status, body) in [
        (
            400,
            json!({"errors": [{"message": invalid, "extensions": {"code": "BAD_USER_INPUT"}}]}),
        ),
        (200, json!({"errors": [{"message": invalid}]})),
        (
            200,
            json!({"data": null, "errors": [{"message": "Invalid value", "path": null}]}),
        ),
        (422, json!({"message": "no"})),
        (400, json!("no")),
    ] {
        let story = world
            .story()
            .ask_raw(query, json!({"n": "x"}), status, &[], &body.to_string());
        let findings = story
            .meaning(broken("argument minPages", "type"))
            .findings();
        assert_eq!(findings, [], "{body}");
    }
}

#[test]
fn a_whole_life_of_a_thing() {
    let world = library();
    let read = "query($id: ID!) { book(id: $id) { id title } }";
    let book = |title: &str| json!({"data": {"book": {"id": 7, "title": title}}});
    let id = || json!({"id": 7});
    let list = |ids: Value| json!({"data": {"books": ids}});
    let update = "mutation($id: ID!, $patch: BookPatch!) { updateBook(id: $id, patch: $patch) { book { id } userErrors { message } } }";
    let findings = world
        .story()
        .ask("{ books { id } }", json!({}), list(json!([])))
        .ask(
            "mutation($input: BookInput!) { addBook(input: $input) { id } }",
            json!({"input": {"title": "Emma", "pages": 1}}),
            json!({"data": {"addBook": {"id": 7}}}),
        )
        .ask("{ books { id } }", json!({}), list(json!([{"id": 7}])))
        .ask(read, id(), book("Emma"))
        .checking()
        .ask(
            update,
            json!({"id": 7, "patch": {"title": "Persuasion"}}),
            json!({"data": {"updateBook": {"book": {"id": 7}, "userErrors": []}}}),
        )
        .ask(read, id(), book("Persuasion"))
        .ask(
            "mutation($id: ID!) { deleteBook(id: $id) }",
            id(),
            json!({"data": {"deleteBook": true}}),
        )
        .ask(read, id(), json!({"data": {"book": null}}))
        .ask(
            read,
            json!({"id": "made up"}),
            json!({"data": {"book": null}}),
        )
        .meaning(stranger("id"))
        .findings();
    assert_eq!(findings, []);
}

/// What could not be read as an operation was not asked, so nothing can be missing.
#[test]
fn a_text_that_is_no_operation() {
    let world = library();
    let body = json!({"errors": [{"message": "Syntax Error: Expected Name, found <EOF>."}]});
    let story = world
        .story()
        .ask_raw("{ book(id: 1) {", json!({}), 400, &[], &body.to_string());
    assert_eq!(
        story.meaning(broken("the operation", "syntax")).findings(),
        []
    );
    let unread = world
        .story()
        .ask("{ book(id: 1) {", json!({}), json!({"data": {"book": 7}}));
    assert_eq!(unread.meaning(Intent::Valid).findings(), []);
}
