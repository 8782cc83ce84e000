//! The report for people, as text for a terminal.
//!
//! Quiet when all is well, exact when it is not: a cause is told once, with the shortest way to
//! see it and the next command to type. Whatever the service said is made harmless before it is
//! shown. Commands are never broken into lines, so that they can be copied.

mod coverage;
mod findings;
mod folded;
mod heading;
mod progress;
mod steps;
mod summary;
mod table;

pub use findings::{findings, new_finding_line};
pub use heading::{Heading, heading};
pub use progress::{Progress, progress, progress_plain};
pub use summary::summary;
pub use table::operations_table;

use fossick_trace::Severity;

use crate::style::Tone;

fn tone_of(severity: Severity) -> Tone {
    match severity {
        Severity::High => Tone::Red,
        Severity::Medium => Tone::Yellow,
        Severity::Low => Tone::Dim,
    }
}

fn tone_of_status(status: Option<u16>) -> Tone {
    match status.map(|status| status / 100) {
        Some(2) => Tone::Green,
        Some(1 | 3) => Tone::Cyan,
        Some(4) => Tone::Yellow,
        _ => Tone::Red,
    }
}
