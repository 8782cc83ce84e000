//! The services of `testdata/services`, each a process of its own that ends with its owner.

use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use crate::program::{Folder, Running, run};
use crate::report::Report;

/// What is wrong with a service on purpose: name, code, operation.
#[derive(Debug)]
pub(crate) struct Planted(
    pub(crate) &'static str,
    pub(crate) &'static str,
    pub(crate) &'static str,
);

pub(crate) struct PythonService {
    pub(crate) url: String,
    /// Where its document or its endpoint is.
    pub(crate) schema: String,
    /// Held only for its end: dropping it stops the service.
    _process: Running,
}

impl PythonService {
    /// Starts a service by the name of its folder, with these settings in its environment.
    pub(crate) fn start(name: &str, schema: &str, settings: &[(&str, &str)]) -> Self {
        let port = free_port();
        let mut command = Command::new(python());
        command
            .current_dir(root().join("testdata/services").join(name))
            .envs(settings.iter().copied())
            .env("PYTHONDONTWRITEBYTECODE", "1")
            .args(["-m", "uvicorn", "app:app", "--host", "127.0.0.1"])
            .args(["--no-access-log", "--log-level", "critical"])
            .args(["--port", &port.to_string()]);
        Self::ready(name, schema, port, Running::start(&mut command))
    }

    /// Starts a service that needs nothing but Python.
    pub(crate) fn start_plain(name: &str, path: &str, arguments: &[&str]) -> Self {
        let port = free_port();
        let mut command = Command::new("python3");
        command
            .current_dir(root().join("testdata/services").join(name))
            .args(["-B", "app.py", &port.to_string()])
            .args(arguments);
        Self::ready(name, path, port, Running::start(&mut command))
    }

    fn ready(name: &str, path: &str, port: u16, mut process: Running) -> Self {
        let started = Instant::now();
        while TcpStream::connect((Ipv4Addr::LOCALHOST, port)).is_err() {
            let patient = started.elapsed() < Duration::from_secs(30);
            assert!(patient && process.is_running(), "the {name} does not start");
            std::thread::sleep(Duration::from_millis(50));
        }
        let url = format!("http://127.0.0.1:{port}");
        Self {
            schema: format!("{url}{path}"),
            url,
            _process: process,
        }
    }

    /// So many requests are enough, however long a busy machine takes for them.
    pub(crate) fn test(&self, folder: &Folder, requests: &str, seed: &str) -> Report {
        let mut arguments = vec!["test", &self.schema, "--seed", seed];
        arguments.extend(["--requests", requests, "--time", "90s"]);
        arguments.extend(["--report", "json=report.json"]);
        let ended = run(folder, &arguments);
        assert!([0, 1].contains(&ended.code), "{}", ended.stderr);
        Report::read(folder, "report.json")
    }
}

pub(crate) fn root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
}

/// A Python that has what the services need.
fn python() -> PathBuf {
    let told = std::env::var_os("FOSSICK_SERVICES_PYTHON").map(PathBuf::from);
    let made = Path::new(env!("CARGO_TARGET_TMPDIR")).join("../xtask/services/bin/python");
    let found = told.into_iter().chain([made]).find(|path| path.exists());
    found.expect("the services need a Python of their own: run `cargo xtask test`, which makes it")
}

/// Where the services' own start scripts keep packages: that Python is among them.
pub(crate) fn packages() -> PathBuf {
    let python = python();
    let folder = python.ancestors().nth(3);
    folder.expect("it is in a folder of its own").to_owned()
}

pub(crate) fn free_port() -> u16 {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a free port");
    listener.local_addr().expect("it is bound").port()
}

pub(crate) fn assert_found(report: &Report, planted: &[Planted]) {
    let missed: Vec<_> = planted
        .iter()
        .filter(|Planted(_, code, operation)| !report.shows(code, operation))
        .collect();
    assert!(missed.is_empty(), "{missed:?}\n{:#?}", report.lines());
}

/// Replays what was found of each fault at another instance of the service.
pub(crate) fn assert_still_there(report: &Report, planted: &[Planted], folder: &Folder, url: &str) {
    for Planted(name, code, operation) in planted {
        let finding = report
            .confirmed()
            .into_iter()
            .find(|f| f["code"] == *code && f["operation"] == *operation)
            .expect("it was found");
        let command = finding["replay"].as_str().expect("a command");
        let file = command.trim_start_matches("fossick replay ");
        let ended = run(folder, &["replay", file, "--url", url]);
        assert_eq!(ended.code, 1, "{name}: {ended:?}");
        assert!(
            ended.stdout.starts_with("still there "),
            "{name}: {ended:?}"
        );
    }
}

/// Alarms that no planted fault explains.
pub(crate) fn beyond(report: &Report, planted: &[Planted]) -> Vec<String> {
    let is_planted = |line: &String| {
        let starts = |Planted(_, code, operation): &Planted| {
            line.starts_with(code) && line.contains(&format!(" {operation}: "))
        };
        planted.iter().any(starts)
    };
    let mut alarms = report.alarms();
    alarms.retain(|line| !is_planted(line));
    alarms
}
