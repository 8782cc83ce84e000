//! F402 and F403: what errors tell, and mutations that anybody's browser can send.

use fossick_trace::{Finding, Intent};
use serde_json::{Value, json};

use super::ask::library;

const BY: &str = "query($t: String!) { search(text: $t) { __typename } }";

fn told(entry: Value) -> Vec<String> {
    let world = library();
    let answer = json!({"data": null, "errors": [entry]});
    let found = world
        .story()
        .ask(BY, json!({"t": "needle"}), answer)
        .heard("F402");
    found.into_iter().map(|finding| finding.mark).collect()
}

#[test]
fn stack_traces_are_told_wherever_they_stand() {
    let frames = json!(["Error: no", "    at search (/app/index.js:3:12)"]);
    for entry in [
        json!({"message": "no", "extensions": {"exception": {"stacktrace": frames}}}),
        json!({"message": "no", "extensions": {"stacktrace": frames}}),
        json!({"message": "no", "extensions": {"debugMessage": "Traceback (most recent call last)\n"}}),
        json!({"message": "Traceback (most recent call last)\n  File \"/app/x.py\", line 3"}),
        json!({"message": "java.lang.Error\n\tat java.base/Thread.run(Thread.java:1)"}),
    ] {
        assert_eq!(told(entry.clone()), ["a stack trace"], "{entry}");
    }
}

#[test]
fn sql_and_paths_are_told() {
    let sql = json!({"message": "no such column: SELECT isbn FROM books WHERE title = ?"});
    assert_eq!(told(sql), ["SQL"]);
    let constraint = json!({"message": "UNIQUE constraint failed: books.title"});
    assert_eq!(told(constraint), ["SQL"]);
    let file = json!({"message": "ENOENT: no such file or directory, open '/srv/books/data.json'"});
    assert_eq!(told(file), ["a file's path"]);
    let both =
        json!({"message": "SELECT 1 FROM books", "extensions": {"file": "/srv/books/db.py"}});
    assert_eq!(told(both), ["SQL", "a file's path"]);
}

#[test]
fn plain_words_tell_nothing() {
    for entry in [
        json!({"message": "Book not found"}),
        json!({"message": "no", "extensions": {"code": "NOT_FOUND", "timestamp": "2024-05-17"}}),
        json!({"message": "no", "extensions": {"trace": "4bf92f3577b34da6a3ce929d0e0e4736"}}),
        json!({"message": "see https://example.org/docs/errors.js"}),
        json!({"message": "no", "extensions": {"stacktrace": []}}),
    ] {
        assert_eq!(told(entry.clone()), [""; 0], "{entry}");
    }
}

/// It is the caller's own secret.
#[test]
fn what_the_caller_sent_may_be_repeated() {
    let world = library();
    let sent = "SELECT name FROM users";
    let answer = json!({"errors": [{"message": sent}]});
    world
        .story()
        .ask(BY, json!({ "t": sent }), answer)
        .silent("F402");
    let path = json!({"errors": [{"message": "nothing like /etc/passwd here"}]});
    world
        .story()
        .ask(BY, json!({"t": "/etc/passwd"}), path)
        .silent("F402");
}

#[test]
fn ten_entries_with_one_leak_are_one_finding() {
    let world = library();
    let entry = json!({"message": "UNIQUE constraint failed: books.title"});
    let answer = json!({"errors": vec![entry; 10]});
    let found = world.story().ask(BY, json!({"t": "x"}), answer).one("F402");
    assert_eq!(found.cause, "SQL");
}

fn by_get(query: &str, answer: Value) -> Vec<Finding> {
    let world = library();
    let story = world.story().ask_by_get(query, answer);
    story.meaning(Intent::Undeclared).heard("F403")
}

#[test]
fn a_mutation_by_get_is_told_if_it_is_carried_out() {
    let delete = "mutation { deleteBook(id: 1) }";
    let found = by_get(delete, json!({"data": {"deleteBook": true}}));
    assert_eq!(found.len(), 1);
    assert_eq!(
        found[0].title,
        "mutation deleteBook is carried out with GET"
    );
    let refused =
        json!({"errors": [{"message": "Can only perform a mutation from a POST request."}]});
    assert_eq!(by_get(delete, refused), []);
    assert_eq!(by_get("{ count }", json!({"data": {"count": 1}})), []);
    let world = library();
    let posted = world
        .story()
        .ask(delete, json!({}), json!({"data": {"deleteBook": true}}));
    posted.silent("F403");
}

/// GraphQL services may take GET or not; neither is a fault.
#[test]
fn get_is_no_undeclared_method() {
    let world = library();
    let story = world
        .story()
        .ask_by_get("{ count }", json!({"data": {"count": 1}}));
    assert_eq!(story.meaning(Intent::Undeclared).findings(), []);
}
