//! What could not be read, and where it stands.

use std::fmt;
use std::io;

/// One call is lost, and only that; unless the file itself can't be read on.
#[derive(Debug, thiserror::Error)]
#[error("{place}: {why}")]
pub struct NotReadable {
    pub place: Place,
    pub why: Why,
}

/// Lines, columns and entries are counted from one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Place {
    Line(u64),
    Column {
        line: u64,
        column: u64,
    },
    /// Of a list of calls, and the line it begins on.
    Entry {
        entry: u64,
        line: u64,
    },
    /// Of a collection, with the folders that it lies in.
    Item(String),
    Whole,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Line(line) => write!(f, "line {line}"),
            Self::Column { line, column } => write!(f, "line {line}, column {column}"),
            Self::Entry { entry, line } => write!(f, "entry {entry} (line {line})"),
            Self::Item(name) => write!(f, "request `{name}`"),
            Self::Whole => f.write_str("the file"),
        }
    }
}

#[derive(Debug, thiserror::Error)]
pub enum Why {
    #[error("failed to read on: {0}")]
    Io(#[from] io::Error),
    #[error("longer than {0} bytes; allow more, or leave such bodies out of the file")]
    TooLong(usize),
    #[error("not as JSON should be: {0}")]
    Json(String),
    #[error("ends in the middle")]
    CutShort,
    #[error("has no {0}, where the calls should be")]
    NoList(&'static str),
    #[error("tells no address: it needs `target`, `url` or, for GraphQL, `query`")]
    NoTarget,
    #[error("`{0}` is no time; RFC 3339 and seconds or milliseconds since 1970 are understood")]
    Time(String),
    #[error("{0} is not base64")]
    Base64(&'static str),
    #[error("the variable `{0}` has no value in the collection; give it one")]
    Variable(String),
    #[error("not an HTTP message: {0}")]
    Http(&'static str),
    #[error("not a block of GoReplay: its first line should be type, id and time")]
    Block,
}

impl NotReadable {
    pub(super) fn whole(why: Why) -> Self {
        Self {
            place: Place::Whole,
            why,
        }
    }
}

/// The reason alone: where it is, is told by the place.
pub(super) fn reason(error: &serde_json::Error) -> String {
    let told = error.to_string();
    match told.rfind(" at line ") {
        Some(end) => told.get(..end).unwrap_or_default().to_owned(),
        None => told,
    }
}
