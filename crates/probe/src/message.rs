//! What is said between the tool and a probe, as plain data.
//!
//! How it is written is said in `encode`, in which order it is said in `probes/protocol`.

use std::fmt;
use std::sync::Arc;

pub use fossick_trace::{Matching, Observation, Observed, Raised, ReadFrom, Scalar, SourceLine};
use serde::{Deserialize, Serialize};

use crate::value::Value;

/// The version of the messages that this crate speaks.
pub const VERSION: u32 = 3;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Message {
    Hello(Hello),
    Register(Register),
    Begin {
        call: u64,
    },
    End {
        call: u64,
    },
    Delta(Delta),
    /// Targets that need not be told any more.
    Covered {
        ids: Vec<u32>,
    },
    Reset,
    Sql(Sql),
    Ping,
    Pong,
    Bye,
    Error {
        text: String,
    },
}

/// Who speaks. The tool begins, the probe answers in kind.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Hello {
    pub language: String,
    pub process_id: u32,
    pub version: u32,
    /// Folders that hold the user's own source.
    pub roots: Vec<String>,
    /// What the probe can tell, in words such as `lines`, `branches`, `observations`, `header`.
    pub abilities: Vec<String>,
}

impl Hello {
    /// This process, in the version of this crate.
    pub fn of(language: &str, abilities: &[&str]) -> Self {
        Self {
            language: language.to_owned(),
            process_id: std::process::id(),
            version: VERSION,
            roots: Vec::new(),
            abilities: abilities.iter().map(|word| (*word).to_owned()).collect(),
        }
    }
}

/// Targets with their numbers: the first has `first_id`, each other one more than the one before.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Register {
    pub first_id: u32,
    pub descriptors: Vec<Descriptor>,
}

/// What a target is. Numbers are given anew in each process; this is what stays.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Descriptor {
    pub file: Arc<str>,
    pub line: u32,
    pub kind: Kind,
    /// Which of several of a kind on one line.
    pub ordinal: u32,
    /// For people.
    pub label: String,
}

impl Descriptor {
    /// The same for the same place in the source, in any process.
    pub fn key(&self) -> String {
        let Self {
            file,
            line,
            kind,
            ordinal,
            ..
        } = self;
        format!("{file}:{line}:{kind}:{ordinal}")
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    Line,
    BranchTrue,
    BranchFalse,
    /// Half for a call that was entered, the whole for one that returned.
    Call,
    /// A method that compares: equality, prefix, pattern, parsing.
    Method,
    Exception,
}

impl Kind {
    pub(crate) const ALL: [Self; 6] = [
        Self::Line,
        Self::BranchTrue,
        Self::BranchFalse,
        Self::Call,
        Self::Method,
        Self::Exception,
    ];
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Line => "line",
            Self::BranchTrue => "true",
            Self::BranchFalse => "false",
            Self::Call => "call",
            Self::Method => "method",
            Self::Exception => "exception",
        })
    }
}

/// What a call reached.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Delta {
    pub call: u64,
    /// Targets that are not covered yet, ascending, each with the best value of this call.
    pub hits: Vec<(u32, Value)>,
    /// The last line of the user's own source that the call ran.
    pub last_line: Option<SourceLine>,
    /// Exceptions that left a function of the user's own, the last ones.
    pub failures: Vec<Raised>,
    /// What the call's values were compared with.
    pub observations: Vec<Observation>,
    /// The service is gone; the tool writes this into the answer that no longer came.
    pub died: bool,
}

impl Delta {
    pub fn died(call: u64) -> Self {
        Self {
            call,
            died: true,
            ..Self::default()
        }
    }

    /// How nearly the call reached a target.
    pub fn value(&self, id: u32) -> Value {
        let found = self.hits.binary_search_by_key(&id, |(id, _)| *id);
        let hit = found.ok().and_then(|at| self.hits.get(at));
        hit.map_or(Value::NONE, |(_, value)| *value)
    }
}

/// A statement that a call sent to a database.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Sql {
    pub call: u64,
    pub statement: String,
    pub parameters: Vec<String>,
    /// Rows found or changed.
    pub rows: u64,
    pub tables: Vec<String>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_made_of_place_kind_and_ordinal() {
        let descriptor = Descriptor {
            file: "shop/app.py".into(),
            line: 12,
            kind: Kind::BranchFalse,
            ordinal: 1,
            label: "if total > 0".to_owned(),
        };
        assert_eq!(descriptor.key(), "shop/app.py:12:false:1");
    }

    #[test]
    fn a_target_that_is_not_told_was_not_reached() {
        let delta = Delta {
            hits: vec![(3, Value::FULL), (9, Value::new(0.5))],
            ..Delta::default()
        };
        assert_eq!(delta.value(3), Value::FULL);
        assert_eq!(delta.value(4), Value::NONE);
    }
}
