//! What a team keeps: from the archive of a run to a suite.
//!
//! Every test of the archive is run again, to see all that it reaches; what the run reached and no
//! test reaches now is looked for with variants of them. The fewest that keep every target stay;
//! each is made as short as it can be, those about one thing are joined, and then the whole suite
//! is run three times, forwards and backwards: what differs between the runs, or depends on what
//! other tests left behind, shows. Tests that waver are left out and told, and others take their
//! places.
//!
//! A [`Minimiser`] never waits and never sends. Like the search it is asked and told: `propose`
//! gives the next script to run, `learn` hears what came of it, and `spend` says how much of the
//! time is used, for there is no clock here either.
//!
//! It stands apart from `suite`, which is all that writers and `harvest` need: this needs plans,
//! oracles and the search's shrinker, and the search stands above `harvest`.

mod absence;
mod candidate;
mod choose;
mod condense;
mod context;
mod guests;
mod join;
mod kept;
mod look;
mod measure;
mod minimiser;
mod passes;
mod promised;
mod recover;
mod shorten;
#[cfg(test)]
mod testing;
mod trial;
mod writing;

pub use context::Settings;
pub use kept::{Kept, Wavering};
pub use minimiser::{Fault, Found, Minimiser};
pub use trial::Trial;
