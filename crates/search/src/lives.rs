//! Lives: what is made is refused, removed, aimed at and made again, with a look at every view of
//! it before and after, so that whatever a service forgot or half did has a place to show.
//!
//! Each plan makes its own things: what others may touch can't be judged.

use fossick_contract::{Deed, Kind, Knob, Location, OperationIndex, ShapeId};
use fossick_genes::{Gene, Manner, Slot, Source};
use fossick_graph::same_place;
use fossick_plan::{Bind, Plan, Spot, Step, keys, spot_of};
use fossick_trace::{Intent, Role};
use serde_json::{Value, json};

use crate::builder::Builder;
use crate::handlings::{ask_for_sent, mirror};
use crate::piecewise::say_otherwise;
use crate::proposal::{Proposal, Way};
use crate::search::Search;
use crate::strangers::stranger;
use crate::ways::{break_step, fill_body, finished};

/// What is done with a thing from its making to its end.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Life {
    /// Removed, then looked for in every view.
    Gone,
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

/// Views that are looked at around one write.
const VIEWS: usize = 4;
/// Filters that a list is looked at by.
const FILTERS: usize = 2;
/// Tasks of one kind that an operation is worth.
const FEW: usize = 3;
/// More than anybody has of anything.
const TOO_MUCH: f64 = 1_000_000.0;

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
        if matches!(deed, Deed::Replace | Deed::Update | Deed::Delete)
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
            Life::Gone => self.gone(index),
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
        let mut lives = vec![Life::Gone];
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

    /// …, look, remove, look, look at every other view
    fn gone(&mut self, index: OperationIndex) -> Option<Proposal> {
        let reader = self.reader(index);
        let (plan, uses) = self.own_base(index)?;
        let made = maker_of(self.api, &plan, plan.main())?;
        let mut builder = self.builder(plan, uses);
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
        let reader = self.reader(index)?;
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
        let second = another_like(&mut builder, bind.step)?;
        let mut wrong = right;
        wrong.intent = Intent::Misplaced {
            parameter: builder.api.operation(index).parameters[parent].name.clone(),
        };
        for own in wrong.binds.iter_mut().filter(|b| b.spot == bind.spot) {
            own.step = second;
        }
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
    let before = plan.steps[..at].iter().enumerate().rev();
    before
        .filter(|(_, other)| {
            same_place(
                &api.operation(other.operation).path.text,
                &operation.path.text,
            )
        })
        .find(|(_, other)| {
            let key = keys(api.operation(other.operation)).pop();
            key.and_then(|key| other.value_at(&key)).as_ref() == Some(&own)
        })
        .map(|(at, _)| at)
}

fn is_filled_by(plan: &Plan, at: usize, key: &Spot, by: usize) -> bool {
    plan.steps[at]
        .bind_at(key)
        .is_some_and(|bind| bind.step == by)
}

/// A look at what an earlier step made, by whoever reads it.
pub(crate) fn look_at(
    builder: &mut Builder<'_, '_>,
    made: usize,
    reader: OperationIndex,
) -> Option<Step> {
    let maker = builder.plan.steps.get(made)?.clone();
    let (api, graph) = (builder.api, builder.graph);
    let read = api.operation(reader);
    let mut look = builder.sample(reader, Manner::Plausible);
    look.role = Role::Check;
    let own = keys(read);
    let needs = graph.needs(reader).iter().enumerate();
    let (at, need, edge) = needs
        .filter(|(_, need)| own.last() == Some(&spot_of(&need.place)))
        .find_map(|(at, need)| {
            let edges = graph.edges(reader, at).into_iter();
            let mut made =
                edges.filter(|edge| edge.maker == maker.operation && edge.evidence.makes());
            Some((at, need, made.next()?))
        })?;
    if !builder.connect(&mut look, at, &spot_of(&need.place), edge, made) {
        return None;
    }
    // What was made under a parent is looked for under that parent and no other.
    let shared = keys(api.operation(maker.operation))
        .into_iter()
        .zip(own.iter().cloned());
    for (theirs, ours) in shared.take(own.len().saturating_sub(1)) {
        look.copy(&maker, &theirs, &ours);
    }
    Some(look)
}

/// Every view of a thing but its own address: its list, its parents, other readers of its kind.
fn views(builder: &mut Builder<'_, '_>, made: usize) -> Vec<Step> {
    let maker = builder.plan.steps[made].clone();
    let (api, graph, places) = (builder.api, builder.graph, builder.places);
    let mut views = Vec::new();
    let lister = match api.operation(maker.operation).deed() {
        Deed::Replace => collection_reader(builder, maker.operation),
        _ => places.lister(api, graph, maker.operation),
    };
    if let Some(lister) = lister {
        let mut look = mirror(builder, &maker, lister);
        roomy(builder, &mut look);
        let narrower = filtered(builder, &look, &maker);
        views.push(look);
        views.extend(narrower);
    }
    let others = graph.readers(api, maker.operation).into_iter().skip(1);
    views.extend(others.filter_map(|(reader, _)| look_at(builder, made, reader)));
    views.extend(parents(builder, &maker));
    views.truncate(VIEWS + FILTERS);
    views
}

