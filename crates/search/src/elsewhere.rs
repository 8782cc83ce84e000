//! Plans that look at one thing from several sides: by its key, in its parent, and by its key
//! again; and, where it moves from one parent to another, at both of them.

use fossick_contract::{Deed, Kind, OperationIndex, TypeId};
use fossick_genes::{Manner, Source};
use fossick_plan::{Plan, Spot, Step, keys};
use fossick_trace::Role;
use serde_json::Value;

use crate::builder::Builder;
use crate::handlings::{make_another, read_back};
use crate::proposal::{Proposal, Way};
use crate::search::Search;
use crate::tasks::Task;
use crate::ways::finished;

/// Members of enumerations that are tried one by one.
const MOST_MEMBERS: usize = 6;

impl Search<'_> {
    /// What can be looked at from several sides after a write.
    pub(crate) fn elsewhere_tasks(&self, index: OperationIndex) -> Vec<Task> {
        match self.api.operation(index).deed() {
            Deed::Create => vec![Task::Elsewhere(0)],
            Deed::Replace | Deed::Update | Deed::Other => vec![Task::Moved],
            _ => Vec::new(),
        }
    }

    /// …, create, read, read its parent, read
    pub(crate) fn elsewhere(&mut self, index: OperationIndex, round: usize) -> Option<Proposal> {
        let (plan, uses) = self.base(index)?;
        let main = plan.main();
        let parents = self.parents(&plan, main);
        let (maker, parent) = *parents.first()?;
        let reader = self.graph.first_reader(self.api, index)?;
        let mut builder = self.builder(plan, uses);
        let members = enum_places(&mut builder, index);
        if let Some((pointer, member)) = round.checked_sub(1).and_then(|at| members.get(at)) {
            set(&mut builder, main, pointer, member)?;
        }
        builder.plan.steps[main].role = Role::Setup;
        let thing = thing_of(&builder, index);
        read_back(&mut builder, reader)?;
        let look = builder.plan.steps.pop()?;
        let above = look_at(&mut builder, parent, maker, thing)?;
        let again = look.clone();
        builder.plan.steps.extend([look, above, again]);
        let proposal = finished(builder, index, Way::Related);
        if round < members.len().min(MOST_MEMBERS) {
            let tasks = &mut self.known[index.0 as usize].tasks;
            tasks.push_back(Task::Elsewhere(round + 1));
        }
        Some(proposal)
    }

    /// …, make a second parent, move the child there, read both parents
    pub(crate) fn moved(&mut self, index: OperationIndex) -> Option<Proposal> {
        let (mut plan, uses) = self.own_base(index)?;
        let main = plan.main();
        let mut change = plan.steps.get(main)?.clone();
        plan.steps.truncate(main);
        let (old, spot) = moves(self.api, &plan, &change)?;
        let maker = plan.steps.get(old)?.operation;
        let reader = self.graph.first_reader(self.api, maker)?;
        let mut builder = self.builder(plan, uses);
        let thing = thing_of(&builder, index);
        let second = make_another(&mut builder, old)?;
        for bind in change.binds.iter_mut().filter(|bind| bind.spot == spot) {
            bind.step = second;
        }
        change.role = Role::Setup;
        builder.plan.steps.push(change);
        let before = look_at(&mut builder, reader, old, thing)?;
        let after = look_at(&mut builder, reader, second, thing)?;
        let again = before.clone();
        builder.plan.steps.extend([before, after, again]);
        Some(finished(builder, index, Way::Related))
    }

    /// The steps that made what a step refers to, each with the operation that shows it.
    fn parents(&self, plan: &Plan, at: usize) -> Vec<(usize, OperationIndex)> {
        let mut parents = Vec::new();
        for bind in &plan.steps[at].binds {
            let maker = plan.steps[bind.step].operation;
            let makes = self.api.operation(maker).deed() == Deed::Create;
            let reader = self.graph.first_reader(self.api, maker).filter(|_| makes);
            if let Some(reader) = reader
                && !parents.contains(&(bind.step, reader))
            {
                parents.push((bind.step, reader));
            }
        }
        parents
    }
}

/// A parent that the changed thing was made under and that the change names as well: the step that
/// made it, and where the change names it.
fn moves(api: &fossick_contract::Api, plan: &Plan, change: &Step) -> Option<(usize, Spot)> {
    let keys = keys(api.operation(change.operation));
    let thing = change.bind_at(keys.last()?)?.step;
    let made_with = &plan.steps.get(thing)?.binds;
    let parent = change.binds.iter().find(|bind| {
        let shared = made_with.iter().any(|own| own.step == bind.step);
        bind.step != thing && !keys.contains(&bind.spot) && shared
    })?;
    Some((parent.step, parent.spot.clone()))
}

