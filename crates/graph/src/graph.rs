//! The graph itself: built from the document, taught by what happens.

mod alternatives;
mod by_resource;
mod refer;
mod traffic;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::OnceLock;

use fossick_contract::{Api, Deed, Link, Location, Method, Operation, OperationIndex, RootField};
use fossick_trace::Take;
use serde_json::Value;

use crate::graphql::{self, Relatives};
use crate::links::{echoes, linked_parameter, read_expression};
use crate::need::{Needs, needs_of};
use crate::path_words::{collection_of, item_of, same_place, thing};
use crate::property::Properties;
use crate::resources::Resources;
use crate::values::Origins;
use crate::yields::{self, Field};
use crate::{Edge, Evidence, Need, Place, Words, Yield};
pub use alternatives::{Alternative, Doubt};

/// More than this many ways to meet one need are never tried anyway.
pub(crate) const MOST_EDGES: usize = 12;
/// Answers of one operation that are read for fields nobody promised.
const ANSWERS_READ: u8 = 4;

#[derive(Debug, Default)]
pub struct Graph {
    pub(crate) needs: Vec<Vec<Need>>,
    /// By operation and need; best first when built, by confidence when asked.
    pub(crate) edges: Vec<Vec<Vec<Edge>>>,
    /// Fields that are called like things that nobody was seen to make yet.
    doubtful: Vec<Vec<Need>>,
    resources: Resources,
    fields: Vec<Vec<Field>>,
    read: Vec<u8>,
    by_words: BTreeMap<Words, Vec<(OperationIndex, usize)>>,
    origins: Origins,
    /// First readers, as far as they were asked for; forgotten when edges come.
    first_readers: Vec<OnceLock<Option<OperationIndex>>>,
    /// Of GraphQL operations; there are none for REST, whose paths tell.
    relatives: Vec<Relatives>,
    /// For each GraphQL operation, ways to things of every type that a need may be of.
    kinds: Vec<Vec<Alternative>>,
    /// References that services told of, so that each is looked into once.
    referred: BTreeSet<(OperationIndex, Words, Words)>,
    pub(crate) properties: Properties,
}

impl Graph {
    pub fn of(api: &Api) -> Self {
        if api.operations.iter().any(|o| o.graphql.is_some()) {
            return Self::of_types(api);
        }
        let (needs, doubtful) = needs_of_all(api);
        let mut graph = Self {
            needs,
            doubtful,
            fields: api
                .operations
                .iter()
                .map(|o| yields::declared(api, o))
                .collect(),
            read: vec![0; api.operations.len()],
            ..Self::default()
        };
        graph.index_fields();
        graph.edges = api
            .indexed()
            .map(|(index, _)| graph.edges_of(api, index))
            .collect();
        graph.read_resources(api);
        graph.add_links(api);
        graph.properties = Properties::of(api, &graph.needs, &graph.edges);
        graph.join_schemas(api);
        graph.forget_readers();
        graph
    }

    fn of_types(api: &Api) -> Self {
        let told = graphql::told(api);
        let properties = Properties::of(api, &told.needs, &told.edges);
        let mut graph = Self {
            properties,
            needs: told.needs,
            edges: told.edges,
            relatives: told.relatives,
            kinds: told.kinds,
            ..Self::default()
        };
        graph.forget_readers();
        graph
    }

    pub fn needs(&self, operation: OperationIndex) -> &[Need] {
        &self.needs[operation.0 as usize]
    }

    /// The need at a place, which may be one in any item of a list.
    pub fn need_at(&self, operation: OperationIndex, place: &Place) -> Option<usize> {
        let needs = self.needs(operation).iter();
        needs.clone().position(|n| n.place == *place).or_else(|| {
            let each = place.in_each_item()?;
            needs.clone().position(|n| n.place == each)
        })
    }

