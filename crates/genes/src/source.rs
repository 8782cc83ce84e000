//! Where a value came from.
//!
//! Sources compete: a campaign credits each by what its values brought, and sampling leans to
//! those that did well. The order of the variants is part of stored traces; append, never insert.

use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Source {
    /// Nothing else would do: a constant, a discriminator.
    Fixed,
    /// A member of an enumeration, one of two booleans.
    Enum,
    /// An edge of a constraint, or next to it.
    Boundary,
    /// The document's own example.
    Example,
    /// The document's default.
    Default,
    /// Seen in an earlier answer under the same name.
    Seen,
    /// Named by the service in an error message.
    Told,
    /// Guessed from the name or the format.
    Named,
    /// The user's dictionary.
    Dictionary,
    /// Characters and texts that programs stumble over.
    Special,
    Random,
    /// Sent by somebody in real traffic.
    Harvested,
    /// The service compared an input with it.
    Compared,
}

impl Source {
    pub const ALL: [Self; 13] = [
        Self::Fixed,
        Self::Enum,
        Self::Boundary,
        Self::Example,
        Self::Default,
        Self::Seen,
        Self::Told,
        Self::Named,
        Self::Dictionary,
        Self::Special,
        Self::Random,
        Self::Harvested,
        Self::Compared,
    ];

    /// Position in [`Source::ALL`].
    pub fn index(self) -> usize {
        self as usize
    }
}

/// A small set of sources.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Sources(u16);

impl Sources {
    pub(crate) fn with(self, source: Source, present: bool) -> Self {
        if present {
            Self(self.0 | 1 << source.index())
        } else {
            self
        }
    }

    pub(crate) fn without(self, source: Source) -> Self {
        Self(self.0 & !(1 << source.index()))
    }

    pub(crate) fn contains(self, source: Source) -> bool {
        self.0 & (1 << source.index()) != 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_source_knows_its_place() {
        for (at, source) in Source::ALL.into_iter().enumerate() {
            assert_eq!(source.index(), at);
        }
    }

    #[test]
    fn a_set_forgets_what_is_taken_out() {
        let set = Sources::default()
            .with(Source::Seen, true)
            .with(Source::Told, false);
        assert!(set.contains(Source::Seen) && !set.contains(Source::Told));
        assert!(!set.without(Source::Seen).contains(Source::Seen));
    }
}
