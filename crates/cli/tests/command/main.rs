//! x
mod determinism;
mod program;
mod report;
