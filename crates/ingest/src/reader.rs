//! What every part of the reading needs at hand: the documents, the dialect, and somewhere to
//! note things. A handful of references, so it is copied freely.

use fossick_contract::Dialect;

use crate::note::Notes;
use crate::reference::{Library, Node};

#[derive(Clone, Copy)]
pub(crate) struct Reader<'d> {
    pub(crate) library: &'d Library<'d>,
    pub(crate) notes: &'d Notes,
    pub(crate) dialect: Dialect,
}

impl<'d> Reader<'d> {
    pub(crate) fn warn(self, node: Node<'_>, message: impl Into<String>) {
        self.notes.warn(node, message);
    }

    pub(crate) fn error(self, node: Node<'_>, message: impl Into<String>) {
        self.notes.error(node, message);
    }

    pub(crate) fn root(self) -> Node<'d> {
        self.library.root()
    }

    pub(crate) fn is_swagger2(self) -> bool {
        self.dialect == Dialect::Swagger2
    }

    /// In 3.1 what stands beside a `$ref` counts too.
    pub(crate) fn siblings_count(self) -> bool {
        self.dialect == Dialect::OpenApi31
    }

    /// Follows `$ref`s to the thing itself.
    pub(crate) fn follow(self, node: Node<'d>) -> Result<Node<'d>, String> {
        self.library.follow(node)
    }

    /// Follows `$ref`s; a broken one is noted as left out.
    pub(crate) fn follow_or_note(self, node: Node<'d>, what: &str) -> Option<Node<'d>> {
        self.follow(node)
            .map_err(|reason| self.error(node, format!("{what} is left out: {reason}")))
            .ok()
    }
}
