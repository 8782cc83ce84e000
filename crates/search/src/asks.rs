//! Ways of putting a GraphQL operation: another selection, more root fields, GET, inline values.

use fossick_contract::{OperationIndex, RootKind};
use fossick_genes::Manner;
use fossick_plan::{Ask, Beside, Plan, Step};
use fossick_trace::Intent;
use rand::RngExt as _;

use crate::proposal::{Proposal, Use, Way};
use crate::search::Search;

/// Root fields put beside the main one.
const MOST_BESIDE: usize = 3;

impl Search<'_> {
    /// Changes what a step asks for, a little or a lot. Steps of other APIs ask for nothing.
    pub(crate) fn vary_ask(&mut self, index: OperationIndex, step: &mut Step) {
        let (Some(mut ask), Some(root)) = (step.ask.take(), &self.api.operation(index).graphql)
        else {
            return;
        };
        let anew = self.rng.random_bool(0.3);
        let manner = if self.rng.random_bool(0.4) {
            Manner::Full
        } else {
            Manner::Varied
        };
        let returns = &self.api.root_field(root).returns;
        let mut builder = self.builder(Plan::default(), Vec::new());
        let mut maker = builder.maker(manner);
        match &mut ask.selection {
            Some(selection) if !anew => maker.reselect(selection),
            selection => *selection = maker.select_returned(returns),
        }
        ask.beside = self.beside(root.kind);
        ask.inline = self.settings.inline || self.rng.random_bool(0.1);
        let may_get = root.kind == RootKind::Query && self.settings.get && self.get_works;
        ask.get = may_get && self.rng.random_bool(0.1);
        step.ask = Some(ask);
    }

    /// Other queries that are known to work on their own, each under a key of its own. The main
    /// one may be among them: GraphQL promises that neither disturbs the other.
    fn beside(&mut self, kind: RootKind) -> Vec<Beside> {
        if kind == RootKind::Mutation || !self.rng.random_bool(0.15) {
            return Vec::new();
        }
        let number = self.rng.random_range(1..=MOST_BESIDE);
        let mut found = Vec::new();
        for at in 0..number {
            let index = OperationIndex(self.rng.random_range(0..self.known.len()) as u32);
            if let Some(step) = self.lone_query(index) {
                let (arguments, ask) = (step.body.map(|body| body.gene), step.ask);
                found.push(Beside {
                    alias: format!("beside{}", at + 1),
                    operation: index,
                    arguments,
                    selection: ask.and_then(|ask| ask.selection),
                });
            }
        }
        found
    }

    /// The step of a query that works and needs nobody before it.
    fn lone_query(&self, index: OperationIndex) -> Option<Step> {
        let root = self.api.operation(index).graphql.as_ref()?;
        let (plan, _) = self.known[index.0 as usize].base.as_ref()?;
        match plan.steps.as_slice() {
            [step] if root.kind == RootKind::Query => Some(step.clone()),
            _ => None,
        }
    }

    /// The known good call sent with GET. Services need not take it; of a mutation they must not.
    pub(crate) fn by_get(&mut self, index: OperationIndex) -> Option<Proposal> {
        self.put_otherwise(index, |step| {
            let ask = step.ask.as_mut()?;
            ask.get = true;
            step.intent = Intent::Undeclared;
            step.binds.is_empty().then_some(())
        })
    }

    /// The known good call with its values written into the operation.
    pub(crate) fn inline(&mut self, index: OperationIndex) -> Option<Proposal> {
        self.put_otherwise(index, |step| {
            let ask: &mut Ask = step.ask.as_mut()?;
            ask.inline = true;
            Some(())
        })
    }

    fn put_otherwise(
        &mut self,
        index: OperationIndex,
        change: impl Fn(&mut Step) -> Option<()>,
    ) -> Option<Proposal> {
        let (mut plan, uses): (Plan, Vec<Use>) = self.base(index)?;
        let main = plan.main();
        change(&mut plan.steps[main])?;
        Some(Proposal::new(plan, index, Way::Stranger, uses))
    }
}
