//! F208: every key that was asked for, no other, and each value as promised.

use fossick_trace::{Finding, Severity};
use serde_json::{Value, json};

use super::ask::library;

fn said(query: &str, data: Value) -> Vec<Finding> {
    let world = library();
    world
        .story()
        .ask(query, json!({}), json!({ "data": data }))
        .heard("F208")
}

fn titles(query: &str, data: Value) -> Vec<String> {
    let found = said(query, data);
    found.into_iter().map(|finding| finding.title).collect()
}

/// What is said of one field of a book.
fn of_field(field: &str, value: Value) -> Vec<String> {
    let query = format!("{{ book(id: 1) {{ {field} }} }}");
    titles(&query, json!({"book": {field: value}}))
}

#[test]
fn scalars_are_what_they_should_be() {
    for (field, right) in [
        ("id", json!("7")),
        ("id", json!(7)),
        ("title", json!("")),
        ("pages", json!(0)),
        ("rating", json!(0)),
        ("rating", json!(4.5)),
        ("rating", json!(null)),
        ("inPrint", json!(false)),
        ("genre", json!("NOVEL")),
        ("tags", json!([])),
        ("tags", json!([""])),
        ("notes", json!([null])),
        ("grid", json!([[], [1, 2]])),
        ("shade", json!({"r": 1})),
        ("added", json!("2024-05-17T10:30:00Z")),
    ] {
        assert_eq!(of_field(field, right.clone()), [""; 0], "{field} {right}");
    }
}

#[test]
fn scalars_that_are_something_else_are_told() {
    for (field, wrong, told) in [
        ("id", json!(7.5), "book/id: 7.5 is not an ID"),
        ("title", json!(0), "book/title: 0 is not a String"),
        ("pages", json!("12"), "book/pages: \"12\" is not an Int"),
        (
            "pages",
            json!(3_000_000_000_i64),
            "book/pages: 3000000000 does not fit into an Int",
        ),
        ("rating", json!("4"), "book/rating: \"4\" is not a Float"),
        ("inPrint", json!(0), "book/inPrint: 0 is not a Boolean"),
        (
            "genre",
            json!("DRAMA"),
            "book/genre: \"DRAMA\" is no value of Genre",
        ),
        ("genre", json!(1), "book/genre: 1 is no value of Genre"),
        ("tags", json!("a"), "book/tags: \"a\" is not a list"),
        (
            "tags",
            json!([["a"]]),
            "book/tags/*: [\"a\"] is not a String",
        ),
        ("grid", json!([1]), "book/grid/*: 1 is not a list"),
        (
            "grid",
            json!([[1], ["2"]]),
            "book/grid/*/*: \"2\" is not an Int",
        ),
    ] {
        assert_eq!(of_field(field, wrong), [told]);
    }
}

#[test]
fn custom_scalars_are_told_mildly() {
    let query = "{ book(id: 1) { added } }";
    let found = said(query, json!({"book": {"added": "yesterday"}}));
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].severity, Severity::Low);
}

#[test]
fn objects_are_objects_and_lists_are_lists() {
    let one = "{ book(id: 1) { author { name } } }";
    assert_eq!(
        titles(one, json!({"book": {"author": "Ada"}})),
        ["book/author: \"Ada\" is not an object"]
    );
    assert_eq!(
        titles(one, json!({"book": [{"author": {"name": "Ada"}}]})),
        ["book: [{\"author\":{\"name\":\"Ada\"}}] is not an object"]
    );
    assert_eq!(
        titles("{ books { id } }", json!({"books": {"id": 1}})),
        ["books: {\"id\":1} is not a list"]
    );
}

#[test]
fn keys_that_are_missing_or_too_many_are_told() {
    let query = "{ book(id: 1) { id title } }";
    assert_eq!(
        titles(query, json!({"book": {"id": 1}})),
        ["book/title: is missing"]
    );
    assert_eq!(
        titles(query, json!({"book": {"id": 1, "title": "x", "pages": 3}})),
        ["book/pages: was not asked for"]
    );
    assert_eq!(titles(query, json!({})), ["book: is missing"]);
    assert_eq!(
        titles(query, json!({"book": {"title": "x", "id": 1}})),
        [""; 0]
    );
}

#[test]
fn ten_items_with_one_flaw_are_one_finding() {
    let book = |pages: Value| json!({"pages": pages});
    let books: Vec<Value> = (0..10).map(|at| book(json!(format!("{at}")))).collect();
    let found = said("{ books { pages } }", json!({"books": books}));
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].mark, "Book.pages type");
    assert_eq!(found[0].cause, "Book.pages type");
    assert!(
        found[0].why.contains("Book.pages returns Int!"),
        "{}",
        found[0].why
    );
}

#[test]
fn aliases_are_the_keys() {
    let query = "{ a: book(id: 1) { it: id id: title } b: book(id: 2) { id } }";
    assert_eq!(
        titles(query, json!({"a": {"it": 1, "id": "x"}, "b": {"id": 2}})),
        [""; 0]
    );
    assert_eq!(
        titles(query, json!({"a": {"it": 1, "id": 1}, "b": {"id": 2}})),
        ["a/id: 1 is not a String"]
    );
    assert_eq!(
        titles(
            query,
            json!({"a": {"id": "x", "title": "x"}, "b": {"id": 2}})
        ),
        ["a/it: is missing", "a/title: was not asked for"]
    );
}

