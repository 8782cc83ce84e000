//! Against a real service, a small one in Python without faults.
//!
//! Schemathesis runs beside it where it is installed (`st` on the path, or `$SCHEMATHESIS`); how
//! many requests it sent is told by the service, not by the tool.

use std::path::PathBuf;

use anyhow::{Context, Result};
use serde_json::Value;

use super::meter::{Core, measure, pinned};
use super::null::{Pace, tested};
use super::server::{Server, free_port};
use super::table::Table;
use super::{project, scratch};
use crate::machine::services_python;
use crate::program::find;

const SECONDS: u32 = 15;

pub(super) fn table() -> Result<Table> {
    let heads = [
        "tracker",
        "requests/s",
        "× fossick",
        "CPU µs/request",
        "× fossick",
        "peak MB",
    ];
    let mut table = Table::new(&heads);
    let fossick = {
        let server = serve()?;
        tested(&server, &document(&server), SECONDS, "tracker")?
    };
    table.row(fossick.cells("fossick test", &fossick));
    if let Some(st) = schemathesis() {
        table.row(run_schemathesis(st)?.cells("Schemathesis", &fossick));
    }
    Ok(table)
}

fn serve() -> Result<Server> {
    let port = free_port()?;
    let mut serve = pinned(Core::Server, services_python()?);
    serve.args([
        "-m",
        "uvicorn",
        "app:app",
        "--host",
        "127.0.0.1",
        "--port",
        &port.to_string(),
    ]);
    serve.args(["--no-access-log", "--log-level", "critical"]);
    serve
        .env("FAULTS", "none")
        .env("PYTHONDONTWRITEBYTECODE", "1");
    serve.current_dir(project("testdata/services/tracker"));
    Server::start(serve, port)
}

fn document(server: &Server) -> String {
    format!("{}/openapi.json", server.url())
}

fn schemathesis() -> Option<PathBuf> {
    match std::env::var_os("SCHEMATHESIS") {
        Some(path) => Some(path.into()),
        None => find("st"),
    }
}

fn run_schemathesis(st: PathBuf) -> Result<Pace> {
    let server = serve()?;
    let mut run = pinned(Core::Client, st);
    run.args([
        "run",
        &document(&server),
        "--max-time",
        &SECONDS.to_string(),
    ]);
    run.args(["--continue-on-failure", "--no-color", "--seed", "1"]);
    run.current_dir(scratch());
    let measured = measure(run)?;
    let (wall, cpu) = (measured.wall.as_secs_f64(), measured.cpu.as_secs_f64());
    Ok(Pace::of(requests_seen(&server)?, wall, cpu, measured.peak))
}

fn requests_seen(server: &Server) -> Result<f64> {
    let stats: Value = serde_json::from_str(&server.get("/__stats")?)?;
    stats["stats"]["requests"]
        .as_f64()
        .context("the tracker does not count")
}
