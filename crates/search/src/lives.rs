//! Lives: what is made is refused, removed, aimed at and made again, with a look at every view of
//! it before and after, so that whatever a service forgot or half did has a place to show.
//!
//! Each plan makes its own things: what others may touch can't be judged.

mod looks;
mod spoil;

use fossick_contract::{Deed, Kind, OperationIndex, ShapeId};
use fossick_genes::{Gene, Manner, Slot, Source};
use fossick_graph::same_place;
use fossick_plan::{Bind, Plan, Spot, Step, keys, spot_of};
use fossick_trace::{Intent, Role};
use serde_json::Value;

use crate::archive::is_an_item;
use crate::builder::Builder;
use crate::handlings::mirror;
use crate::meet::take_another_item;
use crate::piecewise::say_otherwise;
use crate::proposal::{Proposal, Way};
use crate::search::Search;
use crate::ways::{break_step, fill_body, finished};

pub(crate) use self::looks::{around, look_at, parents, roomy};
use self::looks::{tell_apart, views};
use self::spoil::{another_like, bare, overdraw, place, swap, unknown};

/// What is done with a thing from its making to its end.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Life {
    /// Removed, then looked for in every view.
    Gone,
    /// The same with texts of its own wherever a list can be filtered by them: the list of what has
    /// such a text stays short, however much the run makes.
    GoneApart,
    /// Removed, then another operation is aimed at it.
    Dead(OperationIndex),
    /// Made, removed and made again, changed and read.
    Reborn(OperationIndex),
    /// Put twice where a put makes the thing, with other values.
    Replaced,
    /// A write that should be refused, with looks at all that it may have touched.
    Refused(Refusal),
    /// The value of a field that another has already.
    Taken(String),
    /// The same write once more: what it did is done.
    Repeated,
    /// A write on a child under another parent than its own.
    Misplaced(usize),
    /// Removed while something hangs under it, and something that this operation makes refers to
    /// it.
    Referred(Option<OperationIndex>),
    /// Made and removed, with looks at its parents.
    Counted,
    /// Changed one field at a time.
    Piecewise(Vec<String>),
}

/// Why a write should be refused.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Refusal {
    /// Nothing but what the document requires.
    Bare,
    /// A reference to something that nobody made.
    Reference(String),
    /// A value that the document forbids.
    Broken,
    /// What ends before it begins.
    Swapped(String, String),
    /// The second of a list wants more than there is.
    Overdrawn,
}

/// Tasks of one kind that an operation is worth.
const FEW: usize = 3;

