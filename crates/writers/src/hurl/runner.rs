//! The script that gives the files their variables and runs them.

use fossick_suite::shell::{quote, quote_if_needed};
use fossick_suite::{Group, Reset, Test};

use super::scope::Fresh;
use super::{Writer, comment};
use crate::arrange::group_name;
use crate::page::Page;
use crate::prose;
use crate::variables::secrets;

pub(super) fn text(writer: &Writer<'_>, tests: &[Test], fresh: &Fresh) -> String {
    let suite = writer.suite;
    let mut page = Page::new("\t");
    page.line("#!/bin/sh");
    comment(&mut page, prose::head(suite, None));
    page.line("#");
    comment(&mut page, about(writer));
    page.line("");
    page.line("cd \"$(dirname \"$0\")\" || exit 1");
    page.line("set -eu");
    page.line("");
    let default = quote_if_needed(&suite.base_url);
    page.line(format!("base_url=${{FOSSICK_BASE_URL:-{default}}}"));
    page.line("export HURL_VARIABLE_base_url=\"\\\"${base_url%/}\\\"\"");
    page.line("export HURL_NO_COOKIE_STORE=1");
    given_secrets(&mut page, writer);
    if !fresh.texts.is_empty() {
        page.line("");
        page.lines(include_str!("fresh.sh").lines());
        new_texts(&mut page, fresh);
    }
    service(&mut page, writer);
    logins(&mut page, writer);
    page.line("");
    run(&mut page, writer, tests);
    page.finish()
}

fn about(writer: &Writer<'_>) -> Vec<String> {
    let has_login = writer.suite.users.iter().any(|user| user.login.is_some());
    let jq = if has_login { " and jq" } else { "" };
    let mut about = vec![format!(
        "Runs the tests: `./run.sh` all of them, `./run.sh faults` some. Needs Hurl 8{jq}."
    )];
    let needed = secrets(writer.suite);
    if !needed.is_empty() {
        about.push(format!("Needs in the environment: {}", needed.join(", ")));
    }
    about
}

/// Hurl takes variables from the environment, where no list of processes shows them.
fn given_secrets(page: &mut Page, writer: &Writer<'_>) {
    for variable in secrets(writer.suite) {
        let name = variable.to_ascii_lowercase();
        page.line(format!(
            "export HURL_SECRET_{name}=\"${{{variable}:?is not set in the environment}}\""
        ));
    }
}

fn new_texts(page: &mut Page, fresh: &Fresh) {
    page.line("");
    for text in &fresh.texts {
        let name = &text.name;
        page.line(format!("{name}=$(fresh {})", quote(&text.like)));
        page.line(format!("export HURL_VARIABLE_{name}=\"\\\"${name}\\\"\""));
        if text.is_in_path {
            page.line(format!("{name}_uri=$(uri \"${name}\")"));
            page.line(format!(
                "export HURL_VARIABLE_{name}_uri=\"\\\"${name}_uri\\\"\""
            ));
        }
    }
}

fn service(page: &mut Page, writer: &Writer<'_>) {
    let service = &writer.suite.service;
    if service.start.is_none() && service.stop.is_none() {
        return;
    }
    page.line("");
    page.open("stop() {");
    if let Some(stop) = &service.stop {
        page.line(format!("sh -c {} || :", quote(stop)));
    }
    if service.start.is_some() {
        page.line("kill \"$service\" 2>/dev/null || :");
    }
    page.close("}");
    if let Some(start) = &service.start {
        page.line(format!("sh -c {} &", quote(start)));
        page.line("service=$!");
    }
    page.line("trap stop EXIT");
    page.line("trap 'exit 130' INT");
    page.line("trap 'exit 143' TERM");
    if service.start.is_some() {
        page.line("printf 'GET {{base_url}}\\nHTTP *\\n' |");
        page.line("\thurl --no-output --retry 60 --retry-interval 1s --max-time 5");
    }
}

fn logins(page: &mut Page, writer: &Writer<'_>) {
    for (user, name) in writer.suite.users.iter().zip(&writer.users) {
        if user.login.is_some() {
            page.line("");
            page.line(format!(
                "answer=$(hurl --json --max-time 30 logins/{name}.hurl)"
            ));
            page.line(format!(
                "{name}_token=$(printf '%s' \"$answer\" | jq -r '.entries[-1].captures[-1].value')"
            ));
            page.line(format!("export HURL_SECRET_{name}_token=\"${name}_token\""));
        }
    }
}

fn run(page: &mut Page, writer: &Writer<'_>, tests: &[Test]) {
    let groups: Vec<&str> = [Group::Faults, Group::Successes, Group::Others]
        .into_iter()
        .filter(|group| tests.iter().any(|test| test.group == *group))
        .map(group_name)
        .collect();
    page.line(format!("[ $# -gt 0 ] || set -- {}", groups.join(" ")));
    let hurl = "hurl --test --path-as-is --max-time 30 --error-format long";
    match &writer.suite.service.reset {
        None => page.line(format!("{hurl} \"$@\"")),
        Some(Reset::Url(_)) => page.line(format!("{hurl} --jobs 1 \"$@\"")),
        Some(Reset::Command(command)) => {
            page.line("failed=0");
            page.line("for file in $(find \"$@\" -name '*.hurl' | sort); do");
            page.line(format!("\tsh -c {}", quote(command)));
            page.line(format!("\t{hurl} \"$file\" || failed=1"));
            page.line("done");
            page.line("exit \"$failed\"");
        }
    }
}
