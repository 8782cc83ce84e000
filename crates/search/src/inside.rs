//! Following what the service compares its inputs with, where a probe tells of it.
//!
//! Chance finds no password in a lifetime; a probe shows it in the first comparison. What was
//! compared is traced back to the values of the plan, and the plan is tried again with the value
//! that turns the comparison round. Each answer shows the next comparison, so conditions that lie
//! behind one another open one by one. Where no value of the plan can be seen in a comparison of
//! numbers, the slope is measured instead (`climb`). What evolution should go on with is handed
//! to it.

mod climb;
mod follow;
mod inputs;

use std::collections::{BTreeMap, HashMap, HashSet, VecDeque};
use std::sync::Arc;

use fossick_contract::OperationIndex;
use fossick_evolve::{QuickBuilder, Scores};
use fossick_plan::Plan;
use fossick_trace::{Episode, Target};
use rand::RngExt as _;

use crate::proposal::{Proposal, Way};
use crate::search::{Search, Strategy};
use climb::Climb;
pub(crate) use climb::Measured;
use follow::Hint;
use inputs::Recent;

/// How much of that goes to plans that came near, where no comparison is left to follow.
const REVISITS: f64 = 0.8;
/// So often the plan that came nearest to a target is changed in vain.
const MOST_REVISITS: u32 = 150;
/// Plans that are waiting to be tried; the oldest go.
const MOST_WAITING: usize = 20_000;
/// The same change is tried in so many plans; in more, if they came further than all before.
const MOST_ALIKE: u8 = 3;
const MOST_ALIKE_FIRST: u8 = 8;
/// So often one target is tried for.
const MOST_TRIES: u32 = 160;

/// What is known of the inside of the service.
#[derive(Debug, Default)]
pub(crate) struct Inside {
    /// Of plans that came nearer to something, the latest last.
    fresh: Vec<Hint>,
    waiting: VecDeque<Hint>,
    climbs: VecDeque<Climb>,
    /// The next steps of climbs that are on their way.
    steps: VecDeque<Proposal>,
    /// Hashes of plans that were tried.
    tried: HashSet<u64>,
    /// How often each target was tried for, and each place without one.
    spent: HashMap<(OperationIndex, Option<u32>), u32>,
    climbed: HashMap<u32, u32>,
    /// Comparisons that were sought on along another one that holds.
    along: HashSet<(u32, u32)>,
    /// How often the same change was proposed for the same comparison, in whatever plan.
    alike: HashMap<u64, u8>,
    /// How near any call came to each target.
    best: HashMap<u32, f64, QuickBuilder>,
    /// How often each operation was called with marked values.
    marked: Vec<u8>,
    recent: Recent,
    turn: u32,
    /// Of each target that was come near to and not covered, the plan that came nearest.
    nearest: BTreeMap<u32, Near>,
    /// The target whose plan was last sent again.
    revisited: u32,
}

/// The plan that came nearest to a target.
#[derive(Debug)]
struct Near {
    score: f64,
    plan: Arc<Plan>,
    /// How often it was sent again since anything came nearer.
    revisits: u32,
}

impl Inside {
    /// Whether a call came nearer to any target than all before it, and whether it reached or
    /// covered one as the first.
    fn progress(&mut self, scores: &[Vec<(Target, f64)>]) -> (bool, bool) {
        let (mut nearer, mut first) = (false, false);
        for (target, value) in scores.iter().flatten() {
            let Target::Code(id) = target else { continue };
            // Mostly it is known and no nearer: to look is cheaper than to make room.
            let best = self.best.get(id).copied().unwrap_or(0.0);
            if *value > best {
                first |= best == 0.0 || *value >= 1.0;
                self.best.insert(*id, *value);
                nearer = true;
            }
        }
        (nearer, first)
    }

    fn keep_nearest(&mut self, plan: &Arc<Plan>, scores: &[Vec<(Target, f64)>]) {
        for (target, value) in scores.iter().flatten() {
            let Target::Code(id) = target else { continue };
            if self.best.get(id).is_some_and(|best| *best >= 1.0) {
                self.nearest.remove(id);
                continue;
            }
            let known = self.nearest.get(id).map(|near| (near.score, near.revisits));
            let (score, revisits) = known.unwrap_or((0.0, 0));
            if *value >= score {
                let near = Near {
                    score: *value,
                    plan: Arc::clone(plan),
                    revisits: if *value > score { 0 } else { revisits },
                };
                self.nearest.insert(*id, near);
            }
        }
    }

    /// One open target after the other.
    fn next_near(&mut self) -> Option<(u32, Arc<Plan>)> {
        let after = self.revisited.saturating_add(1);
        let later = self.nearest.range(after..);
        let mut all = later.chain(self.nearest.range(..after));
        let (target, _) = all.find(|(_, near)| near.revisits < MOST_REVISITS)?;
        self.revisited = *target;
        let near = self.nearest.get_mut(&self.revisited)?;
        near.revisits += 1;
        Some((self.revisited, Arc::clone(&near.plan)))
    }

    /// Lets a target be tried for a little more.
    fn grant(&mut self, index: OperationIndex, target: u32) {
        const MORE: u32 = 12;
        for target in [Some(target), None] {
            if let Some(spent) = self.spent.get_mut(&(index, target)) {
                *spent = spent.saturating_sub(MORE);
            }
        }
    }

    fn is_open(&self, target: Option<u32>) -> bool {
        target.is_none_or(|id| self.best.get(&id).is_none_or(|best| *best < 1.0))
    }

