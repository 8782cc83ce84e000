//! Writes made such that a service should refuse them.

use fossick_contract::{Deed, Kind};
use fossick_genes::{Gene, Manner, Slot, Source};
use fossick_plan::{Spot, Step, keys, spot_of};
use fossick_trace::{Intent, Role};
use serde_json::{Value, json};

use super::{body_shape, is_moment, maker_of, resume};
use crate::builder::Builder;
use crate::strangers::stranger;

/// More than anybody has of anything.
const TOO_MUCH: f64 = 1_000_000.0;

/// The body with nothing but what the document requires; none if that is what is sent anyway.
pub(super) fn bare(builder: &mut Builder<'_, '_>, write: &mut Step) -> Option<()> {
    let shape = body_shape(builder.api, write.operation)?;
    let required: Vec<Slot> = {
        let mut slots = builder.maker(Manner::Plausible).slots(shape);
        slots.retain(|slot| slot.required);
        slots
    };
    let body = write.body.as_mut()?;
    let Value::Object(mut whole) = body.gene.value() else {
        return None;
    };
    let before = whole.len();
    let needed = |name: &String| {
        let pointer = format!("/{}", fossick_contract::escape_token(name));
        required
            .iter()
            .any(|slot| slot.pointer == pointer || slot.pointer.starts_with(&format!("{pointer}/")))
    };
    whole.retain(|name, _| needed(name));
    if whole.len() == before || whole.is_empty() {
        return None;
    }
    let whole = Value::Object(whole);
    write.binds.retain(|bind| match &bind.spot {
        Spot::Body(pointer) => whole.pointer(pointer).is_some(),
        Spot::Parameter(_) => true,
    });
    body.gene = Gene::literal(whole, Source::Fixed);
    Some(())
}

/// A reference in the body to something that nobody made.
pub(super) fn unknown(
    builder: &mut Builder<'_, '_>,
    write: &mut Step,
    pointer: &str,
) -> Option<()> {
    let graph = builder.graph;
    let need = graph
        .needs(write.operation)
        .iter()
        .find(|need| spot_of(&need.place) == Spot::Body(pointer.to_owned()))?;
    let spot = Spot::Body(pointer.to_owned());
    write.gene_at(&spot)?;
    let like = builder.values.latest(&need.name).cloned();
    let gene = stranger(builder.api, need.shape, like.as_ref(), builder.rng)?;
    write.fill(&spot, gene);
    write.intent = Intent::Stranger {
        parameter: need.name.clone(),
    };
    Some(())
}

/// The first of two moments takes the place of the second, and the other way round.
pub(super) fn swap(write: &mut Step, first: &str, second: &str) -> Option<()> {
    let (first, second) = (Spot::Body(first.to_owned()), Spot::Body(second.to_owned()));
    let (a, b) = (write.value_at(&first)?, write.value_at(&second)?);
    if a == b {
        return None;
    }
    write.fill(&first, Gene::literal(b, Source::Fixed));
    write.fill(&second, Gene::literal(a, Source::Fixed));
    write.intent = Intent::Stranger {
        parameter: "their order".to_owned(),
    };
    Some(())
}

/// Gives a free text to a step that does without it.
pub(super) fn place(
    builder: &mut Builder<'_, '_>,
    at: usize,
    name: &str,
    spot: &Spot,
) -> Option<Value> {
    let shape = body_shape(builder.api, builder.plan.steps[at].operation)?;
    let slots = builder.maker(Manner::Plausible).slots(shape);
    let slot = slots
        .into_iter()
        .find(|slot| Spot::Body(slot.pointer.clone()) == *spot)?;
    let gene = builder.maker(Manner::Full).sample(name, slot.shape);
    let value = gene.value();
    builder.plan.steps[at].fill(spot, gene);
    (builder.plan.steps[at].value_at(spot).as_ref() == Some(&value)).then_some(value)
}

/// Gives the thing that an action works on a list of two: one that can be had, of our own making,
/// and one that wants more than there is.
pub(super) fn overdraw(builder: &mut Builder<'_, '_>) -> Option<()> {
    let main = builder.plan.main();
    let made = maker_of(builder.api, &builder.plan, main)?;
    let step = builder.plan.steps.get(made)?.clone();
    let body = step.body.as_ref()?;
    let whole = body.gene.value();
    // The first list whose items refer to something.
    let need = builder
        .graph
        .needs(step.operation)
        .iter()
        .enumerate()
        .find_map(|(at, need)| match &need.place {
            fossick_graph::Place::Body(pointer) if whole.pointer(pointer).is_some() => {
                let (list, rest) = pointer.split_once("/0/")?;
                Some((at, list.to_owned(), rest.to_owned()))
            }
            _ => None,
        });
    let (need, list, field) = need?;
    let creator = builder
        .graph
        .edges(step.operation, need)
        .into_iter()
        .find(|edge| edge.evidence.makes())?;
    overdraw_with(builder, made, need, creator, &list, &field)
}

