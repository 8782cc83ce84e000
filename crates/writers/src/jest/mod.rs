//! Jest on Node: modules by `require`, matchers of our own, the rest in `support.js`.
//!
//! Formatted as prettier does.

mod check;
mod literal;
mod request;
mod support;
mod users;

use std::collections::BTreeSet;

use fossick_suite::{Fault, Step, Suite, Test};
use fossick_trace::Take;

use crate::layout::{Dialect, Doc, Kind, Style};
use crate::names::camel;
use crate::parts::{Part, heading, parts};
use crate::scope::Scope;
use crate::turned::turned;
use crate::wrap::{calm, comment, lines, sentence};
use crate::{Faults, File, Manner};
use check::{Setting, check, indented};
pub(crate) use check::{kind_name, wanted};
pub(crate) use literal::{string, value};
use request::request;
use users::Users;

const STYLE: Style = Style {
    width: 80,
    indent: 2,
    dialect: Dialect::Script,
};

pub fn write(suite: &Suite, manner: &Manner) -> Vec<File> {
    let users = Users::of(suite);
    let schemas = crate::schemas::names(suite);
    let parts = parts(suite, |test| {
        let test = turned(test, manner.faults);
        Body {
            test: &test,
            users: &users,
            schemas: &schemas,
            faults: manner.faults,
        }
        .text()
    });
    let mut files = support::files(suite, manner, &users, &schemas);
    files.extend(parts.iter().map(|part| file(suite, &users, part)));
    files
}

fn file(suite: &Suite, users: &Users, part: &Part<'_>) -> File {
    let tests: Vec<&str> = part.tests.iter().map(|(_, text)| text.as_str()).collect();
    let tests = tests.join("\n");
    let imports = imports(users, part, &tests);
    let head = head(heading(part.group), suite);
    let text = format!("{head}\n{imports}\n{tests}");
    File::new(format!("{}.test.js", part.name()), text)
}

/// What a file is and where it comes from. Line comments: Jest reads pragmas in a block.
fn head(what: &str, suite: &Suite) -> String {
    let mut lines = comment("//", &format!("{}: {what}.", suite.title), STYLE.width);
    lines.extend(comment(
        "//",
        &format!("Written by: {}", suite.origin),
        STYLE.width,
    ));
    lines.join("\n") + "\n"
}

fn imports(users: &Users, part: &Part<'_>, text: &str) -> String {
    let tests = || part.tests.iter().map(|(test, _)| test);
    let mut names = BTreeSet::new();
    for step in tests().flat_map(|test| &test.steps) {
        names.insert(users.name(step.request.user));
    }
    if tests().any(|test| !test.fresh.is_empty()) {
        names.insert("fresh");
    }
    if text.contains("asText(") {
        names.insert("asText");
    }
    if names.is_empty() {
        return String::new();
    }
    let names = names.into_iter().map(Doc::text).collect();
    let names = Doc::list("{", names, "}", Kind::Object);
    STYLE.statement(0, "const ", &names, " = require(\"./support\");") + "\n"
}

struct Body<'a> {
    test: &'a Test,
    users: &'a Users,
    schemas: &'a [String],
    faults: Faults,
}

