//! A service in another language and framework: its planted faults are found, and without them
//! there is no alarm.

use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use crate::program::{Folder, Running, run};
use crate::report::Report;

/// What is planted: name, code, operation.
const PLANTED: [(&str, &str, &str); 6] = [
    ("B1a", "F101", "GET /projects"),
    ("B1b", "F101", "POST /projects"),
    ("B2", "F201", "GET /tasks/{task_id}"),
    ("B3", "F301", "GET /projects/{project_id}"),
    ("B4a", "F307", "GET /projects/{project_id}/tasks"),
    ("B4b", "F306", "GET /users/{user_id}"),
];

struct Tracker {
    url: String,
    /// Held only for its end: dropping it stops the service.
    _process: Running,
}

impl Tracker {
    fn start(faults: &str) -> Self {
        let port = free_port();
        let mut command = Command::new(python());
        command
            .current_dir(root().join("testdata/services/tracker"))
            .env("FAULTS", faults)
            .env("PYTHONDONTWRITEBYTECODE", "1")
            .args(["-m", "uvicorn", "app:app", "--host", "127.0.0.1"])
            .args(["--no-access-log", "--log-level", "critical"])
            .args(["--port", &port.to_string()]);
        let mut process = Running::start(&mut command);
        let started = Instant::now();
        while TcpStream::connect((Ipv4Addr::LOCALHOST, port)).is_err() {
            let patient = started.elapsed() < Duration::from_secs(30);
            assert!(
                patient && process.is_running(),
                "the tracker does not start"
            );
            std::thread::sleep(Duration::from_millis(50));
        }
        Self {
            url: format!("http://127.0.0.1:{port}"),
            _process: process,
        }
    }

    fn test(&self, folder: &Folder, time: &str, seed: &str) -> Report {
        let schema = format!("{}/openapi.json", self.url);
        let mut arguments = vec!["test", &schema, "--time", time, "--seed", seed];
        arguments.extend(["--report", "json=report.json"]);
        let ended = run(folder, &arguments);
        assert!([0, 1].contains(&ended.code), "{}", ended.stderr);
        Report::read(folder, "report.json")
    }
}

fn root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
}

/// A Python that has what the tracker needs.
fn python() -> PathBuf {
    let told = std::env::var_os("FOSSICK_TRACKER_PYTHON").map(PathBuf::from);
    let made = Path::new(env!("CARGO_TARGET_TMPDIR")).join("../xtask/tracker/bin/python");
    let found = told.into_iter().chain([made]).find(|path| path.exists());
    found.expect("the tracker needs a Python of its own: run `cargo xtask test`, which makes it")
}

fn free_port() -> u16 {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a free port");
    listener.local_addr().expect("it is bound").port()
}

#[test]
fn the_trackers_six_faults_are_found_and_come_back_on_a_fresh_one() {
    let folder = Folder::new();
    let report = Tracker::start("all").test(&folder, "15s", "3");
    let missed: Vec<_> = PLANTED
        .iter()
        .filter(|(_, code, operation)| !report.shows(code, operation))
        .collect();
    assert!(missed.is_empty(), "{missed:?}\n{:#?}", report.lines());
    assert_eq!(beyond_what_is_planted(&report), [""; 0]);
    let fresh = Tracker::start("all");
    for (name, code, operation) in PLANTED {
        let finding = report
            .confirmed()
            .into_iter()
            .find(|f| f["code"] == code && f["operation"] == operation)
            .expect("it was found");
        let command = finding["replay"].as_str().expect("a command");
        let file = command.trim_start_matches("fossick replay ");
        let ended = run(&folder, &["replay", file, "--url", &fresh.url]);
        assert_eq!(ended.code, 1, "{name}: {ended:?}");
        assert!(
            ended.stdout.starts_with("still there "),
            "{name}: {ended:?}"
        );
    }
}

/// Alarms that no planted fault explains. What is in a deleted project stays readable as well, so
/// the third one shows in more than one place.
fn beyond_what_is_planted(report: &Report) -> Vec<String> {
    let is_planted = |line: &String| {
        let starts = |(_, code, operation): &(&str, &str, &str)| {
            line.starts_with(code) && line.contains(&format!(" {operation}: "))
        };
        line.starts_with("F301") || PLANTED.iter().any(starts)
    };
    let mut alarms = report.alarms();
    alarms.retain(|line| !is_planted(line));
    alarms
}

#[test]
fn the_tracker_without_faults_raises_no_alarm() {
    let folder = Folder::new();
    let report = Tracker::start("none").test(&folder, "8s", "3");
    assert_eq!(report.alarms(), [""; 0]);
    for operation in report.0["operations"].as_array().expect("a list") {
        let successes = operation["statuses"]["2xx"].as_u64().unwrap_or(0);
        assert!(successes > 0, "{operation}");
    }
}
