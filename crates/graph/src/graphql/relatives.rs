//! Operations on the same thing: who reads what another changes, and who lists it.
//!
//! REST tells by the path; GraphQL by what comes back and what the keys are called.

use std::collections::HashMap;

use fossick_contract::{Api, Deed, Operation, OperationIndex, RootField, TypeId};

use super::arguments::{arguments, properties};
use super::names::{Names, without_owner};
use super::needs::Wanted;
use super::subject::Subject;
use crate::{Place, Words};

#[derive(Debug, Default, Clone, Copy)]
pub(crate) struct Relatives {
    pub(crate) reader: Option<OperationIndex>,
    pub(crate) lister: Option<OperationIndex>,
}

/// A query of one thing.
struct Reader {
    index: OperationIndex,
    /// What its keys are called, and whether each must be given.
    keys: Vec<(Words, bool)>,
    /// Arguments that must be given.
    required: usize,
}

struct Listing {
    index: OperationIndex,
    required: usize,
    name: usize,
}

#[derive(Default)]
struct Queries {
    readers: HashMap<TypeId, Vec<Reader>>,
    listers: HashMap<TypeId, Vec<Listing>>,
}

pub(crate) fn relatives(
    api: &Api,
    names: &Names<'_>,
    subjects: &[Option<Subject>],
    wanted: &[Vec<Wanted>],
) -> Vec<Relatives> {
    let queries = queries(api, names, subjects, wanted);
    let of = |(index, operation): (OperationIndex, &Operation)| {
        let root = operation.graphql.as_deref();
        let subject = subjects[index.0 as usize].as_ref();
        let (Some(root), Some(thing)) = (root, subject.and_then(|subject| subject.thing)) else {
            return Relatives::default();
        };
        Relatives {
            reader: queries.reader(root, thing, names),
            lister: queries.lister(index, thing),
        }
    };
    api.indexed().map(of).collect()
}

fn queries(
    api: &Api,
    names: &Names<'_>,
    subjects: &[Option<Subject>],
    wanted: &[Vec<Wanted>],
) -> Queries {
    let mut queries = Queries::default();
    for ((index, operation), subject) in api.indexed().zip(subjects) {
        let thing = subject.as_ref().and_then(|subject| subject.thing);
        let (Some(root), Some(thing)) = (&operation.graphql, thing) else {
            continue;
        };
        if root.deed != Deed::Read {
            continue;
        }
        let required = required_arguments(api, operation);
        if root.listed {
            let name = operation.label.len();
            let listing = Listing {
                index,
                required,
                name,
            };
            queries.listers.entry(thing).or_default().push(listing);
        } else if !root.keys.is_empty() {
            let wanted = &wanted[index.0 as usize];
            let keys = root.keys.iter().map(|key| {
                let must = wanted.iter().any(|w| must_be(w, key));
                (key_name(key, names.words(thing)), must)
            });
            let reader = Reader {
                index,
                keys: keys.collect(),
                required,
            };
            queries.readers.entry(thing).or_default().push(reader);
        }
    }
    queries
}

fn must_be(wanted: &Wanted, key: &str) -> bool {
    wanted.need.required && wanted.need.place == Place::Body(key.to_owned())
}

impl Queries {
    /// Whoever reads one thing by the keys that a change is given.
    fn reader(&self, root: &RootField, thing: TypeId, names: &Names<'_>) -> Option<OperationIndex> {
        if !root.deed.changes() {
            return None;
        }
        let words = names.words(thing);
        let given: Vec<Words> = root.keys.iter().map(|key| key_name(key, words)).collect();
        let has = |(name, _): &&(Words, bool)| given.contains(name);
        let fits = |reader: &&Reader| {
            let must = reader.keys.iter().filter(|(_, required)| *required);
            reader.keys.iter().any(|key| has(&key)) && must.clone().all(|key| has(&key))
        };
        let readers = self.readers.get(&thing)?.iter().filter(fits);
        let common = |reader: &Reader| reader.keys.iter().filter(has).count();
        let best = readers.min_by_key(|r| (usize::MAX - common(r), r.required));
        best.map(|reader| reader.index)
    }

    fn lister(&self, of: OperationIndex, thing: TypeId) -> Option<OperationIndex> {
        let listers = self.listers.get(&thing)?.iter();
        let others = listers.filter(|listing| listing.index != of);
        let best = others.min_by_key(|listing| (listing.required, listing.name));
        best.map(|listing| listing.index)
    }
}

fn required_arguments(api: &Api, operation: &Operation) -> usize {
    let arguments = arguments(operation).map(|shape| properties(api, shape));
    let arguments = arguments.unwrap_or_default().into_iter();
    arguments.filter(|property| property.required).count()
}

/// The last name of a key without the thing's own: `/input/bookId` of a book is `id`.
fn key_name(pointer: &str, owner: &Words) -> Words {
    let is_item = |part: &&str| !part.bytes().all(|byte| byte.is_ascii_digit());
    let last = pointer.rsplit('/').find(is_item).unwrap_or_default();
    let key = without_owner(&Words::of(last), owner);
    if key.is_empty() {
        return Words::of("id");
    }
    key
}
