//! Which fields of a thing come before which, as the descriptions of the document tell.
//!
//! Read once for a whole document. Only sentences that say nothing but the order count: what holds
//! "unless" or "usually" is no rule that an answer can break.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use fossick_contract::{
    Api, Deed, Operation, Property, Relation, ShapeId, TypeId, Voice, relations_in,
};
use serde_json::Value;

use crate::names::words;
use crate::takes::{groups, properties};

/// That one field is less than another, or not more.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Order {
    pub(crate) low: Arc<str>,
    pub(crate) high: Arc<str>,
    pub(crate) strict: bool,
    /// The field whose description tells it, and what it says.
    pub(crate) teller: Arc<str>,
    pub(crate) sentence: String,
}

/// All that a document tells, by what it is told of.
#[derive(Debug, Default)]
pub(crate) struct Orders {
    shapes: BTreeMap<ShapeId, Vec<Order>>,
    /// By the path of the collection that requests work on.
    paths: BTreeMap<String, Vec<Order>>,
    types: BTreeMap<TypeId, Vec<Order>>,
    /// The two fields of each order, wherever it is told.
    pairs: BTreeSet<(Arc<str>, Arc<str>)>,
}

/// Answers that are nested deeper are not looked through.
const DEPTH: usize = 12;

impl Orders {
    pub(crate) fn of(api: &Api) -> Self {
        let mut found = Self::default();
        for (shape, _) in api.shapes.iter() {
            let told = told(api, &properties(api, shape, 0));
            if !told.is_empty() {
                found.shapes.insert(shape, told);
            }
        }
        let writes = |o: &&Operation| o.graphql.is_none() || writes_things(o);
        for operation in api.operations.iter().filter(writes) {
            found.hear(api, operation);
        }
        found.pairs = found.all().map(pair).collect();
        found
    }

    fn all(&self) -> impl Iterator<Item = &Order> {
        let shapes = self.shapes.values().flatten();
        let paths = self.paths.values().flatten();
        shapes.chain(paths).chain(self.types.values().flatten())
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.pairs.is_empty()
    }

    /// Whether some object in an answer has both fields of an order: only such can break one, and
    /// few answers have any.
    pub(crate) fn may_speak_of(&self, answer: &Value) -> bool {
        self.has_pair(answer, 0)
    }

    fn has_pair(&self, value: &Value, depth: usize) -> bool {
        match value {
            _ if depth > DEPTH => false,
            Value::Array(items) => items.iter().any(|item| self.has_pair(item, depth + 1)),
            Value::Object(map) => map.iter().any(|(name, inner)| {
                let mut pairs = self.pairs.iter();
                pairs.any(|(low, high)| **low == **name && map.contains_key(&**high))
                    || self.has_pair(inner, depth + 1)
            }),
            _ => false,
        }
    }

    fn hear(&mut self, api: &Api, operation: &Operation) {
        let groups = groups(api, operation);
        for order in groups.iter().flat_map(|group| told(api, group)) {
            let thing = operation.graphql.as_ref().map(|root| root.thing);
            match thing {
                None => {
                    let path = collection(operation).to_owned();
                    add(self.paths.entry(path).or_default(), order);
                }
                Some(Some(thing)) => add(self.types.entry(thing).or_default(), order),
                Some(None) => {}
            }
        }
    }

    pub(crate) fn of_shape(&self, shape: ShapeId) -> &[Order] {
        self.shapes.get(&shape).map_or(&[], Vec::as_slice)
    }

    /// What requests on the things of an operation are told.
    pub(crate) fn of_thing(&self, operation: &Operation) -> &[Order] {
        self.paths
            .get(collection(operation))
            .map_or(&[], Vec::as_slice)
    }

    pub(crate) fn of_type(&self, kind: TypeId) -> &[Order] {
        self.types.get(&kind).map_or(&[], Vec::as_slice)
    }
}

fn pair(order: &Order) -> (Arc<str>, Arc<str>) {
    (Arc::clone(&order.low), Arc::clone(&order.high))
}

