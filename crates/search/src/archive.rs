//! The best test for each target that was reached: what a suite is chosen from.

use std::collections::BTreeMap;
use std::sync::Arc;

use fossick_contract::{Api, OperationIndex};
use fossick_genes::{Gene, Source};
use fossick_plan::{Plan, Spot, Step};
use fossick_trace::{Episode, Take, Target};
use serde_json::Value;

use crate::coverage::all_of;
use crate::evolved::near_misses;
use crate::learn::reach_pairs;
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
    borrows: bool,
    number: u64,
    plan: Arc<Plan>,
}

impl Entry {
    /// The better, the lower: what stands alone comes first, then what is short, then the elder.
    fn rank(&self) -> (bool, usize, u64) {
        (self.borrows, self.plan.steps.len(), self.number)
    }
}

/// A plan and the targets that it is kept for.
#[derive(Debug, Clone)]
pub struct Archived {
    pub plan: Arc<Plan>,
    pub targets: Vec<Target>,
    /// It holds values that earlier answers gave, and works only where those still mean something.
    pub borrows: bool,
}

/// Plans that are kept for one target.
const MOST: usize = 3;

impl Archive {
    /// Whether a plan of so many steps is worth keeping for a target.
    pub(crate) fn wants(&self, target: &Target, steps: usize, borrows: bool) -> bool {
        self.best.get(target).is_none_or(|entries| {
            let worse = |e: &Entry| (e.borrows, e.plan.steps.len()) > (borrows, steps);
            entries.len() < MOST || entries.iter().any(worse)
        })
    }

    /// Keeps a plan for targets that want it.
    pub(crate) fn keep(&mut self, plan: &Plan, targets: Vec<Target>, borrows: bool) {
        if targets.is_empty() {
            return;
        }
        self.plans += 1;
        let entry = Entry {
            borrows,
            number: self.plans,
            plan: Arc::new(plan.clone()),
        };
        for target in targets {
            let entries = self.best.entry(target).or_default();
            if entries.iter().any(|known| known.number == entry.number) {
                continue;
            }
            entries.push(entry.clone());
            entries.sort_by_key(Entry::rank);
            entries.truncate(MOST);
        }
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
                    borrows: entry.borrows,
                });
                test.targets.push(*target);
            }
        }
        tests.into_values().collect()
    }
}

/// Whether a plan holds values that were seen in answers or in traffic. What it takes from its own
/// answers is bound and not borrowed.
pub fn borrows(plan: &Plan) -> bool {
    !borrowed(plan).is_empty()
}

/// Values of a plan that were seen in answers or in traffic: the step, the spot and the value. It
/// is null where an item of a list is taken, for who stands there depends on what others made.
pub fn borrowed(plan: &Plan) -> Vec<(usize, Spot, Value)> {
    let steps = plan.steps.iter().enumerate();
    let all = steps.flat_map(|(at, step)| {
        let items = step.binds.iter().filter(|bind| is_an_item(&bind.take));
        let items = items.map(|bind| (bind.spot.clone(), Value::Null));
        let seen = borrowed_spots(step).into_iter().filter_map(|spot| {
            let value = step.value_at(&spot)?;
            Some((spot, value))
        });
        let own: Vec<_> = seen.chain(items).collect();
        own.into_iter().map(move |(spot, value)| (at, spot, value))
    });
    all.collect()
}

fn borrowed_spots(step: &Step) -> Vec<Spot> {
    let arguments = step.arguments.iter().enumerate();
    let arguments = arguments.filter(|(_, gene)| gene.as_ref().is_some_and(is_seen));
    let body = step.body.iter().flat_map(|body| body.gene.leaves());
    let body = body.filter(|leaf| is_borrowed(leaf.source));
    let spots = arguments.map(|(at, _)| Spot::Parameter(at));
    let spots = spots.chain(body.map(|leaf| Spot::Body(leaf.pointer)));
    spots.filter(|spot| step.bind_at(spot).is_none()).collect()
}

/// The values of a step that were seen in answers or in traffic, with their spots.
pub(crate) fn borrowed_leaves(step: &Step) -> Vec<(Spot, String)> {
    let spots = borrowed_spots(step).into_iter();
    let valued = spots.filter_map(|spot| {
        let value = step.value_at(&spot)?;
        Some((spot, plain(&value)))
    });
    valued.collect()
}

