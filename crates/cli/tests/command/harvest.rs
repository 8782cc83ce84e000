//! Tests of recorded calls alone: they find every planted fault of a service, each in a test of its
//! own, and none where there is none.

use std::fs;

use serde_json::Value;

use crate::program::{Ended, Folder, run};
use crate::python::{PythonService, root};

/// The faults of the museum, and the tests that must tell of them.
const PLANTED: [(&str, &str); 12] = [
    ("null", "artists"),
    ("scalar", "widths"),
    ("missing", "room names"),
    ("enum", "sculpture era"),
    ("typename", "what is it"),
    ("falsy", "visit details"),
    ("id", "sculpture by id"),
    ("format", "birthdays"),
    ("null-in-list", "tags"),
    ("list", "guides"),
    ("extra", "visit times"),
    ("union", "search"),
];

fn start(faults: &str) -> PythonService {
    PythonService::start_plain("museum", "/graphql", &[faults])
}

/// A folder with the museum's schema and records, and a suite of them.
fn with_suite(more: &[&str]) -> Folder {
    let folder = Folder::new();
    for name in ["schema.graphql", "records.ndjson"] {
        let text = fs::read_to_string(root().join("testdata/services/museum").join(name));
        folder.write(name, &text.expect("the museum has it"));
    }
    let mut arguments = vec!["harvest", "suite", "--store", "records.ndjson"];
    arguments.extend(["--schema", "schema.graphql", "--out", "json=suite"]);
    arguments.extend(more);
    let ended = run(&folder, &arguments);
    assert_eq!(ended.code, 0, "{ended:?}");
    folder
}

fn replay(folder: &Folder, service: &PythonService) -> Ended {
    run(folder, &["replay", "suite", "--url", &service.schema])
}

fn failed(ended: &Ended) -> Vec<&str> {
    let lines = ended.stdout.lines();
    let failed = lines.filter_map(|line| line.strip_prefix("failed  ")?.split(" (").next());
    failed.collect()
}

fn metrics(folder: &Folder, more: &[&str]) -> Value {
    let mut arguments = vec!["harvest", "metrics", "--store", "records.ndjson"];
    arguments.extend(["--schema", "schema.graphql", "--format", "json"]);
    arguments.extend(more);
    let ended = run(folder, &arguments);
    assert_eq!(ended.code, 0, "{ended:?}");
    serde_json::from_str(&ended.stdout).expect("figures")
}

#[test]
fn every_planted_fault_is_found_by_a_test_of_its_own() {
    let folder = with_suite(&[]);
    for (fault, test) in PLANTED {
        let ended = replay(&folder, &start(fault));
        assert_eq!(failed(&ended), [test], "{fault}: {ended:?}");
        assert_eq!(ended.code, 1);
    }
    for falsy in ["zero", "empty-text", "false", "empty-list"] {
        let ended = replay(&folder, &start(falsy));
        assert_eq!(failed(&ended), ["visit details"], "{falsy}: {ended:?}");
    }
}

#[test]
fn all_faults_together_are_counted_and_without_them_all_tests_pass() {
    let folder = with_suite(&["--mutations"]);
    let (faulty, corrected) = (start("all"), start("none"));
    assert_eq!(failed(&replay(&folder, &faulty)).len(), PLANTED.len());
    let ended = replay(&folder, &corrected);
    assert_eq!((ended.code, failed(&ended)), (0, vec![]), "{ended:?}");
    let counted = metrics(&folder, &["--url", &faulty.schema]);
    assert_eq!(
        (&counted["passing"], &counted["failing"]),
        (&5.into(), &12.into())
    );
    // Falsy values are one fault of the service and show in four fields.
    assert_eq!(counted["schema_faults"], 15, "{counted}");
    let clean = metrics(&folder, &["--url", &corrected.schema]);
    assert_eq!(
        (&clean["passing"], &clean["schema_faults"]),
        (&17.into(), &0.into())
    );
    assert!(
        clean["assertions_evaluated"].as_u64() > Some(200),
        "{clean}"
    );
}

#[test]
fn figures_that_need_a_run_are_null_without_one() {
    let folder = with_suite(&[]);
    let figures = metrics(&folder, &[]);
    for (name, figure) in [("types", 8), ("entry_points", 7), ("unique_queries", 17)] {
        assert_eq!(figures[name], figure, "{figures}");
    }
    assert_eq!(
        (&figures["schema_tuples"], &figures["covered_tuples"]),
        (&37.into(), &28.into())
    );
    assert_eq!(figures["schema_cov_generated"], 75.7);
    for name in [
        "assertions_evaluated",
        "passing",
        "failing",
        "schema_faults",
    ] {
        assert!(
            figures[name].is_null() && figures.get(name).is_some(),
            "{figures}"
        );
    }
    folder.write(
        "own.csv",
        "schemaTuple,visited\nqueryrooms,True\nroomnumber,True\n",
    );
    let compared = metrics(&folder, &["--against", "own.csv"]);
    assert_eq!(compared["distinct_tuples"], 26);
    let itself = metrics(&folder, &["--against", "records.ndjson"]);
    assert_eq!(itself["distinct_tuples"], 0);
}

