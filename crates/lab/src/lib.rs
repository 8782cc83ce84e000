//! Experiments: strategies × services × seeds × budgets, and what their results say.
//!
//! A lab file becomes an [`Experiment`]; an experiment becomes [`Cell`]s; a cell that somebody ran
//! becomes a [`Record`]; records become a [`Report`] and [`Charts`]. Texts in, texts out: nothing
//! here starts a service, reads a clock or touches a disk, so that every number of a report can be
//! made again from the results file alone.
//!
//! The formulas of [`stats`] are written out by hand because they are few and small, and are held
//! to reference values by their tests.

mod cell;
pub mod chart;
mod experiment;
mod place;
mod progress;
mod read;
mod record;
pub mod report;
mod service;
pub mod stats;
mod strategy;
mod sweep;

pub use cell::{Cell, missing};
pub use chart::{Charts, charts};
pub use experiment::{Better, Comparison, Experiment, Metric};
pub use place::LabError;
pub use progress::progress;
pub use record::{Record, Records};
pub use report::{Report, tables};
pub use service::{Demo, External, Service, ServiceKind, Synth};
pub use strategy::Strategy;

#[cfg(test)]
mod sample;
