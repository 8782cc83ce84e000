//! A finding on its way from seen to reported.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::{Episode, Finding};

/// A finding with everything that became known of it: it is seen, shrunk, replayed, grouped with
/// others of its cause, and named for the reader, in this order.
#[derive(Debug, Clone)]
pub struct Case {
    pub finding: Finding,
    /// The shortest way to see it, as it was last seen.
    pub episode: Arc<Episode>,
    /// How often it was seen in the run.
    pub seen: u64,
    /// Number of calls before shrinking.
    pub shrunk_from: usize,
    /// How often it came back, of how many replays.
    pub replays: (u32, u32),
    /// What it needs besides its own calls.
    pub basis: Basis,
    /// Other operations with the same cause: fingerprint and label of each.
    pub also: Vec<(String, String)>,
    /// The last lines that the service printed meanwhile, where that is known.
    pub log: Vec<String>,
    /// The service's source around the line that raised the exception: numbers and texts.
    pub source: Vec<(u32, String)>,
    /// How a reader finds it again, once it is reported.
    pub names: Names,
}

/// What a case rests on besides its own calls.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Basis {
    /// Nothing: it makes whatever it needs.
    #[default]
    Itself,
    /// It was seen on a service that had just begun anew.
    Fresh,
    /// Things that were there before the run: `bookId 7`.
    Seeds(Vec<String>),
    /// Things that other calls of the run made: it may not show elsewhere.
    Leftovers(Vec<String>),
}

impl Basis {
    /// Whether it will show on a freshly started service.
    pub fn is_sound(&self) -> bool {
        !matches!(self, Self::Leftovers(_))
    }
}

/// What a finding is called where people meet it.
#[derive(Debug, Clone, Default)]
pub struct Names {
    /// Name of the oracle, `server error`.
    pub oracle: String,
    /// One line for a shell that shows it again.
    pub curl: String,
    /// `fossick replay …`
    pub replay: String,
    /// Folder-safe name of its file, `F101-get-projects`.
    pub slug: String,
}

impl Case {
    /// A finding that was just seen.
    pub fn seen(finding: Finding, episode: Arc<Episode>) -> Self {
        Self {
            shrunk_from: episode.script.calls.len(),
            finding,
            episode,
            seen: 1,
            replays: (0, 0),
            basis: Basis::default(),
            also: Vec::new(),
            log: Vec::new(),
            source: Vec::new(),
            names: Names::default(),
        }
    }

    /// Came back every time it was replayed.
    pub fn came_back(&self) -> bool {
        let (came_back, of) = self.replays;
        of > 0 && came_back == of
    }

    /// Came back every time it was replayed, from nothing.
    pub fn is_confirmed(&self) -> bool {
        self.came_back() && self.basis.is_sound()
    }

    /// Findings of one cause are told together.
    pub fn is_of_cause(&self, other: &Self) -> bool {
        self.finding.code == other.finding.code && self.finding.cause == other.finding.cause
    }
}
