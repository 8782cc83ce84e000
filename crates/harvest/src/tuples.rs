//! Schema coverage: which fields of which types a schema has, and which of them calls ask for.
//!
//! A tuple is a type or interface with one of its fields, counted as `AutoGraphQL` counts: types
//! whose name begins with an underscore are the machinery's own and not counted, a field counts
//! for the type that it is asked of and not for those behind it, and mutations are in the sum
//! though queries alone never reach them. Published lists join both names in small letters
//! (`querywebhook`); [`Tuple::flat`] writes them so.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::sync::Arc;

use fossick_contract::{RootKind, TypeGraph, TypeId, TypeKind};
use fossick_query::{Document, Pick};

mod deduce;

#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Tuple {
    pub on: Arc<str>,
    pub field: Arc<str>,
}

impl Tuple {
    /// `querywebhook`
    pub fn flat(&self) -> String {
        format!("{}{}", self.on, self.field).to_lowercase()
    }
}

impl fmt::Display for Tuple {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.on, self.field)
    }
}

/// The tuples of a schema.
pub struct Tuples<'g> {
    graph: &'g TypeGraph,
    /// Fields whose type the schema does not name, with what it is taken for.
    cut: BTreeMap<TypeId, BTreeMap<Arc<str>, Option<TypeId>>>,
}

/// What is below a field.
enum Below {
    Type(TypeId),
    /// The schema has the field and does not say.
    Untold,
    NoSuchField,
}

impl<'g> Tuples<'g> {
    /// Of a schema. Where it leaves types unnamed, the operations that were seen tell what they
    /// must be.
    pub fn new(graph: &'g TypeGraph, seen: &[&Document]) -> Self {
        let mut tuples = Self {
            graph,
            cut: BTreeMap::new(),
        };
        for cut in &graph.cut_off {
            let fields = tuples.cut.entry(cut.on).or_default();
            fields.insert(Arc::clone(&cut.field), None);
        }
        deduce::deduce(&mut tuples, seen);
        tuples
    }

    /// The object types of the schema.
    pub fn types(&self) -> usize {
        let types = self.graph.iter().filter(|(_, kind)| counts(&kind.name));
        types
            .filter(|(_, kind)| matches!(kind.kind, TypeKind::Object(_)))
            .count()
    }

    /// The fields of the query root.
    pub fn entry_points(&self) -> usize {
        let root = self.graph.query;
        root.map_or(0, |root| self.fields(root).count())
    }

    pub fn all(&self) -> BTreeSet<Tuple> {
        let types = self.graph.iter().filter(|(_, kind)| counts(&kind.name));
        types
            .flat_map(|(id, _)| self.fields(id).map(move |field| self.tuple(id, field)))
            .collect()
    }

    /// The tuples that an operation asks for.
    pub fn asked(&self, document: &Document) -> BTreeSet<Tuple> {
        let mut found = BTreeSet::new();
        if let Some(root) = self.root(document) {
            self.collect(&document.picks, Some(root), &mut found);
        }
        found
    }

    fn root(&self, document: &Document) -> Option<TypeId> {
        match document.kind {
            RootKind::Query => self.graph.query,
            RootKind::Mutation => self.graph.mutation,
        }
    }

    fn fields(&self, on: TypeId) -> impl Iterator<Item = &str> {
        let told = self.graph.fields(on).iter().map(|field| &*field.name);
        let cut = self.cut.get(&on).into_iter().flatten();
        told.chain(cut.map(|(field, _)| &**field))
    }

    fn has(&self, on: TypeId, field: &str) -> bool {
        !matches!(self.below(on, field), Below::NoSuchField)
    }

    fn below(&self, on: TypeId, field: &str) -> Below {
        if let Some(field) = self.graph.field(on, field) {
            return Below::Type(field.returns.named);
        }
        match self.cut.get(&on).and_then(|fields| fields.get(field)) {
            Some(Some(taken_for)) => Below::Type(*taken_for),
            Some(None) => Below::Untold,
            None => Below::NoSuchField,
        }
    }

    /// Below a field that the schema does not have, parts still name their types. A document is no
    /// deeper than its reader lets it be.
    fn collect(&self, picks: &[Pick], on: Option<TypeId>, found: &mut BTreeSet<Tuple>) {
        for pick in picks {
            match pick {
                Pick::Field(asked) => {
                    let known = on.filter(|on| self.has(*on, &asked.name));
                    if let Some(on) = known.filter(|on| counts(&self.graph.get(*on).name)) {
                        found.insert(self.tuple(on, &asked.name));
                    }
                    let below = known.and_then(|on| match self.below(on, &asked.name) {
                        Below::Type(named) => Some(named),
                        _ => None,
                    });
                    self.collect(&asked.picks, below, found);
                }
                Pick::Part(part) => {
                    let named = part.on.as_deref().map_or(on, |name| self.graph.find(name));
                    self.collect(&part.picks, named, found);
                }
            }
        }
    }

