//! What the types of a schema and their fields are called.
//!
//! Every name is taken apart once; whoever joins needs to yields looks words up here. It knows
//! nothing of operations.

use std::collections::{HashMap, HashSet};

use fossick_contract::{JsonKind, Scalar, TypeGraph, TypeId, TypeKind};
use indexmap::IndexMap;

use crate::Words;

/// What a value is made of, as far as it decides whether one may stand for another.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Sort {
    Id,
    Integer,
    Text,
    /// A scalar of the schema's own.
    Other,
}

impl Sort {
    /// How well a value of another sort stands where this one is wanted: a server takes no text
    /// for an integer, nor an integer for a text.
    pub(crate) fn takes(self, given: Self) -> f64 {
        match (self, given) {
            (Self::Integer, Self::Text) | (Self::Text, Self::Integer) => 0.0,
            (Self::Integer, Self::Id) => 0.6,
            (Self::Integer | Self::Other, Self::Other | Self::Integer) if self != given => 0.8,
            (Self::Text | Self::Other, _) if self != given => 0.9,
            _ => 1.0,
        }
    }
}

/// A scalar field that could be somebody's key.
#[derive(Debug, Clone)]
pub(crate) struct Leaf {
    pub(crate) field: u32,
    pub(crate) words: Words,
    pub(crate) sort: Sort,
    /// How many lists it stands in.
    pub(crate) lists: usize,
}

#[derive(Debug)]
pub(crate) struct Names<'a> {
    pub(crate) types: &'a TypeGraph,
    words: Vec<Words>,
    leaves: Vec<Vec<Leaf>>,
    /// Fields that hold something with parts, connections taken off.
    parts: Vec<Vec<(Words, TypeId)>>,
    by_words: HashMap<Words, TypeId>,
    /// Scalar fields whose name says enough on its own: type, and place among its leaves.
    by_leaf: HashMap<Words, Vec<(TypeId, u32)>>,
    /// What fields of this name hold anywhere in the schema, the commonest first.
    roles: HashMap<Words, Vec<TypeId>>,
}

/// Endings that say how a type is used and not what it is.
const MANNERS: [&str; 6] = ["type", "node", "object", "model", "entiti", "dto"];

impl<'a> Names<'a> {
    pub(crate) fn of(types: &'a TypeGraph) -> Self {
        let mut names = Self {
            types,
            words: plain_words(types),
            leaves: types.iter().map(|(id, _)| leaves(types, id)).collect(),
            parts: types.iter().map(|(id, _)| parts(types, id)).collect(),
            by_words: HashMap::new(),
            by_leaf: HashMap::new(),
            roles: HashMap::new(),
        };
        names.index_types();
        names.index_leaves();
        names.index_roles();
        names
    }

    /// The name of a type without what only says how it is used: `BookNode` is a `book`.
    pub(crate) fn words(&self, id: TypeId) -> &Words {
        &self.words[id.0 as usize]
    }

    pub(crate) fn leaves(&self, id: TypeId) -> &[Leaf] {
        &self.leaves[id.0 as usize]
    }

    /// Every scalar field that goes by these words, with its type.
    pub(crate) fn leaves_called(&self, words: &Words) -> impl Iterator<Item = (TypeId, &Leaf)> {
        let found = self.by_leaf.get(words).into_iter().flatten();
        found.filter_map(|(on, at)| Some((*on, self.leaves(*on).get(*at as usize)?)))
    }

    pub(crate) fn type_called(&self, words: &Words) -> Option<TypeId> {
        self.by_words.get(words).copied()
    }

    /// The type that a longer name is about: `UserWhereUniqueInput` and `deleteUser` say `User`.
    pub(crate) fn type_within(
        &self,
        words: &Words,
        fits: impl Fn(TypeId) -> bool,
    ) -> Option<TypeId> {
        let count = words.0.len();
        let runs = (0..count).flat_map(|from| (from + 1..=count).rev().map(move |to| (from, to)));
        runs.filter_map(|(from, to)| words.0.get(from..to))
            .filter_map(|run| self.type_called(&Words(run.to_vec())))
            .find(|on| fits(*on))
    }

