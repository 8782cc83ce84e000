//! The plan and its steps.

use fossick_contract::{Api, Deed, Location, Method, Operation, OperationIndex};
use fossick_genes::{Gene, Selection, Source};
use fossick_graph::same_place;
use fossick_trace::{Intent, Role, Take};
use serde_json::Value;

use crate::{place_of, spots_of};

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
    pub method: Option<Method>,
    /// What a GraphQL operation asks for; its arguments are the body.
    pub ask: Option<Ask>,
    /// Inputs that the document does not know of.
    pub extras: Vec<Extra>,
}

/// An input that the document does not know of, but the service does.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Extra {
    /// Not the path.
    pub location: Location,
    pub name: String,
    pub value: String,
}

/// How a GraphQL operation is put.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Ask {
    /// None where the root field returns a scalar.
    pub selection: Option<Selection>,
    /// Other root fields in the same operation, each under a key of its own.
    pub beside: Vec<Beside>,
    /// Something that makes the operation itself wrong.
    pub fault: Option<DocumentFault>,
    /// Sent with GET.
    pub get: bool,
    /// Arguments are written into the operation and not sent as variables.
    pub inline: bool,
}

/// A root field asked for beside the main one.
#[derive(Debug, Clone, PartialEq)]
pub struct Beside {
    pub alias: String,
    pub operation: OperationIndex,
    pub arguments: Option<Gene>,
    pub selection: Option<Selection>,
}

/// A way in which an operation breaks the rules of GraphQL, whatever its values are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum DocumentFault {
    /// A field that the type does not have.
    UnknownField,
    /// An argument that the root field does not take.
    UnknownArgument,
    /// A composite type without a selection.
    NoSelection,
    /// A selection on a scalar.
    SelectionOnScalar,
    /// A variable that is used and not declared.
    UndeclaredVariable,
    /// A part for a type that does not exist.
    UnknownType,
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
    /// `query limit`, `body /name`; for GraphQL `argument book.title`.
    pub fn describe(&self, operation: &Operation) -> String {
        match self {
            Self::Parameter(at) => match operation.parameters.get(*at) {
                Some(parameter) => format!("{} {}", parameter.location, parameter.name),
                None => "parameter".to_owned(),
            },
            Self::Body(pointer) if operation.graphql.is_some() => {
                let names: Vec<&str> = pointer.split('/').skip(1).collect();
                format!("argument {}", names.join("."))
            }
            Self::Body(pointer) if pointer.is_empty() => "body".to_owned(),
            Self::Body(pointer) => format!("body {pointer}"),
        }
    }
}

/// The spots that say which thing an operation works on, outermost first: the holes of its path,
/// or the key arguments of a GraphQL field.
pub fn keys(operation: &Operation) -> Vec<Spot> {
    if let Some(root) = &operation.graphql {
        return root.keys.iter().cloned().map(Spot::Body).collect();
    }
    let position = |hole: &str| {
        let mut all = operation.parameters.iter();
        all.position(|p| p.location == Location::Path && p.name == hole)
    };
    operation
        .path
        .holes()
        .filter_map(position)
        .map(Spot::Parameter)
        .collect()
}

/// The path of an operation as far as one of its holes: where the thing stands that the hole names.
pub fn item_path<'a>(operation: &'a Operation, spot: &Spot) -> Option<&'a str> {
    let Spot::Parameter(at) = spot else {
        return None;
    };
    let hole = format!("{{{}}}", operation.parameters.get(*at)?.name);
    let text = &operation.path.text;
    let end = text.find(&hole)? + hole.len();
    text.get(..end)
}

