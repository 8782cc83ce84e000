//! Takes a conjunction apart until only plain keywords and choices are left.
//!
//! `$ref` and `allOf` disappear; `oneOf` and `anyOf` are set aside as groups, except where they
//! leave no choice. Holding twice is holding once, so whoever is met again is skipped: cycles and
//! diamonds cost nothing.

use std::collections::HashSet;
use std::sync::Arc;

use fossick_contract::ChoiceMode;

use super::types::Types;
use super::{Item, Role, Schemas, lower, mend, pointer_to};
use crate::reference::Node;

/// Keywords of one schema object that hold.
#[derive(Debug, Clone)]
pub(super) struct Own<'d> {
    pub(super) node: Node<'d>,
    /// Where its keywords lie in the schema text.
    pub(super) pointer: Arc<str>,
    /// Only its words and flags count: it stands beside a `$ref` in an older dialect.
    pub(super) words_only: bool,
}

/// A `oneOf` or `anyOf` that leaves a choice.
#[derive(Debug, Clone)]
pub(super) struct Group<'d> {
    pub(super) node: Node<'d>,
    pub(super) mode: ChoiceMode,
    pub(super) pointer: Arc<str>,
}

impl Group<'_> {
    pub(super) fn keyword(&self) -> &'static str {
        match self.mode {
            ChoiceMode::One => "oneOf",
            ChoiceMode::Any => "anyOf",
        }
    }
}

#[derive(Default)]
pub(super) struct Flat<'d> {
    pub(super) owns: Vec<Own<'d>>,
    pub(super) groups: Vec<Group<'d>>,
    /// Types that are left by the role `Only`.
    pub(super) only: Option<Types>,
    /// Values that are left by the role `ItemValues`.
    pub(super) values: Option<Vec<serde_json::Value>>,
    pub(super) never: bool,
    /// Too deep or too much to be understood.
    pub(super) lost: bool,
    /// Named schemas that were entered from the outside, in order.
    pub(super) named: Vec<Node<'d>>,
    /// Something constrains beside the named schemas.
    pub(super) extended: bool,
    inside_named: usize,
    depth: usize,
    seen: HashSet<(Role, usize)>,
}

const DEEPEST: usize = 150;

