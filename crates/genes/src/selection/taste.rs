//! What is worth asking for: judged by names and by how types are built.

use fossick_contract::{Field, Scalar, TypeGraph, TypeId, TypeKind};

use crate::maker::Manner;

/// How much is asked for.
#[derive(Debug, Clone, Copy)]
pub(super) struct Measure {
    /// Fields of a whole selection, about.
    pub total: usize,
    /// Scalars of one type.
    pub leaves: usize,
    /// Things inside things. What only wraps a thing does not count.
    pub levels: usize,
    /// Types inside types, whatever they are.
    pub deepest: usize,
    /// Object types of an abstract one.
    pub parts: usize,
}

impl Measure {
    /// `depth` is how many things inside things are asked for at most.
    pub(super) fn of(manner: Manner, depth: usize) -> Self {
        let deepest = 2 * depth + 1;
        match manner {
            Manner::Plausible => Self {
                total: 36,
                leaves: 30,
                levels: depth.min(2),
                deepest: deepest.min(7),
                parts: 6,
            },
            Manner::Full => Self {
                total: 250,
                leaves: 250,
                levels: depth,
                deepest,
                parts: 12,
            },
            Manner::Varied => Self {
                total: 120,
                leaves: 60,
                levels: depth,
                deepest: deepest.max(3) - 2,
                parts: 6,
            },
        }
    }
}

pub(super) fn is_leaf(types: &TypeGraph, field: &Field) -> bool {
    !types.get(field.returns.named).is_composite()
}

/// Identifiers come first: without them nothing can be done with an answer.
pub(super) fn leaf_rank(types: &TypeGraph, field: &Field) -> u8 {
    let by_type = matches!(
        types.get(field.returns.named).kind,
        TypeKind::Scalar(Scalar::Id)
    );
    u8::from(!(by_type || names_identifier(&field.name)))
}

fn names_identifier(name: &str) -> bool {
    matches!(name, "id" | "_id" | "uuid" | "key" | "slug" | "code")
        || ["Id", "ID", "_id", "Uuid"]
            .iter()
            .any(|tail| name.ends_with(tail))
}

/// Complaints before wrapped things, single things before lists of them.
pub(super) fn nested_rank(types: &TypeGraph, field: &Field) -> u8 {
    match () {
        () if names_errors(&field.name) => 0,
        () if names_content(&field.name) => 1,
        () if is_wrapper(types, field.returns.named) => 2,
        () if field.returns.lists() == 0 => 3,
        () => 4,
    }
}

fn names_errors(name: &str) -> bool {
    name == "errors" || name.ends_with("Errors") || name.ends_with("_errors")
}

fn names_content(name: &str) -> bool {
    matches!(name, "edges" | "nodes" | "node" | "items")
}

/// A connection, an edge or a payload: a type that is there for the things it leads to.
pub(super) fn is_wrapper(types: &TypeGraph, on: TypeId) -> bool {
    const FEW: usize = 3;
    let (mut leaves, mut composites) = (0, 0);
    for field in types.fields(on) {
        if !is_leaf(types, field) {
            if names_content(&field.name) {
                return true;
            }
            composites += 1;
        } else if matches!(&*field.name, "id" | "_id" | "uuid") {
            return false;
        } else {
            leaves += 1;
        }
    }
    composites > 0 && leaves <= FEW
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn identifiers_are_known_by_their_names() {
        assert!(
            ["id", "bookId", "book_id", "shopID"]
                .iter()
                .all(|name| names_identifier(name))
        );
        assert!(
            !["paid", "title", "identity"]
                .iter()
                .any(|name| names_identifier(name))
        );
    }

    #[test]
    fn lists_of_errors_are_known_by_their_names() {
        assert!(
            ["errors", "userErrors", "shop_errors"]
                .iter()
                .all(|name| names_errors(name))
        );
        assert!(!names_errors("error"));
    }
}
