//! pytest with httpx: functions with plain asserts, users as fixtures, the rest in `conftest.py`.
//!
//! Formatted as `ruff format` and black do.

mod check;
mod literal;
mod request;
mod support;
mod users;

use fossick_suite::{Fault, Save, Step, Suite, Test};
use fossick_trace::Take;

use crate::layout::{Dialect, Doc, Style};
use crate::names::{Taken, snake};
use crate::parts::{Part, heading, parts};
use crate::scope::Scope;
use crate::turned::turned;
use crate::wrap::{calm, comment, lines, sentence};
use crate::{Faults, File, Manner};
use check::{Setting, assigned, check, indented};
use literal::string;
use request::request;
use users::Users;

const STYLE: Style = Style {
    width: 88,
    indent: 4,
    dialect: Dialect::Python,
};

pub fn write(suite: &Suite, manner: &Manner) -> Vec<File> {
    let users = Users::of(suite);
    let schemas = crate::schemas::names(suite);
    let mut functions = Taken::default();
    let parts = parts(suite, |test| {
        let name = functions.claim(&format!("test_{}", snake(&test.name, "n")));
        let test = turned(test, manner.faults);
        Function {
            test: &test,
            name,
            users: &users,
            schemas: &schemas,
            faults: manner.faults,
        }
        .text()
    });
    let mut files = support::files(suite, &users, &schemas);
    files.extend(parts.iter().map(|part| file(suite, part)));
    files
}

fn file(suite: &Suite, part: &Part<'_>) -> File {
    let mut text = head(heading(part.group), suite);
    for (_, function) in &part.tests {
        text.push_str("\n\n");
        text.push_str(function);
    }
    File::new(format!("test_{}.py", part.name()), text)
}

/// What a file is and where it comes from, as the docstring of its module.
fn head(what: &str, suite: &Suite) -> String {
    let docstring = |text: &str| calm(text).replace('\\', "/").replace('"', "'");
    let first = docstring(&format!("{}: {what}.", suite.title));
    let origin = docstring(&format!("Written by: {}", suite.origin));
    let lines = lines(&origin, STYLE.width).join("\n");
    format!("\"\"\"{first}\n\n{lines}\n\"\"\"\n")
}

struct Function<'a> {
    test: &'a Test,
    name: String,
    users: &'a Users,
    schemas: &'a [String],
    faults: Faults,
}

impl Function<'_> {
    fn text(&self) -> String {
        let scope = Scope::of(self.test, self.users.taken.clone(), |text| snake(text, "n"));
        let mut blocks = vec![self.opening()];
        for (place, step) in self.test.steps.iter().enumerate() {
            blocks.push(self.step(place, step, &scope));
        }
        blocks.retain(|lines| !lines.is_empty());
        if self.test.steps.is_empty() {
            blocks.push(vec!["    pass".to_owned()]);
        }
        let body: Vec<String> = blocks.iter().map(|lines| lines.join("\n")).collect();
        let body = body.join("\n\n");
        format!("{}\n{body}\n", self.signature(&body))
    }

    fn signature(&self, body: &str) -> String {
        let mut fixtures: Vec<&str> = Vec::new();
        let senders = self
            .test
            .steps
            .iter()
            .map(|step| self.users.name(step.request.user));
        for name in senders {
            if !fixtures.contains(&name) {
                fixtures.push(name);
            }
        }
        if !self.test.fresh.is_empty() {
            fixtures.push("fresh");
        }
        if body.contains("as_text(") {
            fixtures.push("as_text");
        }
        let fixtures = fixtures.into_iter().map(Doc::text).collect();
        STYLE.statement(0, "def ", &Doc::call(&self.name, fixtures), ":")
    }

    /// What the test is about, and the texts that are new each time.
    fn opening(&self) -> Vec<String> {
        let width = STYLE.width - STYLE.indent;
        let mut lines = Vec::new();
        for about in &self.test.about {
            lines.extend(indented(comment("#", about, width)));
        }
        if let Some(fault) = &self.test.fault {
            let text = format!("Suspected fault {}", explained(fault));
            lines.extend(indented(comment("#", &text, width)));
        }
        if let (true, Some(fault)) = (self.is_turned(), &self.test.fault) {
            lines.push(fault_message(fault));
        }
        let scope = Scope::of(self.test, self.users.taken.clone(), |text| snake(text, "n"));
        for fresh in &self.test.fresh {
            let call = Doc::call("fresh", vec![Doc::text(string(&fresh.like))]);
            let before = format!("{} = ", scope.get(&fresh.variable).name);
            lines.push(STYLE.statement(1, &before, &call, ""));
        }
        lines
    }

    fn is_turned(&self) -> bool {
        let mut checks = self.test.steps.iter().flat_map(|step| &step.checks);
        self.faults == Faults::Fail && checks.any(|check| check.suspect)
    }

    fn step(&self, place: usize, step: &Step, scope: &Scope) -> Vec<String> {
        let setting = Setting {
            test: self.test,
            faults: self.faults,
            scope,
            schemas: self.schemas,
        };
        let mut lines = Vec::new();
        if let Some(about) = &step.about {
            let text = format!("Step {}: {}", place + 1, calm(about));
            let width = STYLE.width - STYLE.indent;
            lines.extend(indented(comment("#", &sentence(&text), width)));
        }
        let send = request(&step.request, self.users, scope);
        lines.push(STYLE.statement(1, "answer = ", &send, ""));
        lines.extend(step.checks.iter().flat_map(|one| check(one, &setting)));
        lines.extend(step.saves.iter().map(|one| save(one, scope)));
        lines
    }
}

/// `F301, still served after it was deleted: DELETE answered 204, …`
fn explained(fault: &Fault) -> String {
    calm(&format!("{}, {}: {}", fault.code, fault.title, fault.why))
}

/// In as many literals as it takes lines.
fn fault_message(fault: &Fault) -> String {
    let text = explained(fault);
    let whole = string(&text);
    if STYLE.fits(2, &whole) {
        return assigned("fault", &whole);
    }
    let mut lines = lines(&text, STYLE.width - 2 * STYLE.indent - 12);
    let last = lines.pop().unwrap_or_default();
    let mut literals: Vec<String> = lines
        .iter()
        .map(|line| string(&format!("{line} ")))
        .collect();
    literals.push(string(&last));
    format!(
        "    fault = (\n        {}\n    )",
        literals.join("\n        ")
    )
}

fn save(save: &Save, scope: &Scope) -> String {
    let take = match &save.take {
        Take::Location => Doc::call("answer.location", Vec::new()),
        Take::Header(name) => Doc::call("answer.header", vec![Doc::text(string(name))]),
        Take::Pointer(pointer) => Doc::call("answer.take", vec![Doc::text(string(pointer))]),
    };
    let before = format!("{} = ", scope.get(&save.variable).name);
    STYLE.statement(1, &before, &take, "")
}
