//! Writes a small store: a sample to be kept when the format is changed next.
//!
//! `cargo run -p fossick-store --example sample PLACE`

use fossick_contract::RootKind;
use fossick_harvest::{
    Call, Content, Flow, GraphQlCall, How, Redaction, RestCall, Sighting, Statuses, Took,
};
use fossick_store::{Access, BatchId, Place, Store};
use serde_json::json;

/// 9 May 2026, in the morning.
const START: u64 = 1_778_313_600_000;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let place: Place = std::env::args().nth(1).unwrap_or_default().parse()?;
    let mut store = Store::open(&place, Access::Write)?;
    store.add_once(BatchId([1; 16]), &sightings(1), &[flow()])?;
    store.add_once(BatchId([2; 16]), &sightings(2), &[flow()])?;
    store.compact()?;
    Ok(())
}

fn sightings(times: u64) -> Vec<Sighting> {
    let calls = [board(), rename(), list(), create()];
    let numbered = calls.into_iter().zip(1..);
    numbered.map(|(call, n)| sighting(call, n, times)).collect()
}

fn sighting(call: Call, number: u64, times: u64) -> Sighting {
    Sighting {
        key: call.key(),
        call,
        first_at: START + 1000 * number,
        last_at: START + 60_000 * number * times,
        times: number * times,
        statuses: Statuses {
            successful: number,
            server_error: times - 1,
            with_errors: times,
            ..Statuses::default()
        },
        took: Took {
            answers: number * times,
            total: 1500 * number * times,
            most: 2500 * times,
        },
        redactions: vec![Redaction {
            place: "header authorization".to_owned(),
            how: How::Dropped,
        }],
    }
}

fn flow() -> Flow {
    Flow {
        from: "POST /projects".to_owned(),
        pointer: "/id".to_owned(),
        to: "GET /projects/{}".to_owned(),
        place: "path 0".to_owned(),
        times: 3,
    }
}

fn board() -> Call {
    graphql(
        RootKind::Query,
        "query Board($id:ID!){project(id:$id){name tasks{id done}}}",
        "Board",
    )
}

fn rename() -> Call {
    graphql(
        RootKind::Mutation,
        "mutation Rename($id:ID!){renameProject(id:$id,name:\"Ünïcode 🦀\"){id}}",
        "Rename",
    )
}

fn graphql(root: RootKind, query: &str, name: &str) -> Call {
    let variables = json!({"id": "UHJvamVjdDo3"});
    Call::GraphQl(GraphQlCall {
        path: "/graphql".to_owned(),
        root,
        query: query.to_owned(),
        operation_name: Some(name.to_owned()),
        variables: variables.as_object().cloned().unwrap_or_default(),
    })
}

fn list() -> Call {
    Call::Rest(RestCall {
        method: "GET".to_owned(),
        path: "/projects".to_owned(),
        query: vec![("page".to_owned(), "2".to_owned())],
        headers: vec![("accept".to_owned(), "application/json".to_owned())],
        content: Content::None,
    })
}

fn create() -> Call {
    Call::Rest(RestCall {
        method: "POST".to_owned(),
        path: "/projects".to_owned(),
        query: Vec::new(),
        headers: Vec::new(),
        content: Content::Json {
            media_type: "application/json".to_owned(),
            value: json!({"name": "a\u{0}b", "owner": null, "parts": [1, 2.5, "x"]}),
        },
    })
}
