//! Why a store could not do what it was asked to, and what to do about it.

use std::path::PathBuf;

use fossick_harvest::Key;
use thiserror::Error;

/// Places are told as they may be shown: without a password.
#[derive(Debug, Error)]
pub enum StoreError {
    #[error("there is no store at {place}: record or import calls first")]
    Missing { place: String },
    #[error("the folder {} does not exist: make it, or name another place", folder.display())]
    NoFolder { folder: PathBuf },
    #[error("{place} is not a store of fossick: {why}. It was left as it is; name another place")]
    NotAStore { place: String, why: String },
    #[error(
        "{place} was written by a newer fossick: its format is {found}, this one knows up to \
         {known}. Please update fossick"
    )]
    Newer {
        place: String,
        found: u32,
        known: u32,
    },
    #[error("{place} is being written by others and did not become free: try again")]
    Busy { place: String },
    #[error("{place} was moved or removed while it was in use: open it again")]
    Gone { place: String },
    #[error("{place} was opened for reading only")]
    ReadOnly { place: String },
    #[error("the record {key} of {place} can't be read: {why}")]
    Unreadable {
        place: String,
        key: Key,
        why: String,
    },
    /// What may be over soon: a lost connection, a server that restarts.
    #[error("{place} can't be reached: {why}")]
    Unreachable { place: String, why: String },
    #[error("failed to {doing} {place}: {why}")]
    Failed {
        doing: &'static str,
        place: String,
        why: String,
    },
}

impl StoreError {
    /// Whether the same may work later, without anybody doing anything. A batch that failed so may
    /// be in the store or not; under its old name it can be added again safely.
    pub fn may_pass(&self) -> bool {
        matches!(self, Self::Busy { .. } | Self::Unreachable { .. })
    }
}
