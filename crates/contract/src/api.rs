//! The whole contract of one service, and what was noticed while reading it.

use std::fmt;
use std::sync::Arc;

use indexmap::IndexMap;
use serde::{Deserialize, Serialize};

use crate::{
    Definitions, Field, Operation, OperationIndex, RootField, SecurityScheme, Shape, ShapeId,
    Shapes, TypeGraph,
};

/// Everything a document promises of a service.
#[derive(Debug, Clone, Default)]
pub struct Api {
    pub title: String,
    pub version: String,
    pub dialect: Dialect,
    /// Base URLs in the document's order, variables filled in. They may be relative ("/v1").
    pub servers: Vec<String>,
    pub operations: Vec<Operation>,
    pub shapes: Shapes,
    /// What a GraphQL service answers with; empty for the others.
    pub types: TypeGraph,
    pub schemas: SchemaTexts,
    pub security_schemes: IndexMap<String, SecurityScheme>,
    /// Operations that had to be left out, each with the reason.
    pub unusable: Vec<Unusable>,
}

impl Api {
    pub fn operation(&self, index: OperationIndex) -> &Operation {
        &self.operations[index.0 as usize]
    }

    pub fn shape(&self, id: ShapeId) -> &Shape {
        self.shapes.get(id)
    }

    /// The declaration of a GraphQL root field.
    pub fn root_field(&self, root: &RootField) -> &Field {
        &self.types.fields(root.on)[root.field as usize]
    }

    /// Every operation with its index, in the document's order.
    pub fn indexed(&self) -> impl Iterator<Item = (OperationIndex, &Operation)> {
        self.operations
            .iter()
            .enumerate()
            .map(|(at, operation)| (OperationIndex(at as u32), operation))
    }

    pub fn is_graphql(&self) -> bool {
        self.dialect == Dialect::GraphQl
    }

    /// Finds an operation by its label, `GET /projects/{id}`.
    pub fn find(&self, label: &str) -> Option<OperationIndex> {
        self.indexed()
            .find(|(_, operation)| operation.label == label)
            .map(|(index, _)| index)
    }
}

/// Which language the document was written in.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Dialect {
    Swagger2,
    OpenApi30,
    #[default]
    OpenApi31,
    GraphQl,
}

impl fmt::Display for Dialect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Swagger2 => "Swagger 2.0",
            Self::OpenApi30 => "OpenAPI 3.0",
            Self::OpenApi31 => "OpenAPI 3.1",
            Self::GraphQl => "GraphQL",
        })
    }
}

/// The schemas as JSON Schema (draft 2020-12), for whoever validates.
///
/// Every `$ref` in them is local (`#/$defs/…`), and a [`Shape::pointer`] leads into either. They differ only in `required`: what is read-only need
/// not be sent, what is write-only need not come back. Where a document has neither, both are
/// the same text.
#[derive(Debug, Clone, Default)]
pub struct SchemaTexts {
    pub request: Arc<Definitions>,
    pub response: Arc<Definitions>,
}

/// An operation that is declared but can't be tested.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Unusable {
    pub operation: String,
    pub reason: String,
    pub place: Option<Place>,
}

/// A position in a source text; lines and columns count from one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Place {
    pub file: String,
    pub line: usize,
    pub column: usize,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}:{}", self.file, self.line, self.column)
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Level {
    /// Mended; nothing is lost.
    Warning,
    /// Something could not be understood and is left out.
    Error,
}

/// Something noticed while reading a document.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Diagnostic {
    pub level: Level,
    pub message: String,
    /// JSON pointer to the part of the document that it is about.
    pub pointer: String,
    pub place: Option<Place>,
}
