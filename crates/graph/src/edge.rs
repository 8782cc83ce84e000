//! One edge: this need is met by that yield, with evidence and a record.

use fossick_contract::OperationIndex;
use fossick_trace::Take;

/// What an operation gives that others may take.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Yield {
    /// From its answer.
    Answer(Take),
    /// What it was sent itself, where the caller chooses the identifier: the value of this
    /// parameter of the maker's own call.
    SentParameter(usize),
    /// The same, at a pointer of the maker's body.
    SentBody(String),
}

/// Why the edge is thought to hold, the strongest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Evidence {
    /// The document's own links.
    Link,
    /// Real traffic carried a value this way.
    Traffic,
    /// Creates on the collection whose items the need picks from.
    Creator,
    /// Creates at the very path, with an identifier of the caller's choice.
    PutsItself,
    /// Lists the collection.
    Lister,
    /// Shows the caller itself, where somebody is named.
    Caller,
    /// The names say the same.
    SameName,
    /// An equal value was seen in an answer.
    SeenValue,
    /// It equals a property that the names speak for.
    SameProperty,
}

/// What real callers do, over and over, holds.
const IN_TRAFFIC: f64 = 0.97;

impl Evidence {
    fn prior(self) -> f64 {
        match self {
            Self::Link => 0.95,
            Self::Traffic => IN_TRAFFIC,
            Self::Creator => 0.9,
            Self::PutsItself => 0.8,
            Self::Lister => 0.6,
            Self::SeenValue | Self::SameProperty => 0.55,
            Self::SameName | Self::Caller => 0.5,
        }
    }

    pub fn makes(self) -> bool {
        matches!(self, Self::Creator | Self::PutsItself)
    }
}

#[derive(Debug, Clone, PartialEq)]
pub struct Edge {
    pub maker: OperationIndex,
    pub yields: Yield,
    pub evidence: Evidence,
    /// Finer than the evidence: how well names, kinds and places fit, in [0, 1].
    pub fit: f64,
    pub worked: u32,
    pub failed: u32,
    /// It failed too often to be used.
    pub removed: bool,
    /// Real traffic carried a value this way, whatever else speaks for it.
    pub in_traffic: bool,
}

impl Edge {
    /// Expected success: the prior counts like a few calls, then the record speaks.
    pub fn confidence(&self) -> f64 {
        const WEIGHT: f64 = 4.0;
        let guessed = self.evidence.prior() * (0.5 + 0.5 * self.fit);
        let prior = if self.in_traffic { IN_TRAFFIC } else { guessed };
        (prior * WEIGHT + f64::from(self.worked)) / (WEIGHT + f64::from(self.worked + self.failed))
    }
}

impl Edge {
    /// A way that a value was seen to come.
    pub fn seen(maker: OperationIndex, yields: Yield) -> Self {
        Self::new(maker, yields, Evidence::SeenValue, 1.0)
    }

    pub(crate) fn new(maker: OperationIndex, yields: Yield, evidence: Evidence, fit: f64) -> Self {
        Self {
            maker,
            yields,
            evidence,
            fit,
            worked: 0,
            failed: 0,
            removed: false,
            in_traffic: evidence == Evidence::Traffic,
        }
    }
}
