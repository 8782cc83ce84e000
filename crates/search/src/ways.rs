//! Ways of making a plan: plainly, at the edges, broken, varied.

use fossick_contract::{Deed, Location, Operation, OperationIndex};
use fossick_genes::{Gene, Maker, Manner, Source, is_path_safe};
use fossick_plan::{Ground, Plan, Spot, Step, best_content};
use fossick_trace::{Intent, Role, Telling};
use rand::RngExt as _;
use serde_json::Value;

use crate::builder::{Builder, Setups};
use crate::edges::{BREAKS_HELD, body_shape, break_cases};
use crate::fresh::freshen;
use crate::handlings;
use crate::pages::page;
use crate::proposal::{Proposal, Use, Way};
use crate::search::Search;
use crate::tasks::{BreakCase, EdgeCase, EdgeValue};

/// Plans about an operation after which it is called without what it needs.
const GIVE_UP_ON_MAKERS: u32 = 2;

impl Search<'_> {
    pub(crate) fn plain(&mut self, index: OperationIndex, manner: Manner) -> Option<Proposal> {
        let at = &self.known[index.0 as usize];
        // It was never even called, because what it needs could not be made.
        let alone = at.statuses.is_empty() && at.tried >= GIVE_UP_ON_MAKERS;
        let failures = if at.succeeded == 0 { at.tried } else { 0 };
        let setups = if at.works_on_others() {
            Setups::Own
        } else {
            Setups::after(failures)
        };
        let mut builder = self.builder(Plan::default(), Vec::new());
        builder.setups = setups;
        if alone {
            builder.call_alone(index, manner);
        } else {
            builder.call(index, Role::Main, manner)?;
        }
        Some(finished(builder, index, Way::Plain))
    }

    /// A plan that worked, with names made anew so that it works again.
    pub(crate) fn base(&mut self, index: OperationIndex) -> Option<(Plan, Vec<Use>)> {
        let known = &self.known[index.0 as usize];
        let (mut plan, uses) = known.base.clone()?;
        let mut maker = Maker {
            api: self.api,
            validators: self.validators,
            values: &self.values,
            rng: &mut self.rng,
            manner: Manner::Plausible,
        };
        freshen(&mut plan, &known.names, &self.known, &mut maker);
        Some((plan, uses))
    }

    /// A plan that worked on something of its own: what others may touch can't be judged.
    pub(crate) fn own_base(&mut self, index: OperationIndex) -> Option<(Plan, Vec<Use>)> {
        let (plan, uses) = self.base(index)?;
        let own = plan.ground(self.api, plan.main()) > Ground::Found;
        own.then_some((plan, uses))
    }

    pub(crate) fn edge(&mut self, index: OperationIndex) -> Option<Proposal> {
        let case = self.next_edge(index)?;
        let (mut plan, uses) = self.base(index)?;
        let main = plan.main();
        let known = self.needed(&plan.steps[main]);
        self.set_edge(index, &mut plan.steps[main], &case)?;
        let operation = self.api.operation(index);
        let lister = self.lister(index);
        let mut builder = self.builder(plan, uses);
        let telling = |spot: &Spot| case.values.iter().any(|value| value.spot == *spot);
        builder.meet_new(main, |spot| telling(spot) || known.contains(spot));
        let in_body = |value: &EdgeValue| matches!(value.spot, Spot::Body(_));
        let member = |value: &EdgeValue| value.member && in_body(value);
        match lister {
            Some(lister) if case.values.iter().any(member) && operation.deed() == Deed::Create => {
                handlings::listed(&mut builder, lister)?;
            }
            _ if case.values.iter().any(in_body) => look_after(&mut builder, index),
            _ => {}
        }
        for at in builder.plan.main() + 1..builder.plan.steps.len() {
            case.values
                .iter()
                .for_each(|value| builder.ask_for(at, &value.spot));
        }
        Some(finished(builder, index, way_of(&case)))
    }

    /// The call as it works, then the same with the value that was refused: with other values
    /// beside it first, then with those that work.
    pub(crate) fn contrast(&mut self, index: OperationIndex, case: &EdgeCase) -> Option<Proposal> {
        let (mut plan, mut uses) = self.base(index)?;
        let main = plan.main();
        plan.steps[main].role = Role::Setup;
        let (mut second, _) = self.base(index)?;
        let mut step = second.steps.swap_remove(second.main());
        // Both calls share what was set up for the first, unless the call takes it away.
        if self.api.operation(index).deed() == Deed::Delete {
            return None;
        }
        step.binds.clone_from(&plan.steps[main].binds);
        step.arguments.clone_from(&plan.steps[main].arguments);
        step.role = Role::Main;
        let others = self.in_other_company(index, &step, case);
        let declared = case.values.iter().all(|value| value.declared);
        plan.steps.extend(others.into_iter().filter(|_| declared));
        self.set_edge(index, &mut step, case)?;
        plan.steps.push(step);
        uses.retain(|used| used.step < main);
        Some(Proposal::new(plan, index, Way::Contrast, uses))
    }

    /// Puts telling values into a call and says so. None if the document does not allow them.
    pub(crate) fn set_edge(
        &mut self,
        index: OperationIndex,
        step: &mut Step,
        case: &EdgeCase,
    ) -> Option<()> {
        let operation = self.api.operation(index);
        let alone = matches!(case.values.as_slice(), [one] if one.value.is_some());
        let before = step.body.as_ref().filter(|_| !alone);
        let before = before.map(|body| body.gene.clone());
        for value in &case.values {
            self.set_value(operation, step, &value.spot, value.value.as_ref())?;
        }
        if let Some((spot, value)) = &case.along {
            self.set_value(operation, step, spot, Some(value))?;
        }
        // A shape may say of two places what it says of neither.
        if !alone && !self.is_as_valid(operation, step, before.as_ref()) {
            return None;
        }
        step.intent = intent(operation, &case.values);
        Some(())
    }

    fn set_value(
        &mut self,
        operation: &Operation,
        step: &mut Step,
        spot: &Spot,
        value: Option<&Value>,
    ) -> Option<()> {
        let gene = value.map(|value| Gene::literal(value.clone(), Source::Boundary));
        let pointer = match spot {
            Spot::Parameter(at) => {
                step.put(*at, gene);
                return Some(());
            }
            Spot::Body(pointer) => pointer,
        };
        step.binds.retain(|bind| bind.spot != *spot);
        let shape = body_shape(operation, step)?;
        let body = step.body.as_mut()?;
        let Some(gene) = gene else {
            return body.gene.remove(pointer).then_some(());
        };
        let mut builder = self.builder(Plan::default(), Vec::new());
        let mut maker = builder.maker(Manner::Plausible);
        body.gene = maker.with_gene("body", shape, &body.gene, pointer, gene)?;
        Some(())
    }

    /// Whether a body is valid still, if it was before.
    fn is_as_valid(&mut self, operation: &Operation, step: &Step, before: Option<&Gene>) -> bool {
        let (Some(shape), Some(body)) = (body_shape(operation, step), &step.body) else {
            return true;
        };
        let mut builder = self.builder(Plan::default(), Vec::new());
        let maker = builder.maker(Manner::Plausible);
        maker.is_valid(&body.gene, shape) || !before.is_some_and(|g| maker.is_valid(g, shape))
    }

    pub(crate) fn broken(&mut self, index: OperationIndex) -> Option<Proposal> {
        let mut case = self.next_break(index, |_| true)?;
        let deed = self.api.operation(index).deed();
        let changes = matches!(deed, Deed::Replace | Deed::Update);
        if changes {
            self.vary_around(index, &mut case);
        }
        let (mut plan, uses) = self.base(index)?;
        let main = plan.main();
        break_step(&mut plan.steps[main], &case);
        let own = plan.ground(self.api, main) > Ground::Found;
        let reader = self.reader(index);
        let mut builder = self.builder(plan, uses);
        // A call that is refused for a reference that leads nowhere shows nothing of its breakage.
        let keeps = |spot: &Spot| matches!(spot, Spot::Parameter(_)) || touches(&case, spot);
        builder.meet_new(main, keeps);
        // A refused write may have written all the same: look before and after.
        if let (true, true, Spot::Body(_), Some(reader)) = (changes, own, &case.spot, reader) {
            handlings::changed(&mut builder, reader)?;
        }
        Some(finished(builder, index, Way::Broken))
    }

    /// Gives the unbroken texts of a broken body other values than those that are there already:
    /// a write that is refused but half done must be able to show.
    pub(crate) fn vary_around(&mut self, index: OperationIndex, case: &mut BreakCase) {
        let contents = self.api.operation(index).body.as_ref().map(|b| &b.contents);
        let shape = contents.and_then(|c| {
            c.get(best_content(self.api.operation(index).body.as_ref()?))?
                .shape
        });
        let (Some(shape), Some(value)) = (shape, &mut case.value) else {
            return;
        };
        let broken = case.pointer.clone();
        let mut builder = self.builder(Plan::default(), Vec::new());
        let mut maker = builder.maker(Manner::Varied);
        for slot in maker.slots(shape) {
            let related = broken.starts_with(&slot.pointer) || slot.pointer.starts_with(&broken);
            if related && !broken.is_empty() {
                continue;
            }
            if let Some(place @ Value::String(_)) = value.pointer_mut(&slot.pointer)
                && let fresh @ Value::String(_) = maker.sample(&slot.name, slot.shape).value()
            {
                *place = fresh;
            }
        }
    }

    pub(crate) fn next_break(
        &mut self,
        index: OperationIndex,
        wanted: impl Fn(&BreakCase) -> bool,
    ) -> Option<BreakCase> {
        let at = index.0 as usize;
        if self.known[at].breaks.are_used_up() {
            let (base, _) = self.known[at].base.clone()?;
            let size = page(BREAKS_HELD, self.known.len());
            let all = break_cases(&mut self.builder(Plan::default(), Vec::new()), index, &base);
            self.known[at].breaks.turn(all, size);
        }
        self.known[at].breaks.find(wanted)
    }

    /// A known good call changed a little, or sampled anew.
    pub(crate) fn varied(&mut self, index: OperationIndex) -> Option<Proposal> {
        if self.rng.random_bool(0.5) {
            return self.plain(index, Manner::Varied).map(|p| Proposal {
                way: Way::Varied,
                ..p
            });
        }
        let (mut plan, uses) = self.base(index)?;
        let main = plan.main();
        let known = self.needed(&plan.steps[main]);
        self.mutate(index, &mut plan.steps[main]);
        let mut builder = self.builder(plan, uses);
        builder.meet_new(main, |spot| known.contains(spot));
        look_after(&mut builder, index);
        Some(finished(builder, index, Way::Varied))
    }

    /// Spots of a step that hold what only the service can know.
    fn needed(&mut self, step: &Step) -> Vec<Spot> {
        self.builder(Plan::default(), Vec::new()).needed(step)
    }

    pub(crate) fn mutate(&mut self, index: OperationIndex, step: &mut Step) {
        let operation = self.api.operation(index);
        for (at, parameter) in operation.parameters.iter().enumerate() {
            if step.bind_at(&Spot::Parameter(at)).is_some() || !self.rng.random_bool(0.4) {
                continue;
            }
            let mut gene = step.arguments[at].take();
            let mut builder = self.builder(Plan::default(), Vec::new());
            let mut maker = builder.maker(Manner::Varied);
            match &mut gene {
                Some(gene) => maker.mutate(gene, &parameter.name, parameter.shape),
                None if parameter.location != Location::Path => {
                    gene = Some(maker.sample(&parameter.name, parameter.shape));
                }
                None => {}
            }
            let unsafe_text = |g: &Gene| matches!(g.value(), Value::String(t) if !is_path_safe(&t));
            if parameter.location == Location::Path && gene.as_ref().is_some_and(unsafe_text) {
                gene = Some(maker.sample(&parameter.name, parameter.shape));
            }
            step.arguments[at] = gene;
        }
        if let (Some(body), Some(declared)) = (&mut step.body, &operation.body)
            && let Some(shape) = declared.contents.get(body.content).and_then(|c| c.shape)
        {
            let mut builder = self.builder(Plan::default(), Vec::new());
            builder
                .maker(Manner::Varied)
                .mutate(&mut body.gene, "body", shape);
        }
        self.vary_ask(index, step);
    }
}

