//! Rust services: how the compiler is made to add counters, and what they count.
//!
//! Cargo calls us in place of the compiler ([`Compiler`]) for the packages of the user's own
//! workspace. We call the compiler with flags that make it add calls at blocks and comparisons, and
//! link the carried probe. A linked program is read back ([`mapped`]): calls that are not in the
//! user's own code are taken out again, so that they cost nothing, and a map tells the probe which
//! lines and conditions the rest are. All this is done once, when the service is built, so that it
//! starts as fast as ever. Knows nothing of sockets and calls; that is the probe's.

mod callee;
mod compiler;
mod condition;
mod image;
mod library;
mod map;
mod mapped;
mod patch;
mod source;

pub use compiler::{Compiler, Places, is_compiler};
pub use mapped::{MapError, mapped};
