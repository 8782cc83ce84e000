//! Plans that follow the property graph: call sequences, and what their answers teach.
//!
//! Each call of a sequence takes what it needs from the answers of earlier ones; what none of them
//! gives is made first, so that every plan stands alone. Other values are those that worked last
//! time, or else plausible ones, or else by chance (Liu and others, "Morest", section 3.2).

use fossick_contract::{Deed, Kind, OperationIndex, ShapeId};
use fossick_genes::{Gene, Manner, Source};
use fossick_graph::{Flow, Inflow, Place, Repair, Words, Yield};
use fossick_plan::{Bind, Plan, Spot, Step, connect, place_of, spot_of};
use fossick_trace::{Episode, Exchange, Role, Take};
use rand::RngExt as _;
use serde_json::Value;

use crate::builder::Builder;
use crate::fresh::names_things;
use crate::learn::verdict;
use crate::proposal::{Proposal, Way};
use crate::search::{Search, Strategy};
use crate::ways::finished;

/// How the property graph is used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RpgSettings {
    /// Sequences follow the graph; otherwise they are made by chance and nothing is carried.
    pub graph: bool,
    /// Answers change the graph.
    pub repair: bool,
    /// Failures after which an edge goes; its record decides where nothing is said.
    pub tries: Option<u32>,
}

impl Default for RpgSettings {
    fn default() -> Self {
        Self {
            graph: true,
            repair: true,
            tries: None,
        }
    }
}

impl RpgSettings {
    pub(crate) fn repair(&self) -> Repair {
        Repair {
            on: self.graph && self.repair,
            tries: self.tries,
        }
    }
}

/// Sequences that may not be sent before somebody else has the turn.
const TRIES: usize = 30;
/// How often the values of the last success are sent again.
const AGAIN: f64 = 0.75;
/// How often a parameter that is sent anyway is filled from an earlier answer.
const LOOSE: f64 = 0.6;
/// How often an optional parameter is filled from an earlier answer.
const OPTIONAL: f64 = 0.3;
/// Numbers up to here fit everywhere and seldom meet.
const NUMBERS: f64 = 1e9;
/// The longest sequence that is made by chance.
const LONGEST: usize = 4;

