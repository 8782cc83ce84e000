//! How many sightings a second a store takes, and how large a record is.
//!
//! `cargo run --release -p fossick-store --example store_speed PLACE`, with a place where no store is.

#![expect(clippy::print_stdout, reason = "a program for the terminal")]

use std::time::{Duration, Instant};

use fossick_contract::RootKind;
use fossick_harvest::{Call, GraphQlCall, Sighting, Statuses, Took};
use fossick_store::{Access, Filter, Place, Store};
use serde_json::json;

const AT_LEAST: Duration = Duration::from_secs(2);
const SIZES: [usize; 3] = [1, 100, 1000];

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let place: Place = std::env::args().nth(1).unwrap_or_default().parse()?;
    let mut store = Store::open(&place, Access::Write)?;
    let mut next = 0;
    println!(
        "{:>8} {:>16} {:>16}",
        "batch", "new calls/s", "known calls/s"
    );
    for size in SIZES {
        let new = measure(&mut store, size, &mut next)?;
        let known = measure(&mut store, size, &mut 0)?;
        println!("{size:>8} {new:>16.0} {known:>16.0}");
    }
    let records = store.count(&Filter::default())?;
    listing(&mut store)?;
    store.compact()?;
    if let Place::File(path) = &place {
        let size = std::fs::metadata(path)?.len();
        let text = serde_json::to_string(&call(next))?.len() as u64;
        let each = size / records.max(1);
        println!("{records} records, {each} bytes each; the call alone is {text} bytes of JSON");
    }
    Ok(())
}

/// Sightings a second, in batches of this size.
fn measure(
    store: &mut Store,
    size: usize,
    next: &mut u64,
) -> Result<f64, Box<dyn std::error::Error>> {
    let (mut spent, mut done) = (Duration::ZERO, 0);
    while spent < AT_LEAST {
        let batch: Vec<Sighting> = (*next..).take(size).map(sighting).collect();
        *next += size as u64;
        let started = Instant::now();
        store.add(&batch, &[])?;
        spent += started.elapsed();
        done += size;
    }
    Ok(done as f64 / spent.as_secs_f64())
}

fn listing(store: &mut Store) -> Result<(), Box<dyn std::error::Error>> {
    let started = Instant::now();
    let mut heard = 0_u64;
    store.records(&Filter::default(), &mut |_| {
        heard += 1;
        std::ops::ControlFlow::Continue(())
    })?;
    let speed = heard as f64 / started.elapsed().as_secs_f64();
    println!("listing: {speed:.0} records/s");
    Ok(())
}

fn sighting(number: u64) -> Sighting {
    let call = call(number);
    Sighting {
        key: call.key(),
        call,
        first_at: number,
        last_at: number,
        times: 1,
        statuses: Statuses {
            successful: 1,
            ..Statuses::default()
        },
        took: Took {
            answers: 1,
            total: 900,
            most: 900,
        },
        redactions: Vec::new(),
    }
}

/// Of the size that such calls have in practice.
fn call(number: u64) -> Call {
    let variables = json!({"first": 20, "id": format!("UHJvamVjdDo{number}"), "state": "OPEN"});
    Call::GraphQl(GraphQlCall {
        path: "/graphql".to_owned(),
        root: RootKind::Query,
        query:
            "query Board($id:ID!,$first:Int,$state:State){project(id:$id){id name owner{id name \
                avatar{url}}tasks(first:$first,state:$state){edges{node{id title done labels{name \
                colour}assignees{id name}}}pageInfo{hasNextPage endCursor}}}}"
                .to_owned(),
        operation_name: Some("Board".to_owned()),
        variables: variables.as_object().cloned().unwrap_or_default(),
    })
}