/// The fields that lead from a GraphQL root field's value to a pointer of the answer: names after
/// `/data/<field>`, places in lists left out.
pub fn field_path(pointer: &str) -> Vec<&str> {
    let names = pointer.split('/').skip(3);
    names
        .filter(|part| part.parse::<usize>().is_err())
        .collect()
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
            ask: None,
            extras: Vec::new(),
        }
    }

    pub fn bind_at(&self, spot: &Spot) -> Option<&Bind> {
        self.binds.iter().find(|bind| bind.spot == *spot)
    }

    /// The step that made the thing which this one works on.
    pub fn works_on(&self, operation: &Operation) -> Option<usize> {
        let key = keys(operation).pop()?;
        self.bind_at(&key).map(|bind| bind.step)
    }

    /// The value that stands at a spot, if it is ours to say.
    pub fn value_at(&self, spot: &Spot) -> Option<Value> {
        match spot {
            Spot::Parameter(at) => self.arguments.get(*at)?.as_ref().map(Gene::value),
            Spot::Body(pointer) => self.body.as_ref()?.gene.value_at(pointer),
        }
    }

    /// Puts a gene at a parameter; a bind that stood there goes.
    pub fn put(&mut self, at: usize, gene: Option<Gene>) {
        self.binds.retain(|bind| bind.spot != Spot::Parameter(at));
        if let Some(slot) = self.arguments.get_mut(at) {
            *slot = gene;
        }
    }

    /// The gene that stands at a spot.
    pub fn gene_at(&self, spot: &Spot) -> Option<&Gene> {
        match spot {
            Spot::Parameter(at) => self.arguments.get(*at)?.as_ref(),
            Spot::Body(pointer) => self.body.as_ref()?.gene.at(pointer),
        }
    }

    /// Puts a gene at a spot; a bind that stood there goes.
    pub fn fill(&mut self, spot: &Spot, gene: Gene) {
        match spot {
            Spot::Parameter(at) => self.put(*at, Some(gene)),
            Spot::Body(pointer) => {
                self.binds.retain(|bind| bind.spot != *spot);
                let source = gene.source().unwrap_or(Source::Fixed);
                if let Some(body) = &mut self.body {
                    body.gene.set(pointer, gene.value(), source);
                }
            }
        }
    }

    /// Fills a spot as one of another step is filled: with its value, or from the same answer.
    pub fn copy(&mut self, from: &Self, theirs: &Spot, ours: &Spot) {
        self.binds.retain(|bind| bind.spot != *ours);
        match ours {
            Spot::Parameter(at) => self.put(*at, from.gene_at(theirs).cloned()),
            Spot::Body(pointer) => {
                let value = from.value_at(theirs);
                if let (Some(body), Some(value)) = (&mut self.body, value) {
                    let source = from.gene_at(theirs).and_then(Gene::source);
                    body.gene
                        .set(pointer, value, source.unwrap_or(Source::Fixed));
                }
            }
        }
        if let Some(bind) = from.bind_at(theirs) {
            self.binds.push(Bind {
                spot: ours.clone(),
                ..bind.clone()
            });
        }
    }

    /// Mends the links of a body that has changed: where a place is gone its link goes, and new
    /// items of a list take what their neighbours take.
    pub fn settle_binds(&mut self) {
        let body = self.body.as_ref().map(|body| &body.gene);
        let whole = body.map(Gene::value).unwrap_or_default();
        self.binds.retain(|bind| match &bind.spot {
            Spot::Body(pointer) => whole.pointer(pointer).is_some(),
            Spot::Parameter(_) => true,
        });
        let mut new: Vec<Bind> = Vec::new();
        for bind in &self.binds {
            let each = place_of(&bind.spot).in_each_item();
            let place = each.unwrap_or_else(|| place_of(&bind.spot));
            for spot in spots_of(self, &place) {
                let bound = self.binds.iter().chain(&new).any(|b| b.spot == spot);
                let bind = bind.clone();
                new.extend((!bound).then_some(Bind { spot, ..bind }));
            }
        }
        self.binds.extend(new);
    }

    /// What it does, also where it is sent with another method than the operation's own.
    pub fn deed(&self, operation: &Operation) -> Deed {
        self.method.map_or_else(|| operation.deed(), Deed::of)
    }
}

/// A text of our own making; a small number is always somebody's.
fn is_own_name(gene: &Gene) -> bool {
    let invented = matches!(gene.source(), Some(Source::Named | Source::Random));
    invented && matches!(gene.value(), Value::String(text) if text.len() > 2)
}