impl Search<'_> {
    /// Whether the next plan is a sequence of the graph.
    pub(crate) fn follows_graph(&mut self) -> bool {
        match &self.settings.strategy {
            Strategy::Graph(_) => true,
            Strategy::Evolve(_) => false,
            Strategy::Auto => {
                let tried_all = self.sequence_turn();
                let share = self.shares.of_sequences();
                tried_all && self.rng.random_bool(share)
            }
        }
    }

    /// Sequences begin when everything had its turn once.
    fn sequence_turn(&self) -> bool {
        let mut all = self.known.iter().zip(&self.active);
        all.all(|(known, active)| !active || known.tried > 0 || known.waits_for_the_end())
    }

    /// The next sequence as a plan.
    pub(crate) fn sequenced(&mut self) -> Option<Proposal> {
        for _ in 0..TRIES {
            let operations = self.next_sequence()?;
            let last = *operations.last()?;
            let proposal = if self.is_guided() {
                self.along(&operations)
            } else {
                self.by_chance(&operations)
            };
            for index in &operations {
                self.known[index.0 as usize].tried += 1;
            }
            let late = !self.is_guided();
            let allowed = |p: &Proposal| self.is_wanted(&p.plan) && self.may_send(&p.plan, late);
            if let Some(proposal) = proposal.filter(allowed) {
                let cost = proposal.plan.steps.len() as u32;
                self.known[last.0 as usize].calls += cost;
                return Some(proposal);
            }
        }
        None
    }

    fn is_guided(&self) -> bool {
        match &self.settings.strategy {
            Strategy::Graph(wanted) => wanted.graph,
            _ => true,
        }
    }

    fn next_sequence(&mut self) -> Option<Vec<OperationIndex>> {
        if !self.is_guided() {
            return self.chance_sequence();
        }
        let all = self.api.indexed().map(|(index, _)| self.worth(index));
        let worths: Vec<f64> = all.collect();
        let worth = |index: OperationIndex| worths[index.0 as usize];
        let found = self.sequences.next(&self.graph, self.api, worth);
        found.map(|sequence| sequence.operations)
    }

    /// What a success of an operation would bring: much where there was none yet.
    fn worth(&self, index: OperationIndex) -> f64 {
        let at = index.0 as usize;
        let known = &self.known[at];
        if !self.active[at] || known.waits_for_the_end() || known.resting {
            return 0.0;
        }
        let tried = f64::from(known.tried);
        match known.succeeded {
            0 => (1.0 / (1.0 + 0.02 * tried)).max(0.2) * self.within_reach(index),
            _ => 0.02 + 0.1 / (1.0 + 0.2 * tried),
        }
    }

    /// What can't be called before another operation works waits for that one.
    fn within_reach(&self, index: OperationIndex) -> f64 {
        let ready = |maker: OperationIndex| {
            let known = &self.known[maker.0 as usize];
            match (known.succeeded, known.tried) {
                (0, 0..=3) => 0.5,
                (0, _) => 0.1,
                _ => 1.0,
            }
        };
        let needs = self.graph.needs(index).iter().enumerate();
        let required = needs.filter(|(_, need)| need.required);
        let best = |(at, _)| self.graph.makers(index, at).map(ready).reduce(f64::max);
        required.filter_map(best).fold(1.0, f64::min)
    }

    fn chance_sequence(&mut self) -> Option<Vec<OperationIndex>> {
        let worthy = self.api.indexed().map(|(index, _)| index);
        let worthy: Vec<_> = worthy.filter(|index| self.worth(*index) > 0.0).collect();
        if worthy.is_empty() {
            return None;
        }
        let length = self.rng.random_range(1..=LONGEST);
        let mut pick = || worthy[self.rng.random_range(0..worthy.len())];
        let picked: Vec<_> = (0..length).map(|_| pick()).collect();
        self.sequences.note(&picked);
        Some(picked)
    }

    /// A plan of a sequence whose calls take what they need from each other.
    fn along(&mut self, operations: &[OperationIndex]) -> Option<Proposal> {
        let last = *operations.last()?;
        let manners: Vec<Manner> = operations.iter().map(|i| self.manner_of(*i)).collect();
        let mut builder = self.builder(Plan::default(), Vec::new());
        builder.along = true;
        for (place, (index, manner)) in operations.iter().zip(manners).enumerate() {
            // A maker of what came before stands already; where two are wanted, two are made.
            let same = |other: &&OperationIndex| **other == *index;
            let wanted = operations[..=place].iter().filter(same).count();
            let steps = builder.plan.steps.iter();
            if *index != last && steps.filter(|s| s.operation == *index).count() >= wanted {
                continue;
            }
            let at = builder.call(*index, Role::Main, manner)?;
            builder.fill_loose(at);
        }
        give_roles(&mut builder.plan);
        Some(finished(builder, last, Way::Sequence))
    }

    /// What never worked is tried in every manner; what worked is varied now and then.
    fn manner_of(&self, index: OperationIndex) -> Manner {
        let known = &self.known[index.0 as usize];
        match known.succeeded {
            0 => self.manner_of_attempt(index.0 as usize),
            _ if known.tried.is_multiple_of(4) => Manner::Varied,
            _ => Manner::Plausible,
        }
    }

    /// A plan of calls that know nothing of each other.
    fn by_chance(&mut self, operations: &[OperationIndex]) -> Option<Proposal> {
        let last = *operations.last()?;
        let manners: Vec<Manner> = operations.iter().map(|i| self.manner_of(*i)).collect();
        let mut builder = self.builder(Plan::default(), Vec::new());
        for (index, manner) in operations.iter().zip(manners) {
            let mut step = builder.sample(*index, manner);
            builder.recall(&mut step);
            builder.plan.steps.push(step);
        }
        Some(finished(builder, last, Way::Sequence))
    }

    /// Remembers the calls of a sequence that succeeded.
    pub(crate) fn keep_good(&mut self, plan: &Plan, episode: &Episode) {
        for (step, exchange) in plan.steps.iter().zip(&episode.exchanges) {
            if exchange.outcome.is_success() && step.intent.is_valid() && step.method.is_none() {
                self.known[step.operation.0 as usize].good = Some(Box::new(step.clone()));
            }
        }
    }

    /// Tells the graph which values went from answer to call, and what came of it.
    pub(crate) fn learn_flows(&mut self, plan: &Plan, episode: &Episode) {
        for (at, step) in plan.steps.iter().enumerate() {
            if !step.intent.is_valid() || step.method.is_some() {
                continue;
            }
            for bind in &step.binds {
                self.learn_flow(plan, episode, (at, step), bind);
            }
            // Nothing after a call that could not be made was made.
            if episode.exchanges.len() <= at {
                break;
            }
        }
    }

    fn learn_flow(
        &mut self,
        plan: &Plan,
        episode: &Episode,
        (at, step): (usize, &Step),
        bind: &Bind,
    ) {
        let Take::Pointer(pointer) = &bind.take else {
            return;
        };
        let given = episode
            .answer(bind.step)
            .filter(|answer| answer.is_success());
        let given = given.and_then(|answer| answer.json());
        let (Some(given), Some(maker)) = (given, plan.steps.get(bind.step)) else {
            return;
        };
        let exchange = episode.exchanges.get(at);
        let missing = given.pointer(pointer).is_none_or(Value::is_null);
        let worked = match exchange {
            Some(exchange) => verdict(&exchange.outcome),
            None => missing.then_some(false),
        };
        let flow = Flow {
            maker: maker.operation,
            pointer,
            given,
            consumer: step.operation,
            place: &place_of(&bind.spot),
            got: exchange.and_then(body_of_success),
            worked,
        };
        self.graph.flowed(self.api, &flow);
    }
}