/// The list once more for what can be filtered by: a list of its own may be kept for that.
fn filtered(builder: &Builder<'_, '_>, look: &Step, maker: &Step) -> Vec<Step> {
    let parameters = builder.api.operation(look.operation).parameters.iter();
    let filters = parameters.enumerate().filter(|(_, parameter)| {
        parameter.location == Location::Query && Knob::of(&parameter.name).is_none()
    });
    let narrowed = filters.filter_map(|(at, parameter)| {
        let sent = Spot::Body(format!("/{}", parameter.name));
        let is_plain = |value: Value| value.is_string() || value.is_number();
        let is_sent = maker.value_at(&sent).is_some_and(is_plain);
        let mut look = look.clone();
        look.copy(maker, &sent, &Spot::Parameter(at));
        is_sent.then_some(look)
    });
    narrowed.take(FILTERS).collect()
}

/// The list above what is put: `GET /rooms` of `PUT /rooms/{code}`.
fn collection_reader(builder: &Builder<'_, '_>, item: OperationIndex) -> Option<OperationIndex> {
    let api = builder.api;
    let above = api.operation(item).path.parent()?;
    let mut all = api.indexed();
    let found = all.find(|(_, o)| o.deed() == Deed::Read && same_place(&o.path.text, above));
    found.map(|(index, _)| index)
}

/// Looks at the things that a step refers to.
pub(crate) fn parents(builder: &mut Builder<'_, '_>, step: &Step) -> Vec<Step> {
    let mut seen: Vec<&Bind> = Vec::new();
    for bind in &step.binds {
        if !seen.iter().any(|other| other.step == bind.step) {
            seen.push(bind);
        }
    }
    let look = |bind: &Bind| {
        let mut look = look_along(builder, bind)?;
        ask_for_children(builder, &mut look, step.operation);
        Some(look)
    };
    seen.into_iter().rev().filter_map(look).collect()
}

/// A look at what a bind refers to, whoever gave its identifier.
fn look_along(builder: &mut Builder<'_, '_>, bind: &Bind) -> Option<Step> {
    let giver = builder.plan.steps.get(bind.step)?.operation;
    if let Some(reader) = builder.graph.first_reader(builder.api, giver) {
        return look_at(builder, bind.step, reader);
    }
    let (api, graph) = (builder.api, builder.graph);
    let taken = fossick_graph::Yield::Answer(bind.take.clone());
    let reads = |(reader, operation): (OperationIndex, &fossick_contract::Operation)| {
        let [key] = keys(operation).try_into().ok()?;
        let one = operation
            .graphql
            .as_ref()
            .map_or_else(|| operation.path.ends_with_hole(), |root| !root.listed);
        let need = graph.need_at(reader, &fossick_plan::place_of(&key))?;
        let gives = |edge: &&fossick_graph::Edge| edge.maker == giver && edge.yields == taken;
        let given = graph.edges(reader, need).iter().any(gives);
        (operation.deed() == Deed::Read && one && given).then_some((reader, key))
    };
    let (reader, key) = api.indexed().find_map(reads)?;
    let mut look = builder.sample(reader, Manner::Plausible);
    look.role = Role::Check;
    look.binds.push(Bind {
        spot: key,
        ..bind.clone()
    });
    Some(look)
}

/// A GraphQL look at a parent asks for the list of what was made under it.
fn ask_for_children(builder: &mut Builder<'_, '_>, look: &mut Step, made: OperationIndex) {
    let api = builder.api;
    let root = |index: OperationIndex| api.operation(index).graphql.as_ref();
    let (Some(parent), Some(child)) = (root(look.operation), root(made)) else {
        return;
    };
    let fields = parent
        .thing
        .map(|kind| api.types.fields(kind))
        .unwrap_or_default();
    let list = fields.iter().find(|field| {
        Some(field.returns.named) == child.thing
            && field.returns.lists() > 0
            && !field.needs_arguments()
    });
    let selection = look.ask.as_mut().and_then(|ask| ask.selection.as_mut());
    if let (Some(list), Some(selection)) = (list, selection) {
        let mut path: Vec<&str> = parent.way.iter().map(|name| &**name).collect();
        path.extend([&*list.name, "id"]);
        selection.require(&mut builder.maker(Manner::Plausible), &path);
    }
}

