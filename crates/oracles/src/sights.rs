//! Things inside answers: every object that an answer shows, where it stands and what it is.
//!
//! An item is seen in lists, inside its parent and behind interfaces as well as under its own
//! address. Whoever looks for it there asks here, for REST and GraphQL alike.

use fossick_contract::{Api, Deed, TypeId};
use fossick_query::Pick;
use percent_encoding::percent_decode_str;
use serde_json::{Map, Value};

use crate::compare::{alike, items, unwrapped};
use crate::graphql::inquiry::find;
use crate::names::{is_identity, is_volatile, singular, words};
use crate::scene::{Scene, Shown};
use crate::thing::{Thing, text};

/// More objects than these are not looked through.
const MOST: usize = 4000;
const DEPTH: usize = 12;
/// Shorter texts may be anybody's.
const TELLING: usize = 6;

/// An object in an answer.
#[derive(Debug, Clone)]
pub(crate) struct Sight<'a> {
    pub(crate) value: &'a Value,
    /// Pointer from the root of the body, `*` for items.
    pub(crate) path: String,
    /// The field that it stands in, itself or in a list.
    pub(crate) field: &'a str,
    pub(crate) listed: bool,
    /// Its type and that of the object it stands in, where GraphQL tells.
    pub(crate) kind: Option<TypeId>,
    above: Option<TypeId>,
}

/// Every object of an answer, outermost first.
pub(crate) fn sights<'a>(api: &'a Api, step: &Shown<'a>) -> Vec<Sight<'a>> {
    let mut found = Vec::new();
    let mut walk = Walk {
        api,
        found: &mut found,
    };
    let Some(root) = step.root() else {
        if let Some(body) = step.json() {
            walk.value(body, &At::default(), 0);
        }
        return found;
    };
    let document = step.inquiry.and_then(|inquiry| inquiry.document.as_deref());
    let asked = document.and_then(|d| find(&d.picks, |asked| asked.key() == step.key(), 0));
    if let Some(payload) = step.payload() {
        let at = At {
            path: format!("/data/{}", step.key()),
            field: step.key(),
            kind: Some(api.root_field(root).returns.named),
            picks: asked.map(|asked| asked.picks.as_slice()),
            ..At::default()
        };
        walk.value(payload, &at, 0);
    }
    found
}

/// Where the walk stands.
#[derive(Default, Clone)]
struct At<'a, 'p> {
    path: String,
    field: &'a str,
    listed: bool,
    kind: Option<TypeId>,
    above: Option<TypeId>,
    picks: Option<&'p [Pick]>,
}

struct Walk<'a, 'f> {
    api: &'a Api,
    found: &'f mut Vec<Sight<'a>>,
}

impl<'a> Walk<'a, '_> {
    fn value(&mut self, value: &'a Value, at: &At<'a, '_>, depth: usize) {
        if depth > DEPTH || self.found.len() >= MOST {
            return;
        }
        match value {
            Value::Array(items) => {
                let below = At {
                    path: format!("{}/*", at.path),
                    listed: true,
                    ..at.clone()
                };
                for item in items {
                    self.value(item, &below, depth + 1);
                }
            }
            Value::Object(map) => self.object(value, map, at, depth),
            _ => {}
        }
    }

    fn object(
        &mut self,
        value: &'a Value,
        map: &'a Map<String, Value>,
        at: &At<'a, '_>,
        depth: usize,
    ) {
        let kind = at.kind.map(|kind| self.told_type(kind, map, at.picks));
        let certain = kind.filter(|kind| !self.api.types.get(*kind).is_abstract());
        self.found.push(Sight {
            value,
            path: at.path.clone(),
            field: at.field,
            listed: at.listed,
            kind: certain,
            above: at.above,
        });
        for (name, inner) in map {
            let named = |asked: &fossick_query::Asked| asked.key() == name;
            let asked = at.picks.and_then(|picks| find(picks, named, 0));
            let field = kind
                .zip(asked)
                .and_then(|(on, asked)| self.api.types.field(on, &asked.name));
            let below = At {
                path: format!("{}/{}", at.path, fossick_contract::escape_token(name)),
                field: name,
                listed: false,
                kind: field.map(|field| field.returns.named),
                above: kind,
                picks: asked.map(|asked| asked.picks.as_slice()),
            };
            self.value(inner, &below, depth + 1);
        }
    }

    /// The object type of a value: the only one there is, or the one that it tells.
    fn told_type(&self, on: TypeId, map: &Map<String, Value>, picks: Option<&[Pick]>) -> TypeId {
        let types = &self.api.types;
        if let [only] = types.possible(on) {
            return *only;
        }
        let is_name = |asked: &fossick_query::Asked| asked.name == "__typename";
        let key = picks
            .and_then(|picks| find(picks, is_name, 0))
            .map_or("__typename", |asked| asked.key());
        let told = map.get(key).and_then(Value::as_str);
        told.and_then(|name| types.find(name)).unwrap_or(on)
    }
}

