//! Calls are kept: from files, through the proxy, by the collector; in a file and in PostgreSQL.

use std::fs;
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::program::{Ended, Folder, Running, fossick, run};
use crate::python::{PythonService, root};

/// Nothing that starts on this machine takes longer.
const PATIENCE: Duration = Duration::from_secs(20);

fn sample(name: &str) -> String {
    let path = root().join("testdata/harvest/import").join(name);
    path.display().to_string()
}

fn list(folder: &Folder, store: &str) -> Vec<Value> {
    let arguments = ["harvest", "list", "--store", store, "--format", "json"];
    let ended = run(folder, &[&arguments[..], &["--show-redactions"]].concat());
    assert_eq!(ended.code, 0, "{ended:?}");
    serde_json::from_str(&ended.stdout).expect("a list")
}

fn seen(records: &[Value]) -> u64 {
    let times = records.iter().map(|record| record["times_called"].as_u64());
    times.map(Option::unwrap_or_default).sum()
}

fn free_address() -> SocketAddr {
    let socket = TcpListener::bind("127.0.0.1:0").expect("a port is free");
    socket.local_addr().expect("it has an address")
}

/// Starts a recorder and waits until it takes connections.
fn start(folder: &Folder, address: SocketAddr, arguments: &[&str]) -> Running {
    let listen = address.to_string();
    let all = [arguments, &["--listen", &listen, "--store", "calls.db"]].concat();
    let mut running = Running::start(&mut fossick(folder, &all));
    let until = Instant::now() + PATIENCE;
    while TcpStream::connect(address).is_err() {
        assert!(running.is_running() && Instant::now() < until, "it listens");
        std::thread::sleep(Duration::from_millis(20));
    }
    running
}

/// Sends a body and gives the whole answer.
fn post(address: SocketAddr, target: &str, headers: &str, body: &str) -> String {
    let mut stream = TcpStream::connect(address).expect("it listens");
    stream.set_read_timeout(Some(PATIENCE)).expect("a limit");
    let length = body.len();
    let request = format!(
        "POST {target} HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncontent-length: {length}\r\n\
         {headers}\r\n{body}"
    );
    stream.write_all(request.as_bytes()).expect("it is sent");
    let mut answer = String::new();
    stream.read_to_string(&mut answer).expect("it is answered");
    answer
}

fn stopped(running: Running) -> Ended {
    running.interrupt();
    running.end()
}

#[test]
fn files_of_every_kind_go_into_one_store_and_bad_lines_are_told() {
    let folder = Folder::new();
    let files = ["calls.ndjson", "envoy.log", "nginx-json.log", "traffic.gor"].map(sample);
    let mut arguments = vec!["harvest", "import", "--store", "calls.db"];
    arguments.extend(files.iter().map(String::as_str));
    let ended = run(&folder, &arguments);
    assert_eq!(ended.code, 1, "the samples have bad lines: {ended:?}");
    assert!(ended.stderr.contains("calls.ndjson: line "), "{ended:?}");
    assert!(ended.stdout.contains("could not be read"), "{ended:?}");
    let once = list(&folder, "calls.db");
    assert!(once.len() > 5, "{}", once.len());
    run(&folder, &arguments);
    let twice = list(&folder, "calls.db");
    assert_eq!(twice.len(), once.len());
    assert_eq!(seen(&twice), 2 * seen(&once));
}

#[test]
fn secrets_are_neither_in_the_store_nor_in_what_is_listed() {
    let folder = Folder::new();
    let call = json!({
        "method": "POST", "target": "/login?api_key=sesame-two",
        "headers": {"authorization": "Bearer sesame-three", "content-type": "application/json"},
        "body": {"user": "jane", "password": "sesame-four", "customer_no": "sesame-five"},
        "status": 200,
    });
    folder.write("calls.ndjson", &format!("{call}\n"));
    folder.write("fossick.toml", "[harvest]\nprivate = [\"customer_no\"]\n");
    let ended = run(
        &folder,
        &["harvest", "import", "calls.ndjson", "--store", "calls.db"],
    );
    assert_eq!(ended.code, 0, "{ended:?}");
    let listed = list(&folder, "calls.db");
    let redactions = listed[0]["redactions"].as_array().expect("a list");
    assert_eq!(redactions.len(), 4, "{redactions:?}");
    let sesame = |bytes: &[u8]| bytes.windows(6).any(|window| window == b"sesame");
    for entry in fs::read_dir(folder.path(".")).expect("the folder is there") {
        let path = entry.expect("it can be listed").path();
        let bytes = fs::read(&path).expect("it can be read");
        assert!(
            path.ends_with("calls.ndjson") || !sesame(&bytes),
            "{}",
            path.display()
        );
    }
    assert!(!listed[0].to_string().contains("sesame"));
}

