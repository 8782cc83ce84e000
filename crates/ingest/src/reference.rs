//! Documents, and what a `$ref` in one of them leads to.
//!
//! All documents are loaded first and never change again; from then on a part of one is a
//! [`Node`]: a plain reference into the tree. A node's address is its identity, so "the same
//! schema" is a comparison of numbers and no pointer text is built while reading. Refs that
//! can't be loaded are remembered with the reason and only told where something needs them.

use std::borrow::Cow;
use std::collections::HashMap;

use percent_encoding::percent_decode_str;
use serde_json::{Map, Value};

use crate::location::join;
use crate::{Fetch, Source, source};

/// More documents than a hand-made API is split into; a chain of generated ones has to end.
const MOST_DOCUMENTS: usize = 10_000;
const MOST_TEXT: usize = 512 << 20;
const MOST_HOPS: usize = 64;

pub(crate) struct Document<'s> {
    pub(crate) name: String,
    pub(crate) text: Cow<'s, str>,
    pub(crate) root: Value,
}

/// Everything that was loaded; the first document is the one that was asked for.
pub(crate) struct Loaded<'s> {
    pub(crate) documents: Vec<Document<'s>>,
    locations: HashMap<String, Result<u32, String>>,
}

/// A part of a document.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Node<'d> {
    pub(crate) value: &'d Value,
    pub(crate) document: u32,
}

impl<'d> Node<'d> {
    /// What makes it this node and no other.
    pub(crate) fn address(self) -> usize {
        std::ptr::from_ref(self.value).addr()
    }

    pub(crate) fn at(self, value: &'d Value) -> Self {
        Self { value, ..self }
    }

    /// Whether it may stand where a schema is asked for; anything else there says nothing.
    pub(crate) fn is_schema(&self) -> bool {
        self.value.is_object() || self.value.is_boolean()
    }

    pub(crate) fn get(self, key: &str) -> Option<Self> {
        self.value.get(key).map(|value| self.at(value))
    }

    pub(crate) fn map(self) -> Option<&'d Map<String, Value>> {
        self.value.as_object()
    }

    pub(crate) fn text(self, key: &str) -> Option<&'d str> {
        self.value.get(key).and_then(Value::as_str)
    }

    pub(crate) fn flag(self, key: &str) -> bool {
        self.value.get(key).is_some_and(is_true)
    }

    /// The entries of an object; none if it is none.
    pub(crate) fn entries(self) -> impl Iterator<Item = (&'d str, Self)> {
        self.map()
            .into_iter()
            .flatten()
            .map(move |(key, value)| (key.as_str(), self.at(value)))
    }

    /// The items of a list; none if it is none.
    pub(crate) fn items(self) -> impl Iterator<Item = Self> {
        self.value
            .as_array()
            .into_iter()
            .flatten()
            .map(move |value| self.at(value))
    }

    /// What its `$ref` says, if it has one; a property that is called `$ref` is none.
    pub(crate) fn reference(self) -> Option<&'d str> {
        self.text("$ref").or_else(|| self.text("$dynamicRef"))
    }
}

/// `true`, also where somebody quoted it.
pub(crate) fn is_true(value: &Value) -> bool {
    match value {
        Value::Bool(flag) => *flag,
        Value::String(text) => text.eq_ignore_ascii_case("true"),
        _ => false,
    }
}

/// Loads every document that is referred to, from the first one on.
pub(crate) fn load<'s>(source: &'s Source, root: Value, fetch: &mut dyn Fetch) -> Loaded<'s> {
    let first = Document {
        name: source.name.clone(),
        text: Cow::Borrowed(&source.text),
        root,
    };
    let mut loaded = Loaded {
        documents: vec![first],
        locations: HashMap::from([(source.name.clone(), Ok(0))]),
    };
    let mut text_left = MOST_TEXT;
    let mut next = 0;
    while let Some(document) = loaded.documents.get(next) {
        for location in locations_of(document, &loaded.documents) {
            if !loaded.locations.contains_key(&location) {
                let found = loaded.add(&location, fetch, &mut text_left);
                loaded.locations.insert(location, found);
            }
        }
        next += 1;
    }
    loaded
}

impl Loaded<'_> {
    fn add(
        &mut self,
        location: &str,
        fetch: &mut dyn Fetch,
        text_left: &mut usize,
    ) -> Result<u32, String> {
        if self.documents.len() >= MOST_DOCUMENTS {
            return Err(format!("more than {MOST_DOCUMENTS} documents are involved"));
        }
        let text = fetch.fetch(location)?;
        *text_left = text_left
            .checked_sub(text.len())
            .ok_or("the documents are too large together")?;
        let source = Source {
            name: location.to_owned(),
            text,
        };
        let root = source::parse(&source).map_err(|error| error.to_string())?;
        self.documents.push(Document {
            name: source.name,
            text: Cow::Owned(source.text),
            root,
        });
        Ok(self.documents.len() as u32 - 1)
    }
}

