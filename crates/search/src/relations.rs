//! Plans whose answers must go together: the whole of a list, parts of it, and the whole again.
//!
//! The two looks at the whole are there for whoever judges: if they differ, somebody changed the
//! list meanwhile and nothing can be said.

use fossick_contract::{Comparison, Kind, Knob, Location, OperationIndex, ShapeId, plain_name};
use fossick_genes::{Gene, Manner, Source};
use fossick_graph::same_place;
use fossick_plan::{Bind, Spot, Step, field_path, keys};
use fossick_trace::{Episode, Role, Take};
use serde_json::{Map, Value};

use crate::archive::borrows;
use crate::builder::Builder;
use crate::handlings::{copy_keys, mirror};
use crate::listed::{Listed, lists};
use crate::proposal::{Proposal, Way};
use crate::search::Search;
use crate::tasks::Task;
use crate::ways::finished;

/// What is asked between two looks at the whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Relation {
    /// Nothing: the whole once, to see what there is to compare.
    Whole,
    Pages(Pages),
    /// Filters, some at a time; each round has others.
    Filtered {
        round: usize,
    },
    Sorted {
        round: usize,
    },
    /// Small pages in one order, between two looks at the whole in that order; each round has
    /// another.
    SortedPages {
        round: usize,
    },
    /// The same with a filter: who cuts before he filters shows too few.
    FilteredPages {
        round: usize,
    },
    /// Items of it by their keys.
    Items,
    /// The thing that it hangs under, before and after.
    Parent,
}

/// How large pages are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Pages {
    /// What stands first in a list was there before the run, or is the latest.
    OfOne,
    OfTwo,
    /// A third of the list.
    Thirds,
}

impl Pages {
    fn size(self, count: usize) -> usize {
        match self {
            Self::OfOne => 1,
            Self::OfTwo => 2.min(count.div_ceil(2)),
            Self::Thirds => count.div_ceil(3),
        }
    }
}

/// A place of a call that does something to its list.
#[derive(Debug, Clone)]
struct Handle {
    spot: Spot,
    name: String,
    shape: ShapeId,
}

/// What is turned in one call.
type Turned = Vec<(Handle, Value)>;

/// Questions in one plan: the longer it takes, the likelier somebody changes the list.
const AT_A_TIME: usize = 3;
const MOST_ROUNDS: usize = 4;
/// Orders of one list whose pages are looked at, and pages of each.
const MOST_ORDERS: usize = 6;
const FIRST_PAGES: usize = 2;
/// Things that are made where a list has too few to tell anything.
const MADE: usize = 3;

