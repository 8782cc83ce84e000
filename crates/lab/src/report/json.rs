//! The report as JSON, for other programs.

use serde::Serialize;

use super::Report;

/// Raised when a field changes its meaning or goes away, not when one is added.
pub const FORMAT_VERSION: u32 = 1;

#[derive(Serialize)]
struct Versioned<'a> {
    version: u32,
    #[serde(flatten)]
    report: &'a Report,
}

impl Report {
    /// Indented, with the version of the format first.
    pub fn json(&self) -> String {
        let versioned = Versioned {
            version: FORMAT_VERSION,
            report: self,
        };
        let text =
            serde_json::to_string_pretty(&versioned).expect("a report is texts, numbers and lists");
        text + "\n"
    }
}
