//! Real traffic: what of it is kept, and what is made of it.
//!
//! Somebody else sees calls go by (a proxy, a log, a middleware) and says so as [`Seen`]. What of
//! it is worth keeping, without secrets and in one form, is a [`Sighting`]; a store adds sightings
//! of the same [`Call`] up to a [`Record`]. Records become tests, figures, seeds and answers to
//! the question what a new schema would break. Nothing here opens a file or a socket.

mod call;
pub mod drift;
pub mod import;
mod intake;
pub mod metrics;
mod privacy;
pub mod promise;
mod recent;
mod record;
pub mod seeds;
mod seen;
mod sessions;
pub mod suite;
pub mod tuples;

pub use call::{Call, Content, GraphQlCall, Key, RestCall};
pub use intake::{Intake, IntakeSettings, Limits, NotAManifest, Skipped, Taken, read_manifest};
pub use privacy::Privacy;
pub use record::{Flow, How, Record, Redaction, Sighting, Statuses, Took};
pub use seen::{Answered, Seen};