/// Looks at all that a write may have touched: the thing itself, its list, and what it and its
/// thing refer to.
fn around(
    builder: &mut Builder<'_, '_>,
    write: &Step,
    reader: Option<OperationIndex>,
) -> Vec<Step> {
    let (api, graph, places) = (builder.api, builder.graph, builder.places);
    let mut looks = Vec::new();
    if let Some(reader) = reader {
        let mut look = mirror(builder, write, reader);
        ask_for_sent(builder, &mut look, write);
        looks.push(look);
    }
    let operation = api.operation(write.operation);
    if operation.deed() == Deed::Create
        && let Some(lister) = places.lister(api, graph, write.operation)
    {
        let mut look = mirror(builder, write, lister);
        roomy(builder, &mut look);
        narrow(builder, &mut look, write);
        looks.push(look);
    }
    looks.extend(parents(builder, write));
    let things: Vec<usize> = write.binds.iter().map(|bind| bind.step).collect();
    for thing in things {
        if let Some(step) = builder.plan.steps.get(thing).cloned() {
            looks.extend(parents(builder, &step));
        }
    }
    let mut kept: Vec<Step> = Vec::new();
    for look in looks {
        let same = |other: &Step| other.operation == look.operation && other.binds == look.binds;
        if !kept.iter().any(same) {
            kept.push(look);
        }
    }
    kept.truncate(VIEWS);
    kept
}

/// Asks a list for what has a text that is sent, where it can be asked: a long one may have what
/// is new on its last page.
fn narrow(builder: &Builder<'_, '_>, look: &mut Step, write: &Step) {
    const SEARCHES: [&str; 6] = ["q", "query", "search", "term", "text", "filter"];
    let Some(Value::Object(sent)) = write.body.as_ref().map(|body| body.gene.value()) else {
        return;
    };
    let text = |name: &str| {
        sent.get(name)
            .and_then(Value::as_str)
            .filter(|text| text.len() > 5)
    };
    let named = || {
        ["name", "title", "email", "label"]
            .into_iter()
            .find_map(text)
    };
    let parameters = &builder.api.operation(look.operation).parameters;
    let found = parameters.iter().enumerate().find_map(|(at, parameter)| {
        let is_search = SEARCHES.contains(&parameter.name.to_ascii_lowercase().as_str());
        let asks = parameter.location == Location::Query;
        let text = text(&parameter.name).or_else(|| named().filter(|_| is_search));
        Some((at, text.filter(|_| asks)?))
    });
    if let Some((at, text)) = found {
        look.put(at, Some(Gene::literal(json!(text), Source::Fixed)));
    }
}

/// Asks a list for as much as it gives at once, where it can be asked.
pub(crate) fn roomy(builder: &Builder<'_, '_>, look: &mut Step) {
    const SIZES: [&str; 10] = [
        "limit",
        "size",
        "pagesize",
        "page_size",
        "per_page",
        "perpage",
        "first",
        "take",
        "top",
        "max_results",
    ];
    const MUCH: f64 = 100.0;
    let operation = builder.api.operation(look.operation);
    let most = |shape: ShapeId| match &builder.api.shape(shape).kind {
        Kind::Integer(number) => Some(number.maximum.unwrap_or(MUCH).min(MUCH) as i64),
        _ => None,
    };
    let is_size = |name: &str| SIZES.contains(&name.to_ascii_lowercase().as_str());
    for (at, parameter) in operation.parameters.iter().enumerate() {
        if parameter.location == Location::Query
            && is_size(&parameter.name)
            && let Some(most) = most(parameter.shape)
        {
            look.put(at, Some(Gene::literal(json!(most), Source::Fixed)));
            return;
        }
    }
    let shape = body_shape(builder.api, look.operation).map(|id| &builder.api.shape(id).kind);
    if let (Some(_), Some(Kind::Object(object)), Some(body)) =
        (&operation.graphql, shape, &mut look.body)
    {
        let size = object
            .properties
            .iter()
            .find(|property| is_size(&property.name));
        if let Some((name, most)) = size.and_then(|p| Some((&p.name, most(p.shape)?))) {
            body.gene
                .set(&format!("/{name}"), json!(most), Source::Fixed);
        }
    }
}

/// The body with nothing but what the document requires; none if that is what is sent anyway.
fn bare(builder: &mut Builder<'_, '_>, write: &mut Step) -> Option<()> {
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
fn unknown(builder: &mut Builder<'_, '_>, write: &mut Step, pointer: &str) -> Option<()> {
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
fn swap(write: &mut Step, first: &str, second: &str) -> Option<()> {
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
fn place(builder: &mut Builder<'_, '_>, at: usize, name: &str, spot: &Spot) -> Option<Value> {
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
fn overdraw(builder: &mut Builder<'_, '_>) -> Option<()> {
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

fn overdraw_with(
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
    let item = body.gene.value().pointer(&format!("{list}/0"))?.clone();
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

/// Another thing like the one that a step made: what worked stays, and its texts are new.
fn another_like(builder: &mut Builder<'_, '_>, at: usize) -> Option<usize> {
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
fn freshen_keys(builder: &mut Builder<'_, '_>, step: &mut Step) {
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
fn greedy(builder: &mut Builder<'_, '_>, step: &Step, list: &str, item: &Value) -> Value {
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
