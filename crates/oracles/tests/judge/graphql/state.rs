//! F301 to F308 and F313 of GraphQL: what mutations make, change and remove, and what queries show.

use fossick_trace::{Finding, Severity};
use serde_json::{Value, json};

use super::ask::library;
use crate::story::{Story, World, broken, stranger};

const READ: &str = "query($id: ID!) { book(id: $id) { id title pages tags } }";
const ADD: &str = "mutation($input: BookInput!) { addBook(input: $input) { id title } }";
const UPDATE: &str = "mutation($id: ID!, $patch: BookPatch!) { \
    updateBook(id: $id, patch: $patch) { book { id } userErrors { message } } }";
const DELETE: &str = "mutation($id: ID!) { deleteBook(id: $id) }";

fn book(id: &Value, title: &str) -> Value {
    json!({"data": {"book": {"id": id, "title": title, "pages": 3, "tags": []}}})
}

fn gone() -> Value {
    json!({"data": {"book": null}})
}

/// A book is deleted, and this is the answer to it.
fn deleted(world: &World, done: Value) -> Story<'_> {
    let answer = json!({"data": {"deleteBook": done}});
    world.story().ask(DELETE, json!({"id": "7"}), answer)
}

#[test]
fn what_is_served_after_it_was_deleted_is_told() {
    let world = library();
    let found = deleted(&world, json!(true))
        .ask(READ, json!({"id": 7}), book(&json!(7), "x"))
        .one("F301");
    assert_eq!(
        found.title,
        "still there after mutation deleteBook succeeded"
    );
    assert_eq!(found.operation, "query book");
    assert_eq!((found.call, found.severity), (1, Severity::High));
}

#[test]
fn an_object_is_there_though_all_that_was_asked_of_it_are_empty_lists() {
    let world = library();
    let read = "query($id: ID!) { book(id: $id) { tags } }";
    let shown = |tags: Value| {
        let answer = json!({"data": {"book": {"tags": tags}}});
        deleted(&world, json!(true)).ask(read, json!({"id": "7"}), answer)
    };
    shown(json!([])).one("F301");
    shown(Value::Null).silent("F301");
}

#[test]
fn what_is_gone_or_another_is_not_served() {
    let world = library();
    let failed =
        json!({"data": {"book": null}, "errors": [{"message": "not found", "path": ["book"]}]});
    for (id, answer) in [
        (json!("7"), gone()),
        (json!("7"), failed),
        (json!("8"), book(&json!("8"), "x")),
    ] {
        let story = deleted(&world, json!(true));
        story.ask(READ, json!({ "id": id }), answer).silent("F301");
    }
}

#[test]
fn a_deletion_that_was_none_proves_nothing() {
    let world = library();
    let read = |story: Story<'_>| {
        story
            .ask(READ, json!({"id": "7"}), book(&json!("7"), "x"))
            .silent("F301");
    };
    read(deleted(&world, json!(false)));
    let refused = json!({"data": null, "errors": [{"message": "no", "path": ["deleteBook"]}]});
    read(world.story().ask(DELETE, json!({"id": "7"}), refused));
    let made_again = json!({"data": {"addBook": {"id": "7", "title": "x"}}});
    read(deleted(&world, json!(true)).ask(
        ADD,
        json!({"input": {"title": "x", "pages": 1}}),
        made_again,
    ));
}

fn made(world: &World) -> Story<'_> {
    let input = json!({"input": {"title": "Emma", "pages": 3}});
    let answer = json!({"data": {"addBook": {"id": "7", "title": "Emma"}}});
    world.story().ask(ADD, input, answer)
}

#[test]
fn what_is_absent_after_it_was_created_is_told() {
    let world = library();
    let found = made(&world)
        .ask(READ, json!({"id": "7"}), gone())
        .checking()
        .one("F302");
    assert_eq!(
        found.title,
        "not there right after mutation addBook succeeded"
    );
    let told = json!({"data": {"book": null}, "errors": [{"message": "Book not found", "path": ["book"]}]});
    made(&world)
        .ask(READ, json!({"id": 7}), told)
        .checking()
        .one("F302");
}

