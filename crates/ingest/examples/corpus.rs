//! Reads every document of a folder and tells how that went.
//!
//! `cargo run --release -p fossick-ingest --example corpus -- FOLDER [--diagnostics] [--operations]
//! [--compile]`

#![expect(clippy::print_stdout, reason = "a program for the terminal")]

use std::path::Path;
use std::time::Instant;

use fossick_contract::{Api, Definitions, Operation};
use fossick_ingest::{Fetch, Source, read};
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use serde_json::json;

/// Reads files beside the document.
struct Files;

impl Fetch for Files {
    fn fetch(&mut self, location: &str) -> Result<String, String> {
        std::fs::read_to_string(location).map_err(|error| error.to_string())
    }
}

#[derive(Default)]
struct Totals {
    documents: usize,
    refused: usize,
    operations: usize,
    unusable: usize,
    diagnostics: usize,
    shapes: usize,
    slowest: u128,
}

fn main() {
    let mut arguments = std::env::args().skip(1);
    let Some(folder) = arguments.next() else {
        println!("which folder?");
        return;
    };
    let options: Vec<_> = arguments.collect();
    let mut paths: Vec<_> = std::fs::read_dir(&folder)
        .map(|entries| entries.flatten().map(|entry| entry.path()).collect())
        .unwrap_or_default();
    paths.sort();
    let mut totals = Totals::default();
    for path in paths.iter().filter(|path| path.is_file()) {
        one(path, &options, &mut totals);
    }
    println!(
        "{} documents ({} refused), {} operations, {} unusable, {} diagnostics, {} shapes, slowest {} ms",
        totals.documents,
        totals.refused,
        totals.operations,
        totals.unusable,
        totals.diagnostics,
        totals.shapes,
        totals.slowest,
    );
}

fn one(path: &Path, options: &[String], totals: &mut Totals) {
    let asked = |name: &str| options.iter().any(|option| option == name);
    let Ok(text) = std::fs::read_to_string(path) else {
        return;
    };
    let source = Source {
        name: path.display().to_string(),
        text,
    };
    totals.documents += 1;
    let start = Instant::now();
    let reading = match read(&source, &mut Files) {
        Ok(reading) => reading,
        Err(error) => {
            totals.refused += 1;
            println!("refused: {error}");
            return;
        }
    };
    let took = start.elapsed().as_millis();
    let api = &reading.api;
    println!(
        "{:4} operations {:3} unusable {:4} diagnostics {:6} shapes {:5} ms  {}",
        api.operations.len(),
        api.unusable.len(),
        reading.diagnostics.len(),
        api.shapes.len(),
        took,
        path.file_name().unwrap_or_default().display(),
    );
    for unusable in &api.unusable {
        println!("       {}: {}", unusable.operation, unusable.reason);
    }
    for diagnostic in reading
        .diagnostics
        .iter()
        .filter(|_| asked("--diagnostics"))
    {
        let place = diagnostic.place.as_ref();
        let place = place.map_or_else(|| diagnostic.pointer.clone(), ToString::to_string);
        println!("       {place}: {}", diagnostic.message);
    }
    if asked("--operations") {
        api.operations.iter().for_each(|one| graphql(api, one));
    }
    if asked("--compile") {
        compile(&api.schemas.request);
        compile(&api.schemas.response);
    }
    totals.operations += api.operations.len();
    totals.unusable += api.unusable.len();
    totals.diagnostics += reading.diagnostics.len();
    totals.shapes += api.shapes.len();
    totals.slowest = totals.slowest.max(took);
}

/// Tells what a GraphQL operation was taken for.
fn graphql(api: &Api, operation: &Operation) {
    let Some(root) = &operation.graphql else {
        return;
    };
    let thing = root.thing.map_or("-", |id| &api.types.get(id).name);
    println!(
        "       {}: {:?} {thing} [{}]{} {}",
        operation.label,
        root.deed,
        root.way.join(" "),
        if root.listed { " many" } else { "" },
        root.keys.join(" "),
    );
}

/// Asks the validator whether it takes every schema.
fn compile(text: &Definitions) {
    if text.names().next().is_none() {
        return;
    }
    let every: Vec<_> = text
        .names()
        .map(|key| utf8_percent_encode(key, NON_ALPHANUMERIC))
        .map(|key| json!({ "$ref": format!("#/$defs/{key}") }))
        .collect();
    let whole = json!({ "$defs": text.document()["$defs"], "anyOf": every });
    if let Err(error) = jsonschema::draft202012::new(&whole) {
        println!("       does not compile: {error}");
    }
}
