//! F209: null where none may be, and what a failed field leaves behind. The cases follow the
//! chapter on errors and non-null types of the GraphQL specification.

use fossick_trace::{Finding, Severity};
use serde_json::{Value, json};

use super::ask::library;

fn said(query: &str, answer: Value) -> Vec<Finding> {
    let world = library();
    world.story().ask(query, json!({}), answer).heard("F209")
}

fn titles(query: &str, answer: Value) -> Vec<String> {
    let found = said(query, answer);
    found.into_iter().map(|finding| finding.title).collect()
}

fn error(path: Value) -> Value {
    json!([{"message": "no", "path": path}])
}

const BOOK: &str = "{ book(id: 1) { title editor { name } author { name } } }";

#[test]
fn null_where_it_is_allowed_needs_no_error() {
    for data in [
        json!({"book": null}),
        json!({"book": {"title": "x", "editor": null, "author": {"name": "Ada"}}}),
    ] {
        assert_eq!(titles(BOOK, json!({ "data": data })), [""; 0]);
    }
    let lists = "{ booksBy { id } book(id: 1) { tags notes grid } }";
    for data in [
        json!({"booksBy": [null], "book": {"tags": null, "notes": [null, ""], "grid": null}}),
        json!({"booksBy": null, "book": {"tags": [], "notes": [], "grid": [[]]}}),
    ] {
        assert_eq!(titles(lists, json!({ "data": data })), [""; 0]);
    }
}

#[test]
fn null_where_a_value_is_promised_is_told() {
    let data = json!({"book": {"title": null, "editor": {"name": null}, "author": null}});
    assert_eq!(
        titles(BOOK, json!({ "data": data })),
        [
            "book/title: null where String! is promised",
            "book/editor/name: null where String! is promised",
            "book/author: null where Author! is promised"
        ]
    );
}

#[test]
fn null_in_lists_is_judged_level_by_level() {
    let query = "{ books { tags grid reviews { stars } } }";
    let book = |tags: Value, grid: Value, reviews: Value| json!({"tags": tags, "grid": grid, "reviews": reviews});
    let told = |book: Value| titles(query, json!({"data": {"books": [book]}}));
    assert_eq!(
        told(book(json!([null]), json!(null), json!([]))),
        ["books/*/tags/*: null where String! is promised"]
    );
    assert_eq!(
        told(book(json!(null), json!([null]), json!([]))),
        ["books/*/grid/*: null where [Int!]! is promised"]
    );
    assert_eq!(
        told(book(json!(null), json!([[1, null]]), json!([]))),
        ["books/*/grid/*/*: null where Int! is promised"]
    );
    assert_eq!(
        told(book(json!(null), json!(null), json!([null]))),
        ["books/*/reviews/*: null where Review! is promised"]
    );
    let found = said(query, json!({"data": {"books": null}}));
    assert_eq!(found[0].title, "books: null where [Book!]! is promised");
    assert!(
        found[0].why.contains("no error tells of it"),
        "{}",
        found[0].why
    );
}

/// A field that may be null takes its own error.
#[test]
fn an_error_stops_where_null_is_allowed() {
    let data = json!({"book": {"title": "x", "editor": null, "author": {"name": "Ada"}}});
    let answer = json!({"data": data, "errors": error(json!(["book", "editor"]))});
    assert_eq!(titles(BOOK, answer), [""; 0]);
    let deeper = json!({"data": data, "errors": error(json!(["book", "editor", "name"]))});
    assert_eq!(titles(BOOK, deeper), [""; 0]);
}

/// A field that may not be null takes its parent with it, and so on.
#[test]
fn an_error_rises_through_what_may_not_be_null() {
    let risen = json!({"data": {"book": null}, "errors": error(json!(["book", "author", "name"]))});
    assert_eq!(titles(BOOK, risen), [""; 0]);
    let to_the_top = json!({"data": null, "errors": error(json!(["books", 1, "author", "name"]))});
    assert_eq!(titles("{ books { author { name } } }", to_the_top), [""; 0]);
    let items = json!({"data": {"booksBy": [null, {"title": "x"}]}, "errors": error(json!(["booksBy", 0, "title"]))});
    assert_eq!(titles("{ booksBy { title } }", items), [""; 0]);
}

