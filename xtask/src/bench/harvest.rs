//! Harvested queries, as many as the paper had from production: how long it takes to make tests of
//! them and to run these without a framework, every assertion checked.

use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Child, Stdio};

use anyhow::{Context, Result, bail};
use serde_json::Value;

use super::meter::{Core, Measured, measure, pinned};
use super::table::{Table, number};
use super::{built, fossick, scratch};

pub(super) fn table() -> Result<Table> {
    let folder = scratch().join("frontapp");
    let server = Load::start(&folder)?;
    let mut table = Table::new(&["harvested queries", "tests", "s", "tests/s", "peak MB"]);
    let suite = ["--out", "json=suite", "--url", &server.url];
    let made = harvest(&folder, "suite", &suite)?;
    let metrics = harvest(
        &folder,
        "metrics",
        &["--url", &server.url, "--format", "json"],
    )?;
    let figures: Value = serde_json::from_str(&metrics.output).context("no figures")?;
    let tests = figures["passing"].as_f64().unwrap_or(0.0);
    if tests == 0.0 || figures["failing"] != 0 {
        bail!("the load is not answered as its schema promises: {figures}");
    }
    let mut replay = pinned(Core::Client, fossick());
    replay.current_dir(&folder).args(["replay", "suite"]);
    let played = measure(replay)?;
    let assertions = number(figures["assertions_evaluated"].as_f64().unwrap_or(0.0));
    table.row(row("harvest suite", tests, &made));
    table.row(row(
        &format!("replay, {assertions} assertions"),
        tests,
        &played,
    ));
    Ok(table)
}

fn row(name: &str, tests: f64, measured: &Measured) -> Vec<String> {
    let seconds = measured.wall.as_secs_f64();
    vec![
        name.to_owned(),
        number(tests),
        number(seconds),
        number(tests / seconds.max(f64::EPSILON)),
        number(measured.peak),
    ]
}

fn harvest(folder: &Path, what: &str, more: &[&str]) -> Result<Measured> {
    let mut command = pinned(Core::Client, fossick());
    command
        .current_dir(folder)
        .args(["harvest", what, "--store", "records.ndjson"])
        .args(["--schema", "schema.graphql"])
        .args(more);
    measure(command)
}

/// The load and its server, which ends with its owner.
struct Load {
    child: Child,
    url: String,
}

impl Load {
    fn start(folder: &Path) -> Result<Self> {
        let mut serve = pinned(Core::Server, built("examples/frontapp"));
        serve
            .arg(folder)
            .stdin(Stdio::null())
            .stdout(Stdio::piped());
        let mut child = serve.spawn().context("failed to start the load")?;
        let stdout = child.stdout.take().context("the load tells nothing")?;
        let mut load = Self {
            child,
            url: String::new(),
        };
        BufReader::new(stdout).read_line(&mut load.url)?;
        load.url.truncate(load.url.trim_end().len());
        Ok(load)
    }
}

impl Drop for Load {
    fn drop(&mut self) {
        // It may have ended by itself; then there is nothing to do.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
