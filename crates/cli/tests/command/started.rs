//! Services that the program starts itself, and stops.

use std::net::{Ipv4Addr, TcpListener};

use crate::program::{Ended, Folder, run};
use crate::report::Report;
use crate::small::{MORTAL, small};

const DOCUMENT: &str = "http://127.0.0.1:{port}/openapi.json";

fn all(ended: &Ended) -> String {
    format!("{}{}", ended.stdout, ended.stderr)
}

fn folder() -> Folder {
    let folder = Folder::new();
    folder.write("service.py", &small(MORTAL));
    folder
}

fn port_of(report: &Report) -> u16 {
    let url = report.0["base_url"].as_str().expect("a URL").to_owned();
    let port = url.trim_end_matches('/').rsplit(':').next();
    port.and_then(|port| port.parse().ok()).expect("a port")
}

#[test]
fn a_service_is_started_revived_and_stopped() {
    let folder = folder();
    let mut arguments = vec!["test", DOCUMENT, "--seed", "1", "--time", "12s"];
    arguments.extend(["--probe", "none"]);
    arguments.extend(["--report", "json=report.json"]);
    arguments.extend(["--", "python3", "service.py", "{port}"]);
    let ended = run(&folder, &arguments);
    assert_eq!(ended.code, 1, "{}", all(&ended));
    let report = Report::read(&folder, "report.json");
    let told: Vec<(&str, &str, bool)> = report
        .findings()
        .iter()
        .map(|f| {
            let text = |name: &str| f[name].as_str().unwrap_or_default();
            (text("code"), text("operation"), f["confirmed"] == true)
        })
        .collect();
    assert_eq!(told, [("F107", "GET /codes", true)], "{}", all(&ended));
    assert!(
        report
            .notes()
            .iter()
            .any(|note| note.contains("ends over GET /codes")),
        "{:?}",
        report.notes()
    );
    let log = report.findings()[0]["log"].to_string();
    assert!(log.contains("seven is too much"), "{log}");
    assert!(folder.read(".fossick/1/service.log").contains("listening"));
    let free = TcpListener::bind((Ipv4Addr::LOCALHOST, port_of(&report)));
    assert!(free.is_ok(), "the service is gone");
}

#[test]
fn the_configuration_may_say_how() {
    let folder = folder();
    let lines = [
        "schema = \"http://127.0.0.1:{port}/openapi.json\"",
        "time = \"2s\"",
        "exclude = [\"/codes\"]",
        "[service]",
        "start = \"python3 service.py {port}\"",
        "ready = \"listening\"",
        "environment = { NAME = \"from outside\" }",
    ];
    folder.write("fossick.toml", &lines.join("\n"));
    let ended = run(&folder, &["test", "--seed", "1"]);
    assert_eq!(ended.code, 0, "{}", all(&ended));
    assert!(all(&ended).contains("from outside"), "{}", all(&ended));
}

#[test]
fn what_goes_wrong_is_said_in_one_go() {
    let folder = folder();
    let told = |command: &[&str]| {
        let arguments = [&["test", DOCUMENT, "--"], command].concat();
        let ended = run(&folder, &arguments);
        assert_eq!(ended.code, 2, "{}", all(&ended));
        all(&ended)
    };
    let text = told(&["no-such-server", "{port}"]);
    assert!(text.contains("no program `no-such-server`"), "{text}");
    let text = told(&["python3", "missing.py", "{port}"]);
    assert!(text.contains("before the service was ready"), "{text}");
    assert!(text.contains("missing.py"), "{text}");
    let ended = run(&folder, &["test", DOCUMENT]);
    assert!(all(&ended).contains("give its command after --"));
    let taken = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a port");
    let port = taken.local_addr().expect("it is bound").port();
    let url = format!("http://127.0.0.1:{port}/openapi.json");
    let ended = run(
        &folder,
        &[
            "test",
            &url,
            "--",
            "python3",
            "service.py",
            &port.to_string(),
        ],
    );
    let text = all(&ended);
    assert!(text.contains(&format!("port {port} is taken")), "{text}");
}

#[test]
fn several_instances_share_the_search() {
    let folder = Folder::new();
    let service = MORTAL.replace(
        "    url = urlsplit",
        "    print(path, flush=True)\n    url = urlsplit",
    );
    folder.write("service.py", &small(&service));
    let mut arguments = vec!["test", DOCUMENT, "--seed", "1", "--requests", "200"];
    arguments.extend(["--exclude", "/codes", "--instances", "2"]);
    arguments.extend(["--report", "json=report.json", "--probe", "python"]);
    arguments.extend(["--", "python3", "service.py", "{port}"]);
    let ended = run(&folder, &arguments);
    assert_eq!(ended.code, 0, "{}", all(&ended));
    for log in ["service.log", "service.2.log"] {
        let calls = folder.read(&format!(".fossick/1/{log}"));
        let calls = calls.matches("/health").count();
        assert!(calls >= 50, "{calls} calls in {log}");
    }
    let report = Report::read(&folder, "report.json");
    assert!(report.0["coverage"]["lines_covered"].as_u64() > Some(0));

    let arguments = [
        "test",
        "http://127.0.0.1:9/",
        "--instances",
        "2",
        "--",
        "true",
    ];
    let text = all(&run(&folder, &arguments));
    assert!(
        text.contains("several instances need a port each"),
        "{text}"
    );
}

/// A service that fails as soon as its database holds more than a test can put there.
const STORING: &str = r#"
import sqlite3
from urllib.parse import urlsplit

answers = {"default": {"description": "", "content": {"application/json": {"schema": {"type": "object"}}}}}
document = {
    "openapi": "3.0.3",
    "info": {"title": "storing", "version": "1"},
    "paths": {"/marks": {"get": {"responses": answers}}},
}
sqlite3.connect("marks.db").execute("CREATE TABLE marks (id INTEGER PRIMARY KEY)")

def answer(path):
    if urlsplit(path).path != "/marks":
        return 200, document
    with sqlite3.connect("marks.db") as database:
        database.execute("INSERT INTO marks DEFAULT VALUES")
        (marks,) = database.execute("SELECT count(*) FROM marks").fetchone()
    return (500 if marks > 15 else 200), {"marks": marks}
"#;

#[test]
fn statements_empty_the_database_before_each_test() {
    let found = |reset: &str| {
        let folder = Folder::new();
        folder.write("service.py", &small(STORING));
        let lines = [
            "schema = \"http://127.0.0.1:{port}/openapi.json\"",
            "strategy = \"mio\"",
            "requests = 300",
            "[service]",
            "start = \"python3 service.py {port}\"",
            "probe = \"none\"",
            reset,
        ];
        folder.write("fossick.toml", &lines.join("\n"));
        let arguments = ["test", "--seed", "1", "--report", "json=report.json"];
        let ended = run(&folder, &arguments);
        assert!(ended.code < 2, "{}", all(&ended));
        let report = Report::read(&folder, "report.json");
        let codes = report.findings().iter();
        codes.filter(|finding| finding["code"] == "F101").count()
    };
    assert_eq!(found(""), 1);
    let reset = "reset = { database = \"marks.db\", sql = \"DELETE FROM marks\" }";
    assert_eq!(found(reset), 0);
}
