//! Where in the text a node stands: its pointer, line and column.
//!
//! Two walks, each once per document however many nodes are asked for: through the tree for the
//! pointers, then through the text's events for the positions. JSON is read as the YAML that it
//! is. What an alias or merge key brought in has no position of its own and gets its parent's.

use std::collections::{BTreeMap, HashMap};

use fossick_contract::Place;
use granit_parser::{Event, Parser};
use serde_json::Value;

use crate::note::Mark;
use crate::reference::{Document, Loaded};
use crate::source::without_mark;

/// A node's pointer and, where the text gives it away, its position.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Spot {
    pub(crate) pointer: String,
    pub(crate) place: Option<Place>,
}

/// The spots of all marked nodes, by address.
pub(crate) fn spots(loaded: &Loaded<'_>, marks: &[Mark]) -> HashMap<usize, Spot> {
    let mut wanted: Vec<BTreeMap<usize, String>> = vec![BTreeMap::new(); loaded.documents.len()];
    for mark in marks {
        if let Some(of_document) = wanted.get_mut(mark.document as usize) {
            of_document.insert(mark.address, String::new());
        }
    }
    let mut found = HashMap::new();
    for (document, mut pointers) in loaded.documents.iter().zip(wanted) {
        if !pointers.is_empty() {
            fill(&document.root, &mut String::new(), &mut pointers);
            found.extend(placed(document, pointers));
        }
    }
    found
}

/// Writes the pointer of every wanted address.
fn fill(value: &Value, pointer: &mut String, wanted: &mut BTreeMap<usize, String>) {
    if let Some(slot) = wanted.get_mut(&std::ptr::from_ref(value).addr()) {
        slot.clone_from(pointer);
    }
    let length = pointer.len();
    let mut below = |token: &str, value: &Value| {
        pointer.push('/');
        pointer.push_str(&escape(token));
        fill(value, pointer, wanted);
        pointer.truncate(length);
    };
    match value {
        Value::Object(map) => map.iter().for_each(|(key, value)| below(key, value)),
        Value::Array(items) => {
            for (at, value) in items.iter().enumerate() {
                below(&at.to_string(), value);
            }
        }
        _ => {}
    }
}

/// A key as it stands in a JSON pointer.
pub(crate) fn escape(token: &str) -> std::borrow::Cow<'_, str> {
    if token.contains(['~', '/']) {
        fossick_contract::escape_token(token).into()
    } else {
        token.into()
    }
}

fn placed(
    document: &Document<'_>,
    pointers: BTreeMap<usize, String>,
) -> impl Iterator<Item = (usize, Spot)> {
    let mut wanted = Wanted::default();
    let leaves: Vec<_> = pointers
        .into_iter()
        .map(|(address, pointer)| (address, wanted.add(&pointer), pointer))
        .collect();
    walk(without_mark(&document.text), &mut wanted);
    leaves.into_iter().map(move |(address, leaf, pointer)| {
        let place = wanted.position(leaf).map(|(line, column)| Place {
            file: document.name.clone(),
            line,
            column,
        });
        (address, Spot { pointer, place })
    })
}

/// The wanted pointers as a tree, so that the walk skips what nobody asked for.
struct Wanted {
    all: Vec<Branch>,
}

#[derive(Default)]
struct Branch {
    parent: usize,
    children: HashMap<String, usize>,
    position: Option<(usize, usize)>,
}

impl Default for Wanted {
    fn default() -> Self {
        Self {
            all: vec![Branch::default()],
        }
    }
}

impl Wanted {
    fn add(&mut self, pointer: &str) -> usize {
        pointer.split('/').skip(1).fold(0, |parent, token| {
            let key = fossick_contract::unescape_token(token);
            if let Some(known) = self.all[parent].children.get(&key) {
                return *known;
            }
            let child = self.all.len();
            self.all[parent].children.insert(key, child);
            self.all.push(Branch {
                parent,
                ..Branch::default()
            });
            child
        })
    }

    fn child(&self, of: Option<usize>, key: &str) -> Option<usize> {
        self.all.get(of?)?.children.get(key).copied()
    }

