//! Tests for `PHPUnit`, with the curl extension and nothing else.
//!
//! A class for each group, and a few classes that they share; no autoloader is needed. Laid out
//! by PSR-12.

mod checks;
mod literal;
mod request;
mod support;

use fossick_suite::{Suite, Test};

use crate::arrange::{Part, parts};
use crate::names::{Taken, camel, pascal};
use crate::page::Page;
use crate::variables::{Variables, schemas, users};
use crate::wrap::{lines, sentence};
use crate::{File, Manner, prose};

const WIDTH: usize = 120;

/// Variables that the tests use for themselves.
const RESERVED: [&str; 4] = ["this", "answer", "fault", "nobody"];

/// What every test of a suite shares.
struct Writer<'a> {
    manner: &'a Manner,
    namespace: String,
    users: Vec<String>,
    schemas: Vec<String>,
}

pub fn write(suite: &Suite, manner: &Manner) -> Vec<File> {
    let name = if manner.name.is_empty() {
        &suite.title
    } else {
        &manner.name
    };
    let writer = Writer {
        manner,
        namespace: format!("{}Tests", pascal(name, "Api")),
        users: users(suite, camel, &RESERVED),
        schemas: schemas(suite),
    };
    let mut files = support::files(suite, &writer);
    let mut taken = Taken::default();
    for part in &parts(suite, manner) {
        files.push(writer.part(suite, part, &mut taken));
    }
    for (name, (_, schema)) in writer.schemas.iter().zip(&suite.schemas) {
        let path = format!("tests/schemas/{name}.json");
        files.push(File::new(path, format!("{schema:#}\n")));
    }
    files
}

impl Writer<'_> {
    fn part(&self, suite: &Suite, part: &Part, taken: &mut Taken) -> File {
        let class = format!("{}Test", pascal(&part.name, "Part"));
        let mut page = Page::new("    ");
        head(&mut page, prose::head(suite, Some(part.group)));
        page.line("");
        page.line("declare(strict_types=1);");
        page.line("");
        page.line(format!("namespace {};", self.namespace));
        page.line("");
        page.line(format!("final class {class} extends ApiTestCase"));
        page.open("{");
        for (at, test) in part.tests.iter().enumerate() {
            if at > 0 {
                page.gap();
            }
            self.test(&mut page, test, &method(&test.name, taken));
        }
        page.close("}");
        File::new(format!("tests/{class}.php"), page.finish())
    }

    fn test(&self, page: &mut Page, test: &Test, name: &str) {
        docblock(page, prose::about(test, self.manner));
        page.line(format!("public function {name}(): void"));
        page.open("{");
        let mut reserved: Vec<&str> = RESERVED.to_vec();
        reserved.extend(self.users.iter().map(String::as_str));
        let variables = Variables::of(test, camel, &reserved);
        self.senders(page, test);
        for fresh in &test.fresh {
            let name = variables.get(&fresh.variable);
            page.line(format!(
                "${name} = self::fresh({});",
                literal::string(&fresh.like)
            ));
        }
        for step in &test.steps {
            page.gap();
            if let Some(about) = &step.about {
                comment(page, &sentence(about));
            }
            let sender = self.sender(step.request.user);
            request::request(page, &step.request, sender, &variables);
            for check in &step.checks {
                self.check(page, check, test, &variables);
            }
            for save in &step.saves {
                let name = variables.get(&save.variable);
                page.line(format!("${name} = $answer->{};", request::take(&save.take)));
            }
        }
        page.close("}");
    }

    /// Everybody who sends something in this test, in the order they come.
    fn senders(&self, page: &mut Page, test: &Test) {
        let mut met: Vec<&str> = Vec::new();
        for step in &test.steps {
            let sender = self.sender(step.request.user);
            if !met.contains(&sender) {
                met.push(sender);
                page.line(format!("${sender} = self::sender('{sender}');"));
            }
        }
    }

    fn sender(&self, user: Option<usize>) -> &str {
        let name = user.and_then(|user| self.users.get(user));
        name.map_or("nobody", String::as_str)
    }
}

/// To the language methods are the same in small letters and in capitals.
fn method(name: &str, taken: &mut Taken) -> String {
    let name = format!("test{}", pascal(name, "It"));
    let free = taken.give(name.to_ascii_lowercase());
    let number = free.get(name.len()..).unwrap_or("").replace('_', "No");
    format!("{name}{number}")
}

/// The opening of a file.
fn head(page: &mut Page, paragraphs: impl IntoIterator<Item = String>) {
    page.line("<?php");
    page.line("");
    docblock(page, paragraphs);
}

fn docblock(page: &mut Page, paragraphs: impl IntoIterator<Item = String>) {
    let room = WIDTH.saturating_sub(page.indent(4) + 3).min(97);
    let lines: Vec<String> = paragraphs
        .into_iter()
        .flat_map(|text| lines(&text, room))
        .collect();
    if lines.is_empty() {
        return;
    }
    page.line("/**");
    page.lines(lines.iter().map(|line| format!(" * {}", without_tag(line))));
    page.line(" */");
}

/// A line that begins with `@` would be an annotation that the runner heeds.
fn without_tag(line: &str) -> String {
    line.replace('@', "(at)")
}

fn comment(page: &mut Page, text: &str) {
    let room = WIDTH.saturating_sub(page.indent(4) + 3).min(97);
    page.lines(lines(text, room).iter().map(|line| format!("// {line}")));
}

/// A call on one line, or with a line for each argument.
fn call(page: &mut Page, head: &str, arguments: &[String], tail: &str) {
    let flat = format!("{head}{}{tail}", arguments.join(", "));
    if page.indent(4) + flat.chars().count() <= WIDTH && !flat.contains('\n') {
        page.line(flat);
        return;
    }
    page.open(head);
    for (at, argument) in arguments.iter().enumerate() {
        let comma = if at + 1 < arguments.len() { "," } else { "" };
        page.line(format!("{argument}{comma}"));
    }
    page.close(tail);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_differ_in_capitals_alone_are_numbered() {
        let mut taken = Taken::default();
        assert_eq!(method("ab c", &mut taken), "testAbC");
        assert_eq!(method("a bc", &mut taken), "testABcNo2");
    }
}
