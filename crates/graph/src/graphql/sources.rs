//! Where things of each type come back: every place of every answer that holds one.
//!
//! Not the fields themselves are kept but the places of the objects that have them; a field of an
//! object is there wherever the object is, since whoever wants it asks for it.

use std::collections::HashMap;

use fossick_contract::{
    Api, Deed, Operation, OperationIndex, RootField, RootKind, TypeGraph, TypeId,
};

use super::arguments::each_part;
use super::names::{Names, Sort, is_root, sort_of};
use super::needs::{Wanted, is_key};
use super::subject::Subject;
use crate::callers::is_own;
use crate::{Edge, Evidence, Words, Yield};

/// A place of an answer that holds a thing, or the key of one.
#[derive(Debug, Clone)]
pub(crate) struct Source {
    pub(crate) maker: OperationIndex,
    pub(crate) pointer: String,
    pub(crate) evidence: Evidence,
    pub(crate) fit: f64,
    /// It is the answer itself, with nothing around it.
    pub(crate) top: bool,
}

#[derive(Debug, Default)]
pub(crate) struct Sources {
    /// By type, the most promising first.
    by_type: Vec<Vec<Source>>,
    /// Operations that answer with a key alone, by the words of that key.
    keys: HashMap<Words, Vec<(Source, Sort)>>,
}

const DEPTH: usize = 5;
/// Of all objects together: what is further off is seldom asked for.
const MOST_FIELDS: usize = 300;
const MOST_SPOTS: usize = 120;
/// Types that an interface or union is followed into.
const MOST_PARTS: usize = 4;

impl Sources {
    pub(crate) fn of(
        api: &Api,
        names: &Names<'_>,
        subjects: &[Option<Subject>],
        wanted: &[Vec<Wanted>],
    ) -> Self {
        let mut sources = Self {
            by_type: vec![Vec::new(); api.types.len()],
            keys: HashMap::new(),
        };
        for ((maker, operation), subject) in api.indexed().zip(subjects) {
            let Some(root) = &operation.graphql else {
                continue;
            };
            let wanted = &wanted[maker.0 as usize];
            let mut telling = Telling::new(root, subject.as_ref(), wanted);
            telling.is_caller = is_own(&api.root_field(root).name);
            if root.kind == RootKind::Mutation {
                telling.brings = brought(api, operation);
            }
            sources.read(api, names, maker, &telling);
        }
        for places in &mut sources.by_type {
            places.sort_by(|a, b| b.promise().total_cmp(&a.promise()));
        }
        sources
    }

    pub(crate) fn holding(&self, on: TypeId) -> &[Source] {
        &self.by_type[on.0 as usize]
    }

    pub(crate) fn keys_called(&self, words: &Words) -> &[(Source, Sort)] {
        self.keys.get(words).map_or(&[], Vec::as_slice)
    }

    fn read(&mut self, api: &Api, names: &Names<'_>, maker: OperationIndex, telling: &Telling<'_>) {
        let field = api.root_field(telling.root);
        let pointer = format!("/data/{}{}", field.name, items(field.returns.lists()));
        if let Some(sort) = sort_of(&api.types, field.returns.named) {
            self.read_key(maker, pointer, sort, telling);
            return;
        }
        if !api.types.get(field.returns.named).is_composite() {
            return;
        }
        let first = Spot::first(field.returns.named, pointer, field.returns.lists() > 0);
        let spots = walk(names, &telling.root.way, first);
        let own = telling.own(&api.types, &spots);
        for spot in spots {
            if let Some((evidence, fit)) = telling.of(&api.types, &spot, own.as_deref()) {
                self.by_type[spot.on.0 as usize].push(Source {
                    maker,
                    pointer: spot.pointer,
                    evidence,
                    fit: if spot.perhaps { fit * 0.7 } else { fit },
                    top: spot.depth == 0,
                });
            }
        }
    }

    /// `createBook(…): ID!` answers with the key alone.
    fn read_key(
        &mut self,
        maker: OperationIndex,
        pointer: String,
        sort: Sort,
        telling: &Telling<'_>,
    ) {
        let Some(subject) = telling
            .subject
            .filter(|_| telling.root.deed == Deed::Create)
        else {
            return;
        };
        let fit = match sort {
            Sort::Id => 0.9,
            Sort::Integer | Sort::Other => 0.6,
            Sort::Text => 0.4,
        };
        let words = Words::of("id").qualified_by(&subject.words);
        let source = Source {
            maker,
            pointer,
            evidence: Evidence::Creator,
            fit,
            top: true,
        };
        self.keys.entry(words).or_default().push((source, sort));
    }
}