/// The other documents that one refers to, in its order.
fn locations_of(document: &Document<'_>, all: &[Document<'_>]) -> Vec<String> {
    let mut found = Vec::new();
    each_object(&document.root, &mut |map| {
        let reference = map.get("$ref").and_then(Value::as_str).unwrap_or("");
        let file = file_of(reference);
        let bare = all
            .first()
            .is_some_and(|d| bare_name(&d.root, reference).is_some());
        if !file.is_empty() && !bare {
            found.extend(join(&document.name, file));
        }
    });
    found
}

fn each_object<'v>(value: &'v Value, visit: &mut dyn FnMut(&'v Map<String, Value>)) {
    match value {
        Value::Object(map) => {
            visit(map);
            map.values().for_each(|value| each_object(value, visit));
        }
        Value::Array(items) => items.iter().for_each(|value| each_object(value, visit)),
        _ => {}
    }
}

fn file_of(reference: &str) -> &str {
    reference.split('#').next().unwrap_or("")
}

/// `$ref: Pet`, in the manner of Swagger 1: a schema by its name alone.
fn bare_name<'d>(root: &'d Value, reference: &str) -> Option<&'d Value> {
    if reference.contains(['#', '/']) {
        return None;
    }
    schemas_of(root)?.get(reference)
}

/// The named schemas of a document.
pub(crate) fn schemas_of(root: &Value) -> Option<&Map<String, Value>> {
    let in_components = root.pointer("/components/schemas");
    in_components
        .or_else(|| root.get("definitions"))?
        .as_object()
}

/// Follows references among documents that are all there.
pub(crate) struct Library<'d> {
    pub(crate) loaded: &'d Loaded<'d>,
    /// `$anchor` and its kin, by document.
    anchors: HashMap<(u32, &'d str), &'d Value>,
}

impl<'d> Library<'d> {
    pub(crate) fn new(loaded: &'d Loaded<'d>) -> Self {
        let mut anchors = HashMap::new();
        for (at, document) in loaded.documents.iter().enumerate() {
            each_node(&document.root, &mut |value| {
                for key in ["$anchor", "$dynamicAnchor", "$id"] {
                    if let Some(name) = value.get(key).and_then(Value::as_str) {
                        anchors.entry((at as u32, name)).or_insert(value);
                    }
                }
            });
        }
        Self { loaded, anchors }
    }

    pub(crate) fn root(&self) -> Node<'d> {
        Node {
            value: &self.loaded.documents[0].root,
            document: 0,
        }
    }

    /// What a reference in `from` leads to, one step.
    pub(crate) fn resolve(&self, from: Node<'d>, reference: &str) -> Result<Node<'d>, String> {
        if let Some(value) = self.anchors.get(&(from.document, reference)) {
            return Ok(from.at(value));
        }
        if let Some(value) = bare_name(self.root().value, reference) {
            return Ok(Node { value, document: 0 });
        }
        let (file, fragment) = reference.split_once('#').unwrap_or((reference, ""));
        let document = self.document(from.document, file)?;
        let root = &self.loaded.documents[document as usize].root;
        self.fragment(document, root, fragment)
            .map(|value| Node { value, document })
            .ok_or_else(|| "nothing is there".to_owned())
    }

    fn document(&self, from: u32, file: &str) -> Result<u32, String> {
        if file.is_empty() {
            return Ok(from);
        }
        let location = join(&self.loaded.documents[from as usize].name, file)?;
        match self.loaded.locations.get(&location) {
            Some(found) => found.clone(),
            None => Err("it was not loaded".to_owned()),
        }
    }

    fn fragment(&self, document: u32, root: &'d Value, fragment: &str) -> Option<&'d Value> {
        if fragment.is_empty() || fragment == "/" {
            return Some(root);
        }
        if !fragment.starts_with('/') {
            return self.anchors.get(&(document, fragment)).copied();
        }
        fragment.split('/').skip(1).try_fold(root, step)
    }

    /// Follows references until something stands there itself.
    pub(crate) fn follow(&self, node: Node<'d>) -> Result<Node<'d>, String> {
        let mut node = node;
        for _ in 0..MOST_HOPS {
            let Some(reference) = node.reference() else {
                return Ok(node);
            };
            node = self
                .resolve(node, reference)
                .map_err(|reason| format!("`{reference}` can't be followed: {reason}"))?;
        }
        Err("its `$ref` leads back to itself".to_owned())
    }
}

fn each_node<'v>(value: &'v Value, visit: &mut dyn FnMut(&'v Value)) {
    visit(value);
    match value {
        Value::Object(map) => map.values().for_each(|value| each_node(value, visit)),
        Value::Array(items) => items.iter().for_each(|value| each_node(value, visit)),
        _ => {}
    }
}

/// One step of a JSON pointer that came in a URL; tokens that were not escaped are taken too.
fn step<'d>(value: &'d Value, token: &str) -> Option<&'d Value> {
    let decoded = percent_decode_str(token).decode_utf8_lossy();
    let plain = fossick_contract::unescape_token(&decoded);
    match value {
        Value::Object(map) => map.get(&plain).or_else(|| map.get(token)),
        Value::Array(items) => items.get(plain.parse::<usize>().ok()?),
        _ => None,
    }
}

