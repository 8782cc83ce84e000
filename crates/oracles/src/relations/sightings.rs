//! Every thing that the answers of an episode show, wherever it stands in them.
//!
//! GraphQL tells the type of each thing. REST tells by paths: an item of a list at `/rooms` and
//! what is read at `/rooms/7` are of one kind, and so is what a field called `rooms` holds, where
//! there is only one such list.

use std::collections::BTreeMap;

use fossick_contract::{TypeGraph, TypeId};
use fossick_query::Pick;
use percent_encoding::percent_decode_str;
use serde_json::{Map, Value};

use super::look::Look;
use crate::compare::unwrapped;
use crate::graphql::inquiry::find;
use crate::scene::{Scene, Shown};
use crate::thing::text;

/// What a thing is: a type of GraphQL, or the path of the list that it belongs to.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Sort {
    Type(TypeId),
    Path(String),
}

/// A thing as one answer shows it.
pub(crate) struct Sighting<'s, 'a> {
    pub(crate) step: &'s Shown<'a>,
    pub(crate) sort: Sort,
    pub(crate) id: String,
    /// Plain values by the names of their fields.
    pub(crate) fields: BTreeMap<&'a str, &'a Value>,
    /// The way to it, without places in lists.
    pub(crate) place: String,
}

const DEPTH: usize = 8;
/// More things than these are not compared.
const MOST: usize = 600;

/// Everything that reads of the episode show.
pub(crate) fn sightings<'s, 'a>(
    scene: &'s Scene<'a>,
    looks: &[Look<'s, 'a>],
) -> Vec<Sighting<'s, 'a>> {
    let mut found = Vec::new();
    let reads = |s: &&Shown<'_>| s.is_read() && s.succeeded() && s.call.intent.is_valid();
    for step in scene.steps.iter().filter(reads) {
        match step.root() {
            Some(_) => of_graphql(scene, step, &mut found),
            None => of_paths(scene, looks, step, &mut found),
        }
        found.truncate(MOST);
    }
    found
}

fn of_graphql<'s, 'a>(scene: &Scene<'a>, step: &'s Shown<'a>, found: &mut Vec<Sighting<'s, 'a>>) {
    let (Some(root), Some(payload)) = (step.root(), step.payload()) else {
        return;
    };
    let document = step.inquiry.and_then(|inquiry| inquiry.document.as_deref());
    let Some(asked) = document.and_then(|d| find(&d.picks, |asked| asked.key() == step.key(), 0))
    else {
        return;
    };
    let on = scene.api.root_field(root).returns.named;
    let place = step.operation.label.clone();
    let mut walk = Walk {
        types: &scene.api.types,
        step,
        found,
    };
    walk.value(payload, on, &asked.picks, &place, 0);
}

struct Walk<'w, 's, 'a> {
    types: &'a TypeGraph,
    step: &'s Shown<'a>,
    found: &'w mut Vec<Sighting<'s, 'a>>,
}

impl<'a> Walk<'_, '_, 'a> {
    fn value(
        &mut self,
        value: &'a Value,
        on: TypeId,
        picks: &'a [Pick],
        place: &str,
        depth: usize,
    ) {
        match value {
            Value::Array(items) => {
                for item in items {
                    self.value(item, on, picks, place, depth);
                }
            }
            Value::Object(map) if depth < DEPTH => self.object(map, on, picks, place, depth),
            _ => {}
        }
    }

    fn object(
        &mut self,
        map: &'a Map<String, Value>,
        on: TypeId,
        picks: &'a [Pick],
        place: &str,
        depth: usize,
    ) {
        let Some(of) = object_type(self.types, on, map) else {
            return;
        };
        let mut fields = BTreeMap::new();
        let mut below = Vec::new();
        self.gather(map, of, picks, &mut fields, &mut below, 0);
        if let Some(id) = fields.get("id").and_then(|id| text(id)) {
            self.found.push(Sighting {
                step: self.step,
                sort: Sort::Type(of),
                id,
                fields,
                place: place.to_owned(),
            });
        }
        for (name, value, on, picks) in below {
            self.value(value, on, picks, &format!("{place}/{name}"), depth + 1);
        }
    }

