//! Services that are started, waited for, restarted and ended.
//!
//! A service runs in a process group of its own, so whatever it starts ends with it. A second,
//! tiny process holds a pipe from us: when that closes, however we ended, it ends the group. So
//! neither Ctrl-C nor a kill leaves anything behind.

#![cfg(unix)]

mod failure;
mod launch;
mod log;
mod port;
mod program;
mod ready;
mod service;

pub use failure::Failure;
pub use launch::{Launch, What};
pub use log::Log;
pub use port::{PORT, fill, free_port, is_free};
pub use program::Program;
pub use ready::Ready;
pub use service::Service;
