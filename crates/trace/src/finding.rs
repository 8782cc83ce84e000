//! What is thought to be wrong.

use std::fmt;

use serde::{Deserialize, Serialize};

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
    /// One line: `500 when limit = 97`.
    pub title: String,
    /// Why it is wrong, with what was promised.
    pub why: String,
    /// What makes it this fault and no other, within its code and operation: `500 query limit`,
    /// `/priority type`.
    pub mark: String,
    /// Findings of one code with equal cause are told together, whatever their operations.
    pub cause: String,
}

impl Finding {
    /// The same fault has the same fingerprint in every run.
    pub fn fingerprint(&self) -> String {
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