impl Search<'_> {
    /// What can be compared of an operation that lists things, once it was seen whole.
    pub(crate) fn relation_tasks(&self, index: OperationIndex) -> Vec<Task> {
        if !lists(self.api.operation(index)) {
            return Vec::new();
        }
        let whole = [Relation::Whole];
        let relations = [
            Relation::Pages(Pages::OfOne),
            Relation::Filtered { round: 0 },
            Relation::Sorted { round: 0 },
            Relation::Items,
            Relation::Parent,
            Relation::Pages(Pages::OfTwo),
            Relation::Pages(Pages::Thirds),
            Relation::SortedPages { round: 0 },
            Relation::FilteredPages { round: 0 },
        ];
        let due: &[Relation] = if self.known[index.0 as usize].listed.surveyed {
            &relations
        } else {
            &whole
        };
        due.iter().copied().map(Task::Related).collect()
    }

    pub(crate) fn related(
        &mut self,
        index: OperationIndex,
        relation: Relation,
    ) -> Option<Proposal> {
        let (mut plan, uses) = self.base(index)?;
        let main = plan.main();
        let base = plan.steps.get(main)?.clone();
        plan.steps.truncate(main);
        let creator = self.creator_of(index);
        // What is made of others' things shows nothing that a fresh service would.
        let made_by = creator.and_then(|creator| self.known[creator.0 as usize].base.as_ref());
        let alone = made_by.is_some_and(|(plan, _)| !borrows(plan));
        let listed = self.known[index.0 as usize].listed.clone();
        let item_reader = self.item_reader(index);
        let parent_reader = self.parent_reader(index);
        let mut builder = self.builder(plan, uses);
        let scene = Listing {
            index,
            base,
            listed,
            handles: handles(&mut builder, index),
        };
        let mut order = Turned::new();
        let (inner, again) = match relation {
            Relation::Whole => {
                if let Some(creator) = creator.filter(|_| scene.is_short()) {
                    scene.make(&mut builder, creator);
                }
                let look = scene.look(&mut builder, &[])?;
                builder.plan.steps.push(look);
                return Some(finished(builder, index, Way::Related));
            }
            Relation::Pages(pages) => (scene.pages(&mut builder, pages)?, None),
            Relation::SortedPages { round } | Relation::FilteredPages { round } => {
                let next = round + 1;
                let (cases, next) = match relation {
                    Relation::SortedPages { .. } => {
                        (scene.sorts(&builder), Relation::SortedPages { round: next })
                    }
                    _ => (
                        scene.parting_filters(&builder),
                        Relation::FilteredPages { round: next },
                    ),
                };
                order.clone_from(cases.get(round)?);
                let steps = scene.first_pages(&mut builder, &order)?;
                let more = cases.len().min(MOST_ORDERS) > round + 1;
                (steps, more.then_some(next))
            }
            Relation::Filtered { round } => {
                let cases = scene.filters(&builder);
                let (steps, more) = scene.round(&mut builder, &cases, round)?;
                (
                    steps,
                    more.then_some(Relation::Filtered { round: round + 1 }),
                )
            }
            Relation::Sorted { round } => {
                let cases = scene.sorts(&builder);
                let (steps, more) = scene.round(&mut builder, &cases, round)?;
                (steps, more.then_some(Relation::Sorted { round: round + 1 }))
            }
            Relation::Items => (scene.items(&mut builder, item_reader?)?, None),
            Relation::Parent => (scene.parent(&mut builder, parent_reader?)?, None),
        };
        if let Some(creator) = creator.filter(|_| scene.is_short() || alone) {
            scene.make(&mut builder, creator);
        }
        scene.frame(&mut builder, inner, &order)?;
        let proposal = finished(builder, index, Way::Related);
        let tasks = &mut self.known[index.0 as usize].tasks;
        tasks.extend(again.map(Task::Related));
        Some(proposal)
    }

    /// Once a list was seen whole, the rest is due. Where as much of it as may be was refused, less
    /// is asked for from now on.
    pub(crate) fn learn_related(&mut self, proposal: &Proposal, episode: &Episode) {
        let index = proposal.subject;
        let steps = proposal.plan.steps.iter().zip(&episode.exchanges);
        let mut looks = steps.filter(|(step, _)| step.operation == index);
        let answer = looks
            .next()
            .and_then(|(_, exchange)| exchange.outcome.answer());
        let is_list = proposal.way == Way::Related && lists(self.api.operation(index));
        let (Some(answer), true) = (answer, is_list) else {
            return;
        };
        let listed = &mut self.known[index.0 as usize].listed;
        let next = match answer.is_success() {
            true if listed.surveyed => false,
            true => {
                listed.surveyed = true;
                true
            }
            false => answer.status < 500 && listed.lower(),
        };
        if next {
            let due = self.relation_tasks(index);
            let tasks = &mut self.known[index.0 as usize].tasks;
            for task in due.into_iter().rev() {
                tasks.push_front(task);
            }
        }
    }

    /// The operation that creates what this one lists.
    fn creator_of(&self, index: OperationIndex) -> Option<OperationIndex> {
        let creates = |(other, operation): &(OperationIndex, &fossick_contract::Operation)| {
            operation.deed() == fossick_contract::Deed::Create
                && self.lister(*other) == Some(index)
                && self.known[other.0 as usize].succeeded > 0
        };
        self.api.indexed().find(creates).map(|(other, _)| other)
    }

    /// The operation that shows the thing which a list of paths hangs under.
    fn parent_reader(&self, index: OperationIndex) -> Option<OperationIndex> {
        let operation = self.api.operation(index);
        let parent = operation
            .path
            .parent()
            .filter(|_| operation.graphql.is_none())?;
        let shows = |(_, other): &(OperationIndex, &fossick_contract::Operation)| {
            other.method == fossick_contract::Method::Get
                && other.path.ends_with_hole()
                && same_place(parent, &other.path.text)
        };
        self.api.indexed().find(shows).map(|(other, _)| other)
    }

    /// The operation that shows one item of what this one lists.
    fn item_reader(&self, index: OperationIndex) -> Option<OperationIndex> {
        let operation = self.api.operation(index);
        if operation.graphql.is_some() {
            return self.graph.reader_of(self.api, index);
        }
        let path = &operation.path.text;
        let shows = |(_, other): &(OperationIndex, &fossick_contract::Operation)| {
            let parent = other
                .path
                .parent()
                .is_some_and(|parent| same_place(parent, path));
            other.method == fossick_contract::Method::Get && other.path.ends_with_hole() && parent
        };
        self.api.indexed().find(shows).map(|(other, _)| other)
    }
}