    /// What a role is played by: the field of that name in the thing at hand, a type of that name,
    /// or what fields of that name hold elsewhere; `newOwner` is an `owner`. Whatever it is must
    /// have the key that is wanted. Also tells how sure it is.
    pub(crate) fn resolve(
        &self,
        role: &Words,
        thing: Option<TypeId>,
        key: &Words,
    ) -> Option<(TypeId, f64)> {
        let fits = |on: &TypeId| self.has_key(*on, key);
        (0..role.0.len()).find_map(|from| {
            let role = Words(role.0.get(from..)?.to_vec());
            let sure = if from == 0 { 1.0 } else { 0.8 };
            let held = thing.and_then(|thing| self.held(thing, &role));
            let named = held.filter(fits).or_else(|| self.type_called(&role));
            let elsewhere = || self.roles.get(&role)?.iter().copied().find(fits);
            let found = named.filter(fits).map(|on| (on, sure));
            found.or_else(|| Some((elsewhere()?, sure * 0.8)))
        })
    }

    /// Whether things of this type have such a key, or one that may stand for it.
    pub(crate) fn has_key(&self, on: TypeId, key: &Words) -> bool {
        const FEW: usize = 8;
        let has = |on: TypeId| {
            let mut leaves = self.leaves(on).iter();
            leaves.any(|leaf| likeness(self.words(on), leaf, key) > 0.0)
        };
        let types = self.types;
        let parts = || types.possible(on).iter().take(FEW).any(|part| has(*part));
        has(on) || (types.get(on).is_abstract() && parts())
    }

    /// Lets a name stand for a type, after all that fields say: whoever makes a `customer` makes
    /// a `User`.
    pub(crate) fn learn(&mut self, role: Words, on: TypeId) {
        let known = self.roles.entry(role).or_default();
        if !known.contains(&on) {
            known.push(on);
        }
    }

    /// What a field of this type holds, where it holds something with parts.
    pub(crate) fn held(&self, on: TypeId, role: &Words) -> Option<TypeId> {
        let mut parts = self.parts[on.0 as usize].iter();
        parts.find(|(name, _)| name == role).map(|(_, held)| *held)
    }

    /// What a column leads to, where a field says so in its name: `userByAuthorId`.
    pub(crate) fn led_to(&self, on: TypeId, column: &Words) -> Option<TypeId> {
        let leads = |name: &Words| {
            let before = name.0.strip_suffix(column.0.as_slice());
            before.is_some_and(|before| before.last().is_some_and(|word| word == "by"))
        };
        let mut parts = self.parts[on.0 as usize].iter();
        parts.find(|(name, _)| leads(name)).map(|(_, held)| *held)
    }

    fn index_types(&mut self) {
        let things = || {
            let composite = self.types.iter().filter(|(_, kind)| kind.is_composite());
            composite.filter(|(id, _)| !is_root(self.types, *id))
        };
        let mut by_words = HashMap::new();
        for (id, kind) in things() {
            by_words.entry(Words::of(&kind.name)).or_insert(id);
        }
        for (id, _) in things() {
            by_words.entry(self.words(id).clone()).or_insert(id);
        }
        self.by_words = by_words;
    }

    fn index_leaves(&mut self) {
        for (on, leaves) in self.leaves.iter().enumerate() {
            let on = TypeId(on as u32);
            if is_root(self.types, on) {
                continue;
            }
            for (at, leaf) in leaves.iter().enumerate() {
                if !leaf.words.is_bare() {
                    let all = self.by_leaf.entry(leaf.words.clone()).or_default();
                    all.push((on, at as u32));
                }
            }
        }
    }

    fn index_roles(&mut self) {
        let mut counts: IndexMap<Words, IndexMap<TypeId, usize>> = IndexMap::new();
        for (on, parts) in self.parts.iter().enumerate() {
            if is_root(self.types, TypeId(on as u32)) {
                continue;
            }
            for (name, held) in parts {
                let of_name = counts.entry(name.clone()).or_default();
                *of_name.entry(*held).or_default() += 1;
            }
        }
        let commonest_first = |mut held: IndexMap<TypeId, usize>| {
            held.sort_by(|_, a, _, b| b.cmp(a));
            held.into_keys().collect()
        };
        self.roles = counts
            .into_iter()
            .map(|(words, held)| (words, commonest_first(held)))
            .collect();
    }
}

/// The types that every operation starts from: reached from below they would hold everything.
pub(crate) fn is_root(types: &TypeGraph, id: TypeId) -> bool {
    types.query == Some(id) || types.mutation == Some(id)
}