    fn tuple(&self, on: TypeId, field: &str) -> Tuple {
        Tuple {
            on: Arc::clone(&self.graph.get(on).name),
            field: field.into(),
        }
    }
}

/// Whether a type is the service's own and not the machinery's.
fn counts(name: &str) -> bool {
    !name.starts_with('_')
}

#[cfg(test)]
mod tests {
    use fossick_contract::Api;
    use fossick_ingest::{NoFetch, Source, read};
    use serde_json::json;

    use super::*;

    fn api(text: &str) -> Api {
        let source = Source {
            name: "schema".to_owned(),
            text: text.to_owned(),
        };
        read(&source, &mut NoFetch).expect("a schema").api
    }

    fn document(text: &str) -> Document {
        fossick_query::read(text, None).expect("an operation")
    }

    fn told(tuples: &BTreeSet<Tuple>) -> Vec<String> {
        tuples.iter().map(Tuple::to_string).collect()
    }

    #[test]
    fn the_example_of_the_paper_has_thirteen_tuples_and_asks_for_four() {
        let api = api("interface Node { id: ID! }
            enum VideoTypeEnum { ANIMATION }
            type Teaser { title: String! subTitle: String publishedOnSite: Boolean url: String! duration: Float }
            type Video implements Node { id: ID! title: String! url: String! videoType: VideoTypeEnum teaser: Teaser }
            type Query { video(id: ID!): Video teasers(first: Int!): [Teaser] }");
        let asked = document("{ teasers(first: 2) { title subTitle url __typename } }");
        let tuples = Tuples::new(&api.types, &[]);
        assert_eq!((tuples.all().len(), tuples.types()), (13, 3));
        assert_eq!(tuples.entry_points(), 2);
        assert_eq!(tuples.asked(&asked).len(), 4);
    }

    #[test]
    fn a_field_counts_for_the_type_that_it_is_asked_of() {
        let api = api("interface Node { id: ID! } type _Meta { a: Int }
            type Saw implements Node { id: ID! } type Query { node: Node gone: _Meta }");
        let asked =
            document("{ node { id ... on Saw { id } } gone { a } old { ... on Saw { id } } }");
        let found = Tuples::new(&api.types, &[]).asked(&asked);
        assert_eq!(
            told(&found),
            ["Node.id", "Query.gone", "Query.node", "Saw.id"]
        );
        assert_eq!(found.first().map(Tuple::flat).as_deref(), Some("nodeid"));
    }

    #[test]
    fn types_that_are_cut_off_are_told_by_what_is_asked_for_below() {
        let cut = json!({"kind": "NON_NULL", "name": null});
        let object = |name: &str, fields: &[&str]| {
            let fields: Vec<_> = fields
                .iter()
                .map(|field| json!({"name": field, "type": cut}))
                .collect();
            json!({"kind": "OBJECT", "name": name, "fields": fields})
        };
        let saws = json!({"name": "saws", "type": {"kind": "OBJECT", "name": "SawConnection"}});
        let schema = json!({"__schema": {"types": [
            {"kind": "OBJECT", "name": "Query", "fields": [saws, {"name": "box", "type": cut}]},
            object("SawConnection", &["edges"]), object("SawEdge", &["node"]),
            object("DrillEdge", &["node"]), object("Saw", &["teeth", "name"]),
            object("Drill", &["watts", "name"]), object("Lid", &["shut"]), object("Box", &["shut"])]}});
        let asked = document("{ saws { edges { node { teeth } } } box { shut } }");
        let api = api(&schema.to_string());
        let tuples = Tuples::new(&api.types, &[&asked]);
        assert_eq!(tuples.all().len(), 11);
        let found = told(&tuples.asked(&asked));
        assert_eq!(
            found,
            [
                "Box.shut",
                "Query.box",
                "Query.saws",
                "Saw.teeth",
                "SawConnection.edges",
                "SawEdge.node"
            ]
        );
        assert_eq!(
            tuples
                .asked(&document("{ saws { edges { node { name } } } }"))
                .len(),
            4
        );
    }
}
