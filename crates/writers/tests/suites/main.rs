//! What is written of suites: as before, and safe whatever their texts hold.

mod golden;
mod hostile;
mod hurl;
mod lexers;
mod phpunit;
mod rust;
mod shell;
