//! A promise from an operation: `CollectFields` of the GraphQL specification, for every type that
//! an object may turn out to be of.
//!
//! Fields of one key are merged, parts count where their type fits, `@skip` and `@include` are
//! obeyed. Types that come to the same are told together, and an object that is asked for in the
//! same way in several places is worked out once, so that a selection on an interface with
//! hundreds of implementers stays small.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::sync::Arc;

use fossick_contract::{TypeGraph, TypeId};
use fossick_query::{Asked, Document, Pick};
use indexmap::IndexMap;
use serde_json::{Map, Value};

use super::included::{Included, included};
use super::leaf::Leaf;
use super::{Case, Held, Set, SetId, Strictness, Wanted, What};

pub(super) struct Build<'a> {
    types: &'a TypeGraph,
    document: &'a Document,
    variables: &'a Map<String, Value>,
    strictness: Strictness,
    sets: Vec<Set>,
    /// By the type and the places of the merged selections.
    known: BTreeMap<(TypeId, Vec<usize>), SetId>,
    leaves: BTreeMap<TypeId, Arc<Leaf>>,
}

/// What stands under a key while its fields are being merged.
struct Draft<'a> {
    name: &'a str,
    certain: bool,
    /// Asked for surely in one place and perhaps in another: what is below it, nobody can say.
    mixed: bool,
    picks: Vec<&'a [Pick]>,
}

impl<'a> Build<'a> {
    pub(super) fn new(
        types: &'a TypeGraph,
        document: &'a Document,
        variables: &'a Map<String, Value>,
        strictness: Strictness,
    ) -> Self {
        Self {
            types,
            document,
            variables,
            strictness,
            sets: Vec::new(),
            known: BTreeMap::new(),
            leaves: BTreeMap::new(),
        }
    }

    pub(super) fn finish(self) -> Vec<Set> {
        self.sets
    }

    /// The set of selections that are merged on a type.
    pub(super) fn set(&mut self, on: TypeId, picks: &[&'a [Pick]]) -> SetId {
        let id = self.sets.len();
        let places = picks.iter().map(|picks| picks.as_ptr() as usize);
        match self.known.entry((on, places.collect())) {
            Entry::Occupied(known) => return *known.get(),
            Entry::Vacant(place) => _ = place.insert(id),
        }
        self.sets.push(Set::default());
        let types = self.types;
        let mut cases: Vec<Case> = Vec::new();
        for shown in types.possible(on) {
            let keys = self.keys(*shown, picks);
            let name = Arc::clone(&types.get(*shown).name);
            match cases.iter_mut().find(|case| alike(&case.keys, &keys)) {
                Some(case) => case.types.push(name),
                None => cases.push(Case {
                    types: vec![name],
                    keys,
                }),
            }
        }
        let on = Arc::clone(&types.get(on).name);
        // What several types have in common is the fault of none of them.
        for case in cases.iter_mut().filter(|case| case.types.len() > 1) {
            for wanted in &mut case.keys {
                let field = wanted.owner.split('.').next_back().unwrap_or_default();
                wanted.owner = format!("{on}.{field}").into();
            }
        }
        self.sets[id] = Set { on, cases };
        id
    }

    /// What an object of this type must hold.
    fn keys(&mut self, shown: TypeId, picks: &[&'a [Pick]]) -> Vec<Wanted> {
        let mut drafts = IndexMap::new();
        for picks in picks {
            self.collect(picks, shown, true, &mut drafts);
        }
        let drafts = drafts.iter();
        drafts
            .map(|(key, draft)| self.finished(shown, key, draft))
            .collect()
    }

    fn collect(
        &self,
        picks: &'a [Pick],
        shown: TypeId,
        certain: bool,
        drafts: &mut IndexMap<&'a str, Draft<'a>>,
    ) {
        for pick in picks {
            let directives = match pick {
                Pick::Field(asked) => &asked.directives,
                Pick::Part(part) => &part.directives,
            };
            let certain = match included(directives, self.document, self.variables) {
                Included::Yes => certain,
                Included::No => continue,
                Included::Unsure => false,
            };
            match pick {
                Pick::Field(asked) => merge(drafts, asked, certain),
                Pick::Part(part) if self.holds(part.on.as_deref(), shown) => {
                    self.collect(&part.picks, shown, certain, drafts);
                }
                Pick::Part(_) => {}
            }
        }
    }

    /// Whether a part on this type counts for an object of that one.
    fn holds(&self, on: Option<&str>, shown: TypeId) -> bool {
        let Some(on) = on else {
            return true;
        };
        let part = self.types.find(on);
        part.is_some_and(|part| part == shown || self.types.possible(part).contains(&shown))
    }

    fn finished(&mut self, shown: TypeId, key: &str, draft: &Draft<'a>) -> Wanted {
        Wanted {
            key: key.into(),
            owner: format!("{}.{}", self.types.get(shown).name, draft.name).into(),
            certain: draft.certain,
            held: self.held(shown, draft),
        }
    }

    fn held(&mut self, shown: TypeId, draft: &Draft<'a>) -> Held {
        if draft.name == "__typename" {
            return Held::Typename;
        }
        let types = self.types;
        let Some(field) = types.field(shown, draft.name) else {
            return self.untold(shown, draft.name);
        };
        let named = field.returns.named;
        let what = match self.leaf(named) {
            Some(leaf) => What::Leaf(leaf),
            None if draft.mixed => return Held::Anything,
            None => What::Object(self.set(named, &draft.picks)),
        };
        Held::Value {
            nullable: field.returns.nullable.clone(),
            what,
        }
    }

    fn untold(&self, shown: TypeId, name: &str) -> Held {
        let mut cut = self.types.cut_off.iter();
        let cut = cut.find(|cut| cut.on == shown && &*cut.field == name);
        cut.map_or(Held::Anything, |cut| Held::Untold {
            nullable: cut.nullable,
            listed: cut.listed,
        })
    }

    fn leaf(&mut self, named: TypeId) -> Option<Arc<Leaf>> {
        if let Some(known) = self.leaves.get(&named) {
            return Some(Arc::clone(known));
        }
        let leaf = Arc::new(Leaf::of(self.types.get(named), self.strictness)?);
        self.leaves.insert(named, Arc::clone(&leaf));
        Some(leaf)
    }
}

fn merge<'a>(drafts: &mut IndexMap<&'a str, Draft<'a>>, asked: &'a Asked, certain: bool) {
    let draft = drafts.entry(asked.key()).or_insert_with(|| Draft {
        name: &asked.name,
        certain,
        mixed: false,
        picks: Vec::new(),
    });
    draft.mixed |= draft.certain != certain;
    draft.certain |= certain;
    draft.picks.push(&asked.picks);
}

/// Whether two types come to the same, but for their names.
fn alike(one: &[Wanted], other: &[Wanted]) -> bool {
    let same =
        |(a, b): (&Wanted, &Wanted)| a.key == b.key && a.certain == b.certain && a.held == b.held;
    one.len() == other.len() && one.iter().zip(other).all(same)
}
