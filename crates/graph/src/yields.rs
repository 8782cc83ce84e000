//! What an operation gives: the scalar fields of its answers, promised or seen.

use fossick_contract::{Api, Kind, Operation, ShapeId};
use serde_json::Value;

use crate::Words;
use crate::path_words::thing;

/// A scalar field of an answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Field {
    pub(crate) pointer: String,
    pub(crate) name: String,
    /// The same field under the names it may go by: qualified by its path, its parent, its type.
    pub(crate) words: Vec<Words>,
    /// It stands inside a list: one of several, and perhaps not ours.
    pub(crate) listed: bool,
    /// It belongs to the answered thing itself, not to something nested in it.
    pub(crate) own: bool,
}

const DEPTH: usize = 4;
const MOST_FIELDS: usize = 120;

/// Words that only wrap: `data`, `items`, `results`.
const ENVELOPES: [&str; 14] = [
    "data", "result", "item", "payload", "object", "respons", "content", "attribut", "record",
    "entri", "valu", "list", "node", "edg",
];

/// Whether a name says only that something is inside.
pub(crate) fn wraps(name: &str) -> bool {
    let words = Words::of(name);
    words
        .0
        .iter()
        .all(|word| ENVELOPES.contains(&word.as_str()))
}

/// Fields that the document promises.
pub(crate) fn declared(api: &Api, operation: &Operation) -> Vec<Field> {
    let mut walk = Walk::new(operation);
    for shape in operation.success_shapes() {
        walk.shape(api, shape, &Spot::root(), DEPTH);
    }
    walk.fields
}

/// Fields that an answer really has.
pub(crate) fn seen(operation: &Operation, body: &Value) -> Vec<Field> {
    let mut walk = Walk::new(operation);
    walk.value(body, "", &Spot::root(), DEPTH);
    walk.fields
}

struct Walk {
    thing: Words,
    fields: Vec<Field>,
}

/// Where the walk stands.
#[derive(Clone)]
struct Spot {
    pointer: String,
    /// The nearest name above that says something.
    owner: Option<Words>,
    type_name: Option<Words>,
    listed: bool,
    own: bool,
}

impl Spot {
    fn root() -> Self {
        Self {
            pointer: String::new(),
            owner: None,
            type_name: None,
            listed: false,
            own: true,
        }
    }

    fn item(&self) -> Self {
        Self {
            pointer: format!("{}/0", self.pointer),
            listed: true,
            ..self.clone()
        }
    }

    /// Steps into a property that holds something further.
    fn inside(&self, name: &str) -> Self {
        let words = Words::of(name);
        let wraps = wraps(name);
        Self {
            pointer: self.child(name),
            owner: if wraps {
                self.owner.clone()
            } else {
                Some(words)
            },
            type_name: None,
            listed: self.listed,
            own: self.own && wraps,
        }
    }

    fn child(&self, name: &str) -> String {
        format!("{}/{}", self.pointer, fossick_contract::escape_token(name))
    }
}

impl Walk {
    fn new(operation: &Operation) -> Self {
        Self {
            thing: thing(&operation.path),
            fields: Vec::new(),
        }
    }

    fn shape(&mut self, api: &Api, id: ShapeId, spot: &Spot, depth: usize) {
        let shape = api.shape(id);
        let mut spot = spot.clone();
        if let Some(name) = &shape.name {
            spot.type_name = Some(Words::of(name));
        }
        match &shape.kind {
            _ if depth == 0 || self.fields.len() >= MOST_FIELDS => {}
            Kind::Object(object) => {
                for property in &object.properties {
                    self.property(api, &property.name, property.shape, &spot, depth);
                }
            }
            Kind::Array(array) => {
                if let Some(items) = array.items.or(array.prefix.first().copied()) {
                    self.shape(api, items, &spot.item(), depth - 1);
                }
            }
            Kind::Choice(choice) => {
                for option in choice.options.iter().take(3) {
                    self.shape(api, *option, &spot, depth - 1);
                }
            }
            _ => {}
        }
    }

    fn property(&mut self, api: &Api, name: &str, id: ShapeId, spot: &Spot, depth: usize) {
        match &api.shape(id).kind {
            Kind::Array(array) if is_scalar_list(api, array.items) => {
                self.push(name, spot.child(name) + "/0", spot, true);
            }
            Kind::Object(_) | Kind::Array(_) => self.shape(api, id, &spot.inside(name), depth - 1),
            Kind::Choice(choice) if choice.options.iter().any(|o| is_collection(api, *o)) => {
                self.shape(api, id, &spot.inside(name), depth - 1);
            }
            Kind::Boolean | Kind::Null => {}
            _ => self.push(name, spot.child(name), spot, spot.listed),
        }
    }

    fn push(&mut self, name: &str, pointer: String, spot: &Spot, listed: bool) {
        if self.fields.len() >= MOST_FIELDS || self.fields.iter().any(|f| f.pointer == pointer) {
            return;
        }
        let bare = Words::of(name);
        let owners = [
            spot.owner.as_ref(),
            Some(&self.thing),
            spot.type_name.as_ref(),
        ];
        let mut words = Vec::new();
        if !bare.is_bare() {
            words.push(bare.clone());
        }
        // A nested thing has its own name; only the answered thing itself goes by its path.
        for owner in owners
            .into_iter()
            .flatten()
            .take(if spot.own { 3 } else { 1 })
        {
            let qualified = bare.qualified_by(owner);
            if !words.contains(&qualified) {
                words.push(qualified);
            }
        }
        self.fields.push(Field {
            pointer,
            name: name.to_owned(),
            words,
            listed,
            own: spot.own,
        });
    }

    fn value(&mut self, value: &Value, name: &str, spot: &Spot, depth: usize) {
        match value {
            _ if depth == 0 || self.fields.len() >= MOST_FIELDS => {}
            Value::Object(map) => {
                for (key, inner) in map {
                    match inner {
                        Value::Object(_) | Value::Array(_) => {
                            self.value(inner, key, &spot.inside(key), depth - 1);
                        }
                        Value::String(_) | Value::Number(_) => {
                            self.push(key, spot.child(key), spot, spot.listed);
                        }
                        _ => {}
                    }
                }
            }
            Value::Array(items) => match items.first() {
                Some(Value::String(_) | Value::Number(_)) => {
                    self.push(name, spot.pointer.clone() + "/0", spot, true);
                }
                Some(first) => self.value(first, name, &spot.item(), depth - 1),
                None => {}
            },
            _ => {}
        }
    }
}

fn is_collection(api: &Api, id: ShapeId) -> bool {
    matches!(api.shape(id).kind, Kind::Object(_) | Kind::Array(_))
}

fn is_scalar_list(api: &Api, items: Option<ShapeId>) -> bool {
    items.is_some_and(|id| matches!(api.shape(id).kind, Kind::String(_) | Kind::Integer(_)))
}
