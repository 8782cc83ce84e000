//! Recorded calls sent again, the most called first.
//!
//! A call that names what an earlier answer of its session gave gets that answer made anew, so that
//! the plan stands alone. Where that fails, everything that the graph knows a maker for is made;
//! where that fails too, the call is sent with the very values that were recorded. What worked is
//! the operation's known good call from then on, and is deviated from.

use std::collections::VecDeque;

use fossick_contract::{Deed, OperationIndex};
use fossick_genes::Manner;
use fossick_graph::Edge;
use fossick_plan::{Plan, Step};
use fossick_trace::{Episode, Role};
use rand::RngExt as _;

use crate::builder::Builder;
use crate::fresh::{Name, freshen, names_of};
use crate::proposal::{Proposal, Rule, Use, Way};
use crate::search::Search;
use crate::ways::finished;

/// Recorded calls that are sent before anything else is thought of.
const FIRST: usize = 32;
/// Calls that may not be sent before the turn passes to somebody else.
const TRIES: usize = 20;

/// The recorded calls and what became of them.
#[derive(Debug, Default)]
pub(crate) struct Traffic {
    seeds: Vec<Sprout>,
    /// Calls to be sent, with how to meet their needs.
    waiting: VecDeque<(usize, Meeting)>,
    replayed: usize,
    /// Those that worked, in the order of their next deviation.
    pub(crate) good: VecDeque<usize>,
}

#[derive(Debug)]
pub(crate) struct Sprout {
    step: Step,
    /// How its needs were met last.
    last: Option<Meeting>,
    /// Set once it has worked.
    pub(crate) grown: Option<Grown>,
}

/// A recorded call that worked.
#[derive(Debug)]
pub(crate) struct Grown {
    pub(crate) plan: Plan,
    pub(crate) uses: Vec<Use>,
    pub(crate) names: Vec<Name>,
    /// How many deviations of each rule were made.
    pub(crate) made: [usize; Rule::ALL.len()],
    /// Which rule is next.
    pub(crate) turn: usize,
}

/// Where the values that a call needs come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Meeting {
    /// From makers that traffic showed; else as recorded.
    AsSeen,
    /// From whatever makes them.
    Made,
    /// As recorded.
    Literally,
}

impl Traffic {
    pub(crate) fn of(steps: Vec<Step>) -> Self {
        let sprout = |step| Sprout {
            step,
            last: None,
            grown: None,
        };
        Self {
            waiting: (0..steps.len()).map(|at| (at, Meeting::AsSeen)).collect(),
            seeds: steps.into_iter().map(sprout).collect(),
            ..Self::default()
        }
    }

    pub(crate) fn grown(&mut self, seed: usize) -> Option<&mut Grown> {
        self.seeds.get_mut(seed)?.grown.as_mut()
    }

    /// The next way to try a call that did not work.
    fn again(&mut self, seed: usize) {
        let Some(sprout) = self.seeds.get(seed).filter(|sprout| sprout.grown.is_none()) else {
            return;
        };
        match sprout.last {
            Some(Meeting::AsSeen) => self.waiting.push_back((seed, Meeting::Made)),
            Some(Meeting::Made) => self.waiting.push_back((seed, Meeting::Literally)),
            _ => {}
        }
    }
}