#[test]
fn an_error_that_did_not_rise_is_told_once() {
    let data = json!({"book": {"title": "x", "editor": null, "author": {"name": null}}});
    let answer = json!({"data": data, "errors": error(json!(["book", "author", "name"]))});
    let found = said(BOOK, answer);
    assert_eq!(found.len(), 1, "{found:#?}");
    assert_eq!(
        found[0].title,
        "book/author/name: null where String! is promised"
    );
    assert!(
        found[0].why.contains("should be null in its place"),
        "{}",
        found[0].why
    );
}

#[test]
fn a_key_that_is_left_out_instead_of_rising_is_told() {
    let world = library();
    let data = json!({"book": {"title": "x", "editor": null, "author": {}}});
    let answer = json!({"data": data, "errors": error(json!(["book", "author", "name"]))});
    let story = || world.story().ask(BOOK, json!({}), answer.clone());
    let found = story().one("F209");
    assert_eq!(
        found.title,
        "book/author/name: left out where String! is promised"
    );
    assert_eq!(found.severity, Severity::Medium);
    story().silent("F208");
    let shorter =
        json!({"data": {"books": [{"title": "x"}]}, "errors": error(json!(["books", 1]))});
    assert_eq!(
        titles("{ books { title } }", shorter),
        ["books/*: left out where Book! is promised"]
    );
}

#[test]
fn a_value_with_an_error_is_told_mildly() {
    let data = json!({"book": {"title": "x", "editor": {"name": "y"}, "author": {"name": "Ada"}}});
    let answer = json!({"data": data, "errors": error(json!(["book", "editor"]))});
    let found = said(BOOK, answer);
    assert_eq!(found.len(), 1);
    assert_eq!(
        found[0].title,
        "book/editor: a value although an error says that it failed"
    );
    assert_eq!(found[0].severity, Severity::Low);
}

#[test]
fn data_is_lost_only_if_an_error_rose_so_far() {
    let lost = json!({"data": null, "errors": error(json!(["book", "title"]))});
    let found = said(BOOK, lost);
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].severity, Severity::Low);
    let refused = json!({"data": null, "errors": [{"message": "no"}]});
    assert_eq!(titles(BOOK, refused), [""; 0]);
    let surely = json!({"data": null, "errors": error(json!(["surely"]))});
    assert_eq!(titles("{ surely(id: 1) { id } }", surely), [""; 0]);
    let both = "{ book(id: 1) { id } surely(id: 1) { id } }";
    let one_rose = json!({"data": null, "errors": [
        {"message": "no", "path": ["book", "id"]}, {"message": "no", "path": ["surely", "id"]}]});
    assert_eq!(titles(both, one_rose), [""; 0]);
}

#[test]
fn an_error_may_stand_in_a_part() {
    let query = "{ item(id: 1) { __typename ... on Book { pages editor { name } } } }";
    let right = json!({"data": {"item": {"__typename": "Book", "pages": 1, "editor": null}},
        "errors": error(json!(["item", "editor", "name"]))});
    assert_eq!(titles(query, right), [""; 0]);
    let wrong = json!({"data": {"item": {"__typename": "Book", "pages": null, "editor": null}},
        "errors": error(json!(["item", "pages"]))});
    assert_eq!(
        titles(query, wrong),
        ["item/pages: null where Int! is promised"]
    );
}

#[test]
fn paths_that_make_no_sense_are_left_to_another_oracle() {
    for path in [
        json!(["nobody"]),
        json!([]),
        json!("book"),
        json!([0]),
        json!([{}, null]),
    ] {
        let answer = json!({"data": {"book": null}, "errors": error(path)});
        assert_eq!(titles(BOOK, answer), [""; 0]);
    }
}