impl Body<'_> {
    fn text(&self) -> String {
        let scope = Scope::of(self.test, self.users.taken.clone(), |text| camel(text, "n"));
        let mut known = BTreeSet::new();
        let mut blocks = vec![self.opening(&scope, &mut known)];
        for (place, step) in self.test.steps.iter().enumerate() {
            blocks.push(self.step(place, step, &scope, &mut known));
        }
        blocks.retain(|lines| !lines.is_empty());
        let body: Vec<String> = blocks.iter().map(|lines| lines.join("\n")).collect();
        let title = string(&calm(&self.test.name));
        format!(
            "test({title}, async () => {{\n{}\n}});\n",
            body.join("\n\n")
        )
    }

    /// What the test is about, and the texts that are new each time.
    fn opening(&self, scope: &Scope, known: &mut BTreeSet<String>) -> Vec<String> {
        let width = STYLE.width - STYLE.indent;
        let mut lines = Vec::new();
        for about in &self.test.about {
            lines.extend(indented(comment("//", about, width)));
        }
        if let Some(fault) = &self.test.fault {
            let text = format!("Suspected fault {}", explained(fault));
            lines.extend(indented(comment("//", &text, width)));
        }
        if let (true, Some(fault)) = (self.is_turned(), &self.test.fault) {
            lines.push(fault_message(fault));
        }
        for fresh in &self.test.fresh {
            let call = Doc::call("fresh", vec![Doc::text(string(&fresh.like))]);
            lines.push(self.assigned(&scope.get(&fresh.variable).name, &call, known));
        }
        lines
    }

    fn is_turned(&self) -> bool {
        let mut checks = self.test.steps.iter().flat_map(|step| &step.checks);
        self.faults == Faults::Fail && checks.any(|check| check.suspect)
    }

    fn step(
        &self,
        place: usize,
        step: &Step,
        scope: &Scope,
        known: &mut BTreeSet<String>,
    ) -> Vec<String> {
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
            lines.extend(indented(comment("//", &sentence(&text), width)));
        }
        let declared = match (place, self.test.steps.len()) {
            (0, 1) => "const ",
            (0, _) => "let ",
            _ => "",
        };
        let send = request(&step.request, self.users, scope);
        lines.push(STYLE.statement(1, &format!("{declared}answer = await "), &send, ";"));
        lines.extend(step.checks.iter().flat_map(|one| check(one, &setting)));
        for save in &step.saves {
            let name = scope.get(&save.variable).name;
            lines.push(self.assigned(&name, &taken(&save.take), known));
        }
        lines
    }

    /// A name is declared where it is first set, and may be set again only if somebody does.
    fn assigned(&self, name: &str, doc: &Doc, known: &mut BTreeSet<String>) -> String {
        let declared = match (known.insert(name.to_owned()), self.is_set_once(name)) {
            (true, true) => "const ",
            (true, false) => "let ",
            (false, _) => "",
        };
        STYLE.statement(1, &format!("{declared}{name} = "), doc, ";")
    }

    fn is_set_once(&self, name: &str) -> bool {
        let scope = Scope::of(self.test, self.users.taken.clone(), |text| camel(text, "n"));
        let fresh = self.test.fresh.iter().map(|fresh| &fresh.variable);
        let saves = self.test.steps.iter().flat_map(|step| &step.saves);
        let all = fresh.chain(saves.map(|save| &save.variable));
        all.filter(|variable| scope.get(variable).name == name)
            .count()
            == 1
    }
}

fn taken(take: &Take) -> Doc {
    match take {
        Take::Location => Doc::call("answer.location", Vec::new()),
        Take::Header(name) => Doc::call("answer.header", vec![Doc::text(string(name))]),
        Take::Pointer(pointer) => Doc::call("answer.take", vec![Doc::text(string(pointer))]),
    }
}

/// `F301, still served after it was deleted: DELETE answered 204, …`
fn explained(fault: &Fault) -> String {
    calm(&format!("{}, {}: {}", fault.code, fault.title, fault.why))
}

/// In as many literals as it takes lines.
fn fault_message(fault: &Fault) -> String {
    let text = explained(fault);
    let whole = format!("const fault = {};", string(&text));
    if STYLE.fits(1, &whole) {
        return format!("  {whole}");
    }
    let lines = lines(&text, STYLE.width - 2 * STYLE.indent - 12);
    let literals = lines.iter().map(|line| Doc::text(string(line))).collect();
    let joined = Doc::list("[", literals, "].join(\" \")", Kind::Call);
    STYLE.statement(1, "const fault = ", &joined, ";")
}
