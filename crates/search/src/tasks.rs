//! What is tried with an operation once it is known to work.

use fossick_contract::Method;
use fossick_plan::{DocumentFault, Spot};
use serde_json::Value;

use crate::proposal::Twice;

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
    RemovedWithChild(fossick_contract::OperationIndex),
    Changed,
    PutTwice,
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
    /// The same creation once more.
    Again(Twice),
    /// A GraphQL operation sent with GET.
    ByGet,
    /// A GraphQL operation with its arguments written into it.
    Inline,
}

/// A telling value for one spot.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct EdgeCase {
    pub(crate) spot: Spot,
    pub(crate) value: Value,
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