    /// Ways to meet a need, the most promising first.
    pub fn edges(&self, operation: OperationIndex, need: usize) -> Vec<&Edge> {
        let edges = self.edges[operation.0 as usize][need].iter();
        let mut edges: Vec<&Edge> = edges.filter(|edge| !edge.removed).collect();
        edges.sort_by(|a, b| b.confidence().total_cmp(&a.confidence()));
        edges
    }

    /// Operations that may meet a need, in no order.
    pub fn makers(
        &self,
        operation: OperationIndex,
        need: usize,
    ) -> impl Iterator<Item = OperationIndex> {
        let edges = self.edges[operation.0 as usize][need].iter();
        edges.filter(|edge| !edge.removed).map(|edge| edge.maker)
    }

    /// Operations that read one item which `maker` makes, with the need that identifies it.
    pub fn readers(&self, api: &Api, maker: OperationIndex) -> Vec<(OperationIndex, usize)> {
        if let Some(root) = &api.operation(maker).graphql {
            return self.typed_readers(api, maker, root);
        }
        let reads = |index: &OperationIndex| {
            let operation = api.operation(*index);
            operation.method == Method::Get && operation.path.ends_with_hole()
        };
        api.indexed()
            .map(|(index, _)| index)
            .filter(reads)
            .filter_map(|index| Some((index, self.last_hole(api, index)?)))
            .filter(|(index, need)| self.is_made_by(*index, *need, maker))
            .collect()
    }

    /// Queries of one thing, those of the very type that is made first.
    fn typed_readers(
        &self,
        api: &Api,
        maker: OperationIndex,
        made: &RootField,
    ) -> Vec<(OperationIndex, usize)> {
        let read = |(index, operation): (OperationIndex, &Operation)| {
            let root = operation.graphql.as_deref();
            let root = root.filter(|root| root.deed == Deed::Read && !root.listed)?;
            let needs = self.needs(index).iter().enumerate();
            let key = needs
                .filter(|(_, need)| need.is_at(|pointer| graphql::is_key(root, pointer)))
                .find(|(at, _)| self.is_made_by(index, *at, maker))?;
            Some((root.thing != made.thing, index, key.0))
        };
        let mut readers: Vec<_> = api.indexed().filter_map(read).collect();
        readers.sort_by_key(|(other, index, _)| (*other, *index));
        let found = readers.into_iter();
        found.map(|(_, index, need)| (index, need)).collect()
    }

    /// Whether an operation makes what another needs at one place.
    pub fn is_made_by(&self, index: OperationIndex, need: usize, maker: OperationIndex) -> bool {
        let mut edges = self.edges[index.0 as usize][need].iter();
        edges.any(|edge| edge.maker == maker && edge.evidence.makes())
    }

    /// Whether an operation makes something that another needs.
    pub fn is_made_for(&self, consumer: OperationIndex, maker: OperationIndex) -> bool {
        let needs = 0..self.needs(consumer).len();
        needs
            .into_iter()
            .any(|need| self.is_made_by(consumer, need, maker))
    }

    /// The query that reads the thing which a GraphQL operation changes or removes, by the same
    /// keys. REST tells by its paths instead.
    pub fn reader_of(&self, api: &Api, operation: OperationIndex) -> Option<OperationIndex> {
        api.operation(operation).graphql.as_ref()?;
        self.relatives.get(operation.0 as usize)?.reader
    }

    /// The handiest query that lists things of the kind which a GraphQL operation is about.
    pub fn lister_of(&self, api: &Api, operation: OperationIndex) -> Option<OperationIndex> {
        api.operation(operation).graphql.as_ref()?;
        self.relatives.get(operation.0 as usize)?.lister
    }

    /// The first of the readers; quick, since it is asked for again and again.
    pub fn first_reader(&self, api: &Api, maker: OperationIndex) -> Option<OperationIndex> {
        let find = || self.readers(api, maker).first().map(|(index, _)| *index);
        *self.first_readers.get(maker.0 as usize)?.get_or_init(find)
    }

    fn forget_readers(&mut self) {
        let fresh = (0..self.needs.len()).map(|_| OnceLock::new());
        self.first_readers = fresh.collect();
    }

