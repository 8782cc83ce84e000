//! Builds one shape from its conjunction: its words first, then its kind.

use std::sync::Arc;

use fossick_contract::{Choice, ChoiceMode, Kind, Shape, Xml};
use serde_json::Value;

use super::flatten::{BEYOND_SHAPES, Flat, Own};
use super::nullable::Nullability;
use super::types::Types;
use super::{Item, Job, Role, Schemas, mend};
use crate::reference::Node;

/// A kind, and whether it says less than the schema does.
pub(super) struct Made {
    pub(super) kind: Kind,
    pub(super) needs_check: bool,
}

impl From<Kind> for Made {
    fn from(kind: Kind) -> Self {
        Self {
            kind,
            needs_check: false,
        }
    }
}

impl<'d> Schemas<'d> {
    pub(super) fn build(&mut self, job: &Job<'d>) -> Shape {
        let nullable = self.nullability(&job.items) == Nullability::Yes;
        let flat = self.flatten(&job.items);
        let made = self.made(job, &flat);
        let null_only = nullable && made.kind == Kind::Never;
        let words = Words::of(job, &flat);
        Shape {
            kind: if null_only { Kind::Null } else { made.kind },
            name: self.name(job, &flat),
            description: words.description(),
            nullable: nullable && !null_only,
            read_only: flat.owns.iter().any(|own| own.node.flag("readOnly")),
            write_only: flat.owns.iter().any(|own| own.node.flag("writeOnly")),
            default: words.default(),
            examples: words.examples(),
            needs_check: made.needs_check || flat.parts().any(beyond_shapes),
            pointer: Arc::clone(&job.pointer),
            xml: flat.owns.iter().find_map(|own| xml(own.node)),
        }
    }

    fn made(&mut self, job: &Job<'d>, flat: &Flat<'d>) -> Made {
        if flat.lost || !self.spend(1) {
            return Made {
                kind: opaque(job),
                needs_check: true,
            };
        }
        if flat.never {
            return Kind::Never.into();
        }
        if let Some(choice) = self.subtype_choice(job, flat) {
            return Kind::Choice(choice).into();
        }
        if flat.groups.is_empty() {
            return self.plain(job, flat);
        }
        self.grouped(job, flat)
    }

    /// The kind of a conjunction without choices.
    fn plain(&mut self, job: &Job<'d>, flat: &Flat<'d>) -> Made {
        let types = self.types(flat);
        if let Some(values) = self.enum_values(flat) {
            return enumerated(values, types).into();
        }
        let Some(types) = types.map(Types::without_null).or_else(|| inferred(flat)) else {
            return Kind::Any.into();
        };
        let mut each = types.each();
        match (each.next(), each.next()) {
            (None, _) => self.no_type_left(flat),
            (Some(only), None) => self.of_type(job, flat, only),
            _ => self.several_types(job, flat, types),
        }
    }

    /// The types that all parts agree on; `None` if none names any.
    pub(super) fn types(&self, flat: &Flat<'d>) -> Option<Types> {
        let declared = flat.parts().filter_map(|own| {
            Some(with_null(
                own.node,
                mend::declared(self.reader, own.node)?.types,
            ))
        });
        declared.chain(flat.only).reduce(Types::and)
    }

    fn no_type_left(&self, flat: &Flat<'d>) -> Made {
        let types = self.types(flat).unwrap_or_default();
        if types.has(Types::NULL) {
            return Kind::Null.into();
        }
        if let Some(own) = flat.parts().next() {
            self.reader
                .warn(own.node, "its parts ask for different types: no value fits");
        }
        Kind::Never.into()
    }

    fn of_type(&mut self, job: &Job<'d>, flat: &Flat<'d>, only: Types) -> Made {
        match only {
            Types::OBJECT => self.object(job, flat),
            Types::ARRAY => self.array(flat),
            Types::STRING => self.string(flat),
            Types::BOOLEAN => Kind::Boolean.into(),
            Types::NULL => Kind::Null.into(),
            Types::INTEGER => self.integer(flat),
            _ => self.number(flat),
        }
    }

    /// `type: [string, integer]`: the same conjunction once for each type.
    fn several_types(&mut self, job: &Job<'d>, flat: &Flat<'d>, types: Types) -> Made {
        if types.each().count() == 6
            && !flat.parts().any(|own| super::flatten::constrains(own.node))
        {
            return Kind::Any.into();
        }
        let options = types.each().map(|only| self.typed(job, only)).collect();
        Kind::Choice(Choice {
            mode: ChoiceMode::Any,
            options,
            discriminator: None,
        })
        .into()
    }

    fn typed(&mut self, job: &Job<'d>, only: Types) -> fossick_contract::ShapeId {
        let mut items = job.items.clone();
        if let Some(first) = job.items.first() {
            items.push(Item {
                role: Role::Only(only),
                ..first.clone()
            });
        }
        self.conjunction(items, |_, _| Arc::clone(&job.pointer))
    }

    /// The document's name for it: of the schema itself, or of the one it merely wraps.
    fn name(&self, job: &Job<'d>, flat: &Flat<'d>) -> Option<Arc<str>> {
        let mut wholes = job.items.iter().filter(|item| item.role == Role::Whole);
        let only = wholes.next().filter(|_| wholes.next().is_none());
        let own = only.and_then(|item| self.names.get(&item.node.address()));
        let wrapped = match flat.named.as_slice() {
            [only] if !flat.extended => self.names.get(&only.address()),
            _ => None,
        };
        own.or(wrapped).cloned()
    }
}

fn with_null(node: Node<'_>, types: Types) -> Types {
    if mend::nullable(node) {
        return types.or(Types::NULL);
    }
    types
}

