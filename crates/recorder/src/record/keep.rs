//! Where batches go. The store behind it is somebody else's.

use fossick_harvest::Seen;

/// Keeps what was seen. It runs in a thread of its own and may take its time.
pub trait Keep: Send {
    /// Keeps all of a batch or, with an error, none of it: then the same batch is tried again, and
    /// whatever had been kept of it would count twice.
    fn keep(&mut self, batch: &[Seen]) -> Result<Kept, String>;
}

/// What became of a batch.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Kept {
    /// Calls that are in the store now; a batch of GraphQL operations counts as many.
    pub calls: u64,
    /// Calls that are not worth keeping, such as introspection.
    pub skipped: u64,
}

impl<F> Keep for F
where
    F: FnMut(&[Seen]) -> Result<Kept, String> + Send,
{
    fn keep(&mut self, batch: &[Seen]) -> Result<Kept, String> {
        self(batch)
    }
}
