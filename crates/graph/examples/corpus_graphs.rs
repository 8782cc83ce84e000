//! Builds the graph of every document of a folder and tells how that went.
//!
//! `cargo run --release -p fossick-graph --example corpus_graphs -- FOLDER`

#![expect(clippy::print_stdout, reason = "a program for the terminal")]

use std::path::Path;
use std::time::Instant;

use fossick_graph::{Graph, Sequences};
use fossick_ingest::{NoFetch, Source, read};

/// Sequences taken from every graph.
const TAKEN: usize = 200;

fn main() {
    let Some(folder) = std::env::args().nth(1) else {
        println!("which folder?");
        return;
    };
    let entries = std::fs::read_dir(&folder).map(|entries| entries.flatten().collect());
    let entries: Vec<std::fs::DirEntry> = entries.unwrap_or_default();
    let mut paths: Vec<_> = entries.iter().map(std::fs::DirEntry::path).collect();
    paths.sort();
    println!("operations schemas  edges   ms  sequences ms  peak MB  document");
    for path in paths.iter().filter(|path| path.is_file()) {
        one(path);
    }
}

fn one(path: &Path) {
    let name = path.display().to_string();
    let Ok(text) = std::fs::read_to_string(path) else {
        return;
    };
    let Ok(read) = read(&Source { name, text }, &mut NoFetch) else {
        return;
    };
    let started = Instant::now();
    let graph = Graph::of(&read.api);
    let built = started.elapsed().as_millis();
    let started = Instant::now();
    let mut sequences = Sequences::default();
    for _ in 0..TAKEN {
        sequences.next(&graph, &read.api, |_| 1.0);
    }
    let taken = started.elapsed().as_millis();
    let drawn = graph.property_graph(&read.api, |_| (0, 0));
    println!(
        "{:>10} {:>7} {:>6} {built:>4} {taken:>13} {:>8}  {}",
        drawn.operations.len(),
        drawn.schemas.len(),
        drawn.edges.len(),
        peak_megabytes(),
        path.file_name().unwrap_or_default().to_string_lossy(),
    );
}

/// The most memory that the process has had so far.
fn peak_megabytes() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find(|line| line.starts_with("VmHWM:"));
    let kilobytes = line.and_then(|line| line.split_whitespace().nth(1)?.parse::<u64>().ok());
    kilobytes.unwrap_or(0) / 1024
}
