//! Plans that tell a story: something is made, changed, removed and looked at, by the right
//! caller and by strangers, so that the oracles of state and security have something to judge.

use fossick_contract::{Deed, Method, OperationIndex, ShapeId};
use fossick_genes::Manner;
use fossick_graph::Alternative;
use fossick_plan::{Plan, Spot, keys, spot_of};
use fossick_trace::{Intent, Role};

use crate::builder::Builder;
use crate::handlings;
use crate::proposal::{Proposal, Way};
use crate::search::Search;
use crate::strangers::stranger;
use crate::tasks::Task;
use crate::ways::{break_step, fill_body, finished, kept_uses};

/// One stranger that is answered may be a coincidence.
const ROW: usize = 3;

impl Search<'_> {
    pub(crate) fn carry_out(&mut self, index: OperationIndex, task: Task) -> Option<Proposal> {
        match task {
            Task::Full => self.plain(index, Manner::Full),
            Task::ReadBack => self.with_read_back(index),
            Task::Removed => self.around(index, Manner::Plausible, handlings::removed),
            Task::RemovedWithChild(child) => self.removed_with_child(index, child),
            Task::RemovedAbove(lister) => self.removed_above(index, lister),
            Task::RemovedTwice => self.around(index, Manner::Plausible, handlings::removed_twice),
            Task::MadeAgain => self.made_again(index),
            Task::Changed => self.around(index, Manner::Full, handlings::changed),
            Task::Acted => self.acted(index),
            Task::Walk => self.walk(index),
            Task::PutTwice => self.around(index, Manner::Full, handlings::put_twice),
            Task::Listed => self.around(index, Manner::Plausible, handlings::listed),
            Task::FailedWrite => self.failed_write(index),
            Task::Strangers(spot) => self.strangers(index, &spot, ROW),
            // A write that takes anything may well make what was not there; so one will do.
            Task::Unknown(spot) => self.strangers(index, &spot, 1),
            Task::Misplaced(at) => self.misplaced(index, at),
            Task::Anonymous => self.anonymous(index),
            Task::Undeclared(method) => self.undeclared(index, method),
            Task::Contrast(case) => self.contrast(index, &case),
            Task::Through(way) => self.through(index, *way),
            Task::Again(twice) => self.again(index, twice),
            Task::ByGet => self.by_get(index),
            Task::Inline => self.inline(index),
            Task::Life(life) => self.live(index, &life),
            Task::Related(relation) => self.related(index, relation),
            Task::Elsewhere(round) => self.elsewhere(index, round),
            Task::Moved => self.moved(index),
            Task::Ended(plan) => self.ended(index, &plan),
            Task::Watched(plan) => self.watched(index, &plan, false),
            Task::WatchedWhole(plan) => self.watched(index, &plan, true),
            Task::Slow(step) => self.in_contrast(index, &step),
            Task::Retried(task) => self.carry_out(index, *task),
        }
    }

    /// A plan that worked, continued by a handling with the read at the same place.
    fn around(
        &mut self,
        index: OperationIndex,
        manner: Manner,
        handling: fn(&mut Builder<'_, '_>, OperationIndex) -> Option<()>,
    ) -> Option<Proposal> {
        let reader = match self.api.operation(index).deed() {
            Deed::Create => self.lister(index),
            _ => self.reader(index),
        }?;
        let (plan, uses) = self.own_base(index)?;
        let mut builder = self.builder(plan, uses);
        if manner == Manner::Full {
            fill_body(&mut builder);
        }
        handling(&mut builder, reader)?;
        Some(finished(builder, index, Way::Handling))
    }

    fn acted(&mut self, index: OperationIndex) -> Option<Proposal> {
        let reader = self.acted_on(index)?;
        let (plan, uses) = self.own_base(index)?;
        let mut builder = self.builder(plan, uses);
        fill_body(&mut builder);
        handlings::changed(&mut builder, reader)?;
        Some(finished(builder, index, Way::Handling))
    }

    fn removed_with_child(
        &mut self,
        index: OperationIndex,
        child: OperationIndex,
    ) -> Option<Proposal> {
        let reader = self.reader(index);
        let (plan, uses) = self.own_base(index)?;
        let mut builder = self.builder(plan, uses);
        handlings::removed_with_child(&mut builder, child, reader)?;
        Some(finished(builder, index, Way::Handling))
    }

    /// …, remove, look at what stands below, look below what never was
    fn removed_above(&mut self, index: OperationIndex, lister: OperationIndex) -> Option<Proposal> {
        let spot = keys(self.api.operation(lister)).pop()?;
        let (name, shape) = self.key_shape(lister, &spot)?;
        let like = self.values.latest(&name).cloned();
        let nobody = stranger(self.api, shape, like.as_ref(), &mut self.rng)?;
        let (plan, uses) = self.own_base(index)?;
        let mut builder = self.builder(plan, uses);
        let removal = builder.plan.steps.last()?.clone();
        let look = handlings::mirror(&mut builder, &removal, lister);
        let mut strange = look.clone();
        strange.fill(&spot, nobody);
        strange.intent = Intent::Stranger { parameter: name };
        builder.plan.steps.extend([look, strange]);
        Some(finished(builder, index, Way::Handling))
    }

    /// A call with something that it needs got in another way than the best one.
    pub(crate) fn through(&mut self, index: OperationIndex, way: Alternative) -> Option<Proposal> {
        let spot = spot_of(&self.graph.needs(index).get(way.need)?.place);
        let kind = way.kind;
        let mut builder = self.builder(Plan::default(), Vec::new());
        builder.forced = Some((index, way));
        let at = builder.call(index, Role::Main, Manner::Plausible)?;
        builder.plan.steps[at].bind_at(&spot)?;
        if let Some(kind) = kind {
            builder.ask_for_kind(at, kind);
        }
        Some(finished(builder, index, Way::Through))
    }

    fn made_again(&mut self, index: OperationIndex) -> Option<Proposal> {
        let (plan, uses) = self.own_base(index)?;
        let mut builder = self.builder(plan, uses);
        handlings::made_again(&mut builder)?;
        Some(finished(builder, index, Way::Handling))
    }

    fn with_read_back(&mut self, index: OperationIndex) -> Option<Proposal> {
        let (plan, uses) = self.base(index)?;
        let reader = self.graph.first_reader(self.api, index)?;
        let mut builder = self.builder(plan, uses);
        handlings::read_back(&mut builder, reader)?;
        Some(finished(builder, index, Way::Handling))
    }

    /// A look, a write that must be refused, a look.
    fn failed_write(&mut self, index: OperationIndex) -> Option<Proposal> {
        let (mut plan, uses) = self.own_base(index)?;
        let mut case = self.next_break(index, |case| {
            matches!(case.spot, Spot::Body(_)) && case.value.is_some()
        })?;
        self.vary_around(index, &mut case);
        let main = plan.main();
        break_step(&mut plan.steps[main], &case);
        let reader = self.reader(index)?;
        let mut builder = self.builder(plan, uses);
        handlings::changed(&mut builder, reader)?;
        Some(finished(builder, index, Way::Handling))
    }

    fn strangers(&mut self, index: OperationIndex, spot: &Spot, row: usize) -> Option<Proposal> {
        let (mut plan, uses) = self.base(index)?;
        let main = plan.main();
        let (name, shape) = self.key_shape(index, spot)?;
        let like = self.values.latest(&name).cloned();
        let known = plan.steps[main].clone();
        plan.steps.truncate(main);
        for _ in 0..row {
            let gene = stranger(self.api, shape, like.as_ref(), &mut self.rng)?;
            let mut step = known.clone();
            step.fill(spot, gene);
            step.intent = Intent::Stranger {
                parameter: name.clone(),
            };
            plan.steps.push(step);
        }
        drop_unneeded(&mut plan, row);
        Some(Proposal::new(
            plan,
            index,
            Way::Stranger,
            kept_uses(uses, 0),
        ))
    }

    /// What a key is called, and its shape.
    fn key_shape(&mut self, index: OperationIndex, spot: &Spot) -> Option<(String, ShapeId)> {
        let operation = self.api.operation(index);
        match spot {
            Spot::Parameter(at) => {
                let parameter = operation.parameters.get(*at)?;
                Some((parameter.name.clone(), parameter.shape))
            }
            Spot::Body(pointer) => {
                let body = operation.body.as_ref()?;
                let shape = body.contents.first()?.shape?;
                let mut builder = self.builder(Plan::default(), Vec::new());
                let slots = builder.maker(Manner::Plausible).slots(shape);
                let slot = slots.into_iter().find(|slot| slot.pointer == *pointer)?;
                Some((slot.name, slot.shape))
            }
        }
    }

    fn misplaced(&mut self, index: OperationIndex, parent: usize) -> Option<Proposal> {
        let (mut plan, uses) = self.base(index)?;
        if let Some(right) = plan.steps.last_mut() {
            right.role = Role::Setup;
        }
        plan.steps.last()?;
        let mut builder = self.builder(plan, uses);
        handlings::misplaced(&mut builder, index, parent)?;
        Some(finished(builder, index, Way::Stranger))
    }

    fn anonymous(&mut self, index: OperationIndex) -> Option<Proposal> {
        let (mut plan, uses) = self.base(index)?;
        let main = plan.main();
        let mut step = plan.steps[main].clone();
        let how = if self.settings.credentials {
            "without credentials"
        } else {
            "although no credentials were given"
        };
        step.intent = Intent::Unauthenticated {
            how: how.to_owned(),
        };
        // Something that was just removed can't be removed again: the call stands alone then.
        if self.settings.credentials && self.api.operation(index).method.is_safe() {
            plan.steps[main].role = Role::Setup;
            plan.steps.push(step);
        } else {
            plan.steps[main] = step;
        }
        Some(Proposal::new(plan, index, Way::Stranger, uses))
    }

    fn undeclared(&mut self, index: OperationIndex, method: Method) -> Option<Proposal> {
        let (mut plan, uses) = self.base(index)?;
        let main = plan.main();
        let step = &mut plan.steps[main];
        step.method = Some(method);
        step.intent = Intent::Undeclared;
        if method.is_safe() {
            step.body = None;
        }
        Some(Proposal::new(plan, index, Way::Stranger, uses))
    }
}

/// Removes set-up steps that nobody needs any more, from the back; the last `keep` stay.
fn drop_unneeded(plan: &mut Plan, keep: usize) {
    let mut at = plan.steps.len().saturating_sub(keep);
    while at > 0 {
        at -= 1;
        if let Some(shorter) = plan.without(at) {
            *plan = shorter;
        }
    }
}