/// Everything of an operation that may do something to its list.
fn handles(builder: &mut Builder<'_, '_>, index: OperationIndex) -> Vec<Handle> {
    let operation = builder.api.operation(index);
    let parameters = operation.parameters.iter().enumerate();
    let mut handles: Vec<Handle> = parameters
        .filter(|(_, p)| p.location == Location::Query)
        .map(|(at, p)| Handle {
            spot: Spot::Parameter(at),
            name: p.name.clone(),
            shape: p.shape,
        })
        .collect();
    let body = operation.graphql.as_ref().and(operation.body.as_ref());
    if let Some(shape) = body.and_then(|body| body.contents.first()?.shape) {
        let slots = builder.maker(Manner::Plausible).slots(shape);
        let plain = slots
            .into_iter()
            .filter(|slot| !slot.pointer.ends_with("/0"));
        handles.extend(plain.map(|slot| Handle {
            spot: Spot::Body(slot.pointer),
            name: slot.name,
            shape: slot.shape,
        }));
    }
    let keys = keys(operation);
    handles.retain(|handle| !keys.contains(&handle.spot));
    handles
}

/// One list, and how it can be asked for.
struct Listing {
    index: OperationIndex,
    /// A call of it that worked.
    base: Step,
    listed: Listed,
    handles: Vec<Handle>,
}

impl Listing {
    fn handle(&self, knob: Knob) -> Option<&Handle> {
        let mut handles = self.handles.iter();
        handles.find(|handle| Knob::of(&handle.name) == Some(knob))
    }

    /// A list under a thing of the plan's own is empty, and a short one tells little.
    fn is_short(&self) -> bool {
        self.listed.count < MADE || !self.base.binds.is_empty()
    }

    /// Makes some things in the list.
    fn make(&self, builder: &mut Builder<'_, '_>, creator: OperationIndex) {
        let api = builder.api;
        // Something of the plan's own is always there: others may take theirs away.
        let number = if self.is_short() { MADE } else { 1 };
        for _ in 0..number {
            let Some(at) = builder.call(creator, Role::Setup, Manner::Plausible) else {
                return;
            };
            // Nobody needs it: where it is refused, the list is as it is.
            builder.plan.steps[at].role = Role::Check;
            let theirs = keys(api.operation(self.index)).into_iter();
            let pairs = theirs.zip(keys(api.operation(creator)));
            copy_keys(&self.base, &mut builder.plan.steps[at], pairs);
        }
    }

    /// The whole, what is in between, and the whole again. Steps in between may take values from
    /// the first of them and from each other: they count from it.
    fn frame(
        &self,
        builder: &mut Builder<'_, '_>,
        inner: Vec<Step>,
        order: &[(Handle, Value)],
    ) -> Option<()> {
        let whole = self.look(builder, order)?;
        let start = builder.plan.steps.len();
        builder.plan.steps.push(whole.clone());
        for mut step in inner {
            for bind in &mut step.binds {
                if let Some(place) = bind.step.checked_sub(FRAME) {
                    bind.step = start + place;
                }
            }
            step.role = Role::Main;
            builder.plan.steps.push(step);
        }
        builder.plan.steps.push(whole);
        Some(())
    }

