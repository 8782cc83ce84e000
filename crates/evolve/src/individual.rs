//! One test on its way through the search.

use std::sync::Arc;

use fossick_contract::OperationIndex;
use fossick_plan::Plan;

use crate::sequence::Sequence;
use crate::tested::Tested;
use crate::{Handling, Method, Operator};

/// A test: a plan, how its steps belong together, and where it comes from.
#[derive(Debug, Clone)]
pub struct Individual {
    /// Counted up from one.
    pub id: u64,
    /// The test that it was made from by a change.
    pub parent: Option<u64>,
    pub origin: Origin,
    pub(crate) sequence: Sequence,
    /// What the parent reached, until the individual itself has been learned.
    pub(crate) before: Option<Arc<Tested>>,
    /// The chain of changes that it belongs to.
    pub(crate) chain: Option<u64>,
    pub(crate) structure: Structure,
}

/// Whether the structure of a test may change; its descendants inherit it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Structure {
    Free,
    /// A chain of things made one below the other, as smart sampling makes them.
    Fixed,
    /// Fixed, but for the creations before the read of a collection.
    Creations,
}

/// How an individual came about.
#[derive(Debug, Clone, PartialEq)]
pub enum Origin {
    Random,
    /// By a template of smart sampling: its structure is fixed, but for the creations before the
    /// read of a collection.
    Smart,
    /// Another number of creations before the read of a collection.
    Creations,
    /// By a method of resource-based sampling.
    Sampled(Method),
    /// Other values at these places.
    Values(Vec<GenePlace>),
    /// Another structure.
    Structure(Operator),
    /// The head of one test and the tail of another.
    Crossed,
    /// Made outside of the evolution.
    Adopted,
}

/// A place of a gene in calls of an operation, the same in all of them.
pub type GenePlace = (OperationIndex, u64);

impl Individual {
    pub fn plan(&self) -> &Plan {
        &self.sequence.plan
    }

    pub fn handlings(&self) -> &[Handling] {
        &self.sequence.handlings
    }

    /// How many calls it makes.
    pub fn len(&self) -> usize {
        self.sequence.len()
    }

    pub fn is_empty(&self) -> bool {
        self.sequence.len() == 0
    }
}