    /// The need of an operation's last path hole.
    pub fn last_hole(&self, api: &Api, index: OperationIndex) -> Option<usize> {
        let operation = api.operation(index);
        let name = operation.path.holes().last()?;
        self.hole_need(operation, index, name)
    }

    fn hole_need(&self, operation: &Operation, index: OperationIndex, hole: &str) -> Option<usize> {
        let at = operation
            .parameters
            .iter()
            .position(|p| p.location == Location::Path && p.name == hole)?;
        self.need_at(index, &Place::Parameter(at))
    }

    /// What became of an edge that was used.
    pub fn record(
        &mut self,
        consumer: OperationIndex,
        need: usize,
        maker: OperationIndex,
        yields: &Yield,
        worked: bool,
    ) {
        if !self.properties.repair.on {
            return;
        }
        let Some(edges) = self.edges[consumer.0 as usize].get_mut(need) else {
            return;
        };
        if let Some(edge) = edges
            .iter_mut()
            .find(|e| e.maker == maker && e.yields == *yields)
        {
            if worked {
                edge.worked = edge.worked.saturating_add(1);
            } else {
                edge.failed = edge.failed.saturating_add(1);
            }
        }
    }

    /// Hears that a value worked at a need; where an answer gave that value, the two are joined.
    pub fn worked(&mut self, api: &Api, consumer: OperationIndex, need: usize, value: &Value) {
        let origin = self.origins.of(value).cloned();
        let deaf = !self.properties.repair.on || self.makes_itself(api, consumer, need);
        let Some((maker, pointer)) = origin.filter(|_| !deaf) else {
            return;
        };
        if maker != consumer {
            self.bring_back(consumer, need, maker, &pointer);
            let take = Yield::Answer(Take::Pointer(pointer));
            let edge = Edge::new(maker, take, Evidence::SeenValue, 1.0);
            self.add(api, consumer, need, vec![edge]);
        }
    }

    /// The answer that a value was first seen in, and where in it, for values that can hardly be
    /// equal by chance.
    pub fn origin(&self, value: &Value) -> Option<(OperationIndex, &str)> {
        let (maker, pointer) = self.origins.of(value)?;
        Some((*maker, pointer.as_str()))
    }

    /// Whether any value would do, since what is not there is made: `PUT /things/{id}`.
    pub(crate) fn makes_itself(&self, api: &Api, consumer: OperationIndex, need: usize) -> bool {
        let operation = api.operation(consumer);
        let last = || self.last_hole(api, consumer) == Some(need);
        operation.method == Method::Put && operation.path.ends_with_hole() && last()
    }

    /// Remembers the values of an answer, so that it is known where they came from.
    pub fn note_values(&mut self, maker: OperationIndex, body: &Value) {
        if self.is_typed() {
            self.origins.note_data(maker, body);
        } else {
            self.origins.note(maker, body);
        }
    }

    fn is_typed(&self) -> bool {
        !self.relatives.is_empty()
    }

    /// Reads an answer for fields that the document does not promise. Tells whether it learned.
    pub fn see(&mut self, api: &Api, index: OperationIndex, body: &Value) -> bool {
        let at = index.0 as usize;
        // What is asked for in GraphQL is declared: its answers hold nothing else.
        let done = !self.properties.repair.on || self.is_typed();
        if done || self.read[at] >= ANSWERS_READ {
            return false;
        }
        self.read[at] += 1;
        let learned = self.see_fields(api, index, body);
        self.recognise(api, index, body);
        learned
    }

    fn see_fields(&mut self, api: &Api, index: OperationIndex, body: &Value) -> bool {
        let at = index.0 as usize;
        let known = self.fields[at].len();
        for field in yields::seen(api.operation(index), body) {
            if !self.fields[at].iter().any(|f| f.pointer == field.pointer) {
                self.fields[at].push(field);
            }
        }
        let new = known..self.fields[at].len();
        for field in new.clone() {
            self.index_field(index, field);
        }
        if !new.is_empty() {
            self.connect_new_fields(api, index, known);
            self.connect_resources(api, index);
            self.forget_readers();
        }
        !new.is_empty()
    }

