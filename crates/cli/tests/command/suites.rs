//! Suites: what is refused before anything is written, and what `fossick replay` says of one.
//!
//! That each kind of suite runs in its own framework is seen by `cargo xtask suites`.

use std::fs;

use fossick_demo::{Fault, Faults, STAFF_TOKEN, serve};
use serde_json::{Value, json};

use crate::program::{Ended, Folder, Running, fossick, run};
use crate::python::free_port;

/// A short run of the built-in service that keeps suites.
fn keep(folder: &Folder, more: &[&str]) -> Ended {
    let mut arguments = vec!["demo", "rest", "--seed", "1", "--requests", "1200"];
    arguments.extend(more);
    run(folder, &arguments)
}

/// Replays the suite of a folder as a member of the staff.
fn replay(folder: &Folder, faults: Faults) -> Ended {
    let service = serve(faults, 0).expect("loopback has a free port");
    let mut command = fossick(folder, &["replay", "kept", "--url", &service.url()]);
    command.env("AUTHORIZATION", format!("Bearer {STAFF_TOKEN}"));
    Running::start(&mut command).end()
}

/// Replays a suite that is refused before anything is sent.
fn refused(folder: &Folder, suite: &str, words: &[&str]) {
    let mut command = fossick(folder, &["replay", suite, "--url", "http://127.0.0.1:9"]);
    command.env_remove("AUTHORIZATION");
    assert_complains(&Running::start(&mut command).end(), words);
}

fn assert_complains(ended: &Ended, words: &[&str]) {
    assert_eq!(ended.code, 2, "{ended:?}");
    for word in words {
        assert!(ended.stderr.contains(word), "`{word}` in: {}", ended.stderr);
    }
    assert!(!ended.stderr.contains("panicked"), "{}", ended.stderr);
}

/// A suite by hand, of one test that says hello.
fn by_hand() -> Value {
    let check = json!({"status": 200, "suspect": false});
    let request = json!({
        "method": "GET", "path": [{"fixed": "/hello"}], "headers": [],
        "body": {"form": "none"}, "user": 0,
    });
    let step = json!({"about": null, "request": request, "saves": [], "checks": [check]});
    let test = json!({
        "name": "hello", "group": "successes", "about": [], "fault": null, "fresh": [],
        "steps": [step],
    });
    json!({
        "version": 1, "title": "By hand", "origin": "nobody", "base_url": "http://127.0.0.1:9",
        "users": [{"name": null, "login": null,
            "headers": [{"name": "Authorization", "variable": "AUTHORIZATION"}]}],
        "service": {"start": null, "stop": null, "reset": null},
        "schemas": [], "tests": [test],
    })
}

fn with_suite(text: &str) -> Folder {
    let folder = Folder::new();
    fs::create_dir_all(folder.path("kept")).expect("the folder can be written");
    folder.write("kept/suite.json", text);
    folder
}

#[test]
fn a_writer_that_nobody_knows_is_refused_with_the_nearest_one() {
    let folder = Folder::new();
    let ended = keep(&folder, &["--suite", "pytset=kept"]);
    assert_complains(&ended, &["`pytset`", "did you mean `pytest`?", "junit5"]);
    let ended = keep(&folder, &["--suite", "cobol=kept"]);
    assert_complains(&ended, &["nobody writes `cobol`. There are: pytest"]);
    for text in ["pytest", "pytest="] {
        let ended = keep(&folder, &["--suite", text]);
        assert_complains(&ended, &["write pytest=FOLDER"]);
    }
    assert!(!folder.path("kept").exists());
}

#[test]
fn a_file_that_somebody_else_wrote_stays_as_it_is() {
    let folder = with_suite("mine");
    let ended = keep(&folder, &["--suite", "json=kept"]);
    assert_complains(&ended, &["suite.json", "not written by fossick"]);
    assert_eq!(folder.read("kept/suite.json"), "mine");
    assert!(
        !folder.path(".fossick").exists(),
        "that was clear before the run"
    );
}

