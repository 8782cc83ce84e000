//! What can be made here, and what tells one of its kind from another.
//!
//! Databases are full of references that no type shows: `project: String!` holds the key of a
//! `Project`. Which field that key is, the queries of one thing tell by what they ask for.

use std::collections::HashMap;

use fossick_contract::{Api, Deed, Operation, RootField, TypeGraph, TypeId};

use super::arguments::{arguments, properties};
use super::names::{Leaf, Names, Sort, without_owner};
use super::subject::Subject;
use crate::Words;

/// The keys by which things of one type are asked for.
#[derive(Debug, Clone, Default)]
pub(crate) struct Keys {
    /// Those that are enough on their own, the plainest first.
    alone: Vec<Words>,
    all: Vec<Words>,
}

pub(crate) struct Things {
    made: Vec<bool>,
    keys: HashMap<TypeId, Keys>,
    /// Types by what their first key is called, where only one has a key of that name.
    by_key: HashMap<Words, Option<TypeId>>,
}

impl Things {
    pub(crate) fn of(api: &Api, names: &Names<'_>, subjects: &[Option<Subject>]) -> Self {
        let mut things = Self {
            made: vec![false; api.types.len()],
            keys: HashMap::new(),
            by_key: HashMap::new(),
        };
        for (operation, subject) in api.operations.iter().zip(subjects) {
            let thing = subject.as_ref().and_then(|subject| subject.thing);
            let (Some(root), Some(thing)) = (&operation.graphql, thing) else {
                continue;
            };
            if root.deed == Deed::Create {
                things.made[thing.0 as usize] = true;
            }
            let keys = things.keys.entry(thing).or_default();
            keys.read(api, operation, root, thing, names.words(thing));
        }
        things.index_keys(&api.types);
        things
    }

    /// Whether some operation makes things of this type.
    pub(crate) fn is_made(&self, on: TypeId) -> bool {
        self.made[on.0 as usize]
    }

    pub(crate) fn keys(&self, on: TypeId) -> Option<&Keys> {
        self.keys.get(&on)
    }

    /// The one type whose things are known by a key of this name: `appName`.
    pub(crate) fn known_by(&self, words: &Words) -> Option<TypeId> {
        *self.by_key.get(words)?
    }

    fn index_keys(&mut self, types: &TypeGraph) {
        for (on, _) in types.iter() {
            let key = self.keys.get(&on).and_then(|keys| keys.alone.first());
            let Some(key) = key.filter(|key| key.0.len() > 1) else {
                continue;
            };
            let only = self.by_key.entry(key.clone()).or_insert(Some(on));
            if *only != Some(on) {
                *only = None;
            }
        }
    }
}

impl Keys {
    /// Adds what an operation tells, if it reads one thing.
    pub(crate) fn read(
        &mut self,
        api: &Api,
        operation: &Operation,
        root: &RootField,
        thing: TypeId,
        owner: &Words,
    ) {
        if root.deed != Deed::Read || root.listed || root.keys.is_empty() {
            return;
        }
        let mut own: Vec<Words> = Vec::new();
        let called = root
            .keys
            .iter()
            .filter_map(|key| called(&api.types, thing, owner, key));
        for words in called.chain(fields_asked_for(api, operation, thing)) {
            if !own.contains(&words) {
                own.push(words);
            }
        }
        if let [only] = own.as_slice()
            && !self.alone.contains(only)
        {
            self.alone.push(only.clone());
            self.alone.sort_by_key(plainness);
        }
        self.all.extend(own);
    }

    /// What a reference holds of the thing that it refers to: the field of the same name where
    /// that is a key, or of the name without the thing's own, or else the thing's plainest key.
    pub(crate) fn meant(&self, on: &Target<'_>, column: &Words, sort: Sort) -> Option<Words> {
        let same = self.same(on, column, sort);
        let alone = || self.alone.iter().find(|key| on.gives(key, sort)).cloned();
        let found = same.or_else(alone);
        found.or_else(|| {
            let usual = USUAL.map(|name| Words(vec![name.to_owned()]));
            let own = [column.clone(), without_owner(column, on.words)];
            let mut rest = own.into_iter().chain(usual);
            rest.find(|key| self.alone.is_empty() && on.gives(key, sort))
        })
    }

