//! Kin: a thing is removed while others hang under it and refer to it, and a child comes and goes
//! before the eyes of its parent.
//!
//! A removal that is refused must leave everything as it was, and one that is carried out must be
//! seen by whoever counts.

use fossick_contract::{Deed, OperationIndex};
use fossick_genes::Manner;
use fossick_graph::{Alternative, Place};
use fossick_plan::{Plan, Step, keys, spot_of};
use fossick_trace::Role;

use crate::builder::Builder;
use crate::elsewhere;
use crate::handlings::{copy_keys, mirror};
use crate::lives::{Life, look_at, maker_of, parents, resume, roomy};
use crate::proposal::{Proposal, Way};
use crate::search::Search;
use crate::ways::finished;

/// Operations that refer to one thing and are tried.
const REFERRERS: usize = 2;
/// Parents that are looked at before and after.
const PARENTS: usize = 2;

impl Search<'_> {
    /// What is tried with a removal for the sake of those around the thing.
    pub(crate) fn ends_among_kin(&self, index: OperationIndex) -> Vec<Life> {
        let base = self.known[index.0 as usize].base.as_ref();
        let made = base.and_then(|(plan, _)| {
            let made = maker_of(self.api, plan, plan.main())?;
            plan.steps.get(made)
        });
        let Some(made) = made else {
            return Vec::new();
        };
        let referrers = self.referrers(made.operation).into_iter().take(REFERRERS);
        let mut lives: Vec<Life> = referrers.map(|by| Life::Referred(Some(by))).collect();
        if lives.is_empty() && !self.child_creators(index).is_empty() {
            lives.push(Life::Referred(None));
        }
        if !made.binds.is_empty() {
            lives.push(Life::Counted);
        }
        lives
    }

    /// Creations whose body refers to what an operation makes.
    fn referrers(&self, maker: OperationIndex) -> Vec<OperationIndex> {
        let creations = self.api.indexed().filter(|(other, operation)| {
            operation.deed() == Deed::Create && self.reference(*other, maker).is_some()
        });
        creations.map(|(other, _)| other).collect()
    }

    /// Where a body refers to what an operation makes.
    fn reference(&self, by: OperationIndex, maker: OperationIndex) -> Option<Alternative> {
        let needs = self.graph.needs(by).iter().enumerate();
        let mut in_body = needs.filter(|(_, need)| matches!(need.place, Place::Body(_)));
        in_body.find_map(|(need, _)| {
            let edges = self.graph.edges(by, need).into_iter();
            let mut made = edges.filter(|edge| edge.maker == maker && edge.evidence.makes());
            let edge = made.next()?.clone();
            Some(Alternative {
                need,
                edge,
                kind: None,
            })
        })
    }

    /// …, create something under it, create something that refers to it, looks, remove, the same
    /// looks, remove what refers to it, remove
    pub(crate) fn referred(
        &mut self,
        index: OperationIndex,
        by: Option<OperationIndex>,
    ) -> Option<Proposal> {
        let reader = self.reader(index);
        let child = self.child_creators(index).into_iter().next();
        let (plan, uses) = self.own_base(index)?;
        let made = maker_of(self.api, &plan, plan.main())?;
        let maker = plan.steps.get(made)?.operation;
        let reference = match by {
            Some(by) => Some((by, self.reference(by, maker)?)),
            None => None,
        };
        let letting_go = by.and_then(|by| self.remover(by));
        let mut builder = self.builder(plan, uses);
        let removal = builder.plan.steps.pop()?;
        let mut looks = Vec::new();
        looks.extend(reader.map(|reader| mirror(&mut builder, &removal, reader)));
        looks.extend(child.and_then(|child| hang(&mut builder, &removal, child)));
        let mut freed = None;
        if let Some((by, way)) = reference {
            let at = refer(&mut builder, made, by, way)?;
            let reader = builder.graph.first_reader(builder.api, by);
            looks.extend(reader.and_then(|reader| look_at(&mut builder, at, reader)));
            freed = letting_go.and_then(|remover| look_at(&mut builder, at, remover));
        }
        if looks.is_empty() {
            return None;
        }
        builder.plan.steps.extend(looks.clone());
        builder.plan.steps.push(removal.clone());
        builder.plan.steps.extend(looks);
        // Nothing refers to it any more: now it can go.
        if let Some(freed) = freed {
            let again = Step {
                role: Role::Check,
                ..removal
            };
            builder.plan.steps.extend([freed, again]);
        }
        builder.uses.clear();
        Some(finished(builder, index, Way::Life))
    }

    /// …, look at the parent, create, look at the parent, remove, look, look at the parent
    pub(crate) fn counted(&mut self, index: OperationIndex) -> Option<Proposal> {
        let reader = self.reader(index)?;
        let (plan, uses) = self.own_base(index)?;
        let made = maker_of(self.api, &plan, plan.main())?;
        let mut builder = self.builder(plan, uses);
        let removal = builder.plan.steps.pop()?;
        let above = own_parents(&mut builder, made);
        if above.is_empty() {
            return None;
        }
        let gone = mirror(&mut builder, &removal, reader);
        builder.plan.steps.extend(above.clone());
        builder.plan.steps.extend([removal, gone]);
        builder.plan.steps.extend(above.clone());
        let rest = builder.plan.steps.split_off(made);
        builder.plan.steps.extend(above);
        resume(&mut builder.plan, rest, made);
        builder.uses.clear();
        Some(finished(builder, index, Way::Life))
    }
}