#[test]
fn two_suites_do_not_share_a_folder() {
    let folder = Folder::new();
    let ended = keep(&folder, &["--suite", "json=kept", "--suite", "pytest=kept"]);
    assert_complains(&ended, &["two suites want to be in kept"]);
}

#[test]
fn faults_pass_or_fail_as_one_likes() {
    let folder = Folder::new();
    let shown = keep(&folder, &["--suite", "pytest=shown"]);
    let failing = keep(&folder, &["--suite", "pytest=failing", "--faults", "fail"]);
    assert_eq!((shown.code, failing.code), (1, 1), "{}", failing.stderr);
    // Long files are split.
    let all = |suite: &str| {
        let files = ["test_faults.py", "test_faults_2.py", "test_faults_3.py"];
        let there = files.map(|file| format!("{suite}/{file}"));
        let there = there.into_iter().filter(|file| folder.path(file).is_file());
        there.map(|file| folder.read(&file)).collect::<String>()
    };
    let (shown, failing) = (all("shown"), all("failing"));
    assert!(shown.contains("# The suspected fault: F301") && !shown.contains("fault = ("));
    assert!(failing.contains("!= 200, fault") && !failing.contains("# The suspected fault"));
    let tests = |text: &str| text.matches("def test_").count();
    assert_eq!(tests(&shown), tests(&failing));
}

#[test]
fn a_suite_passes_where_it_was_made_and_tells_what_has_changed() {
    let folder = Folder::new();
    let ended = keep(&folder, &["--suite", "json=kept"]);
    assert_eq!(ended.code, 1, "{}", ended.stderr);
    assert!(ended.stderr.contains("Kept: "), "{}", ended.stderr);
    let suite = folder.read("kept/suite.json");
    assert!(!suite.contains(STAFF_TOKEN), "a secret is written down");
    assert!(
        suite.contains("\"schema\": 0"),
        "no answer is held against its schema"
    );

    let same = replay(&folder, Faults::Planted);
    assert_eq!(same.code, 0, "{}", same.stdout);
    assert!(same.stdout.contains("tests passed"), "{}", same.stdout);

    let mended = replay(&folder, Faults::Without(Fault::StruckOffServed));
    assert_eq!(mended.code, 1, "{}", mended.stdout);
    let told = |line: &str| {
        line.starts_with("failed  deleted repair is still served (step ")
            && line.contains("the suspected F301 no longer shows: ")
    };
    assert!(mended.stdout.lines().any(told), "{}", mended.stdout);
    assert!(mended.stdout.contains(" tests failed"), "{}", mended.stdout);
}

#[test]
fn the_same_run_gives_the_same_files() {
    let folder = Folder::new();
    for to in ["json=one", "json=other"] {
        let ended = keep(&folder, &["--suite", to]);
        assert_eq!(ended.code, 1, "{}", ended.stderr);
    }
    let (one, other) = (
        folder.read("one/suite.json"),
        folder.read("other/suite.json"),
    );
    assert!(one == other, "the suites differ");
}

#[test]
fn a_replay_without_credentials_says_which_variable_to_set() {
    let folder = with_suite(&by_hand().to_string());
    refused(
        &folder,
        "kept",
        &["set AUTHORIZATION in the environment", "--header"],
    );
}

#[test]
fn a_suite_of_a_newer_fossick_is_told_from_a_broken_one() {
    let mut suite = by_hand();
    suite["version"] = json!(99);
    let folder = with_suite(&suite.to_string());
    refused(&folder, "kept", &["format 99", "use a newer one"]);
}

#[test]
fn a_broken_suite_is_named_with_line_and_column() {
    let folder = with_suite("{\n  \"version\": 1,\n  \"tests\": [,]\n}");
    refused(&folder, "kept", &["suite.json:3:13: this is no suite"]);
    refused(
        &folder,
        "kept/suite.json",
        &["suite.json:3:13: this is no suite"],
    );
}