    fn connect_new_fields(&mut self, api: &Api, maker: OperationIndex, from: usize) {
        for (consumer, _) in api.indexed().filter(|(consumer, _)| *consumer != maker) {
            for need in 0..self.needs[consumer.0 as usize].len() {
                let mut edges = Vec::new();
                let wanted = &self.needs(consumer)[need];
                self.by_place(api, consumer, wanted, maker, &mut edges);
                self.by_caller(api, consumer, wanted, Some(maker), &mut edges);
                self.by_name(api, consumer, wanted, Some(maker), &mut edges);
                edges.retain(|edge| self.is_new(edge, from));
                self.add(api, consumer, need, edges);
            }
        }
    }

    fn is_new(&self, edge: &Edge, from: usize) -> bool {
        let Yield::Answer(Take::Pointer(pointer)) = &edge.yields else {
            return false;
        };
        self.fields[edge.maker.0 as usize][from..]
            .iter()
            .any(|field| field.pointer == *pointer)
    }

    pub(crate) fn add(&mut self, api: &Api, consumer: OperationIndex, need: usize, new: Vec<Edge>) {
        let at = consumer.0 as usize;
        for edge in new {
            let edges = &mut self.edges[at][need];
            let same = |e: &Edge| e.maker == edge.maker && e.yields == edge.yields;
            if !edges.iter().any(same) {
                let wanted = &self.needs[at][need];
                self.properties.read_edge(api, consumer, wanted, &edge);
                edges.push(edge);
            }
        }
        keep_best(&mut self.edges[at][need]);
    }

    fn index_fields(&mut self) {
        for at in 0..self.fields.len() {
            for field in 0..self.fields[at].len() {
                self.index_field(OperationIndex(at as u32), field);
            }
        }
    }

    fn index_field(&mut self, index: OperationIndex, field: usize) {
        for words in self.fields[index.0 as usize][field].words.clone() {
            self.by_words.entry(words).or_default().push((index, field));
        }
    }

    fn edges_of(&self, api: &Api, consumer: OperationIndex) -> Vec<Vec<Edge>> {
        (0..self.needs(consumer).len())
            .map(|need| {
                let mut edges = self.candidates(api, consumer, need);
                keep_best(&mut edges);
                edges
            })
            .collect()
    }

    /// Every edge that names and places suggest for a need.
    fn candidates(&self, api: &Api, consumer: OperationIndex, need: usize) -> Vec<Edge> {
        let need = &self.needs(consumer)[need];
        let mut edges = Vec::new();
        for (maker, _) in api.indexed().filter(|(maker, _)| *maker != consumer) {
            self.by_place(api, consumer, need, maker, &mut edges);
        }
        self.by_caller(api, consumer, need, None, &mut edges);
        self.by_name(api, consumer, need, None, &mut edges);
        edges
    }

    /// Edges that paths tell: a maker that creates or lists the collection a hole picks from.
    fn by_place(
        &self,
        api: &Api,
        consumer: OperationIndex,
        need: &Need,
        maker: OperationIndex,
        edges: &mut Vec<Edge>,
    ) {
        let Place::Parameter(at) = need.place else {
            return;
        };
        let operation = api.operation(consumer);
        if operation.parameters[at].location != Location::Path {
            return;
        }
        let (Some(collection), Some(item)) = (
            collection_of(&operation.path, &need.name),
            item_of(&operation.path, &need.name),
        ) else {
            return;
        };
        let operation = api.operation(maker);
        let path = operation.path.text.as_str();
        match operation.method {
            Method::Post if same_place(path, collection) || creates_under(path, collection) => {
                self.creator_edges(api, maker, need, edges);
            }
            Method::Put | Method::Post if same_place(path, item) => {
                edges.extend(from_itself(operation, maker));
            }
            Method::Get if same_place(path, collection) => self.lister_edges(maker, need, edges),
            _ => {}
        }
    }

