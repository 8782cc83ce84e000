//! Refused writes, once more with a look before and after.
//!
//! A write that is refused must leave nothing behind. Most refusals come from plans that look at
//! nothing, and looking each time would double the cost. So the first refusal of each kind is sent
//! once more, between looks at all that it may have touched.

use fossick_contract::{Deed, OperationIndex};
use fossick_genes::{Manner, Source};
use fossick_plan::{Plan, Spot, Step};
use fossick_trace::{Answer, Episode, Intent, Role};
use serde_json::Value;

use crate::builder::Builder;
use crate::fresh::{body_slots, calls_it, is_about};
use crate::learn::refusal;
use crate::lives::around;
use crate::proposal::{Proposal, Way};
use crate::search::{Search, Strategy};
use crate::tasks::Task;
use crate::ways::{fill_body_at, finished};

/// Kinds of refusals of one operation that are looked at.
const MOST: usize = 16;

impl Search<'_> {
    /// Hears of a refused write; the first of its kind is to be sent once more and watched.
    pub(crate) fn learn_refused_write(&mut self, proposal: &Proposal, episode: &Episode) {
        // A plan ends where what it needs was refused.
        let last = episode.exchanges.len().saturating_sub(1);
        let at = proposal.plan.main().min(last);
        let step = &proposal.plan.steps[at];
        let index = step.operation;
        let watched = matches!(proposal.way, Way::Life | Way::Handling | Way::Again(_));
        if watched || !self.writes(index) || !matches!(self.settings.strategy, Strategy::Auto) {
            return;
        }
        let refused = episode.answer(at).filter(|answer| is_refused(answer));
        let Some(answer) = refused.filter(|_| is_worth_watching(step)) else {
            return;
        };
        let kind = kind_of(&refusal(answer));
        let updates = self.api.operation(index).deed() == Deed::Update;
        let known = &mut self.known[index.0 as usize];
        if known.refused.len() < MOST && known.refused.insert(kind) {
            let plan = Plan {
                steps: proposal.plan.steps[..=at].to_vec(),
            };
            if updates {
                known
                    .tasks
                    .push_front(Task::WatchedWhole(Box::new(plan.clone())));
            }
            known.tasks.push_front(Task::Watched(Box::new(plan)));
        }
    }

    /// …, looks, the write that was refused, the same looks. A part of an update may be refused
    /// when the others were already carried out: so all that can be changed is changed with it.
    pub(crate) fn watched(
        &mut self,
        index: OperationIndex,
        plan: &Plan,
        whole: bool,
    ) -> Option<Proposal> {
        let reader = self.reader(index);
        let plan = self.anew(plan);
        let mut builder = self.builder(plan, Vec::new());
        if whole {
            change_all(&mut builder)?;
        }
        let mut write = builder.plan.steps.pop()?;
        name_anew(&mut builder, &mut write);
        let looks = around(&mut builder, &write, reader);
        if looks.is_empty() {
            return None;
        }
        builder.plan.steps.extend(looks.clone());
        builder.plan.steps.push(Step {
            role: Role::Main,
            ..write
        });
        builder.plan.steps.extend(looks);
        Some(finished(builder, index, Way::Life))
    }
}

/// Lets the last step change everything that it can, but for what it was refused for.
fn change_all(builder: &mut Builder<'_, '_>) -> Option<()> {
    let at = builder.plan.steps.len().checked_sub(1)?;
    let last = &builder.plan.steps[at];
    let refused = last.body.clone()?;
    // What is wrong for want of something would be put right.
    let leaves = refused.gene.leaves().into_iter();
    let mut spots = leaves.map(|leaf| Spot::Body(leaf.pointer));
    let operation = builder.api.operation(last.operation);
    let is_kept = |spot: Spot| Some(spot.describe(operation).as_str()) == last.intent.place();
    if !last.intent.is_valid() && !spots.any(is_kept) {
        return None;
    }
    let at = fill_body_at(builder, at);
    let step = builder.plan.steps.get_mut(at)?;
    let body = step.body.as_mut()?;
    let before = body.gene.leaves().len();
    for leaf in refused.gene.leaves() {
        let value = refused.gene.value_at(&leaf.pointer)?;
        body.gene.set(&leaf.pointer, value, leaf.source);
    }
    (before > refused.gene.leaves().len()).then_some(())
}

/// Gives what would be made a name of its own: whoever finds that name knows where it comes from.
fn name_anew(builder: &mut Builder<'_, '_>, write: &mut Step) {
    let maker = &mut builder.maker(Manner::Plausible);
    let slots = body_slots(maker, write).unwrap_or_default();
    for slot in slots.into_iter().filter(|slot| calls_it(&slot.name)) {
        let spot = Spot::Body(slot.pointer.clone());
        let free = write.bind_at(&spot).is_none() && !is_about(maker.api, write, &spot);
        let Some(body) = write.body.as_mut().filter(|_| free) else {
            continue;
        };
        if matches!(
            body.gene.value().pointer(&slot.pointer),
            Some(Value::String(_))
        ) {
            let name = maker.sample(&slot.name, slot.shape).value();
            body.gene.set(&slot.pointer, name, Source::Named);
        }
    }
}

/// Whether the service took the call for what it is and refused it.
fn is_refused(answer: &Answer) -> bool {
    let by_status = matches!(answer.status, 400 | 409 | 412 | 422 | 424 | 428);
    by_status || (answer.said.is_some() && !answer.is_success())
}

/// What is wrong in its form alone is refused before anything is done.
fn is_worth_watching(step: &Step) -> bool {
    let formal = matches!(&step.intent, Intent::Broken { constraint, .. } if constraint == "type");
    let wrong = step.ask.as_ref().is_some_and(|ask| ask.fault.is_some());
    !formal && !wrong && step.method.is_none()
}

/// A refusal without what differs from call to call.
fn kind_of(refusal: &str) -> String {
    let plain = |word: &&str| {
        let telling = |c: char| c.is_ascii_digit() || "\"'`{}[]".contains(c);
        !word.contains(telling)
    };
    let words: Vec<&str> = refusal.split_whitespace().filter(plain).take(16).collect();
    words.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn refusals_of_one_kind_differ_in_values_only() {
        let one = kind_of("409: the code AB-12 is taken");
        assert_eq!(one, kind_of("409: the code CD-77 is taken"));
        assert_ne!(one, kind_of("409: the title is taken"));
    }
}
