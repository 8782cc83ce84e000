//! What the handlers of a service do, as small numbered programs.
//!
//! Plain data: `compile` writes them from a model, `engine` runs them. Each statement has a line,
//! each test of an `if` two sides, and each of these a number, so that what a call reached can be
//! told exactly.

use std::collections::BTreeSet;
use std::sync::Arc;

use fossick_probe::Descriptor;

use crate::model::{Link, Method, Paths};

#[derive(Debug)]
pub(crate) struct Program {
    pub(crate) paths: Paths,
    pub(crate) classes: Vec<Class>,
    pub(crate) handlers: Vec<Handler>,
    /// What the numbers mean.
    pub(crate) targets: Vec<Descriptor>,
}

/// A resource with its links resolved.
#[derive(Debug)]
pub(crate) struct Class {
    pub(crate) name: String,
    /// The name as fields have it.
    pub(crate) field: String,
    /// The name as paths have it.
    pub(crate) plural: String,
    /// The name by which others refer to one.
    pub(crate) reference: String,
    pub(crate) methods: BTreeSet<Method>,
    pub(crate) needs: Vec<Need>,
    pub(crate) owns: Vec<usize>,
    pub(crate) owner: Option<Owner>,
    /// The classes whose ids stand in the path, outermost first; none where paths hide them.
    pub(crate) shown: Vec<usize>,
}

#[derive(Debug, Clone, Copy)]
pub(crate) struct Need {
    pub(crate) class: usize,
    pub(crate) kind: Link,
}

/// Whose a class is, and in which place there.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Owner {
    pub(crate) class: usize,
    pub(crate) slot: usize,
}

#[derive(Debug)]
pub(crate) struct Handler {
    pub(crate) name: Arc<str>,
    pub(crate) class: usize,
    pub(crate) method: Method,
    pub(crate) lines: Vec<Line>,
}

#[derive(Debug)]
pub(crate) struct Line {
    pub(crate) number: u32,
    pub(crate) target: u32,
    pub(crate) statement: Statement,
}

#[derive(Debug)]
pub(crate) enum Statement {
    Do(Action),
    If(If),
}

impl Statement {
    /// The status with which it may answer.
    pub(crate) fn status(&self, paths: Paths) -> Option<u16> {
        let action = match self {
            Self::Do(action) => action,
            Self::If(it) => &it.then,
        };
        match action {
            Action::Return(status) => Some(*status),
            Action::Refuse(refusal) => Some(refusal.status(paths)),
            _ => None,
        }
    }
}

/// `if (…) then`: what follows stands on the next line.
#[derive(Debug)]
pub(crate) struct If {
    pub(crate) conditions: Vec<Condition>,
    pub(crate) joined: Joined,
    pub(crate) then: Action,
    pub(crate) then_target: u32,
}

#[derive(Debug)]
pub(crate) struct Condition {
    pub(crate) test: Test,
    /// Which outcome speaks for taking the `if`.
    pub(crate) wanted: bool,
    pub(crate) if_true: u32,
    pub(crate) if_false: u32,
}

/// How several conditions make one; the first that decides is the last that is looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Joined {
    All,
    Any,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Test {
    Exists(usize, Key),
    /// What is to be owned is owned by this resource already.
    IsOurs(usize),
    /// The owner has one of these.
    OwnerHasOne,
    /// And it is this one.
    ItIsThis,
    NameIsGiven,
    ValueIsGiven,
    NeedIsGiven(usize),
    /// There is at least one of the class.
    Any,
    IsNew,
    MedianIsLess,
    AverageIsLess,
}

/// Which id a lookup is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Key {
    This,
    Owned(usize),
    Owner,
    Need(usize),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Action {
    Find,
    FindAll,
    Make,
    SetName,
    SetValue,
    Own(usize),
    SetOwner,
    Refer(usize),
    TakeOurValues,
    TakeTheirValues,
    Save,
    Delete,
    /// A field is written into the answer.
    Show(Shown),
    ShowAll,
    Return(u16),
    Refuse(Refusal),
}

/// A part of what is answered of a resource.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Shown {
    Id,
    Name,
    Value,
    Need(usize),
    Owned(usize),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Refusal {
    Exists,
    Missing,
    OwnedElsewhere,
    NoOwner,
    OwnerHasOne,
    NeedIsMissing,
    ValuesTooHigh,
}

impl Refusal {
    /// A resource that the path leads through and that is not there is not found; one that the
    /// body names makes the body wrong.
    pub(crate) fn status(self, paths: Paths) -> u16 {
        match (self, paths) {
            (Self::Missing, _) | (Self::NoOwner | Self::NeedIsMissing, Paths::Shown) => 404,
            (Self::Exists | Self::OwnedElsewhere | Self::OwnerHasOne, _) => 409,
            (Self::NoOwner | Self::NeedIsMissing, Paths::Hidden) | (Self::ValuesTooHigh, _) => 422,
        }
    }

    pub(crate) fn words(self) -> &'static str {
        match self {
            Self::Exists => "there is one with this id already",
            Self::Missing => "there is none with this id",
            Self::OwnedElsewhere => "what it would own belongs to another",
            Self::NoOwner => "its owner does not exist",
            Self::OwnerHasOne => "its owner has one already",
            Self::NeedIsMissing => "what it depends on does not exist",
            Self::ValuesTooHigh => "its value is not below those it depends on",
        }
    }
}
