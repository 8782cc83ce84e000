//! A recorded call, whatever stands in it: promised, tested, measured, and held against a new
//! schema.
//!
//! The input is an operation, then its variables, then an answer, each behind a line of three
//! dashes; without such a line the whole is a record as stores export it, or a list of tuples.

use std::sync::OnceLock;

use fossick_contract::Api;
use fossick_harvest::drift::{Repair, drift};
use fossick_harvest::metrics::{measure, read_list};
use fossick_harvest::suite::{Settings, suite};
use fossick_harvest::{Call, GraphQlCall, Record, Statuses, Took};
use fossick_ingest::{NoFetch, Source, read};
use serde_json::Value;

const OLD: &str = include_str!("library.graphql");

pub fn harvested(data: &[u8]) {
    static APIS: OnceLock<Option<[Api; 2]>> = OnceLock::new();
    let Some([old, new]) = APIS.get_or_init(schemas) else {
        return;
    };
    let text = String::from_utf8_lossy(data);
    let parts: Vec<&str> = text.split("\n---\n").collect();
    let (record, answer) = match parts.as_slice() {
        [whole] => {
            let _ = read_list(whole);
            (serde_json::from_str(whole).ok(), None)
        }
        [query, more @ ..] => {
            let json = |at: usize| serde_json::from_str::<Value>(more.get(at)?).ok();
            (recorded(query, json(0)), json(1))
        }
        [] => return,
    };
    let Some(record) = record else {
        return;
    };
    let records = [record];
    let settings = Settings {
        mutations: true,
        fewest: true,
        ..Settings::default()
    };
    let made = suite(old, &records, &settings);
    for source in &made.sources {
        if let Some(promise) = &source.promise {
            let review = promise.review(answer.as_ref());
            assert_eq!(review, promise.review(answer.as_ref()));
        }
    }
    let _ = measure(old, &records, true);
    mended(old, new, &records);
    mended(new, old, &records);
}

/// What is repaired needs no repair.
fn mended(old: &Api, new: &Api, records: &[Record]) {
    for found in drift(new, Some(old), records) {
        if let Repair::Done { call, .. } = found.repair {
            let mended = Record {
                key: call.key(),
                call,
                ..records[0].clone()
            };
            assert!(drift(new, None, &[mended]).is_empty());
        }
    }
}

fn recorded(query: &str, variables: Option<Value>) -> Option<Record> {
    let document = fossick_query::read(query, None).ok()?;
    let call = Call::GraphQl(GraphQlCall {
        path: "/graphql".to_owned(),
        root: document.kind,
        query: fossick_query::write_compact(&document),
        operation_name: document.name,
        variables: variables?.as_object()?.clone(),
    });
    Some(Record {
        key: call.key(),
        call,
        created_at: u64::MAX,
        updated_at: 0,
        times_called: 1,
        statuses: Statuses::default(),
        took: Took::default(),
        redactions: Vec::new(),
    })
}

/// The schema, and the same with other names and types here and there.
fn schemas() -> Option<[Api; 2]> {
    let new = OLD
        .replace("title", "titles")
        .replace("pages: Int", "pages: Float")
        .replace("name: String!", "fullName: String!");
    let api = |text: String| {
        let name = "library.graphql".to_owned();
        Some(read(&Source { name, text }, &mut NoFetch).ok()?.api)
    };
    Some([api(OLD.to_owned())?, api(new)?])
}