    fn creator_edges(&self, api: &Api, maker: OperationIndex, need: &Need, edges: &mut Vec<Edge>) {
        const ECHOED: f64 = 0.6;
        let mut push = |yields, fit| edges.push(Edge::new(maker, yields, Evidence::Creator, fit));
        for field in &self.fields[maker.0 as usize] {
            let fit = fit(field, need);
            if fit > 0.0 && !field.listed {
                push(Yield::Answer(Take::Pointer(field.pointer.clone())), fit);
            }
        }
        push(Yield::Answer(Take::Location), 0.45);
        // What was sent is as good as what is answered, but only an answer shows who made it.
        let answers = |pointer: &str| {
            let mut fields = self.fields[maker.0 as usize].iter();
            fields.any(|field| field.pointer == pointer && !field.listed)
        };
        for (pointer, fit) in sent_fields(api, maker, need) {
            let fit = if answers(&pointer) { fit * ECHOED } else { fit };
            push(Yield::SentBody(pointer), fit);
        }
    }

    fn lister_edges(&self, maker: OperationIndex, need: &Need, edges: &mut Vec<Edge>) {
        for field in self.fields[maker.0 as usize].iter().filter(|f| f.listed) {
            let fit = fit(field, need);
            if fit > 0.0 {
                let take = Yield::Answer(Take::Pointer(field.pointer.clone()));
                edges.push(Edge::new(maker, take, Evidence::Lister, fit));
            }
        }
    }

    /// Edges that names tell, wherever the maker stands.
    fn by_name(
        &self,
        api: &Api,
        consumer: OperationIndex,
        need: &Need,
        only: Option<OperationIndex>,
        edges: &mut Vec<Edge>,
    ) {
        for words in spellings(&need.words) {
            for &(maker, at) in self.by_words.get(&words).into_iter().flatten() {
                if only.is_some_and(|only| only != maker) {
                    continue;
                }
                let field = &self.fields[maker.0 as usize][at];
                let yields = Yield::Answer(Take::Pointer(field.pointer.clone()));
                if maker == consumer || edges.iter().any(|e| e.maker == maker && e.yields == yields)
                {
                    continue;
                }
                let creates = makes_it(api.operation(maker), field);
                let (evidence, fit) = match (creates, field.listed) {
                    (true, _) => (Evidence::Creator, 0.75),
                    (false, true) => (Evidence::Lister, 0.8),
                    (false, false) => (Evidence::SameName, 0.3),
                };
                edges.push(Edge::new(maker, yields, evidence, fit));
            }
        }
    }

    fn add_links(&mut self, api: &Api) {
        for (maker, operation) in api.indexed() {
            let links = operation.responses.iter().flat_map(|r| &r.links);
            for link in links.collect::<Vec<_>>() {
                self.add_link(api, maker, link);
            }
        }
    }

    fn add_link(&mut self, api: &Api, maker: OperationIndex, link: &Link) {
        for (name, expression) in &link.parameters {
            let (Some(at), Some(yields)) = (
                linked_parameter(api.operation(link.target), name),
                read_expression(api.operation(maker), expression),
            ) else {
                continue;
            };
            let need = self.linked_need(api, link.target, at);
            let edges = &mut self.edges[link.target.0 as usize][need];
            edges.retain(|e| !(e.maker == maker && e.yields == yields));
            let fit = if echoes(api.operation(maker), &yields) {
                0.3
            } else {
                1.0
            };
            edges.push(Edge::new(maker, yields, Evidence::Link, fit));
            keep_best(edges);
        }
    }

    /// The need of a parameter that a link fills: names may have said nothing of it.
    fn linked_need(&mut self, api: &Api, target: OperationIndex, at: usize) -> usize {
        if let Some(need) = self.need_at(target, &Place::Parameter(at)) {
            return need;
        }
        let needs = &mut self.needs[target.0 as usize];
        needs.push(Need::of_parameter(api.operation(target), at));
        self.edges[target.0 as usize].push(Vec::new());
        needs.len() - 1
    }
}