#[test]
fn a_suite_whose_service_is_gone_is_no_failed_test() {
    let folder = with_suite(&by_hand().to_string());
    let mut command = fossick(&folder, &["replay", "kept"]);
    command.env("AUTHORIZATION", "Bearer x");
    let ended = Running::start(&mut command).end();
    assert_eq!(ended.code, 3, "{ended:?}");
}

#[test]
fn a_suite_starts_its_service_and_stops_it_again() {
    let port = free_port();
    let start = format!(
        "exec {} synth --resources 2 --port {port}",
        env!("CARGO_BIN_EXE_fossick")
    );
    let mut suite = by_hand();
    suite["base_url"] = json!(format!("http://127.0.0.1:{port}"));
    suite["users"] = json!([]);
    let request = &mut suite["tests"][0]["steps"][0]["request"];
    request["user"] = Value::Null;
    request["path"] = json!([{"fixed": "/openapi.json"}]);
    suite["service"] = json!({"start": start, "stop": "touch stopped"});
    let folder = with_suite(&suite.to_string());
    let ended = run(&folder, &["replay", "kept"]);
    assert_eq!(ended.code, 0, "{ended:?}");
    assert!(ended.stdout.contains("all 1 tests passed"), "{ended:?}");
    assert!(folder.path("stopped").exists(), "it was not stopped");
    let gone = std::net::TcpStream::connect(("127.0.0.1", port));
    assert!(gone.is_err(), "the service is still there");
}

#[test]
fn a_service_that_does_not_start_is_told_with_what_it_said() {
    let mut suite = by_hand();
    suite["users"] = json!([]);
    suite["service"] = json!({"start": "echo no database >&2; exit 3"});
    let folder = with_suite(&suite.to_string());
    let ended = run(&folder, &["replay", "kept"]);
    assert_complains(&ended, &["failed to start the service", "exit status: 3"]);
    let (_, log) = ended.stderr.split_once("see ").expect("where to look");
    let log = log.lines().next().unwrap_or_default();
    assert_eq!(fs::read_to_string(log).expect("a log"), "no database\n");
    fs::remove_file(log).expect("it is there");
}

#[test]
fn how_much_is_asserted_is_a_setting() {
    let folder = Folder::new();
    folder.write("fossick.toml", "[keep]\nchecks = 2\ntime = \"60s\"\n");
    let service = serve(Faults::None, 0).expect("loopback has a free port");
    let document = format!("{}/openapi.json", service.url());
    let mut arguments = vec!["test", &document, "--bearer", STAFF_TOKEN];
    arguments.extend(["--seed", "1", "--requests", "600", "--suite", "json=kept"]);
    let ended = run(&folder, &arguments);
    assert_eq!(ended.code, 0, "{}", ended.stderr);
    let suite: Value = serde_json::from_str(&folder.read("kept/suite.json")).expect("JSON");
    let steps = suite["tests"].as_array().expect("tests").iter();
    let steps = steps.flat_map(|test| test["steps"].as_array().expect("steps"));
    let plain = |check: &&Value| check.get("at").is_some() && check["suspect"] == false;
    let most = steps
        .map(|step| {
            step["checks"]
                .as_array()
                .expect("checks")
                .iter()
                .filter(plain)
                .count()
        })
        .max();
    assert!(most.is_some_and(|most| (1..=5).contains(&most)), "{most:?}");
}

#[test]
fn a_setting_of_suites_that_is_wrong_is_told_with_its_place() {
    let folder = Folder::new();
    for (text, word) in [
        ("[keep]\ncheks = 2\n", "did you mean `checks`"),
        ("[keep]\nchecks = -2\n", "fossick.toml:2:"),
        ("[keep]\ntime = \"soon\"\n", "keep.time"),
    ] {
        folder.write("fossick.toml", text);
        let service = serve(Faults::None, 0).expect("loopback has a free port");
        let document = format!("{}/openapi.json", service.url());
        let ended = run(&folder, &["test", &document, "--suite", "json=kept"]);
        assert_complains(&ended, &[word]);
    }
}
