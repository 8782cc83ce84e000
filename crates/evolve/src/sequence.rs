//! Steps grouped into handlings, with all that holds them together.
//!
//! Three things tie steps: binds (a value out of an earlier answer), ties (the same value as an
//! earlier step sends) and the order itself. Handlings are moved whole; whatever pointed at a step
//! that is gone or now comes later is dropped, and told, so that it can be mended.

use std::ops::Range;

use fossick_genes::{Gene, Source};
use fossick_plan::{Plan, Spot, Step};

use crate::{ResourceId, Template};

/// What is done with one resource: some steps of the plan, one after another.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Handling {
    pub resource: ResourceId,
    /// None where the steps follow no template.
    pub template: Option<Template>,
    /// How many steps it has.
    pub steps: usize,
}

/// A spot that has the same value as a spot of an earlier step.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Tie {
    pub(crate) step: usize,
    pub(crate) spot: Spot,
    pub(crate) from: usize,
    pub(crate) theirs: Spot,
}

/// A spot that was filled from a step which is no longer before it.
pub(crate) type Lost = (usize, Spot);

#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Sequence {
    pub(crate) plan: Plan,
    pub(crate) handlings: Vec<Handling>,
    /// Ordered by step.
    pub(crate) ties: Vec<Tie>,
}

impl Sequence {
    pub(crate) fn len(&self) -> usize {
        self.plan.steps.len()
    }

    /// The steps of a handling.
    pub(crate) fn range(&self, handling: usize) -> Range<usize> {
        let before: usize = self.handlings.iter().take(handling).map(|h| h.steps).sum();
        before..before + self.handlings.get(handling).map_or(0, |h| h.steps)
    }

    pub(crate) fn tied(&self, step: usize, spot: &Spot) -> bool {
        let mut ties = self.ties.iter();
        ties.any(|tie| tie.step == step && tie.spot == *spot)
    }

    /// Whether a spot's value is said by another step.
    pub(crate) fn is_bound(&self, step: usize, spot: &Spot) -> bool {
        self.plan.steps[step].bind_at(spot).is_some() || self.tied(step, spot)
    }

    /// The handlings of this one in another order; those not named are left out.
    pub(crate) fn rearranged(&self, order: &[usize]) -> (Self, Vec<Lost>) {
        let mut moved = Move::new(self);
        for handling in order {
            moved.append(*handling);
        }
        (moved.to, moved.lost)
    }

    /// Gives every tied spot the value of the spot that it is tied to.
    pub(crate) fn settle(&mut self) {
        for tie in &self.ties {
            let (before, after) = self.plan.steps.split_at_mut(tie.step);
            if let (Some(from), Some(step)) = (before.get(tie.from), after.first_mut()) {
                carry(from, &tie.theirs, step, &tie.spot);
            }
        }
    }

    /// Whether everything points backwards and inside.
    #[cfg(test)]
    pub(crate) fn is_sound(&self) -> bool {
        let steps = self.plan.steps.iter().enumerate();
        let binds = steps.flat_map(|(at, step)| step.binds.iter().map(move |b| (b.step, at)));
        let ties = self.ties.iter().map(|tie| (tie.from, tie.step));
        let total: usize = self.handlings.iter().map(|h| h.steps).sum();
        binds
            .chain(ties)
            .all(|(from, to)| from < to && to < self.len())
            && total == self.len()
    }

    /// Forgets everything from a step on.
    pub(crate) fn truncate(&mut self, steps: usize) {
        self.plan.steps.truncate(steps);
        self.ties.retain(|tie| tie.step < steps);
    }
}

/// Copies how a spot is filled: its value, and the answer that it is taken from. What says nothing
/// changes nothing.
fn carry(from: &Step, theirs: &Spot, step: &mut Step, ours: &Spot) {
    let bind = from.bind_at(theirs).cloned();
    let value = from.value_at(theirs).filter(is_scalar);
    if bind.is_none() && value.is_none() {
        return;
    }
    if let Some(value) = value {
        let source = from.gene_at(theirs).and_then(Gene::source);
        step.fill(ours, Gene::literal(value, source.unwrap_or(Source::Fixed)));
    }
    step.binds.retain(|bind| bind.spot != *ours);
    step.binds.extend(bind.map(|bind| fossick_plan::Bind {
        spot: ours.clone(),
        ..bind
    }));
}

pub(crate) fn is_scalar(value: &serde_json::Value) -> bool {
    value.is_string() || value.is_number()
}

/// Handlings on their way from one sequence into another.
pub(crate) struct Move<'s> {
    from: &'s Sequence,
    pub(crate) to: Sequence,
    /// Where the old steps stand now.
    map: Vec<Option<usize>>,
    pub(crate) lost: Vec<Lost>,
}