    fn stand(&mut self, branch: Option<usize>, position: (usize, usize)) {
        if let Some(branch) = branch.and_then(|at| self.all.get_mut(at)) {
            branch.position.get_or_insert(position);
        }
    }

    /// Its own position, or that of the nearest parent which has one.
    fn position(&self, leaf: usize) -> Option<(usize, usize)> {
        let mut at = leaf;
        loop {
            let branch = self.all.get(at)?;
            if branch.position.is_some() || at == 0 {
                return branch.position;
            }
            at = branch.parent;
        }
    }
}

/// A collection that is open while the events go by.
enum Open {
    List { branch: Option<usize>, next: usize },
    Map { branch: Option<usize>, due: Due },
}

/// What a mapping waits for.
#[derive(Clone, Copy)]
enum Due {
    Key,
    /// The value of this branch, if anybody asked for it.
    Value(Option<usize>),
}

fn walk(text: &str, wanted: &mut Wanted) {
    let mut open: Vec<Open> = Vec::new();
    for event in Parser::new_from_str(text) {
        let Ok((event, span)) = event else { return };
        let position = (span.start.line(), span.start.col() + 1);
        match event {
            Event::Scalar(text, ..) => {
                enter(&mut open, wanted, Some(&text), position);
            }
            Event::Alias(_) => {
                enter(&mut open, wanted, None, position);
            }
            Event::SequenceStart(..) => {
                let branch = enter(&mut open, wanted, None, position);
                open.push(Open::List { branch, next: 0 });
            }
            Event::MappingStart(..) => {
                let branch = enter(&mut open, wanted, None, position);
                open.push(Open::Map {
                    branch,
                    due: Due::Key,
                });
            }
            Event::SequenceEnd | Event::MappingEnd => {
                open.pop();
            }
            Event::DocumentEnd => return,
            _ => {}
        }
    }
}

/// Takes note of a node that begins, and tells which branch it is.
fn enter(
    open: &mut [Open],
    wanted: &mut Wanted,
    scalar: Option<&str>,
    position: (usize, usize),
) -> Option<usize> {
    match open.last_mut() {
        None => {
            wanted.stand(Some(0), position);
            Some(0)
        }
        Some(Open::List { branch, next }) => {
            let child = branch.and_then(|_| wanted.child(*branch, &next.to_string()));
            *next += 1;
            wanted.stand(child, position);
            child
        }
        Some(Open::Map { branch, due }) => {
            if let Due::Value(child) = *due {
                *due = Due::Key;
                return child;
            }
            let child = scalar.and_then(|key| wanted.child(*branch, key));
            wanted.stand(child, position);
            *due = Due::Value(child);
            None
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn position(text: &str, pointer: &str) -> Option<(usize, usize)> {
        let mut wanted = Wanted::default();
        let leaf = wanted.add(pointer);
        walk(text, &mut wanted);
        wanted.position(leaf)
    }

    #[test]
    fn yaml_positions_are_those_of_keys_and_items() {
        let text = "a:\n  b/c:\n    - x\n    - d: 1\n  200: y\n";
        assert_eq!(position(text, "/a/b~1c"), Some((2, 3)));
        assert_eq!(position(text, "/a/b~1c/1"), Some((4, 7)));
        assert_eq!(position(text, "/a/b~1c/1/d"), Some((4, 7)));
        assert_eq!(position(text, "/a/200"), Some((5, 3)));
        assert_eq!(position(text, ""), Some((1, 1)));
    }

    #[test]
    fn json_is_walked_as_yaml() {
        let text = "{\n\t\"a\": {\"b\": [1,\n\t\t{\"c\": 2}]}\n}";
        assert_eq!(position(text, "/a/b/1/c"), Some((3, 4)));
    }

    #[test]
    fn what_an_alias_brought_in_gets_its_parents_position() {
        let text = "x: &x\n  y: 1\nz: *x\n";
        assert_eq!(position(text, "/z/y"), Some((3, 1)));
    }

    #[test]
    fn a_text_that_breaks_off_keeps_what_came_before() {
        assert_eq!(position("a: 1\nb: [\n", "/a"), Some((1, 1)));
        assert_eq!(position("a: 1\nb: [\n", "/b/0/x"), Some((2, 1)));
    }
}
