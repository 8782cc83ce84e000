//! A walk through the states of a thing: whatever can be done to it, in any order, with a look after
//! each step.
//!
//! Most things have a life that no document tells: drafts are opened, closed and opened again. Faults
//! hide behind the second or third of these steps, where nobody has looked yet.

use fossick_contract::{Deed, Kind, OperationIndex};
use fossick_genes::{Manner, Source};
use fossick_graph::same_place;
use fossick_plan::{Spot, Step, keys};
use fossick_trace::Role;
use rand::RngExt as _;
use serde_json::Value;

use crate::builder::Builder;
use crate::handlings::mirror;
use crate::lives::{body_shape, maker_of};
use crate::proposal::{Proposal, Way};
use crate::search::Search;
use crate::ways::finished;

/// Things that are done in one walk.
const STEPS: usize = 6;

impl Search<'_> {
    /// What can be done to the things that an operation reads one of.
    pub(crate) fn deeds_on(&self, reader: OperationIndex) -> Vec<OperationIndex> {
        let read = self.api.operation(reader);
        let thing = read.graphql.as_ref().and_then(|root| root.thing);
        let changes = |index: OperationIndex| {
            let operation = self.api.operation(index);
            let known = &self.known[index.0 as usize];
            let open = self.active[index.0 as usize]
                && !known.waits_for_the_end()
                && !known.resting
                && self.writes(index);
            let item = same_place(&operation.path.text, &read.path.text);
            let on_it = match &operation.graphql {
                Some(root) => {
                    let alters = !matches!(operation.deed(), Deed::Create | Deed::Delete);
                    alters && root.thing == thing && keys(operation).len() == 1
                }
                None => {
                    (item && operation.deed() != Deed::Delete)
                        || self.acted_on(index) == Some(reader)
                }
            };
            open && on_it
        };
        let all = self.api.indexed().map(|(index, _)| index);
        all.filter(|index| *index != reader && changes(*index))
            .collect()
    }

    /// …, look, do something, look, do something else, look, …
    pub(crate) fn walk(&mut self, reader: OperationIndex) -> Option<Proposal> {
        let deeds = self.deeds_on(reader);
        let (plan, uses) = self.own_base(reader)?;
        maker_of(self.api, &plan, plan.main())?;
        let mut builder = self.builder(plan, uses);
        builder.plan.steps.truncate(builder.plan.main() + 1);
        let steps = match deeds.len() {
            0 => return None,
            1 => STEPS / 2,
            _ => STEPS,
        };
        for _ in 0..steps {
            let look = builder.plan.steps.last()?.clone();
            let next = deeds[builder.rng.random_range(0..deeds.len())];
            let mut step = mirror(&mut builder, &look, next);
            if builder.rng.random_bool(0.5) {
                let fuller = builder.sample(next, Manner::Full);
                step.body = fuller.body;
            }
            another_member(&mut builder, &mut step);
            builder.obey(&mut step);
            step.role = Role::Check;
            let given: Vec<Spot> = keys(builder.api.operation(next));
            builder.plan.steps.push(step);
            let at = builder.plan.steps.len() - 1;
            builder.meet_new(at, |spot| given.contains(spot));
            let look = as_before(&builder, reader)?;
            builder.plan.steps.push(look);
        }
        builder.uses.clear();
        Some(finished(builder, reader, Way::Life))
    }
}

/// What is chosen from a closed set decides where a walk leads: any of it may be the next.
pub(crate) fn another_member(builder: &mut Builder<'_, '_>, step: &mut Step) {
    let members: Vec<(String, Vec<Value>)> = enum_places(builder, step.operation);
    for (pointer, members) in members {
        let at = builder.rng.random_range(0..members.len().max(1));
        if let (Some(member), Some(body)) = (members.get(at), &mut step.body)
            && body.gene.at(&pointer).is_some()
        {
            body.gene.set(&pointer, member.clone(), Source::Enum);
        }
    }
}

/// Places of a body that take one of a closed set.
fn enum_places(builder: &mut Builder<'_, '_>, index: OperationIndex) -> Vec<(String, Vec<Value>)> {
    let Some(shape) = body_shape(builder.api, index) else {
        return Vec::new();
    };
    let maker = builder.maker(Manner::Plausible);
    let slots = maker.slots(shape).into_iter();
    slots
        .filter_map(|slot| match &maker.api.shape(slot.shape).kind {
            Kind::Enum(members) => Some((slot.pointer, members.clone())),
            _ => None,
        })
        .collect()
}

/// The last look, once more: whatever was put before it has moved its links along.
fn as_before(builder: &Builder<'_, '_>, reader: OperationIndex) -> Option<Step> {
    let mut looks = builder.plan.steps.iter().rev();
    let look = looks.find(|step| step.operation == reader)?.clone();
    Some(Step {
        role: Role::Check,
        ..look
    })
}
