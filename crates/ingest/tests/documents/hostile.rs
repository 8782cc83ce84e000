//! Documents that are meant to hurt, or that were cut or scrambled on the way.

use std::time::{Duration, Instant};

use crate::support::{body_shape, check_texts, folder, read_schemas};
use fossick_contract::Kind;
use fossick_ingest::{NoFetch, ReadError, Source, read};
use proptest::prelude::*;

fn source(text: String) -> Source {
    Source {
        name: "openapi.yaml".to_owned(),
        text,
    }
}

/// What explodes takes years; what is merely slow may be on a busy machine.
fn quickly<T>(work: impl FnOnce() -> T) -> T {
    let start = Instant::now();
    let done = work();
    let took = start.elapsed();
    assert!(took < Duration::from_mins(2), "took {took:?}");
    done
}

#[test]
fn an_alias_bomb_is_refused() {
    let mut lines = vec![
        "openapi: 3.0.0".to_owned(),
        "a0: &a0 [x,x,x,x,x,x,x,x,x,x]".to_owned(),
    ];
    for at in 1..12 {
        let before = vec![format!("*a{}", at - 1); 10].join(",");
        lines.push(format!("a{at}: &a{at} [{before}]"));
    }
    let error = quickly(|| read(&source(lines.join("\n")), &mut NoFetch).expect_err("refused"));
    assert!(matches!(error, ReadError::TooBig { .. }), "{error}");
    assert!(error.to_string().contains("aliases"), "{error}");
}

#[test]
fn an_alias_that_holds_itself_is_refused() {
    let error = read(
        &source("openapi: 3.0.0\na: &a [*a]\n".to_owned()),
        &mut NoFetch,
    );
    assert!(error.is_err());
}

#[test]
fn schemas_that_are_only_themselves_are_anything() {
    let schemas = "{Root: {type: object, properties: {a: {$ref: '#/components/schemas/A'}, b: {$ref: '#/components/schemas/B'}, c: {$ref: '#/components/schemas/C'}}}, \
         A: {$ref: '#/components/schemas/A'}, B: {allOf: [{$ref: '#/components/schemas/B'}]}, \
         C: {anyOf: [{$ref: '#/components/schemas/C'}, {type: string}]}}";
    let reading = read_schemas("3.0.0", schemas);
    let api = &reading.api;
    check_texts(api);
    let root = body_shape(api, "POST /x");
    let value = serde_json::json!({"a": 1, "b": 2, "c": "x"});
    assert!(
        crate::support::accepts(api, root, &value),
        "the validator comes back"
    );
}

#[test]
fn a_long_chain_of_references_does_not_overflow() {
    let chain: Vec<_> = (0..5_000)
        .map(|at| format!("S{at}: {{type: object, properties: {{next: {{$ref: '#/components/schemas/S{}'}}}}}}", at + 1))
        .collect();
    let schemas = format!(
        "{{Root: {{$ref: '#/components/schemas/S0'}}, S5000: {{type: string}}, {}}}",
        chain.join(", ")
    );
    let reading = quickly(|| read_schemas("3.1.0", &schemas));
    assert!(reading.api.shapes.len() > 5_000);
}

#[test]
fn a_long_chain_of_parts_does_not_overflow() {
    let chain: Vec<_> = (0..3_000)
        .map(|at| {
            format!(
                "S{at}: {{allOf: [{{$ref: '#/components/schemas/S{}'}}]}}",
                at + 1
            )
        })
        .collect();
    let schemas = format!(
        "{{Root: {{$ref: '#/components/schemas/S0'}}, S3000: {{type: string}}, {}}}",
        chain.join(", ")
    );
    let reading = quickly(|| read_schemas("3.1.0", &schemas));
    let root = body_shape(&reading.api, "POST /x");
    assert!(matches!(root.kind, Kind::Opaque(_)), "{:?}", root.kind);
    assert!(root.needs_check);
}

