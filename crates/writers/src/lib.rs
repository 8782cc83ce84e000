//! Suites as files of test frameworks.
//!
//! Each framework has a folder of its own that renders a [`fossick_suite::Suite`] and nothing
//! else. All text is hostile: it came from the answers of a service, and nothing in it may leave
//! the literal, comment or file name that it stands in.

mod arrange;
mod file;
pub mod hurl;
pub mod junit;
mod names;
mod number;
mod page;
pub mod phpunit;
mod prose;
pub mod rust;
pub mod shell;
mod turned;
mod variables;
mod wrap;

pub use file::{Faults, File, Manner};