fn opaque(job: &Job<'_>) -> Kind {
    let raw = job.items.first().map(|item| item.node.value.clone());
    Kind::Opaque(Arc::new(raw.unwrap_or_default()))
}

fn beyond_shapes(own: &Own<'_>) -> bool {
    BEYOND_SHAPES
        .iter()
        .any(|key| own.node.value.get(*key).is_some())
}

fn enumerated(values: Vec<Value>, types: Option<Types>) -> Kind {
    let fits = |value: &Value| types.is_none_or(|types| types.has(Types::of(value)));
    let had_null = values.iter().any(Value::is_null);
    let some: Vec<_> = values
        .into_iter()
        .filter(|value| !value.is_null() && fits(value))
        .collect();
    match (some.is_empty(), had_null) {
        (false, _) => Kind::Enum(some),
        (true, true) => Kind::Null,
        (true, false) => Kind::Never,
    }
}

/// Keywords that give a schema's type away, the more telling first.
const SIGNS: [(Types, &[&str]); 4] = [
    (
        Types::OBJECT,
        &[
            "properties",
            "additionalProperties",
            "patternProperties",
            "propertyNames",
            "minProperties",
            "maxProperties",
            "required",
        ],
    ),
    (
        Types::ARRAY,
        &[
            "items",
            "prefixItems",
            "minItems",
            "maxItems",
            "uniqueItems",
        ],
    ),
    (
        Types::STRING,
        &[
            "minLength",
            "maxLength",
            "pattern",
            "contentEncoding",
            "contentMediaType",
        ],
    ),
    (
        Types::NUMBER,
        &[
            "minimum",
            "maximum",
            "exclusiveMinimum",
            "exclusiveMaximum",
            "multipleOf",
        ],
    ),
];

/// The type that a schema without `type` is about, going by its keywords.
pub(super) fn inferred(flat: &Flat<'_>) -> Option<Types> {
    let shows = |own: &Own<'_>, keys: &[&str]| keys.iter().any(|key| is_sign(own.node, key));
    let by_keyword = SIGNS
        .iter()
        .find(|(_, keys)| flat.parts().any(|own| shows(own, keys)));
    let by_format = || {
        let mut formats = flat.parts().filter_map(|own| own.node.text("format"));
        formats.find_map(type_of_format)
    };
    by_keyword.map(|(types, _)| *types).or_else(by_format)
}

/// A parameter of Swagger 2.0 says `required: true` of itself, which says nothing of its type.
fn is_sign(node: Node<'_>, key: &str) -> bool {
    let said = node.value.get(key);
    said.is_some_and(|value| key != "required" || value.is_array())
}

fn type_of_format(format: &str) -> Option<Types> {
    match format {
        "int32" | "int64" => Some(Types::INTEGER),
        "float" | "double" => Some(Types::NUMBER),
        "date" | "date-time" | "uuid" | "email" | "uri" | "byte" | "binary" | "password"
        | "hostname" | "ipv4" | "ipv6" => Some(Types::STRING),
        _ => None,
    }
}

fn xml(node: Node<'_>) -> Option<Box<Xml>> {
    let hints = node.get("xml").filter(|hints| hints.value.is_object())?;
    let text = |key| hints.text(key).map(str::to_owned);
    Some(Box::new(Xml {
        name: text("name"),
        namespace: text("namespace"),
        prefix: text("prefix"),
        attribute: hints.flag("attribute"),
        wrapped: hints.flag("wrapped"),
    }))
}

/// Where the words of a shape come from.
///
/// A description may come from any part, the outermost first. An example of a mere part of the
/// whole would be wrong for the whole, so examples and defaults come from the schema itself, or
/// from the only part that constrains anything.
struct Words<'f, 'd> {
    flat: &'f Flat<'d>,
    own: Vec<Node<'d>>,
}

impl<'f, 'd> Words<'f, 'd> {
    fn of(job: &Job<'d>, flat: &'f Flat<'d>) -> Self {
        let wholes: Vec<_> = job
            .items
            .iter()
            .filter(|item| item.role == Role::Whole)
            .map(|item| item.node)
            .collect();
        let mut own = if wholes.len() == 1 {
            wholes
        } else {
            Vec::new()
        };
        let mut weighty = flat
            .parts()
            .filter(|own| super::flatten::constrains(own.node));
        if let (Some(part), None) = (weighty.next(), weighty.next())
            && flat.groups.is_empty()
        {
            own.push(part.node);
        }
        Self { flat, own }
    }

    fn description(&self) -> Option<Arc<str>> {
        let mut all = self.flat.owns.iter();
        all.find_map(|own| own.node.text("description").filter(|text| !text.is_empty()))
            .map(Arc::from)
    }

    fn default(&self) -> Option<Value> {
        self.own
            .iter()
            .find_map(|node| node.value.get("default"))
            .cloned()
    }

    fn examples(&self) -> Vec<Value> {
        let found = self.own.iter().map(|node| examples(*node));
        found
            .into_iter()
            .find(|examples| !examples.is_empty())
            .unwrap_or_default()
    }
}

/// The examples that a schema gives of itself, in any of the ways in use.
fn examples(node: Node<'_>) -> Vec<Value> {
    let mut found: Vec<Value> = Vec::new();
    for key in ["example", "x-example"] {
        found.extend(node.value.get(key).cloned());
    }
    match node.value.get("examples") {
        Some(Value::Array(many)) => found.extend(many.iter().cloned()),
        Some(Value::Object(named)) => {
            found.extend(named.values().filter_map(|one| one.get("value").cloned()));
        }
        _ => {}
    }
    found
}