#[test]
fn everything_in_everything_ends() {
    let all: Vec<_> = (0..60)
        .map(|at| format!("{{$ref: '#/components/schemas/S{at}'}}"))
        .collect();
    let all = all.join(", ");
    let each: Vec<_> = (0..60)
        .map(|at| format!("S{at}: {{properties: {{p{at}: {{oneOf: [{all}]}}}}, allOf: [{all}], anyOf: [{all}]}}"))
        .collect();
    let schemas = format!(
        "{{Root: {{$ref: '#/components/schemas/S0'}}, {}}}",
        each.join(", ")
    );
    let reading = quickly(|| read_schemas("3.1.0", &schemas));
    assert_eq!(reading.api.operations.len(), 1);
}

#[test]
fn choices_of_choices_do_not_explode() {
    let group = "{oneOf: [{required: [a]}, {required: [b]}, {required: [c]}, {required: [d]}]}";
    let groups = vec![group; 30].join(", ");
    let reading = quickly(|| read_schemas("3.1.0", &format!("{{Root: {{allOf: [{groups}]}}}}")));
    assert!(body_shape(&reading.api, "POST /x").needs_check);
    assert!(
        reading.api.shapes.len() < 10_000,
        "{}",
        reading.api.shapes.len()
    );
}

fn documents() -> Vec<String> {
    [
        "forms-2.0/openapi.yaml",
        "pets-3.0/openapi.yaml",
        "shapes-3.1/openapi.json",
        "broken/openapi.yaml",
    ]
    .iter()
    .map(|name| std::fs::read_to_string(folder(name)).expect("testdata is there"))
    .collect()
}

/// Puts `piece` in the place of some characters.
fn scrambled(text: &str, at: usize, length: usize, piece: &str) -> String {
    let chars: Vec<char> = text.chars().collect();
    let at = at % (chars.len() + 1);
    let before = chars.iter().take(at);
    let after = chars.iter().skip(at + length);
    before
        .copied()
        .chain(piece.chars())
        .chain(after.copied())
        .collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 100, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_cut_document_never_panics(which in 0_usize..4, at in any::<usize>()) {
        let text = documents().swap_remove(which);
        let cut = scrambled(&text, at, usize::MAX / 2, "");
        let _ = read(&source(cut), &mut NoFetch);
    }

    #[test]
    fn a_scrambled_document_never_panics(
        which in 0_usize..4,
        changes in prop::collection::vec((any::<usize>(), 0_usize..12, "[\\[\\]{}:,'\"&*# \n$a-z0-9-]{0,6}"), 1..4),
    ) {
        let mut text = documents().swap_remove(which);
        for (at, length, piece) in changes {
            text = scrambled(&text, at, length, &piece);
        }
        let _ = read(&source(text), &mut NoFetch);
    }

    #[test]
    fn documents_with_exchanged_values_compile(
        which in 0_usize..4,
        from in any::<prop::sample::Index>(),
        to in any::<prop::sample::Index>(),
    ) {
        let text = documents().swap_remove(which);
        let mut tree: serde_json::Value = yaml_serde::from_str(&text).expect("valid");
        let pointers = pointers(&tree);
        let value = tree.pointer(&pointers[from.index(pointers.len())]).cloned().expect("listed");
        *tree.pointer_mut(&pointers[to.index(pointers.len())]).expect("listed") = value;
        if let Ok(reading) = read(&source(tree.to_string()), &mut NoFetch) {
            check_texts(&reading.api);
        }
    }
}

/// Pointers to everything below the top of a tree.
pub(crate) fn pointers(tree: &serde_json::Value) -> Vec<String> {
    let mut found = Vec::new();
    let mut waiting = vec![(String::new(), tree)];
    while let Some((pointer, value)) = waiting.pop() {
        match value {
            serde_json::Value::Object(map) => {
                for (key, value) in map {
                    let key = key.replace('~', "~0").replace('/', "~1");
                    waiting.push((format!("{pointer}/{key}"), value));
                }
            }
            serde_json::Value::Array(items) => {
                for (at, value) in items.iter().enumerate() {
                    waiting.push((format!("{pointer}/{at}"), value));
                }
            }
            _ => {}
        }
        found.push(pointer);
    }
    found.retain(|pointer| !pointer.is_empty());
    found.sort();
    found
}
