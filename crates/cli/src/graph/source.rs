//! Where the graph comes from: a document, before any run, or what a run left behind.

use std::path::{Path, PathBuf};
use std::time::SystemTime;

use anyhow::{Context as _, Result, anyhow, bail};
use fossick_graph::Graph;
use fossick_trace::PropertyGraph;

use crate::config::Config;
use crate::credentials::header;
use crate::document::Access;
use crate::flags::GraphFlags;
use crate::run_folder::GRAPH_FILE;
use crate::seeds::Harvest;

pub(super) fn graph(flags: &GraphFlags, config: &Config) -> Result<PropertyGraph> {
    if let Some(folder) = &flags.run {
        return of_run(&file(folder.as_deref(), config)?);
    }
    let schema = match flags.schema.as_slice() {
        [] => &config.schema,
        told => told,
    };
    if schema.is_empty() {
        bail!(
            "which graph? Give a document: fossick graph openapi.json; or look at the latest run: fossick graph --run"
        );
    }
    of_document(flags, config, schema)
}

fn of_document(flags: &GraphFlags, config: &Config, schema: &[String]) -> Result<PropertyGraph> {
    let runtime = crate::test::runtime()?;
    let headers = flags
        .header
        .iter()
        .map(|line| header(line))
        .collect::<Result<Vec<_>>>()?;
    let access = Access {
        runtime: &runtime,
        headers: &headers,
        users: &[],
        insecure: flags.insecure || config.insecure,
        scalars: &config.graphql.scalars(),
    };
    let document = access.read(schema)?;
    let api = &document.api;
    let mut graph = Graph::of(api);
    if let Some(harvest) = Harvest::wanted(flags.harvest.as_ref(), config, api)? {
        fossick_search::teach(&mut graph, api, &harvest.seeds.flows);
    }
    Ok(graph.property_graph(api, |_| (0, 0)))
}

fn of_run(path: &Path) -> Result<PropertyGraph> {
    let text = std::fs::read_to_string(path)
        .with_context(|| format!("failed to read {}", path.display()))?;
    fossick_draw::read(&text).with_context(|| format!("{} can't be drawn", path.display()))
}

/// The graph of a run: in the folder that is named, the file that is named, or the latest.
fn file(named: Option<&Path>, config: &Config) -> Result<PathBuf> {
    let Some(path) = named else {
        let out = config.out.as_deref().unwrap_or(Path::new(".fossick"));
        return latest(out).ok_or_else(|| no_run(out));
    };
    if path.is_file() {
        return Ok(path.to_owned());
    }
    if !path.is_dir() {
        bail!("there is no folder {}", path.display());
    }
    let file = path.join(GRAPH_FILE);
    if file.is_file() {
        return Ok(file);
    }
    // A folder of runs is as good: its latest is meant.
    latest(path).ok_or_else(|| {
        anyhow!(
            "there is no {GRAPH_FILE} in {}; is that the folder of a run?",
            path.display()
        )
    })
}

fn no_run(out: &Path) -> anyhow::Error {
    anyhow!(
        "there is no run in {}; `fossick test` leaves one there, and --run DIR names another place",
        out.display()
    )
}

/// The graph that was written last.
fn latest(folder: &Path) -> Option<PathBuf> {
    let entries = std::fs::read_dir(folder).ok()?;
    let written = |path: PathBuf| -> Option<(SystemTime, PathBuf)> {
        let time = std::fs::metadata(&path).ok()?.modified().ok()?;
        Some((time, path))
    };
    entries
        .filter_map(|entry| written(entry.ok()?.path().join(GRAPH_FILE)))
        .max()
        .map(|(_, path)| path)
}