    /// Fields that were asked for plainly: what takes arguments may differ by them.
    fn gather(
        &self,
        map: &'a Map<String, Value>,
        of: TypeId,
        picks: &'a [Pick],
        fields: &mut BTreeMap<&'a str, &'a Value>,
        below: &mut Vec<(&'a str, &'a Value, TypeId, &'a [Pick])>,
        depth: usize,
    ) {
        for pick in picks {
            match pick {
                Pick::Field(asked) => {
                    let field = self.types.field(of, &asked.name);
                    let (Some(value), Some(field)) = (map.get(asked.key()), field) else {
                        continue;
                    };
                    if !asked.picks.is_empty() {
                        below.push((
                            asked.name.as_str(),
                            value,
                            field.returns.named,
                            &asked.picks,
                        ));
                    } else if asked.arguments.is_empty() && !value.is_array() && !value.is_object()
                    {
                        fields.insert(asked.name.as_str(), value);
                    }
                }
                Pick::Part(part) if depth < DEPTH => {
                    let on = part.on.as_deref().and_then(|name| self.types.find(name));
                    if on.is_none_or(|on| self.types.possible(on).contains(&of)) {
                        self.gather(map, of, &part.picks, fields, below, depth + 1);
                    }
                }
                Pick::Part(_) => {}
            }
        }
    }
}

fn object_type(types: &TypeGraph, on: TypeId, map: &Map<String, Value>) -> Option<TypeId> {
    if let [only] = types.possible(on) {
        return Some(*only);
    }
    let told = map.get("__typename")?.as_str()?;
    types
        .find(told)
        .filter(|of| types.possible(on).contains(of))
}

fn of_paths<'s, 'a>(
    scene: &Scene<'a>,
    looks: &[Look<'s, 'a>],
    step: &'s Shown<'a>,
    found: &mut Vec<Sighting<'s, 'a>>,
) {
    let label = &step.operation.label;
    if let Some(look) = looks.iter().find(|look| look.step.at == step.at) {
        let path = step.path().to_owned();
        for (item, id) in look.items.iter().zip(&look.ids) {
            push(
                step,
                Sort::Path(path.clone()),
                id.clone(),
                item,
                label,
                found,
            );
            embedded(scene, step, item, label, found);
        }
    } else if let (true, Some(body)) = (step.operation.path.ends_with_hole(), step.json()) {
        let Some((path, id)) = step.path().rsplit_once('/') else {
            return;
        };
        let id = percent_decode_str(id).decode_utf8_lossy().into_owned();
        let thing = unwrapped(body);
        push(step, Sort::Path(path.to_owned()), id, thing, label, found);
        embedded(scene, step, thing, label, found);
    }
}

fn push<'s, 'a>(
    step: &'s Shown<'a>,
    sort: Sort,
    id: String,
    thing: &'a Value,
    place: &str,
    found: &mut Vec<Sighting<'s, 'a>>,
) {
    let Some(map) = thing.as_object() else {
        return;
    };
    let plain = |value: &Value| !value.is_array() && !value.is_object();
    let fields = map.iter().filter(|(_, value)| plain(value));
    found.push(Sighting {
        step,
        sort,
        id,
        fields: fields.map(|(name, value)| (name.as_str(), value)).collect(),
        place: place.to_owned(),
    });
}

/// Lists within a thing, where the API has exactly one list of that name, at its top.
fn embedded<'s, 'a>(
    scene: &Scene<'a>,
    step: &'s Shown<'a>,
    thing: &'a Value,
    place: &str,
    found: &mut Vec<Sighting<'s, 'a>>,
) {
    for (name, value) in thing.as_object().into_iter().flatten() {
        let items = value.as_array().into_iter().flatten();
        let mut known = items
            .filter_map(|item| Some((item, item.get("id").and_then(text)?)))
            .peekable();
        // Most lists are of something else, and looking for the path goes through all operations.
        if known.peek().is_none() {
            continue;
        }
        let Some(path) = collection(scene, name) else {
            continue;
        };
        let place = format!("{place}/{name}");
        for (item, id) in known {
            push(step, Sort::Path(path.to_owned()), id, item, &place, found);
        }
    }
}

fn collection<'a>(scene: &Scene<'a>, name: &str) -> Option<&'a str> {
    let mut paths: Vec<&str> = scene
        .api
        .operations
        .iter()
        .map(|operation| operation.path.text.as_str())
        .filter(|path| path.rsplit('/').next() == Some(name))
        .collect();
    paths.sort_unstable();
    paths.dedup();
    match paths.as_slice() {
        [only] if !only.contains('{') => Some(only),
        _ => None,
    }
}
