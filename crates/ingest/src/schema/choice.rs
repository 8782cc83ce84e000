//! Choices: `oneOf`, `anyOf`, and schemas that others extend under a discriminator.
//!
//! What stands beside a choice holds for each of its options, so options are merged with it. Only
//! where it adds nothing does an option stay the shape it is, and keeps its id.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use fossick_contract::{Choice, ChoiceMode, Discriminator, Kind, ShapeId, Shapes};
use serde_json::Value;

use super::build::{Made, inferred};
use super::flatten::{Flat, Group, constrains};
use super::types::Types;
use super::{Item, Job, Role, Schemas, pointer_to};
use crate::reader::Reader;
use crate::reference::{Node, name_in, schemas_of};

/// Combinations of several choices beyond this are left to the validator.
const MOST_COMBINATIONS: usize = 64;
const MOST_SUBTYPES: usize = 200;

/// An option, and where it is written.
type Written<'d> = (Node<'d>, Arc<str>);

impl<'d> Schemas<'d> {
    /// The kind of a conjunction whose first group is a choice; further groups go into its options.
    pub(super) fn grouped(&mut self, job: &Job<'d>, flat: &Flat<'d>) -> Made {
        let Some((group, further)) = flat.groups.split_first() else {
            return Kind::Any.into();
        };
        let options = self.options(group);
        let combinations = further.iter().fold(options.len(), |all, other| {
            all.saturating_mul(self.options(other).len())
        });
        let too_many = combinations > MOST_COMBINATIONS && !further.is_empty();
        let base = base(flat, if too_many { &[] } else { further });
        let shapes = options
            .iter()
            .map(|option| self.option(job, flat, &base, option))
            .collect();
        let discriminator = self.discriminator(group, &options);
        let exact = discriminator.is_some() || group.mode == ChoiceMode::Any;
        let needs_check = too_many || !(exact || self.disjoint(&options));
        let kind = Kind::Choice(Choice {
            mode: group.mode,
            options: shapes,
            discriminator,
        });
        Made { kind, needs_check }
    }

