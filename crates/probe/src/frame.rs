//! The bounds of a frame, and what can be wrong with one.

use thiserror::Error;

/// Bytes of type and payload together. A probe with more to register says it in several frames.
pub const LONGEST_FRAME: usize = 4 << 20;

/// Bytes of one text. Nobody needs to know the rest of a longer statement.
pub const LONGEST_TEXT: usize = 1 << 20;

/// Bytes of the length that stands before each frame.
pub(crate) const LENGTH_BYTES: usize = 4;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum FrameError {
    #[error("a frame of {0} bytes is longer than {LONGEST_FRAME}")]
    TooLong(usize),
    #[error("a frame is empty")]
    Empty,
    #[error("a text of {0} bytes is longer than {LONGEST_TEXT}")]
    TextTooLong(u64),
    #[error("a message ends in the middle of a field")]
    Truncated,
    #[error("a message is followed by {0} bytes that belong to nothing")]
    Trailing(usize),
    #[error("a number is too large or not written in its shortest form")]
    Number,
    #[error("a text is not UTF-8")]
    NotUtf8,
    #[error("a flag is neither 0 nor 1")]
    Flag,
    #[error("a value is not between 0 and 1, or is 1 without being told as covered")]
    Value,
    #[error("there is no message of type {0}")]
    UnknownType(u8),
    #[error("there is no kind of target with number {0}")]
    UnknownKind(u8),
    #[error("there is no kind of observation with number {0}")]
    UnknownObservation(u8),
    #[error("a descriptor names a file that was not told")]
    UnknownFile,
}

impl FrameError {
    /// Whether the stream is lost: where the next frame begins can't be known.
    pub fn is_fatal(&self) -> bool {
        matches!(self, Self::TooLong(_))
    }
}
