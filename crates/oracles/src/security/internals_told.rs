//! Errors that tell strangers what a service is made of.
//!
//! What the caller sent may well be repeated in a message; only what comes from the service counts.

use fossick_trace::{Finding, Location};

use crate::crash::exposed::TRACES;
use crate::graphql::complaint::{Complaint, complaints};
use crate::scene::{Scene, Shaded, Shown};
use crate::table::Oracle;

/// What may be told, each with the words for it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Internals {
    Stack,
    Sql,
    File,
}

impl Internals {
    fn name(self) -> &'static str {
        match self {
            Self::Stack => "a stack trace",
            Self::Sql => "SQL",
            Self::File => "a file's path",
        }
    }
}

pub(crate) fn check(oracle: &Oracle, scene: &Scene<'_>, findings: &mut Vec<Finding>) {
    for step in scene.steps.iter().filter(|s| s.root().is_some()) {
        let mut told: Vec<Internals> = Vec::new();
        for complaint in step.json().into_iter().flat_map(complaints) {
            for (internals, excerpt) in shown(step, complaint) {
                // Frames hold paths; it is one leak.
                let known = told.contains(&internals)
                    || (internals == Internals::File && told.contains(&Internals::Stack));
                if !known {
                    told.push(internals);
                    findings.push(report(oracle, step, internals, &excerpt));
                }
            }
        }
    }
}

fn report(oracle: &Oracle, step: &Shown<'_>, internals: Internals, excerpt: &str) -> Finding {
    let name = internals.name();
    let title = format!("an error tells {name}: {excerpt}");
    let why = "Errors go to anybody who asks; this one tells how the service is built.".to_owned();
    step.finding(oracle, title, why)
        .marked(name)
        .caused_by(name)
        .located(Location::Message)
        .got(Some(excerpt.into()))
}

fn shown(step: &Shown<'_>, complaint: Complaint<'_>) -> Vec<(Internals, String)> {
    let mut texts = complaint.texts();
    texts.push(("message", complaint.message()));
    let sent = &step.exchange.request;
    let own = |text: &str| {
        let body = String::from_utf8_lossy(&sent.body);
        !text.is_empty() && !body.contains(text) && !sent.target.contains(text)
    };
    let find = |internals, test: fn(&str, &str) -> Option<&'static str>| {
        texts.iter().find_map(|(name, text)| {
            test(name, text).filter(|_| own(text))?;
            Some((internals, excerpt(text)))
        })
    };
    let path = texts.iter().find_map(|(_, text)| {
        let path = file(text).filter(|path| own(path))?;
        Some((Internals::File, excerpt(path)))
    });
    let stack = find(Internals::Stack, stack);
    stack
        .into_iter()
        .chain(find(Internals::Sql, sql))
        .chain(path)
        .collect()
}

fn excerpt(text: &str) -> String {
    const LENGTH: usize = 80;
    let mut lines = text.lines().map(str::trim);
    let line = lines.find(|line| !line.is_empty()).unwrap_or("");
    match line.char_indices().nth(LENGTH) {
        Some((end, _)) => format!("{}…", line.get(..end).unwrap_or(line)),
        None => line.to_owned(),
    }
}

/// Frames under the names that frameworks give them, or the marks of a trace anywhere.
fn stack(name: &str, text: &str) -> Option<&'static str> {
    const NAMES: [&str; 6] = [
        "stacktrace",
        "stack",
        "trace",
        "backtrace",
        "callstack",
        "stack_trace",
    ];
    let named = NAMES.iter().any(|known| name.eq_ignore_ascii_case(known));
    let is_frame = text.contains("    at ")
        || text.starts_with("at ")
        || text.contains("File \"")
        || text.contains(".php(")
        || text.contains(".rb:")
        || text.contains(".go:");
    let marked = TRACES.iter().find(|(mark, _)| text.contains(mark));
    let own = (named && is_frame).then_some("frames");
    own.or(marked.map(|(_, language)| *language))
}

