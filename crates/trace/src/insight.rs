//! What a probe inside the service says of one call.

use std::fmt;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

/// What one call did inside the service. Empty where there is no probe.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Insight {
    /// Targets by their numbers, and how near the call came in [0, 1].
    pub reached: Vec<(u32, f64)>,
    /// The last line of the user's own source that it ran.
    pub last_line: Option<SourceLine>,
    /// Exceptions that left a function of the user's own, the last ones.
    pub failures: Vec<Raised>,
    pub observations: Vec<Observation>,
    /// Tables of a database that it touched.
    pub tables: Vec<String>,
}

/// A line of the service's source.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct SourceLine {
    pub file: Arc<str>,
    pub line: u32,
}

impl fmt::Display for SourceLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.file, self.line)
    }
}

/// An exception that left a function of the user's own code.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Raised {
    /// The name of its type.
    pub exception: String,
    pub message: String,
    /// The innermost line of the user's own in its stack.
    pub place: SourceLine,
}

impl fmt::Display for Raised {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} at {}", self.exception, self.place)
    }
}

/// Something that the service did with a value, which may be an input.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Observation {
    /// The branch or method that was deciding.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub target: Option<u32>,
    #[serde(flatten)]
    pub what: Observed,
}

/// The probe does not know which side is an input; the tool finds the values that it sent.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Observed {
    Equal(Scalar, Scalar),
    Order(Scalar, Scalar),
    /// The text was tested for beginning with the part.
    Prefix(String, String),
    Suffix(String, String),
    Contains(String, String),
    /// Equality that ignores case.
    Same(String, String),
    /// Looked up among these.
    Member(Scalar, Vec<Scalar>),
    Pattern {
        text: String,
        pattern: String,
        /// Of `imsx`.
        flags: String,
        how: Matching,
    },
    Parse {
        text: String,
        /// `integer`, `real`, `date`, `json`, `base64`, …
        kind: String,
        /// In the notation of C's strftime, where there is one.
        format: String,
        worked: bool,
    },
    /// Looked for by name.
    Read {
        from: ReadFrom,
        name: String,
        found: bool,
        /// Names that are there.
        beside: Vec<String>,
    },
}

/// How much of a text a pattern has to match.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Matching {
    Anywhere,
    FromStart,
    Whole,
}

impl Matching {
    pub const ALL: [Self; 3] = [Self::Anywhere, Self::FromStart, Self::Whole];
}

/// Where something was looked for by name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ReadFrom {
    Header,
    Query,
    Cookie,
    Form,
    Key,
}

impl ReadFrom {
    pub const ALL: [Self; 5] = [
        Self::Header,
        Self::Query,
        Self::Cookie,
        Self::Form,
        Self::Key,
    ];
}

/// Whole numbers apart, since an identifier that lost its last digit is worth nothing.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Scalar {
    Text(String),
    Whole(i64),
    Real(f64),
    Boolean(bool),
    Null,
    /// A date, a time or both, in ISO 8601.
    Moment(String),
}