impl Search<'_> {
    /// A recorded call or a deviation of one, if it is their turn.
    pub(crate) fn recorded(&mut self) -> Option<Proposal> {
        let traffic = self.traffic.as_ref()?;
        let (waits, first) = (!traffic.waiting.is_empty(), traffic.replayed < FIRST);
        let deviates = !traffic.good.is_empty();
        if waits && (first || self.rng.random_bool(self.shares.of_harvest())) {
            let replay = self.replay();
            if replay.is_some() {
                return replay;
            }
        }
        if deviates && self.rng.random_bool(self.shares.of_deviations()) {
            return self.deviation();
        }
        None
    }

    fn replay(&mut self) -> Option<Proposal> {
        for _ in 0..TRIES {
            let traffic = self.traffic.as_mut()?;
            let (seed, meeting) = traffic.waiting.pop_front()?;
            let step = traffic.seeds[seed].step.clone();
            traffic.seeds[seed].last = Some(meeting);
            if !self.is_new_attempt(&step, meeting) {
                self.traffic.as_mut()?.again(seed);
                continue;
            }
            let subject = step.operation;
            let mut builder = self.builder(Plan::default(), Vec::new());
            builder.call_recorded(step, meeting);
            let proposal = finished(builder, subject, Way::Harvested { seed });
            if self.is_wanted(&proposal.plan) && self.may_send(&proposal.plan, false) {
                self.traffic.as_mut()?.replayed += 1;
                return Some(proposal);
            }
            self.traffic.as_mut()?.again(seed);
        }
        None
    }

    /// Whether a way to meet the needs differs from those before it.
    fn is_new_attempt(&self, step: &Step, meeting: Meeting) -> bool {
        let edges = || {
            let needs = 0..self.graph.needs(step.operation).len();
            needs.flat_map(|need| self.graph.edges(step.operation, need))
        };
        match meeting {
            Meeting::AsSeen => true,
            Meeting::Made => edges().any(|edge| !edge.in_traffic),
            Meeting::Literally => edges().any(|edge| edge.in_traffic),
        }
    }

    /// Hears what became of a recorded call.
    pub(crate) fn learn_replay(&mut self, proposal: &Proposal, episode: &Episode) {
        let Way::Harvested { seed } = proposal.way else {
            return;
        };
        let main = proposal.plan.main();
        let exchange = episode.exchanges.get(main);
        let worked = exchange.is_some_and(|exchange| exchange.outcome.is_success());
        let names = names_of(self.api, &proposal.plan);
        let Some(traffic) = &mut self.traffic else {
            return;
        };
        if !worked {
            traffic.again(seed);
            return;
        }
        if let Some(sprout) = traffic.seeds.get_mut(seed) {
            sprout.grown = Some(Grown {
                plan: proposal.plan.clone(),
                uses: proposal.uses.clone(),
                names,
                made: [0; Rule::ALL.len()],
                turn: 0,
            });
            traffic.good.push_back(seed);
        }
    }

    /// A recorded call that worked, with new names.
    pub(crate) fn worked_before(&mut self, seed: usize) -> Option<(Plan, Vec<Use>)> {
        let grown = self.traffic.as_mut()?.grown(seed)?;
        let (mut plan, uses, names) = (grown.plan.clone(), grown.uses.clone(), grown.names.clone());
        let mut builder = self.builder(Plan::default(), Vec::new());
        freshen(&mut plan, &names, &mut builder.maker(Manner::Plausible));
        Some((plan, uses))
    }
}

impl<'s> Builder<'s, '_> {
    /// Adds a recorded call after what it needs.
    fn call_recorded(&mut self, mut step: Step, meeting: Meeting) {
        let index = step.operation;
        step.role = Role::Main;
        let graph = self.graph;
        for (at, need) in graph.needs(index).iter().enumerate() {
            if meeting == Meeting::Literally || !self.matters(index, &step, need) {
                continue;
            }
            let mut above = vec![index];
            let edge = match meeting {
                Meeting::Made => self.choose(index, at, need, &above),
                _ => self.shown(index, at),
            };
            if let Some(edge) = edge
                && let Some(maker) = self.provide(edge, &mut above)
            {
                self.connect(&mut step, at, need, edge, maker);
            }
        }
        self.plan.steps.push(step);
        let place = self.plan.steps.len() - 1;
        let own = |used: &&mut Use| used.step == usize::MAX && used.consumer == index;
        for used in self.uses.iter_mut().filter(own) {
            used.step = place;
        }
    }

    /// The best way to meet a need that traffic went; whoever makes the thing is better than
    /// whoever lists it.
    fn shown(&self, index: OperationIndex, need: usize) -> Option<&'s Edge> {
        let graph = self.graph;
        let edges = graph.edges(index, need).into_iter();
        let mut seen =
            edges.filter(|edge| edge.in_traffic && edge.maker != index && !self.is_barred(edge));
        let first = seen.next();
        let makes = |edge: &&'s Edge| {
            let deed = self.api.operation(edge.maker).deed();
            edge.evidence.makes() || deed == Deed::Create
        };
        match first {
            Some(edge) if makes(&edge) => Some(edge),
            other => seen.find(makes).or(other),
        }
    }
}
