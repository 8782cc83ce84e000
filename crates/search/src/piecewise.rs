//! Updates piece by piece: a thing with all that can be said of it is changed one field at a time,
//! with a look after each, so that a field which goes along has a place to show.
//!
//! What stands there must not be what the service falls back to: a field that is set back to its
//! default is noticed only if it was something else.

use fossick_contract::{Deed, Kind, OperationIndex, ShapeId};
use fossick_genes::{Gene, Manner, Slot, Source};
use fossick_plan::{Plan, Spot, Step, keys};
use fossick_trace::Role;
use serde_json::Value;

use crate::builder::Builder;
use crate::handlings::{ask_for_sent, mirror};
use crate::lives::{Life, body_shape, maker_of};
use crate::proposal::{Proposal, Way};
use crate::search::Search;
use crate::ways::{fill_body_at, finished};

/// Fields that are changed in one plan.
const AT_A_TIME: usize = 4;
/// Plans about one operation.
const MOST_PLANS: usize = 4;
/// How often another value is looked for.
const TRIES: usize = 5;

impl Search<'_> {
    /// The fields of an update, some at a time.
    pub(crate) fn pieces_of(&mut self, index: OperationIndex) -> Vec<Life> {
        if self.reader(index).is_none() {
            return Vec::new();
        }
        let fields = self.optional_fields(index);
        let pieces = fields.chunks(AT_A_TIME).take(MOST_PLANS);
        pieces
            .map(|some| Life::Piecewise(some.iter().map(|slot| slot.pointer.clone()).collect()))
            .collect()
    }

    /// What an update may leave out.
    fn optional_fields(&mut self, index: OperationIndex) -> Vec<Slot> {
        let Some(shape) = body_shape(self.api, index) else {
            return Vec::new();
        };
        let keys = keys(self.api.operation(index));
        let mut builder = self.builder(Plan::default(), Vec::new());
        let mut fields = fields(&mut builder, shape, &keys);
        fields.retain(|slot| !slot.required);
        fields
    }

    /// …, create with everything, look, change a field, look, change another, look, …
    pub(crate) fn piecewise(
        &mut self,
        index: OperationIndex,
        pieces: &[String],
    ) -> Option<Proposal> {
        let reader = self.reader(index)?;
        let fields = self.optional_fields(index);
        let (plan, uses) = self.own_base(index)?;
        let made = maker_of(self.api, &plan, plan.main())?;
        let maker = self.api.operation(plan.steps.get(made)?.operation);
        if !matches!(maker.deed(), Deed::Create | Deed::Replace) {
            return None;
        }
        let mut builder = self.builder(plan, uses);
        let made = fill_body_at(&mut builder, made);
        leave_defaults(&mut builder, made);
        let main = builder.plan.main();
        fill_body_at(&mut builder, main);
        let whole = builder.plan.steps.pop()?;
        let mut look = mirror(&mut builder, &whole, reader);
        ask_for_sent(&mut builder, &mut look, &whole);
        builder.plan.steps.push(look.clone());
        let before = builder.plan.steps.len();
        for slot in fields.iter().filter(|slot| pieces.contains(&slot.pointer)) {
            if let Some(change) = alone(&mut builder, &whole, made, &fields, slot) {
                builder.plan.steps.extend([change, look.clone()]);
            }
        }
        if builder.plan.steps.len() == before {
            return None;
        }
        builder.uses.clear();
        Some(finished(builder, index, Way::Life))
    }
}

/// The fields of a body; those of the one object that all of them may stand in.
fn fields(builder: &mut Builder<'_, '_>, shape: ShapeId, keys: &[Spot]) -> Vec<Slot> {
    let maker = builder.maker(Manner::Plausible);
    let mut all = maker.slots(shape);
    all.extend(maker.parts(shape));
    all.retain(|slot| !keys.contains(&Spot::Body(slot.pointer.clone())));
    let depth = |slot: &Slot| slot.pointer.matches('/').count();
    let top: Vec<Slot> = all
        .iter()
        .filter(|slot| depth(slot) == 1)
        .cloned()
        .collect();
    let is_object = |slot: &Slot| matches!(builder.api.shape(slot.shape).kind, Kind::Object(_));
    match top.as_slice() {
        [envelope] if is_object(envelope) => {
            let inside = format!("{}/", envelope.pointer);
            all.retain(|slot| depth(slot) == 2 && slot.pointer.starts_with(&inside));
            all
        }
        _ => top,
    }
}