impl Search<'_> {
    /// What is tried with an operation after all else that is planned for it.
    pub(crate) fn lives_of(&mut self, index: OperationIndex) -> Vec<Life> {
        let deed = self.api.operation(index).deed();
        let mut lives = match deed {
            Deed::Read => Vec::new(),
            Deed::Delete => self.ends_of(index),
            Deed::Create | Deed::Other => {
                let removers = self.removers(index).into_iter().take(1);
                removers.map(Life::Reborn).collect()
            }
            Deed::Replace | Deed::Update => {
                let taken = self.shared_texts(index).into_iter().take(FEW);
                taken.map(Life::Taken).collect()
            }
        };
        if deed == Deed::Replace && self.makes_itself(index) {
            lives.insert(0, Life::Replaced);
        }
        if !matches!(deed, Deed::Read | Deed::Delete) {
            lives.extend(self.refusals(index).into_iter().map(Life::Refused));
        }
        if matches!(deed, Deed::Create | Deed::Other) && !keys(self.api.operation(index)).is_empty()
        {
            lives.push(Life::Repeated);
        }
        let on_a_child = matches!(deed, Deed::Replace | Deed::Update | Deed::Delete)
            || self.acted_on(index).is_some();
        if on_a_child
            && let [.., Spot::Parameter(parent), _] = keys(self.api.operation(index)).as_slice()
        {
            lives.push(Life::Misplaced(*parent));
        }
        match deed {
            Deed::Delete => lives.extend(self.ends_among_kin(index)),
            Deed::Update => lives.extend(self.pieces_of(index)),
            _ => {}
        }
        lives
    }

    pub(crate) fn live(&mut self, index: OperationIndex, life: &Life) -> Option<Proposal> {
        match life {
            Life::Gone => self.gone(index, |_, _| true),
            Life::GoneApart => self.gone(index, tell_apart),
            Life::Dead(write) => self.dead(index, *write),
            Life::Reborn(remover) => self.reborn(index, *remover),
            Life::Replaced => self.replaced(index),
            Life::Refused(refusal) => self.refused(index, refusal),
            Life::Taken(pointer) => self.taken(index, pointer),
            Life::Repeated => self.repeated(index),
            Life::Misplaced(parent) => self.misplaced_write(index, *parent),
            Life::Referred(by) => self.referred(index, *by),
            Life::Counted => self.counted(index),
            Life::Piecewise(pieces) => self.piecewise(index, pieces),
        }
    }

    /// Looks after a removal, and writes that could be aimed at what is gone.
    fn ends_of(&self, index: OperationIndex) -> Vec<Life> {
        let mut lives = vec![Life::Gone, Life::GoneApart];
        let base = self.known[index.0 as usize].base.as_ref();
        let Some(maker) = base.and_then(|(plan, _)| {
            let made = maker_of(self.api, plan, plan.main())?;
            Some(plan.steps[made].operation)
        }) else {
            return lives;
        };
        let aims = |(other, operation): &(OperationIndex, &fossick_contract::Operation)| {
            let writes = matches!(operation.deed(), Deed::Create | Deed::Update | Deed::Other);
            let read = operation
                .graphql
                .as_ref()
                .is_some_and(|root| root.kind == fossick_contract::RootKind::Query);
            writes && !read && *other != maker && self.graph.is_made_for(*other, maker)
        };
        let writes = self.api.indexed().filter(aims).take(FEW);
        lives.extend(writes.map(|(other, _)| Life::Dead(other)));
        lives
    }

    /// Operations that remove what an operation makes.
    fn removers(&self, index: OperationIndex) -> Vec<OperationIndex> {
        let all = self.api.indexed().filter(|(_, o)| o.deed() == Deed::Delete);
        all.map(|(other, _)| other)
            .filter(|other| self.graph.is_made_for(*other, index))
            .collect()
    }

    /// Nobody else makes what it puts.
    fn makes_itself(&self, index: OperationIndex) -> bool {
        let base = self.known[index.0 as usize].base.as_ref();
        let last = keys(self.api.operation(index)).pop();
        base.zip(last)
            .is_some_and(|((plan, _), key)| plan.steps[plan.main()].bind_at(&key).is_none())
    }

    /// Texts of an update that its maker sends as well, the likeliest keys first.
    fn shared_texts(&mut self, index: OperationIndex) -> Vec<String> {
        let Some((plan, _)) = self.known[index.0 as usize].base.clone() else {
            return Vec::new();
        };
        let Some(made) = maker_of(self.api, &plan, plan.main()) else {
            return Vec::new();
        };
        let maker = plan.steps[made].operation;
        if maker == index {
            return Vec::new();
        }
        let theirs = self.texts(maker);
        let mut shared = self.texts(index);
        shared.retain(|slot| theirs.iter().any(|other| other.name == slot.name));
        shared.sort_by_key(|slot| !crate::fresh::names_things(&slot.name));
        shared.into_iter().map(|slot| slot.pointer).collect()
    }

    /// Places of free texts in the body of an operation.
    fn texts(&mut self, index: OperationIndex) -> Vec<Slot> {
        let mut slots = self.slots(index);
        let api = self.api;
        let free = |shape: ShapeId| match &api.shape(shape).kind {
            Kind::String(text) => !is_moment(text.format.as_deref()),
            _ => false,
        };
        slots.retain(|slot| free(slot.shape) && !slot.pointer.contains("/0"));
        slots
    }

    fn slots(&mut self, index: OperationIndex) -> Vec<Slot> {
        let Some(shape) = body_shape(self.api, index) else {
            return Vec::new();
        };
        let mut builder = self.builder(Plan::default(), Vec::new());
        builder.maker(Manner::Plausible).slots(shape)
    }

    /// Ways in which a write is likely to be refused.
    fn refusals(&mut self, index: OperationIndex) -> Vec<Refusal> {
        let mut refusals = Vec::new();
        let operation = self.api.operation(index);
        if let Some(shape) = body_shape(self.api, index) {
            if operation.deed() == Deed::Create {
                refusals.extend([Refusal::Bare, Refusal::Broken, Refusal::Broken]);
            }
            let needs = self.graph.needs(index).iter();
            let references = needs.filter_map(|need| match spot_of(&need.place) {
                Spot::Body(pointer) if !keys(operation).contains(&Spot::Body(pointer.clone())) => {
                    Some(Refusal::Reference(pointer))
                }
                _ => None,
            });
            refusals.extend(references.take(FEW));
            refusals.extend(self.moments(shape));
        }
        if operation.deed() != Deed::Update && !keys(operation).is_empty() {
            refusals.push(Refusal::Overdrawn);
        }
        refusals
    }

    /// Two moments beside each other: one may have to be the first.
    fn moments(&mut self, shape: ShapeId) -> Option<Refusal> {
        let api = self.api;
        let mut builder = self.builder(Plan::default(), Vec::new());
        let slots = builder.maker(Manner::Plausible).slots(shape);
        let is = |slot: &&Slot| match &api.shape(slot.shape).kind {
            Kind::String(text) => is_moment(text.format.as_deref()),
            _ => sounds_like_a_moment(&slot.name),
        };
        let mut moments = slots.iter().filter(is);
        let (first, second) = (moments.next()?, moments.next()?);
        Some(Refusal::Swapped(
            first.pointer.clone(),
            second.pointer.clone(),
        ))
    }

    /// …, look, remove, look, look at every other view; none where what is made cannot be readied.
    fn gone(
        &mut self,
        index: OperationIndex,
        ready: impl FnOnce(&mut Builder<'_, '_>, usize) -> bool,
    ) -> Option<Proposal> {
        let reader = self.reader(index);
        let (plan, uses) = self.own_base(index)?;
        let made = maker_of(self.api, &plan, plan.main())?;
        let mut builder = self.builder(plan, uses);
        if !ready(&mut builder, made) {
            return None;
        }
        let removal = builder.plan.steps.pop()?;
        let look = reader.map(|reader| mirror(&mut builder, &removal, reader));
        builder.plan.steps.extend(look.clone());
        builder.plan.steps.push(removal);
        builder.plan.steps.extend(look);
        let views = views(&mut builder, made);
        builder.plan.steps.extend(views);
        Some(finished(builder, index, Way::Life))
    }

    /// …, what a write needs, remove, look, the write
    fn dead(&mut self, index: OperationIndex, write: OperationIndex) -> Option<Proposal> {
        let reader = self.reader(index)?;
        let (plan, uses) = self.own_base(index)?;
        let made = maker_of(self.api, &plan, plan.main())?;
        let mut builder = self.builder(plan, uses);
        let mut removal = builder.plan.steps.pop()?;
        let at = builder.call(write, Role::Main, Manner::Plausible)?;
        let mut aimed = builder.plan.steps.remove(at);
        if !aimed.binds.iter().any(|bind| bind.step == made) || at != builder.plan.steps.len() {
            return None;
        }
        aimed.intent = Intent::Stranger {
            parameter: "what it works on".to_owned(),
        };
        removal.role = Role::Setup;
        let look = mirror(&mut builder, &removal, reader);
        builder.plan.steps.extend([removal, look, aimed]);
        builder.uses.clear();
        Some(finished(builder, index, Way::Life))
    }

    /// …, create, remove, create the same, change, read
    fn reborn(&mut self, index: OperationIndex, remover: OperationIndex) -> Option<Proposal> {
        let reader = self.graph.first_reader(self.api, index);
        let (plan, uses) = self.base(index)?;
        let first = plan.main();
        let mut builder = self.builder(plan, uses);
        let again = builder.plan.steps.get(first)?.clone();
        builder.plan.steps[first].role = Role::Setup;
        let removal = builder.call(remover, Role::Setup, Manner::Plausible)?;
        let last = keys(builder.api.operation(remover)).pop()?;
        if !is_filled_by(&builder.plan, removal, &last, first) {
            return None;
        }
        let second = builder.plan.steps.len();
        builder.plan.steps.push(again);
        builder.uses.clear();
        let change = builder.api.indexed().find(|(other, operation)| {
            let changes = matches!(operation.deed(), Deed::Replace | Deed::Update);
            changes && builder.graph.is_made_for(*other, index)
        });
        if let Some((change, _)) = change {
            builder.call(change, Role::Check, Manner::Plausible);
        }
        let look = reader.and_then(|reader| look_at(&mut builder, second, reader));
        builder.plan.steps.extend(look);
        Some(finished(builder, index, Way::Life))
    }

    /// …, put, look, put other values, look
    fn replaced(&mut self, index: OperationIndex) -> Option<Proposal> {
        let reader = self.reader(index)?;
        let (plan, uses) = self.own_base(index)?;
        let main = plan.main();
        let mut builder = self.builder(plan, uses);
        let first = Step {
            role: Role::Setup,
            ..builder.plan.steps.get(main)?.clone()
        };
        fill_body(&mut builder);
        let second = builder.plan.steps.pop()?;
        let look = mirror(&mut builder, &second, reader);
        builder
            .plan
            .steps
            .extend([first, look.clone(), second, look]);
        Some(finished(builder, index, Way::Life))
    }

    /// …, looks, a write that should be refused, the same looks
    fn refused(&mut self, index: OperationIndex, refusal: &Refusal) -> Option<Proposal> {
        let (plan, uses) = match self.api.operation(index).deed() {
            Deed::Create if keys(self.api.operation(index)).is_empty() => self.base(index)?,
            _ => self.own_base(index)?,
        };
        let broken = match refusal {
            Refusal::Broken => Some(self.next_break(index, |case| {
                matches!(case.spot, Spot::Body(_)) && case.value.is_some()
            })?),
            _ => None,
        };
        let reader = self.reader(index);
        let mut builder = self.builder(plan, uses);
        if *refusal == Refusal::Overdrawn {
            overdraw(&mut builder)?;
        }
        let mut write = builder.plan.steps.pop()?;
        match refusal {
            Refusal::Bare => bare(&mut builder, &mut write)?,
            Refusal::Reference(pointer) => unknown(&mut builder, &mut write, pointer)?,
            Refusal::Broken => break_step(&mut write, &broken?),
            Refusal::Swapped(first, second) => swap(&mut write, first, second)?,
            Refusal::Overdrawn => {}
        }
        let looks = around(&mut builder, &write, reader);
        if looks.is_empty() {
            return None;
        }
        builder.plan.steps.extend(looks.clone());
        builder.plan.steps.push(write);
        builder.plan.steps.extend(looks);
        builder.uses.clear();
        Some(finished(builder, index, Way::Life))
    }

    /// …, do it, looks, do it again, the same looks
    fn repeated(&mut self, index: OperationIndex) -> Option<Proposal> {
        let (plan, uses) = self.own_base(index)?;
        let main = plan.main();
        let mut builder = self.builder(plan, uses);
        let again = builder.plan.steps.get(main)?.clone();
        builder.plan.steps[main].role = Role::Setup;
        let looks = around(&mut builder, &again, None);
        if looks.is_empty() {
            return None;
        }
        builder.plan.steps.extend(looks.clone());
        builder.plan.steps.push(again);
        builder.plan.steps.extend(looks);
        builder.uses.clear();
        Some(finished(builder, index, Way::Life))
    }

    /// create, create another, create a third with a value of the second, change the first to it
    fn taken(&mut self, index: OperationIndex, pointer: &str) -> Option<Proposal> {
        let reader = self.reader(index)?;
        let name = self
            .slots(index)
            .into_iter()
            .find(|slot| slot.pointer == *pointer)?
            .name;
        let (plan, uses) = self.own_base(index)?;
        let made = maker_of(self.api, &plan, plan.main())?;
        let maker = plan.steps[made].operation;
        let theirs = self
            .texts(maker)
            .into_iter()
            .find(|slot| slot.name == name)?
            .pointer;
        let mut builder = self.builder(plan, uses);
        let mut update = builder.plan.steps.pop()?;
        let owner = another_like(&mut builder, made)?;
        let spot = Spot::Body(theirs);
        let value = match builder.plan.steps[owner].value_at(&spot) {
            Some(value) => value,
            None => place(&mut builder, owner, &name, &spot)?,
        };
        let third = another_like(&mut builder, made)?;
        let strange = Intent::Stranger { parameter: name };
        let third = &mut builder.plan.steps[third];
        third.role = Role::Check;
        third.intent = strange.clone();
        third.fill(&spot, Gene::literal(value.clone(), Source::Fixed));
        update.intent = strange;
        update.fill(
            &Spot::Body(pointer.to_owned()),
            Gene::literal(value, Source::Fixed),
        );
        let look = mirror(&mut builder, &update, reader);
        builder.plan.steps.extend([update, look]);
        builder.uses.clear();
        Some(finished(builder, index, Way::Life))
    }

    /// …, look, make another parent, write under that one, look
    fn misplaced_write(&mut self, index: OperationIndex, parent: usize) -> Option<Proposal> {
        let reader = self.reader(index).or_else(|| self.acted_on(index))?;
        let (plan, uses) = self.own_base(index)?;
        let made = maker_of(self.api, &plan, plan.main())?;
        let mut builder = self.builder(plan, uses);
        let mut right = builder.plan.steps.pop()?;
        say_otherwise(&mut builder, &mut right, made);
        let bind = right.bind_at(&Spot::Parameter(parent))?.clone();
        let is_under = |b: &Bind| b.step == bind.step && matches!(b.spot, Spot::Parameter(_));
        builder.plan.steps[made]
            .binds
            .iter()
            .find(|b| is_under(b))?;
        let look = mirror(&mut builder, &right, reader);
        let mut wrong = right;
        move_to_another(&mut builder, &mut wrong, &bind)?;
        wrong.intent = Intent::Misplaced {
            parameter: builder.api.operation(index).parameters[parent].name.clone(),
        };
        builder.plan.steps.extend([look.clone(), wrong, look]);
        builder.uses.clear();
        Some(finished(builder, index, Way::Life))
    }
}

