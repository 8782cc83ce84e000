//! What of a call and its answer matters to flows: values as hashes, and where they stood.

use super::template::{Segment, Template};

pub(crate) struct Exchange {
    pub label: Label,
    pub sent: Vec<Sent>,
    pub given: Vec<Given>,
}

/// How a call is named in a flow.
pub(crate) enum Label {
    /// By method and path.
    Request { method: String, path: Vec<Segment> },
    /// By the root field, which each value says itself.
    Operation,
}

/// A value that the call sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Sent {
    pub hash: u64,
    /// Equal by chance perhaps: the topics must agree.
    pub weak: bool,
    pub topic: String,
    pub spot: Spot,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Spot {
    Segment(usize),
    /// `query project`, `body /projectId`
    Named(String),
    Argument {
        root: String,
        place: String,
    },
}

/// A value that the answer gave.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Given {
    pub hash: u64,
    pub weak: bool,
    /// Empty where the name of the call has to say it.
    pub topic: String,
    /// The root field, in GraphQL.
    pub root: Option<String>,
    pub pointer: String,
}

impl Exchange {
    /// The call and the place in it that a flow leads to.
    pub(super) fn place(
        &self,
        sent: &Sent,
        template: Option<&Template>,
    ) -> Option<(String, String)> {
        if let Spot::Argument { root, place } = &sent.spot {
            return Some((root.clone(), place.clone()));
        }
        let (label, template) = (self.label(template)?, template?);
        match &sent.spot {
            Spot::Segment(at) => Some((label, format!("path {}", template.hole(*at)?))),
            Spot::Named(place) => Some((label, place.clone())),
            Spot::Argument { .. } => None,
        }
    }

    pub(super) fn label(&self, template: Option<&Template>) -> Option<String> {
        match &self.label {
            Label::Request { method, .. } => Some(format!("{method} {}", template?.text())),
            Label::Operation => None,
        }
    }
}
