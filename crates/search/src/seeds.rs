//! Recorded calls, sown before the run: as steps that can be sent again, as values, as edges.
//!
//! A call is taken only if the document allows it whole. Where a recorder dropped a secret, a value
//! of our own stands in for it.

use fossick_contract::{Api, Deed, Location, OperationIndex, ShapeId};
use fossick_genes::{Gene, Manner, Source};
use fossick_graph::{Graph, Place};
use fossick_harvest::seeds::{At, DROPPED, Flowing, Seed, Seeds};
use fossick_plan::{Ask, BodyValue, Plan, Spot, Step};
use fossick_validate::Direction;
use rand::RngExt as _;
use serde_json::Value;

use crate::builder::Builder;
use crate::fresh::calls_it;
use crate::replays::Traffic;
use crate::search::{Search, Strategy};

/// What became of recorded calls.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Sown {
    /// Calls that fit the document.
    pub fit: usize,
    pub unfit: Vec<Unfit>,
    /// Ways from one operation to another that traffic went.
    pub edges: usize,
}

/// Makes edges of what went from one call into another in traffic. Tells how many there are.
pub fn teach(graph: &mut Graph, api: &Api, flows: &[Flowing]) -> usize {
    let mut edges = 0;
    for flow in flows {
        let place = match &flow.into {
            At::Parameter(at) => Place::Parameter(*at),
            At::Body(pointer) => Place::Body(pointer.clone()),
        };
        let (maker, consumer) = (flow.maker, flow.consumer);
        let known = graph.seen_in_traffic(api, maker, &flow.pointer, consumer, &place);
        edges += usize::from(known);
    }
    edges
}

/// A recorded call that the document does not allow.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unfit {
    /// `query products`, `GET /projects/7`.
    pub what: String,
    pub why: String,
}

impl Search<'_> {
    /// Takes recorded calls over. Must be called before the first proposal. Where evolution or the
    /// graph is alone, values and edges are taken and the calls are not sent.
    pub fn sow(&mut self, seeds: &Seeds) -> Sown {
        let mut sown = Sown {
            edges: teach(&mut self.graph, self.api, &seeds.flows),
            ..Sown::default()
        };
        let mut steps = Vec::new();
        for seed in &seeds.calls {
            match self.step_of(seed) {
                Ok(step) => {
                    self.pool(&step);
                    steps.push(step);
                }
                Err(why) => sown.unfit.push(Unfit {
                    what: seed.what.clone(),
                    why,
                }),
            }
        }
        sown.fit = steps.len();
        if matches!(self.settings.strategy, Strategy::Auto) && !steps.is_empty() {
            self.traffic = Some(Box::new(Traffic::of(steps)));
        }
        sown
    }

    /// A recorded call as a step, or why it is none.
    fn step_of(&mut self, seed: &Seed) -> Result<Step, String> {
        let operation = self.api.operation(seed.operation);
        let mut step = Step::new(seed.operation, operation.parameters.len());
        let mut builder = self.builder(Plan::default(), Vec::new());
        for (at, argument) in step.arguments.iter_mut().enumerate() {
            *argument = builder.recorded_argument(seed, at)?;
        }
        step.body = builder.recorded_body(seed)?;
        step.ask = builder.recorded_ask(seed)?;
        Ok(step)
    }

    /// Puts the values of a recorded call where values are made from.
    fn pool(&mut self, step: &Step) {
        let operation = self.api.operation(step.operation);
        let label = &operation.label;
        for (at, gene) in step.arguments.iter().enumerate() {
            let place = Spot::Parameter(at).describe(operation);
            let harvested = gene
                .as_ref()
                .filter(|g| g.source() == Some(Source::Harvested));
            if let Some(gene) = harvested {
                let name = &operation.parameters[at].name;
                self.values.harvest(label, &place, name, &gene.value());
            }
        }
        if let Some(body) = &step.body {
            let whole = body.gene.value();
            for leaf in body.gene.leaves() {
                let value = whole.pointer(&leaf.pointer);
                if let Some(value) = value.filter(|_| leaf.source == Source::Harvested) {
                    let place = Spot::Body(leaf.pointer.clone()).describe(operation);
                    self.values
                        .harvest(label, &place, field_of(&leaf.pointer), value);
                }
            }
        }
        let selection = step.ask.as_ref().and_then(|ask| ask.selection.as_ref());
        if let Some(selection) = selection {
            let values = &mut self.values;
            let mut nested =
                |name: &str, gene: &Gene| values.harvest(label, name, name, &gene.value());
            selection.arguments(&self.api.types, &mut nested);
        }
    }
}

const NOT_SELECTABLE: &str = "it asks for parts of a scalar, or for none of an object";

/// The name nearest to a place: that of the list for an item.
fn field_of(pointer: &str) -> &str {
    let mut names = pointer.rsplit('/');
    names
        .find(|name| name.parse::<usize>().is_err())
        .unwrap_or("")
}