/// A look at what a step made, with the things of a type that it holds.
fn look_at(
    builder: &mut Builder<'_, '_>,
    reader: OperationIndex,
    made: usize,
    thing: Option<TypeId>,
) -> Option<Step> {
    let maker = builder.plan.steps.get(made)?.operation;
    let length = builder.plan.steps.len();
    builder.call(reader, Role::Check, Manner::Plausible)?;
    // Everything it needs must stand already.
    let mut look = builder.plan.steps.pop()?;
    if builder.plan.steps.len() != length {
        builder.plan.steps.truncate(length);
        return None;
    }
    let steps = &builder.plan.steps;
    let of_maker = |step: usize| steps.get(step).is_some_and(|s| s.operation == maker);
    let mut own = look
        .binds
        .iter_mut()
        .filter(|bind| of_maker(bind.step))
        .peekable();
    own.peek()?;
    own.for_each(|bind| bind.step = made);
    look.role = Role::Main;
    if let Some(thing) = thing {
        ask_for_children(builder, reader, &mut look, thing);
    }
    Some(look)
}

/// Asks for the plain fields of a thing, for its children of one type, and for their parent.
pub(crate) fn ask_for_children(
    builder: &mut Builder<'_, '_>,
    reader: OperationIndex,
    look: &mut Step,
    child: TypeId,
) {
    const MOST: usize = 14;
    let types = &builder.api.types;
    let root = builder.api.operation(reader).graphql.as_ref();
    let selection = look.ask.as_mut().and_then(|ask| ask.selection.as_mut());
    let (Some(root), Some(selection)) = (root, selection) else {
        return;
    };
    let way: Vec<&str> = root.way.iter().map(AsRef::as_ref).collect();
    let Some(parent) = root.thing else { return };
    let plain = |on: TypeId| {
        let fields = types.fields(on).iter();
        let plain = fields.filter(|field| {
            let leaf = !types.get(field.returns.named).is_composite();
            leaf && field.returns.lists() == 0 && field.arguments.is_empty()
        });
        plain.take(MOST).map(|field| &*field.name)
    };
    let mut paths: Vec<Vec<&str>> = plain(parent).map(|name| vec![name]).collect();
    let holds = types.fields(parent).iter();
    let holds = holds.filter(|field| field.returns.lists() > 0 && !field.needs_arguments());
    for field in holds.filter(|field| field.returns.named == child) {
        paths.extend(plain(child).map(|name| vec![&*field.name, name]));
        let back = types
            .fields(child)
            .iter()
            .find(|back| back.returns.named == parent);
        paths.extend(back.map(|back| vec![&*field.name, &*back.name, "id"]));
    }
    let mut maker = builder.maker(Manner::Plausible);
    for path in paths {
        let whole: Vec<&str> = way.iter().copied().chain(path).collect();
        selection.require(&mut maker, &whole);
    }
}

fn thing_of(builder: &Builder<'_, '_>, index: OperationIndex) -> Option<TypeId> {
    builder.api.operation(index).graphql.as_ref()?.thing
}

/// Every member of every enumeration in a body.
fn enum_places(builder: &mut Builder<'_, '_>, index: OperationIndex) -> Vec<(String, Value)> {
    let api = builder.api;
    let body = api.operation(index).body.as_ref();
    let Some(shape) = body.and_then(|body| body.contents.first()?.shape) else {
        return Vec::new();
    };
    let slots = builder.maker(Manner::Plausible).slots(shape);
    let members = slots
        .into_iter()
        .filter_map(|slot| match &api.shape(slot.shape).kind {
            Kind::Enum(values) if values.len() > 1 => Some((slot.pointer, values)),
            _ => None,
        });
    let pairs = members.flat_map(|(pointer, values)| {
        values
            .iter()
            .map(move |value| (pointer.clone(), value.clone()))
    });
    pairs.collect()
}

fn set(builder: &mut Builder<'_, '_>, at: usize, pointer: &str, value: &Value) -> Option<()> {
    let step = builder.plan.steps.get(at)?.clone();
    let body = step.body.as_ref()?;
    let declared = builder.api.operation(step.operation).body.as_ref()?;
    let shape = declared.contents.get(body.content)?.shape?;
    let mut maker = builder.maker(Manner::Plausible);
    let gene = maker.with(
        "body",
        shape,
        &body.gene,
        pointer,
        value.clone(),
        Source::Enum,
    )?;
    builder.plan.steps[at].body.as_mut()?.gene = gene;
    Some(())
}
