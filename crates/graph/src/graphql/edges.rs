//! Joining needs to what meets them: by type and field first, by names where types say nothing.

use fossick_contract::{Api, Deed, OperationIndex, TypeId, TypeKind};
use fossick_trace::Take;

use super::names::{Leaf, Names, is_root, likeness};
use super::needs::Wanted;
use super::sent::Sent;
use super::sources::{Source, Sources, items};
use super::subject::Subject;
use crate::graph::{Alternative, MOST_EDGES};
use crate::{Edge, Evidence, Words, Yield};

/// Places of one type that are weighed for one need; they come best first.
const MOST_PLACES: usize = 24;
/// As alike as the name of a key must be that only names speak for.
const VERY: f64 = 0.9;
/// How well makers fit beside one that is called like the operation in need.
const STRANGERS: f64 = 0.9;
/// Types of one interface that are looked for one by one.
const MOST_KINDS: usize = 24;
/// Fewer typed ways than this leave room for what only sounds alike.
const ENOUGH: usize = 3;

pub(crate) struct Joiner<'a> {
    pub(crate) api: &'a Api,
    pub(crate) names: &'a Names<'a>,
    pub(crate) sources: &'a Sources,
    pub(crate) sent: &'a [Sent],
    pub(crate) subjects: &'a [Option<Subject>],
    /// What the operations are called, without their verbs.
    pub(crate) called: &'a [Option<Words>],
}

/// An edge that is not written out yet.
#[derive(Clone, Copy)]
struct Candidate<'a> {
    maker: OperationIndex,
    evidence: Evidence,
    fit: f64,
    from: From<'a>,
}