    /// The list with some of its handles turned; as much of it at once as may be.
    fn look(&self, builder: &mut Builder<'_, '_>, turned: &[(Handle, Value)]) -> Option<Step> {
        let mut step = mirror(builder, &self.base, self.index);
        self.keep_required(builder, &mut step);
        let size = self.handle(Knob::Size).cloned();
        let mut all: Turned = Vec::new();
        if let Some(size) = size.filter(|_| {
            turned
                .iter()
                .all(|(h, _)| Knob::of(&h.name) != Some(Knob::Size))
        }) {
            let most = largest(builder, &size, self.listed.most());
            all.push((size, most.into()));
        }
        all.extend(turned.iter().cloned());
        for (handle, value) in all {
            turn(builder, self.index, &mut step, &handle, value)?;
        }
        self.ask(builder, &mut step);
        Some(step)
    }

    /// What must be given is given as it worked.
    fn keep_required(&self, builder: &Builder<'_, '_>, step: &mut Step) {
        let operation = builder.api.operation(self.index);
        let required = operation
            .parameters
            .iter()
            .enumerate()
            .filter(|(_, p)| p.required);
        for (at, _) in required {
            let spot = Spot::Parameter(at);
            step.copy(&self.base, &spot, &spot);
        }
    }

    /// Asks for everything that items and their list have of plain values.
    fn ask(&self, builder: &mut Builder<'_, '_>, step: &mut Step) {
        let api = builder.api;
        let root = api.operation(self.index).graphql.as_ref();
        let selection = step.ask.as_mut().and_then(|ask| ask.selection.as_mut());
        let (Some(root), Some(selection)) = (root, selection) else {
            return;
        };
        let mut maker = builder.maker(Manner::Plausible);
        let returned = api.root_field(root).returns.named;
        for path in worth_asking(&api.types, returned, &root.way) {
            let path: Vec<&str> = path.iter().map(String::as_str).collect();
            selection.require(&mut maker, &path);
        }
        if let Some(cursor) = &self.listed.cursor {
            selection.require(&mut maker, &field_path(cursor));
        }
    }

    fn pages(&self, builder: &mut Builder<'_, '_>, pages: Pages) -> Option<Vec<Step>> {
        let count = self.expected();
        let size = pages.size(count);
        let pages = count.div_ceil(size).clamp(2, 4);
        let limit = self.handle(Knob::Size)?.clone();
        let next = self.next_handle()?;
        let first = [(limit, Value::from(size))];
        (0..pages)
            .map(|at| self.page(builder, &first, &next, at, size))
            .collect()
    }

    /// The first small pages in some order; one alone where nothing leads to the next.
    fn first_pages(
        &self,
        builder: &mut Builder<'_, '_>,
        order: &[(Handle, Value)],
    ) -> Option<Vec<Step>> {
        let size = Pages::OfTwo.size(self.expected());
        let mut first = order.to_vec();
        first.push((self.handle(Knob::Size)?.clone(), size.into()));
        // A cursor can be followed only once it was seen.
        let leads =
            |(knob, _): &(Knob, Handle)| *knob != Knob::Cursor || self.listed.cursor.is_some();
        match self.next_handle().filter(leads) {
            Some(next) => (0..FIRST_PAGES)
                .map(|at| self.page(builder, &first, &next, at, size))
                .collect(),
            None => Some(vec![self.look(builder, &first)?]),
        }
    }

    /// How many things the list will show at least.
    fn expected(&self) -> usize {
        if self.is_short() {
            MADE
        } else {
            self.listed.count
        }
    }

    /// What leads from a page to the next.
    fn next_handle(&self) -> Option<(Knob, Handle)> {
        [Knob::Cursor, Knob::Offset, Knob::Page]
            .into_iter()
            .find_map(|knob| Some((knob, self.handle(knob)?.clone())))
    }

    fn page(
        &self,
        builder: &mut Builder<'_, '_>,
        first: &[(Handle, Value)],
        (knob, next): &(Knob, Handle),
        at: usize,
        size: usize,
    ) -> Option<Step> {
        let mut turned = first.to_vec();
        match knob {
            Knob::Offset if at > 0 => turned.push((next.clone(), (at * size).into())),
            Knob::Page => turned.push((next.clone(), (at + 1).into())),
            Knob::Cursor if at > 0 => turned.push((next.clone(), "next".into())),
            _ => {}
        }
        let mut step = self.look(builder, &turned)?;
        if *knob == Knob::Cursor && at > 0 {
            step.binds.retain(|bind| bind.spot != next.spot);
            step.binds.push(Bind {
                spot: next.spot.clone(),
                // The page before, the whole counted.
                step: FRAME + at,
                take: Take::Pointer(self.listed.cursor.clone()?),
            });
        }
        Some(step)
    }