fn body_of_success(exchange: &Exchange) -> Option<&Value> {
    let answer = exchange.outcome.answer()?;
    answer.json().filter(|_| answer.is_success())
}

/// Calls that later ones take from are set-ups: where they fail, the rest is not worth sending.
fn give_roles(plan: &mut Plan) {
    let taken: Vec<usize> = plan
        .steps
        .iter()
        .flat_map(|s| &s.binds)
        .map(|b| b.step)
        .collect();
    let last = plan.steps.len().saturating_sub(1);
    for (at, step) in plan.steps.iter_mut().enumerate() {
        if at < last && taken.contains(&at) {
            step.role = Role::Setup;
        }
    }
}

impl Builder<'_, '_> {
    /// Puts values of the last success into a step. A second thing of the same name would be
    /// refused, so what is made gets names of its own.
    pub(crate) fn recall(&mut self, step: &mut Step) {
        self.recall_values(step);
        if self.api.operation(step.operation).deed() == Deed::Create {
            self.number_anew(step);
        }
    }

    fn recall_values(&mut self, step: &mut Step) {
        let good = self.known[step.operation.0 as usize].good.clone();
        let Some(good) = good.filter(|_| self.rng.random_bool(AGAIN)) else {
            return;
        };
        let makes = self.api.operation(step.operation).deed() == Deed::Create;
        for (at, gene) in good.arguments.iter().enumerate() {
            if good.bind_at(&Spot::Parameter(at)).is_none() {
                step.arguments[at].clone_from(gene);
            }
        }
        step.body.clone_from(&good.body);
        if makes {
            self.name_anew(step);
            self.renew(step, true);
        }
    }

    /// Gives what is made names of its own.
    fn name_anew(&mut self, step: &mut Step) {
        let Some(shape) = self.body_shape(step) else {
            return;
        };
        let mut maker = self.maker(Manner::Plausible);
        let slots = maker.slots(shape).into_iter();
        for slot in slots.filter(|slot| names_things(&slot.name)) {
            let text = |gene: &Gene| gene.value().is_string();
            if let Some(body) = &mut step.body
                && body.gene.at(&slot.pointer).is_some_and(text)
            {
                let name = maker.sample(&slot.name, slot.shape);
                let source = name.source().unwrap_or(Source::Named);
                body.gene.set(&slot.pointer, name.value(), source);
            }
        }
    }

