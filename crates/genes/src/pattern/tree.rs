//! A pattern as a tree that strings can be walked from, each node knowing how long a string it
//! can give, in characters.

use regex_syntax::ParserBuilder;
use regex_syntax::hir::{self, Hir, HirKind, Look};

/// No upper bound.
pub(crate) const ENDLESS: usize = usize::MAX;

#[derive(Debug)]
pub(crate) struct Tree {
    pub root: Node,
    /// A match must begin where the text begins.
    pub from_start: bool,
    /// A match must end where the text ends.
    pub to_end: bool,
}

#[derive(Debug)]
pub(crate) struct Node {
    pub kind: NodeKind,
    pub min: usize,
    pub max: usize,
}

#[derive(Debug)]
pub(crate) enum NodeKind {
    /// Nothing: empty, or an assertion that is left to confirmation.
    Nothing,
    Literal(Box<str>),
    Class(Class),
    Repeat {
        sub: Box<Node>,
        min: usize,
        max: usize,
    },
    Sequence(Vec<Node>),
    Either(Vec<Node>),
}

/// A set of characters, sorted by how pleasant they are to read.
#[derive(Debug)]
pub(crate) struct Class {
    /// Lower-case letters and digits.
    pub tidy: Vec<char>,
    /// All printable ASCII.
    pub ascii: Vec<char>,
    /// A few characters beyond ASCII.
    pub beyond: Vec<char>,
    pub ranges: Vec<(char, char)>,
}

/// Reads a translated pattern; none if it has what the walk cannot do (back-references, errors).
pub(crate) fn read(pattern: &str) -> Option<Tree> {
    let hir = ParserBuilder::new()
        .nest_limit(100)
        .build()
        .parse(pattern)
        .ok()?;
    let looks = hir.properties();
    Some(Tree {
        root: node(&hir),
        from_start: looks.look_set_prefix().contains(Look::Start),
        to_end: looks.look_set_suffix().contains(Look::End),
    })
}

fn node(hir: &Hir) -> Node {
    match hir.kind() {
        HirKind::Empty | HirKind::Look(_) => leaf(NodeKind::Nothing, 0),
        HirKind::Literal(literal) => literal_node(&literal.0),
        HirKind::Class(class) => class_node(class),
        HirKind::Repetition(repetition) => repeat_node(repetition),
        HirKind::Capture(capture) => node(&capture.sub),
        HirKind::Concat(parts) => sequence_node(parts.iter().map(node).collect()),
        HirKind::Alternation(parts) => either_node(parts.iter().map(node).collect()),
    }
}

fn leaf(kind: NodeKind, length: usize) -> Node {
    Node {
        kind,
        min: length,
        max: length,
    }
}

fn literal_node(bytes: &[u8]) -> Node {
    let text = String::from_utf8_lossy(bytes);
    let length = text.chars().count();
    leaf(NodeKind::Literal(text.into()), length)
}

fn class_node(class: &hir::Class) -> Node {
    let ranges: Vec<(char, char)> = match class {
        hir::Class::Unicode(class) => class.iter().map(|r| (r.start(), r.end())).collect(),
        hir::Class::Bytes(class) => class
            .iter()
            .map(|r| (r.start() as char, r.end() as char))
            .collect(),
    };
    leaf(NodeKind::Class(Class::of(ranges)), 1)
}

fn repeat_node(repetition: &hir::Repetition) -> Node {
    let sub = node(&repetition.sub);
    let min = repetition.min as usize;
    let max = repetition.max.map_or(ENDLESS, |max| max as usize);
    Node {
        min: sub.min.saturating_mul(min),
        max: if sub.max == 0 {
            0
        } else {
            sub.max.saturating_mul(max)
        },
        kind: NodeKind::Repeat {
            sub: Box::new(sub),
            min,
            max,
        },
    }
}

fn sequence_node(parts: Vec<Node>) -> Node {
    Node {
        min: parts.iter().fold(0, |sum, p| p.min.saturating_add(sum)),
        max: parts.iter().fold(0, |sum, p| p.max.saturating_add(sum)),
        kind: NodeKind::Sequence(parts),
    }
}

fn either_node(parts: Vec<Node>) -> Node {
    Node {
        min: parts.iter().map(|p| p.min).min().unwrap_or(0),
        max: parts.iter().map(|p| p.max).max().unwrap_or(0),
        kind: NodeKind::Either(parts),
    }
}

const BEYOND: [char; 8] = ['é', 'ß', 'Ж', '漢', 'か', '😀', 'ع', '\u{301}'];

impl Class {
    fn of(ranges: Vec<(char, char)>) -> Self {
        let holds = |c: &char| ranges.iter().any(|(lo, hi)| lo <= c && c <= hi);
        Self {
            tidy: ('a'..='z').chain('0'..='9').filter(holds).collect(),
            ascii: (' '..='~').filter(holds).collect(),
            beyond: BEYOND.into_iter().filter(holds).collect(),
            ranges,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_are_counted_in_characters() {
        let tree = read("^(é|ab){2,3}c?$").expect("parses");
        assert_eq!((tree.root.min, tree.root.max), (2, 7));
        assert!(tree.from_start && tree.to_end);
        let tree = read("a+").expect("parses");
        assert_eq!((tree.root.min, tree.root.max), (1, ENDLESS));
        assert!(!tree.from_start && !tree.to_end);
    }

    #[test]
    fn an_anchor_in_one_branch_anchors_nothing() {
        let tree = read("^a|b$").expect("parses");
        assert!(!tree.from_start && !tree.to_end);
    }

    #[test]
    fn what_cannot_be_walked_is_refused() {
        assert!(read(r"(a)\1").is_none());
        assert!(read("(").is_none());
    }
}
