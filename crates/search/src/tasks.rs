//! What is tried with an operation once it is known to work.

use fossick_contract::{Method, OperationIndex};
use fossick_graph::Alternative;
use fossick_plan::{DocumentFault, Plan, Spot, Step};
use fossick_trace::{Answer, Episode};
use serde_json::Value;

use crate::lives::Life;
use crate::proposal::{Proposal, Twice};
use crate::relations::Relation;
use crate::search::Search;

/// One thing to try.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Task {
    /// Values other than those that worked, all fields.
    Full,
    ReadBack,
    Removed,
    RemovedTwice,
    /// And made again, as it was.
    MadeAgain,
    /// With something under it.
    RemovedWithChild(OperationIndex),
    Changed,
    PutTwice,
    /// Whatever can be done to a thing, in any order.
    Walk,
    /// Something is done to a thing, with a look at it before and after.
    Acted,
    FailedWrite,
    Listed,
    /// Unknown identifiers at this key.
    Strangers(Spot),
    /// One unknown identifier at this key of a write.
    Unknown(Spot),
    /// Another parent at this parameter.
    Misplaced(usize),
    Anonymous,
    Undeclared(Method),
    Contrast(EdgeCase),
    /// What it needs, got in another way than the best one.
    Through(Box<Alternative>),
    /// The same creation once more.
    Again(Twice),
    /// A GraphQL operation sent with GET.
    ByGet,
    /// A GraphQL operation with its arguments written into it.
    Inline,
    /// From its making to its end, with a look at every view of it.
    Life(Life),
    /// Looks at a list that must go together.
    Related(Relation),
    /// One thing from several sides, with the next member of an enumeration each time.
    Elsewhere(usize),
    /// A child that goes to another parent, and both parents.
    Moved,
    /// A plan once more with the removal of what it makes: the service failed over that.
    Ended(Box<Plan>),
    /// A write that was refused, once more between looks.
    Watched(Box<Plan>),
    /// The same with everything else that could be changed along with it.
    WatchedWhole(Box<Plan>),
    /// A call that took far longer than usual, in contrast with one that did not.
    Slow(Box<Step>),
    /// What stands below a thing is asked for once the thing is deleted, and below one that never was.
    RemovedAbove(OperationIndex),
    /// Something whose set-up failed the first time.
    Retried(Box<Task>),
}

impl Search<'_> {
    /// Puts a task back whose set-up failed: nothing was seen of what it was for.
    pub(crate) fn try_again(&mut self, proposal: &Proposal, episode: &Episode) {
        let Some(task) = &proposal.task else { return };
        let worked = |at: usize| episode.answer(at).is_some_and(Answer::is_success);
        if !(0..proposal.plan.main()).all(worked) {
            let known = &mut self.known[proposal.subject.0 as usize];
            known.tasks.push_back(Task::clone(task));
        }
    }
}

impl Task {
    /// The same once more, should its set-up fail: what a full body holds is a matter of chance.
    pub(crate) fn for_another_attempt(&self) -> Option<Self> {
        let worth = self.wants_own() && !matches!(self, Self::Retried(_));
        worth.then(|| Self::Retried(Box::new(self.clone())))
    }

    /// Whether it can be judged only on a thing that nobody else touches.
    pub(crate) fn wants_own(&self) -> bool {
        if let Self::Retried(task) = self {
            return task.wants_own();
        }
        matches!(
            self,
            Self::Removed
                | Self::RemovedTwice
                | Self::MadeAgain
                | Self::RemovedWithChild(_)
                | Self::RemovedAbove(_)
                | Self::Changed
                | Self::PutTwice
                | Self::Acted
                | Self::Walk
                | Self::FailedWrite
                | Self::Listed
                | Self::Life(_)
                | Self::Related(_)
                | Self::Moved
        )
    }
}

/// What is telling about a call: one value, or two together.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct EdgeCase {
    pub(crate) values: Vec<EdgeValue>,
    /// Set as well, so that the ends of a range stay in order; nothing is special about it.
    pub(crate) along: Option<(Spot, Value)>,
}

impl EdgeCase {
    pub(crate) fn one(value: EdgeValue) -> Self {
        Self {
            values: vec![value],
            along: None,
        }
    }
}

/// A telling value for one spot.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct EdgeValue {
    pub(crate) spot: Spot,
    /// None leaves the place out.
    pub(crate) value: Option<Value>,
    pub(crate) declared: bool,
    /// One of a closed set: there are few, and lists are often filtered by them.
    pub(crate) member: bool,
}

/// A way to break one constraint.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct BreakCase {
    /// A parameter, or the whole body.
    pub(crate) spot: Spot,
    /// Where in the body the broken value stands.
    pub(crate) pointer: String,
    /// The GraphQL operation itself is what is wrong; its values are not.
    pub(crate) fault: Option<DocumentFault>,
    /// The value of the whole parameter or body; `None` leaves it out.
    pub(crate) value: Option<Value>,
    pub(crate) place: String,
    pub(crate) constraint: String,
    pub(crate) detail: String,
}