/// A statement, or what databases say of tables, columns and constraints by name.
fn sql(_: &str, text: &str) -> Option<&'static str> {
    const STATEMENTS: [(&str, &str); 5] = [
        ("SELECT ", " FROM "),
        ("INSERT INTO ", "VALUES"),
        ("UPDATE ", " SET "),
        ("DELETE FROM ", ""),
        ("SQLSTATE[", ""),
    ];
    const WORDS: [&str; 14] = [
        "violates unique constraint",
        "violates foreign key constraint",
        "violates not-null constraint",
        "violates check constraint",
        "unique constraint failed",
        "foreign key constraint fail",
        "not null constraint failed",
        "duplicate key value",
        "duplicate entry",
        "no such column",
        "no such table",
        "unknown column",
        "syntax error at or near",
        "error in your sql syntax",
    ];
    let follows = |first: &str, second: &str| {
        let at = text.find(first)?;
        text.get(at..)?.contains(second).then_some("statement")
    };
    let statement = STATEMENTS.iter().find_map(|(a, b)| follows(a, b));
    statement.or_else(|| {
        let text = text.to_lowercase();
        let relation = text.contains("relation \"") && text.contains("does not exist");
        (relation || WORDS.iter().any(|word| text.contains(word))).then_some("words")
    })
}

/// The first absolute path to a file or folder of a server.
fn file(text: &str) -> Option<&str> {
    text.split(|c: char| c.is_whitespace() || "\"'`()[]<>,;=".contains(c))
        .find(|word| is_file(word))
}

fn is_file(word: &str) -> bool {
    const FOLDERS: [&str; 10] = [
        "/home/", "/usr/", "/var/", "/opt/", "/srv/", "/app/", "/root/", "/tmp/", "/etc/",
        "/Users/",
    ];
    const ENDS: [&str; 14] = [
        ".py", ".js", ".ts", ".java", ".kt", ".rb", ".php", ".go", ".rs", ".cs", ".ex", ".scala",
        ".mjs", ".cjs",
    ];
    let word = word.strip_prefix("file://").unwrap_or(word);
    let bare = word.trim_end_matches(|c: char| c.is_ascii_digit() || ":.".contains(c));
    let windows = word.get(1..3).is_some_and(|after| after == ":\\")
        && word.starts_with(|c: char| c.is_ascii_alphabetic())
        && word.len() > 6;
    let steps = word.matches('/').count();
    let unix = word.starts_with('/')
        && !word.starts_with("//")
        && steps > 1
        && (FOLDERS
            .iter()
            .any(|folder| word.starts_with(folder) && word.len() > folder.len())
            || ENDS.iter().any(|end| bare.ends_with(end)));
    windows || unix
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_of_servers_are_known() {
        for told in [
            "ENOENT: no such file or directory, open '/app/data/books.json'",
            "in /srv/books/resolvers.py:17",
            "at file:///home/ada/books/index.js:3:12",
            "could not read C:\\inetpub\\books\\data.mdb",
            "see /books/server/main.go:12",
        ] {
            assert!(file(told).is_some(), "{told}");
        }
        for innocent in [
            "see https://example.org/usr/lib/index.js",
            "expected a date such as 17/05/2024",
            "either/or",
            "no book at /books/7",
            "the path / is empty",
            "//cdn.example.org/app.js",
        ] {
            assert_eq!(file(innocent), None, "{innocent}");
        }
    }

    #[test]
    fn sql_is_known_by_its_statements_and_by_what_databases_say() {
        for told in [
            "column b.isbn does not exist: SELECT b.isbn FROM books b",
            "UNIQUE constraint failed: books.title",
            "duplicate key value violates unique constraint \"books_title_key\"",
            "relation \"books\" does not exist",
            "SQLSTATE[42S22]: Column not found",
        ] {
            assert!(sql("message", told).is_some(), "{told}");
        }
        for innocent in [
            "Select a book from the list",
            "the update is set",
            "a book of this title exists already",
        ] {
            assert_eq!(sql("message", innocent), None, "{innocent}");
        }
    }

    #[test]
    fn frames_are_known_by_name_and_look() {
        assert!(stack("stacktrace", "    at Object.books (/app/index.js:3:12)").is_some());
        assert!(stack("message", "Traceback (most recent call last)\n  File \"x\"").is_some());
        assert!(stack("trace", "4bf92f3577b34da6a3ce929d0e0e4736").is_none());
        assert!(stack("message", "meet me at Paris").is_none());
    }
}