pub(crate) fn finished(builder: Builder<'_, '_>, subject: OperationIndex, way: Way) -> Proposal {
    Proposal::new(
        builder.plan,
        subject,
        way,
        kept_uses(builder.uses, usize::MAX),
    )
}

/// Uses of steps that were never added, or that moved, say nothing.
pub(crate) fn kept_uses(mut uses: Vec<Use>, below: usize) -> Vec<Use> {
    uses.retain(|used| used.step < below);
    uses
}

/// After a write, a look at what was written, where somebody can look.
pub(crate) fn look_after(builder: &mut Builder<'_, '_>, index: OperationIndex) {
    let operation = builder.api.operation(index);
    match operation.deed() {
        Deed::Create => {
            if let Some(reader) = builder.graph.first_reader(builder.api, index) {
                handlings::read_back(builder, reader);
            }
        }
        Deed::Replace | Deed::Update => {
            let (places, api, graph) = (builder.places, builder.api, builder.graph);
            if let Some(reader) = places.reader(api, graph, index) {
                handlings::removed(builder, reader);
            }
        }
        _ => {}
    }
}

/// Fills the main step's body with other values and every optional field.
pub(crate) fn fill_body(builder: &mut Builder<'_, '_>) {
    let main = builder.plan.main();
    fill_body_at(builder, main);
}

