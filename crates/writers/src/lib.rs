//! Suites as files of test frameworks.
//!
//! Each framework has a folder of its own that renders a [`fossick_suite::Suite`] and nothing
//! else. All text is hostile: it came from the answers of a service, and nothing in it may leave
//! the literal, comment or file name that it stands in.

mod file;

pub use file::{Faults, File, Manner};
