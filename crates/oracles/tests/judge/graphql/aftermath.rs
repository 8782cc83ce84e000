//! F301 behind lists, parents and interfaces, F303 of refusals by rule, F310 and F312 of GraphQL.

use serde_json::{Value, json};

use super::ask::library;
use crate::story::{Story, World};

const ADD: &str = "mutation($input: BookInput!) { addBook(input: $input) { id title } }";
const DELETE: &str = "mutation($id: ID!) { deleteBook(id: $id) }";
const READ: &str = "query($id: ID!) { book(id: $id) { id title pages } }";
const UPDATE: &str = "mutation($id: ID!, $patch: BookPatch!) { \
    updateBook(id: $id, patch: $patch) { book { id } userErrors { message } } }";

fn input() -> Value {
    json!({"input": {"title": "Middlemarch", "pages": 3}})
}

fn book() -> Value {
    json!({"id": "7", "title": "Middlemarch"})
}

fn gone(world: &World) -> Story<'_> {
    world
        .story()
        .ask(ADD, input(), json!({"data": {"addBook": book()}}))
        .ask(
            DELETE,
            json!({"id": "7"}),
            json!({"data": {"deleteBook": true}}),
        )
        .ask(READ, json!({"id": "7"}), json!({"data": {"book": null}}))
}

#[test]
fn a_deleted_thing_behind_an_interface_a_list_or_its_parent_is_told() {
    let world = library();
    let item = "query($id: ID!) { item(id: $id) { __typename id title } }";
    let shown = json!({"__typename": "Book", "id": "7", "title": "Middlemarch"});
    gone(&world)
        .ask(item, json!({"id": "7"}), json!({"data": {"item": shown}}))
        .one("F301");
    let bare = "query($id: ID!) { item(id: $id) { id title } }";
    gone(&world)
        .ask(bare, json!({"id": "7"}), json!({"data": {"item": book()}}))
        .one("F301");
    let list = json!({"data": {"books": [book()]}});
    gone(&world)
        .ask("query { books { id title } }", json!({}), list)
        .one("F301");
    let author = "query($id: ID!) { author(id: $id) { id books { id } } }";
    let parent = json!({"data": {"author": {"id": "1", "books": [{"id": "7"}]}}});
    let found = gone(&world)
        .ask(author, json!({"id": "1"}), parent)
        .one("F301");
    assert_eq!(found.operation, "query author");
}

#[test]
fn others_of_the_same_key_are_others() {
    let world = library();
    let item = "query($id: ID!) { item(id: $id) { __typename id title } }";
    let film = json!({"__typename": "Film", "id": "7", "title": "Middlemarch"});
    gone(&world)
        .ask(item, json!({"id": "7"}), json!({"data": {"item": film}}))
        .silent("F301");
    let bare = "query($id: ID!) { item(id: $id) { id title } }";
    let other = json!({"data": {"item": {"id": "7", "title": "Alien"}}});
    gone(&world)
        .ask(bare, json!({"id": "7"}), other)
        .silent("F301");
    let list = json!({"data": {"books": [{"id": "8", "title": "Middlemarch"}]}});
    gone(&world)
        .ask("query { books { id title } }", json!({}), list)
        .silent("F301");
    let author = "query($id: ID!) { author(id: $id) { id name } }";
    let same = json!({"data": {"author": {"id": "7", "name": "Middlemarch"}}});
    gone(&world)
        .ask(author, json!({"id": "7"}), same)
        .silent("F301");
}

#[test]
fn a_write_on_something_deleted_is_told() {
    let world = library();
    let lend = "mutation($id: ID!) { lendBook(id: $id) }";
    let done = json!({"data": {"lendBook": true}});
    let patch = json!({"id": "7", "patch": {"title": "x"}});
    let updated = json!({"data": {"updateBook": {"book": {"id": "7"}, "userErrors": []}}});
    gone(&world).ask(UPDATE, patch.clone(), updated).one("F312");
    let refused =
        json!({"data": {"updateBook": {"book": null, "userErrors": [{"message": "no"}]}}});
    gone(&world).ask(UPDATE, patch, refused).silent("F312");
    let denied = json!({"data": {"lendBook": false}});
    gone(&world)
        .ask(lend, json!({"id": "7"}), denied)
        .silent("F312");
    gone(&world)
        .ask(lend, json!({"id": "8"}), done)
        .silent("F312");
}

#[test]
fn a_key_that_is_not_free_after_a_deletion_is_told() {
    let world = library();
    let refused = |message: &str| {
        json!({"data": null, "errors": [{"message": message, "path": ["addBook"],
            "extensions": {"code": "BAD_USER_INPUT"}}]})
    };
    gone(&world)
        .ask(ADD, input(), refused("title is already taken"))
        .one("F310");
    gone(&world)
        .ask(ADD, input(), refused("no such author"))
        .silent("F310");
    let broke = json!({"data": null,
        "errors": [{"message": "('book', 'Middlemarch')", "path": ["addBook"]}]});
    gone(&world).ask(ADD, input(), broke).one("F310");
    gone(&world)
        .ask(ADD, input(), json!({"data": {"addBook": book()}}))
        .silent("F310");
}

/// The schema allows it and the service does not: its own rule refused it, and it wrote first.
#[test]
fn a_refusal_by_rule_that_wrote_what_it_was_sent_is_told() {
    let world = library();
    let show = |title: &str| json!({"data": {"book": {"id": "7", "title": title, "pages": 3}}});
    let patch = json!({"id": "7", "patch": {"title": "Emma Woodhouse"}});
    let refused = json!({"data": {"updateBook": null}, "errors": [{"message": "pages must be given too",
        "path": ["updateBook"], "extensions": {"code": "BAD_USER_INPUT"}}]});
    let story = |after: &str| {
        world
            .story()
            .ask(READ, json!({"id": "7"}), show("Emma"))
            .ask(UPDATE, patch.clone(), refused.clone())
            .ask(READ, json!({"id": "7"}), show(after))
    };
    story("Emma Woodhouse").one("F303");
    story("Emma").silent("F303");
}

#[test]
fn an_author_that_goes_on_counting_a_deleted_book_is_told() {
    let world = library();
    let look = "query($id: ID!) { author(id: $id) { id bookCount } }";
    let author = |count: u32| json!({"data": {"author": {"id": "1", "bookCount": count}}});
    let counted = |after: u32| {
        world
            .story()
            .ask(look, json!({"id": "1"}), author(2))
            .ask(ADD, input(), json!({"data": {"addBook": book()}}))
            .ask(look, json!({"id": "1"}), author(3))
            .ask(
                DELETE,
                json!({"id": "7"}),
                json!({"data": {"deleteBook": true}}),
            )
            .ask(READ, json!({"id": "7"}), json!({"data": {"book": null}}))
            .ask(look, json!({"id": "1"}), author(after))
    };
    let found = counted(3).one("F315");
    assert_eq!(found.operation, "mutation deleteBook");
    counted(2).silent("F315");
}