pub(super) fn overdraw_with(
    builder: &mut Builder<'_, '_>,
    made: usize,
    need: usize,
    creator: &fossick_graph::Edge,
    list: &str,
    field: &str,
) -> Option<()> {
    let rest = builder.plan.steps.split_off(made);
    let (first, second) = match builder.provide(creator, &mut Vec::new()) {
        Some(first) => (first, another_like(builder, first)?),
        None => return None,
    };
    let at = builder.plan.steps.len();
    let graph = builder.graph;
    resume(&mut builder.plan, rest, made);
    let original = builder.plan.steps.get(at)?.clone();
    let mut step = original.clone();
    let body = step.body.as_mut()?;
    let item = body.gene.value_at(&format!("{list}/0"))?;
    let greedy = greedy(builder, &original, list, &item);
    let mut whole = body.gene.value();
    *whole.pointer_mut(list)? = json!([item, greedy]);
    body.gene = Gene::literal(whole, Source::Fixed);
    let wanted = &graph.needs(step.operation)[need];
    let mut other = step.clone();
    if !builder.connect(&mut step, need, &spot_of(&wanted.place), creator, first)
        || !builder.connect(&mut other, need, &spot_of(&wanted.place), creator, second)
    {
        return None;
    }
    let pointer = format!("{list}/0/{field}");
    let theirs = Spot::Body(pointer);
    let ours = Spot::Body(format!("{list}/1/{field}"));
    step.copy(&other, &theirs, &ours);
    builder.plan.steps[at] = step;
    Some(())
}

/// Another thing like the one that a step made: what worked stays, and its texts are new.
pub(super) fn another_like(builder: &mut Builder<'_, '_>, at: usize) -> Option<usize> {
    let mut second = builder.plan.steps.get(at)?.clone();
    second.role = Role::Setup;
    let slots = match body_shape(builder.api, second.operation) {
        Some(shape) => builder.maker(Manner::Plausible).slots(shape),
        None => Vec::new(),
    };
    let texts = slots
        .into_iter()
        .filter(|slot| match &builder.api.shape(slot.shape).kind {
            Kind::String(text) => !is_moment(text.format.as_deref()),
            _ => false,
        });
    for slot in texts.collect::<Vec<_>>() {
        let spot = Spot::Body(slot.pointer.clone());
        let Some(old) = second
            .value_at(&spot)
            .filter(|_| second.bind_at(&spot).is_none())
        else {
            continue;
        };
        let mut new = builder
            .maker(Manner::Plausible)
            .sample(&slot.name, slot.shape);
        if new.value() == old {
            new = builder.maker(Manner::Varied).sample(&slot.name, slot.shape);
        }
        second.fill(&spot, Gene::literal(new.value(), Source::Named));
    }
    freshen_keys(builder, &mut second);
    builder.plan.steps.push(second);
    Some(builder.plan.steps.len() - 1)
}

/// Names in the path that callers choose must be new as well.
pub(super) fn freshen_keys(builder: &mut Builder<'_, '_>, step: &mut Step) {
    let operation = builder.api.operation(step.operation);
    if operation.deed() != Deed::Replace {
        return;
    }
    let last = keys(operation)
        .pop()
        .filter(|spot| step.bind_at(spot).is_none());
    if let Some(Spot::Parameter(at)) = last {
        let parameter = &operation.parameters[at];
        let gene = builder
            .maker(Manner::Plausible)
            .sample(&parameter.name, parameter.shape);
        step.put(at, Some(gene));
    }
}

/// An item with its numbers as large as they may be: more than there is, with some luck.
pub(super) fn greedy(
    builder: &mut Builder<'_, '_>,
    step: &Step,
    list: &str,
    item: &Value,
) -> Value {
    let shape = body_shape(builder.api, step.operation);
    let slots = shape.map(|shape| builder.maker(Manner::Plausible).slots(shape));
    let most = |name: &str| {
        let pointer = format!("{list}/0/{}", fossick_contract::escape_token(name));
        let slot = slots
            .iter()
            .flatten()
            .find(|slot| slot.pointer == pointer)?;
        match &builder.api.shape(slot.shape).kind {
            Kind::Integer(number) => number.maximum,
            _ => None,
        }
    };
    let mut greedy = item.clone();
    for (name, value) in greedy.as_object_mut().into_iter().flatten() {
        if value.is_number() {
            *value = json!(most(name).unwrap_or(TOO_MUCH).min(TOO_MUCH) as i64);
        }
    }
    greedy
}