/// The name a reference calls its target by: the last part of its pointer, or the file's.
pub(crate) fn name_in(reference: &str) -> String {
    let fragment = reference
        .split_once('#')
        .map_or("", |(_, fragment)| fragment);
    let last = fragment.rsplit('/').next().unwrap_or("");
    let decoded = percent_decode_str(last).decode_utf8_lossy();
    if !decoded.is_empty() {
        return fossick_contract::unescape_token(&decoded);
    }
    let file = file_of(reference).rsplit('/').next().unwrap_or("");
    file.split('.').next().unwrap_or(file).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::NoFetch;
    use serde_json::json;

    fn source() -> Source {
        Source {
            name: "api/openapi.yaml".to_owned(),
            text: String::new(),
        }
    }

    struct Files(Vec<(&'static str, &'static str)>, Vec<String>);

    impl Fetch for Files {
        fn fetch(&mut self, location: &str) -> Result<String, String> {
            self.1.push(location.to_owned());
            let found = self.0.iter().find(|(name, _)| *name == location);
            found
                .map(|(_, text)| (*text).to_owned())
                .ok_or_else(|| "no such file".to_owned())
        }
    }

    #[test]
    fn pointers_are_unescaped_both_ways() {
        let source = source();
        let root = json!({"paths": {"/a/{id}": {"x": [10, 20]}}});
        let loaded = load(&source, root, &mut NoFetch);
        let library = Library::new(&loaded);
        for reference in ["#/paths/~1a~1{id}/x/1", "#/paths/~1a~1%7Bid%7D/x/1"] {
            let node = library.resolve(library.root(), reference);
            assert_eq!(node.expect("found").value, &json!(20));
        }
        assert!(library.resolve(library.root(), "#/paths/x/9").is_err());
    }

    #[test]
    fn a_ref_to_itself_ends() {
        let source = source();
        let root = json!({"a": {"$ref": "#/a"}, "b": {"$ref": "#/c"}, "c": {"$ref": "#/b"}});
        let loaded = load(&source, root, &mut NoFetch);
        let library = Library::new(&loaded);
        for key in ["a", "b"] {
            let node = library.root().get(key).expect("there");
            assert!(library.follow(node).is_err());
        }
    }

    #[test]
    fn each_document_is_fetched_once_relative_to_who_asks() {
        let source = source();
        let root = json!({
            "a": {"$ref": "./x/one.yaml#/A"},
            "b": {"$ref": "x/one.yaml#/B"},
        });
        let mut files = Files(
            vec![
                ("api/x/one.yaml", "A: {$ref: '../two.yaml'}\nB: 2\n"),
                ("api/two.yaml", "deep: {$ref: 'openapi.yaml#/b'}\n"),
            ],
            Vec::new(),
        );
        let loaded = load(&source, root, &mut files);
        assert_eq!(files.1, ["api/x/one.yaml", "api/two.yaml"]);
        let library = Library::new(&loaded);
        let a = library.follow(library.root().get("a").expect("there"));
        let deep = a.expect("found").get("deep").expect("there");
        assert_eq!(library.follow(deep).expect("found").value, &json!(2));
    }

    #[test]
    fn what_can_not_be_had_says_why() {
        let source = source();
        let root = json!({"a": {"$ref": "gone.yaml"}, "b": {"$ref": "https://x.example/y"}});
        let loaded = load(&source, root, &mut Files(Vec::new(), Vec::new()));
        let library = Library::new(&loaded);
        let why = |key| {
            let node = library.root().get(key).expect("there");
            library.follow(node).expect_err("refused")
        };
        assert!(why("a").contains("no such file"));
        assert!(why("b").contains("another host"));
    }

    #[test]
    fn names_come_from_the_end_of_a_reference() {
        assert_eq!(name_in("#/components/schemas/Pet"), "Pet");
        assert_eq!(name_in("models/Pet.yaml"), "Pet");
        assert_eq!(name_in("x.yaml#/a/b~1c"), "b/c");
        assert_eq!(name_in("Pet"), "Pet");
    }
}
