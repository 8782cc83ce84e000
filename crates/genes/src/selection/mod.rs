//! The selection: what a GraphQL operation wants to have back.
//!
//! It holds only what it asks for, so it is as large as the answer and never as large as the
//! schema. A field with arguments is a tuple of those and the selection below it. An interface has
//! a base part and a part for each implementer with what that has beyond; a union has parts alone.
//! Whatever is done to a selection, it stays one that the schema allows.

mod adopt;
mod arguments;
mod ask;
mod change;
mod choose;
mod deviate;
mod keys;
mod least;
mod require;
mod simpler;
mod taste;

pub use adopt::NotInSchema;
use fossick_contract::{TypeGraph, TypeId};

use crate::gene::Gene;

/// What is asked for of one composite type. Never empty when it is written: where no field is
/// left, `__typename` stands in.
#[derive(Debug, Clone, PartialEq)]
pub struct Selection {
    pub on: TypeId,
    /// `__typename` is asked for as well; always where the type is abstract.
    pub typename: bool,
    /// In the order of the type's fields.
    pub fields: Vec<Chosen>,
    /// For abstract types: more fields where the value is of one of these object types.
    pub parts: Vec<Selection>,
}

/// One field that is asked for.
#[derive(Debug, Clone, PartialEq)]
pub struct Chosen {
    /// Its place among the fields of its type.
    pub field: u32,
    /// Another key in the answer, where two fields would clash.
    pub alias: Option<String>,
    /// Values of arguments by their place in the field's list; the others are left out.
    pub arguments: Vec<(u32, Gene)>,
    /// Set where the field returns a composite type.
    pub inner: Option<Selection>,
}

impl Selection {
    /// Nothing but what an abstract type always says of itself.
    fn bare(types: &TypeGraph, on: TypeId) -> Self {
        Self {
            on,
            typename: types.get(on).is_abstract(),
            fields: Vec::new(),
            parts: Vec::new(),
        }
    }

    /// Asks for no field at all.
    fn is_bare(&self) -> bool {
        self.fields.is_empty() && self.parts.is_empty()
    }

    /// Drops parts with nothing in them; where nothing is left, the name of the type stands in.
    fn repair(&mut self) {
        self.parts.retain(|part| !part.fields.is_empty());
        self.typename |= self.is_bare();
    }

    /// Everything that could be left out: fields, parts, aliases, `__typename`, arguments and the
    /// leaves of their values.
    pub fn size(&self) -> usize {
        let fields: usize = self.fields.iter().map(Chosen::size).sum();
        let parts: usize = self.parts.iter().map(|part| 1 + part.size()).sum();
        usize::from(self.typename) + fields + parts
    }
}

impl Chosen {
    fn size(&self) -> usize {
        let arguments = self.arguments.iter().map(|(_, gene)| 1 + gene.size());
        let inner = self.inner.as_ref().map_or(0, Selection::size);
        1 + usize::from(self.alias.is_some()) + arguments.sum::<usize>() + inner
    }
}