#[test]
fn fields_of_one_key_are_merged() {
    let query = "{ book(id: 1) { author { id } author { name } ...B } } fragment B on Book { author { born } }";
    let right = json!({"book": {"author": {"id": 1, "name": "Ada", "born": null}}});
    assert_eq!(titles(query, right), [""; 0]);
    let lacking = json!({"book": {"author": {"id": 1, "name": "Ada"}}});
    assert_eq!(titles(query, lacking), ["book/author/born: is missing"]);
}

const ITEMS: &str = "{ items { __typename title ... on Book { pages } ... on Film { minutes } ... on Item { id } } }";

#[test]
fn parts_count_where_their_type_fits() {
    let book = json!({"__typename": "Book", "title": "x", "pages": 1, "id": 1});
    let film = json!({"__typename": "Film", "title": "x", "minutes": null, "id": 2});
    assert_eq!(titles(ITEMS, json!({"items": [book, film]})), [""; 0]);
    let mixed = json!({"__typename": "Film", "title": "x", "pages": 1, "id": 1});
    assert_eq!(
        titles(ITEMS, json!({"items": [mixed]})),
        [
            "items/*/minutes: is missing",
            "items/*/pages: was not asked for"
        ]
    );
}

#[test]
fn an_abstract_value_is_of_a_possible_type() {
    let author = json!({"__typename": "Author", "title": "x", "id": 1});
    assert_eq!(
        titles(ITEMS, json!({"items": [author]})),
        ["items/*/__typename: \"Author\" is no type of Item"]
    );
    let union = "{ search(text: \"x\") { kind: __typename ... on Author { name } } }";
    let found = json!({"search": [{"kind": "Author", "name": "Ada"}, {"kind": "Film"}]});
    assert_eq!(titles(union, found), [""; 0]);
    let wrong = json!({"search": [{"kind": "Review"}]});
    assert_eq!(
        titles(union, wrong),
        ["search/*/kind: \"Review\" is no type of Found"]
    );
    let plain = "{ book(id: 1) { __typename } }";
    assert_eq!(
        titles(plain, json!({"book": {"__typename": "Book"}})),
        [""; 0]
    );
    assert_eq!(
        titles(plain, json!({"book": {"__typename": "book"}})),
        ["book/__typename: \"book\" is no type of Book"]
    );
}

/// Nobody can say which parts must be there, but some things hold for all.
#[test]
fn a_type_that_is_not_told_leaves_parts_open() {
    let query = "{ items { title ... on Book { pages author { name } } ... on Item { id } } }";
    for item in [
        json!({"title": "x", "id": 1, "pages": 3, "author": {"name": "Ada"}}),
        json!({"title": "x", "id": 1}),
    ] {
        assert_eq!(titles(query, json!({"items": [item]})), [""; 0]);
    }
    assert_eq!(
        titles(query, json!({"items": [{"title": 1, "minutes": 3}]})),
        [
            "items/*/title: 1 is not a String",
            "items/*/id: is missing",
            "items/*/minutes: was not asked for"
        ]
    );
}

#[test]
fn skip_and_include_are_obeyed() {
    let query = "query($yes: Boolean!, $no: Boolean = false) { book(id: 1) { \
        a: id @skip(if: $yes) b: id @include(if: $no) c: id @include(if: true) \
        ... @skip(if: $yes) { d: id } e: id @include(if: $unknown) } }";
    let told = |book: Value| {
        let world = library();
        let answer = json!({"data": {"book": book}});
        let found = world
            .story()
            .ask(query, json!({"yes": true}), answer)
            .heard("F208");
        found
            .into_iter()
            .map(|finding| finding.title)
            .collect::<Vec<_>>()
    };
    assert_eq!(told(json!({"c": 1})), [""; 0]);
    assert_eq!(told(json!({"c": 1, "e": 1})), [""; 0]);
    assert_eq!(told(json!({"a": 1, "c": 1})), ["book/a: was not asked for"]);
    assert_eq!(told(json!({})), ["book/c: is missing"]);
}

#[test]
fn what_the_schema_does_not_know_is_not_judged() {
    let query = "{ book(id: 1) { id noSuchField } }";
    assert_eq!(
        titles(query, json!({"book": {"id": 1, "noSuchField": [1]}})),
        [""; 0]
    );
    let introspection = "{ count __schema { types { name } } }";
    let answer = json!({"count": 1, "__schema": {"types": [{"name": "Book"}]}});
    assert_eq!(titles(introspection, answer), [""; 0]);
}

#[test]
fn what_was_asked_with_get_is_judged_too() {
    let world = library();
    let found = world
        .story()
        .ask_by_get("{ count }", json!({"data": {"count": "1"}}))
        .one("F208");
    assert_eq!(found.title, "count: \"1\" is not an Int");
}