fn needs_of_all(api: &Api) -> (Vec<Vec<Need>>, Vec<Vec<Need>>) {
    let all = api.operations.iter().map(|o| needs_of(api, o));
    all.map(|Needs { sure, doubtful }| (sure, doubtful)).unzip()
}

fn keep_best(edges: &mut Vec<Edge>) {
    edges.sort_by(|a, b| b.confidence().total_cmp(&a.confidence()));
    edges.truncate(MOST_EDGES);
}

/// `/projects/create` and the like make items of `/projects`.
fn creates_under(path: &str, collection: &str) -> bool {
    let Some((parent, last)) = path.rsplit_once('/') else {
        return false;
    };
    matches!(last, "create" | "new" | "add" | "register") && same_place(parent, collection)
}

/// A maker whose own path ends in the item: the caller chooses the identifier.
fn from_itself(operation: &Operation, maker: OperationIndex) -> Option<Edge> {
    let hole = operation.path.holes().last()?;
    let at = operation
        .parameters
        .iter()
        .position(|p| p.location == Location::Path && p.name == hole)?;
    let fit = if operation.method == Method::Put {
        1.0
    } else {
        0.3
    };
    Some(Edge::new(
        maker,
        Yield::SentParameter(at),
        Evidence::PutsItself,
        fit,
    ))
}

/// How well a field answers a need of the very collection it comes from.
fn fit(field: &Field, need: &Need) -> f64 {
    if !field.own {
        return 0.0;
    }
    if field.words.contains(&need.words) {
        return 1.0;
    }
    let name = Words::of(&field.name);
    let same_ending = name.last().is_some() && name.last() == need.words.last();
    let id_like = |word: Option<&str>| matches!(word, Some("id" | "uuid" | "guid" | "_id"));
    match () {
        () if same_ending && name.0.len() == 1 => 0.85,
        () if id_like(name.last()) && name.0.len() == 1 && id_like(need.words.last()) => 0.8,
        () if id_like(name.last()) && name.0.len() == 1 => 0.5,
        () if name == need.words.subject() => 0.4,
        () => 0.0,
    }
}

/// Fields of the maker's own body that may be the identifier: `name` of `{tenant_name}`.
fn sent_fields(api: &Api, maker: OperationIndex, need: &Need) -> Vec<(String, f64)> {
    let shape = api
        .operation(maker)
        .body
        .as_ref()
        .and_then(|body| body.contents.first()?.shape);
    let Some(fossick_contract::Kind::Object(object)) = shape.map(|id| &api.shape(id).kind) else {
        return Vec::new();
    };
    let need_last = need.words.last().unwrap_or("");
    object
        .properties
        .iter()
        .filter_map(|property| {
            let name = Words::of(&property.name);
            let fit = match () {
                () if name == need.words => 0.7,
                () if name.0.len() == 1 && name.last() == Some(need_last) => 0.6,
                () if name.is_bare() && name.is_identifier() => 0.3,
                () => return None,
            };
            let pointer = format!("/{}", fossick_contract::escape_token(&property.name));
            Some((pointer, fit))
        })
        .collect()
}

/// Whether a field identifies what its operation makes, and not something that it refers to: a
/// comment's `task_id` makes no task.
fn makes_it(maker: &Operation, field: &Field) -> bool {
    let name = Words::of(&field.name);
    let own_name = name.is_bare() || name.subject() == thing(&maker.path);
    maker.method == Method::Post && field.own && !field.listed && own_name
}

/// Ways in which a yield may be named that meets a need: `user` is met by `user id`.
fn spellings(words: &Words) -> Vec<Words> {
    let mut all = vec![words.clone()];
    if !words.is_identifier() {
        all.extend(["id", "uuid"].map(|id| Words::of(id).qualified_by(words)));
    }
    // `parent_project_id` is most likely a `project_id`.
    if words.0.len() > 2 {
        all.push(Words(words.0[1..].to_vec()));
    }
    all
}