/// Whose a thing is, by what the plan knows of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Ground {
    /// Found in a list, guessed, or told by an example: others may need it.
    Found,
    /// Named by a text of our own making: nobody else's, but perhaps not there.
    Named,
    /// Made by an earlier step of the plan.
    Made,
}

impl Plan {
    /// Whose the thing is that a step works on: as doubtful as the most doubtful of its keys.
    pub fn ground(&self, api: &Api, at: usize) -> Ground {
        let step = &self.steps[at];
        let operation = api.operation(step.operation);
        let spots = keys(operation).into_iter();
        let most_doubtful = spots.map(|spot| self.ground_of_key(api, at, &spot)).min();
        // Without a key, a creation makes something new; all else works on what everybody shares.
        most_doubtful.unwrap_or(match operation.deed() {
            Deed::Create => Ground::Made,
            _ => Ground::Found,
        })
    }

    fn ground_of_key(&self, api: &Api, at: usize, spot: &Spot) -> Ground {
        let step = &self.steps[at];
        if let Some(bind) = step.bind_at(spot) {
            return self.ground_of_maker(api, bind.step);
        }
        match step.gene_at(spot) {
            _ if self.is_created_before(api, at, spot) == Some(true) => Ground::Made,
            Some(gene) if gene.source() == Some(Source::Fixed) => Ground::Made,
            Some(gene) if is_own_name(gene) => Ground::Named,
            _ => Ground::Found,
        }
    }

    /// Whether the set-up of a step creates the thing under the very key that the step names,
    /// whoever chose that: where the creation fails, the step is not sent.
    fn is_created_before(&self, api: &Api, at: usize, spot: &Spot) -> Option<bool> {
        let Spot::Parameter(hole) = spot else {
            return None;
        };
        let step = &self.steps[at];
        let operation = api.operation(step.operation);
        let (key, item) = (step.value_at(spot)?, item_path(operation, spot)?);
        let (collection, _) = item.rsplit_once('/')?;
        let field = &operation.parameters.get(*hole)?.name;
        let creates = |earlier: &Step| {
            let theirs = api.operation(earlier.operation);
            let place = theirs.path.text.as_str();
            let sent = if same_place(place, item) {
                keys(theirs).pop().and_then(|own| earlier.value_at(&own))
            } else if same_place(place, collection) {
                earlier.value_at(&Spot::Body(format!("/{field}")))
            } else {
                None
            };
            earlier.role == Role::Setup
                && theirs.deed() == Deed::Create
                && sent.is_some_and(|sent| sent == key)
        };
        Some(self.steps[..at].iter().any(creates))
    }

    /// A list makes nothing, and a call on an item makes it no more ours than it was.
    fn ground_of_maker(&self, api: &Api, at: usize) -> Ground {
        let Some(step) = self.steps.get(at) else {
            return Ground::Found;
        };
        let operation = api.operation(step.operation);
        match operation.deed() {
            Deed::Create if !operation.path.ends_with_hole() => Ground::Made,
            Deed::Create | Deed::Replace => self.ground(api, at),
            _ => Ground::Found,
        }
    }

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

    fn bound(pointer: &str) -> Bind {
        Bind {
            spot: Spot::Body(pointer.to_owned()),
            step: 0,
            take: Take::Location,
        }
    }

    #[test]
    fn links_of_a_changed_body_follow_its_items() {
        let mut step = step(&[0]);
        step.binds
            .extend([bound("/lines/0/id"), bound("/gone/id"), bound("/of")]);
        let lines = serde_json::json!({"lines": [{"id": 1}, {"id": 2}, {}], "of": 3});
        step.body = Some(BodyValue {
            content: 0,
            gene: Gene::literal(lines, Source::Example),
        });
        step.settle_binds();
        let spots: Vec<_> = step.binds.iter().map(|bind| bind.spot.clone()).collect();
        let body = |pointer: &str| Spot::Body(pointer.to_owned());
        let expected = [
            Spot::Parameter(0),
            body("/lines/0/id"),
            body("/of"),
            body("/lines/1/id"),
        ];
        assert_eq!(spots, expected);
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
