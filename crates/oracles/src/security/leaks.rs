//! Texts that give away what a service is made of: frames, SQL, files, exceptions.

use crate::crash::exposed::TRACES;

/// Frames under the names that frameworks give them, or the marks of a trace anywhere.
pub(super) fn stack(name: &str, text: &str) -> Option<&'static str> {
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
pub(super) fn sql(text: &str) -> bool {
    const STATEMENTS: [(&str, &str); 5] = [
        ("SELECT ", " FROM "),
        ("INSERT INTO ", "VALUES"),
        ("UPDATE ", " SET "),
        ("DELETE FROM ", ""),
        ("SQLSTATE[", ""),
    ];
    const WORDS: [&str; 19] = [
        "violates unique constraint",
        "violates foreign key constraint",
        "violates not-null constraint",
        "violates check constraint",
        "unique constraint failed",
        "foreign key constraint fail",
        "not null constraint failed",
        "duplicate key value",
        "violates exclusion constraint",
        "could not execute statement",
        "sqlite_constraint",
        "e11000 duplicate key",
        "data too long for column",
        "value too long for type character",
        "invalid input syntax for type",
        "no such column",
        "no such table",
        "syntax error at or near",
        "error in your sql syntax",
    ];
    // One of the two alone may be anybody's word.
    const PAIRS: [(&str, &str); 3] = [
        ("relation \"", "does not exist"),
        ("duplicate entry", "for key"),
        ("unknown column '", "' in '"),
    ];
    let follows = |first: &str, second: &str| {
        let rest = text.find(first).and_then(|at| text.get(at..));
        rest.is_some_and(|rest| rest.contains(second))
    };
    let says = || {
        let text = text.to_lowercase();
        let both = |(first, second): &(&str, &str)| text.contains(first) && text.contains(second);
        PAIRS.iter().any(both) || WORDS.iter().any(|word| text.contains(word))
    };
    STATEMENTS.iter().any(|(a, b)| follows(a, b)) || says()
}

/// Every absolute path to a file or folder of a server.
pub(super) fn files(text: &str) -> impl Iterator<Item = &str> {
    words(text).filter(|word| is_file(word))
}

/// Whether a path is that of a program's own text.
pub(super) fn is_source(path: &str) -> bool {
    const ENDS: [&str; 14] = [
        ".py", ".js", ".ts", ".java", ".kt", ".rb", ".php", ".go", ".rs", ".cs", ".ex", ".scala",
        ".mjs", ".cjs",
    ];
    let bare = path.trim_end_matches(|c: char| c.is_ascii_digit() || ":.".contains(c));
    ENDS.iter().any(|end| bare.ends_with(end))
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| c.is_whitespace() || "\"'`()[]<>,;=".contains(c))
}

fn is_file(word: &str) -> bool {
    const FOLDERS: [&str; 10] = [
        "/home/", "/usr/", "/var/", "/opt/", "/srv/", "/app/", "/root/", "/tmp/", "/etc/",
        "/Users/",
    ];
    let word = word.strip_prefix("file://").unwrap_or(word);
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
            || is_source(word));
    windows || unix
}

/// The first exception that is named with the module it is of: `java.sql.SQLException: …`,
/// `PG::UniqueViolation`. A name that ends in a colon is said of what happened; one without stands
/// alone, and must be long enough to be nothing else.
pub(super) fn exception(text: &str) -> Option<&str> {
    let alone = text.trim();
    let named = words(text).find_map(|word| {
        let name = before_colon(word)?;
        is_class(name, true).then_some(name)
    });
    named.or_else(|| {
        let bare = |word: &&str| word.contains("::") && is_class(word, false);
        let whole = alone.matches(['.', '\\']).count() > 1 && is_class(alone, false);
        words(text).find(bare).or(whole.then_some(alone))
    })
}

/// What stands before a colon that is not one of two.
fn before_colon(word: &str) -> Option<&str> {
    let single = |at: &usize| {
        let around = [word.get(at + 1..at + 2), word.get(at.wrapping_sub(1)..*at)];
        !around.contains(&Some(":"))
    };
    let mut colons = word.match_indices(':').map(|(at, _)| at);
    colons.find(single).map(|at| &word[..at])
}

