//! What a plan makes is removed again when it is over, once there is enough of its kind.
//!
//! A service that a run fills without end answers slower and slower, shows its lists page by page
//! and runs into its limits; and whatever is found then depends on what earlier plans left. The
//! first things of each kind stay, so that there is something to list, to filter and to refer to.

use fossick_contract::{Deed, Operation, OperationIndex};
use fossick_graph::same_place;
use fossick_plan::{Ground, Plan, Step, keys, place_of};
use fossick_trace::{Cleanup, Episode, Removal, Role, Script};

use crate::lives::look_at;
use crate::proposal::{Proposal, Way};
use crate::search::{Search, Strategy};
use crate::tasks::Task;
use crate::ways::finished;

/// So many things of one kind may stay.
const ENOUGH: u32 = 24;
/// After so many removals it is known whether they work.
const TRIALS: u32 = 6;

/// Things of one kind that the run made, and how removing them fared.
#[derive(Debug, Default, Clone, Copy)]
pub(crate) struct Population {
    pub(crate) living: u32,
    removals: u32,
    failed: u32,
}

impl Population {
    fn is_large(self) -> bool {
        self.living > ENOUGH
    }

    /// Whether removing them is worth a call: mostly it works.
    fn can_shrink(self) -> bool {
        self.removals < TRIALS || self.failed * 2 < self.removals
    }
}

