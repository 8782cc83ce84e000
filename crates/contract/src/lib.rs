//! What a service promises: its operations, and the shapes of what they take and give.
//!
//! Plain data. Whoever reads a document builds an [`Api`]; everybody else only looks at it.
//! Shapes live in one arena and refer to each other by id, so a schema that refers to itself
//! costs nothing, and nothing is expanded before a value needs it.

mod api;
mod definitions;
mod format;
mod graphql;
mod knob;
mod operation;
mod path;
mod pointer;
mod rules;
mod security;
mod shape;
mod uuid;

pub use api::{Api, Diagnostic, Dialect, Level, Place, SchemaTexts, Unusable};
pub use definitions::Definitions;
pub use format::{fits_format, format_pattern};
pub use graphql::{
    Argument, Composite, CutOff, Field, JsonKind, Returned, RootField, RootKind, Scalar, Type,
    TypeGraph, TypeId, TypeKind,
};
pub use knob::{Comparison, Knob, plain_name};
pub use operation::{
    Body, Content, Deed, Encoding, Header, Link, Location, Method, Operation, OperationIndex,
    Parameter, PartEncoding, ResponseSpec, StatusPattern, Style, ends_with_ignoring_case, is_json,
};
pub use path::{PathTemplate, Piece};
pub use pointer::{escape_token, unescape_token};
pub use rules::{
    Bound, Case, Measure, Moment, Relation, Rule, Side, Voice, mentioned, narrow, paired, plain,
    relations_in, rules_in,
};
pub use security::{KeyPlace, Requirement, SecurityScheme};
pub use shape::{
    Additional, ArrayShape, Choice, ChoiceMode, Discriminator, Kind, NumberShape, ObjectShape,
    Property, Shape, ShapeId, Shapes, StringShape, Xml,
};
pub use uuid::is_uuid;