#[test]
fn what_is_there_or_was_never_made_is_not_absent() {
    let world = library();
    let silent = |story: Story<'_>, id: &str, answer: Value| {
        story
            .ask(READ, json!({ "id": id }), answer)
            .checking()
            .silent("F302");
    };
    silent(made(&world), "7", book(&json!("7"), "Emma"));
    silent(made(&world), "8", gone());
    silent(world.story(), "7", gone());
    let crashed =
        json!({"data": {"book": null}, "errors": [{"message": "boom", "path": ["book"]}]});
    silent(made(&world), "7", crashed);
    let removed = made(&world).ask(
        DELETE,
        json!({"id": "7"}),
        json!({"data": {"deleteBook": true}}),
    );
    silent(removed, "7", gone());
}

/// The title of a book before and after an update, and what was sent and answered.
fn updated(patch: Value, answer: Value, before: &str, after: &str) -> Vec<Finding> {
    let world = library();
    let story = world
        .story()
        .ask(READ, json!({"id": 7}), book(&json!(7), before))
        .ask(UPDATE, json!({"id": 7, "patch": patch}), answer)
        .ask(READ, json!({"id": 7}), book(&json!(7), after));
    story.heard("F304")
}

fn done() -> Value {
    json!({"data": {"updateBook": {"book": {"id": 7}, "userErrors": []}}})
}

#[test]
fn an_update_that_can_not_be_seen_is_told() {
    let found = updated(json!({"title": "new"}), done(), "old", "old");
    assert_eq!(found.len(), 1);
    assert_eq!(
        found[0].title,
        "title is still \"old\" after mutation updateBook of \"new\""
    );
    assert_eq!(found[0].operation, "mutation updateBook");
}

#[test]
fn an_update_that_shows_or_was_refused_is_not_told() {
    assert_eq!(updated(json!({"title": "new"}), done(), "old", "new"), []);
    assert_eq!(updated(json!({"title": "old"}), done(), "old", "old"), []);
    assert_eq!(updated(json!({"title": null}), done(), "old", "old"), []);
    let refused =
        json!({"data": {"updateBook": {"book": null, "userErrors": [{"message": "no"}]}}});
    assert_eq!(updated(json!({"title": "new"}), refused, "old", "old"), []);
}

fn refused_write(answer: Value, after: &str) -> Vec<Finding> {
    let world = library();
    let patch = json!({"title": "new", "pages": "three"});
    let story = world
        .story()
        .ask(READ, json!({"id": 7}), book(&json!(7), "old"))
        .ask(UPDATE, json!({"id": 7, "patch": patch}), answer)
        .meaning(broken("argument patch.pages", "type"))
        .ask(
            "query($id: ID!) { book(id: $id) { title rating } }",
            json!({"id": 7}),
            json!({"data": {"book": {"title": after, "rating": 4}}}),
        );
    story.heard("F303")
}

#[test]
fn a_refused_write_that_changed_something_is_told() {
    let refusal = json!({"errors": [{"message": "Variable \"$patch\" got invalid value"}]});
    let found = refused_write(refusal.clone(), "new");
    assert_eq!(found.len(), 1);
    assert_eq!(
        found[0].title,
        "mutation updateBook changed /title although it answered an error"
    );
    assert_eq!(refused_write(refusal, "old"), []);
}

#[test]
fn a_write_that_was_done_or_crashed_is_not_a_refused_one() {
    assert_eq!(refused_write(done(), "new"), []);
    let later = json!({"data": {"updateBook": null},
        "errors": [{"message": "invalid", "path": ["updateBook", "book", "id"]}]});
    assert_eq!(refused_write(later, "new"), []);
    let crash = json!({"data": {"updateBook": null},
        "errors": [{"message": "division by zero", "path": ["updateBook"]}]});
    assert_eq!(refused_write(crash, "new"), []);
}

fn strangers(answers: [Value; 3]) -> Vec<Finding> {
    let world = library();
    let story = answers
        .into_iter()
        .enumerate()
        .fold(world.story(), |story, (at, answer)| {
            let id = format!("made-up-{at}");
            story
                .ask(READ, json!({ "id": id }), answer)
                .meaning(stranger("id"))
        });
    story.heard("F306")
}

#[test]
fn things_that_nobody_made_are_told_if_all_are_shown() {
    let there = || book(&json!(1), "x");
    let found = strangers([there(), there(), there()]);
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].title, "an answer for a id that nobody made");
    assert!(
        found[0].why.contains("null or an error"),
        "{}",
        found[0].why
    );
    assert_eq!(strangers([there(), gone(), there()]), []);
    assert_eq!(strangers([gone(), gone(), gone()]), []);
}

