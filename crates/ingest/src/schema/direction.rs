//! What need not be sent because it is read-only, and need not come back because it is
//! write-only.
//!
//! A property's flag and the `required` that names it may stand in different parts of a schema,
//! so the parts are searched, within reason.

use std::collections::HashSet;

use crate::reader::Reader;
use crate::reference::Node;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum View {
    Request,
    Response,
}

impl View {
    /// The flag that frees a property from being required.
    fn flag(self) -> &'static str {
        match self {
            Self::Request => "readOnly",
            Self::Response => "writeOnly",
        }
    }
}

/// Parts searched for one schema, and how deep a flag may hide behind references.
const MOST_PARTS: usize = 300;
const DEEPEST: usize = 8;

/// Whether any document speaks of directions at all; most do not.
pub(super) fn is_possible(reader: Reader<'_>) -> bool {
    let speaks = |text: &str| text.contains("readOnly") || text.contains("writeOnly");
    let documents = &reader.library.loaded.documents;
    documents.iter().any(|document| speaks(&document.text))
}

/// The names of a schema's properties, in any of its parts, that this view need not hold.
pub(super) fn hidden<'d>(reader: Reader<'d>, node: Node<'d>, view: View) -> HashSet<&'d str> {
    let mut names = HashSet::new();
    let mut seen = HashSet::new();
    let mut waiting = vec![node];
    while let Some(part) = waiting.pop() {
        if seen.len() >= MOST_PARTS || !seen.insert(part.address()) {
            continue;
        }
        for (name, property) in part.get("properties").into_iter().flat_map(Node::entries) {
            if flagged(reader, property, view.flag(), 0) {
                names.insert(name);
            }
        }
        for keyword in ["allOf", "oneOf", "anyOf"] {
            waiting.extend(part.get(keyword).into_iter().flat_map(Node::items));
        }
        waiting.extend(target(reader, part));
    }
    names
}

fn flagged(reader: Reader<'_>, node: Node<'_>, flag: &str, depth: usize) -> bool {
    if node.flag(flag) {
        return true;
    }
    let next = depth + 1;
    depth < DEEPEST
        && (target(reader, node).is_some_and(|target| flagged(reader, target, flag, next))
            || node
                .get("allOf")
                .into_iter()
                .flat_map(Node::items)
                .any(|part| flagged(reader, part, flag, next)))
}

fn target<'d>(reader: Reader<'d>, node: Node<'d>) -> Option<Node<'d>> {
    reader.library.resolve(node, node.reference()?).ok()
}
