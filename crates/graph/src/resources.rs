//! Things by what they are called: whose path says how they are identified.
//!
//! Bodies refer to things under many names: `articleId`, `article`, `articleCode`, `sku`. Where
//! `/articles/{sku}` is a path, whatever fills its hole meets all of them.

use std::collections::{BTreeMap, BTreeSet};

use fossick_contract::{Api, Deed, Kind, Operation, OperationIndex, ShapeId};

use crate::path_words::{collection_of, nameless, owner_of_hole, same_place, thing};
use crate::{Need, Words};

/// Things of one kind, each with a path of its own.
#[derive(Debug)]
pub(crate) struct Resource {
    /// The path that they are kept at.
    collection: String,
    /// What they are called: `article`.
    owner: Words,
    /// What their key is called, by itself: `sku`.
    hole: Words,
    /// The same with its owner: `article sku`.
    key: Words,
    pub(crate) operation: OperationIndex,
    /// The need of the last hole.
    pub(crate) need: usize,
    shape: ShapeId,
}

#[derive(Debug, Default)]
pub(crate) struct Resources {
    all: Vec<Resource>,
    by_words: BTreeMap<Words, Vec<usize>>,
}

impl Resources {
    /// `hole_of` tells the need of an operation's last hole.
    pub(crate) fn of(
        api: &Api,
        hole_of: impl Fn(OperationIndex) -> Option<(usize, ShapeId)>,
    ) -> Self {
        let mut resources = Self::default();
        let mut places = BTreeSet::new();
        for (index, operation) in api.indexed() {
            if !operation.path.ends_with_hole() || !places.insert(nameless(&operation.path.text)) {
                continue;
            }
            let hole = operation.path.holes().last();
            if let (Some(hole), Some((need, shape))) = (hole, hole_of(index)) {
                let owner = owner_of_hole(&operation.path, hole);
                let collection = collection_of(&operation.path, hole);
                let hole = Words::of(hole);
                resources.add(Resource {
                    collection: collection.unwrap_or("").to_owned(),
                    key: hole.qualified_by(&owner),
                    owner,
                    hole,
                    operation: index,
                    need,
                    shape,
                });
            }
        }
        resources
    }

    fn add(&mut self, resource: Resource) {
        let at = self.all.len();
        for words in [&resource.owner, &resource.hole, &resource.key] {
            let known = self.by_words.entry(words.clone()).or_default();
            if !words.is_empty() && !known.contains(&at) {
                known.push(at);
            }
        }
        self.all.push(resource);
    }

    /// Resources that a sentence names and whose keys a need could hold.
    pub(crate) fn named_in(
        &self,
        api: &Api,
        need: &Need,
        said: &Words,
    ) -> impl Iterator<Item = &Resource> {
        let named = |resource: &&Resource| {
            let owner = &resource.owner.0;
            let said = !owner.is_empty() && said.0.windows(owner.len()).any(|part| part == owner);
            said && is_alike(api, need.shape, resource.shape)
        };
        let found: Vec<&Resource> = self.all.iter().filter(named).collect();
        found.into_iter()
    }

    /// Whether a field says what the things are called that are made at a path, by its words.
    pub(crate) fn is_key_at(&self, path: &str, words: &Words) -> bool {
        let named = self.by_words.get(words).into_iter().flatten();
        let mut named = named.map(|at| &self.all[*at]);
        named.any(|resource| resource.owner != *words && same_place(&resource.collection, path))
    }

    /// Resources that a need may refer to, each with how well the names fit.
    pub(crate) fn meant_by(
        &self,
        api: &Api,
        consumer: &Operation,
        need: &Need,
    ) -> Vec<(&Resource, f64)> {
        let mut found: BTreeMap<usize, f64> = BTreeMap::new();
        for words in endings(&need.words) {
            for at in self.by_words.get(&words).into_iter().flatten() {
                let resource = &self.all[*at];
                let fit = resource.fit(api, need);
                if fit > 0.0 && !resource.is_itself(consumer, need) {
                    found.insert(*at, fit);
                }
            }
        }
        let found = found.into_iter();
        found.map(|(at, fit)| (&self.all[at], fit)).collect()
    }
}

/// The words, and what is left when the first ones go; with and without a last word such as `id`.
fn endings(words: &Words) -> BTreeSet<Words> {
    let subject = words.subject();
    let all = [words, &subject].into_iter().flat_map(|words| {
        let starts = 0..words.0.len();
        starts.map(|from| Words(words.0[from..].to_vec()))
    });
    all.collect()
}

impl Resource {
    /// How well a need's name says that it refers to these, from 0 to 1.
    fn fit(&self, api: &Api, need: &Need) -> f64 {
        let words = &need.words;
        let ends = |with: &Words| words.0.ends_with(&with.0);
        let natural = !self.hole.is_bare() && !self.hole.is_empty();
        let called = || Words::of(&need.name) == self.hole;
        if self.owner.is_empty() || !is_alike(api, need.shape, self.shape) {
            return 0.0;
        }
        match () {
            () if *words == self.key => 0.95,
            () if natural && (*words == self.hole || called()) => 0.9,
            () if *words == self.owner => 0.85,
            () if ends(&self.key) => 0.7,
            // Another text may be called after a thing and still say something else.
            () if ends(&self.owner) && is_sure_key(api, need.shape) => 0.6,
            () if !need.doubtful && words.subject() == self.owner => 0.6,
            () if !need.doubtful && words.subject().0.ends_with(&self.owner.0) => 0.4,
            () => 0.0,
        }
    }

    /// Whether a field of the body says what the thing itself is called.
    fn is_itself(&self, consumer: &Operation, need: &Need) -> bool {
        let writes = matches!(consumer.deed(), Deed::Create | Deed::Replace | Deed::Update);
        let own_field = need.is_at(|pointer| {
            let names = pointer.split('/').skip(1);
            names.filter(|name| *name != "0").count() == 1
        });
        need.doubtful && writes && own_field && thing(&consumer.path) == self.owner
    }
}

/// Whether two places take the same sort of value.
fn is_alike(api: &Api, one: ShapeId, other: ShapeId) -> bool {
    match (&api.shape(one).kind, &api.shape(other).kind) {
        (Kind::String(one), Kind::String(other)) => {
            let uuid = |format: &Option<std::sync::Arc<str>>| format.as_deref() == Some("uuid");
            !uuid(&one.format) || uuid(&other.format) || other.format.is_none()
        }
        (Kind::Integer(_), Kind::Integer(_))
        | (Kind::Any | Kind::Choice(_), _)
        | (_, Kind::Any | Kind::Choice(_)) => true,
        _ => false,
    }
}

/// Numbers and UUIDs that are called after a thing can hardly mean anything else.
fn is_sure_key(api: &Api, shape: ShapeId) -> bool {
    match &api.shape(shape).kind {
        Kind::Integer(_) => true,
        Kind::String(text) => text.format.as_deref() == Some("uuid"),
        _ => false,
    }
}
