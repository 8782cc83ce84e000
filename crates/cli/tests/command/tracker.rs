//! A REST service in another language and framework: its planted faults are found, and without
//! them there is no alarm.

use crate::program::Folder;
use crate::python::{Planted, PythonService, assert_found, assert_still_there, beyond};
use crate::report::Report;

const PLANTED: [Planted; 6] = [
    Planted("B1a", "F101", "GET /projects"),
    Planted("B1b", "F101", "POST /projects"),
    Planted("B2", "F201", "GET /tasks/{task_id}"),
    Planted("B3", "F301", "GET /projects/{project_id}"),
    Planted("B4a", "F307", "GET /projects/{project_id}/tasks"),
    Planted("B4b", "F306", "GET /users/{user_id}"),
];

fn start(faults: &str) -> PythonService {
    PythonService::start("tracker", "/openapi.json", &[("FAULTS", faults)])
}

#[test]
fn the_trackers_six_faults_are_found_and_come_back_on_a_fresh_one() {
    let folder = Folder::new();
    let report = start("all").test(&folder, "12000", "3");
    assert_found(&report, &PLANTED);
    assert_eq!(beyond_what_is_planted(&report), [""; 0]);
    let fresh = start("all");
    assert_still_there(&report, &PLANTED, &folder, &fresh.url);
}

/// What is in a deleted project stays readable as well, so the third fault shows in more than one
/// place.
fn beyond_what_is_planted(report: &Report) -> Vec<String> {
    let mut alarms = beyond(report, &PLANTED);
    alarms.retain(|line| !line.starts_with("F301"));
    alarms
}

#[test]
fn the_tracker_without_faults_raises_no_alarm() {
    let folder = Folder::new();
    let report = start("none").test(&folder, "6000", "3");
    assert_eq!(report.alarms(), [""; 0]);
    for operation in report.0["operations"].as_array().expect("a list") {
        let successes = operation["statuses"]["2xx"].as_u64().unwrap_or(0);
        assert!(successes > 0, "{operation}");
    }
}
