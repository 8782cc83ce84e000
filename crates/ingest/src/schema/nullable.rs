//! Whether `null` is allowed, as far as a schema says.
//!
//! Three answers, because most schemas say nothing: a schema without `type` lets `null` pass
//! when it validates, but nobody waits for one.

use super::types::Types;
use super::{Item, Role, Schemas, mend};
use crate::reader::Reader;
use crate::reference::Node;

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Nullability {
    No,
    Unsaid,
    Yes,
}

use Nullability::{No, Unsaid, Yes};

impl Nullability {
    fn and(self, other: Self) -> Self {
        match (self, other) {
            (No, _) | (_, No) => No,
            (Yes, _) | (_, Yes) => Yes,
            (Unsaid, Unsaid) => Unsaid,
        }
    }
}

/// Deeper chains of references are left unsaid.
const DEEPEST: usize = 100;

impl<'d> Schemas<'d> {
    /// Whether a conjunction allows `null`.
    pub(super) fn nullability(&mut self, items: &[Item<'d>]) -> Nullability {
        items.iter().fold(Unsaid, |all, item| {
            all.and(match item.role {
                Role::Whole => self.whole_null(item.node, 0),
                Role::Own => own(self.reader, item.node),
                Role::OneOf => self.any_null(item.node, "oneOf", 0),
                Role::AnyOf => self.any_null(item.node, "anyOf", 0),
                Role::Only(types) if types.has(Types::NULL) => Yes,
                Role::Only(_) | Role::ItemValues => No,
            })
        })
    }

    fn whole_null(&mut self, node: Node<'d>, depth: usize) -> Nullability {
        if let Some(known) = self.nulls.get(&node.address()) {
            return *known;
        }
        if depth > DEEPEST {
            return Unsaid;
        }
        // Whoever comes back here on the way adds nothing.
        self.nulls.insert(node.address(), Unsaid);
        let found = self.examined(node, depth + 1);
        self.nulls.insert(node.address(), found);
        found
    }

    fn examined(&mut self, node: Node<'d>, depth: usize) -> Nullability {
        if let Some(allowed) = node.value.as_bool() {
            return if allowed { Unsaid } else { No };
        }
        if mend::nullable(node) {
            return Yes;
        }
        let mut all = Unsaid;
        if node.reference().is_some() {
            if let Ok((target, _)) = self.target(node) {
                all = self.whole_null(target, depth);
            }
            if !self.reader.siblings_count() {
                return all;
            }
        }
        all = all.and(own(self.reader, node));
        for part in mend::schemas(self.reader, node, "allOf") {
            all = all.and(self.whole_null(part, depth));
        }
        all.and(self.any_null(node, "oneOf", depth))
            .and(self.any_null(node, "anyOf", depth))
    }

    fn any_null(&mut self, node: Node<'d>, key: &str, depth: usize) -> Nullability {
        let options = mend::schemas(self.reader, node, key);
        let best = options
            .into_iter()
            .map(|option| self.whole_null(option, depth))
            .max();
        best.unwrap_or(Unsaid)
    }

    /// Whether a schema allows `null` and nothing else.
    pub(super) fn is_null_only(&self, node: Node<'d>) -> bool {
        let Ok(node) = self.reader.follow(node) else {
            return false;
        };
        let declared = node
            .get("type")
            .and_then(|_| mend::declared(self.reader, node));
        let values = node.value.get("enum").and_then(|values| values.as_array());
        declared.is_some_and(|declared| declared.types == Types::NULL)
            || values.is_some_and(|values| {
                !values.is_empty() && values.iter().all(serde_json::Value::is_null)
            })
            || node
                .value
                .get("const")
                .is_some_and(serde_json::Value::is_null)
    }
}

/// What the keywords of a schema itself say.
fn own(reader: Reader<'_>, node: Node<'_>) -> Nullability {
    if mend::nullable(node) {
        return Yes;
    }
    let by_type =
        mend::declared(reader, node).map(|declared| answer(declared.types.has(Types::NULL)));
    let by_values = mend::values(reader, node)
        .map(|values| answer(values.iter().any(serde_json::Value::is_null)));
    by_type.unwrap_or(Unsaid).and(by_values.unwrap_or(Unsaid))
}

fn answer(yes: bool) -> Nullability {
    if yes { Yes } else { No }
}
