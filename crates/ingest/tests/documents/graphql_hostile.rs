//! GraphQL schemas that are meant to hurt, or that were cut or scrambled on the way.

use std::time::{Duration, Instant};

use fossick_ingest::{NoFetch, Reading, Source, read};
use proptest::prelude::*;

use crate::graphql::folder;

fn source(name: &str, text: String) -> Source {
    Source {
        name: name.to_owned(),
        text,
    }
}

fn quickly(text: String) -> Option<Reading> {
    let start = Instant::now();
    let done = read(&source("x.graphql", text), &mut NoFetch);
    let took = start.elapsed();
    assert!(took < Duration::from_secs(20), "took {took:?}");
    done.ok()
}

#[test]
fn endless_nesting_ends() {
    for deep in [
        format!(
            "type Query {{ a: {}Int{} b: Int }}",
            "[".repeat(50_000),
            "]".repeat(50_000)
        ),
        format!("type Query {{ a(x: [Int] = {}): Int }}", "[".repeat(50_000)),
        format!("type Query {{ a(x: X = {}): Int }}", "{a:".repeat(50_000)),
        format!("type Query {}", "{ a".repeat(50_000)),
        format!("query {}", "{ a".repeat(50_000)),
        "\"\"\"".repeat(10_001),
        "type ".repeat(50_000),
        "@a(b:".repeat(50_000),
    ] {
        quickly(deep);
    }
    let wrapped = "{\"kind\":\"LIST\",\"ofType\":".repeat(50_000);
    let text = format!(
        "{{\"__schema\": {{\"types\": [{{\"name\": \"Query\", \"fields\": [{{\"name\": \"a\", \"type\": {wrapped}"
    );
    assert!(quickly(text).is_none());
}

#[test]
fn long_chains_end() {
    let mut text = String::from("type Query { a(x: I0): T0 } ");
    for at in 0..5_000 {
        let next = at + 1;
        text += &format!("input I{at} {{ next: I{next} }} type T{at} {{ next: T{next} }} ");
        text += &format!("interface F{at} implements F{next} {{ id: ID }} ");
    }
    text += "input I5000 { end: Int } type T5000 implements F0 { end: Int }";
    let api = quickly(text).expect("read").api;
    assert!(api.shapes.len() > 5_000 && api.types.len() > 10_000);
}

#[test]
fn many_interfaces_of_many_objects_stay_small() {
    let all: Vec<_> = (0..3_000).map(|at| format!("F{at}")).collect();
    let mut text = format!(
        "type Query {{ a: Top }} interface Top implements {} {{ id: ID }} ",
        all.join(" & ")
    );
    for at in 0..3_000 {
        text += &format!("interface F{at} {{ id: ID }} type O{at} implements Top {{ id: ID }} ");
    }
    let api = quickly(text).expect("read").api;
    let pairs: usize = api
        .types
        .iter()
        .map(|(id, _)| api.types.possible(id).len())
        .sum();
    assert!(pairs < 1_000_000, "{pairs}");
}

#[test]
fn an_error_at_every_word_on_one_line_is_told_quickly() {
    let text = format!(
        "type Query {{ a: Int }} {}",
        "enum E { A A } ".repeat(20_000)
    );
    let reading = quickly(text).expect("read");
    assert!(reading.diagnostics.len() > 10_000);
}

#[test]
fn deep_lists_of_inputs_do_not_explode() {
    let lists = format!("{}In!{}", "[".repeat(40), "]".repeat(40));
    let text = format!("type Query {{ a(x: {lists}): Int }} input In {{ y: {lists} }}");
    let api = quickly(text).expect("read").api;
    assert!(api.schemas.request.document().to_string().len() < 100_000);
}

const SCHEMAS: [&str; 6] = [
    "relay/schema.graphql",
    "inputs/schema.graphql",
    "broken/schema.graphql",
    "abstract/schema.graphql",
    "introspection-2016/schema.json",
    "introspection-today/schema.json",
];

/// One of the schemas with some characters replaced.
fn scrambled(which: usize, changes: &[(usize, usize, String)]) -> Source {
    let name = SCHEMAS[which];
    let text = std::fs::read_to_string(folder(name)).expect("testdata is there");
    let mut chars: Vec<char> = text.chars().collect();
    for (at, length, piece) in changes {
        let at = at % (chars.len() + 1);
        let end = at.saturating_add(*length).min(chars.len());
        chars.splice(at..end, piece.chars());
    }
    source(name, chars.into_iter().collect())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 150, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_cut_schema_never_panics(which in 0..SCHEMAS.len(), at in any::<usize>()) {
        let cut = [(at, usize::MAX, String::new())];
        let _ = read(&scrambled(which, &cut), &mut NoFetch);
    }

    #[test]
    fn a_scrambled_schema_never_panics(
        which in 0..SCHEMAS.len(),
        changes in prop::collection::vec((any::<usize>(), 0_usize..12, "[\\[\\]{}():,!=@&|'\"# \na-zA-Z0-9_-]{0,6}"), 1..4),
    ) {
        let _ = read(&scrambled(which, &changes), &mut NoFetch);
    }

    #[test]
    fn introspection_with_exchanged_values_never_panics(
        which in 4..SCHEMAS.len(),
        from in any::<prop::sample::Index>(),
        to in any::<prop::sample::Index>(),
    ) {
        let whole = scrambled(which, &[]);
        let mut tree: serde_json::Value = serde_json::from_str(&whole.text).expect("valid");
        let pointers = crate::hostile::pointers(&tree);
        let value = tree.pointer(&pointers[from.index(pointers.len())]).cloned().expect("listed");
        *tree.pointer_mut(&pointers[to.index(pointers.len())]).expect("listed") = value;
        let _ = read(&source("x.json", tree.to_string()), &mut NoFetch);
    }
}
