//! Whatever is asked and whatever is answered, judging it ends well.

use std::sync::LazyLock;

use fossick_oracles::{Judge, ORACLES};
use fossick_trace::Intent;
use proptest::prelude::*;
use serde_json::{Map, Value, json};

use super::ask::library;
use crate::story::{World, broken, edge, stranger};

/// Selections on a book, as odd as they may be.
fn any_selection() -> impl Strategy<Value = String> {
    let leaf = prop::sample::select(vec![
        "id",
        "title",
        "a: pages",
        "a: title",
        "tags",
        "grid",
        "genre",
        "added",
        "__typename",
        "noSuchField",
        "id @skip(if: $x)",
        "id @include(if: true)",
        "reviews",
    ]);
    let leaf = leaf.prop_map(str::to_owned);
    leaf.prop_recursive(4, 24, 4, |inner| {
        let head = prop::sample::select(vec![
            "author",
            "editor",
            "e: editor",
            "reviews",
            "... on Book",
            "... on Item",
            "... on Nobody",
            "...",
            "title",
        ]);
        (head, prop::collection::vec(inner, 1..4))
            .prop_map(|(head, inner)| format!("{head} {{ {} }}", inner.join(" ")))
    })
}

fn any_query() -> impl Strategy<Value = String> {
    let root = prop::sample::select(vec![
        "{ book(id: 1)",
        "{ books",
        "{ items",
        "{ search(text: \"x\")",
        "query($id: ID!) { book(id: $id)",
        "mutation { updateBook(id: 1, patch: {title: \"x\"})",
        "mutation($id: ID!) { deleteBook(id: $id)",
    ]);
    (root, prop::collection::vec(any_selection(), 1..5))
        .prop_map(|(root, inner)| format!("{root} {{ {} }} }}", inner.join(" ")))
}

/// JSON with the keys of answers among its names.
fn any_json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(|n| json!(n)),
        prop::sample::select(vec![
            "Book",
            "Film",
            "NOVEL",
            "books",
            "not found",
            "KeyError"
        ])
        .prop_map(Value::from),
        "\\PC{0,8}".prop_map(Value::from),
    ];
    let name = prop::sample::select(vec![
        "data",
        "errors",
        "book",
        "books",
        "items",
        "search",
        "updateBook",
        "deleteBook",
        "id",
        "title",
        "a",
        "author",
        "editor",
        "reviews",
        "__typename",
        "message",
        "path",
        "locations",
        "extensions",
        "code",
        "stacktrace",
        "line",
    ]);
    leaf.prop_recursive(6, 48, 4, move |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::vec((name.clone(), inner), 0..5).prop_map(|pairs| {
                let pairs = pairs
                    .into_iter()
                    .map(|(name, value)| (name.to_owned(), value));
                Value::Object(pairs.collect::<Map<_, _>>())
            }),
        ]
    })
}

fn any_answer() -> impl Strategy<Value = String> {
    let entry = prop_oneof![
        any_json(),
        ("\\PC{0,20}", any_json())
            .prop_map(|(message, path)| json!({"message": message, "path": path})),
        prop::collection::vec(
            prop_oneof![
                Just(json!("books")),
                Just(json!("book")),
                Just(json!(0)),
                Just(json!("author"))
            ],
            0..4
        )
        .prop_map(|path| json!({"message": "division by zero", "path": path})),
    ];
    prop_oneof![
        2 => any_json().prop_map(|value| value.to_string()),
        4 => (any_json(), prop::collection::vec(entry, 0..3))
            .prop_map(|(data, errors)| json!({"data": data, "errors": errors}).to_string()),
        3 => any_json().prop_map(|data| json!({"data": {"book": data, "books": [data]}}).to_string()),
        1 => "\\PC{0,40}",
    ]
}

fn any_intent() -> impl Strategy<Value = Intent> {
    prop_oneof![
        Just(Intent::Valid),
        Just(edge("argument id", "1", true)),
        Just(broken("argument id", "type")),
        Just(stranger("id")),
        Just(Intent::Undeclared),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn whatever_is_asked_and_answered_can_be_judged(
        lines in prop::collection::vec((any_query(), any_json(), any_answer(), any_intent(), 200_u16..510, any::<bool>()), 1..4)
    ) {
        static WORLD: LazyLock<World> = LazyLock::new(library);
        let world = &*WORLD;
        let story = lines.iter().fold(world.story(), |story, (query, variables, answer, intent, status, check)| {
            let story = story
                .ask_raw(query, variables.clone(), *status, &[], answer)
                .meaning(intent.clone());
            if *check { story.checking() } else { story }
        });
        let episode = story.episode();
        let judge = Judge::new(&world.api, &world.validators);
        let findings = judge.judge(&episode);
        // The second time much is known already.
        prop_assert_eq!(&judge.judge(&episode), &findings);
        for finding in findings {
            prop_assert!(finding.call < lines.len());
            prop_assert!(!finding.title.is_empty() && !finding.mark.is_empty());
            prop_assert!(ORACLES.iter().any(|oracle| oracle.code == finding.code));
            prop_assert!(world.api.find(&finding.operation).is_some());
        }
    }
}
