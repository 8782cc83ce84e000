//! What is noticed while reading, until it is told.
//!
//! A note marks the node it is about; pointer, line and column are found once, at the end, and
//! only if there is anything to tell. The same remark about the same node is kept once, because
//! shapes and schema texts look at the same keywords. Shared by everybody who reads, hence the
//! cell: noticing something must not need a mutable anything.

use std::cell::RefCell;
use std::collections::HashSet;

use fossick_contract::Level;

use crate::reference::Node;

/// More than anybody reads; a hostile document could ask for millions.
const MOST: usize = 20_000;

/// Which node a note is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Mark {
    pub(crate) document: u32,
    pub(crate) address: usize,
}

impl From<Node<'_>> for Mark {
    fn from(node: Node<'_>) -> Self {
        Self {
            document: node.document,
            address: node.address(),
        }
    }
}

#[derive(Debug, Clone)]
pub(crate) struct Note {
    pub(crate) level: Level,
    pub(crate) message: String,
    pub(crate) mark: Mark,
}

#[derive(Default)]
pub(crate) struct Notes {
    kept: RefCell<Kept>,
}

#[derive(Default)]
struct Kept {
    all: Vec<Note>,
    seen: HashSet<(usize, String)>,
}

impl Notes {
    /// Mended; nothing is lost.
    pub(crate) fn warn(&self, node: Node<'_>, message: impl Into<String>) {
        self.add(Level::Warning, node, message.into());
    }

    /// Not understood and left out.
    pub(crate) fn error(&self, node: Node<'_>, message: impl Into<String>) {
        self.add(Level::Error, node, message.into());
    }

    fn add(&self, level: Level, node: Node<'_>, message: String) {
        let kept = &mut *self.kept.borrow_mut();
        if kept.all.len() < MOST && kept.seen.insert((node.address(), message.clone())) {
            let mark = node.into();
            kept.all.push(Note {
                level,
                message,
                mark,
            });
        }
    }

    pub(crate) fn into_all(self) -> Vec<Note> {
        self.kept.into_inner().all
    }
}