impl Source {
    fn promise(&self) -> f64 {
        Edge::new(self.maker, Yield::SentParameter(0), self.evidence, self.fit).confidence()
    }
}

/// What an operation tells of the things in its answer.
struct Telling<'a> {
    root: &'a RootField,
    subject: Option<&'a Subject>,
    /// It must be given the key of the very thing that it answers with.
    takes_own: bool,
    /// It may be given that key.
    keyed: bool,
    /// What must be made before it can be called makes it less handy.
    burden: f64,
    /// Whoever calls it is shown.
    is_caller: bool,
    /// What its arguments call the things that it is given whole, to be kept in others.
    brings: Vec<Words>,
}

impl<'a> Telling<'a> {
    fn new(root: &'a RootField, subject: Option<&'a Subject>, wanted: &[Wanted]) -> Self {
        let thing = subject.and_then(|subject| subject.thing);
        let required = wanted.iter().filter(|wanted| wanted.need.required);
        let own = |wanted: &Wanted| thing.is_some() && wanted.aim == thing;
        let key = |wanted: &Wanted| own(wanted) && wanted.need.is_at(|at| is_key(root, at));
        Self {
            root,
            subject,
            takes_own: required.clone().any(own),
            keyed: wanted.iter().any(key),
            burden: required.count().min(5) as f64 * 0.04,
            is_caller: false,
            brings: Vec::new(),
        }
    }

    /// The place of the very thing: where the way leads, or else the first that is of its type,
    /// such as the node of an edge.
    fn own(&self, types: &TypeGraph, spots: &[Spot]) -> Option<String> {
        let of_type = || spots.iter().filter(|spot| self.is_about(types, spot));
        let led = |spot: &&Spot| spot.way == Some(self.root.way.len());
        let found = of_type().find(led);
        let found = found.or_else(|| of_type().find(|spot| !spot.listed));
        found.map(|spot| spot.pointer.clone())
    }

    fn is_about(&self, types: &TypeGraph, spot: &Spot) -> bool {
        let thing = self.subject.and_then(|subject| subject.thing);
        thing.is_some_and(|on| on == spot.on || types.possible(on).contains(&spot.on))
    }

    /// How a thing at this place of the answer came there, and how well that serves others.
    fn of(&self, types: &TypeGraph, spot: &Spot, own: Option<&str>) -> Option<(Evidence, f64)> {
        let about = self.is_about(types, spot);
        let own = about && own == Some(spot.pointer.as_str());
        let base = match self.root.deed {
            // Whoever is not told which one to change has perhaps made it.
            Deed::Update if own && !spot.listed && !self.takes_own && !self.keyed => {
                (Evidence::SameName, 0.95)
            }
            // What it changes or removes was there before.
            deed if about && deed.changes() => return None,
            deed if !about && deed != Deed::Delete && self.is_brought(spot) => {
                (Evidence::Creator, 0.8)
            }
            Deed::Create if own => {
                let several = if spot.listed { 0.1 } else { 0.0 };
                let whole = if self.takes_own { 0.6 } else { 1.0 };
                (Evidence::Creator, whole - several)
            }
            Deed::Read | Deed::Other if own && self.takes_own => return None,
            Deed::Read if own && spot.listed => (Evidence::Lister, 0.95),
            Deed::Read | Deed::Other if own && self.keyed => return None,
            Deed::Read if own && self.is_caller => (Evidence::Caller, 0.9),
            Deed::Read if own => (Evidence::SameName, 0.9),
            Deed::Other if own => (Evidence::SameName, 0.6),
            _ if spot.listed && self.root.kind == RootKind::Query => (Evidence::Lister, 0.5),
            _ if spot.listed => (Evidence::Lister, 0.25),
            _ => (Evidence::SameName, 0.3),
        };
        Some((base.0, (base.1 - self.burden).max(0.05)))
    }

    /// Whether the thing at a place is what the caller gave: `addNotes(book, notes)` answers with
    /// a book that has the notes.
    fn is_brought(&self, spot: &Spot) -> bool {
        let mut names = spot.pointer.rsplit('/').filter(|name| !is_wrapper(name));
        let name = names.next().map(Words::of);
        spot.depth > 0 && name.is_some_and(|name| self.brings.contains(&name))
    }
}

