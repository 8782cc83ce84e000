//! The built-in service: its faults are found, and its corrected twin raises no alarm.

use std::path::PathBuf;

use fossick_demo::{Faults, PLANTED, STAFF_TOKEN, serve};
use serde_json::Value;

use crate::program::{Ended, Folder, run};
use crate::report::Report;

/// So many of the planted faults' operations must be among what is confirmed.
const ENOUGH: usize = 10;

#[test]
fn the_demo_finds_what_is_planted_and_every_finding_comes_back() {
    let folder = Folder::new();
    let ended = run(
        &folder,
        &[
            "demo",
            "rest",
            "--seed",
            "1",
            "--time",
            "8s",
            "--report",
            "json=reports/demo.json",
            "--report",
            "junit=reports/demo.xml",
        ],
    );
    assert_eq!(ended.code, 1, "{}", ended.stderr);
    let report = Report::read(&folder, "reports/demo.json");
    assert_fits_its_schema(&report);
    assert_finds_enough(&report);
    let junit = folder.read("reports/demo.xml");
    assert_reads_as_junit(&junit, &report);
    assert!(folder.path(".fossick/1/schema.txt").is_file());
    assert!(folder.path(".fossick/1/report.json").is_file());
    assert_replays(&folder, &report);
}

fn assert_finds_enough(report: &Report) {
    let operations: Vec<&str> = report
        .confirmed()
        .iter()
        .filter_map(|f| f["operation"].as_str())
        .collect();
    let found = PLANTED
        .iter()
        .filter(|plant| operations.contains(&plant.operation))
        .count();
    assert!(found >= ENOUGH, "{found} of 14: {:#?}", report.lines());
}

fn assert_fits_its_schema(report: &Report) {
    let schema = include_str!("../../../../book/src/report.schema.json");
    let schema: Value = serde_json::from_str(schema).expect("the schema is JSON");
    let validator = jsonschema::validator_for(&schema).expect("the schema is one");
    let errors: Vec<String> = validator
        .iter_errors(&report.0)
        .map(|error| format!("{}: {error}", error.instance_path()))
        .collect();
    assert_eq!(errors, [""; 0]);
}

fn assert_reads_as_junit(text: &str, report: &Report) {
    let junit = quick_junit::Report::deserialize_from_str(text).expect("the report is JUnit");
    let cases: usize = junit.test_suites.iter().map(|s| s.test_cases.len()).sum();
    let operations = report.0["operations"].as_array().expect("a list").len();
    assert!(
        cases >= operations,
        "{cases} cases of {operations} operations"
    );
}

/// Every confirmed finding is still there on a fresh service, and gone from the corrected one.
fn assert_replays(folder: &Folder, report: &Report) {
    let faulty = serve(Faults::Planted, 0).expect("a free port");
    let twin = serve(Faults::None, 0).expect("a free port");
    for finding in report.confirmed() {
        let file = stored_file(finding);
        assert!(folder.path(&file).is_file(), "{file}");
        let there = replay(folder, &file, &faulty.url());
        assert_eq!(there.code, 1, "{there:?}");
        assert!(there.stdout.starts_with("still there "), "{there:?}");
        let gone = replay(folder, &file, &twin.url());
        let word = gone.stdout.get(..13).unwrap_or_default().trim_end();
        let expected = [(0, "gone"), (4, "set-up failed")];
        assert!(expected.contains(&(gone.code, word)), "{gone:?} {file}");
    }
    // A folder is replayed file by file.
    let all = replay(folder, ".fossick/1", &faulty.url());
    assert_eq!(all.stdout.lines().count(), folder.findings("1").len());
}

fn stored_file(finding: &Value) -> String {
    let command = finding["replay"].as_str().expect("a finding has a command");
    let file = command.strip_prefix("fossick replay ");
    file.expect("it is fossick's own").to_owned()
}

