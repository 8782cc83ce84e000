//! Tests for Rust with reqwest and tokio.
//!
//! A crate with one binary of tests: a module for each group and one for what they share, so that
//! logins happen once and linking too. Laid out as rustfmt does it.

mod checks;
mod literal;
mod project;
mod request;
mod support;

use fossick_suite::{Suite, Test};

use crate::arrange::{Part, parts};
use crate::names::{Taken, snake};
use crate::page::Page;
use crate::variables::{Variables, schemas, users};
use crate::wrap::{lines, sentence};
use crate::{File, Manner, prose};

const WIDTH: usize = 100;

/// Words of the language, and names that the tests use for themselves.
const RESERVED: [&str; 66] = [
    "abstract", "answer", "as", "async", "await", "become", "body", "box", "break", "const",
    "continue", "crate", "do", "dyn", "else", "enum", "extern", "false", "final", "fn", "for",
    "fresh", "gen", "if", "impl", "in", "item", "json", "let", "loop", "macro", "main", "match",
    "mod", "move", "mut", "nobody", "override", "path", "priv", "pub", "ref", "request", "return",
    "segment", "self", "send", "static", "struct", "super", "support", "text", "trait", "true",
    "try", "turn", "type", "typeof", "union", "unsafe", "unsized", "use", "virtual", "where",
    "while", "yield",
];

/// What every test of a suite shares.
struct Writer<'a> {
    manner: &'a Manner,
    users: Vec<String>,
    schemas: Vec<String>,
    /// Each test waits for its turn and begins with a service that was reset.
    in_turn: bool,
}

pub fn write(suite: &Suite, manner: &Manner) -> Vec<File> {
    let writer = Writer {
        manner,
        users: users(suite, snake, &RESERVED),
        schemas: schemas(suite),
        in_turn: suite.service.reset.is_some(),
    };
    let parts = parts(suite, manner);
    let mut taken = Taken::with(&RESERVED);
    let mut files = vec![
        File::new("Cargo.toml", project::manifest(suite, manner)),
        File::new("tests/suite/main.rs", project::root(suite, &parts)),
        File::new("tests/suite/support.rs", support::text(suite, &writer)),
    ];
    for part in &parts {
        files.push(writer.part(suite, part, &mut taken));
    }
    for (name, (_, schema)) in writer.schemas.iter().zip(&suite.schemas) {
        let path = format!("tests/suite/schemas/{name}.json");
        files.push(File::new(path, format!("{schema:#}\n")));
    }
    files
}

impl Writer<'_> {
    fn part(&self, suite: &Suite, part: &Part, taken: &mut Taken) -> File {
        let mut page = Page::new("    ");
        comment(&mut page, "//!", prose::head(suite, Some(part.group)));
        page.gap();
        page.line("use crate::support::*;");
        for test in &part.tests {
            self.test(&mut page, test, &taken.give(snake(&test.name, "test_")));
        }
        File::new(format!("tests/suite/{}.rs", part.name), page.finish())
    }

    fn test(&self, page: &mut Page, test: &Test, name: &str) {
        page.gap();
        comment(page, "///", prose::about(test, self.manner));
        page.line("#[tokio::test]");
        page.open(format!("async fn {name}() {{"));
        let mut reserved: Vec<&str> = RESERVED.to_vec();
        reserved.extend(self.users.iter().map(String::as_str));
        let variables = Variables::of(test, snake, &reserved);
        self.senders(page, test);
        for fresh in &test.fresh {
            let name = variables.get(&fresh.variable);
            page.line(format!(
                "let {name} = fresh({});",
                literal::string(&fresh.like)
            ));
        }
        for step in &test.steps {
            page.gap();
            if let Some(about) = &step.about {
                comment(page, "//", [sentence(about)]);
            }
            request::request(
                page,
                &step.request,
                self.sender(step.request.user),
                &variables,
            );
            let mut item = &[][..];
            for check in &step.checks {
                let found = checks::item_of(check);
                if !found.is_empty() && found != item {
                    checks::find_item(page, found, &variables);
                    item = found;
                }
                self.check(page, check, test, &variables);
            }
            for save in &step.saves {
                let name = variables.get(&save.variable);
                page.line(format!(
                    "let {name} = answer.{};",
                    request::take(&save.take)
                ));
            }
        }
        page.close("}");
    }

    /// Everybody who sends something in this test, in the order they come.
    fn senders(&self, page: &mut Page, test: &Test) {
        if self.in_turn {
            page.line("let _turn = turn().await;");
        }
        let mut met: Vec<&str> = Vec::new();
        for step in &test.steps {
            let sender = self.sender(step.request.user);
            if !met.contains(&sender) {
                met.push(sender);
                page.line(format!("let {sender} = {sender}().await;"));
            }
        }
    }

    fn sender(&self, user: Option<usize>) -> &str {
        let name = user.and_then(|user| self.users.get(user));
        name.map_or("nobody", String::as_str)
    }
}

fn comment(page: &mut Page, mark: &str, paragraphs: impl IntoIterator<Item = String>) {
    for paragraph in paragraphs {
        let room = WIDTH.saturating_sub(page.indent(4) + mark.len() + 1);
        page.lines(
            lines(&paragraph, room)
                .iter()
                .map(|line| format!("{mark} {line}")),
        );
    }
}

/// A call or macro with its arguments: on one line, or one argument a line, as rustfmt decides.
fn call(page: &mut Page, head: &str, arguments: &[String], tail: &str, last_comma: bool) {
    let flat = arguments.join(", ");
    let width = flat.chars().count();
    let whole = page.indent(4) + head.chars().count() + width + tail.chars().count();
    if whole <= WIDTH && (width <= 60 || arguments.len() == 1) {
        page.line(format!("{head}{flat}{tail}"));
        return;
    }
    page.open(head);
    for (at, argument) in arguments.iter().enumerate() {
        let comma = if at + 1 < arguments.len() || last_comma {
            ","
        } else {
            ""
        };
        let width = page.indent(4) + argument.chars().count() + comma.len();
        match argument.strip_prefix(SOME).filter(|_| width > WIDTH) {
            Some(inner) => {
                page.open(SOME);
                page.line(inner.strip_suffix("))").unwrap_or(inner));
                page.close(format!(")){comma}"));
            }
            None => page.line(format!("{argument}{comma}")),
        }
    }
    page.close(tail);
}

/// What a value is wrapped in that may not be there; it stays on one line as long as it can.
const SOME: &str = "Some(json!(";