/// A list before and after a book was made.
fn listed(query: &str, before: Value, after: Value) -> Vec<Finding> {
    let world = library();
    let input = json!({"input": {"title": "Emma", "pages": 3}});
    let answer = json!({"data": {"addBook": {"id": "7", "title": "Emma"}}});
    let story = world
        .story()
        .ask(query, json!({}), json!({ "data": before }))
        .ask(ADD, input, answer)
        .ask(query, json!({}), json!({ "data": after }));
    story.heard("F308")
}

#[test]
fn a_list_that_lacks_what_was_created_is_told() {
    let query = "{ books { id } }";
    let one = || json!({"books": [{"id": "1"}]});
    let found = listed(query, one(), one());
    assert_eq!(found.len(), 1);
    assert_eq!(
        found[0].title,
        "lacks \"7\", which mutation addBook had just answered"
    );
    assert_eq!(
        listed(query, json!({"books": []}), json!({"books": []})).len(),
        1
    );
    let connection = "{ allBooks { edges { node { id } } pageInfo { hasNextPage } } }";
    let page = |more: bool| {
        let edges = json!([{"node": {"id": "1"}}]);
        json!({"allBooks": {"edges": edges, "pageInfo": {"hasNextPage": more}}})
    };
    assert_eq!(listed(connection, page(false), page(false)).len(), 1);
    assert_eq!(listed(connection, page(true), page(true)), []);
}

#[test]
fn a_list_that_grew_is_filtered_or_tells_no_identifiers_lacks_nothing() {
    let query = "{ books { id } }";
    let one = || json!({"books": [{"id": "1"}]});
    assert_eq!(
        listed(query, one(), json!({"books": [{"id": "1"}, {"id": "7"}]})),
        []
    );
    assert_eq!(listed(query, one(), json!({"books": [{"id": 7}]})), []);
    let recent = || json!({"recentBooks": [{"id": "1"}]});
    assert_eq!(listed("{ recentBooks { id } }", recent(), recent()), []);
    let some = || json!({"booksBy": [{"id": "1"}]});
    assert_eq!(
        listed("{ booksBy(genre: POEM) { id } }", some(), some()),
        []
    );
    let titles = || json!({"books": [{"title": "x"}]});
    assert_eq!(listed("{ books { title } }", titles(), titles()), []);
}

const RENAME: &str = "mutation($id: ID!, $patch: BookPatch!) { \
    updateBook(id: $id, patch: $patch) { book { id title pages tags } userErrors { message } } }";

/// A book, a change of its title alone, and what the update or a read shows then.
fn retitled<'w>(world: &'w World, after: &Value) -> Story<'w> {
    let old = json!({"id": "7", "title": "Emma", "pages": 3, "tags": ["novel"]});
    let updated = json!({"data": {"updateBook": {"book": after, "userErrors": []}}});
    let patch = json!({"id": "7", "patch": {"title": "Persuasion"}});
    world
        .story()
        .ask(READ, json!({"id": "7"}), json!({"data": {"book": old}}))
        .ask(RENAME, patch, updated)
}

#[test]
fn an_update_that_changes_what_it_was_not_sent_is_told() {
    let world = library();
    let after = json!({"id": "7", "title": "Persuasion", "pages": 9, "tags": ["novel"]});
    let found = retitled(&world, &after).one("F313");
    assert_eq!(found.operation, "mutation updateBook");
    assert_eq!(found.mark, "changed unasked pages");
    let cleared = json!({"id": "7", "title": "Persuasion", "pages": 3, "tags": []});
    retitled(&world, &cleared).silent("F313");
    let read = json!({"data": {"book": cleared}});
    retitled(&world, &cleared)
        .ask(READ, json!({"id": "7"}), read)
        .one("F313");
}

#[test]
fn an_update_that_leaves_the_rest_alone_is_right() {
    let world = library();
    let after = json!({"id": "7", "title": "Persuasion", "pages": 3, "tags": ["novel"]});
    retitled(&world, &after)
        .ask(READ, json!({"id": "7"}), json!({"data": {"book": after}}))
        .silent("F313");
}