/// Parts of a pointer that say nothing of what is there.
fn is_wrapper(name: &str) -> bool {
    matches!(name, "edges" | "node" | "nodes") || name.parse::<usize>().is_ok()
}

/// What the arguments of an operation call the objects that must be given.
fn brought(api: &Api, operation: &Operation) -> Vec<Words> {
    let mut found = Vec::new();
    each_part(api, operation, |name| found.push(Words::of(name)));
    found
}

/// An object somewhere in an answer.
struct Spot {
    on: TypeId,
    pointer: String,
    listed: bool,
    depth: usize,
    /// How much of the way to the thing lies behind, if it is on that way.
    way: Option<usize>,
    /// The place may hold something else instead.
    perhaps: bool,
    above: Option<usize>,
}

impl Spot {
    fn first(on: TypeId, pointer: String, listed: bool) -> Self {
        Self {
            on,
            pointer,
            listed,
            depth: 0,
            way: Some(0),
            perhaps: false,
            above: None,
        }
    }
}

/// Breadth first, so that what is near is found before the room is used up.
fn walk(names: &Names<'_>, way: &[std::sync::Arc<str>], first: Spot) -> Vec<Spot> {
    let mut spots = vec![first];
    let (mut at, mut fields) = (0, 0);
    while at < spots.len() && fields < MOST_FIELDS {
        fields += names.leaves(spots[at].on).len();
        let mut further = parts(names, &spots, at);
        further.extend(inside(names, way, &spots, at));
        further.truncate(MOST_SPOTS.saturating_sub(spots.len()));
        spots.extend(further);
        at += 1;
    }
    spots.truncate(at);
    spots
}

/// What an abstract type may be, at the same place.
fn parts(names: &Names<'_>, spots: &[Spot], at: usize) -> Vec<Spot> {
    let spot = &spots[at];
    if !names.types.get(spot.on).is_abstract() {
        return Vec::new();
    }
    let possible = names.types.possible(spot.on).iter().copied();
    possible
        .filter(|on| !is_above(spots, at, *on))
        .take(MOST_PARTS)
        .map(|on| Spot {
            on,
            pointer: spot.pointer.clone(),
            perhaps: true,
            above: Some(at),
            ..*spot
        })
        .collect()
}

/// What the fields of an object hold: on the way to the thing first, deprecated ones last.
fn inside(names: &Names<'_>, way: &[std::sync::Arc<str>], spots: &[Spot], at: usize) -> Vec<Spot> {
    let spot = &spots[at];
    if spot.depth >= DEPTH {
        return Vec::new();
    }
    let next = spot.way.and_then(|done| way.get(done));
    let on_way = |name: &std::sync::Arc<str>| next == Some(name);
    let fields = names.types.fields(spot.on).iter();
    let mut fields: Vec<_> = fields
        .filter(|field| !field.needs_arguments() && is_worth(names, field.returns.named))
        .filter(|field| !is_above(spots, at, field.returns.named))
        .collect();
    fields.sort_by_key(|field| (!on_way(&field.name), field.deprecated));
    let spot_of = |field: &fossick_contract::Field| Spot {
        on: field.returns.named,
        pointer: format!(
            "{}/{}{}",
            spot.pointer,
            field.name,
            items(field.returns.lists())
        ),
        listed: spot.listed || field.returns.lists() > 0,
        depth: spot.depth + 1,
        way: spot
            .way
            .filter(|_| on_way(&field.name))
            .map(|done| done + 1),
        perhaps: spot.perhaps,
        above: Some(at),
    };
    fields.into_iter().map(spot_of).collect()
}

/// Everything with parts but the roots, pages and complaints.
fn is_worth(names: &Names<'_>, on: TypeId) -> bool {
    let words = names.words(on);
    let dull = words.last() == Some("error") || words.0 == ["page", "info"];
    names.types.get(on).is_composite() && !is_root(names.types, on) && !dull
}

fn is_above(spots: &[Spot], at: usize, on: TypeId) -> bool {
    let mut next = Some(at);
    while let Some(spot) = next.and_then(|at| spots.get(at)) {
        if spot.on == on {
            return true;
        }
        next = spot.above;
    }
    false
}

/// The first item of each list.
pub(crate) fn items(lists: usize) -> String {
    "/0".repeat(lists)
}
