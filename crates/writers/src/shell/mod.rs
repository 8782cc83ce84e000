//! Tests for a POSIX shell with curl and jq.
//!
//! A script for each group holds a function for each test; `run.sh` runs them and prints TAP.
//! Variables hold JSON, and jq makes the bodies and does the checks, so that no value is ever read
//! as code or loses its type. Laid out as shfmt does it.

mod checks;
mod program;
mod request;
mod support;

use fossick_suite::{Suite, Test};

use crate::arrange::{Part, parts};
use crate::names::{Taken, snake};
use crate::page::Page;
use crate::variables::{Variables, schemas, users};
use crate::wrap::{calm, lines, sentence};
use crate::{File, Manner, prose};
use fossick_suite::shell::quote;

const WIDTH: usize = 98;

/// Variables that mean something to curl where the environment has them.
const RESERVED: [&str; 4] = ["http_proxy", "https_proxy", "no_proxy", "all_proxy"];

/// What every test of a suite shares.
struct Writer<'a> {
    manner: &'a Manner,
    users: Vec<String>,
    schemas: Vec<String>,
}

pub fn write(suite: &Suite, manner: &Manner) -> Vec<File> {
    let writer = Writer {
        manner,
        users: users(suite, snake, &[]),
        schemas: schemas(suite),
    };
    let parts = parts(suite, manner);
    let mut taken = Taken::default();
    let mut files = vec![
        runner(suite, &parts),
        File::new("support.sh", support::text(suite, &writer.users)),
        File::new("support.jq", include_str!("support.jq")),
    ];
    for part in &parts {
        files.push(writer.part(suite, part, &mut taken));
    }
    for (name, (_, schema)) in writer.schemas.iter().zip(&suite.schemas) {
        files.push(File::new(
            format!("schemas/{name}.json"),
            format!("{schema:#}\n"),
        ));
    }
    files
}

fn runner(suite: &Suite, parts: &[Part]) -> File {
    let names: Vec<String> = parts
        .iter()
        .map(|part| format!("{}.sh", part.name))
        .collect();
    let mut page = Page::new("\t");
    page.line("#!/bin/sh");
    comment(&mut page, prose::head(suite, None));
    page.line("#");
    comment(
        &mut page,
        [
            "Runs the tests and prints TAP: `./run.sh` all of them, `./run.sh faults.sh` those of a file."
                .to_owned(),
            format!("Needs curl and jq{}.", needed(suite)),
        ],
    );
    page.gap();
    page.line("cd \"$(dirname \"$0\")\" || exit 1");
    page.line("# shellcheck source=/dev/null");
    page.line(". ./support.sh");
    page.gap();
    page.line(format!("[ $# -gt 0 ] || set -- {}", names.join(" ")));
    page.line("before_all");
    page.line("for _file in \"$@\"; do");
    page.line("\t# shellcheck source=/dev/null");
    page.line("\t. \"./$_file\"");
    page.line("done");
    page.line("finish");
    File {
        executable: true,
        ..File::new("run.sh", page.finish())
    }
}

/// The variables of the environment that a run needs.
fn needed(suite: &Suite) -> String {
    let names = crate::variables::secrets(suite);
    if names.is_empty() {
        return String::new();
    }
    format!(", and in the environment {}", names.join(", "))
}

impl Writer<'_> {
    fn part(&self, suite: &Suite, part: &Part, taken: &mut Taken) -> File {
        let mut page = Page::new("\t");
        page.line("#!/bin/sh");
        comment(&mut page, prose::head(suite, Some(part.group)));
        page.line("#");
        page.line("# shellcheck disable=SC1003,SC2016 # what stands in single quotes is for jq");
        for test in &part.tests {
            self.test(&mut page, test, &taken.give(snake(&test.name, "test_")));
        }
        File::new(format!("{}.sh", part.name), page.finish())
    }

    fn test(&self, page: &mut Page, test: &Test, name: &str) {
        page.gap();
        comment(page, prose::about(test, self.manner));
        page.open(format!("test_{name}() {{"));
        let variables = Variables::of(test, snake, &RESERVED);
        for fresh in &test.fresh {
            let name = variables.get(&fresh.variable);
            page.line(format!("{name}=$(fresh {})", quote(&fresh.like)));
        }
        for (at, step) in test.steps.iter().enumerate() {
            if at > 0 || !test.fresh.is_empty() {
                page.gap();
            }
            if let Some(about) = &step.about {
                comment(page, [sentence(about)]);
            }
            request::request(
                page,
                &step.request,
                &self.users,
                &program::Names::Test(&variables),
            );
            for check in &step.checks {
                self.check(page, check, test, &variables);
            }
            for save in &step.saves {
                let name = variables.get(&save.variable);
                page.line(format!("{name}=$({})", request::take(&save.take)));
            }
        }
        page.close("}");
        page.line(format!(
            "test_case {} test_{name}",
            quote(&calm(&test.name))
        ));
    }
}

/// A command and its last arguments, on a line of their own where one is too long.
fn command(head: &str, arguments: &str) -> String {
    let last = head.lines().last().unwrap_or(head);
    if arguments.is_empty() || 8 + last.len() + arguments.len() <= WIDTH {
        return format!("{head}{arguments}");
    }
    format!("{head} \\\n\t\t{}", arguments.trim_start())
}

pub(super) fn comment(page: &mut Page, paragraphs: impl IntoIterator<Item = String>) {
    for paragraph in paragraphs {
        let room = WIDTH.saturating_sub(page.indent(8) + 2);
        page.lines(
            lines(&paragraph, room)
                .iter()
                .map(|line| format!("# {line}")),
        );
    }
}
