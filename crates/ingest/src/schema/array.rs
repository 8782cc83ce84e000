//! Lists: what their items look like, the first ones and the rest.

use std::sync::Arc;

use fossick_contract::{ArrayShape, Kind, ShapeId};
use serde_json::Value;

use super::build::Made;
use super::flatten::{Flat, Own};
use super::scalar::least;
use super::{Item, Role, Schemas, mend};
use crate::reader::Reader;
use crate::reference::Node;

/// What one schema says of the items of a list.
pub(super) struct Items<'d> {
    pub(super) prefix: Vec<Node<'d>>,
    /// The keyword under which the prefix is written in the schema text is always `prefixItems`.
    pub(super) rest: Option<Node<'d>>,
}

/// Reads `prefixItems`, and the older list of schemas under `items`.
pub(super) fn items<'d>(reader: Reader<'d>, node: Node<'d>) -> Items<'d> {
    let said = node.get("items");
    if said.is_some_and(|items| items.value.is_array()) {
        return Items {
            prefix: mend::schemas(reader, node, "items"),
            rest: node.get("additionalItems"),
        };
    }
    Items {
        prefix: mend::schemas(reader, node, "prefixItems"),
        rest: said,
    }
}

impl<'d> Schemas<'d> {
    pub(super) fn array(&mut self, flat: &Flat<'d>) -> Made {
        let parts: Vec<_> = flat
            .parts()
            .map(|own| (own, items(self.reader, own.node)))
            .collect();
        let prefix = parts.iter().map(|(_, items)| items.prefix.len()).max();
        let mut shape = ArrayShape {
            prefix: (0..prefix.unwrap_or(0))
                .map(|at| self.item_at(&parts, at))
                .collect(),
            items: self.rest(&parts),
            min_items: 0,
            max_items: None,
            unique: false,
        };
        for (own, _) in &parts {
            self.bound_items(&mut shape, own.node);
        }
        if fits_nothing(&shape) {
            return self.empty_range(flat);
        }
        Kind::Array(shape).into()
    }

    fn bound_items(&self, shape: &mut ArrayShape, node: Node<'d>) {
        let count = |key| mend::count(self.reader, node, key).map(|n| n as usize);
        shape.min_items = shape.min_items.max(count("minItems").unwrap_or(0));
        shape.max_items = least(shape.max_items, count("maxItems"));
        shape.unique |= node.flag("uniqueItems");
    }

    /// The shape of the item at a place in the prefix of any part.
    fn item_at(&mut self, parts: &[(&Own<'d>, Items<'d>)], at: usize) -> ShapeId {
        let nodes = parts.iter().filter_map(|(own, items)| {
            let node = items.prefix.get(at);
            let there = node.map(|node| (*node, format!("{}/prefixItems/{at}", own.pointer)));
            let (node, pointer) = there.or_else(|| Some(rest_of(own, items.rest?)))?;
            Some((node, Arc::from(pointer)))
        });
        let nodes = nodes.collect();
        self.all_of(nodes)
    }

    /// The shape of the items after the prefix; `None` if a part forbids them.
    fn rest(&mut self, parts: &[(&Own<'d>, Items<'d>)]) -> Option<ShapeId> {
        let mut nodes = Vec::new();
        for (own, items) in parts {
            let Some(rest) = items.rest else { continue };
            if rest.value == &Value::Bool(false) {
                return None;
            }
            let (node, pointer) = rest_of(own, rest);
            nodes.push((node, Arc::from(pointer)));
        }
        if let [(own, _)] = parts
            && mend::item_values(self.reader, own.node).is_some()
        {
            return Some(self.with_item_values(own, nodes));
        }
        Some(self.all_of(nodes))
    }

    /// Items that are limited by the `enum` of their list.
    fn with_item_values(&mut self, own: &Own<'d>, nodes: Vec<(Node<'d>, Arc<str>)>) -> ShapeId {
        let pointer: Arc<str> = format!("{}/items", own.pointer).into();
        let whole = |(node, pointer)| Item {
            role: Role::Whole,
            node,
            pointer,
        };
        let mut items: Vec<_> = nodes.into_iter().map(whole).collect();
        items.push(Item {
            role: Role::ItemValues,
            node: own.node,
            pointer: Arc::clone(&pointer),
        });
        self.conjunction(items, |_, _| pointer)
    }
}

fn fits_nothing(shape: &ArrayShape) -> bool {
    let closed = shape.items.is_none() && shape.prefix.len() < shape.min_items;
    closed || shape.max_items.is_some_and(|max| max < shape.min_items)
}

fn rest_of<'d>(own: &Own<'d>, rest: Node<'d>) -> (Node<'d>, String) {
    (rest, format!("{}/items", own.pointer))
}
