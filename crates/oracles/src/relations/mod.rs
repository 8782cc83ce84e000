//! Answers that do not go together, though each may look right by itself.
//!
//! Lists change while others work: whatever compares two of them does so only between two equal
//! looks at the same list, with nothing written in between.

pub(crate) mod disagree;
pub(crate) mod filter;
pub(crate) mod foreign_child;
pub(crate) mod larger;
mod look;
mod page_count;
pub(crate) mod pages;
mod sightings;
pub(crate) mod sort;
pub(crate) mod tally;
