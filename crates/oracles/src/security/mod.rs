//! The service lets through whom it should not.

pub(crate) mod authentication_ignored;
pub(crate) mod internals_told;
mod leaks;
pub(crate) mod mutation_by_get;