/// The same for any step. Tells where it stands then.
pub(crate) fn fill_body_at(builder: &mut Builder<'_, '_>, at: usize) -> usize {
    let Some(step) = builder.plan.steps.get(at).cloned() else {
        return at;
    };
    let shape = body_shape(builder.api.operation(step.operation), &step);
    let Some(shape) = shape else { return at };
    let mut gene = builder.maker(Manner::Full).sample("body", shape);
    for bind in &step.binds {
        if let Spot::Body(pointer) = &bind.spot
            && gene.at(pointer).is_none()
        {
            gene.set(pointer, Value::Null, Source::Fixed);
        }
    }
    let known = builder.needed(&step);
    let mut fuller = step.clone();
    if let Some(body) = &mut fuller.body {
        body.gene = gene;
    }
    builder.obey(&mut fuller);
    builder.renew(&mut fuller, false);
    builder.plan.steps[at] = fuller;
    let before = builder.plan.steps.len();
    builder.meet_new(at, |spot| known.contains(spot));
    // Whatever makes what it needs now stands before it.
    at + builder.plan.steps.len() - before
}

pub(crate) fn break_step(step: &mut Step, case: &BreakCase) {
    if let (Some(_), Some(ask)) = (case.fault, &mut step.ask) {
        ask.fault = case.fault;
        step.intent = broken(case);
        return;
    }
    match (&case.spot, &case.value) {
        (Spot::Parameter(at), value) => {
            step.put(*at, value.clone().map(|v| Gene::literal(v, Source::Random)));
        }
        (Spot::Body(_), Some(value)) => {
            // Links into the body stay where the broken value still has their places.
            step.binds.retain(|bind| match &bind.spot {
                Spot::Body(pointer) => value.pointer(pointer).is_some() && case.pointer != *pointer,
                Spot::Parameter(_) => true,
            });
            if let Some(body) = &mut step.body {
                body.gene = Gene::literal(value.clone(), Source::Fixed);
            }
        }
        (Spot::Body(_), None) => {
            step.body = None;
            step.binds
                .retain(|bind| matches!(bind.spot, Spot::Parameter(_)));
        }
    }
    step.intent = broken(case);
}

