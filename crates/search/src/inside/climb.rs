//! Comparisons of numbers in which no input can be seen: the slope is measured.
//!
//! One value is moved a little. How far the two sides of the comparison are apart then tells by how
//! much to move it so that they meet; where the way is not straight, a few steps lead there. A value
//! that moves nothing gives way to the next.

use std::sync::Arc;

use fossick_plan::Plan;
use fossick_taint::{measure, with_measure};
use fossick_trace::{Episode, Observation, Observed, Scalar};
use serde_json::Value;

use super::inputs::{Slot, values_of};
use crate::proposal::{Proposal, Way};
use crate::search::Search;

/// Steps along one value.
const MOST_STEPS: u32 = 12;
/// Where the sides do not meet on the way of one value, another is tried at so many places.
const MOST_SHIFTS: u32 = 120;
/// So near is met.
const MET: f64 = 1e-9;

#[derive(Debug, Clone)]
pub(crate) struct Climb {
    plan: Arc<Plan>,
    /// The step in which something is compared.
    step: usize,
    target: u32,
    /// How far the sides are apart in the plan as it is.
    apart: f64,
    /// Less or greater, and not only equal.
    is_order: bool,
    /// Values that may have a part in it, the current one last.
    values: Vec<(usize, Slot, Value)>,
    taken: u32,
    /// How often the next value was moved because the current one alone leads nowhere.
    shifts: u32,
    /// The current value has a part in it.
    counts: bool,
    /// Met already, and wanted otherwise for the sake of another comparison.
    beyond: Option<u32>,
    /// Comparisons of the same step that come out equal: without them the target may not be reached.
    held: Vec<u32>,
}

/// What a plan that climbs is to tell.
#[derive(Debug, Clone)]
pub struct Measured {
    climb: Box<Climb>,
    /// The value that the plan has at the current place.
    at: f64,
}

impl PartialEq for Measured {
    fn eq(&self, other: &Self) -> bool {
        self.at == other.at && self.climb.target == other.climb.target
    }
}

impl Climb {
    pub(super) fn of(
        plan: &Arc<Plan>,
        step: usize,
        observation: &Observation,
        beside: &[Observation],
    ) -> Option<Self> {
        let target = observation.target?;
        let is_order = matches!(observation.what, Observed::Order(..));
        let apart = apart(&observation.what)?;
        let mut values = Vec::new();
        for earlier in 0..=step {
            for (slot, value) in values_of(&plan.steps[earlier]) {
                if measure(&value).is_some() {
                    values.push((earlier, slot, value));
                }
            }
        }
        // The step's own values are moved first.
        let some = !values.is_empty();
        some.then(|| Self {
            plan: Arc::clone(plan),
            step,
            target,
            apart,
            is_order,
            values,
            taken: 0,
            shifts: 0,
            counts: false,
            beyond: None,
            held: held(beside),
        })
    }

    /// The same place sought where a comparison that must hold goes on holding: one value is moved,
    /// and another one after it.
    fn along(&self, held: u32) -> Self {
        Self {
            target: held,
            apart: 0.0,
            is_order: false,
            taken: 0,
            shifts: 0,
            counts: true,
            beyond: Some(self.target),
            held: Vec::new(),
            ..self.clone()
        }
    }

    /// Whether it is for the same, over the same places.
    pub(super) fn is_like(&self, other: &Self) -> bool {
        self.target == other.target && self.apart == other.apart
    }

    /// What is open as long as it makes sense to go on.
    fn goal(&self) -> u32 {
        self.beyond.unwrap_or(self.target)
    }

    fn current(&self) -> Option<(&(usize, Slot, Value), f64)> {
        let current = self.values.last()?;
        Some((current, measure(&current.2)?))
    }

    /// Gives the current value up. None where it was the last.
    fn without_current(mut self) -> Option<Self> {
        self.values.pop();
        self.taken = 0;
        self.counts = false;
        (!self.values.is_empty()).then_some(self)
    }