/// The words of every type. An ending stays where something else goes by the rest: a
/// `ProductType` is no `Product`.
fn plain_words(types: &TypeGraph) -> Vec<Words> {
    let whole: Vec<Words> = types
        .iter()
        .map(|(_, kind)| Words::of(&kind.name))
        .collect();
    let taken: HashSet<&Words> = whole.iter().collect();
    let plain = |words: &Words| without_manner(words).filter(|rest| !taken.contains(rest));
    whole
        .iter()
        .map(|words| plain(words).unwrap_or_else(|| words.clone()))
        .collect()
}

/// The words of a type without an ending that says how it is used, if it has one.
pub(crate) fn without_manner(words: &Words) -> Option<Words> {
    let (last, rest) = words.0.split_last()?;
    let is_manner = !rest.is_empty() && MANNERS.contains(&last.as_str());
    is_manner.then(|| Words(rest.to_vec()))
}

/// How well a field of a thing is the key that is wanted, by their names.
pub(crate) fn likeness(owner: &Words, leaf: &Leaf, key: &Words) -> f64 {
    match () {
        () if leaf.words == *key => 1.0,
        () if leaf.words == key.qualified_by(owner) => 0.95,
        () if !is_id(key) => 0.0,
        () if is_id(&leaf.words) => 0.8,
        () if is_row(&leaf.words) => 0.7,
        () if leaf.sort == Sort::Id => 0.5,
        () => 0.0,
    }
}

fn is_id(words: &Words) -> bool {
    matches!(words.0.as_slice(), [word] if ["id", "uuid", "guid", "pk"].contains(&word.as_str()))
}

/// The number of a row beside a key that is the same for all types.
fn is_row(words: &Words) -> bool {
    let row = |word: &str| matches!(word, "row" | "databas" | "intern" | "legaci");
    matches!(words.0.as_slice(), [first, last] if row(first) && last == "id")
}

/// A key without the name of what it is a key of: `bookId` of a `Book`, `variantId` of a
/// `ProductVariant`. Nothing is left of a name that is the thing's alone.
pub(crate) fn without_owner(name: &Words, owner: &Words) -> Words {
    let mut endings = (0..owner.0.len()).filter_map(|from| owner.0.get(from..));
    let rest = endings.find_map(|ending| name.0.strip_prefix(ending));
    Words(rest.unwrap_or(&name.0).to_vec())
}

fn parts(types: &TypeGraph, on: TypeId) -> Vec<(Words, TypeId)> {
    let fields = types.fields(on).iter();
    fields
        .filter(|field| types.get(field.returns.named).is_composite())
        .map(|field| {
            let held = unwrapped(types, field.returns.named);
            (Words::of(&field.name), held)
        })
        .collect()
}

/// What a connection connects to; any other type is itself.
fn unwrapped(types: &TypeGraph, on: TypeId) -> TypeId {
    let inner = |on, name| types.field(on, name).map(|field| field.returns.named);
    let node = inner(on, "edges").and_then(|edge| inner(edge, "node"));
    let found = node.or_else(|| inner(on, "nodes"));
    let with_parts = found.filter(|found| types.get(*found).is_composite());
    with_parts.unwrap_or(on)
}

/// Deprecated fields come last, so that others are preferred.
pub(crate) fn leaves(types: &TypeGraph, on: TypeId) -> Vec<Leaf> {
    let all = |deprecated: bool| {
        let fields = types.fields(on).iter().enumerate();
        fields
            .filter(move |(_, field)| field.deprecated == deprecated && !field.needs_arguments())
            .filter_map(|(at, field)| {
                Some(Leaf {
                    field: at as u32,
                    words: Words::of(&field.name),
                    sort: sort_of(types, field.returns.named)?,
                    lists: field.returns.lists(),
                })
            })
    };
    all(false).chain(all(true)).collect()
}

/// The sort of a type that can be a key: flags, fractions and moments in time can't.
pub(crate) fn sort_of(types: &TypeGraph, id: TypeId) -> Option<Sort> {
    let TypeKind::Scalar(scalar) = &types.get(id).kind else {
        return None;
    };
    match scalar {
        Scalar::Id => Some(Sort::Id),
        Scalar::Int => Some(Sort::Integer),
        Scalar::String => Some(Sort::Text),
        Scalar::Float | Scalar::Boolean => None,
        Scalar::Custom { json, format } => {
            let moment = |format: &str| ["date", "time", "duration"].map(|m| format.starts_with(m));
            let is_moment = format.as_deref().is_some_and(|f| moment(f).contains(&true));
            (!is_moment && *json != JsonKind::Number).then_some(Sort::Other)
        }
    }
}