fn plain(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

/// Whether a value is taken from an item of a list: who stands there depends on what others made.
pub fn is_an_item(take: &Take) -> bool {
    match take {
        Take::Pointer(pointer) => pointer
            .split('/')
            .any(|token| token.parse::<usize>().is_ok()),
        Take::Location | Take::Header(_) => false,
    }
}

fn is_seen(gene: &Gene) -> bool {
    let leaves = gene.leaves();
    leaves.iter().any(|leaf| is_borrowed(leaf.source))
}

fn is_borrowed(source: Source) -> bool {
    matches!(source, Source::Seen | Source::Harvested)
}

impl Search<'_> {
    pub fn archive(&self) -> &Archive {
        &self.archive
    }
}

/// What an episode reached, as far as that shows without its plan.
pub fn targets_of_script(api: &Api, episode: &Episode) -> Vec<Target> {
    let mut targets = Vec::new();
    for (at, call, _) in episode.steps() {
        if let Some(index) = api.find(&call.operation) {
            by_call(index, episode, at, &mut targets);
        }
    }
    each_once(targets)
}

/// Everything that an episode of a plan reached.
pub fn targets_of(api: &Api, plan: &Plan, episode: &Episode) -> Vec<Target> {
    let mut targets = Vec::new();
    for (at, (step, exchange)) in plan.steps.iter().zip(&episode.exchanges).enumerate() {
        by_call(step.operation, episode, at, &mut targets);
        reach_pairs(api, step, &exchange.outcome, &mut targets);
    }
    each_once(targets)
}

/// What one call reached, by its outcome and by what a probe says.
fn by_call(index: OperationIndex, episode: &Episode, at: usize, into: &mut Vec<Target>) {
    let outcome = &episode.exchanges[at].outcome;
    all_of(index, outcome, into);
    let mut scores = Vec::new();
    near_misses(index, outcome, episode, at, &mut scores);
    let reached = scores.into_iter().filter(|(_, score)| *score >= 1.0);
    into.extend(reached.map(|(target, _)| target));
}

fn each_once(mut targets: Vec<Target>) -> Vec<Target> {
    targets.sort_unstable();
    targets.dedup();
    targets
}

#[cfg(test)]
mod tests {
    use super::*;
    use fossick_plan::Bind;
    use serde_json::json;

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
            assert!(archive.wants(&status(200), steps, false));
            archive.keep(&plan(steps), vec![status(200)], false);
        }
        assert!(!archive.wants(&status(200), 6, false) && archive.wants(&status(200), 5, false));
        archive.keep(&plan(1), vec![status(200), status(404)], false);
        let lengths: Vec<_> = archive.tests().iter().map(|t| t.plan.steps.len()).collect();
        assert_eq!(lengths, [4, 5, 1]);
    }

    #[test]
    fn what_takes_an_item_of_a_list_depends_on_others() {
        let mut plan = plan(2);
        plan.steps[1].binds.push(Bind {
            spot: Spot::Parameter(0),
            step: 0,
            take: Take::Pointer("/id".to_owned()),
        });
        assert!(!borrows(&plan));
        plan.steps[1].binds[0].take = Take::Pointer("/data/latest/0/id".to_owned());
        assert!(borrows(&plan));
    }

    #[test]
    fn a_plan_that_stands_alone_is_better_than_a_shorter_one_that_borrows() {
        let mut borrowing = plan(1);
        borrowing.steps[0].arguments = vec![Some(Gene::literal(json!(7), Source::Seen))];
        assert!(borrows(&borrowing) && !borrows(&plan(1)));
        let expected = vec![(0, Spot::Parameter(0), json!(7))];
        assert_eq!(borrowed(&borrowing), expected);
        let mut archive = Archive::default();
        archive.keep(&borrowing, vec![status(200)], true);
        for _ in 0..MOST {
            archive.keep(&plan(4), vec![status(200)], false);
        }
        assert!(archive.tests().iter().all(|test| !test.borrows));
        assert!(!archive.wants(&status(200), 1, true));
    }
}