    /// Another value for the place after the current one: two that meet in one comparison may have
    /// to be moved together.
    fn shifted(&self) -> Option<(usize, Slot, Value)> {
        let (step, slot, value) = self.values.iter().rev().nth(1)?;
        let at = f64::from(self.shifts + 1);
        Some((*step, slot.clone(), with_measure(value, at)?))
    }
}

/// How far a number is moved to see what that changes.
fn stride(at: f64) -> f64 {
    if at.abs() > 1e6 { at.abs() * 1e-3 } else { 1.0 }
}

/// Comparisons of numbers that come out equal.
fn held(observations: &[Observation]) -> Vec<u32> {
    let equal = |observation: &&Observation| {
        matches!(observation.what, Observed::Equal(..)) && apart(&observation.what) == Some(0.0)
    };
    let equal = observations.iter().filter(equal);
    equal.filter_map(|observation| observation.target).collect()
}

/// The sides of a comparison of numbers, left less right.
fn apart(observed: &Observed) -> Option<f64> {
    let (Observed::Equal(left, right) | Observed::Order(left, right)) = observed else {
        return None;
    };
    let number = |scalar: &Scalar| match scalar {
        Scalar::Whole(whole) => Some(*whole as f64),
        Scalar::Real(real) if real.is_finite() => Some(*real),
        _ => None,
    };
    Some(number(left)? - number(right)?)
}

