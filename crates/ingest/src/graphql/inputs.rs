//! What GraphQL takes, as shapes: one for each type as it is written.
//!
//! Input types refer to each other in circles, and a chain of them may be as long as the schema,
//! so shapes are reserved first and made from a list of what is still owed: nothing here recurses.
//! A default belongs to one argument and not to its type, so it gets a shape of its own.

use std::collections::HashMap;
use std::sync::Arc;

use fossick_contract::{
    Additional, ArrayShape, Choice, ChoiceMode, Definitions, Kind, NumberShape, ObjectShape,
    Property, Shape, ShapeId, Shapes, StringShape,
};
use serde_json::Value;

use super::notes::Notes;
use super::outline::{BUILT_IN, Default, DefinitionKind, Input, Outline, Taken, TypeRef};
use super::scalars::{Scalars, rule};
use super::texts::Texts;

pub(super) struct Inputs<'o> {
    outline: &'o Outline,
    user: &'o Scalars,
    shapes: Shapes,
    texts: Texts<'o>,
    /// By type text, and by `Type.field` for fields with a default.
    known: HashMap<String, ShapeId>,
    owed: Vec<Owed>,
}

/// A shape that is reserved and not yet made.
struct Owed {
    id: ShapeId,
    kind: TypeRef,
    default: Option<Value>,
}

/// The parts of a shape that come from a named type.
#[derive(std::default::Default)]
struct Made {
    kind: Kind,
    name: Option<Arc<str>>,
    description: Option<Arc<str>>,
    examples: Vec<Value>,
}

impl<'o> Inputs<'o> {
    pub(super) fn new(outline: &'o Outline, user: &'o Scalars) -> Self {
        Self {
            outline,
            user,
            shapes: Shapes::default(),
            texts: Texts::new(outline, user),
            known: HashMap::new(),
            owed: Vec::new(),
        }
    }

    /// The object of all arguments of an operation.
    pub(super) fn arguments(&mut self, at: &str, label: &str, arguments: &[Taken]) -> ShapeId {
        let properties = arguments.iter().map(|argument| Property {
            name: Arc::clone(&argument.name),
            shape: self.taken(&format!("{at}({})", argument.name), argument),
            required: argument.required(),
            description: argument.description.clone(),
        });
        let kind = object(properties.collect());
        let pointer = self.texts.define_arguments(label, arguments);
        self.shapes.push(Shape {
            kind,
            pointer,
            ..Shape::default()
        })
    }

    /// Makes everything that is still owed.
    pub(super) fn finish(mut self, notes: &mut Notes) -> (Shapes, Definitions) {
        while let Some(owed) = self.owed.pop() {
            let shape = self.made(&owed.kind, owed.default, notes);
            self.shapes.set(owed.id, shape);
        }
        (self.shapes, self.texts.finish())
    }

    fn shape(&mut self, kind: &TypeRef) -> ShapeId {
        self.reserved(kind.text(), kind, None)
    }

    /// The shape of an argument or field; `at` (`Query.books(first)`) names it.
    pub(super) fn taken(&mut self, at: &str, taken: &Taken) -> ShapeId {
        match &taken.default {
            Default::Is(value) => self.reserved(at.to_owned(), &taken.kind, Some(value)),
            Default::None | Default::Unreadable => self.shape(&taken.kind),
        }
    }

    fn reserved(&mut self, key: String, kind: &TypeRef, default: Option<&Value>) -> ShapeId {
        if let Some(known) = self.known.get(&key) {
            return *known;
        }
        let id = self.shapes.reserve();
        self.known.insert(key, id);
        self.owed.push(Owed {
            id,
            kind: kind.clone(),
            default: default.cloned(),
        });
        id
    }

    fn made(&mut self, kind: &TypeRef, default: Option<Value>, notes: &mut Notes) -> Shape {
        let pointer = self.texts.define(kind);
        let made = match kind.item() {
            Some(item) => Made {
                kind: Kind::Array(ArrayShape {
                    prefix: Vec::new(),
                    items: Some(self.shape(&item)),
                    min_items: 0,
                    max_items: None,
                    unique: false,
                }),
                ..Made::default()
            },
            None => self.named(&kind.named, notes),
        };
        Shape {
            kind: made.kind,
            name: made.name,
            description: made.description,
            nullable: kind.is_nullable(),
            default,
            examples: made.examples,
            pointer,
            ..Shape::default()
        }
    }