fn way_of(case: &EdgeCase) -> Way {
    match case.values.as_slice() {
        [one] => Way::Edge {
            spot: one.spot.clone(),
            declared: one.declared,
            along: case.along.as_ref().map(|(spot, _)| spot.clone()),
        },
        _ => Way::Edges,
    }
}

fn intent(operation: &Operation, values: &[EdgeValue]) -> Intent {
    let told = |value: &EdgeValue| Telling {
        place: value.spot.describe(operation),
        value: value.value.as_ref().map(shown),
        declared: value.declared,
    };
    match values {
        [
            one @ EdgeValue {
                value: Some(value), ..
            },
        ] => Intent::Edge {
            place: one.spot.describe(operation),
            value: shown(value),
            declared: one.declared,
        },
        several => Intent::Edges(several.iter().map(told).collect()),
    }
}

/// Whether a spot is the broken one, lies inside it, or holds it.
fn touches(case: &BreakCase, spot: &Spot) -> bool {
    let (Spot::Body(_), Spot::Body(pointer)) = (&case.spot, spot) else {
        return case.spot == *spot;
    };
    let within = |inner: &str, outer: &str| {
        let rest = inner.strip_prefix(outer);
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    };
    within(pointer, &case.pointer) || within(&case.pointer, pointer)
}

fn broken(case: &BreakCase) -> Intent {
    Intent::Broken {
        place: case.place.clone(),
        constraint: case.constraint.clone(),
        detail: case.detail.clone(),
    }
}

/// A value as people write it, cut where it gets long.
pub(crate) fn shown(value: &Value) -> String {
    let text = value.to_string();
    match text.char_indices().nth(60) {
        Some((end, _)) => format!("{}… ({} characters)", &text[..end], text.chars().count()),
        None => text,
    }
}
