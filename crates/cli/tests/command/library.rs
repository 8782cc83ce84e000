//! A GraphQL service in another language and framework: its planted faults are found, whatever
//! its identifiers are, and without them there is no alarm.

use crate::program::Folder;
use crate::python::{Planted, PythonService, assert_found, assert_still_there, beyond};
use crate::report::Report;

const PLANTED: [Planted; 4] = [
    Planted("G1", "F105", "query longBooks"),
    Planted("G2", "F105", "mutation addReview"),
    Planted("G3", "F301", "query book"),
    Planted("G4", "F304", "mutation updateBook"),
];

/// What identifiers are published as, and how the service is told.
const NUMBERS: (&str, &str) = ("GQL_ID", "0");
const IDS: (&str, &str) = ("GQL_ID", "1");

fn start(faults: &str, identifiers: (&str, &str)) -> PythonService {
    let settings = [("FAULTS", faults), identifiers];
    PythonService::start("library", "/graphql", &settings)
}

#[test]
fn the_librarys_four_faults_are_found_by_numbers_and_come_back_on_a_fresh_one() {
    assert_faults_are_found(NUMBERS);
}

#[test]
fn the_librarys_four_faults_are_found_by_ids_and_come_back_on_a_fresh_one() {
    assert_faults_are_found(IDS);
}

fn assert_faults_are_found(identifiers: (&str, &str)) {
    let folder = Folder::new();
    let report = start("all", identifiers).test(&folder, "9000", "3");
    assert_found(&report, &PLANTED);
    assert_eq!(beyond_what_is_planted(&report), [""; 0]);
    let fresh = start("all", identifiers);
    assert_still_there(&report, &PLANTED, &folder, &fresh.schema);
}

/// A review that lost its comment fails wherever it is shown.
fn beyond_what_is_planted(report: &Report) -> Vec<String> {
    let mut alarms = beyond(report, &PLANTED);
    alarms.retain(|line| !(line.starts_with("F105") && line.contains("Review.comment")));
    alarms
}

#[test]
fn the_library_without_faults_raises_no_alarm_by_numbers() {
    assert_no_alarm(NUMBERS);
}

#[test]
fn the_library_without_faults_raises_no_alarm_by_ids() {
    assert_no_alarm(IDS);
}

fn assert_no_alarm(identifiers: (&str, &str)) {
    let folder = Folder::new();
    let report = start("none", identifiers).test(&folder, "4500", "3");
    assert_eq!(report.alarms(), [""; 0]);
    for operation in report.0["operations"].as_array().expect("a list") {
        let successes = operation["with_data"].as_u64().unwrap_or(0);
        assert!(successes > 0, "{operation}");
    }
}