#[derive(Clone, Copy)]
enum From<'a> {
    Field(&'a str, TypeId, &'a Leaf),
    Answer(&'a str),
    Sent(&'a str),
}

impl<'a> Joiner<'a> {
    /// The needs of an operation with the ways to meet them. What only names called a reference
    /// is none where nobody gives it.
    pub(crate) fn met<'w>(
        &self,
        consumer: OperationIndex,
        wanted: &'w [Wanted],
    ) -> Vec<(&'w Wanted, Vec<Edge>)> {
        let met = wanted
            .iter()
            .map(|wanted| (wanted, self.edges(consumer, wanted)));
        met.filter(|(wanted, edges)| !(wanted.natural && edges.is_empty()))
            .collect()
    }

    /// Where a need is of an interface or a union: a way to a thing of each of its types.
    pub(crate) fn kinds(
        &self,
        consumer: OperationIndex,
        met: &[(&Wanted, Vec<Edge>)],
    ) -> Vec<Alternative> {
        let mut found = Vec::new();
        for (need, (wanted, _)) in met.iter().enumerate() {
            let types = &self.api.types;
            let of = wanted.aim.filter(|aim| types.get(*aim).is_abstract());
            let kinds = of.map_or(&[][..], |aim| types.possible(aim));
            let things = kinds.iter().filter(|on| !is_root(types, **on));
            let ways = things.filter_map(|on| {
                Some(Alternative {
                    need,
                    edge: self.best_of_kind(consumer, wanted, *on)?,
                    kind: Some(*on),
                })
            });
            found.extend(ways.take(MOST_KINDS));
        }
        found
    }

    fn best_of_kind(&self, consumer: OperationIndex, wanted: &Wanted, on: TypeId) -> Option<Edge> {
        let mut found = Vec::new();
        self.by_kind(on, wanted, (MOST_PLACES, wanted.sure), &mut found);
        found.retain(|candidate| candidate.maker != consumer && candidate.fit > 0.0);
        self.best(found).into_iter().next()
    }

    fn edges(&self, consumer: OperationIndex, wanted: &Wanted) -> Vec<Edge> {
        let mut found = Vec::new();
        if let Some(aim) = wanted.aim {
            self.by_type(aim, wanted, &mut found);
            self.by_sent(aim, wanted, &mut found);
        }
        if !wanted.natural {
            self.by_key(wanted, &mut found);
        }
        found.retain(|candidate| candidate.maker != consumer && candidate.fit > 0.0);
        if found.len() < ENOUGH && !wanted.natural {
            self.by_name(consumer, wanted, &mut found);
        }
        self.prefer_kin(consumer, &mut found);
        self.best(found)
    }

    /// Of several that make such things, `createAudioBook` serves `updateAudioBook` best.
    fn prefer_kin(&self, consumer: OperationIndex, found: &mut [Candidate<'a>]) {
        let called = |at: OperationIndex| self.called[at.0 as usize].as_ref();
        let own = called(consumer);
        let makes = |c: &Candidate<'_>| c.evidence == Evidence::Creator;
        let is_kin = |c: &Candidate<'_>| own.is_some() && called(c.maker) == own;
        if found.iter().any(|c| makes(c) && is_kin(c)) {
            let others = found.iter_mut().filter(|c| makes(c) && !is_kin(c));
            others.for_each(|other| other.fit *= STRANGERS);
        }
    }

    fn best(&self, mut found: Vec<Candidate<'a>>) -> Vec<Edge> {
        let promise = |c: &Candidate<'_>| c.edge(Yield::SentParameter(0)).confidence();
        found.sort_by(|a, b| promise(b).total_cmp(&promise(a)));
        let mut edges: Vec<Edge> = Vec::new();
        for candidate in found {
            let edge = candidate.edge(self.yields(candidate.from));
            let same = |e: &Edge| e.maker == edge.maker && e.yields == edge.yields;
            if edges.len() < MOST_EDGES && !edges.iter().any(same) {
                edges.push(edge);
            }
        }
        edges
    }

    fn yields(&self, from: From<'_>) -> Yield {
        match from {
            From::Sent(pointer) => Yield::SentBody(pointer.to_owned()),
            From::Answer(pointer) => Yield::Answer(Take::Pointer(pointer.to_owned())),
            From::Field(pointer, on, leaf) => {
                let field = self.api.types.fields(on).get(leaf.field as usize);
                let name = field.map_or("", |field| &*field.name);
                let pointer = format!("{pointer}/{name}{}", items(leaf.lists));
                Yield::Answer(Take::Pointer(pointer))
            }
        }
    }

    /// Wherever a thing of the type comes back, its key does too. What an interface asks for, any
    /// of its types has; and where the interface comes back, it may be the thing.
    fn by_type(&self, aim: TypeId, wanted: &Wanted, found: &mut Vec<Candidate<'a>>) {
        let types = &self.api.types;
        self.by_kind(aim, wanted, (MOST_PLACES, wanted.sure), found);
        match &types.get(aim).kind {
            TypeKind::Object(object) => {
                for on in &object.interfaces {
                    self.by_kind(*on, wanted, (4, wanted.sure * 0.6), found);
                }
            }
            _ => {
                for on in types.possible(aim) {
                    self.by_kind(*on, wanted, (2, wanted.sure), found);
                }
            }
        }
    }

    /// At most so many places, and as sure as that.
    fn by_kind(
        &self,
        on: TypeId,
        wanted: &Wanted,
        (most, sure): (usize, f64),
        found: &mut Vec<Candidate<'a>>,
    ) {
        let places = self.sources.holding(on);
        if places.is_empty() || self.is_other_sort(on, wanted) {
            return;
        }
        for leaf in self.names.leaves(on) {
            let alike = likeness(self.names.words(on), leaf, &wanted.key);
            if wanted.natural && alike < VERY {
                continue;
            }
            let fit = alike * wanted.sort.takes(leaf.sort) * sure;
            if fit > 0.0 {
                let candidates = places.iter().take(most).map(|s| field(s, on, leaf, fit));
                add_once_each(found, candidates);
            }
        }
    }

    /// The very key that is wanted is of a sort that is refused: its other names won't do either.
    fn is_other_sort(&self, on: TypeId, wanted: &Wanted) -> bool {
        let mut leaves = self.names.leaves(on).iter();
        let same = leaves.find(|leaf| leaf.words == wanted.key);
        same.is_some_and(|leaf| wanted.sort.takes(leaf.sort) <= 0.0)
    }

    /// What the caller chose itself: the `name` of a tenant is known before the tenant is there.
    fn by_sent(&self, aim: TypeId, wanted: &Wanted, found: &mut Vec<Candidate<'a>>) {
        let from = self.sent.partition_point(|sent| sent.thing < aim);
        let own = self.sent.iter().skip(from).take_while(|s| s.thing == aim);
        for sent in own.filter(|sent| sent.words == wanted.key) {
            let base = if sent.required { 0.7 } else { 0.15 };
            found.push(Candidate {
                maker: sent.maker,
                evidence: Evidence::Creator,
                fit: base * wanted.sure * wanted.sort.takes(sent.sort),
                from: From::Sent(&sent.pointer),
            });
        }
    }

    /// Operations that answer with the key and nothing else.
    fn by_key(&self, wanted: &Wanted, found: &mut Vec<Candidate<'a>>) {
        let of_type = wanted
            .aim
            .map(|on| wanted.key.qualified_by(self.names.words(on)));
        let words = of_type.as_ref().unwrap_or(&wanted.need.words);
        for (source, sort) in self.sources.keys_called(words) {
            found.push(Candidate {
                maker: source.maker,
                evidence: source.evidence,
                fit: source.fit * wanted.sort.takes(*sort),
                from: From::Answer(&source.pointer),
            });
        }
    }

    /// Fields of the same name anywhere: `authorId` of a book is the author's.
    fn by_name(&self, consumer: OperationIndex, wanted: &Wanted, found: &mut Vec<Candidate<'a>>) {
        let new = self.makes(consumer);
        for (on, leaf) in self
            .names
            .leaves_called(&wanted.need.words)
            .take(MOST_PLACES)
        {
            // A second thing of the same kind must not get the first one's values.
            if new.is_some_and(|thing| thing == on) {
                continue;
            }
            let places = self.sources.holding(on).iter();
            let others = places.filter(|source| source.maker != consumer);
            let fit = wanted.sort.takes(leaf.sort);
            if fit <= 0.0 {
                continue;
            }
            let named = others
                .take(4)
                .map(|s| self.mention(s, on, leaf, wanted, fit));
            add_once_each(found, named);
        }
    }

    /// A mention makes nothing, unless it is all that a creation answers: `{bookId}`.
    fn mention(
        &self,
        source: &'a Source,
        on: TypeId,
        leaf: &'a Leaf,
        wanted: &Wanted,
        fit: f64,
    ) -> Candidate<'a> {
        let subject = self.subjects[source.maker.0 as usize].as_ref();
        let told = subject.is_some_and(|s| s.words == wanted.need.words.subject());
        let creates = self.api.operation(source.maker).deed() == Deed::Create;
        let (evidence, most) = match source.evidence {
            _ if creates && source.top && told => (Evidence::Creator, 0.8),
            Evidence::Lister => (Evidence::Lister, 0.4),
            _ => (Evidence::SameName, 0.3),
        };
        Candidate {
            maker: source.maker,
            evidence,
            fit: most * fit,
            from: From::Field(&source.pointer, on, leaf),
        }
    }

    fn makes(&self, operation: OperationIndex) -> Option<TypeId> {
        let creates = self.api.operation(operation).deed() == Deed::Create;
        let subject = self.subjects[operation.0 as usize].as_ref();
        subject.filter(|_| creates)?.thing
    }
}

impl Candidate<'_> {
    fn edge(&self, yields: Yield) -> Edge {
        Edge::new(self.maker, yields, self.evidence, self.fit)
    }
}

fn field<'a>(source: &'a Source, on: TypeId, leaf: &'a Leaf, fit: f64) -> Candidate<'a> {
    Candidate {
        maker: source.maker,
        evidence: source.evidence,
        fit: source.fit * fit,
        from: From::Field(&source.pointer, on, leaf),
    }
}

/// One maker is asked in one way: the first, which is its best.
fn add_once_each<'a>(
    found: &mut Vec<Candidate<'a>>,
    candidates: impl Iterator<Item = Candidate<'a>>,
) {
    let from = found.len();
    for candidate in candidates {
        let known = found.iter().skip(from).any(|c| c.maker == candidate.maker);
        if !known {
            found.push(candidate);
        }
    }
}