impl Search<'_> {
    /// The next plan of a climb.
    pub(super) fn climbing(&mut self) -> Option<Proposal> {
        while let Some(climb) = self.inside.climbs.pop_front() {
            if !self.inside.is_open(Some(climb.goal())) {
                continue;
            }
            let Some((_, at)) = climb.current() else {
                continue;
            };
            let target = climb.goal();
            if let Some(proposal) = self.climbed(climb.clone(), at + stride(at)) {
                if self.inside.may_climb(target) {
                    return Some(proposal);
                }
                continue;
            }
            if let Some(rest) = climb.without_current() {
                self.inside.climbs.push_front(rest);
            }
        }
        None
    }

    /// The plan of a climb with another number at the current place.
    fn climbed(&mut self, climb: Climb, to: f64) -> Option<Proposal> {
        let ((step, slot, old), _) = climb.current()?;
        let mut plan = Plan::clone(&climb.plan);
        let new = with_measure(old, to)?;
        self.set(plan.steps.get_mut(*step)?, slot, &new)?;
        let at = measure(&new)?;
        if !self.may_follow(&plan) {
            return None;
        }
        let index = plan.steps[climb.step].operation;
        let measured = Measured {
            climb: Box::new(climb),
            at,
        };
        Some(Proposal::new(plan, index, Way::Climb(measured), Vec::new()))
    }

    /// Hears how far the sides were apart after a step, and takes the next.
    pub(super) fn learn_climb(&mut self, proposal: &Proposal, episode: &Episode) {
        let Way::Climb(measured) = &proposal.way else {
            return;
        };
        let mut climb = Climb::clone(&measured.climb);
        let observations = episode.inside.get(climb.step).map(|i| &i.observations);
        let mut same = observations.into_iter().flatten();
        let same = same.find(|o| o.target == Some(climb.target));
        let now = same.and_then(|o| apart(&o.what));
        let Some((_, was)) = climb.current() else {
            return;
        };
        let Some(now) = now else {
            // Something before it has come out otherwise.
            for held in std::mem::take(&mut climb.held) {
                // Begun anew each time it would use up its steps on the first few values.
                if self.inside.along.insert((held, climb.target)) {
                    self.go_elsewhere(climb.along(held));
                }
            }
            return;
        };
        if now == 0.0
            && let Some(beyond) = self.still_apart(&climb, episode)
        {
            climb.beyond = Some(beyond);
            climb.counts = true;
            self.go_elsewhere(climb);
            return;
        }
        if measured.at == was {
            // Only the place beside it was moved: from here it goes on.
            climb.apart = now;
            match self.climbed(climb.clone(), was + stride(was)) {
                Some(proposal) => self.inside.steps.push_back(proposal),
                None => self.inside.climbs.push_front(climb),
            }
            return;
        }
        let slope = (now - climb.apart) / (measured.at - was);
        climb.taken += 1;
        let is_flat = !slope.is_finite() || slope == 0.0;
        climb.counts |= !is_flat;
        let stays = climb.taken > 2 && now.abs() >= climb.apart.abs();
        if is_flat || stays || climb.taken > MOST_STEPS {
            self.go_elsewhere(climb);
            return;
        }
        if now.abs() < climb.apart.abs() {
            climb.plan = Arc::new(proposal.plan.clone());
            climb.apart = now;
            if let Some(current) = climb.values.last_mut()
                && let Some(moved) = with_measure(&current.2, measured.at)
            {
                current.2 = moved;
            }
        }
        let from = if climb.apart == now { measured.at } else { was };
        let meets = from - climb.apart / slope;
        self.next_steps(&climb, meets, slope);
    }

    /// Another comparison of numbers in the same step that does not come out yet.
    fn still_apart(&self, climb: &Climb, episode: &Episode) -> Option<u32> {
        let mut observations = episode.inside.get(climb.step)?.observations.iter();
        observations.find_map(|other| {
            let target = other.target.filter(|target| *target != climb.target)?;
            let open = apart(&other.what)? != 0.0 && self.inside.is_open(Some(target));
            open.then_some(target)
        })
    }

    /// The current value leads no further: it starts again beside another value next to it, or
    /// gives way.
    fn go_elsewhere(&mut self, mut climb: Climb) {
        let beside = climb.shifted().filter(|_| climb.counts);
        let Some((step, slot, value)) = beside.filter(|_| climb.shifts < MOST_SHIFTS) else {
            self.inside.climbs.extend(climb.without_current());
            return;
        };
        climb.shifts += 1;
        climb.taken = 0;
        let mut plan = Plan::clone(&climb.plan);
        let set = plan
            .steps
            .get_mut(step)
            .and_then(|at| self.set(at, &slot, &value));
        if set.is_none() || !self.may_follow(&plan) || !self.inside.may_climb(climb.goal()) {
            return;
        }
        climb.plan = Arc::new(plan.clone());
        let Some((_, at)) = climb.current() else {
            return;
        };
        let index = plan.steps[climb.step].operation;
        let measured = Measured {
            climb: Box::new(climb),
            at,
        };
        let way = Way::Climb(measured);
        self.inside
            .steps
            .push_back(Proposal::new(plan, index, way, Vec::new()));
    }

    /// The next step of a climb that is on its way.
    pub(super) fn next_step(&mut self) -> Option<Proposal> {
        while let Some(proposal) = self.inside.steps.pop_front() {
            let Way::Climb(measured) = &proposal.way else {
                continue;
            };
            let target = measured.climb.goal();
            if self.inside.is_open(Some(target)) && self.inside.may_climb(target) {
                return Some(proposal);
            }
        }
        None
    }

    /// Onto the place where both sides should meet, and where the order matters to both sides of
    /// it.
    fn next_steps(&mut self, climb: &Climb, meets: f64, slope: f64) {
        let one = (1.0 / slope).abs().max(MET);
        let wanted = if climb.is_order {
            vec![meets, meets + one, meets - one]
        } else {
            vec![meets]
        };
        let before = self.inside.steps.len();
        for to in wanted {
            if let Some(proposal) = self.climbed(climb.clone(), to)
                && self
                    .inside
                    .tried
                    .insert(super::inputs::hash(&proposal.plan))
            {
                self.inside.steps.push_back(proposal);
            }
        }
        if self.inside.steps.len() == before {
            self.go_elsewhere(climb.clone());
        }
    }
}
