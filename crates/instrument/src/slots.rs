//! The places in a file that tell something, numbered.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// A place in the source. Those of kind `Silent` are no targets: they tell what was looked for, and
/// have a number so that they can be hushed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Target {
    /// Of the original sources, which; 0 where there is no source map.
    pub source: u32,
    pub line: u32,
    pub column: u32,
    pub kind: Kind,
    /// Which of several of a kind on one line.
    pub ordinal: u32,
    /// For people.
    pub label: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    Line,
    True,
    False,
    Call,
    Method,
    Silent,
}

impl Kind {
    /// The number that the protocol has for it; that of `Silent` is none of it.
    pub(crate) fn number(self) -> u8 {
        match self {
            Self::Silent => 255,
            other => other as u8,
        }
    }
}

/// How the parts of a condition are joined; each part is the number of its true side.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Tree {
    Part(u32),
    And(Box<Tree>, Box<Tree>),
    Or(Box<Tree>, Box<Tree>),
    Not(Box<Tree>),
    /// A part that is not measured.
    Dark,
}

/// Where something stands in the user's own source.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Place {
    pub(crate) source: u32,
    pub(crate) line: u32,
    pub(crate) column: u32,
}

#[derive(Debug, Default)]
pub(crate) struct Slots {
    pub(crate) all: Vec<Target>,
    ordinals: BTreeMap<(u32, u32, Kind), u32>,
}

impl Slots {
    pub(crate) fn add(&mut self, place: Place, kind: Kind, label: &str) -> u32 {
        let ordinals = self.ordinals.entry((place.source, place.line, kind));
        let next = ordinals.or_insert(0);
        let ordinal = *next;
        *next += 1;
        self.all.push(Target {
            source: place.source,
            line: place.line,
            column: place.column,
            kind,
            ordinal,
            label: label.to_owned(),
        });
        self.all.len() as u32 - 1
    }
}
