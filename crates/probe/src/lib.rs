//! How a service under test tells what a call reached.
//!
//! A small probe inside the service numbers its targets (lines, sides of branches, …) and listens
//! on a socket; the tool says when a call begins and ends and hears which targets it reached and
//! how nearly. [`Message`] is what passes between them, [`encode`] and [`Decoder`] its bytes, as
//! `probes/protocol/README.md` specifies them. [`Line`] is the tool's end, [`Recorder`] the
//! service's. What a target is worth, and which call comes next, is for others to say.

mod catalogue;
#[cfg(unix)]
mod coverage;
mod decode;
#[cfg(unix)]
mod door;
mod encode;
mod frame;
#[cfg(unix)]
mod hub;
#[cfg(unix)]
mod line;
mod message;
mod read;
mod recorder;
mod seen;
#[cfg(unix)]
mod serve;
mod value;

pub use catalogue::{Catalogue, LARGEST_CATALOGUE};
#[cfg(unix)]
pub use coverage::coverage;
pub use decode::Decoder;
pub use encode::encode;
pub use frame::{FrameError, LONGEST_FRAME, LONGEST_TEXT};
#[cfg(unix)]
pub use hub::{Hub, Known};
#[cfg(unix)]
pub use line::{Line, LineError};
pub use message::{
    Delta, Descriptor, Hello, Kind, Matching, Message, Observation, Observed, Raised, ReadFrom,
    Register, Scalar, SourceLine, Sql, VERSION,
};
pub use recorder::{Bound, Recorder, Unbound};
pub use seen::Seen;
#[cfg(unix)]
pub use serve::Serving;
pub use value::Value;