/// How a thing is told from others where both are shown.
#[derive(Debug)]
pub(crate) struct Likeness<'a> {
    pub(crate) key: String,
    /// Fields that hold its key.
    names: Vec<&'a str>,
    /// What was shown of it.
    shown: &'a Map<String, Value>,
    kind: Option<TypeId>,
    /// Where it lives and what lives there are called: `/projects`, `project`.
    collection: &'a str,
    pub(crate) called: String,
}

impl<'a> Likeness<'a> {
    /// What the steps before one have shown of a thing, last first.
    pub(crate) fn of(scene: &Scene<'a>, step: &Shown<'a>, thing: &Thing<'a>) -> Option<Self> {
        match thing {
            Thing::At(path) => Self::at_path(scene, step, path),
            Thing::Keyed(kind, _) => Self::keyed(scene, step, *kind, thing.key()?),
        }
    }

    fn at_path(scene: &Scene<'a>, step: &Shown<'a>, path: &'a str) -> Option<Self> {
        let (collection, last) = path.trim_end_matches('/').rsplit_once('/')?;
        let key = percent_decode_str(last).decode_utf8().ok()?.into_owned();
        let shows = |s: &&Shown<'a>| {
            let made = matches!(s.deed(), Deed::Create | Deed::Replace)
                && s.path().trim_end_matches('/') == collection;
            s.succeeded() && (made || s.path() == path)
        };
        let (shown, names) = scene.before(step.at).filter(shows).find_map(|s| {
            let shown = unwrapped(s.json()?).as_object()?;
            let names = holders(shown, &key);
            (!names.is_empty()).then_some((shown, names))
        })?;
        let mut parts = step.operation.path.segments().rev();
        let called = parts.find(|part| !part.contains('{'))?;
        Some(Self {
            key,
            names,
            shown,
            kind: None,
            collection,
            called: words(called).last().map(|word| singular(word))?,
        })
    }

    fn keyed(scene: &Scene<'a>, step: &Shown<'a>, kind: TypeId, key: &str) -> Option<Self> {
        let (shown, names) = scene.before(step.at).find_map(|s| {
            let own = s
                .root()
                .is_some_and(|root| root.thing == Some(kind) && !root.listed);
            let shown = s.body().filter(|_| own && s.is_done())?.as_object()?;
            let mut names = holders(shown, key);
            names.retain(|name| is_identity(name));
            (!names.is_empty()).then_some((shown, names))
        })?;
        Some(Self {
            key: key.to_owned(),
            names,
            shown,
            kind: Some(kind),
            collection: "",
            called: words(&scene.api.types.get(kind).name).concat(),
        })
    }

    fn has_key(&self, value: &Value) -> bool {
        let own = |name: &&str| value.get(name).and_then(text).as_ref() == Some(&self.key);
        self.names.iter().any(own)
    }

    /// A telling text in common, and nothing that speaks against it.
    fn resembles(&self, value: &Value) -> bool {
        let both = || {
            let fields = self.shown.iter().filter(|(name, _)| !is_volatile(name));
            fields.filter_map(|(name, own)| Some((own, value.get(name)?)))
        };
        let scalar = |value: &Value| !value.is_object() && !value.is_array();
        let contradicts = |(a, b): (&Value, &Value)| scalar(a) && scalar(b) && !alike(a, b);
        let telling = |(a, b): (&Value, &Value)| {
            a == b
                && a.as_str()
                    .is_some_and(|text| text.len() >= TELLING && *text != self.key)
        };
        !both().any(contradicts) && both().any(telling)
    }

    /// Whether what an answer shows at some place is this thing, in a view where it should not
    /// stay when it is gone: its own list, its parent's, a search, an interface.
    pub(crate) fn stands_in(&self, api: &Api, step: &Shown<'a>, sight: &Sight<'a>) -> bool {
        if !self.has_key(sight.value) {
            return false;
        }
        match self.kind {
            Some(kind) => self.is_typed(api, step, sight, kind),
            None => self.is_at_path(step, sight),
        }
    }

    fn is_at_path(&self, step: &Shown<'a>, sight: &Sight<'a>) -> bool {
        let path = step.path().trim_end_matches('/');
        let in_list = step
            .json()
            .and_then(items)
            .is_some_and(|items| items.iter().any(|item| std::ptr::eq(item, sight.value)));
        if path == self.collection {
            return in_list;
        }
        let named = words(sight.field).last().map(|word| singular(word));
        let of_its_kind = named.as_deref() == Some(&*self.called);
        let in_parent = sight.listed && of_its_kind && self.belongs_to(path);
        in_parent || (in_list && self.resembles(sight.value))
    }

    /// Whether it is under that path, or refers to what stands there: orders keep what they were
    /// made of, and a thing that does not know them is no part of them.
    fn belongs_to(&self, path: &str) -> bool {
        let key = path.rsplit('/').next().unwrap_or_default();
        let refers = |(name, value): (&String, &Value)| {
            is_identity(name)
                && !self.names.contains(&name.as_str())
                && text(value).as_deref() == Some(key)
        };
        let is_under = self
            .collection
            .strip_prefix(path)
            .is_some_and(|rest| rest.starts_with('/'));
        is_under || self.shown.iter().any(refers)
    }

    fn is_typed(&self, api: &Api, step: &Shown<'a>, sight: &Sight<'a>, kind: TypeId) -> bool {
        let own = match sight.kind {
            Some(told) => told == kind,
            None => self.resembles(sight.value),
        };
        let at_root = || {
            step.listed()
                .iter()
                .any(|thing| std::ptr::eq(*thing, sight.value))
        };
        let leads_to = |above: TypeId| {
            let fields = api
                .types
                .fields(kind)
                .iter()
                .filter(|field| field.returns.lists() == 0);
            fields.into_iter().any(|field| field.returns.named == above)
        };
        own && (at_root() || (sight.listed && sight.above.is_some_and(leads_to)))
    }

    /// Whether a field of this name with this value means the thing: `projectId`, `project_id`.
    pub(crate) fn is_meant_by(&self, name: &str, value: &Value) -> bool {
        let mut parts = words(name);
        let last = parts.pop().unwrap_or_default();
        let own = |word: &String| {
            self.names
                .iter()
                .any(|name| words(name).last() == Some(word))
        };
        let called = parts.concat() == self.called || parts.last() == Some(&self.called);
        let refers = called && (is_identity(&last) || own(&last));
        refers && text(value).as_ref() == Some(&self.key)
    }
}

/// Fields of a thing that hold its key.
fn holders<'a>(thing: &'a Map<String, Value>, key: &str) -> Vec<&'a str> {
    let holds = |(_, value): &(&String, &Value)| text(value).as_deref() == Some(key);
    let mut names: Vec<&str> = thing
        .iter()
        .filter(holds)
        .map(|(name, _)| name.as_str())
        .collect();
    // A small number is also an amount: where a field is called an identifier, only that counts.
    if names.iter().any(|name| is_identity(name)) {
        names.retain(|name| is_identity(name));
    }
    names
}
