//! A service that would like to be read otherwise than it is.

use std::sync::Arc;

use fossick_contract::Method;
use fossick_report::{
    Heading, Style, cobertura, findings, heading, json, junit, lcov, new_finding_line,
    operations_table, summary,
};
use fossick_trace::Run;
use proptest::prelude::*;

use crate::sample;

const NASTY: &str =
    "\u{1b}[2J\u{1b}]0;owned\u{7}\u{9b}31m]]></failure>\u{0}\u{ffff}\u{202e}\r\nfake line";

fn hostile(text: &str) -> Run {
    let mut run = sample::run();
    text.clone_into(&mut run.title);
    run.notes = vec![text.to_owned()];
    for file in run.coverage.iter_mut().flat_map(|it| &mut it.files) {
        file.file.push_str(text);
        file.root = Some(text.to_owned());
    }
    for tally in &mut run.operations {
        tally.path.push_str(text);
        tally.label.push_str(text);
        tally.last_refusal = Some(text.to_owned());
        tally.rules = vec![text.to_owned()];
    }
    for reported in &mut run.findings {
        text.clone_into(&mut reported.finding.title);
        text.clone_into(&mut reported.finding.why);
        reported.finding.operation.push_str(text);
        reported.also = vec![("x".into(), text.to_owned())];
        text.clone_into(&mut reported.names.oracle);
        let step = sample::step(text, Method::Get, &format!("/{text}")).answers(500, text);
        let other = sample::step(text, Method::Get, "/").answers(200, "");
        reported.finding.call = 1;
        reported.episode = Arc::new(sample::episode(vec![other, step]));
    }
    run
}

fn screen(run: &Run, style: &Style) -> String {
    let first = &run.findings[0];
    let about = Heading {
        title: &run.title,
        api_version: &run.title,
        dialect: &run.title,
        operations: 1,
        seed: 0,
    };
    [
        heading(&about, style),
        findings(run, style),
        operations_table(run, style),
        summary(run, style),
        new_finding_line(&first.names.oracle, &first.finding, style),
    ]
    .join("\n")
}

#[test]
fn nothing_it_says_reaches_the_terminal_as_a_command() {
    for all in [false, true] {
        let style = Style {
            all,
            ..Style::default()
        };
        let text = screen(&hostile(NASTY), &style);
        let bad = text
            .chars()
            .find(|c| (c.is_control() && *c != '\n') || *c == '\u{202e}');
        assert_eq!(bad, None);
        assert!(!text.lines().any(|line| line.starts_with("fake line")));
    }
}

#[test]
fn nothing_it_says_breaks_the_xml() {
    let text = junit(&hostile(NASTY));
    let report = quick_junit::Report::deserialize_from_str(&text).expect("it parses");
    assert!(report.failures > 0);
    assert!(!text.contains(['\u{0}', '\u{1b}', '\u{ffff}']));
}

#[test]
fn no_name_of_a_file_breaks_a_report_of_coverage() {
    let run = hostile(NASTY);
    let xml = cobertura(&run, 7).expect("a probe told");
    assert!(!xml.contains(['\u{0}', '\u{1b}', '\u{ffff}']) && !xml.contains("]]></f"));
    let lcov = lcov(&run).expect("a probe told");
    assert!(!lcov.lines().any(|line| line.starts_with("fake line")));
}

#[test]
fn a_finding_that_points_past_its_calls_is_still_told() {
    let mut run = sample::run();
    for reported in &mut run.findings {
        reported.finding.call = 99;
        reported.names.curl.clear();
    }
    let text = screen(&run, &Style::default());
    assert!(text.contains("500 when limit = 97"));
    assert!(json(&run).contains("\"shows_it\": false"));
}

#[test]
fn numbers_in_junit_add_up() {
    let report = quick_junit::Report::deserialize_from_str(&junit(&sample::run())).expect("XML");
    assert_eq!((report.tests, report.failures, report.skipped), (13, 8, 1));
    let mut names: Vec<_> = report
        .test_suites
        .iter()
        .flat_map(|suite| &suite.test_cases)
        .map(|case| case.name.to_string())
        .collect();
    let all = names.len();
    names.sort();
    names.dedup();
    assert_eq!(names.len(), all, "no two test cases share a name");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn any_text_at_any_width_is_rendered(text in "\\PC{0,30}|.{0,30}", width in 0_usize..160, unicode: bool) {
        let run = hostile(&text);
        let style = Style { width, unicode, all: true, ..Style::default() };
        prop_assert!(!screen(&run, &style).is_empty());
        prop_assert!(serde_json::from_str::<serde_json::Value>(&json(&run)).is_ok());
        prop_assert!(quick_junit::Report::deserialize_from_str(&junit(&run)).is_ok());
    }
}
