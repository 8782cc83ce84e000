//! What a run is written as: JSON, JUnit and formats of coverage for machines, text for people.
//!
//! Values in, strings out: nothing here prints, reads a clock or touches a disk. A report never
//! decides what is wrong or what matters most; it takes a [`Run`](fossick_trace::Run) whose
//! findings are already ranked and only chooses how to say it.
//!
//! Secrets are taken out once, before anything is written: pass the run through [`redacted`] and
//! give the result to the renderers. Headers that carry credentials are masked by every renderer
//! all the same, so that a forgotten call costs less.

mod captures;
mod cases;
mod causes;
mod cobertura;
mod curl;
mod graphql;
mod json;
mod junit;
mod layout;
mod lcov;
mod lines;
mod metrics;
mod plain;
mod redact;
mod slug;
mod style;
mod terminal;
mod wording;

pub use cases::ready;
pub use cobertura::cobertura;
pub use curl::{curl, curl_with_credentials};
pub use fossick_suite::shell::quote;
pub use json::{FORMAT_VERSION, json};
pub use junit::junit;
pub use lcov::lcov;
pub use plain::{clean, one_line};
pub use redact::{is_credential, redact, redacted, redacted_graph};
pub use slug::slug;
pub use style::Style;
pub use terminal::{
    Heading, Progress, findings, heading, new_finding_line, operations_table, progress,
    progress_plain, summary,
};

/// Version of the tool, as every report states it.
pub const TOOL_VERSION: &str = env!("CARGO_PKG_VERSION");

/// A seed as people see it and may type it again.
pub fn seed_text(seed: u64) -> String {
    format!("{seed}")
}