impl<'s> Move<'s> {
    pub(crate) fn new(from: &'s Sequence) -> Self {
        Self::onto(Sequence::default(), from)
    }

    /// Puts handlings behind those of another sequence.
    pub(crate) fn onto(to: Sequence, from: &'s Sequence) -> Self {
        Self {
            from,
            to,
            map: vec![None; from.len()],
            lost: Vec::new(),
        }
    }

    pub(crate) fn append(&mut self, handling: usize) {
        let Some(moved) = self.from.handlings.get(handling) else {
            return;
        };
        for old in self.from.range(handling) {
            self.append_step(old);
        }
        self.to.handlings.push(moved.clone());
    }

    fn append_step(&mut self, old: usize) {
        let new = self.to.len();
        let mut step = self.from.plan.steps[old].clone();
        let (map, lost) = (&self.map, &mut self.lost);
        let now = |old: usize| map.get(old).copied().flatten();
        step.binds.retain_mut(|bind| {
            let found = now(bind.step);
            match found {
                Some(found) => bind.step = found,
                None => lost.push((new, bind.spot.clone())),
            }
            found.is_some()
        });
        for tie in self.from.ties.iter().filter(|tie| tie.step == old) {
            let Some(from) = now(tie.from) else {
                free(&mut step, &tie.spot);
                lost.push((new, tie.spot.clone()));
                continue;
            };
            self.to.ties.push(Tie {
                step: new,
                from,
                ..tie.clone()
            });
        }
        self.map[old] = Some(new);
        self.to.plan.steps.push(step);
    }
}

/// A value that was another's and is now the step's own may change again.
fn free(step: &mut Step, spot: &Spot) {
    let Spot::Parameter(at) = spot else { return };
    if let Some(slot) = step.arguments.get_mut(*at)
        && let Some(Gene::Disruptive(inner)) = slot
    {
        *slot = Some((**inner).clone());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fossick_contract::OperationIndex;
    use fossick_plan::Bind;
    use fossick_trace::Take;
    use serde_json::json;

    fn sequence() -> Sequence {
        let step = |at: u32| {
            let mut step = Step::new(OperationIndex(at), 1);
            step.arguments[0] = Some(Gene::literal(json!(at), Source::Random));
            step
        };
        let mut sequence = Sequence {
            plan: Plan {
                steps: (0..4).map(step).collect(),
            },
            handlings: [1, 2, 1]
                .into_iter()
                .enumerate()
                .map(|(at, steps)| Handling {
                    resource: ResourceId(at as u32),
                    template: None,
                    steps,
                })
                .collect(),
            ties: vec![Tie {
                step: 2,
                spot: Spot::Parameter(0),
                from: 1,
                theirs: Spot::Parameter(0),
            }],
        };
        sequence.plan.steps[3].binds.push(Bind {
            spot: Spot::Parameter(0),
            step: 0,
            take: Take::Location,
        });
        sequence
    }

    #[test]
    fn handlings_divide_the_steps() {
        let sequence = sequence();
        assert_eq!(sequence.range(1), 1..3);
        assert_eq!(sequence.range(2), 3..4);
        assert!(sequence.is_sound());
    }

    #[test]
    fn binds_and_ties_move_with_their_steps() {
        let (swapped, lost) = sequence().rearranged(&[1, 0, 2]);
        assert!(swapped.is_sound() && lost.is_empty());
        assert_eq!(swapped.plan.steps[3].binds[0].step, 2);
        assert_eq!((swapped.ties[0].step, swapped.ties[0].from), (1, 0));
    }

    #[test]
    fn a_bind_whose_source_comes_later_or_goes_is_dropped_and_told() {
        let (swapped, lost) = sequence().rearranged(&[2, 1, 0]);
        assert!(swapped.is_sound());
        assert_eq!(lost, [(0, Spot::Parameter(0))]);
        let (shorter, lost) = sequence().rearranged(&[1, 2]);
        assert!(shorter.is_sound() && shorter.plan.steps[2].binds.is_empty());
        assert_eq!(lost, [(2, Spot::Parameter(0))]);
    }

    #[test]
    fn a_tied_value_follows_the_one_it_is_tied_to() {
        let mut sequence = sequence();
        sequence.plan.steps[1].arguments[0] = Some(Gene::literal(json!("ack"), Source::Random));
        sequence.settle();
        assert_eq!(
            sequence.plan.steps[2].value_at(&Spot::Parameter(0)),
            Some(json!("ack"))
        );
        sequence.plan.steps[1].arguments[0] = None;
        sequence.settle();
        assert_eq!(
            sequence.plan.steps[2].value_at(&Spot::Parameter(0)),
            Some(json!("ack"))
        );
    }
}
