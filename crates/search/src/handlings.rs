//! Handlings: what is done with one resource so that its state can be judged.
//!
//! Each takes a plan that is known to work for an operation and adds looks before and after.

use fossick_contract::OperationIndex;
use fossick_genes::Manner;
use fossick_graph::same_place;
use fossick_plan::{Spot, Step, keys};
use fossick_trace::{Intent, Role};

use crate::builder::Builder;
use crate::lives::move_to_another;

/// A look at the very thing that a step works on: the same keys, filled the same way.
pub(crate) fn mirror(builder: &mut Builder<'_, '_>, step: &Step, to: OperationIndex) -> Step {
    let (api, from) = (builder.api, builder.api.operation(step.operation));
    let target = api.operation(to);
    let mut look = builder.sample(to, Manner::Plausible);
    look.role = Role::Check;
    look.user.clone_from(&step.user);
    copy_keys(step, &mut look, keys(from).into_iter().zip(keys(target)));
    look
}

/// A GraphQL look asks for the fields that a write sends: what is not asked for can't be judged.
pub(crate) fn ask_for_sent(builder: &mut Builder<'_, '_>, look: &mut Step, write: &Step) {
    const MOST: usize = 12;
    let api = builder.api;
    let root = api.operation(look.operation).graphql.as_ref();
    let kind = root.and_then(|root| Some((root, root.thing?)));
    let (Some((root, kind)), Some(body)) = (kind, &write.body) else {
        return;
    };
    let leaves = body.gene.leaves().into_iter().take(MOST);
    for leaf in leaves {
        let name = leaf.pointer.rsplit('/').next().unwrap_or_default();
        let plain = api.types.field(kind, name).is_some_and(|field| {
            !api.types.get(field.returns.named).is_composite() && !field.needs_arguments()
        });
        let selection = look.ask.as_mut().and_then(|ask| ask.selection.as_mut());
        if let (true, Some(selection)) = (plain, selection) {
            let mut path: Vec<&str> = root.way.iter().map(|name| &**name).collect();
            path.push(name);
            selection.require(&mut builder.maker(Manner::Plausible), &path);
        }
    }
}

/// create, read
pub(crate) fn read_back(builder: &mut Builder<'_, '_>, reader: OperationIndex) -> Option<()> {
    let creation = builder.plan.steps.get(builder.plan.main())?.clone();
    let at = builder.call(reader, Role::Check, Manner::Plausible)?;
    let (api, read) = (builder.api, builder.api.operation(reader));
    let created = api.operation(creation.operation);
    // What was made under a parent is looked for under that parent and no other.
    if read
        .path
        .parent()
        .is_some_and(|parent| same_place(parent, &created.path.text))
    {
        let shared = keys(created).into_iter().zip(keys(read));
        copy_keys(&creation, &mut builder.plan.steps[at], shared);
    }
    Some(())
}

/// Fills keys of a step as those of another are filled.
pub(crate) fn copy_keys(from: &Step, to: &mut Step, keys: impl Iterator<Item = (Spot, Spot)>) {
    for (theirs, ours) in keys {
        to.copy(from, &theirs, &ours);
    }
}

/// …, remove, read
pub(crate) fn removed(builder: &mut Builder<'_, '_>, reader: OperationIndex) -> Option<()> {
    let removal = builder.plan.steps.last()?.clone();
    let look = mirror(builder, &removal, reader);
    builder.plan.steps.push(look);
    Some(())
}

/// …, remove, read, remove, read
pub(crate) fn removed_twice(builder: &mut Builder<'_, '_>, reader: OperationIndex) -> Option<()> {
    let removal = builder.plan.steps.last()?.clone();
    removed(builder, reader)?;
    builder.plan.steps.push(Step {
        role: Role::Check,
        ..removal.clone()
    });
    let look = mirror(builder, &removal, reader);
    builder.plan.steps.push(look);
    Some(())
}