/// The update with one of its fields and nothing else that it may leave out, and not the value
/// that stands there.
fn alone(
    builder: &mut Builder<'_, '_>,
    whole: &Step,
    made: usize,
    fields: &[Slot],
    field: &Slot,
) -> Option<Step> {
    let mut change = whole.clone();
    let spot = Spot::Body(field.pointer.clone());
    let body = change.body.as_mut()?;
    for other in fields.iter().filter(|other| other.pointer != field.pointer) {
        body.gene.remove(&other.pointer);
    }
    change.settle_binds();
    change.value_at(&spot)?;
    let stands = standing(builder.plan.steps.get(made)?, field);
    let is_bound = |bind: &fossick_plan::Bind| match &bind.spot {
        Spot::Body(pointer) => pointer.starts_with(&field.pointer),
        Spot::Parameter(_) => false,
    };
    if change.value_at(&spot) == stands && !change.binds.iter().any(is_bound) {
        let other = another_value(builder, field, &stands.into_iter().collect::<Vec<_>>())?;
        change
            .body
            .as_mut()?
            .gene
            .set(&field.pointer, other, Source::Random);
    }
    change.role = Role::Main;
    Some(change)
}

/// Gives the plain fields of a step other values than a step before it sent: a write that shows
/// nothing new can't be seen.
pub(crate) fn say_otherwise(builder: &mut Builder<'_, '_>, step: &mut Step, made: usize) {
    let Some(shape) = body_shape(builder.api, step.operation) else {
        return;
    };
    for slot in builder.maker(Manner::Plausible).slots(shape) {
        let spot = Spot::Body(slot.pointer.clone());
        let stands = builder
            .plan
            .steps
            .get(made)
            .and_then(|s| standing(s, &slot));
        if stands.is_none() || step.value_at(&spot) != stands || step.bind_at(&spot).is_some() {
            continue;
        }
        let stands: Vec<Value> = stands.into_iter().collect();
        if let Some(other) = another_value(builder, &slot, &stands) {
            step.fill(&spot, Gene::literal(other, Source::Random));
        }
    }
}

/// What a step said of a field of this name.
fn standing(made: &Step, field: &Slot) -> Option<Value> {
    let whole = made.body.as_ref()?.gene.value();
    let same = whole.pointer(&field.pointer);
    same.or_else(|| whole.get(&field.name)).cloned()
}

/// Gives the optional fields of a step other values than those that a service falls back to, or
/// that everybody sends.
fn leave_defaults(builder: &mut Builder<'_, '_>, at: usize) {
    let Some(shape) = body_shape(builder.api, builder.plan.steps[at].operation) else {
        return;
    };
    let slots = builder.maker(Manner::Plausible).slots(shape);
    for slot in slots.iter().filter(|slot| !slot.required) {
        let step = &builder.plan.steps[at];
        let spot = Spot::Body(slot.pointer.clone());
        let usual = usual(builder, slot.shape);
        let is_usual = step
            .value_at(&spot)
            .is_some_and(|value| usual.contains(&value));
        if !is_usual || step.bind_at(&spot).is_some() {
            continue;
        }
        if let Some(other) = another_value(builder, slot, &usual) {
            set_if_valid(builder, at, shape, &slot.pointer, other);
        }
    }
}

fn set_if_valid(
    builder: &mut Builder<'_, '_>,
    at: usize,
    shape: ShapeId,
    pointer: &str,
    value: Value,
) {
    let Some(body) = &builder.plan.steps[at].body else {
        return;
    };
    let mut gene = body.gene.clone();
    gene.set(pointer, value, Source::Random);
    let maker = builder.maker(Manner::Plausible);
    if maker.is_valid(&gene, shape)
        && let Some(body) = &mut builder.plan.steps[at].body
    {
        body.gene = gene;
    }
}

/// What a field is when nobody says anything, and what the document shows.
fn usual(builder: &Builder<'_, '_>, shape: ShapeId) -> Vec<Value> {
    let shape = builder.api.shape(shape);
    let silent = [Value::Bool(false), Value::from(0), Value::from("")];
    let told = shape.default.iter().chain(&shape.examples).cloned();
    // A flag that is on by default is the only one that should be off.
    match shape.default {
        Some(_) => told.collect(),
        None => told.chain(silent).collect(),
    }
}

/// A value of a field that is none of these.
fn another_value(builder: &mut Builder<'_, '_>, slot: &Slot, not: &[Value]) -> Option<Value> {
    let other = |value: &Value| !value.is_null() && !not.contains(value);
    match &builder.api.shape(slot.shape).kind {
        Kind::Boolean => [true, false].map(Value::Bool).into_iter().find(other),
        Kind::Enum(members) => members.iter().find(|value| other(value)).cloned(),
        _ => {
            let mut maker = builder.maker(Manner::Varied);
            let mut sample = || maker.sample(&slot.name, slot.shape);
            (0..TRIES).map(|_| Gene::value(&sample())).find(other)
        }
    }
}