    /// Some of the cases, and whether there are more.
    fn round(
        &self,
        builder: &mut Builder<'_, '_>,
        cases: &[Turned],
        round: usize,
    ) -> Option<(Vec<Step>, bool)> {
        let chunk = cases.chunks(AT_A_TIME).nth(round)?;
        let steps: Option<Vec<Step>> = chunk.iter().map(|case| self.look(builder, case)).collect();
        let more = cases.len() > (round + 1) * AT_A_TIME && round + 1 < MOST_ROUNDS;
        Some((steps?, more))
    }

    /// Each filter with telling values, then two of them together.
    fn filters(&self, builder: &Builder<'_, '_>) -> Vec<Turned> {
        let fields = self.listed.fields();
        let mut rows: Vec<Vec<Turned>> = Vec::new();
        let mut known: Vec<(&Handle, &str, Comparison)> = Vec::new();
        for handle in self.handles.iter().filter(|h| Knob::of(&h.name).is_none()) {
            let members = members(builder, handle.shape);
            let bound = |field: &&&str| Comparison::of(&handle.name, field).is_some();
            let Some(field) = fields.iter().find(bound) else {
                rows.push(
                    members
                        .into_iter()
                        .map(|v| vec![(handle.clone(), v)])
                        .collect(),
                );
                continue;
            };
            let Some(bound) = Comparison::of(&handle.name, field) else {
                continue;
            };
            let mut values = telling(&self.listed.values(field), bound);
            let other = |value: &Value| !values.contains(value);
            let others: Vec<Value> = members.into_iter().filter(other).take(AT_A_TIME).collect();
            values.extend(others);
            rows.push(
                values
                    .into_iter()
                    .map(|v| vec![(handle.clone(), v)])
                    .collect(),
            );
            known.push((handle, field, bound));
        }
        let mut cases = in_turn(rows);
        let both = self.pairs(&known);
        // Some pairs before the last of the single ones, so that a round or two has both.
        let at = cases.len().min(AT_A_TIME * 2);
        cases.splice(at..at, both);
        cases
    }

    /// Single filters that let some items through, but not the first.
    fn parting_filters(&self, builder: &Builder<'_, '_>) -> Vec<Turned> {
        let has = |item: &Map<String, Value>, name: &str, value: &Value| {
            let mut fields = item.iter();
            fields.any(|(field, shown)| {
                Comparison::of(name, field) == Some(Comparison::Exactly) && shown == value
            })
        };
        let mut cases = self.filters(builder);
        cases.retain(|case| match case.as_slice() {
            [(handle, value)] => {
                let mut lets = self
                    .listed
                    .items
                    .iter()
                    .map(|item| has(item, &handle.name, value));
                lets.next() == Some(false) && lets.any(|through| through)
            }
            _ => false,
        });
        cases
    }

    /// Two filters at once, one of which shuts out what the other lets in.
    fn pairs(&self, known: &[(&Handle, &str, Comparison)]) -> Vec<Turned> {
        let mut pairs = Vec::new();
        for (at, (one, field, bound)) in known.iter().enumerate() {
            for (other, second, limit) in known.iter().skip(at + 1).chain(&known[..at]) {
                if *bound != Comparison::Exactly || field == second {
                    continue;
                }
                pairs.extend(self.pair((one, field), (other, second, *limit)));
            }
        }
        pairs.truncate(AT_A_TIME * 2);
        pairs
    }

    fn pair(
        &self,
        (one, field): (&Handle, &str),
        (other, second, limit): (&Handle, &str, Comparison),
    ) -> Option<Turned> {
        let item = self
            .listed
            .items
            .iter()
            .find(|item| item.get(field).is_some_and(is_value))?;
        let wanted = item.get(field)?;
        let alike = self
            .listed
            .items
            .iter()
            .filter(|item| item.get(field) == Some(wanted));
        let values: Vec<&Value> = alike.filter_map(|item| item.get(second)).collect();
        let numbers: Vec<f64> = values.iter().filter_map(|value| value.as_f64()).collect();
        let (least, most) = (
            numbers.iter().copied().reduce(f64::min),
            numbers.iter().copied().reduce(f64::max),
        );
        let value = match limit {
            Comparison::AtLeast => number(if least == most { most? + 1.0 } else { most? }),
            Comparison::AtMost => number(if least == most { least? - 1.0 } else { least? }),
            Comparison::Exactly => {
                let all = self.listed.values(second);
                let foreign = all.into_iter().find(|value| !values.contains(value));
                foreign.or_else(|| values.first().copied()).cloned()?
            }
        };
        Some(vec![(one.clone(), wanted.clone()), (other.clone(), value)])
    }

