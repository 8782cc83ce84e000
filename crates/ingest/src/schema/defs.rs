//! Which schemas get an entry of their own in `$defs`, and under which key.
//!
//! Everything that is referred to or stands at the top of something. Keys are the document's
//! names as far as they go, made safe for pointers and URLs and unique. Only hands out keys; the
//! texts are written by `lower`.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use crate::reader::Reader;
use crate::reference::{Node, name_in};

/// A field of a form.
#[derive(Debug, Clone)]
pub(crate) struct Field<'d> {
    pub(crate) name: &'d str,
    /// The parameter, which is its own schema.
    pub(crate) node: Node<'d>,
    pub(crate) required: bool,
}

/// What an entry is made from.
#[derive(Debug, Clone)]
pub(super) enum Origin<'d> {
    Schema(Node<'d>),
    /// Several that hold together.
    All(Vec<Node<'d>>),
    Form(Vec<Field<'d>>),
    Anything,
}

#[derive(Default)]
pub(super) struct Defs<'d> {
    pub(super) all: Vec<(Arc<str>, Origin<'d>)>,
    keys: HashMap<usize, Arc<str>>,
    taken: HashSet<Arc<str>>,
}

impl<'d> Defs<'d> {
    /// The key of a schema; the first to ask names it.
    pub(super) fn key(&mut self, node: Node<'d>, name: impl FnOnce() -> String) -> Arc<str> {
        if let Some(key) = self.keys.get(&node.address()) {
            return Arc::clone(key);
        }
        let key = self.add(&name(), Origin::Schema(node));
        self.keys.insert(node.address(), Arc::clone(&key));
        key
    }

    /// One step along a `$ref`: what it leads to, and the key of that.
    pub(super) fn target(
        &mut self,
        reader: Reader<'d>,
        node: Node<'d>,
    ) -> Result<(Node<'d>, Arc<str>), String> {
        let reference = node.reference().unwrap_or("");
        let found = reader.library.resolve(node, reference);
        let target = found.map_err(|why| format!("`{reference}` can't be followed: {why}"))?;
        let key = self.key(target, || name_in(reference));
        Ok((target, key))
    }

    pub(super) fn all_of(&mut self, nodes: Vec<Node<'d>>, name: &str) -> Arc<str> {
        self.add(name, Origin::All(nodes))
    }

    pub(super) fn form(
        &mut self,
        fields: Vec<Field<'d>>,
        name: impl FnOnce() -> String,
    ) -> Arc<str> {
        self.add(&name(), Origin::Form(fields))
    }

    pub(super) fn anything(&mut self) -> Arc<str> {
        self.add("anything", Origin::Anything)
    }

    fn add(&mut self, name: &str, origin: Origin<'d>) -> Arc<str> {
        let key = self.unique(&safe(name));
        self.taken.insert(Arc::clone(&key));
        self.all.push((Arc::clone(&key), origin));
        key
    }

    /// Numbers a name that is taken. Starting from the count of all keys keeps this short.
    fn unique(&self, name: &str) -> Arc<str> {
        if !self.taken.contains(name) {
            return name.into();
        }
        let start = self.all.len();
        (start..=start + self.taken.len())
            .map(|number| format!("{name}.{number}"))
            .find(|candidate| !self.taken.contains(candidate.as_str()))
            .map_or_else(|| name.into(), Into::into)
    }
}

/// A name in which nothing needs escaping, neither in a pointer nor in a URL.
fn safe(name: &str) -> String {
    let mut safe = String::with_capacity(name.len());
    for char in name.chars().take(120) {
        if char.is_ascii_alphanumeric() || matches!(char, '.' | '-' | '_') {
            safe.push(char);
        } else if !safe.ends_with('_') {
            safe.push('_');
        }
    }
    let trimmed = safe.trim_matches('_');
    if trimmed.is_empty() {
        return "schema".to_owned();
    }
    trimmed.to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn keys_are_safe_unique_and_stable() {
        let (a, b) = (json!({}), json!({}));
        let node = |value| Node { value, document: 0 };
        let mut defs = Defs::default();
        let first = defs.key(node(&a), || "List<Pet>/{id}".to_owned());
        let second = defs.key(node(&b), || "List<Pet>/{id}".to_owned());
        let again = defs.key(node(&a), || "other".to_owned());
        assert_eq!(&*first, "List_Pet_id");
        assert_ne!(first, second);
        assert_eq!(first, again);
        assert_eq!(safe("日本"), "schema");
    }
}
