//! The plan and its steps.

use fossick_contract::{Location, Operation, OperationIndex};
use fossick_genes::{Gene, Source};
use fossick_trace::{Intent, Role, Take};
use serde_json::Value;

/// Steps in order. Every plan makes what it needs.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Plan {
    pub steps: Vec<Step>,
}

/// One call to come.
#[derive(Debug, Clone, PartialEq)]
pub struct Step {
    pub operation: OperationIndex,
    /// One for each parameter of the operation; `None` leaves it out.
    pub arguments: Vec<Option<Gene>>,
    pub body: Option<BodyValue>,
    pub binds: Vec<Bind>,
    pub user: Option<String>,
    pub role: Role,
    pub intent: Intent,
    /// Another method than the operation's own.
    pub method: Option<fossick_contract::Method>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct BodyValue {
    /// Index into the contents of the operation's body.
    pub content: usize,
    pub gene: Gene,
}

/// A spot in a step that takes its value from an earlier answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Bind {
    pub spot: Spot,
    pub step: usize,
    pub take: Take,
}

/// Where in a step a value stands.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Spot {
    Parameter(usize),
    /// JSON pointer into the body.
    Body(String),
}

impl Spot {
    /// `query limit`, `body /name`
    pub fn describe(&self, operation: &Operation) -> String {
        match self {
            Self::Parameter(at) => match operation.parameters.get(*at) {
                Some(parameter) => format!("{} {}", parameter.location, parameter.name),
                None => "parameter".to_owned(),
            },
            Self::Body(pointer) if pointer.is_empty() => "body".to_owned(),
            Self::Body(pointer) => format!("body {pointer}"),
        }
    }
}

impl Step {
    pub fn new(operation: OperationIndex, parameters: usize) -> Self {
        Self {
            operation,
            arguments: vec![None; parameters],
            body: None,
            binds: Vec::new(),
            user: None,
            role: Role::Main,
            intent: Intent::Valid,
            method: None,
        }
    }

    pub fn bind_at(&self, spot: &Spot) -> Option<&Bind> {
        self.binds.iter().find(|bind| bind.spot == *spot)
    }

    /// The value that stands at a spot, if it is ours to say.
    pub fn value_at(&self, spot: &Spot) -> Option<Value> {
        match spot {
            Spot::Parameter(at) => self.arguments.get(*at)?.as_ref().map(Gene::value),
            Spot::Body(pointer) => self.body.as_ref()?.gene.value().pointer(pointer).cloned(),
        }
    }

    /// Puts a gene at a parameter; a bind that stood there goes.
    pub fn put(&mut self, at: usize, gene: Option<Gene>) {
        self.binds.retain(|bind| bind.spot != Spot::Parameter(at));
        if let Some(slot) = self.arguments.get_mut(at) {
            *slot = gene;
        }
    }

    /// Whether every hole of the path is filled from what earlier steps of the plan made.
    pub fn holes_are_bound(&self, operation: &Operation) -> bool {
        operation
            .parameters
            .iter()
            .enumerate()
            .filter(|(_, parameter)| parameter.location == Location::Path)
            .all(|(at, _)| self.bind_at(&Spot::Parameter(at)).is_some())
    }

    /// Whether the step works on what this plan made or named itself, not on what it found or
    /// guessed: a small number is always somebody's.
    pub fn is_on_own_ground(&self, operation: &Operation) -> bool {
        operation
            .parameters
            .iter()
            .enumerate()
            .filter(|(_, parameter)| parameter.location == Location::Path)
            .all(|(at, _)| {
                let gene = self.arguments.get(at).and_then(Option::as_ref);
                self.bind_at(&Spot::Parameter(at)).is_some() || gene.is_some_and(is_own_name)
            })
    }
}

/// A text of our own making, or a value that an earlier step of the plan was sent.
fn is_own_name(gene: &Gene) -> bool {
    match gene.source() {
        Some(Source::Fixed) => true,
        Some(Source::Named | Source::Random) => {
            matches!(gene.value(), Value::String(text) if text.len() > 2)
        }
        _ => false,
    }
}

impl Plan {
    /// The step that the plan is about: the last main one.
    pub fn main(&self) -> usize {
        self.steps
            .iter()
            .rposition(|step| step.role == Role::Main)
            .unwrap_or(self.steps.len().saturating_sub(1))
    }

    /// The plan without one step, or `None` if another takes a value from it.
    pub fn without(&self, index: usize) -> Option<Self> {
        let takes = |step: &Step| step.binds.iter().any(|bind| bind.step == index);
        if self.steps.len() < 2 || self.steps.iter().any(takes) {
            return None;
        }
        let mut steps = self.steps.clone();
        steps.remove(index);
        for bind in steps.iter_mut().flat_map(|step| &mut step.binds) {
            if bind.step > index {
                bind.step -= 1;
            }
        }
        Some(Self { steps })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn step(binds: &[usize]) -> Step {
        let mut step = Step::new(OperationIndex(0), 1);
        step.binds = binds
            .iter()
            .map(|&step| Bind {
                spot: Spot::Parameter(0),
                step,
                take: Take::Location,
            })
            .collect();
        step
    }

    #[test]
    fn a_step_that_others_need_stays() {
        let plan = Plan {
            steps: vec![step(&[]), step(&[0])],
        };
        assert!(plan.without(0).is_none());
        assert_eq!(plan.without(1).map(|p| p.steps.len()), Some(1));
    }

    #[test]
    fn binds_move_up_when_a_step_goes() {
        let plan = Plan {
            steps: vec![step(&[]), step(&[]), step(&[1])],
        };
        let shorter = plan.without(0).expect("nobody needs the first step");
        assert_eq!(shorter.steps[1].binds[0].step, 0);
    }
}
