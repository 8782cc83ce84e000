//! The report for CI systems: JUnit XML.
//!
//! A path is a test suite and an operation a test case, so that a dashboard shows the API as its
//! document does; GraphQL has one path only, so there a suite is queries or mutations. Every confirmed finding fails its operation, also where it is told only as
//! another place of the same cause: a green operation must mean that nothing was found there.
//! What was seen but did not come back stands in the output of its operation and fails nothing.

use std::collections::BTreeSet;
use std::time::Duration;

use fossick_trace::{Case, Run, Tally};
use quick_junit::{NonSuccessKind, Property, Report, TestCase, TestCaseStatus, TestSuite};

use crate::captures::Names;
use crate::plain::safe;
use crate::{Style, graphql, one_line, seed_text};

/// The whole run as JUnit XML.
pub fn junit(run: &Run) -> String {
    let mut report = Report::new(safe(&format!("fossick: {}", run.title)));
    report.set_time(Duration::try_from_secs_f64(run.elapsed_seconds).unwrap_or_default());
    let places = places(run);
    for path in paths(run, &places) {
        report.add_test_suite(suite(run, &path, &places));
    }
    report
        .to_string()
        .expect("writing XML into memory can't fail")
}

/// A finding at one operation.
struct Place<'a> {
    operation: &'a str,
    case: &'a Case,
    /// Where it is told, as opposed to another place of the same cause.
    told_here: bool,
}

/// Every operation that a finding hits, each fingerprint once.
fn places(run: &Run) -> Vec<Place<'_>> {
    let mut known = BTreeSet::new();
    let mut out = Vec::new();
    for case in &run.findings {
        if known.insert(case.finding.fingerprint()) {
            out.push(Place {
                operation: &case.finding.operation,
                case,
                told_here: true,
            });
        }
    }
    for case in run.findings.iter().filter(|r| r.is_confirmed()) {
        for (fingerprint, operation) in &case.also {
            if known.insert(fingerprint.clone()) {
                out.push(Place {
                    operation,
                    case,
                    told_here: false,
                });
            }
        }
    }
    out
}

/// In the order of the run; what is only known from a finding comes last.
fn paths(run: &Run, places: &[Place<'_>]) -> Vec<String> {
    let tried = run.operations.iter().map(|tally| suite_of(run, tally));
    let found = places.iter().map(|place| path_of(run, place.operation));
    let mut known = BTreeSet::new();
    tried
        .chain(found)
        .filter(|path| known.insert(*path))
        .map(str::to_owned)
        .collect()
}

fn path_of<'a>(run: &'a Run, operation: &'a str) -> &'a str {
    let tally = run.operations.iter().find(|tally| tally.label == operation);
    let (kind, path) = operation.split_once(' ').unwrap_or((operation, operation));
    let in_label = if run.graphql.is_some() { kind } else { path };
    tally.map_or(in_label, |tally| suite_of(run, tally))
}

fn suite_of<'a>(run: &Run, tally: &'a Tally) -> &'a str {
    match tally.label.split_once(' ') {
        Some((kind, _)) if run.graphql.is_some() => kind,
        _ => &tally.path,
    }
}

