//! What a GraphQL service gives: types and fields, a graph that selections walk.
//!
//! Only the output side lives here. What an argument takes is a [`crate::Shape`] like every other
//! input, so values for it are made, broken and checked by the same code as for REST. Types refer
//! to each other by id and nothing is expanded: a schema of ten thousand fields costs ten thousand
//! small records, however its types refer to each other.

use std::collections::HashMap;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::{Deed, ShapeId};

/// Where a type stands in [`TypeGraph`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct TypeId(pub u32);

/// The types of a schema that answers are made of.
#[derive(Debug, Clone, Default)]
pub struct TypeGraph {
    types: Vec<Type>,
    by_name: HashMap<Arc<str>, TypeId>,
    pub query: Option<TypeId>,
    pub mutation: Option<TypeId>,
    /// Fields that nobody can ask for, because the schema does not tell what they give.
    pub cut_off: Vec<CutOff>,
}

/// A field whose type is not named: a saved introspection with too few levels of `ofType`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CutOff {
    pub on: TypeId,
    pub field: Arc<str>,
    /// What its outermost level says: null may stand there, it is a list.
    pub nullable: bool,
    pub listed: bool,
}

impl TypeGraph {
    pub fn get(&self, id: TypeId) -> &Type {
        &self.types[id.0 as usize]
    }

    pub fn get_mut(&mut self, id: TypeId) -> &mut Type {
        &mut self.types[id.0 as usize]
    }

    pub fn find(&self, name: &str) -> Option<TypeId> {
        self.by_name.get(name).copied()
    }

    /// Adds a type; a second one of the same name is not added and the first one's id comes back.
    pub fn push(&mut self, kind: Type) -> TypeId {
        if let Some(known) = self.find(&kind.name) {
            return known;
        }
        let id = TypeId(self.types.len() as u32);
        self.by_name.insert(Arc::clone(&kind.name), id);
        self.types.push(kind);
        id
    }

    pub fn iter(&self) -> impl Iterator<Item = (TypeId, &Type)> {
        self.types
            .iter()
            .enumerate()
            .map(|(at, kind)| (TypeId(at as u32), kind))
    }

    pub fn len(&self) -> usize {
        self.types.len()
    }

    pub fn is_empty(&self) -> bool {
        self.types.is_empty()
    }

    /// The fields of an object or interface; other types have none.
    pub fn fields(&self, id: TypeId) -> &[Field] {
        match &self.get(id).kind {
            TypeKind::Object(composite) | TypeKind::Interface(composite) => &composite.fields,
            _ => &[],
        }
    }

    pub fn field(&self, on: TypeId, name: &str) -> Option<&Field> {
        self.fields(on).iter().find(|field| &*field.name == name)
    }

    /// The interfaces that an object or interface implements.
    pub fn interfaces(&self, id: TypeId) -> &[TypeId] {
        match &self.get(id).kind {
            TypeKind::Object(composite) | TypeKind::Interface(composite) => &composite.interfaces,
            _ => &[],
        }
    }

    /// The object types that a value of this type can be of.
    pub fn possible(&self, id: TypeId) -> &[TypeId] {
        match &self.get(id).kind {
            TypeKind::Object(composite) | TypeKind::Interface(composite) => &composite.possible,
            TypeKind::Union(possible) => possible,
            TypeKind::Scalar(_) | TypeKind::Enum(_) => &[],
        }
    }

    /// Pairs of type and field: the things that schema coverage counts.
    pub fn pairs(&self) -> usize {
        self.iter().map(|(id, _)| self.fields(id).len()).sum()
    }
}

#[derive(Debug, Clone, PartialEq)]
pub struct Type {
    pub name: Arc<str>,
    pub kind: TypeKind,
}

impl Type {
    /// Whether a selection must follow: objects, interfaces and unions have parts.
    pub fn is_composite(&self) -> bool {
        !matches!(self.kind, TypeKind::Scalar(_) | TypeKind::Enum(_))
    }

    /// Whether a value may be of several object types.
    pub fn is_abstract(&self) -> bool {
        matches!(self.kind, TypeKind::Interface(_) | TypeKind::Union(_))
    }
}

#[derive(Debug, Clone, PartialEq)]
pub enum TypeKind {
    Scalar(Scalar),
    Enum(Vec<Arc<str>>),
    Object(Composite),
    Interface(Composite),
    /// The object types that it may be.
    Union(Vec<TypeId>),
}

/// What an answer holds where a scalar is promised.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Scalar {
    Int,
    Float,
    String,
    Boolean,
    Id,
    Custom {
        json: JsonKind,
        /// `date-time`, `uuid`, …, in the words of JSON Schema, where it is one that is known.
        format: Option<Arc<str>>,
    },
}

/// Which JSON a custom scalar is written as.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum JsonKind {
    Text,
    Integer,
    Number,
    /// Large numbers go as either.
    TextOrNumber,
    /// Nobody says.
    Any,
}

/// An object or an interface.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Composite {
    pub fields: Vec<Field>,
    pub interfaces: Vec<TypeId>,
    /// For an interface the object types that implement it; for an object itself alone.
    pub possible: Vec<TypeId>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Field {
    pub name: Arc<str>,
    pub arguments: Vec<Argument>,
    pub returns: Returned,
    pub deprecated: bool,
    /// Why, in its author's words: `Use title instead.`
    pub deprecated_for: Option<Arc<str>>,
}

impl Field {
    /// Whether it can be asked for without saying more.
    pub fn needs_arguments(&self) -> bool {
        self.arguments.iter().any(|argument| argument.required)
    }
}

#[derive(Debug, Clone, PartialEq)]
pub struct Argument {
    pub name: Arc<str>,
    /// As GraphQL writes it, `[ID!]!`: variables are declared with it.
    pub type_text: Arc<str>,
    pub shape: ShapeId,
    /// May not be null and has no default.
    pub required: bool,
}

/// The type of a field: a named type inside any number of lists.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Returned {
    pub named: TypeId,
    /// Whether null may stand at each level, outermost first: `[Book!]` is `[true, false]`.
    /// One longer than there are lists.
    pub nullable: Box<[bool]>,
}

impl Returned {
    pub fn lists(&self) -> usize {
        self.nullable.len() - 1
    }

    pub fn is_nullable(&self) -> bool {
        self.nullable[0]
    }
}

/// What makes an operation a GraphQL one: the root field that it asks for.
///
/// The arguments of the field are the operation's body, an object with one property for each.
#[derive(Debug, Clone, PartialEq)]
pub struct RootField {
    pub kind: RootKind,
    /// The root type and the place of the field in it.
    pub on: TypeId,
    pub field: u32,
    pub deed: Deed,
    /// The type of the thing that it is about, payloads and connections taken off.
    pub thing: Option<TypeId>,
    /// Fields that lead from the root field's value to the thing: `["edges", "node"]`.
    pub way: Vec<Arc<str>>,
    /// It answers with several of them.
    pub listed: bool,
    /// JSON pointers into the arguments that say which thing is meant, outermost first.
    pub keys: Vec<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum RootKind {
    Query,
    Mutation,
}

impl RootKind {
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Query => "query",
            Self::Mutation => "mutation",
        }
    }
}