    fn add(&mut self, mut hints: Vec<Hint>, first: bool) {
        let most = if first { MOST_ALIKE_FIRST } else { MOST_ALIKE };
        hints.retain(|hint| {
            let alike = self.alike.entry(hint.kind()).or_insert(0);
            *alike = alike.saturating_add(1);
            *alike <= most
        });
        if first {
            self.fresh.extend(hints.into_iter().rev());
            let extra = self.fresh.len().saturating_sub(MOST_WAITING);
            self.fresh.drain(..extra);
        } else {
            self.waiting.extend(hints);
            let extra = self.waiting.len().saturating_sub(MOST_WAITING);
            self.waiting.drain(..extra);
        }
    }

    /// What came further goes first; now and then the others have their turn.
    fn next_hint(&mut self) -> Option<Hint> {
        self.turn += 1;
        if self.turn.is_multiple_of(4)
            && let Some(hint) = self.waiting.pop_front()
        {
            return Some(hint);
        }
        self.fresh.pop().or_else(|| self.waiting.pop_front())
    }

    /// The same for a climb, which takes many small steps.
    fn may_climb(&mut self, target: u32) -> bool {
        const MOST_STEPS: u32 = 600;
        let climbed = self.climbed.entry(target).or_insert(0);
        *climbed += 1;
        *climbed <= MOST_STEPS
    }

    /// Counts a try for a target; false where there were enough.
    fn may_try(&mut self, index: OperationIndex, target: Option<u32>) -> bool {
        let spent = self.spent.entry((index, target)).or_insert(0);
        *spent += 1;
        *spent <= MOST_TRIES
    }
}

impl Search<'_> {
    /// A plan that follows a comparison, if it is the turn of one.
    pub(crate) fn inward(&mut self) -> Option<Proposal> {
        if !self.coverage.sees_code() || !matches!(self.settings.strategy, Strategy::Auto) {
            return None;
        }
        let share = self.shares.of_inward();
        if !self.rng.random_bool(share) || !self.has_tried_all() {
            return None;
        }
        self.next_step()
            .or_else(|| self.hinted())
            .or_else(|| self.climbing())
            .or_else(|| self.marked())
            .or_else(|| self.revisit())
    }

    /// First everything once: what works at all shows what there is to compare.
    fn has_tried_all(&self) -> bool {
        let mut known = self.known.iter().zip(&self.active);
        known.all(|(known, active)| {
            !active || known.tried > 0 || known.resting || known.waits_for_the_end()
        })
    }

    /// The plan that came nearest to a target, changed a little: it may show other comparisons.
    fn revisit(&mut self) -> Option<Proposal> {
        if !self.rng.random_bool(REVISITS) {
            return None;
        }
        let (target, plan) = self.inside.next_near()?;
        let index = plan.steps[plan.main()].operation;
        self.inside.grant(index, target);
        let mut plan = Plan::clone(&plan);
        let main = plan.main();
        if self.rng.random_bool(0.7) {
            let extras = std::mem::take(&mut plan.steps[main].extras);
            self.mutate(index, &mut plan.steps[main]);
            plan.steps[main].extras = extras;
        }
        self.inside.tried.insert(inputs::hash(&plan));
        let may = self.may_follow(&plan);
        may.then(|| Proposal::new(plan, index, Way::Inside, Vec::new()))
    }

    fn hinted(&mut self) -> Option<Proposal> {
        while let Some(hint) = self.inside.next_hint() {
            if hint.was_open && !self.inside.is_open(hint.target) {
                continue;
            }
            let index = hint.plan.steps[hint.step].operation;
            let Some(plan) = self.follow(&hint) else {
                continue;
            };
            if !self.inside.tried.insert(inputs::hash(&plan)) {
                continue;
            }
            if self.inside.may_try(index, hint.target) && self.may_follow(&plan) {
                return Some(Proposal::new(plan, index, Way::Inside, Vec::new()));
            }
        }
        None
    }

    fn may_follow(&self, plan: &Plan) -> bool {
        self.is_wanted(plan) && self.may_send(plan, false)
    }

    /// Hears what a call did inside the service.
    pub(crate) fn learn_inside(
        &mut self,
        proposal: &Proposal,
        episode: &Episode,
        scores: &[Vec<(Target, f64)>],
    ) {
        if episode.inside.is_empty() {
            return;
        }
        let (nearer, first) = self.inside.progress(scores);
        if nearer && proposal.individual.is_none() {
            self.hand_to_evolution(&proposal.plan, scores);
        }
        if !matches!(self.settings.strategy, Strategy::Auto) {
            return;
        }
        let plan = Arc::new(proposal.plan.clone());
        self.inside.keep_nearest(&plan, scores);
        self.learn_climb(proposal, episode);
        let mut hints = Vec::new();
        for (at, insight) in episode.inside.iter().enumerate() {
            let Some(step) = plan.steps.get(at) else {
                break;
            };
            if !insight.observations.is_empty() && step.intent.is_valid() {
                hints.extend(self.hints(&plan, at, insight));
            }
        }
        self.inside.add(hints, first);
        self.remember_sent(&plan, episode);
    }

    fn hand_to_evolution(&mut self, plan: &Plan, scores: &[Vec<(Target, f64)>]) {
        // A test that is longer than evolution makes them would only be carried along.
        const LONGEST: usize = 10;
        let Some(evolution) = &mut self.evolution else {
            return;
        };
        if plan.steps.len() <= LONGEST {
            let scores = Scores {
                by_step: scores.to_vec(),
            };
            evolution.adopt(plan, &scores);
        }
    }
}