    fn named(&mut self, name: &Arc<str>, notes: &mut Notes) -> Made {
        if BUILT_IN.contains(&&**name) {
            return built_in(name);
        }
        let outline = self.outline;
        let definition = outline.types.get(name);
        let mut made = match definition.map(|found| &found.kind) {
            Some(DefinitionKind::Enum(values)) => enumerated(values),
            Some(DefinitionKind::Input(input)) => self.input(name, input, notes),
            Some(DefinitionKind::Scalar { .. }) | None => {
                let rule = rule(name, definition, self.user);
                Made {
                    kind: rule.kind,
                    examples: rule.examples,
                    ..Made::default()
                }
            }
            Some(_) => {
                let place = outline.place(definition.and_then(|found| found.spot));
                let told =
                    format!("`{name}` can't be sent: it is no input type; taken as anything");
                notes.error(place, told);
                Made::default()
            }
        };
        made.name = Some(Arc::clone(name));
        made.description = definition.and_then(|found| found.description.clone());
        made
    }

    fn input(&mut self, name: &str, input: &Input, notes: &mut Notes) -> Made {
        for field in &input.fields {
            let at = format!("{name}.{}", field.name);
            self.outline.remark_missing(&at, field, notes);
        }
        let kind = if input.one_of && !input.fields.is_empty() {
            self.one_of(name, input)
        } else {
            object(
                input
                    .fields
                    .iter()
                    .map(|field| self.property(name, field))
                    .collect(),
            )
        };
        Made {
            kind,
            ..Made::default()
        }
    }

    fn property(&mut self, of: &str, field: &Taken) -> Property {
        Property {
            name: Arc::clone(&field.name),
            shape: self.taken(&format!("{of}.{}", field.name), field),
            required: field.required(),
            description: field.description.clone(),
        }
    }

    /// One object for each field, with that field alone.
    fn one_of(&mut self, name: &str, input: &Input) -> Kind {
        let mut options = Vec::new();
        for (at, field) in input.fields.iter().enumerate() {
            let property = Property {
                name: Arc::clone(&field.name),
                shape: self.shape(&field.kind.non_null()),
                required: true,
                description: field.description.clone(),
            };
            options.push(self.shapes.push(Shape {
                kind: object(vec![property]),
                pointer: format!("/$defs/{name}!/oneOf/{at}").into(),
                ..Shape::default()
            }));
        }
        Kind::Choice(Choice {
            mode: ChoiceMode::One,
            options,
            discriminator: None,
        })
    }
}

fn object(properties: Vec<Property>) -> Kind {
    Kind::Object(ObjectShape {
        properties,
        additional: Additional::Forbidden,
        ..ObjectShape::default()
    })
}

/// An enum without values can't be chosen from; what the server means is anybody's guess.
fn enumerated(values: &[Arc<str>]) -> Made {
    let kind = if values.is_empty() {
        Kind::Any
    } else {
        Kind::Enum(values.iter().map(|value| Value::from(&**value)).collect())
    };
    Made {
        kind,
        ..Made::default()
    }
}

/// The names of these say nothing that the kind does not; an ID is more than a text.
fn built_in(name: &Arc<str>) -> Made {
    let kind = match &**name {
        "Int" => Kind::Integer(NumberShape {
            minimum: Some(f64::from(i32::MIN)),
            maximum: Some(f64::from(i32::MAX)),
            format: Some("int32".into()),
            ..NumberShape::default()
        }),
        "Float" => Kind::Number(NumberShape::default()),
        "Boolean" => Kind::Boolean,
        _ => Kind::String(StringShape::default()),
    };
    Made {
        kind,
        name: (&**name == "ID").then(|| Arc::clone(name)),
        ..Made::default()
    }
}