    fn option(
        &mut self,
        job: &Job<'d>,
        flat: &Flat<'d>,
        base: &[Item<'d>],
        (node, pointer): &Written<'d>,
    ) -> ShapeId {
        let pointer = Arc::clone(pointer);
        let Ok((target, key)) = self.canonical(*node) else {
            return self.inner(*node, || pointer);
        };
        let pointer = key.map_or(pointer, |key| pointer_to(&key));
        if self.base_adds_nothing(flat, base, target, &pointer) {
            return self.whole(target, pointer);
        }
        let mut items = base.to_vec();
        items.push(Item {
            role: Role::Whole,
            node: target,
            pointer,
        });
        self.conjunction(items, |_, _| Arc::clone(&job.pointer))
    }

    /// Whether everything beside the choice is at most a type that the option has anyway.
    fn base_adds_nothing(
        &mut self,
        flat: &Flat<'d>,
        base: &[Item<'d>],
        option: Node<'d>,
        pointer: &Arc<str>,
    ) -> bool {
        let more_than_type = |item: &Item<'_>| item.role != Role::Own || constrains(item.node);
        if base.iter().any(more_than_type) {
            return false;
        }
        let Some(wanted) = self.types(flat) else {
            return true;
        };
        let types = self.types_of(option, pointer);
        types.is_some_and(|types| wanted.has(types.without_null()))
    }

    fn types_of(&mut self, node: Node<'d>, pointer: &Arc<str>) -> Option<Types> {
        let item = Item {
            role: Role::Whole,
            node,
            pointer: Arc::clone(pointer),
        };
        let flat = self.flatten(&[item]);
        self.types(&flat).or_else(|| inferred(&flat))
    }

    /// Whether no value can be of the types of two options.
    fn disjoint(&mut self, options: &[Written<'d>]) -> bool {
        let mut seen = Types::NONE;
        options.iter().all(|(node, pointer)| {
            let Some(types) = self.types_of(*node, pointer) else {
                return false;
            };
            let new = seen.and(types).is_empty();
            seen = seen.or(types);
            new
        })
    }

    fn discriminator(
        &mut self,
        group: &Group<'d>,
        options: &[Written<'d>],
    ) -> Option<Discriminator> {
        let tag = Tag::of(self.reader, group.node)?;
        let values: Option<Vec<_>> = options
            .iter()
            .map(|(node, _)| self.tag_value(&tag, *node))
            .collect();
        Some(Discriminator {
            property: tag.property.into(),
            values: values?,
        })
    }

    /// What the discriminating property says for an option.
    fn tag_value(&mut self, tag: &Tag<'d>, option: Node<'d>) -> Option<Arc<str>> {
        let target = self.reader.follow(option).ok()?;
        let mapped = tag.mapping.get(&target.address()).copied();
        let fixed = || fixed_value(self.reader, target, tag.property);
        mapped
            .or_else(fixed)
            .or_else(|| declared_value(target))
            .map(Arc::from)
            .or_else(|| {
                option
                    .reference()
                    .map(|reference| name_in(reference).into())
            })
    }

    /// A schema with a discriminator and no options of its own stands for those that extend it.
    pub(super) fn subtype_choice(&mut self, job: &Job<'d>, flat: &Flat<'d>) -> Option<Choice> {
        let [item] = job.items.as_slice() else {
            return None;
        };
        if item.role != Role::Whole || !flat.groups.is_empty() || self.subtypes.is_empty() {
            return None;
        }
        let tag = Tag::of(self.reader, item.node)?;
        let subtypes = self.all_subtypes(item.node);
        if subtypes.is_empty() {
            return None;
        }
        let mut choice = Choice {
            mode: ChoiceMode::Any,
            options: Vec::new(),
            discriminator: None,
        };
        let mut values = Vec::new();
        for (name, node) in subtypes {
            let mapped = tag.mapping.get(&node.address()).copied();
            values.push(
                mapped
                    .or_else(|| declared_value(node))
                    .unwrap_or(name)
                    .into(),
            );
            let key = self.defs.key(node, || name.to_owned());
            self.names
                .entry(node.address())
                .or_insert_with(|| name.into());
            choice.options.push(self.whole(node, pointer_to(&key)));
        }
        choice.discriminator = Some(Discriminator {
            property: tag.property.into(),
            values,
        });
        Some(choice)
    }

    fn all_subtypes(&self, base: Node<'d>) -> Vec<(&'d str, Node<'d>)> {
        let mut seen = HashSet::from([base.address()]);
        let mut found: Vec<(&'d str, Node<'d>)> = Vec::new();
        let mut waiting = vec![base];
        while let Some(node) = waiting.pop() {
            for (name, subtype) in self.subtypes.get(&node.address()).into_iter().flatten() {
                if found.len() < MOST_SUBTYPES && seen.insert(subtype.address()) {
                    found.push((name, *subtype));
                    waiting.push(*subtype);
                }
            }
        }
        found
    }
}

/// What stands beside the chosen group and holds for every option.
fn base<'d>(flat: &Flat<'d>, further: &[Group<'d>]) -> Vec<Item<'d>> {
    let says_something = |node: Node<'d>| constrains(node) || node.get("type").is_some();
    let owns = flat
        .parts()
        .filter(|own| says_something(own.node))
        .map(|own| Item {
            role: Role::Own,
            node: own.node,
            pointer: Arc::clone(&own.pointer),
        });
    let groups = further.iter().map(|group| Item {
        role: match group.mode {
            ChoiceMode::One => Role::OneOf,
            ChoiceMode::Any => Role::AnyOf,
        },
        node: group.node,
        pointer: Arc::clone(&group.pointer),
    });
    let first = flat.owns.first();
    let only = first.zip(flat.only).map(|(own, types)| Item {
        role: Role::Only(types),
        node: own.node,
        pointer: Arc::clone(&own.pointer),
    });
    owns.chain(groups).chain(only).collect()
}

/// A discriminator as the document writes it.
struct Tag<'d> {
    property: &'d str,
    /// Values by the address of the schema they stand for.
    mapping: HashMap<usize, &'d str>,
}

impl<'d> Tag<'d> {
    fn of(reader: Reader<'d>, node: Node<'d>) -> Option<Self> {
        let said = node.get("discriminator")?;
        let property = said.value.as_str().or_else(|| said.text("propertyName"))?;
        let mut mapping = HashMap::new();
        for (value, target) in said.get("mapping").into_iter().flat_map(Node::entries) {
            let Some(reference) = target.value.as_str() else {
                continue;
            };
            match reader.library.resolve(target, reference) {
                Ok(found) => {
                    mapping.entry(found.address()).or_insert(value);
                }
                Err(reason) => reader.warn(
                    target,
                    format!("`{reference}` can't be followed: {reason}; this value is left out"),
                ),
            }
        }
        Some(Self { property, mapping })
    }
}

/// The only value that a schema allows for a property of its own.
fn fixed_value<'d>(reader: Reader<'d>, node: Node<'d>, property: &str) -> Option<&'d str> {
    let declared = node.get("properties")?.get(property)?;
    let declared = reader.follow(declared).ok()?;
    let constant = declared.text("const");
    constant.or_else(
        || match declared.value.get("enum")?.as_array()?.as_slice() {
            [Value::String(only)] => Some(only),
            _ => None,
        },
    )
}

fn declared_value(node: Node<'_>) -> Option<&str> {
    node.text("x-ms-discriminator-value")
        .or_else(|| node.text("x-discriminator-value"))
}

/// Which named schemas extend which, if the document has any discriminator that could matter.
pub(super) fn subtypes(reader: Reader<'_>) -> HashMap<usize, Vec<(&str, Node<'_>)>> {
    let root = reader.root();
    let mut found: HashMap<usize, Vec<_>> = HashMap::new();
    let Some(schemas) = schemas_of(root.value) else {
        return found;
    };
    if !schemas
        .values()
        .any(|schema| schema.get("discriminator").is_some())
    {
        return found;
    }
    for (name, schema) in schemas {
        let node = root.at(schema);
        for part in node.get("allOf").into_iter().flat_map(Node::items) {
            if part.reference().is_some()
                && let Ok(base) = reader.follow(part)
            {
                found
                    .entry(base.address())
                    .or_default()
                    .push((name.as_str(), node));
            }
        }
    }
    found
}

/// Takes options out that no value fits.
pub(super) fn prune(shapes: &mut Shapes) {
    let never: HashSet<ShapeId> = shapes
        .iter()
        .filter(|(_, shape)| shape.kind == Kind::Never)
        .map(|(id, _)| id)
        .collect();
    if never.is_empty() {
        return;
    }
    let affected: Vec<_> = shapes
        .iter()
        .filter(|(_, shape)| matches!(&shape.kind, Kind::Choice(choice) if choice.options.iter().any(|id| never.contains(id))))
        .map(|(id, _)| id)
        .collect();
    for id in affected {
        let mut shape = shapes.get(id).clone();
        if let Kind::Choice(choice) = &mut shape.kind {
            without(choice, &never);
            if choice.options.is_empty() {
                shape.kind = Kind::Never;
            }
        }
        shapes.set(id, shape);
    }
}

fn without(choice: &mut Choice, never: &HashSet<ShapeId>) {
    let keep: Vec<bool> = choice
        .options
        .iter()
        .map(|id| !never.contains(id))
        .collect();
    let mut kept = keep.iter();
    choice
        .options
        .retain(|_| kept.next().is_some_and(|keep| *keep));
    if let Some(discriminator) = &mut choice.discriminator {
        let mut kept = keep.iter();
        discriminator
            .values
            .retain(|_| kept.next().is_some_and(|keep| *keep));
    }
}
