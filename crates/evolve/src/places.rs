//! The genes of a value one by one, each with its shape and a key that is the same in every test.
//!
//! Parts whose values hang together (the options of a choice, the items of a set, free maps) are
//! one place: the maker of genes changes them as a whole.

use fossick_contract::{Api, Kind, ObjectShape, ShapeId};
use fossick_genes::Gene;

/// Where the walk is.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Node<'n> {
    pub(crate) name: &'n str,
    pub(crate) shape: ShapeId,
    pub(crate) key: u64,
}

/// Deeper values are left as they are.
const DEEPEST: usize = 24;

/// Pointers of a value that others say.
#[derive(Debug, Default)]
pub(crate) struct Bound {
    whole: Vec<u64>,
    /// Everything on the way there.
    above: Vec<u64>,
}

impl Bound {
    pub(crate) fn add(&mut self, root: u64, pointer: &str) {
        let mut key = root;
        for token in pointer.split('/').skip(1) {
            self.above.push(key);
            key = below(key, token);
        }
        self.whole.push(key);
    }

    fn holds(&self, key: u64) -> bool {
        self.whole.contains(&key)
    }

    /// Whether something that others say lies here or further in.
    pub(crate) fn reaches(&self, key: u64) -> bool {
        self.holds(key) || self.above.contains(&key)
    }
}

/// The key of a part; all items of an array are the same.
pub(crate) fn below(key: u64, token: &str) -> u64 {
    let index = !token.is_empty() && token.bytes().all(|b| b.is_ascii_digit());
    let token = if index { "*" } else { token };
    // A separator, so that `ab` below `c` is not `b` below `ca`.
    let bytes = token.bytes().chain([0xff]);
    bytes.fold(key, |key, byte| {
        (key ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

/// What a walk does at each place. Parts come before the whole they lie in, so that a change of the
/// whole never moves what is still to come.
pub(crate) trait Visit {
    fn place(&mut self, gene: &mut Gene, node: Node<'_>);
    /// The shape says more than its parts do.
    fn checked(&mut self) {}
}

pub(crate) struct Walk<'w> {
    pub(crate) api: &'w Api,
    pub(crate) bound: &'w Bound,
}

impl Walk<'_> {
    pub(crate) fn visit(&self, gene: &mut Gene, node: Node<'_>, visitor: &mut dyn Visit) {
        self.descend(gene, node, 0, visitor);
    }

    fn descend(&self, gene: &mut Gene, node: Node<'_>, depth: usize, visitor: &mut dyn Visit) {
        let shape = self.api.shape(node.shape);
        if depth > DEEPEST || self.bound.holds(node.key) || matches!(gene, Gene::Disruptive(_)) {
            return;
        }
        if shape.needs_check {
            visitor.checked();
        }
        match (&mut *gene, &shape.kind) {
            (Gene::Object(fields), Kind::Object(object)) => {
                for field in fields {
                    let Some(property) = object.property(&field.name) else {
                        continue;
                    };
                    let inner = Node {
                        name: &property.name,
                        shape: property.shape,
                        key: below(node.key, &property.name),
                    };
                    self.descend(&mut field.gene, inner, depth + 1, visitor);
                }
                if has_optional(object) {
                    visitor.place(gene, node);
                }
            }
            (Gene::Array(items), Kind::Array(array)) if !array.unique => {
                for (at, item) in items.iter_mut().enumerate() {
                    let Some(shape) = array.prefix.get(at).copied().or(array.items) else {
                        continue;
                    };
                    let key = below(node.key, "*");
                    self.descend(item, Node { shape, key, ..node }, depth + 1, visitor);
                }
                visitor.place(gene, node);
            }
            _ => visitor.place(gene, node),
        }
    }
}

pub(crate) fn has_optional(object: &ObjectShape) -> bool {
    object.properties.iter().any(|property| !property.required)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::workshop::tests::{Bench, shop};

    struct Count(Vec<(String, u64)>);

    impl Visit for Count {
        fn place(&mut self, _: &mut Gene, node: Node<'_>) {
            self.0.push((node.name.to_owned(), node.key));
        }
    }

    fn places(bound: &[&str]) -> Vec<(String, u64)> {
        let mut bench = Bench::of(shop(), 1);
        let post = bench.api.find("POST /products").expect("declared");
        let operation = bench.api.operation(post).clone();
        let shape = operation.body.as_ref().and_then(|b| b.contents[0].shape);
        let shape = shape.expect("is declared");
        let mut workshop = bench.workshop();
        let mut gene = workshop
            .maker(fossick_genes::Manner::Full)
            .sample("body", shape);
        let mut known = Bound::default();
        for pointer in bound {
            known.add(1, pointer);
        }
        let walk = Walk {
            api: workshop.api,
            bound: &known,
        };
        let mut count = Count(Vec::new());
        let node = Node {
            name: "body",
            shape,
            key: 1,
        };
        walk.visit(&mut gene, node, &mut count);
        count.0
    }

    #[test]
    fn parts_come_before_the_whole() {
        let found = places(&[]);
        let names: Vec<&str> = found.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, ["name", "price", "body"]);
        assert_eq!(found[0].1, below(1, "name"));
    }

    #[test]
    fn what_others_say_is_no_place() {
        let found = places(&["/name"]);
        assert!(found.iter().all(|(name, _)| name != "name"));
    }

    #[test]
    fn keys_know_the_way_and_not_the_item() {
        assert_eq!(below(below(1, "items"), "0"), below(below(1, "items"), "7"));
        assert_ne!(below(below(1, "a"), "b"), below(below(1, "b"), "a"));
        assert_ne!(below(1, "ab"), below(below(1, "a"), "b"));
    }
}