/// create, …, remove, create: what was removed frees its name.
pub(crate) fn made_again(builder: &mut Builder<'_, '_>) -> Option<()> {
    let removal = builder.plan.steps.last()?;
    let key = keys(builder.api.operation(removal.operation)).pop()?;
    let maker = removal.bind_at(&key)?.step;
    let again = builder.plan.steps.get(maker)?.clone();
    builder.plan.steps.push(Step {
        role: Role::Check,
        ..again
    });
    Some(())
}

/// …, create something under it, remove, read
pub(crate) fn removed_with_child(
    builder: &mut Builder<'_, '_>,
    child: OperationIndex,
    reader: Option<OperationIndex>,
) -> Option<()> {
    let removal = builder.plan.steps.pop()?;
    let mut creation = mirror(builder, &removal, child);
    creation.role = Role::Setup;
    builder.plan.steps.extend([creation, removal]);
    match reader {
        Some(reader) => removed(builder, reader),
        None => Some(()),
    }
}

/// …, read, change, read
pub(crate) fn changed(builder: &mut Builder<'_, '_>, reader: OperationIndex) -> Option<()> {
    let change = builder.plan.steps.pop()?;
    let mut look = mirror(builder, &change, reader);
    ask_for_sent(builder, &mut look, &change);
    builder.plan.steps.extend([look.clone(), change, look]);
    Some(())
}

/// …, put, read, put, read
pub(crate) fn put_twice(builder: &mut Builder<'_, '_>, reader: OperationIndex) -> Option<()> {
    let change = builder.plan.steps.last()?.clone();
    let look = mirror(builder, &change, reader);
    let again = Step {
        role: Role::Check,
        ..change
    };
    builder.plan.steps.extend([look.clone(), again, look]);
    Some(())
}

/// …, list, create, list
pub(crate) fn listed(builder: &mut Builder<'_, '_>, lister: OperationIndex) -> Option<()> {
    let creation = builder.plan.steps.pop()?;
    let look = mirror(builder, &creation, lister);
    let creation = Step {
        role: Role::Main,
        ..creation
    };
    builder.plan.steps.extend([look.clone(), creation, look]);
    Some(())
}

/// A child made under one parent is asked for under another.
pub(crate) fn misplaced(
    builder: &mut Builder<'_, '_>,
    reader: OperationIndex,
    parent: usize,
) -> Option<()> {
    let operation = builder.api.operation(reader);
    let right = builder.plan.steps.last()?.clone();
    let bind = right.bind_at(&Spot::Parameter(parent))?.clone();
    // The child must have been made under that very parent, or its place proves nothing.
    let made = right.bind_at(keys(operation).last()?)?.step;
    let under =
        |b: &fossick_plan::Bind| b.step == bind.step && matches!(b.spot, Spot::Parameter(_));
    builder
        .plan
        .steps
        .get(made)?
        .binds
        .iter()
        .find(|b| under(b))?;
    let mut wrong = right;
    move_to_another(builder, &mut wrong, &bind)?;
    wrong.intent = Intent::Misplaced {
        parameter: operation.parameters[parent].name.clone(),
    };
    wrong.role = Role::Main;
    builder.plan.steps.push(wrong);
    Some(())
}

/// Makes another thing like the one that a step made, with names of its own, under the same
/// parents.
pub(crate) fn make_another(builder: &mut Builder<'_, '_>, at: usize) -> Option<usize> {
    let first = builder.plan.steps.get(at)?.clone();
    let mut second = builder.sample(first.operation, Manner::Plausible);
    second.role = Role::Setup;
    for bind in &first.binds {
        if let Spot::Parameter(parameter) = bind.spot {
            second.arguments[parameter].clone_from(&first.arguments[parameter]);
        }
    }
    second.binds = first.binds;
    builder.plan.steps.push(second);
    Some(builder.plan.steps.len() - 1)
}