/// Makes something under what a removal is about, and gives the look at the list of it. Where it
/// is refused, nothing hangs there.
fn hang(builder: &mut Builder<'_, '_>, removal: &Step, child: OperationIndex) -> Option<Step> {
    let (api, graph, places) = (builder.api, builder.graph, builder.places);
    let at = builder.call(child, Role::Setup, Manner::Plausible)?;
    let theirs = keys(api.operation(removal.operation)).into_iter();
    let step = &mut builder.plan.steps[at];
    copy_keys(removal, step, theirs.zip(keys(api.operation(child))));
    step.role = Role::Check;
    let creation = step.clone();
    let mut look = mirror(builder, &creation, places.lister(api, graph, child)?);
    roomy(builder, &mut look);
    Some(look)
}

/// Makes something that refers to what a step made; none if it can't.
fn refer(
    builder: &mut Builder<'_, '_>,
    made: usize,
    by: OperationIndex,
    way: Alternative,
) -> Option<usize> {
    let spot = spot_of(&builder.graph.needs(by).get(way.need)?.place);
    builder.forced = Some((by, way));
    let at = builder.call(by, Role::Check, Manner::Plausible);
    builder.forced = None;
    let at = at?;
    let step = &mut builder.plan.steps[at];
    step.role = Role::Setup;
    let own = step.bind_at(&spot).is_none_or(|bind| bind.step == made);
    (own && step.value_at(&spot).is_some()).then_some(at)
}

/// Looks at what a step refers to, as far as the plan made it: others' parents change by others.
fn own_parents(builder: &mut Builder<'_, '_>, made: usize) -> Vec<Step> {
    let (api, mut maker) = (builder.api, builder.plan.steps[made].clone());
    let makes = |plan: &Plan, at: usize| {
        let step = plan.steps.get(at);
        step.is_some_and(|step| api.operation(step.operation).deed() == Deed::Create)
    };
    maker.binds.retain(|bind| makes(&builder.plan, bind.step));
    let mut looks = parents(builder, &maker);
    looks.truncate(PARENTS);
    let root = api.operation(maker.operation).graphql.as_ref();
    if let Some(kind) = root.and_then(|root| root.thing) {
        for look in &mut looks {
            elsewhere::ask_for_children(builder, look.operation, look, kind);
        }
    }
    looks
}