    fn body_shape(&self, step: &Step) -> Option<ShapeId> {
        let content = step.body.as_ref()?.content;
        let declared = self.api.operation(step.operation).body.as_ref()?;
        declared.contents.get(content)?.shape
    }

    /// Gives what is made a number of its own, where the caller chooses it.
    fn number_anew(&mut self, step: &mut Step) {
        let Some(shape) = self.body_shape(step) else {
            return;
        };
        for slot in self.maker(Manner::Plausible).slots(shape) {
            let place = Place::Body(slot.pointer.clone());
            let refers = self.graph.need_at(step.operation, &place).is_some();
            let fresh = self.fresh_number(slot.shape);
            if let (Some(body), Some(fresh), false) = (&mut step.body, fresh, refers)
                && Words::of(&slot.name).0 == ["id"]
                && body.gene.at(&slot.pointer).is_some()
            {
                body.gene.set(&slot.pointer, fresh.into(), Source::Random);
            }
        }
    }

    /// A whole number that nobody has thought of yet, within what the document allows.
    fn fresh_number(&mut self, shape: ShapeId) -> Option<i64> {
        let Kind::Integer(bounds) = &self.api.shape(shape).kind else {
            return None;
        };
        if bounds.multiple_of.is_some() {
            return None;
        }
        let least = bounds.minimum.unwrap_or(1.0).max(1.0) as i64;
        let most = bounds.maximum.unwrap_or(NUMBERS).min(NUMBERS) as i64;
        (least < most).then(|| self.rng.random_range(least..=most))
    }

    /// Fills parameters that are called like a property of an earlier answer.
    fn fill_loose(&mut self, at: usize) {
        let index = self.plan.steps[at].operation;
        let earlier: Vec<_> = self.plan.steps[..at].iter().map(|s| s.operation).collect();
        let mut inflows = self.graph.inflows(self.api, &earlier, index);
        // What works better is taken more often, but nothing is never taken.
        let ranked = inflows.drain(..).map(|inflow| {
            let luck: f64 = self.rng.random_range(0.0..1.0);
            (inflow.confidence * luck, inflow)
        });
        let mut ranked: Vec<(f64, Inflow)> = ranked.collect();
        ranked.sort_by(|a, b| b.0.total_cmp(&a.0));
        let mut filled: Vec<usize> = Vec::new();
        for (_, inflow) in ranked {
            let Spot::Parameter(parameter) = spot_of(&inflow.place) else {
                continue;
            };
            if filled.contains(&parameter) {
                continue;
            }
            filled.push(parameter);
            let given = self.plan.steps[at].arguments[parameter].is_some();
            let chance = if given { LOOSE } else { OPTIONAL };
            if self.rng.random_bool(chance) {
                self.fill(at, parameter, inflow.step, inflow.pointer);
            }
        }
    }

    pub(crate) fn fill(&mut self, at: usize, parameter: usize, from: usize, pointer: String) {
        let mut step = self.plan.steps[at].clone();
        if step.arguments[parameter].is_none() {
            let declared = &self.api.operation(step.operation).parameters[parameter];
            let (name, shape) = (declared.name.clone(), declared.shape);
            let gene = self.maker(Manner::Plausible).sample(&name, shape);
            step.arguments[parameter] = Some(gene);
        }
        let yields = Yield::Answer(Take::Pointer(pointer));
        let mut plan = std::mem::take(&mut self.plan);
        let mut maker = self.maker(Manner::Plausible);
        let spot = Spot::Parameter(parameter);
        if connect(&mut plan, from, &mut step, &spot, &yields, &mut maker) {
            plan.steps[at] = step;
        }
        self.plan = plan;
    }
}
