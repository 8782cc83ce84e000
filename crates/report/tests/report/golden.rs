//! Whole reports of a sample run, kept as text and read like code when they change.

use std::time::Duration;

use fossick_report::{
    Heading, Progress, Style, cobertura, findings, heading, json, junit, lcov, new_finding_line,
    operations_table, progress, progress_plain, summary,
};

use crate::sample;

fn style(width: usize) -> Style {
    Style {
        width,
        ..Style::default()
    }
}

/// Everything a person sees, from the first line to the last.
fn screen(style: &Style) -> String {
    let run = sample::run();
    let first = Heading {
        title: &run.title,
        api_version: &run.api_version,
        dialect: &run.dialect,
        operations: run.operations.len(),
        seed: run.seed,
    };
    let state = Progress {
        elapsed: Duration::from_secs(21),
        total: Some(Duration::from_mins(1)),
        request_budget: None,
        tried: 10,
        operations: run.operations.len(),
        succeeded: 8,
        graphql: false,
        findings: 5,
        requests: 17_921,
        rate: 853.4,
    };
    let new = &run.findings[0];
    let first = heading(&first, style);
    [
        first.replace(fossick_report::TOOL_VERSION, "0.0.0"),
        new_finding_line(&new.names.oracle, &new.finding, style),
        progress(&state, style),
        progress_plain(&state),
        findings(&run, style),
        operations_table(&run, style),
        summary(&run, style),
    ]
    .join("\n\n")
}

#[test]
fn a_terminal_of_a_hundred_columns() {
    insta::assert_snapshot!(screen(&style(100)));
}

#[test]
fn a_terminal_of_sixty_columns() {
    insta::assert_snapshot!(screen(&style(60)));
}

#[test]
fn a_terminal_without_unicode_that_wants_to_see_all() {
    let style = Style {
        unicode: false,
        all: true,
        ..style(80)
    };
    insta::assert_snapshot!(screen(&style));
}

#[test]
fn the_report_for_machines() {
    let text = json(&sample::run());
    let version = fossick_report::TOOL_VERSION;
    insta::assert_snapshot!(text.replace(&format!("\"{version}\""), "\"[version]\""));
}

#[test]
fn the_report_for_ci_systems() {
    insta::assert_snapshot!(junit(&sample::run()));
}

#[test]
fn coverage_for_lcov() {
    insta::assert_snapshot!(lcov(&sample::run()).expect("a probe told"));
}

#[test]
fn coverage_as_cobertura_xml() {
    let text = cobertura(&sample::run(), 1_700_000_000_000).expect("a probe told");
    let version = fossick_report::TOOL_VERSION;
    insta::assert_snapshot!(text.replace(&format!("fossick {version}"), "fossick [version]"));
}

#[test]
fn colour_changes_nothing_but_colour() {
    let colourful = Style {
        colour: true,
        ..style(100)
    };
    let painted = screen(&colourful);
    assert!(painted.contains("\u{1b}[31m"));
    assert_eq!(fossick_report::clean(&painted), screen(&style(100)));
}
