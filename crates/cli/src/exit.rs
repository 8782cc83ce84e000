//! Exit codes. They are part of the interface: scripts rely on them.

use std::fmt;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Exit {
    /// Nothing found; for `replay`: the fault is gone.
    Clean = 0,
    /// Findings; for `replay`: still there.
    Findings = 1,
    /// Something is wrong with the command line, the configuration or the document.
    Usage = 2,
    /// The service can't be reached, or was lost on the way.
    Unreachable = 3,
    /// A replay could not be set up: nothing can be said.
    SetUpFailed = 4,
    /// Interrupted; everything so far is written.
    Interrupted = 130,
}

/// An error that is the world's and not the user's: it has its own exit code.
#[derive(Debug)]
pub(crate) struct Unreachable(pub(crate) String);

impl fmt::Display for Unreachable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Unreachable {}
