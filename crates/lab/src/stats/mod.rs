//! The statistics that a comparison of randomised searches needs, and no more.
//!
//! Two samples are compared by the Mann–Whitney–Wilcoxon U test and the Vargha–Delaney effect
//! size, many strategies over many services by the Friedman test: none of them believes that
//! results are normally distributed, because those of a search seldom are. Values are expected
//! to be finite; others are ordered somehow and never cause a panic.

mod friedman;
mod gamma;
mod mann_whitney;
mod ranks;
mod summary;

pub use friedman::{Friedman, friedman};
pub use gamma::{chi_square_survival, normal_survival};
pub use mann_whitney::{MannWhitney, a12, mann_whitney};
pub use ranks::{average_ranks, ranks};
pub(crate) use summary::places;
pub use summary::{Summary, deviation, mean, median, quantile};

#[cfg(test)]
mod tests;
