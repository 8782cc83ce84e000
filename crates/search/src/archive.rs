//! The best test for each target that was reached: what a suite is chosen from.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use fossick_plan::Plan;
use fossick_trace::{Episode, Finding, Target};

use crate::coverage::all_of;
use crate::evolved::near_misses;
use crate::learn::fault_hash;
use crate::search::Search;

/// For each target the shortest plan that reached it, and a few others: a plan may have met its
/// target only because of what earlier ones left behind.
#[derive(Debug, Default)]
pub struct Archive {
    best: BTreeMap<Target, Vec<Entry>>,
    plans: u64,
}

#[derive(Debug, Clone)]
struct Entry {
    number: u64,
    plan: Arc<Plan>,
}

/// A plan and the targets that it is kept for.
#[derive(Debug, Clone)]
pub struct Archived {
    pub plan: Arc<Plan>,
    pub targets: Vec<Target>,
}

/// Plans that are kept for one target.
const MOST: usize = 3;

impl Archive {
    /// Whether a plan of so many steps is worth keeping for a target.
    pub(crate) fn wants(&self, target: &Target, steps: usize) -> bool {
        self.best.get(target).is_none_or(|entries| {
            entries.len() < MOST || entries.iter().any(|e| e.plan.steps.len() > steps)
        })
    }

    /// Keeps a plan for targets that want it.
    pub(crate) fn keep(&mut self, plan: &Plan, targets: Vec<Target>) {
        if targets.is_empty() {
            return;
        }
        self.plans += 1;
        let entry = Entry {
            number: self.plans,
            plan: Arc::new(plan.clone()),
        };
        for target in targets {
            let entries = self.best.entry(target).or_default();
            if entries.iter().any(|known| known.number == entry.number) {
                continue;
            }
            entries.push(entry.clone());
            entries.sort_by_key(|e| (e.plan.steps.len(), e.number));
            entries.truncate(MOST);
        }
    }

    /// How many tests are the best for something.
    pub fn len(&self) -> usize {
        let best = self.best.values().filter_map(|entries| entries.first());
        best.map(|entry| entry.number)
            .collect::<BTreeSet<_>>()
            .len()
    }

    pub fn is_empty(&self) -> bool {
        self.best.is_empty()
    }

    pub fn targets(&self) -> impl Iterator<Item = &Target> {
        self.best.keys()
    }

    /// Every plan that is kept, in the order in which they came.
    pub fn tests(&self) -> Vec<Archived> {
        let mut tests: BTreeMap<u64, Archived> = BTreeMap::new();
        for (target, entries) in &self.best {
            for entry in entries {
                let test = tests.entry(entry.number).or_insert_with(|| Archived {
                    plan: Arc::clone(&entry.plan),
                    targets: Vec::new(),
                });
                test.targets.push(*target);
            }
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
        let (mut targets, mut scores) = (Vec::new(), Vec::new());
        for (at, call, exchange) in episode.steps() {
            if let Some(index) = self.api.find(&call.operation) {
                all_of(index, &exchange.outcome, &mut targets);
                near_misses(index, &exchange.outcome, episode, at, &mut scores);
            }
        }
        let reached = scores.iter().filter(|(_, score)| *score >= 1.0);
        targets.extend(reached.map(|(target, _)| *target));
        targets.sort_unstable();
        targets.dedup();
        targets
    }

    /// Everything that an episode of a plan reached.
    pub fn targets_of(&self, plan: &Plan, episode: &Episode, findings: &[Finding]) -> Vec<Target> {
        let mut targets = Vec::new();
        let mut scores = Vec::new();
        for (at, (step, exchange)) in plan.steps.iter().zip(&episode.exchanges).enumerate() {
            all_of(step.operation, &exchange.outcome, &mut targets);
            self.reach_pairs(step, &exchange.outcome, &mut targets);
            near_misses(step.operation, &exchange.outcome, episode, at, &mut scores);
        }
        let reached = scores.iter().filter(|(_, score)| *score >= 1.0);
        targets.extend(reached.map(|(target, _)| *target));
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
    use fossick_plan::Step;

    fn status(code: u16) -> Target {
        Target::Status(OperationIndex(0), code)
    }

    fn plan(steps: usize) -> Plan {
        let step = Step::new(OperationIndex(0), 0);
        Plan {
            steps: vec![step; steps],
        }
    }

    #[test]
    fn the_shortest_plans_stay_and_longer_ones_make_room() {
        let mut archive = Archive::default();
        for steps in [4, 5, 6] {
            assert!(archive.wants(&status(200), steps));
            archive.keep(&plan(steps), vec![status(200)]);
        }
        assert!(!archive.wants(&status(200), 6) && archive.wants(&status(200), 5));
        archive.keep(&plan(1), vec![status(200), status(404)]);
        let lengths: Vec<_> = archive.tests().iter().map(|t| t.plan.steps.len()).collect();
        assert_eq!(lengths, [4, 5, 1]);
        assert_eq!(archive.len(), 1, "one test is the best for both");
    }
}
