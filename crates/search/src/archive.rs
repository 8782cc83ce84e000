//! The best test for each target that was reached: what a suite is chosen from.

use std::collections::BTreeMap;
use std::sync::Arc;

use fossick_plan::Plan;
use fossick_trace::{Episode, Finding, Target};

use crate::coverage::all_of;
use crate::learn::fault_hash;
use crate::search::Search;

/// For each target the shortest plan that reached it.
#[derive(Debug, Default)]
pub struct Archive {
    best: BTreeMap<Target, (u64, Arc<Plan>)>,
    plans: u64,
}

/// A plan and the targets that it is the best test for.
#[derive(Debug, Clone)]
pub struct Archived {
    pub plan: Arc<Plan>,
    pub targets: Vec<Target>,
}

impl Archive {
    /// Keeps a plan for targets that it reached first, or with fewer steps than any before.
    pub(crate) fn keep(&mut self, plan: &Plan, targets: Vec<Target>) {
        if targets.is_empty() {
            return;
        }
        let plan = Arc::new(plan.clone());
        self.plans += 1;
        for target in targets {
            self.best.insert(target, (self.plans, Arc::clone(&plan)));
        }
    }

    /// Every plan that is the best test for something, in the order in which they came.
    pub fn tests(&self) -> Vec<Archived> {
        let mut tests: BTreeMap<u64, Archived> = BTreeMap::new();
        for (target, (number, plan)) in &self.best {
            let test = tests.entry(*number).or_insert_with(|| Archived {
                plan: Arc::clone(plan),
                targets: Vec::new(),
            });
            test.targets.push(*target);
        }
        tests.into_values().collect()
    }
}

impl Search<'_> {
    pub fn archive(&self) -> &Archive {
        &self.archive
    }

    /// What an episode reached, as far as that shows without its plan.
    pub fn targets_of_script(&self, episode: &Episode) -> Vec<Target> {
        let mut targets = Vec::new();
        for (_, call, exchange) in episode.steps() {
            if let Some(index) = self.api.find(&call.operation) {
                all_of(index, &exchange.outcome, &mut targets);
            }
        }
        targets.sort_unstable();
        targets.dedup();
        targets
    }

    /// Everything that an episode of a plan reached.
    pub fn targets_of(&self, plan: &Plan, episode: &Episode, findings: &[Finding]) -> Vec<Target> {
        let mut targets = Vec::new();
        for (step, exchange) in plan.steps.iter().zip(&episode.exchanges) {
            all_of(step.operation, &exchange.outcome, &mut targets);
            self.reach_pairs(step, &exchange.outcome, &mut targets);
        }
        let code = episode.reached.iter().flatten();
        let covered = code.filter(|(_, nearness)| *nearness >= 1.0);
        targets.extend(covered.map(|(number, _)| Target::Code(*number)));
        targets.extend(findings.iter().map(|f| Target::Fault(fault_hash(f))));
        targets.sort_unstable();
        targets.dedup();
        targets
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fossick_contract::OperationIndex;

    fn status(code: u16) -> Target {
        Target::Status(OperationIndex(0), code)
    }

    #[test]
    fn a_plan_that_is_best_for_nothing_any_more_is_forgotten() {
        let mut archive = Archive::default();
        archive.keep(&Plan::default(), vec![status(200), status(404)]);
        archive.keep(&Plan::default(), vec![status(200)]);
        assert_eq!(archive.tests().len(), 2);
        archive.keep(&Plan::default(), vec![status(404)]);
        let left: Vec<_> = archive.tests().into_iter().map(|t| t.targets).collect();
        assert_eq!(left, [[status(200)], [status(404)]]);
    }
}