    fn sorts(&self, builder: &Builder<'_, '_>) -> Vec<Turned> {
        let Some(handle) = self.handle(Knob::Sort) else {
            return Vec::new();
        };
        let members = members(builder, handle.shape).into_iter();
        members.map(|value| vec![(handle.clone(), value)]).collect()
    }

    /// Looks at single items by their keys, the fullest of them first.
    fn items(&self, builder: &mut Builder<'_, '_>, reader: OperationIndex) -> Option<Vec<Step>> {
        let api = builder.api;
        let operation = api.operation(reader);
        let spots = keys(operation);
        let (own, parents) = spots.split_last()?;
        let name = match own {
            Spot::Parameter(at) => operation.parameters.get(*at)?.name.clone(),
            Spot::Body(pointer) => pointer.rsplit('/').next()?.to_owned(),
        };
        let field = self.key_field(&name)?;
        let mut steps = Vec::new();
        for at in self.fullest() {
            let mut step = builder.sample(reader, Manner::Plausible);
            step.user.clone_from(&self.base.user);
            let theirs = keys(api.operation(self.index)).into_iter();
            copy_keys(&self.base, &mut step, theirs.zip(parents.iter().cloned()));
            let value = self.listed.items.get(at)?.get(&field)?.clone();
            step.fill(own, Gene::literal(value, Source::Seen));
            step.binds.push(Bind {
                spot: own.clone(),
                step: FRAME,
                take: Take::Pointer(self.listed.pointer(at, &field)),
            });
            steps.push(step);
        }
        (!steps.is_empty()).then_some(steps)
    }

    /// The parent, the list and the parent again.
    fn parent(&self, builder: &mut Builder<'_, '_>, reader: OperationIndex) -> Option<Vec<Step>> {
        let above = mirror(builder, &self.base, reader);
        let list = self.look(builder, &[])?;
        Some(vec![above.clone(), list, above])
    }

    /// The field of the items that a key of this name takes.
    fn key_field(&self, key: &str) -> Option<String> {
        let fields = self.listed.fields();
        let named = |wanted: &str| {
            let mut all = fields.iter();
            all.find(|field| plain_name(field) == plain_name(wanted))
        };
        let found = named(key)
            .or_else(|| named("id"))
            .or_else(|| named("code"))?;
        Some((*found).to_owned())
    }

    /// Items with the most that is worth comparing, and the first.
    fn fullest(&self) -> Vec<usize> {
        const MOST: usize = 4;
        let weight = |item: &Map<String, Value>| {
            let says = |value: &&Value| {
                !matches!(value, Value::Null | Value::Bool(false)) && value.as_f64() != Some(0.0)
            };
            item.values().filter(says).count()
        };
        let mut places: Vec<usize> = (0..self.listed.items.len()).collect();
        places.sort_by_key(|at| std::cmp::Reverse(weight(&self.listed.items[*at])));
        places.truncate(MOST - 1);
        if !places.contains(&0) && !self.listed.items.is_empty() {
            places.push(0);
        }
        places
    }
}

/// Steps in between count from the first look at the whole; before that nobody has so many.
const FRAME: usize = usize::MAX / 2;

/// Turns a handle of a step.
fn turn(
    builder: &mut Builder<'_, '_>,
    index: OperationIndex,
    step: &mut Step,
    handle: &Handle,
    value: Value,
) -> Option<()> {
    // Who is asked for must be there; how much of a list, or with what price, need not.
    let is_key = plain_name(&handle.name).ends_with("id");
    let source = if is_key {
        Source::Seen
    } else {
        Source::Boundary
    };
    match &handle.spot {
        Spot::Parameter(at) => step.put(*at, Some(Gene::literal(value, source))),
        Spot::Body(pointer) => {
            let body = step.body.as_mut()?;
            let declared = builder.api.operation(index).body.as_ref()?;
            let shape = declared.contents.get(body.content)?.shape?;
            let gene = body.gene.clone();
            let mut maker = builder.maker(Manner::Plausible);
            body.gene = maker.with("body", shape, &gene, pointer, value, source)?;
        }
    }
    Some(())
}