    /// The key of the same name, with the thing's own name or without.
    pub(crate) fn same(&self, on: &Target<'_>, column: &Words, sort: Sort) -> Option<Words> {
        let own = without_owner(column, on.words);
        let is_key = |key: &Words| self.all.contains(key) && on.may_give(key, sort);
        let found = [column, &own].into_iter().find(|key| is_key(key));
        let unique = || Some(&own).filter(|own| looks_unique(own) && on.gives(own, sort));
        found.or_else(unique).cloned()
    }

    /// Whether things are known by it, or by the look of it could be.
    pub(crate) fn tells_apart(&self, key: &Words) -> bool {
        self.all.contains(key) || looks_unique(key)
    }
}

/// A type that is referred to.
pub(crate) struct Target<'a> {
    pub(crate) words: &'a Words,
    pub(crate) leaves: &'a [Leaf],
}

impl Target<'_> {
    pub(crate) fn gives(&self, key: &Words, sort: Sort) -> bool {
        self.leaf(key)
            .is_some_and(|leaf| sort.takes(leaf.sort) > 0.0)
    }

    /// Also moments, which are no leaves, but which a caller knows who sent them.
    fn may_give(&self, key: &Words, sort: Sort) -> bool {
        let leaf = self.leaf(key);
        leaf.is_none_or(|leaf| sort.takes(leaf.sort) > 0.0)
    }

    fn leaf(&self, key: &Words) -> Option<&Leaf> {
        let mut leaves = self.leaves.iter().filter(|leaf| leaf.lists == 0);
        leaves.find(|leaf| leaf.words == *key)
    }
}

/// Fields that tell things apart in most schemas, the commonest first.
const USUAL: [&str; 5] = ["id", "name", "slug", "key", "code"];

fn looks_unique(words: &Words) -> bool {
    const UNIQUE: [&str; 7] = ["name", "key", "slug", "code", "secret", "valu", "identifi"];
    matches!(words.0.as_slice(), [word] if UNIQUE.contains(&word.as_str()))
}

fn plainness(key: &Words) -> usize {
    let usual = |word: &str| USUAL.iter().position(|name| *name == word);
    match key.0.as_slice() {
        [word] => usual(word).unwrap_or(USUAL.len()),
        _ => USUAL.len(),
    }
}

/// What the field is called that an argument asks for; nothing for the key that all nodes have.
fn called(types: &TypeGraph, thing: TypeId, owner: &Words, pointer: &str) -> Option<Words> {
    let is_name = |part: &&str| !part.bytes().all(|byte| byte.is_ascii_digit());
    let name = pointer.rsplit('/').find(is_name)?;
    let words = Words::of(name);
    if words.0 == ["node", "id"] {
        return None;
    }
    if types.field(thing, name).is_some() {
        return Some(words);
    }
    let key = without_owner(&words, owner);
    Some(if key.is_empty() { Words::of("id") } else { key })
}

/// Arguments that must be given and are called like plain fields of the thing.
fn fields_asked_for(api: &Api, operation: &Operation, thing: TypeId) -> Vec<Words> {
    let shape = arguments(operation);
    let given = shape
        .map(|shape| properties(api, shape))
        .unwrap_or_default();
    let fields = given.into_iter().filter(|property| {
        property.required
            && &*property.name != "nodeId"
            && is_plain_field(&api.types, thing, &property.name)
    });
    fields.map(|property| Words::of(&property.name)).collect()
}

/// Whether things of this type have a scalar field of this very name.
pub(crate) fn is_plain_field(types: &TypeGraph, on: TypeId, name: &str) -> bool {
    types.field(on, name).is_some_and(|field| {
        field.returns.lists() == 0 && !types.get(field.returns.named).is_composite()
    })
}
