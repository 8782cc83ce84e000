//! Suites as files of test frameworks.
//!
//! Each framework has a folder of its own that renders a [`fossick_suite::Suite`] and nothing
//! else. All text is hostile: it came from the answers of a service, and nothing in it may leave
//! the literal, comment or file name that it stands in.

mod arrange;
mod file;
mod hex;
pub mod hurl;
pub mod jest;
mod json;
pub mod junit;
mod layout;
mod letters;
mod names;
mod number;
mod page;
mod parts;
pub mod phpunit;
mod prose;
pub mod pytest;
pub mod rust;
mod schemas;
mod scope;
pub mod shell;
mod turned;
mod variables;
mod wrap;

pub mod postman;
pub use file::{Faults, File, Manner};
