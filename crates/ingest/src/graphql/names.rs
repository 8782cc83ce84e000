//! The types of a graph by what their names say, so that `deleteBook` can be about a `BookType`.

use std::collections::{HashMap, HashSet};

use fossick_contract::{Type, TypeGraph, TypeId, TypeKind};

use super::pages::{has_identity, is_payload_name};
use super::words::{key, words};

/// The objects and interfaces of a graph, by what their names say.
pub(super) struct Names<'g> {
    pub(super) graph: &'g TypeGraph,
    by_key: HashMap<String, TypeId>,
}

/// Words that tell how a type is made and not what it is.
const TECHNICAL: [&str; 12] = [
    "type", "node", "object", "dto", "model", "entity", "gql", "output", "view", "record",
    "response", "detail",
];

impl<'g> Names<'g> {
    pub(super) fn new(graph: &'g TypeGraph) -> Self {
        let mut names = Self {
            graph,
            by_key: HashMap::new(),
        };
        let mutations = graph.mutation.map_or(&[][..], |id| graph.fields(id));
        let called: HashSet<String> = mutations
            .iter()
            .map(|field| key(&words(&field.name)))
            .collect();
        let is_thing = |(id, kind): &(TypeId, &Type)| {
            let answer =
                called.contains(&key(&words(&kind.name))) && !has_identity(graph.fields(*id));
            let composite = matches!(kind.kind, TypeKind::Object(_) | TypeKind::Interface(_));
            composite && !answer && !is_root(graph, *id)
        };
        let things: Vec<_> = graph.iter().filter(is_thing).collect();
        for (id, kind) in &things {
            let exact = key(&words(&kind.name));
            names.by_key.entry(exact).or_insert(*id);
        }
        for (id, _) in things
            .iter()
            .filter(|(_, kind)| !is_payload_name(&kind.name))
        {
            let plain = key(&names.words(*id));
            names.by_key.entry(plain).or_insert(*id);
        }
        names
    }

    /// The words of a type's name that say what it is.
    pub(super) fn words(&self, id: TypeId) -> Vec<String> {
        let mut all = words(&self.graph.get(id).name);
        while all.len() > 1
            && all
                .last()
                .is_some_and(|last| TECHNICAL.contains(&last.as_str()))
        {
            all.pop();
        }
        all
    }

    /// The type that these words name, all of them.
    pub(super) fn find(&self, words: &[String]) -> Option<TypeId> {
        self.by_key.get(&key(words)).copied()
    }

    /// Whether one is the other, or is implemented by it.
    pub(super) fn is_kin(&self, one: TypeId, other: TypeId) -> bool {
        let possible = |id, of| self.graph.possible(of).contains(&id);
        one == other || possible(one, other) || possible(other, one)
    }

    /// The type that the last of these words name.
    pub(super) fn find_last(&self, words: &[String]) -> Option<TypeId> {
        (0..words.len()).find_map(|start| self.find(words.get(start..)?))
    }
}

/// The roots give everything and are about nothing.
pub(super) fn is_root(graph: &TypeGraph, id: TypeId) -> bool {
    graph.query == Some(id) || graph.mutation == Some(id)
}
