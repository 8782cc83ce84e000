//! The writers by the names that people use.

use fossick_suite::Suite;
use fossick_writers::{File, Manner};

/// Who writes a suite.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Writer {
    /// The neutral form, which `fossick replay` runs.
    Json,
}

const ALL: [(&str, Writer); 1] = [("json", Writer::Json)];

impl Writer {
    pub(crate) fn named(name: &str) -> Option<Self> {
        let found = ALL.iter().find(|(known, _)| *known == name);
        found.map(|(_, writer)| *writer)
    }

    pub(crate) fn names() -> impl Iterator<Item = &'static str> {
        ALL.iter().map(|(name, _)| *name)
    }

    /// What to type to run what was written.
    pub(crate) fn how_to_run(self) -> &'static str {
        match self {
            Self::Json => "fossick replay FOLDER",
        }
    }

    pub(crate) fn write(self, suite: &Suite, _manner: &Manner) -> Vec<File> {
        match self {
            Self::Json => {
                let text = serde_json::to_string_pretty(suite).unwrap_or_default();
                vec![File::new("suite.json", text + "\n")]
            }
        }
    }
}