impl Builder<'_, '_> {
    /// The value of a parameter; a header that must be there and is never recorded is made up.
    fn recorded_argument(&mut self, seed: &Seed, at: usize) -> Result<Option<Gene>, String> {
        let operation = self.api.operation(seed.operation);
        let Some(parameter) = operation.parameters.get(at) else {
            return Ok(None);
        };
        if let Some(value) = seed.arguments.get(at).and_then(Option::as_ref) {
            let place = || Spot::Parameter(at).describe(operation);
            let gene = self.taken(&parameter.name, parameter.shape, value, place)?;
            return Ok(Some(gene));
        }
        let unsaid = matches!(parameter.location, Location::Header | Location::Cookie);
        let needed = parameter.required && unsaid;
        let mut maker = self.maker(Manner::Plausible);
        Ok(needed.then(|| maker.sample(&parameter.name, parameter.shape)))
    }

    fn recorded_body(&mut self, seed: &Seed) -> Result<Option<BodyValue>, String> {
        let Some((content, value)) = &seed.body else {
            return Ok(None);
        };
        let declared = self.api.operation(seed.operation).body.as_ref();
        let shape = declared.and_then(|body| body.contents.get(*content)?.shape);
        let gene = match shape {
            Some(shape) => self.taken("body", shape, value, || "its body".to_owned())?,
            None => Gene::literal(value.clone(), Source::Harvested),
        };
        Ok(Some(BodyValue {
            content: *content,
            gene,
        }))
    }

    /// What a GraphQL call asks for.
    fn recorded_ask(&mut self, seed: &Seed) -> Result<Option<Ask>, String> {
        let api = self.api;
        let Some(root) = &api.operation(seed.operation).graphql else {
            return Ok(None);
        };
        let returns = api.root_field(root).returns.named;
        let mut selection = None;
        if api.types.get(returns).is_composite() {
            let mut maker = self.maker(Manner::Plausible);
            let adopted = maker.adopt_selection(returns, &seed.picks, Source::Harvested);
            selection = Some(adopted.map_err(|missing| missing.to_string())?);
        }
        if selection.is_some() == seed.picks.is_empty() {
            return Err(NOT_SELECTABLE.to_owned());
        }
        Ok(Some(Ask {
            selection,
            inline: self.inline,
            ..Ask::default()
        }))
    }

    /// A recorded value as a gene, if the document allows it.
    fn taken(
        &mut self,
        name: &str,
        shape: ShapeId,
        value: &Value,
        place: impl Fn() -> String,
    ) -> Result<Gene, String> {
        let mut gene = self
            .maker(Manner::Plausible)
            .adopt(value, shape, Source::Harvested);
        let dropped =
            |pointer: &&String| value.pointer(pointer).and_then(Value::as_str) == Some(DROPPED);
        let leaves: Vec<String> = gene.leaves().into_iter().map(|leaf| leaf.pointer).collect();
        for pointer in leaves.iter().filter(dropped) {
            gene = self.stand_in(name, shape, gene, pointer);
        }
        if self
            .validators
            .is_valid(Direction::Request, shape, &gene.value())
        {
            Ok(gene)
        } else {
            Err(format!("{} does not fit the document", place()))
        }
    }

    /// A value of our own where a recorder dropped one.
    fn stand_in(&mut self, name: &str, shape: ShapeId, gene: Gene, pointer: &str) -> Gene {
        let mut maker = self.maker(Manner::Plausible);
        if pointer.is_empty() {
            return maker.sample(name, shape);
        }
        let slot = maker
            .slots(shape)
            .into_iter()
            .find(|slot| slot.pointer == pointer);
        let Some(slot) = slot else {
            return gene;
        };
        let own = maker.sample(&slot.name, slot.shape);
        maker
            .with_gene(name, shape, &gene, pointer, own)
            .unwrap_or(gene)
    }

    /// Puts values that traffic sent to the same places into a new step, by the merits of their
    /// source. What a creation is called stays ours: the recorded name is taken.
    pub(crate) fn take_harvested(&mut self, step: &mut Step) {
        let operation = self.api.operation(step.operation);
        let creates = operation.deed() == Deed::Create;
        for (at, parameter) in operation.parameters.iter().enumerate() {
            let place = Spot::Parameter(at).describe(operation);
            let source = step.arguments[at].as_ref().map(Gene::source);
            let Some(source) = source else { continue };
            if let Some(value) = self.sent_there(step.operation, &place, source) {
                let mut maker = self.maker(Manner::Plausible);
                step.arguments[at] = Some(maker.adopt(&value, parameter.shape, Source::Harvested));
            }
        }
        let Some(body) = &mut step.body else { return };
        for leaf in body.gene.leaves() {
            if creates && calls_it(field_of(&leaf.pointer)) {
                continue;
            }
            let place = Spot::Body(leaf.pointer.clone()).describe(operation);
            if let Some(value) = self.sent_there(step.operation, &place, Some(leaf.source)) {
                body.gene.set(&leaf.pointer, value, Source::Harvested);
            }
        }
    }

    /// A value that was sent to a place, if it is to be taken.
    fn sent_there(
        &mut self,
        index: OperationIndex,
        place: &str,
        instead_of: Option<Source>,
    ) -> Option<Value> {
        let label = &self.api.operation(index).label;
        let sent = self.values.harvested(label, place);
        let known = matches!(
            instead_of,
            Some(Source::Dictionary | Source::Fixed | Source::Harvested)
        );
        if sent.is_empty() || known {
            return None;
        }
        let other = instead_of.unwrap_or(Source::Random);
        if !self.values.prefers_harvest(other, self.rng) {
            return None;
        }
        let at = self.rng.random_range(0..sent.len());
        sent.get(at).cloned()
    }
}