fn suite(run: &Run, path: &str, places: &[Place<'_>]) -> TestSuite {
    let mut suite = TestSuite::new(safe(path));
    suite.add_property(Property::new("seed", seed_text(run.seed)));
    let tallies = run
        .operations
        .iter()
        .filter(|tally| suite_of(run, tally) == path);
    let requests: u64 = tallies.clone().map(|tally| tally.requests).sum();
    suite.add_property(Property::new("requests", requests.to_string()));
    for tally in tallies.clone() {
        suite.add_test_cases(cases(&tally.label, Some(tally), path, places));
    }
    let mut known: BTreeSet<&str> = tallies.map(|tally| tally.label.as_str()).collect();
    let found = places.iter().map(|place| place.operation);
    for label in found.filter(|label| path_of(run, label) == path && known.insert(label)) {
        suite.add_test_cases(cases(label, None, path, places));
    }
    suite
}

/// The test cases of one operation: one, or one for each of its findings if there are several.
fn cases(label: &str, tally: Option<&Tally>, path: &str, places: &[Place<'_>]) -> Vec<TestCase> {
    let here = || places.iter().filter(|place| place.operation == label);
    let failing: Vec<_> = here().filter(|place| place.case.is_confirmed()).collect();
    let mut out: Vec<TestCase> = match failing.as_slice() {
        [] => vec![TestCase::new(safe(label), standing(tally))],
        [only] => vec![TestCase::new(safe(label), failure(only))],
        several => several.iter().map(|place| own_case(label, place)).collect(),
    };
    tell_apart(&mut out);
    for case in &mut out {
        case.set_classname(safe(path));
    }
    let wavering = here().filter(|place| !place.case.is_confirmed());
    let remarks: Vec<_> = wavering
        .map(remark)
        .chain(tally.and_then(refusal))
        .collect();
    if let (Some(case), false) = (out.first_mut(), remarks.is_empty()) {
        case.set_system_out(safe(&remarks.join("\n")));
    }
    out
}

fn own_case(label: &str, place: &Place<'_>) -> TestCase {
    let (code, name) = (&place.case.finding.code, &place.case.names.oracle);
    TestCase::new(safe(&format!("{label} · {code} {name}")), failure(place))
}

/// CI systems keep the history of a test by its name: no two may share one.
fn tell_apart(cases: &mut [TestCase]) {
    let mut taken = BTreeSet::new();
    for case in cases {
        let name = case.name.to_string();
        let free = (2..).map(|n| format!("{name} ({n})"));
        let name = std::iter::once(name.clone())
            .chain(free)
            .find(|name| taken.insert(name.clone()))
            .unwrap_or_default();
        case.name = name.into();
    }
}

/// Where nothing was found: fine, or never tried.
fn standing(tally: Option<&Tally>) -> TestCaseStatus {
    let mut status = match tally {
        Some(tally) if tally.requests == 0 => TestCaseStatus::skipped(),
        _ => TestCaseStatus::success(),
    };
    status.set_message("not tried");
    status
}

fn failure(place: &Place<'_>) -> TestCaseStatus {
    let finding = &place.case.finding;
    let mut status = TestCaseStatus::non_success(NonSuccessKind::Failure);
    let message = if place.told_here {
        finding.title.clone()
    } else {
        format!("same cause as at {}: {}", finding.operation, finding.title)
    };
    status.set_message(safe(&format!(
        "{} {}: {message}",
        finding.code, place.case.names.oracle
    )));
    status.set_type(safe(&finding.code));
    status.set_description(safe(&description(place.case)));
    status
}

fn description(case: &Case) -> String {
    let finding = &case.finding;
    let facts = format!("{} severity, {}", finding.severity, finding.sureness);
    let mut lines = vec![finding.why.clone(), facts];
    lines.extend(graphql_steps(case));
    lines.extend([case.names.curl.clone(), case.names.replay.clone()]);
    lines
        .iter()
        .filter(|line| !line.is_empty())
        .fold(String::new(), |text, line| text + line + "\n")
}

/// Calls whose curl line is hard to read, each with what it answered.
fn graphql_steps(case: &Case) -> Vec<String> {
    let names = Names::of(&case.episode);
    let steps = case.episode.steps();
    let shown = steps.take_while(|(at, ..)| *at <= case.finding.call);
    shown
        .filter_map(|(at, call, exchange)| {
            let told = graphql::told(call, &exchange.request, &names, &Style::default())?;
            let answer = exchange.outcome.answer();
            let word = answer.and_then(graphql::said);
            let error = answer.and_then(graphql::first_error);
            Some(format!(
                "{}. {} -> {}{}",
                at + 1,
                told.on_one_line(),
                word.unwrap_or_else(|| "no answer".to_owned()),
                error.map_or_else(String::new, |error| format!(": {error}")),
            ))
        })
        .collect()
}

fn remark(place: &Place<'_>) -> String {
    let finding = &place.case.finding;
    let (came_back, of) = place.case.replays;
    let title = one_line(&finding.title);
    let (code, name) = (&finding.code, &place.case.names.oracle);
    format!("seen but not reproduced ({came_back} of {of}): {code} {name}: {title}")
}

fn refusal(tally: &Tally) -> Option<String> {
    let why = tally
        .last_refusal
        .as_deref()
        .filter(|_| !tally.succeeded())?;
    let is_graphql = tally.without_errors + tally.with_errors > 0;
    let what = if is_graphql { "without errors" } else { "2xx" };
    Some(format!("never answered {what}: {}", one_line(why)))
}
