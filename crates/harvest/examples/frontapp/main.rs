//! A load of the size that the paper had from production: 24,049 unique queries of a schema with 92
//! types and 875 tuples, and a server that answers them.
//!
//! `cargo run --release -p fossick-harvest --example frontapp -- FOLDER` writes `schema.graphql`
//! and `records.ndjson` into the folder, tells where it serves, and serves until it is ended:
//!
//!     fossick harvest suite --store FOLDER/records.ndjson --schema FOLDER/schema.graphql \
//!         --url URL --out json=FOLDER/suite
//!     fossick replay FOLDER/suite

mod answers;
mod queries;
mod schema;

use std::collections::HashMap;
use std::path::PathBuf;

use bytes::Bytes;
use fossick_harvest::{Call, Record};
use fossick_testkit::{Fake, FakeRequest, FakeResponse};
use serde_json::Value;

#[expect(
    clippy::print_stdout,
    reason = "whoever starts it wants to know where it serves"
)]
fn main() {
    let folder = std::env::args().nth(1).map(PathBuf::from);
    let folder = folder.expect("usage: frontapp FOLDER");
    std::fs::create_dir_all(&folder).expect("the folder can be made");
    std::fs::write(folder.join("schema.graphql"), schema::text()).expect("it can be written");
    let records = queries::records();
    let lines = records
        .iter()
        .map(|record| serde_json::to_string(record).expect("a record"));
    let text: String = lines.map(|line| line + "\n").collect();
    std::fs::write(folder.join("records.ndjson"), text).expect("it can be written");
    let answers = answers(&records);
    let server = Fake::start(move |request| answered(&answers, request));
    println!("{}/graphql", server.url());
    std::thread::park();
}

fn answers(records: &[Record]) -> HashMap<String, Bytes> {
    let calls = records.iter().filter_map(|record| match &record.call {
        Call::GraphQl(call) => Some(call),
        Call::Rest(_) => None,
    });
    calls
        .map(|call| {
            (
                call.query.clone(),
                Bytes::from(answers::of(&call.query).to_string()),
            )
        })
        .collect()
}

fn answered(answers: &HashMap<String, Bytes>, request: &FakeRequest) -> FakeResponse {
    let asked = request.json().unwrap_or(Value::Null);
    let answer = asked["query"].as_str().and_then(|query| answers.get(query));
    match answer {
        Some(answer) => FakeResponse::bytes(200, "application/json", answer.clone()),
        None => FakeResponse::status(400),
    }
}
