//! From a call that went by to a batch that is kept: copies, a bounded queue, one thread.

mod budget;
mod copy;
mod entry;
mod keep;
mod note;
mod queue;
mod recorder;
mod writer;

pub(crate) use copy::{Copied, Copy};
pub(crate) use entry::{Ack, Entry};
pub use keep::{Keep, Kept};
pub(crate) use note::{Note, Sent};
pub(crate) use queue::Queue;
pub use recorder::Recorder;