fn replay(folder: &Folder, file: &str, url: &str) -> Ended {
    let header = format!("Authorization: Bearer {STAFF_TOKEN}");
    run(folder, &["replay", file, "--url", url, "--header", &header])
}

#[test]
fn the_corrected_twin_raises_no_alarm() {
    let alarms: Vec<String> = std::thread::scope(|scope| {
        let runs = ["11", "12"].map(|seed| scope.spawn(move || alarms_of_the_twin(seed)));
        let joined = runs.into_iter().map(|r| r.join().expect("a run"));
        joined.flatten().collect()
    });
    assert_eq!(alarms, [""; 0]);
}

fn alarms_of_the_twin(seed: &str) -> Vec<String> {
    let twin = serve(Faults::None, 0).expect("a free port");
    let folder = Folder::new();
    let schema = format!("{}/openapi.json", twin.url());
    let header = format!("Authorization: Bearer {STAFF_TOKEN}");
    let mut arguments = vec!["test", &schema, "--header", &header, "--seed", seed];
    arguments.extend(["--time", "8s", "--report", "json=report.json"]);
    let ended = run(&folder, &arguments);
    let report = Report::read(&folder, "report.json");
    let expected = i32::from(!report.confirmed().is_empty());
    assert_eq!(ended.code, expected, "{}", ended.stderr);
    assert_all_succeeded(&report);
    report.alarms()
}

/// A run that got nowhere raises no alarm either, and proves nothing.
fn assert_all_succeeded(report: &Report) {
    for operation in report.0["operations"].as_array().expect("a list") {
        let successes = operation["statuses"]["2xx"].as_u64().unwrap_or(0);
        assert!(successes > 0, "{operation}");
    }
}

#[test]
fn the_demo_of_graphql_finds_faults_that_come_back_in_the_right_service() {
    let folder = Folder::new();
    let ended = run(&folder, &["demo", "graphql", "--seed", "4", "--time", "6s"]);
    assert_eq!(ended.code, 1, "{}", ended.stderr);
    let report = Report::read(&folder, ".fossick/4/report.json");
    assert_eq!(report.0["dialect"], "GraphQL");
    let finding = report.confirmed()[0];
    let again = run(&folder, &["replay", &stored_file(finding)]);
    assert_eq!(again.code, 1, "{again:?}");
    assert!(again.stdout.starts_with("still there "), "{again:?}");
}

#[test]
fn the_whole_demo_keeps_its_two_runs_apart() {
    let folder = Folder::new();
    let mut arguments = vec!["demo", "--seed", "3", "--requests", "400"];
    arguments.extend(["--report", "json=demo.json", "--quiet"]);
    let ended = run(&folder, &arguments);
    assert_eq!(ended.code, 1, "{}", ended.stderr);
    let dialects = ["demo.json", "demo-graphql.json"].map(|name| {
        let report = Report::read(&folder, name);
        report.0["dialect"].as_str().unwrap_or_default().to_owned()
    });
    assert_eq!(dialects, ["OpenAPI 3.1", "GraphQL"]);
    assert!(folder.path(".fossick/3/report.json").is_file());
    assert!(folder.path(".fossick/graphql/3/report.json").is_file());
}

/// The document tells the token to everybody, so its copy is the one place where it may stand.
#[test]
fn the_demo_keeps_its_token_to_itself() {
    let folder = Folder::new();
    let ended = run(
        &folder,
        &[
            "demo",
            "--seed",
            "2",
            "--requests",
            "1500",
            "--report",
            "junit=demo.xml",
        ],
    );
    let mut texts = folder.files();
    texts.retain(|(path, _)| !path.ends_with("schema.txt"));
    texts.push((PathBuf::from("stdout"), ended.stdout));
    texts.push((PathBuf::from("stderr"), ended.stderr));
    for (path, text) in texts {
        assert!(!text.contains(STAFF_TOKEN), "{}", path.display());
    }
}
