//! Breaks and repairs held against an independent judge: whatever line a schema loses, a call is
//! said to break exactly when it is no valid operation any more, and what is repaired is valid.

use std::path::Path;

use apollo_compiler::validation::Valid;
use apollo_compiler::{ExecutableDocument, Schema};
use fossick_contract::Api;
use fossick_harvest::drift::{Repair, drift};
use fossick_harvest::{Call, Record};
use fossick_ingest::{NoFetch, Source, read};

fn museum(name: &str) -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/services/museum");
    std::fs::read_to_string(folder.join(name)).expect("the museum has it")
}

fn records() -> Vec<Record> {
    let text = museum("records.ndjson");
    let records = text
        .lines()
        .map(|line| serde_json::from_str(line).expect("a record"));
    records.collect()
}

fn query(call: &Call) -> &str {
    match call {
        Call::GraphQl(call) => &call.query,
        Call::Rest(_) => panic!("the museum speaks GraphQL"),
    }
}

fn is_valid(schema: &Valid<Schema>, query: &str) -> bool {
    ExecutableDocument::parse_and_validate(schema, query, "query.graphql").is_ok()
}

/// The schema without each of its lines and with each of them changed, as far as it still is one.
fn variants() -> Vec<(String, Valid<Schema>, Api)> {
    let text = museum("schema.graphql");
    let lines: Vec<&str> = text.lines().collect();
    let mut variants = Vec::new();
    for at in 0..lines.len() {
        let changed = [
            String::new(),
            lines[at].replace("id: ID!", "id: ID!, why: String!"),
            lines[at].replace("(number: Int!)", "(number: Float!)"),
            lines[at].replace("number", "numbers"),
            lines[at].replacen("  name", "  naming", 1),
            lines[at].replace("guide: Guide", "guide: String"),
            lines[at].replace("String!", "String"),
            lines[at].replace("Sculpture | Artist", "Sculpture"),
        ];
        for line in changed.iter().filter(|line| **line != lines[at]) {
            let mut all = lines.clone();
            all[at] = line;
            variants.extend(variant(&all.join("\n"), format!("{}: {line}", lines[at])));
        }
    }
    variants
}

fn variant(text: &str, what: String) -> Option<(String, Valid<Schema>, Api)> {
    let schema = Schema::parse_and_validate(text, "schema.graphql").ok()?;
    let source = Source {
        name: "schema.graphql".to_owned(),
        text: text.to_owned(),
    };
    let api = read(&source, &mut NoFetch).ok()?.api;
    Some((what, schema, api))
}

#[test]
fn a_call_breaks_when_it_is_valid_no_more_and_its_repair_is_valid() {
    let (records, variants) = (records(), variants());
    let (mut broken, mut repaired) = (0, 0);
    for (what, schema, api) in &variants {
        for record in &records {
            let found = drift(api, None, std::slice::from_ref(record));
            let valid = is_valid(schema, query(&record.call));
            assert_eq!(
                found.is_empty(),
                valid,
                "{what}\n{}\n{found:#?}",
                query(&record.call)
            );
            let Some(drift) = found.first() else {
                continue;
            };
            broken += 1;
            if let Repair::Done { call, .. } = &drift.repair {
                repaired += 1;
                assert!(is_valid(schema, query(call)), "{what}\n{}", query(call));
            }
        }
    }
    assert!(
        variants.len() > 30 && broken > 40 && repaired > 20,
        "{} {broken} {repaired}",
        variants.len()
    );
}
