//! The shape of a value: what a schema allows, in a form that values can be made from.

use std::sync::Arc;

use serde_json::Value;

/// Where a shape lives in its arena.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ShapeId(pub u32);

/// The arena of all shapes of an API.
#[derive(Debug, Clone, Default)]
pub struct Shapes {
    all: Vec<Shape>,
}

impl Shapes {
    pub fn get(&self, id: ShapeId) -> &Shape {
        &self.all[id.0 as usize]
    }

    pub fn push(&mut self, shape: Shape) -> ShapeId {
        self.all.push(shape);
        ShapeId(self.all.len() as u32 - 1)
    }

    /// Takes a place before the shape is known, so that it can refer to itself.
    pub fn reserve(&mut self) -> ShapeId {
        self.push(Shape::default())
    }

    pub fn set(&mut self, id: ShapeId, shape: Shape) {
        self.all[id.0 as usize] = shape;
    }

    pub fn len(&self) -> usize {
        self.all.len()
    }

    pub fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    pub fn iter(&self) -> impl Iterator<Item = (ShapeId, &Shape)> {
        self.all
            .iter()
            .enumerate()
            .map(|(at, shape)| (ShapeId(at as u32), shape))
    }
}

#[derive(Debug, Clone, Default, PartialEq)]
pub struct Shape {
    pub kind: Kind,
    /// The name under which the document declares it, `Project`.
    pub name: Option<Arc<str>>,
    pub description: Option<Arc<str>>,
    /// `null` is allowed besides the kind.
    pub nullable: bool,
    pub read_only: bool,
    pub write_only: bool,
    pub default: Option<Value>,
    pub examples: Vec<Value>,
    /// The kind says less than the schema does (`not`, `if`, overlapping `oneOf`, `contains`, …):
    /// a value made from it must be confirmed by a validator before it may be called valid.
    pub needs_check: bool,
    /// Where its JSON Schema lies in [`crate::SchemaTexts`].
    pub pointer: Arc<str>,
    pub xml: Option<Box<Xml>>,
}

#[derive(Debug, Clone, Default, PartialEq)]
pub enum Kind {
    /// Anything at all.
    #[default]
    Any,
    /// Nothing at all (`false`, or constraints that exclude each other).
    Never,
    Null,
    Boolean,
    Integer(NumberShape),
    Number(NumberShape),
    String(StringShape),
    /// One of a fixed set of values of any type; `const` is a set of one.
    Enum(Vec<Value>),
    Array(ArrayShape),
    Object(ObjectShape),
    Choice(Choice),
    /// Not understood; the raw schema still takes part through its validator.
    Opaque(Arc<Value>),
}

/// Bounds are inclusive; exclusive ones of integers are moved by one while reading.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct NumberShape {
    pub minimum: Option<f64>,
    pub maximum: Option<f64>,
    pub exclusive_minimum: Option<f64>,
    pub exclusive_maximum: Option<f64>,
    pub multiple_of: Option<f64>,
    /// `int32`, `int64`, `float`, `double`, …
    pub format: Option<Arc<str>>,
}

#[derive(Debug, Clone, Default, PartialEq)]
pub struct StringShape {
    pub min_length: usize,
    pub max_length: Option<usize>,
    /// As the document writes it, in the manner of ECMA 262; all of them must match.
    pub patterns: Vec<Arc<str>>,
    /// Lower case: `date-time`, `uuid`, `email`, `binary`, `byte`, …
    pub format: Option<Arc<str>>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct ArrayShape {
    /// Shapes of the first items, where they have their own.
    pub prefix: Vec<ShapeId>,
    /// The shape of all further items; `None` means that there may be none.
    pub items: Option<ShapeId>,
    pub min_items: usize,
    pub max_items: Option<usize>,
    pub unique: bool,
}

#[derive(Debug, Clone, Default, PartialEq)]
pub struct ObjectShape {
    pub properties: Vec<Property>,
    /// Shapes of properties whose names match a pattern.
    pub patterns: Vec<(Arc<str>, ShapeId)>,
    pub additional: Additional,
    pub min_properties: usize,
    pub max_properties: Option<usize>,
    /// The shape of property names, for maps.
    pub names: Option<ShapeId>,
}

impl ObjectShape {
    pub fn property(&self, name: &str) -> Option<&Property> {
        self.properties.iter().find(|p| &*p.name == name)
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Property {
    pub name: Arc<str>,
    pub shape: ShapeId,
    pub required: bool,
    /// What is said of it here, where its shape is shared with others.
    pub description: Option<Arc<str>>,
}

/// What may stand in an object beside its declared properties.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Additional {
    /// The document says nothing: allowed, but nobody is waiting for it.
    #[default]
    Unsaid,
    Forbidden,
    Shaped(ShapeId),
}

/// One of several shapes.
#[derive(Debug, Clone, PartialEq)]
pub struct Choice {
    pub mode: ChoiceMode,
    pub options: Vec<ShapeId>,
    pub discriminator: Option<Discriminator>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ChoiceMode {
    /// `oneOf`: exactly one may match.
    One,
    /// `anyOf`, and arrays of types.
    Any,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Discriminator {
    pub property: Arc<str>,
    /// The property's value for each option, in the order of [`Choice::options`].
    pub values: Vec<Arc<str>>,
}

/// How a value is written as XML.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Xml {
    pub name: Option<String>,
    pub namespace: Option<String>,
    pub prefix: Option<String>,
    pub attribute: bool,
    pub wrapped: bool,
}
