//! Finding out about edges of the graph that nobody tries, because a better way works.
//!
//! A little of the budget goes to them: each is tried until it works or is refuted.

use fossick_contract::OperationIndex;
use fossick_genes::Manner;
use fossick_graph::Doubt;
use fossick_plan::{Ground, Plan, Spot, spot_of};
use fossick_trace::Role;

use crate::proposal::{Proposal, Way};
use crate::search::{Search, Strategy};
use crate::ways::finished;

/// One plan in so many.
const EVERY: u32 = 12;
/// Operations that are looked at in one turn.
const LOOKED_AT: usize = 8;

#[derive(Debug, Default)]
pub(crate) struct Doubts {
    plans: u32,
    /// The operation that is looked at next.
    next: usize,
}

impl Search<'_> {
    /// A plan through an edge that never worked, now and then.
    pub(crate) fn doubting(&mut self) -> Option<Proposal> {
        let learns = match &self.settings.strategy {
            Strategy::Auto => true,
            Strategy::Graph(wanted) => wanted.graph && wanted.repair,
            Strategy::Evolve(_) => false,
        };
        self.doubts.plans += 1;
        if !learns || !self.doubts.plans.is_multiple_of(EVERY) {
            return None;
        }
        let count = self.api.operations.len();
        for _ in 0..LOOKED_AT.min(count) {
            let index = OperationIndex((self.doubts.next % count) as u32);
            self.doubts.next += 1;
            if let Some(proposal) = self.doubted(index) {
                return Some(proposal);
            }
        }
        None
    }

    /// Only of what works is it known why it fails, and only what was made for it is written to.
    fn doubted(&mut self, index: OperationIndex) -> Option<Proposal> {
        let at = index.0 as usize;
        let known = &self.known[at];
        if !self.active[at] || known.succeeded == 0 || known.waits_for_the_end() || known.resting {
            return None;
        }
        let works = |maker: OperationIndex| self.known[maker.0 as usize].succeeded > 0;
        let doubt = self.graph.doubted(index, works)?;
        let proposal = match doubt.alternative() {
            Some(way) => self.through(index, way)?,
            None => self.loosely(index, doubt)?,
        };
        let plan = &proposal.plan;
        let changes = self.api.operation(index).deed().changes();
        let own = !changes || plan.ground(self.api, plan.main()) == Ground::Made;
        let allowed = own && self.is_wanted(plan) && self.may_send(plan, false);
        self.charge(index, plan.steps.len());
        allowed.then_some(proposal)
    }

    /// A call with a parameter out of the answer of another, which it does not need.
    fn loosely(&mut self, index: OperationIndex, doubt: Doubt) -> Option<Proposal> {
        let Spot::Parameter(parameter) = spot_of(&doubt.place) else {
            return None;
        };
        let mut builder = self.builder(Plan::default(), Vec::new());
        let from = builder.call(doubt.maker, Role::Setup, Manner::Plausible)?;
        let at = builder.call(index, Role::Main, Manner::Plausible)?;
        builder.fill(at, parameter, from, doubt.pointer);
        builder.plan.steps[at].bind_at(&Spot::Parameter(parameter))?;
        Some(finished(builder, index, Way::Through))
    }
}
