//! A plan made whole: what made the things that it leans on is put before it.

use fossick_plan::{Bind, Plan, Spot, Step};
use fossick_trace::{Role, Take};

use super::standing::{Leftover, Standing};
use crate::archive::borrowed_leaves;
use crate::search::Search;

/// Leftovers of leftovers are followed so far.
const ROUNDS: usize = 4;
/// A plan that was made whole may be so long.
const MOST_STEPS: usize = 14;

impl Search<'_> {
    /// The plan with everything before it that made what it leans on; and once more with what was
    /// done to that afterwards, for it may have been the state of a thing that mattered. Nothing
    /// where the making of something is not known.
    pub fn completed(&self, plan: &Plan, standing: &Standing) -> Vec<Plan> {
        let made = self.completed_by(plan, standing, false);
        let changed = self.completed_by(plan, standing, true);
        let changed = changed.filter(|changed| made.as_ref() != Some(changed));
        made.into_iter().chain(changed).collect()
    }

    fn completed_by(&self, plan: &Plan, standing: &Standing, changed: bool) -> Option<Plan> {
        let mut plan = plan.clone();
        // A plan that was put before may lean on others in turn.
        let mut leftovers: Vec<Leftover> = standing.leftovers.clone();
        for _ in 0..ROUNDS {
            let Some(leftover) = leftovers.pop() else {
                return (plan.steps.len() <= MOST_STEPS).then_some(plan);
            };
            let makers = leftover.spots.first().map(|(at, spot)| {
                let step = plan.steps.get(*at)?;
                Some(self.makers(step.operation, spot))
            });
            let makers = makers.flatten().unwrap_or_default();
            let made = self.origins.maker_of(&leftover.value, &makers)?;
            let deeds = if changed {
                self.writes_on(&made.plan, made.step)
            } else {
                Vec::new()
            };
            let (prefix, maker) = needed(&made.plan, made.step, &deeds);
            let moved = prefix.len();
            plan = put_before(prefix, plan);
            // Under a name that the maker sends the thing is there as it was.
            for (at, spot) in leftover.spots {
                if let Some(take) = &made.take {
                    link(&mut plan.steps[at + moved], spot, maker, take);
                }
            }
            for other in &mut leftovers {
                for (at, _) in &mut other.spots {
                    *at += moved;
                }
            }
            leftovers.extend(self.borrowed_by(&plan, moved));
        }
        (leftovers.is_empty() && plan.steps.len() <= MOST_STEPS).then_some(plan)
    }

    /// The writes of a plan on what one of its steps made.
    fn writes_on(&self, plan: &Plan, made: usize) -> Vec<usize> {
        let later = plan.steps.iter().enumerate().skip(made + 1);
        let is_on_it =
            |step: &Step| step.works_on(self.api.operation(step.operation)) == Some(made);
        later
            .filter(|(_, step)| self.writes(step.operation) && is_on_it(step))
            .map(|(at, _)| at)
            .collect()
    }

    /// A plan up to a call, without its writes; nothing where it has none, or what is left needs them.
    pub fn without_writes(&self, plan: &Plan, call: usize) -> Option<Plan> {
        let until = plan.steps.iter().take(call + 1);
        let places: Vec<usize> = until
            .enumerate()
            .filter(|(_, step)| !self.writes(step.operation))
            .map(|(at, _)| at)
            .collect();
        if places.len() == call + 1 {
            return None;
        }
        let new = |old: usize| places.iter().position(|at| *at == old);
        let moved = |at: &usize| {
            let mut step = plan.steps[*at].clone();
            for bind in &mut step.binds {
                bind.step = new(bind.step)?;
            }
            Some(step)
        };
        let steps: Option<Vec<Step>> = places.iter().map(moved).collect();
        steps.map(|steps| Plan { steps })
    }

    /// What the first steps of a plan hold of earlier answers.
    fn borrowed_by(&self, plan: &Plan, first: usize) -> Vec<Leftover> {
        let mut standing = Standing::default();
        for (at, step) in plan.steps.iter().enumerate().take(first) {
            for (spot, value) in borrowed_leaves(step) {
                self.place(&mut standing, plan, value, (at, spot));
            }
        }
        standing.leftovers
    }
}

/// A step and others that come later, with all that they need, and where the step stands then.
fn needed(plan: &Plan, step: usize, later: &[usize]) -> (Vec<Step>, usize) {
    let last = later.last().copied().unwrap_or(step);
    let mut wanted = vec![false; last + 1];
    wanted[step] = true;
    for at in later {
        wanted[*at] = true;
    }
    for at in (0..=last).rev() {
        if wanted[at] {
            for bind in plan.steps[at].binds.iter().filter(|b| b.step < at) {
                wanted[bind.step] = true;
            }
        }
    }
    let places: Vec<usize> = (0..=last).filter(|at| wanted[*at]).collect();
    let new = |old: usize| places.iter().position(|at| *at == old).unwrap_or(0);
    let steps: Vec<Step> = places
        .iter()
        .map(|at| {
            let mut step = plan.steps[*at].clone();
            step.role = Role::Setup;
            for bind in &mut step.binds {
                bind.step = new(bind.step);
            }
            step
        })
        .collect();
    (steps, new(step))
}

fn put_before(mut steps: Vec<Step>, plan: Plan) -> Plan {
    let moved = steps.len();
    steps.extend(plan.steps.into_iter().map(|mut step| {
        for bind in &mut step.binds {
            bind.step += moved;
        }
        step
    }));
    Plan { steps }
}

fn link(step: &mut Step, spot: Spot, maker: usize, take: &Take) {
    step.binds.retain(|bind| bind.spot != spot);
    step.binds.push(Bind {
        spot,
        step: maker,
        take: take.clone(),
    });
}