/// Modules and the name of a class, of Java, Python and .NET, of Ruby, or of PHP.
fn is_class(name: &str, said: bool) -> bool {
    const FAILURES: [&str; 4] = ["Error", "Exception", "Violation", "Fault"];
    const HOMES: [&str; 4] = ["exc", "errors", "exceptions", "error"];
    let mark = ["::", "\\", "."]
        .into_iter()
        .find(|mark| name.contains(mark));
    let parts: Vec<&str> = mark.map_or(Vec::new(), |mark| name.split(mark).collect());
    let Some((class, modules)) = parts.split_last() else {
        return false;
    };
    let is_word = |part: &&str| {
        part.starts_with(|c: char| c.is_ascii_alphabetic())
            && part
                .chars()
                .all(|c| c.is_ascii_alphanumeric() || "_$".contains(c))
    };
    let is_camel = class.starts_with(|c: char| c.is_ascii_uppercase())
        && class.contains(|c: char| c.is_ascii_lowercase());
    let fails = FAILURES
        .iter()
        .any(|end| class.ends_with(end) && class.len() > end.len());
    let at_home = said && modules.iter().any(|module| HOMES.contains(module));
    let of_ruby = said
        && mark == Some("::")
        && modules
            .iter()
            .all(|part| part.starts_with(|c: char| c.is_ascii_uppercase()));
    parts.iter().all(is_word) && is_camel && (fails || at_home || of_ruby)
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
            assert!(files(told).next().is_some(), "{told}");
        }
        for innocent in [
            "see https://example.org/usr/lib/index.js",
            "expected a date such as 17/05/2024",
            "either/or",
            "no book at /books/7",
            "the path / is empty",
            "//cdn.example.org/app.js",
        ] {
            assert_eq!(files(innocent).next(), None, "{innocent}");
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
            assert!(sql(told), "{told}");
        }
        for innocent in [
            "Select a book from the list",
            "the update is set",
            "a book of this title exists already",
            "Duplicate entry",
            "unknown column 'isbn' of the sheet",
        ] {
            assert!(!sql(innocent), "{innocent}");
        }
    }

    #[test]
    fn frames_are_known_by_name_and_look() {
        assert!(stack("stacktrace", "    at Object.books (/app/index.js:3:12)").is_some());
        assert!(stack("message", "Traceback (most recent call last)\n  File \"x\"").is_some());
        assert!(stack("trace", "4bf92f3577b34da6a3ce929d0e0e4736").is_none());
        assert!(stack("message", "meet me at Paris").is_none());
    }

    #[test]
    fn exceptions_are_known_by_the_modules_that_they_are_of() {
        for told in [
            "sqlalchemy.exc.IntegrityError: 1 row",
            "nested exception is java.sql.SQLException: closed",
            "(PG::UniqueViolation) key exists",
            "ActiveRecord::RecordNotFound: Couldn't find Book",
            "psycopg2.errors.NotNullViolation: null",
            "django.core.exceptions.ObjectDoesNotExist: no",
            "System.ArgumentNullException: Value cannot be null.",
            "org.springframework.web.bind.MissingServletRequestParameterException",
            "Illuminate\\Database\\QueryException: no",
        ] {
            assert!(exception(told).is_some(), "{told}");
        }
        for innocent in [
            "ValidationError: title is required",
            "Key: 'Book.Title' Error:Field validation for 'Title' failed",
            "value_error.any_str.max_length",
            "errors.title.blank: must be given",
            "Invalid title.Error: it is too long",
            "fe80::A1b: no such host",
            "see https://example.org/errors/books.TitleError: x",
            "urn:problem:com.example.books.TitleException",
            "com.amazon.coral.validate#ValidationException",
            "books.TitleError",
            "application/vnd.books.v1+json: not acceptable",
            "Genre::Novel is unknown",
            "at 10:30",
        ] {
            assert_eq!(exception(innocent), None, "{innocent}");
        }
    }
}
