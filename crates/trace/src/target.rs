//! What a test can cover.

use fossick_contract::{OperationIndex, TypeId};
use serde::{Deserialize, Serialize};

/// Small and cheap to hash: a run has tens of thousands of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Target {
    /// An operation answered with this status.
    Status(OperationIndex, u16),
    /// An operation gave no answer at all.
    NoAnswer(OperationIndex),
    /// A slot of an operation was of this class, and the call succeeded (`true`) or not.
    Class(OperationIndex, u32, Class, bool),
    /// An operation succeeded; anything else is part of the way there.
    Succeeds(OperationIndex),
    /// An operation failed by the service's own fault; likewise.
    Fails(OperationIndex),
    /// An operation failed after this line of the service's own code, by the hash of its name.
    FailsAfter(OperationIndex, u32),
    /// A line or branch of the service, by the number that its probe gave it.
    Code(u32),
    /// A fault, by the hash of its fingerprint.
    Fault(u64),
    /// A GraphQL operation answered with data (`true`) or with errors.
    Said(OperationIndex, bool),
    /// A field of a GraphQL type was asked for and the service carried the operation out: the
    /// type, and the place of the field in it.
    Pair(TypeId, u32),
    /// A response field was seen: operation and hash of its pointer.
    Field(OperationIndex, u32),
}

/// What kind of value stood in a slot.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Class {
    Absent,
    Present,
    Null,
    Empty,
    Zero,
    Negative,
    True,
    False,
    /// The n-th value of an enumeration.
    Member(u16),
    Minimum,
    Maximum,
    Example,
}
