//! The loop: propose, run, judge, learn; and what keeps a run honest.
//!
//! Plans are proposed in rounds of a fixed size, run at once, and learned in the order in which
//! they were proposed: the same seed and the same answers give the same run with one worker or
//! with sixteen. Three rounds are under way at any time, so that thinking and waiting overlap.
//! Beside the loop, confirmers replay and shrink what was found. Nobody here decides what to send
//! or what is wrong; that is the search's and the oracles' business.

mod afresh;
mod budget;
mod candidates;
mod confirm;
mod confirmers;
mod figures;
mod flights;
mod guard;
mod hunt;
mod instances;
mod keep;
mod last;
mod lockout;
mod outcome;
mod printed;
mod probes;
mod pulse;
mod quiet;
mod rank;
mod recover;
mod replay;
mod rest;
mod revive;
mod runner;
mod tally;
mod voice;

pub use budget::Budget;
pub use fossick_minimise::{Kept, Wavering};
pub use hunt::{Hunt, Ignore, Settings};
pub use instances::Instance;
pub use keep::{Keeping, Reset};
pub use outcome::Outcome;
pub use printed::Printed;
pub use probes::{Probe, ProbeAt};
pub use replay::{Sought, Verdict, fresh_salt, replay};
pub use revive::Revive;
pub use runner::run;
pub use voice::{Event, State};