#[test]
fn the_fewest_tests_reach_what_all_reach() {
    let tests = |folder: &Folder| {
        let suite: Value = serde_json::from_str(&folder.read("suite/suite.json")).expect("a suite");
        suite["tests"].as_array().map_or(0, Vec::len)
    };
    let (all, fewest) = (with_suite(&[]), with_suite(&["--minimise"]));
    assert_eq!(tests(&all), 17);
    assert!((5..15).contains(&tests(&fewest)), "{}", tests(&fewest));
    // Each answer took 2.3 ms at the time.
    let hurried = with_suite(&["--time", "12ms"]);
    assert_eq!(tests(&hurried), 5);
    let frequent = with_suite(&["--min-calls", "40", "--operation", "Painting*"]);
    assert_eq!(tests(&frequent), 2);
    let late = with_suite(&["--since", "2024-06-15", "--operation", "room"]);
    assert_eq!(tests(&late), 2);
}

#[test]
fn a_new_schema_breaks_calls_and_their_repairs_are_tests_again() {
    let folder = with_suite(&[]);
    let old = folder.read("schema.graphql");
    let new = old
        .replace("  languages: [String!]!\n", "")
        .replace(
            "type Room {\n  number: Int!\n  name: String!",
            "type Room {\n  number: Int!\n  names: String!",
        )
        .replace("exhibit(id: ID!)", "exhibit(id: ID!, floor: Int!)");
    folder.write("new.graphql", &new);
    let drift = |schema: &str, more: &[&str]| {
        let mut arguments = vec!["harvest", "drift", "--store", "records.ndjson"];
        arguments.extend(["--schema", schema]);
        arguments.extend(more);
        run(&folder, &arguments)
    };
    let same = drift("schema.graphql", &[]);
    assert_eq!(same.code, 0, "{same:?}");
    let text = drift("new.graphql", &["--out", "repaired.ndjson"]);
    assert_eq!(text.code, 1, "{text:?}");
    for told in [
        "query RoomNames, called 301,016 times, last 2024-06-03 09:30:00",
        "rooms.name is now names",
        "rooms.guide.languages is left out",
        "exhibit(floor) must be given now",
        "9 of 18 calls break; 2 are repaired",
    ] {
        assert!(text.stdout.contains(told), "{told}: {}", text.stdout);
    }
    let json = drift(
        "new.graphql",
        &["--format", "json", "--old", "schema.graphql"],
    );
    let all: Value = serde_json::from_str(&json.stdout).expect("a report");
    assert_eq!(all["calls"][0]["breaks"][0]["kind"], "no-field");
    assert_eq!(all["broken"], 9);
    let mut arguments = vec!["harvest", "suite", "--store", "repaired.ndjson"];
    arguments.extend(["--schema", "new.graphql", "--out", "json=again"]);
    let made = run(&folder, &arguments);
    assert!(made.stdout.starts_with("2 tests "), "{made:?}");
    assert!(
        folder
            .read("repaired.ndjson")
            .contains("{rooms{number name:names}}")
    );
}

#[test]
fn calls_are_listed_the_most_frequent_first() {
    let folder = with_suite(&[]);
    let ended = run(&folder, &["harvest", "list", "--store", "records.ndjson"]);
    let first = ended.stdout.lines().next().unwrap_or("");
    assert!(
        first.contains("301016") && first.ends_with("query RoomNames"),
        "{first}"
    );
    let json = run(
        &folder,
        &[
            "harvest",
            "list",
            "--store",
            "records.ndjson",
            "--format",
            "json",
        ],
    );
    let all: Value = serde_json::from_str(&json.stdout).expect("a list");
    assert_eq!(all[0]["times_called"], 301_016);
    assert_eq!(all.as_array().map(Vec::len), Some(18));
}

#[test]
fn a_broken_record_is_named_with_its_line() {
    let folder = with_suite(&[]);
    folder.write("broken.ndjson", "\n{\"key\": 1}\n");
    let ended = run(&folder, &["harvest", "list", "--store", "broken.ndjson"]);
    assert_eq!(ended.code, 2);
    assert!(ended.stderr.contains("broken.ndjson:2:"), "{ended:?}");
}
