//! Looks at a thing and at all that shows it.

use fossick_contract::{Api, Deed, Kind, Knob, Location, OperationIndex, Parameter, ShapeId};
use fossick_genes::{Gene, Manner, Source};
use fossick_graph::same_place;
use fossick_plan::{Bind, Spot, Step, keys, spot_of};
use fossick_trace::Role;
use rand::RngExt as _;
use serde_json::{Value, json};

use super::body_shape;
use crate::anew::way_anew;
use crate::builder::Builder;
use crate::fresh::body_slots;
use crate::handlings::{ask_for_sent, mirror};

/// Views that are looked at around one write.
const VIEWS: usize = 4;
/// Filters that a list is looked at by.
const FILTERS: usize = 2;

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
pub(super) fn views(builder: &mut Builder<'_, '_>, made: usize) -> Vec<Step> {
    let maker = builder.plan.steps[made].clone();
    let (api, graph) = (builder.api, builder.graph);
    let mut views = Vec::new();
    if let Some(lister) = lister_of(builder, maker.operation) {
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

/// The operation that lists what another makes or puts.
fn lister_of(builder: &Builder<'_, '_>, maker: OperationIndex) -> Option<OperationIndex> {
    match builder.api.operation(maker).deed() {
        Deed::Replace => collection_reader(builder, maker),
        _ => builder.places.lister(builder.api, builder.graph, maker),
    }
}

/// Parameters that a list may be filtered by, with their places.
fn filters(api: &Api, lister: OperationIndex) -> impl Iterator<Item = (usize, &Parameter)> {
    let parameters = api.operation(lister).parameters.iter().enumerate();
    parameters.filter(|(_, parameter)| {
        parameter.location == Location::Query && Knob::of(&parameter.name).is_none()
    })
}

/// Makes texts that its list can be filtered by the thing's own. Tells whether there are any.
pub(super) fn tell_apart(builder: &mut Builder<'_, '_>, made: usize) -> bool {
    const TELLING: usize = 4;
    let (salt, api) = (builder.rng.random(), builder.api);
    let step = builder.plan.steps[made].clone();
    let Some(lister) = lister_of(builder, step.operation) else {
        return false;
    };
    let maker = builder.maker(Manner::Plausible);
    let slots = body_slots(&maker, &step).unwrap_or_default();
    let own = filters(api, lister).filter_map(|(_, parameter)| {
        let pointer = format!("/{}", parameter.name);
        let slot = slots.iter().find(|slot| slot.pointer == pointer)?;
        let old = step.value_at(&Spot::Body(pointer))?;
        let telling = old
            .as_str()
            .is_some_and(|text| text.chars().count() >= TELLING);
        let way = way_anew(&maker, &slot.name, slot.shape, &old).filter(|_| telling)?;
        Some((slot.pointer.clone(), way.anew(salt).value()))
    });
    let own: Vec<(String, Value)> = own.collect();
    let told = !own.is_empty();
    if let Some(body) = &mut builder.plan.steps[made].body {
        for (pointer, text) in own {
            body.gene.set(&pointer, text, Source::Named);
        }
    }
    told
}

/// The list once more for what can be filtered by: a list of its own may be kept for that.
pub(super) fn filtered(builder: &Builder<'_, '_>, look: &Step, maker: &Step) -> Vec<Step> {
    let narrowed = filters(builder.api, look.operation).filter_map(|(at, parameter)| {
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
pub(super) fn collection_reader(
    builder: &Builder<'_, '_>,
    item: OperationIndex,
) -> Option<OperationIndex> {
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
pub(super) fn look_along(builder: &mut Builder<'_, '_>, bind: &Bind) -> Option<Step> {
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
pub(super) fn ask_for_children(
    builder: &mut Builder<'_, '_>,
    look: &mut Step,
    made: OperationIndex,
) {
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
pub(crate) fn around(
    builder: &mut Builder<'_, '_>,
    write: &Step,
    reader: Option<OperationIndex>,
) -> Vec<Step> {
    let (api, graph, places) = (builder.api, builder.graph, builder.places);
    let creates = api.operation(write.operation).deed() == Deed::Create;
    let lister = places
        .lister(api, graph, write.operation)
        .filter(|_| creates);
    let mut looks = Vec::new();
    if let Some(reader) = reader.filter(|reader| lister != Some(*reader)) {
        let mut look = mirror(builder, write, reader);
        ask_for_sent(builder, &mut look, write);
        looks.push(look);
    }
    if let Some(lister) = lister {
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
pub(super) fn narrow(builder: &Builder<'_, '_>, look: &mut Step, write: &Step) {
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
