//! Against a server that does nothing: what a request costs the client.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};
use serde_json::Value;

use super::meter::{Core, Measured, measure, pinned};
use super::server::{Server, free_port};
use super::table::{Table, number};
use super::{built, fossick, project, scratch};

const CONNECTIONS: &str = "16";
const SECONDS: u32 = 5;

/// What one client did.
pub(super) struct Pace {
    pub(super) rate: f64,
    /// Microseconds of processor time for each request.
    pub(super) cpu: f64,
    pub(super) peak: f64,
}

impl Pace {
    pub(super) fn of(requests: f64, seconds: f64, cpu_seconds: f64, peak: f64) -> Self {
        Self {
            rate: requests / seconds.max(f64::EPSILON),
            cpu: cpu_seconds * 1e6 / requests.max(1.0),
            peak,
        }
    }

    pub(super) fn cells(&self, name: &str, beside: &Self) -> Vec<String> {
        vec![
            name.to_owned(),
            number(self.rate),
            number(self.rate / beside.rate),
            number(self.cpu),
            number(self.cpu / beside.cpu),
            number(self.peak),
        ]
    }
}

pub(super) fn table() -> Result<Table> {
    let port = free_port()?;
    let mut serve = pinned(Core::Server, built("examples/null_server"));
    serve.arg(port.to_string());
    let server = Server::start(serve, port)?;
    let wrk = wrk(&server)?;
    let heads = [
        "null server",
        "requests/s",
        "× wrk",
        "CPU µs/request",
        "× wrk",
        "peak MB",
    ];
    let mut table = Table::new(&heads);
    table.row(wrk.cells("wrk", &wrk));
    table.row(load(&server)?.cells("fossick's client alone", &wrk));
    let document = project("testdata/null/openapi.json");
    let tested = tested(&server, &document.to_string_lossy(), SECONDS, "null")?;
    table.row(tested.cells("fossick test", &wrk));
    Ok(table)
}

fn wrk(server: &Server) -> Result<Pace> {
    let mut wrk = pinned(Core::Client, "wrk");
    wrk.args(["-t1", &format!("-c{CONNECTIONS}"), &format!("-d{SECONDS}s")]);
    wrk.arg(format!("{}/things/7", server.url()));
    let measured = measure(wrk)?;
    let requests = requests_of_wrk(&measured.output).context("wrk speaks another way now")?;
    Ok(pace(requests, &measured))
}

/// `  412345 requests in 5.00s, 188.2MB read`
fn requests_of_wrk(output: &str) -> Option<f64> {
    let line = output.lines().find(|line| line.contains(" requests in "))?;
    line.split_whitespace().next()?.parse().ok()
}

fn load(server: &Server) -> Result<Pace> {
    const REQUESTS: u32 = 200_000;
    let mut load = pinned(Core::Client, built("examples/load"));
    load.arg(server.url())
        .args([CONNECTIONS, &REQUESTS.to_string()]);
    Ok(pace(f64::from(REQUESTS), &measure(load)?))
}

fn pace(requests: f64, measured: &Measured) -> Pace {
    let (wall, cpu) = (measured.wall.as_secs_f64(), measured.cpu.as_secs_f64());
    Pace::of(requests, wall, cpu, measured.peak)
}

/// The whole of fossick, by its own report.
pub(super) fn tested(server: &Server, document: &str, seconds: u32, name: &str) -> Result<Pace> {
    let scratch = scratch();
    fs::create_dir_all(&scratch).context("failed to make a folder for reports")?;
    let report = scratch.join(format!("{name}.json"));
    let mut test = pinned(Core::Client, fossick());
    test.args(["test", document, "--url", &server.url()]);
    test.args([
        "--time",
        &format!("{seconds}s"),
        "--concurrency",
        CONNECTIONS,
        "--seed",
        "1",
    ]);
    test.arg("--quiet").arg("--out").arg(scratch.join("runs"));
    test.arg("--report")
        .arg(format!("json={}", report.display()));
    let measured = measure(test)?;
    of_report(&report, measured.peak)
}

fn of_report(report: &Path, peak: f64) -> Result<Pace> {
    let text = fs::read_to_string(report).context("fossick wrote no report")?;
    let report: Value = serde_json::from_str(&text).context("the report is not JSON")?;
    let figure = |key: &str| {
        report[key]
            .as_f64()
            .with_context(|| format!("no {key} in the report"))
    };
    let (requests, seconds) = (figure("requests")?, figure("elapsed_seconds")?);
    Ok(Pace::of(requests, seconds, figure("cpu_seconds")?, peak))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_wrk_says_is_understood() {
        let output =
            "Running 5s test\n  412345 requests in 5.00s, 188.20MB read\nRequests/sec:  82469.0\n";
        assert_eq!(requests_of_wrk(output), Some(412_345.0));
        assert_eq!(requests_of_wrk("nothing"), None);
    }

    #[test]
    fn ratios_are_taken_against_the_other() {
        let one = Pace::of(1000.0, 1.0, 0.1, 10.0);
        let other = Pace::of(2000.0, 1.0, 0.1, 10.0);
        let cells = one.cells("one", &other);
        assert_eq!(cells, ["one", "1000", "0.50", "100", "2.00", "10.0"]);
    }
}