fn add(all: &mut Vec<Order>, order: Order) {
    let known = |own: &Order| (&own.low, &own.high) == (&order.low, &order.high);
    if !all.iter().any(known) {
        all.push(order);
    }
}

fn writes_things(operation: &Operation) -> bool {
    let deed = operation.deed();
    matches!(deed, Deed::Create | Deed::Update | Deed::Replace)
}

/// The path of the list that an operation's things stand in.
fn collection(operation: &Operation) -> &str {
    let path = &operation.path;
    let own = path.text.trim_end_matches('/');
    path.parent()
        .filter(|_| path.ends_with_hole())
        .unwrap_or(own)
}

/// What is told of fields that stand side by side.
fn told(api: &Api, fields: &[&Property]) -> Vec<Order> {
    let names: Vec<&str> = fields.iter().map(|field| &*field.name).collect();
    let mut found = Vec::new();
    for (at, field) in fields.iter().enumerate() {
        let shared = || api.shape(field.shape).description.as_deref();
        let said = field.description.as_deref().or_else(shared).unwrap_or("");
        for sentence in sentences(said).filter(|sentence| is_plain(sentence)) {
            for relation in relations_in(sentence, Voice::Description, &names, Some(at)) {
                if let Some(order) = ordered(&relation, fields, at, sentence) {
                    add(&mut found, order);
                }
            }
        }
    }
    found
}

fn sentences(text: &str) -> impl Iterator<Item = &str> {
    let ends = |text: &str| text.trim().trim_end_matches('.').is_empty();
    let all = text.split(['\n', ';']).flat_map(|line| line.split(". "));
    all.map(str::trim).filter(move |text| !ends(text))
}

/// Whether a sentence tells an order, for all cases.
fn is_plain(sentence: &str) -> bool {
    const ORDERS: [&str; 23] = [
        "after", "before", "later", "earlier", "greater", "larger", "bigger", "higher", "more",
        "less", "lower", "smaller", "exceed", "exceeds", "least", "most", "precede", "precedes",
        "prior", "beyond", "follow", "follows", "shorter",
    ];
    const HEDGES: [&str; 22] = [
        "if",
        "unless",
        "when",
        "whenever",
        "where",
        "except",
        "usually",
        "typically",
        "normally",
        "generally",
        "should",
        "may",
        "might",
        "can",
        "could",
        "otherwise",
        "default",
        "defaults",
        "ignored",
        "for",
        "plus",
        "minus",
    ];
    let words = words(sentence);
    let says = |known: &[&str], at: usize| known.contains(&words[at].as_str());
    // "may not" and "can't" are as firm as "must not".
    let is_turned = |at: usize| {
        words
            .get(at + 1)
            .is_some_and(|next| next == "not" || next == "t")
    };
    let orders = (0..words.len()).any(|at| says(&ORDERS, at));
    let hedges = (0..words.len()).any(|at| says(&HEDGES, at) && !is_turned(at));
    (orders || sentence.contains(['<', '>'])) && !hedges
}

/// An order of two fields of which one tells it. Stamps of the service's own are the same at first.
fn ordered(
    relation: &Relation,
    fields: &[&Property],
    teller: usize,
    sentence: &str,
) -> Option<Order> {
    const STAMPS: [&str; 4] = ["created", "updated", "modified", "changed"];
    let (low, high, strict) = match relation {
        Relation::Before(low, high) => (*low, *high, true),
        Relation::NotAfter(low, high) => (*low, *high, false),
        _ => return None,
    };
    let name = |at: usize| fields.get(at).map(|field| Arc::clone(&field.name));
    let is_stamp = |name: &str| {
        words(name)
            .iter()
            .any(|word| STAMPS.contains(&word.as_str()))
    };
    let (low_name, high_name) = (name(low)?, name(high)?);
    let own = teller == low || teller == high;
    (own && !is_stamp(&low_name) && !is_stamp(&high_name)).then_some(Order {
        low: low_name,
        high: high_name,
        strict,
        teller: name(teller)?,
        sentence: sentence.trim_end_matches('.').to_owned(),
    })
}
