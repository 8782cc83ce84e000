//! A plan with what the search wants to remember of it.

use fossick_contract::OperationIndex;
use fossick_evolve::Individual;
use fossick_graph::Yield;
use fossick_plan::{Plan, Spot};

use crate::inside::Measured;
use crate::tasks::Task;

#[derive(Debug, Clone)]
pub struct Proposal {
    pub plan: Plan,
    /// The operation that it is about.
    pub subject: OperationIndex,
    pub way: Way,
    /// Edges of the graph that it relies on.
    pub uses: Vec<Use>,
    /// The test that it is, where evolution made it.
    pub individual: Option<Box<Individual>>,
    /// What it was to do, where that is worth a second attempt.
    pub(crate) task: Option<Box<Task>>,
}

impl Proposal {
    pub(crate) fn new(plan: Plan, subject: OperationIndex, way: Way, uses: Vec<Use>) -> Self {
        Self {
            plan,
            subject,
            way,
            uses,
            individual: None,
            task: None,
        }
    }
}

/// An edge that a step relies on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Use {
    pub step: usize,
    /// The operation of that step: where a handling has moved the steps, the use is void.
    pub consumer: OperationIndex,
    pub need: usize,
    pub maker: OperationIndex,
    pub yields: Yield,
}

/// How a plan was made.
#[derive(Debug, Clone, PartialEq)]
pub enum Way {
    /// The operation with data likely to be accepted.
    Plain,
    /// A handling of a resource: create, read, change, remove, look again.
    Handling,
    /// The life of a thing from its making to its end, and what is refused on the way.
    Life,
    /// A known good call with one telling value.
    Edge {
        spot: Spot,
        declared: bool,
        /// The other end of a range, which moved along.
        along: Option<Spot>,
    },
    /// A known good call with two telling values together.
    Edges,
    /// A known good call after something was made with a telling value.
    Beforehand,
    /// The operation with something that it needs got in another way than the best one.
    Through,
    /// A known good call, then the same with the value that was refused.
    Contrast,
    /// A known good call with one constraint broken.
    Broken,
    /// Identifiers that nobody made, parents that are not one's own, credentials left out,
    /// methods that are not declared.
    Stranger,
    /// A known good call with random values, or a mutation of it.
    Varied,
    /// The whole of a list, parts of it and the whole again.
    Related,
    /// A test of the evolutionary search.
    Evolved,
    /// A plan that follows what the service compared its inputs with.
    Inside,
    /// A plan that measures how far apart the service found two numbers.
    Climb(Measured),
    /// Two creations, to see what must differ between them.
    Again(Twice),
    /// A call sequence from the property graph.
    Sequence,
    /// A recorded call as it was, with what it needs made before it as far as that is known.
    Harvested { seed: usize },
    /// A recorded call that worked, changed by one rule.
    Deviation(Rule),
}

/// A question of uniqueness: which values must differ for a second creation to be accepted.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Twice {
    /// Everything that can differ.
    pub(crate) fields: Vec<Spot>,
    /// Parts of it that are still to be decided on; the first is equal in the two. None where
    /// everything is.
    pub(crate) open: Option<Vec<Vec<Spot>>>,
    /// What must differ.
    pub(crate) must: Vec<Spot>,
}

/// How a recorded call is changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Rule {
    /// A field of the selection, an optional parameter or an optional property more, or less.
    Field,
    /// Null where the document forbids it.
    NotNull,
    /// A value of another type.
    Type,
    /// Nothing asked for of a thing; an empty body.
    Empty,
}

impl Rule {
    pub const ALL: [Self; 4] = [Self::Field, Self::NotNull, Self::Type, Self::Empty];
}