impl Search<'_> {
    /// A plan as a script that removes what it made, where enough of that is there.
    pub fn render_tidy(&mut self, plan: &Plan) -> Script {
        let mut script = self.render(plan);
        // A strategy that is measured alone pays for its own calls only.
        if !matches!(self.settings.strategy, Strategy::Auto) {
            return script;
        }
        script.cleanup = self.cleanup(plan, Population::is_large);
        script
    }

    /// Calls that remove what a plan makes, the last thing first: what was made later may hang on
    /// what was made before.
    pub(crate) fn cleanup(
        &mut self,
        plan: &Plan,
        wanted: impl Fn(Population) -> bool,
    ) -> Vec<Cleanup> {
        let made: Vec<usize> = (0..plan.steps.len())
            .rev()
            .filter(|at| {
                let population = self.population[plan.steps[*at].operation.0 as usize];
                wanted(population) && population.can_shrink() && self.leaves_something(plan, *at)
            })
            .collect();
        if made.is_empty() {
            return Vec::new();
        }
        // Whoever asks for a script must not change which plans come next.
        let chance = self.rng.clone();
        let removals: Vec<(usize, Step)> = made
            .into_iter()
            .filter_map(|at| Some((at, self.removal(plan, at)?)))
            .collect();
        self.rng = chance;
        let calls = removals.into_iter().map(|(of, step)| {
            let plan = Plan { steps: vec![step] };
            let call = self.render(&plan).calls.pop();
            call.map(|call| Cleanup { of, call })
        });
        calls.flatten().collect()
    }

    /// Whether a step makes something that no later one takes away.
    fn leaves_something(&self, plan: &Plan, at: usize) -> bool {
        let step = &plan.steps[at];
        let makes = match step.deed(self.api.operation(step.operation)) {
            Deed::Create => true,
            // What is put under a name of our own was not there before.
            Deed::Replace => plan.ground(self.api, at) == Ground::Named,
            _ => false,
        };
        let is_removed = |later: &Step| {
            let operation = self.api.operation(later.operation);
            operation.deed() == Deed::Delete && later.works_on(operation) == Some(at)
        };
        makes && !plan.steps[at + 1..].iter().any(is_removed)
    }

    /// A call that removes what a step makes.
    fn removal(&mut self, plan: &Plan, at: usize) -> Option<Step> {
        let maker = plan.steps[at].operation;
        let remover = self.remover(maker)?;
        let mut builder = self.builder(plan.clone(), Vec::new());
        let mut step = match builder.api.operation(maker).deed() {
            Deed::Replace => crate::handlings::mirror(&mut builder, &plan.steps[at], remover),
            _ => look_at(&mut builder, at, remover)?,
        };
        // It may have asked the maker for a field that the plan does not: such an answer is not there.
        let same = builder.plan.steps[at].ask == plan.steps[at].ask;
        step.role = Role::Cleanup;
        step.user.clone_from(&plan.steps[at].user);
        same.then_some(step)
    }

    /// The operation that removes what another one makes, if it may be called at any time: in the
    /// maker's own collection if there is one. Others that need it too remove something else, a
    /// thing's tag for one.
    pub(crate) fn remover(&self, maker: OperationIndex) -> Option<OperationIndex> {
        let made = self.api.operation(maker);
        let replaces = made.deed() == Deed::Replace;
        if !replaces && self.acted_on(maker).is_some() {
            return None;
        }
        let removes = |(index, operation): (OperationIndex, &Operation)| {
            let (at, path) = (index.0 as usize, &operation.path);
            let known = &self.known[at];
            let open = self.active[at] && !known.waits_for_the_end() && !known.resting;
            if operation.deed() != Deed::Delete || !open {
                return None;
            }
            let fits = if replaces {
                same_place(&made.path.text, &path.text)
            } else {
                self.takes_last(index, maker)
            };
            let beside = |parent| same_place(parent, &made.path.text);
            fits.then(|| (!path.parent().is_some_and(beside), index))
        };
        let (_, remover) = self.api.indexed().filter_map(removes).min()?;
        Some(remover)
    }

    /// Whether the last key of an operation is what another one makes.
    fn takes_last(&self, index: OperationIndex, maker: OperationIndex) -> bool {
        let key = keys(self.api.operation(index)).pop();
        let need = key.and_then(|key| self.graph.need_at(index, &place_of(&key)));
        need.is_some_and(|need| self.graph.is_made_by(index, need, maker))
    }

    /// Counts what an episode left behind.
    pub(crate) fn count_living(&mut self, plan: &Plan, episode: &Episode) {
        for (at, step) in plan.steps.iter().enumerate() {
            let index = step.operation.0 as usize;
            let worked = episode
                .answer(at)
                .is_some_and(fossick_trace::Answer::is_success);
            if worked && self.leaves_something(plan, at) && !episode.is_removed(at) {
                self.population[index].living += 1;
            }
        }
        for (cleanup, removed) in episode.script.cleanup.iter().zip(&episode.removed) {
            let step = plan.steps.get(cleanup.of);
            if let (Some(step), Some(removed)) = (step, removed) {
                let population = &mut self.population[step.operation.0 as usize];
                population.removals += 1;
                population.failed += u32::from(*removed != Removal::Removed);
            }
            if *removed == Some(Removal::Failed) {
                self.look_into(plan, cleanup);
            }
        }
    }

    /// Where the service failed over a removal, the plan is sent once more with the removals as a
    /// part of it.
    fn look_into(&mut self, plan: &Plan, cleanup: &Cleanup) {
        const MOST: u32 = 4;
        let Some(remover) = self.api.find(&cleanup.call.operation) else {
            return;
        };
        let known = &mut self.known[remover.0 as usize];
        known.crashed += 1;
        if known.crashed <= MOST {
            let task = Task::Ended(Box::new(plan.clone()));
            known.tasks.push_front(task);
            self.schedule.wake(remover.0 as usize);
        }
    }

    /// A plan that removes what it made, with these removals as the last of its steps.
    pub(crate) fn ended(&mut self, index: OperationIndex, plan: &Plan) -> Option<Proposal> {
        let plan = &self.anew(plan);
        let mut ended = plan.clone();
        for at in (0..plan.steps.len()).rev() {
            if self.leaves_something(plan, at)
                && let Some(step) = self.removal(plan, at)
            {
                let role = Role::Check;
                ended.steps.push(Step { role, ..step });
            }
        }
        let last = ended
            .steps
            .iter_mut()
            .rfind(|step| step.operation == index)?;
        last.role = Role::Main;
        let mut builder = self.builder(ended, Vec::new());
        builder.uses.clear();
        Some(finished(builder, index, Way::Life))
    }
}