#[test]
fn a_proxy_passes_calls_on_and_its_store_becomes_tests_that_pass() {
    let folder = Folder::new();
    let museum = PythonService::start_plain("museum", "/graphql", &["none"]);
    let upstream = museum.schema.trim_end_matches("/graphql").to_owned();
    let address = free_address();
    let arguments = ["harvest", "proxy", "--upstream", &upstream];
    let running = start(&folder, address, &arguments);
    let body = json!({"query": "query Artists { artists { id name } }"}).to_string();
    let answer = post(
        address,
        "/graphql",
        "content-type: application/json\r\n",
        &body,
    );
    assert!(
        answer.contains("200 OK") && answer.contains("\"data\""),
        "{answer}"
    );
    let ended = stopped(running);
    assert_eq!(ended.code, 0, "{ended:?}");
    assert!(ended.stderr.contains("1 recorded"), "{ended:?}");
    let schema = root().join("testdata/services/museum/schema.graphql");
    let schema = schema.display().to_string();
    let arguments = [
        "harvest", "suite", "--store", "calls.db", "--schema", &schema,
    ];
    let more = ["--url", &museum.schema, "--out", "json=suite"];
    let ended = run(&folder, &[&arguments[..], &more[..]].concat());
    assert_eq!(ended.code, 0, "{ended:?}");
    let ended = run(&folder, &["replay", "suite"]);
    assert!(ended.stdout.contains("all 1 tests passed"), "{ended:?}");
}

#[test]
fn a_collector_takes_lines_from_those_who_show_the_token() {
    let folder = Folder::new();
    let address = free_address();
    let running = start(&folder, address, &["harvest", "collect", "--token", "open"]);
    let line = json!({"method": "GET", "target": "/shelves/7", "status": 200}).to_string();
    let refused = post(address, "/v1/seen?wait=true", "", &line);
    assert!(refused.contains(" 401 "), "{refused}");
    let taken = post(
        address,
        "/v1/seen?wait=true",
        "authorization: Bearer open\r\n",
        &format!("{line}\n{line}\nnonsense\n"),
    );
    assert!(taken.contains(r#""taken":2,"refused":1"#), "{taken}");
    // What was waited for is there while the collector still runs.
    assert_eq!(seen(&list(&folder, "calls.db")), 2);
    assert_eq!(stopped(running).code, 0);
}

#[test]
fn calls_go_into_postgresql_as_well_with_a_key_that_is_named() {
    let Some(server) = fossick_testkit::postgres::server() else {
        return;
    };
    let url = server.database();
    let folder = Folder::new();
    let file = sample("nginx-json.log");
    let arguments = ["harvest", "import", &file, "--store", &url];
    let ended = run(&folder, &arguments);
    assert_eq!(ended.code, 2, "{ended:?}");
    assert!(ended.stderr.contains("--key-file"), "{ended:?}");
    run(
        &folder,
        &[&arguments[..], &["--key-file", "calls.key"]].concat(),
    );
    assert!(!list(&folder, &url).is_empty());
}

#[test]
fn what_is_no_store_is_refused_and_left_alone() {
    let folder = Folder::new();
    folder.write("notes.txt", "these are no calls, but somebody wrote them\n");
    let ended = run(&folder, &["harvest", "list", "--store", "notes.txt"]);
    assert_eq!(ended.code, 2, "{ended:?}");
    let file = sample("calls.ndjson");
    let ended = run(
        &folder,
        &["harvest", "import", &file, "--store", "notes.txt"],
    );
    assert_eq!(ended.code, 2, "{ended:?}");
    assert!(folder.read("notes.txt").starts_with("these are no calls"));
    let ended = run(&folder, &["harvest", "list", "--store", "nowhere.db"]);
    assert_eq!(ended.code, 2, "{ended:?}");
    assert!(ended.stderr.contains("nowhere.db"), "{ended:?}");
}