/// As many items at once as the document allows, within reason.
fn largest(builder: &Builder<'_, '_>, size: &Handle, most: u64) -> u64 {
    let declared = match &builder.api.shape(size.shape).kind {
        Kind::Integer(number) | Kind::Number(number) => number.maximum,
        _ => None,
    };
    declared.map_or(most, |declared| most.min(declared.max(1.0) as u64))
}

/// The values of a closed set.
fn members(builder: &Builder<'_, '_>, shape: ShapeId) -> Vec<Value> {
    match &builder.api.shape(shape).kind {
        Kind::Enum(values) => values
            .iter()
            .filter(|value| is_value(value))
            .cloned()
            .collect(),
        Kind::Choice(choice) => {
            let inner = choice.options.iter();
            inner.flat_map(|option| members(builder, *option)).collect()
        }
        Kind::Boolean => vec![true.into(), false.into()],
        _ => Vec::new(),
    }
}

fn is_value(value: &Value) -> bool {
    value.is_string() || value.is_number() || value.is_boolean()
}

/// Values of a filter that let some items through and others not.
fn telling(seen: &[&Value], bound: Comparison) -> Vec<Value> {
    if bound == Comparison::Exactly {
        let mut different: Vec<Value> = Vec::new();
        for value in seen.iter().filter(|value| is_value(value)) {
            if !different.contains(value) {
                different.push((*value).clone());
            }
        }
        different.truncate(2);
        return different;
    }
    let mut numbers: Vec<f64> = seen.iter().filter_map(|value| value.as_f64()).collect();
    numbers.sort_by(f64::total_cmp);
    let Some(middle) = numbers.get(numbers.len() / 2).copied() else {
        let mut texts: Vec<&str> = seen.iter().filter_map(|value| value.as_str()).collect();
        texts.sort_unstable();
        let middle = texts.get(texts.len() / 2);
        return middle.map(|text| Value::from(*text)).into_iter().collect();
    };
    let last = numbers.last().copied().unwrap_or(middle);
    // Where numbers are compared as texts, a power of ten shows it best.
    let ten = 10_f64.powf(last.max(1.0).log10().floor());
    let mut values = vec![number(middle)];
    if numbers.first().is_some_and(|least| *least < ten) && number(ten) != number(middle) {
        values.push(number(ten));
    }
    values
}

/// A number without a fraction where it has none.
fn number(value: f64) -> Value {
    if value.fract() == 0.0 && value.abs() < 9e15 {
        Value::from(value as i64)
    } else {
        Value::from(value)
    }
}

fn in_turn(rows: Vec<Vec<Turned>>) -> Vec<Turned> {
    let longest = rows.iter().map(Vec::len).max().unwrap_or(0);
    let mut rows: Vec<_> = rows.into_iter().map(Vec::into_iter).collect();
    let mut all = Vec::new();
    for _ in 0..longest {
        all.extend(rows.iter_mut().filter_map(Iterator::next));
    }
    all
}

/// Plain fields of a list's items, and plain fields beside the list.
fn worth_asking(
    types: &fossick_contract::TypeGraph,
    returned: fossick_contract::TypeId,
    way: &[std::sync::Arc<str>],
) -> Vec<Vec<String>> {
    const MOST: usize = 14;
    let mut paths = Vec::new();
    let (mut on, mut prefix) = (returned, Vec::new());
    for name in way.iter().map(Some).chain([None]) {
        let plain = types.fields(on).iter().filter(|field| {
            field.returns.lists() == 0
                && field.arguments.is_empty()
                && !types.get(field.returns.named).is_composite()
        });
        for field in plain.take(MOST) {
            let mut path: Vec<String> = prefix.clone();
            path.push(field.name.to_string());
            paths.push(path);
        }
        let next = name.and_then(|name| Some((name, types.field(on, name)?)));
        let Some((name, field)) = next else { break };
        prefix.push(name.to_string());
        on = field.returns.named;
    }
    paths
}