pub(crate) fn body_shape(api: &fossick_contract::Api, index: OperationIndex) -> Option<ShapeId> {
    let body = api.operation(index).body.as_ref()?;
    body.contents.get(fossick_plan::best_content(body))?.shape
}

fn is_moment(format: Option<&str>) -> bool {
    matches!(format, Some("date" | "date-time" | "time" | "datetime"))
}

/// Custom scalars of GraphQL have no format: `startsAt`, `endDate`.
fn sounds_like_a_moment(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    ["at", "date", "time", "from", "until"]
        .iter()
        .any(|end| name.ends_with(end))
}

/// The step that made what another works on: the one that its last key is taken from, or that was
/// sent to the very place.
pub(crate) fn maker_of(api: &fossick_contract::Api, plan: &Plan, at: usize) -> Option<usize> {
    let step = plan.steps.get(at)?;
    let operation = api.operation(step.operation);
    let key = keys(operation).pop()?;
    if let Some(bind) = step.bind_at(&key) {
        return Some(bind.step);
    }
    let own = step.value_at(&key)?;
    let was_sent_to = |other: &Step| {
        let theirs = api.operation(other.operation);
        let same = same_place(&theirs.path.text, &operation.path.text);
        let key = keys(theirs).pop().filter(|_| same);
        key.and_then(|key| other.value_at(&key)).as_ref() == Some(&own)
    };
    // Whoever makes a thing may choose its key.
    let was_chosen = |other: &Step| {
        let theirs = api.operation(other.operation);
        let parent = operation.path.parent();
        let above = parent.is_some_and(|parent| same_place(&theirs.path.text, parent));
        let body = other.body.as_ref().map(|body| body.gene.value());
        let fields = body.as_ref().and_then(Value::as_object);
        let sends = fields.is_some_and(|fields| fields.values().any(|value| *value == own));
        theirs.deed() == Deed::Create && above && sends
    };
    let before = plan.steps[..at].iter().enumerate().rev();
    let mut before = before.map(|(at, other)| (at, was_sent_to(other) || was_chosen(other)));
    before.find(|(_, made)| *made).map(|(at, _)| at)
}

/// Lets a spot name another thing of the same kind: the next of a list, or a new one.
pub(crate) fn move_to_another(
    builder: &mut Builder<'_, '_>,
    step: &mut Step,
    bind: &Bind,
) -> Option<()> {
    if is_an_item(&bind.take) {
        take_another_item(step, &bind.spot, 1);
        return Some(());
    }
    let maker = builder.plan.steps.get(bind.step)?.operation;
    let separate = builder.separate(maker);
    let second = match separate {
        Some(second) => second,
        None => another_like(builder, bind.step)?,
    };
    for own in step.binds.iter_mut().filter(|b| b.spot == bind.spot) {
        own.step = second;
    }
    Some(())
}

fn is_filled_by(plan: &Plan, at: usize, key: &Spot, by: usize) -> bool {
    plan.steps[at]
        .bind_at(key)
        .is_some_and(|bind| bind.step == by)
}

/// Goes on with steps that were cut off, after others were put where they stood.
pub(crate) fn resume(plan: &mut Plan, rest: Vec<Step>, from: usize) {
    let moved = plan.steps.len() - from;
    for mut step in rest {
        for bind in step.binds.iter_mut().filter(|bind| bind.step >= from) {
            bind.step += moved;
        }
        plan.steps.push(step);
    }
}