impl<'d> Schemas<'d> {
    pub(super) fn flatten(&mut self, items: &[Item<'d>]) -> Flat<'d> {
        let mut flat = Flat::default();
        for item in items {
            match item.role {
                Role::Whole => self.take_in(&mut flat, item.node, &item.pointer),
                Role::Own => flat.own(item.node, Arc::clone(&item.pointer), false),
                Role::OneOf => self.group(&mut flat, item.node, ChoiceMode::One, &item.pointer),
                Role::AnyOf => self.group(&mut flat, item.node, ChoiceMode::Any, &item.pointer),
                Role::Only(types) => {
                    flat.only = Some(flat.only.map_or(types, |only| only.and(types)));
                }
                Role::ItemValues => {
                    let values = mend::item_values(self.reader, item.node);
                    flat.values = values.cloned();
                }
            }
        }
        flat
    }

    fn take_in(&mut self, flat: &mut Flat<'d>, node: Node<'d>, pointer: &Arc<str>) {
        if !flat.seen.insert((Role::Whole, node.address())) {
            return;
        }
        if flat.depth >= DEEPEST || !self.spend(1) {
            flat.lost = true;
            return;
        }
        if node.value.as_bool() == Some(false) {
            flat.never = true;
        }
        if node.map().is_none() {
            self.not_a_schema(node);
            return;
        }
        flat.depth += 1;
        self.take_object(flat, node, pointer);
        flat.depth -= 1;
    }

    fn not_a_schema(&self, node: Node<'d>) {
        if !node.value.is_boolean() {
            self.reader
                .warn(node, "a schema must be an object; read as anything");
        }
    }

    fn take_object(&mut self, flat: &mut Flat<'d>, node: Node<'d>, pointer: &Arc<str>) {
        let inside = lower::inside(node, pointer);
        let refers = node.reference().is_some();
        let words_only = refers && !self.reader.siblings_count();
        flat.own(node, Arc::clone(&inside), words_only);
        if refers {
            self.take_target(flat, node);
        }
        if words_only {
            return;
        }
        for (at, part) in mend::schemas(self.reader, node, "allOf")
            .into_iter()
            .enumerate()
        {
            self.take_in(flat, part, &format!("{inside}/allOf/{at}").into());
        }
        self.group(flat, node, ChoiceMode::One, &inside);
        self.group(flat, node, ChoiceMode::Any, &inside);
    }

    fn take_target(&mut self, flat: &mut Flat<'d>, node: Node<'d>) {
        match self.target(node) {
            Ok((target, key)) => {
                if flat.inside_named == 0 {
                    flat.named.push(target);
                }
                flat.inside_named += 1;
                self.take_in(flat, target, &pointer_to(&key));
                flat.inside_named -= 1;
            }
            Err(reason) => self
                .reader
                .warn(node, format!("read as anything: {reason}")),
        }
    }

    /// Sets a group of options aside; a single one is no choice and holds at once.
    fn group(&mut self, flat: &mut Flat<'d>, node: Node<'d>, mode: ChoiceMode, pointer: &Arc<str>) {
        let group = Group {
            node,
            mode,
            pointer: Arc::clone(pointer),
        };
        let options = self.options(&group);
        let role = match mode {
            ChoiceMode::One => Role::OneOf,
            ChoiceMode::Any => Role::AnyOf,
        };
        match options.as_slice() {
            [] => {}
            [(option, pointer)] => self.take_in(flat, *option, pointer),
            _ => {
                if flat.seen.insert((role, node.address())) {
                    flat.groups.push(group);
                }
            }
        }
    }

    /// The options of a group without those that only allow `null`, and where each is written.
    pub(super) fn options(&self, group: &Group<'d>) -> Vec<(Node<'d>, Arc<str>)> {
        let keyword = group.keyword();
        let written = lower::written_keyword(group.node, keyword);
        let listed = mend::schemas(self.reader, group.node, keyword);
        let all = || {
            listed.iter().enumerate().map(|(at, option)| {
                let pointer = format!("{}/{written}/{at}", group.pointer);
                (*option, Arc::from(pointer))
            })
        };
        let some: Vec<_> = all()
            .filter(|(option, _)| !self.is_null_only(*option))
            .collect();
        if some.is_empty() {
            all().collect()
        } else {
            some
        }
    }
}

impl<'d> Flat<'d> {
    fn own(&mut self, node: Node<'d>, pointer: Arc<str>, words_only: bool) {
        if self.seen.insert((Role::Own, node.address())) {
            self.extended |= self.inside_named == 0 && !words_only && constrains(node);
            self.owns.push(Own {
                node,
                pointer,
                words_only,
            });
        }
    }

    /// The owns whose keywords count.
    pub(super) fn parts(&self) -> impl Iterator<Item = &Own<'d>> {
        self.owns.iter().filter(|own| !own.words_only)
    }
}

/// Keywords besides `type` that narrow what a schema allows.
const CONSTRAINTS: &[&str] = &[
    "enum",
    "const",
    "minimum",
    "maximum",
    "exclusiveMinimum",
    "exclusiveMaximum",
    "multipleOf",
    "minLength",
    "maxLength",
    "pattern",
    "format",
    "items",
    "prefixItems",
    "additionalItems",
    "minItems",
    "maxItems",
    "uniqueItems",
    "properties",
    "required",
    "additionalProperties",
    "patternProperties",
    "propertyNames",
    "minProperties",
    "maxProperties",
];

/// Keywords that a shape has no words for: only a validator knows.
pub(super) const BEYOND_SHAPES: &[&str] = &[
    "not",
    "if",
    "then",
    "else",
    "contains",
    "minContains",
    "maxContains",
    "dependencies",
    "dependentRequired",
    "dependentSchemas",
    "unevaluatedItems",
    "unevaluatedProperties",
];

/// Whether a schema's own keywords say more than its type.
pub(super) fn constrains(node: Node<'_>) -> bool {
    let mut all = CONSTRAINTS.iter().chain(BEYOND_SHAPES);
    all.any(|key| node.value.get(*key).is_some())
}
