//! What is thought to be wrong.

use std::fmt;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::Raised;

/// One thing that an oracle says of an episode.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Finding {
    /// Stable code of the oracle, `F101`.
    pub code: String,
    pub severity: Severity,
    pub sureness: Sureness,
    /// Label of the operation at fault.
    pub operation: String,
    /// The call that shows it.
    pub call: usize,
    /// Where it lies in the answer of that call.
    #[serde(default)]
    pub location: Location,
    #[serde(default)]
    pub evidence: Evidence,
    /// One line: `500 when limit = 97`.
    pub title: String,
    /// Why it is wrong, with what was promised.
    pub why: String,
    /// What makes it this fault and no other, within its code and operation: `500 query limit`,
    /// `/priority type`. Compared, never read.
    pub mark: String,
    /// Findings of one code with equal cause are told together, whatever their operations.
    pub cause: String,
}

/// Where a fault lies: what later stages go by, so that titles are for people alone.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Location {
    /// What came of the call: its status, or whether GraphQL gave data or errors.
    #[default]
    Outcome,
    MediaType,
    Header(String),
    /// A value in the body.
    Body {
        /// JSON pointer from the root of the body; `*` is any item of a list.
        path: String,
        wrong: Wrong,
    },
    /// The text of an error.
    Message,
    /// How many items a list has.
    List,
    /// A value that a write should have changed, or should have left as it was.
    State {
        /// JSON pointer below the thing, wherever the thing stands in the body.
        path: String,
    },
}

/// What is wrong with a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Wrong {
    /// It is not there.
    Missing,
    /// It is of another type.
    Type,
    /// Its type is right, and it is wrong all the same.
    Value,
}

/// What a finding rests on.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Evidence {
    /// The value or text that is wrong.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub got: Option<Value>,
    /// The place in the schema, or the resolver, that promises something else.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub promised: Option<String>,
    /// Other calls that it takes to see it: the write, the look before it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub calls: Vec<usize>,
    /// The exception behind it, where a probe saw one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub raised: Option<Raised>,
}

/// How much of what was seen ends when a fault is mended.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Extent {
    /// The whole answer of the call that shows it.
    #[default]
    Answer,
    /// One value of an answer that is right otherwise.
    Value,
    /// The answers of all calls that it takes to see it.
    Every,
}

impl Extent {
    /// The usual case, which need not be written down.
    pub fn is_whole(&self) -> bool {
        *self == Self::Answer
    }
}

impl Finding {
    /// The same fault has the same fingerprint in every run. Where a probe saw the exception, the
    /// line that raised it tells faults apart, and not what provoked it.
    pub fn fingerprint(&self) -> String {
        match &self.evidence.raised {
            Some(raised) => fingerprint(&[&self.code, &self.operation, &raised.to_string()]),
            None => self.seen_from_outside(),
        }
    }

    /// Whether two findings are of one fault, also where only one of them was seen by a probe.
    pub fn is_of_fault(&self, other: &Self) -> bool {
        match (&self.evidence.raised, &other.evidence.raised) {
            (Some(_), Some(_)) | (None, None) => self.fingerprint() == other.fingerprint(),
            _ => self.seen_from_outside() == other.seen_from_outside(),
        }
    }

    /// The fingerprint that it has where no probe looks inside.
    pub fn seen_from_outside(&self) -> String {
        fingerprint(&[&self.code, &self.operation, &self.mark])
    }
}

/// A short, stable name for some text.
pub fn fingerprint(parts: &[&str]) -> String {
    // FNV-1a, spelt out: a library hash may change, and a fingerprint outlives compilers.
    let mut hash: u64 = 0xcbf2_9ce4_8422_2325;
    for byte in parts.iter().flat_map(|part| part.bytes().chain([0x1f])) {
        hash ^= u64::from(byte);
        hash = hash.wrapping_mul(0x0000_0100_0000_01b3);
    }
    format!("{hash:016x}")
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    Low,
    Medium,
    High,
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Low => "low",
            Self::Medium => "medium",
            Self::High => "high",
        })
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Sureness {
    /// May well be meant so.
    Perhaps,
    Likely,
    /// By the document or by HTTP itself.
    Sure,
}

impl fmt::Display for Sureness {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Perhaps => "perhaps",
            Self::Likely => "likely",
            Self::Sure => "sure",
        })
    }
}
