//! Which plan comes next: `propose`, then `learn`.
//!
//! The search never waits and never sends. It proposes plans, is told what became of them in the
//! order in which it proposed them, and keeps everything it knows in plain data, so that the same
//! seed and the same answers give the same run however many calls were under way at once.

mod agenda;
mod anew;
mod archive;
mod asks;
mod beforehand;
mod builder;
mod cleanup;
mod contrast;
mod coverage;
mod deviations;
mod doubts;
mod edges;
mod elsewhere;
mod evolved;
mod fresh;
mod global_keys;
mod handlings;
mod hear;
mod inside;
mod kin;
mod knowledge;
mod learn;
mod listed;
mod lists;
mod lives;
mod meet;
mod missing;
mod origins;
mod pages;
mod pairs;
mod piecewise;
mod places;
mod preludes;
mod proposal;
mod ranges;
mod recipes;
mod relations;
mod replays;
mod risk;
mod rpg;
mod rules;
mod scalars;
mod schedule;
mod search;
mod seeds;
mod shares;
mod shrink;
mod slow;
mod sour;
mod stories;
mod strangers;
mod tasks;
mod told;
mod twins;
mod unique;
mod walk;
mod watched;
mod ways;
mod whole;

pub use archive::{
    Archive, Archived, borrowed, borrows, is_an_item, targets_of, targets_of_script,
};
pub use origins::{Leftover, Provenance, Standing};
pub use proposal::{Proposal, Rule, Twice, Use, Way};
pub use risk::{Risk, risk_of};
pub use rpg::RpgSettings;
pub use search::{Search, Settings, Strategy};
pub use seeds::{Sown, Unfit, teach};
pub use shrink::Shrinker;
pub use told::says_taken;
pub use whole::Whole;
