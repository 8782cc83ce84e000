//! What is thought to be wrong.

use std::fmt;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{Raised, SourceLine};

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
    /// The last line of the service's own code that the failed call ran, where a probe saw no
    /// exception leave it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_line: Option<SourceLine>,
}

impl Evidence {
    /// Where in the service's own code it failed, if a probe saw that.
    pub fn place(&self) -> Option<&SourceLine> {
        let raised = self.raised.as_ref().map(|raised| &raised.place);
        raised.or(self.last_line.as_ref())
    }
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
    /// line that raised it tells faults apart, and not what provoked it; where it saw none, the
    /// last line that ran does so too.
    pub fn fingerprint(&self) -> String {
        match (&self.evidence.raised, &self.evidence.last_line) {
            (Some(raised), _) => fingerprint(&[&self.code, &self.operation, &raised.to_string()]),
            (None, Some(line)) => {
                let line = line.to_string();
                fingerprint(&[&self.code, &self.operation, &self.mark, &line])
            }
            (None, None) => self.seen_from_outside(),
        }
    }

    /// Whether two findings are of one fault, also where only one of them was seen by a probe.
    pub fn is_of_fault(&self, other: &Self) -> bool {
        match (self.evidence.place(), other.evidence.place()) {
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

#[cfg(test)]
mod tests {
    use super::*;

    fn failed(raised: Option<u32>, last_line: Option<u32>) -> Finding {
        let at = |line| SourceLine {
            file: "shop/orders.py".into(),
            line,
        };
        let raised = raised.map(|line| Raised {
            exception: "KeyError".into(),
            message: "'x'".into(),
            place: at(line),
        });
        let last_line = last_line.map(at);
        Finding {
            code: "F101".into(),
            severity: Severity::High,
            sureness: Sureness::Sure,
            operation: "GET /orders".into(),
            call: 0,
            location: Location::Outcome,
            evidence: Evidence {
                raised,
                last_line,
                ..Evidence::default()
            },
            title: String::new(),
            why: String::new(),
            mark: "500".into(),
            cause: String::new(),
        }
    }

    #[test]
    fn crashes_at_two_lines_are_two_faults() {
        let by_exception = [failed(Some(3), Some(9)), failed(Some(4), Some(9))];
        let by_last_line = [failed(None, Some(3)), failed(None, Some(4))];
        for [one, other] in [&by_exception, &by_last_line] {
            assert_ne!(one.fingerprint(), other.fingerprint());
            assert!(!one.is_of_fault(other));
        }
    }

    #[test]
    fn the_line_that_raised_it_goes_before_the_last_one() {
        let (one, other) = (failed(Some(3), Some(8)), failed(Some(3), Some(9)));
        assert_eq!(one.fingerprint(), other.fingerprint());
        assert_eq!(one.evidence.place().map(|it| it.line), Some(3));
    }

    #[test]
    fn what_no_probe_saw_is_known_again_from_outside() {
        let outside = failed(None, None);
        assert!(outside.is_of_fault(&failed(None, Some(3))));
        assert!(failed(Some(3), None).is_of_fault(&outside));
    }
}
