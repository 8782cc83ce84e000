//! Turns the text of an API description into a contract, forgivingly.
//!
//! OpenAPI: `text -> tree -> documents and their $refs -> operations and shapes -> Api`. GraphQL,
//! as SDL in one file or several or as saved introspection, takes a road of its own (see
//! [`graphql`]) to the same [`Api`]. Real documents are broken, so reading mends what it can, says
//! so with line and column, and goes on: one broken operation never costs the others, and what
//! can't be understood deep inside a schema becomes "anything" rather than an end. Pure: other
//! documents come through [`Fetch`], and nothing here touches a disk, a socket or a clock.

mod body;
mod document;
pub mod graphql;
mod link;
mod location;
mod looks;
mod note;
mod parameter;
mod place;
mod reader;
mod reference;
mod response;
mod schema;
mod security;
mod server;
mod source;
mod swagger2;
mod tree;

use fossick_contract::{Api, Diagnostic, Place};
use thiserror::Error;

pub use graphql::{ScalarRule, Scalars, introspection_queries, introspection_refusal};

/// A document as it came: its text, and where it came from.
#[derive(Debug, Clone)]
pub struct Source {
    /// File path or URL: for messages, and what relative `$ref`s are joined onto.
    pub name: String,
    pub text: String,
}

/// Loads the other documents that a `$ref` names.
pub trait Fetch {
    /// The text at a location, which is a path or URL already joined onto its document's; or why
    /// it can't be had.
    fn fetch(&mut self, location: &str) -> Result<String, String>;
}

/// Refuses every other document.
#[derive(Debug, Clone, Copy, Default)]
pub struct NoFetch;

impl Fetch for NoFetch {
    fn fetch(&mut self, _location: &str) -> Result<String, String> {
        Err("other documents are not read here".to_owned())
    }
}

/// What was understood of a document, and what was noticed on the way.
#[derive(Debug, Clone)]
pub struct Reading {
    pub api: Api,
    /// In the order of the document.
    pub diagnostics: Vec<Diagnostic>,
}

/// Why a document could not be read at all.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ReadError {
    #[error("{name} is empty")]
    Empty { name: String },

    #[error("{} is neither JSON nor YAML: {message}", told(place.as_ref(), name))]
    Unreadable {
        name: String,
        message: String,
        place: Option<Place>,
    },

    #[error("{name} can't be read: {message}")]
    TooBig { name: String, message: &'static str },

    #[error(
        "{name} is neither an OpenAPI document nor a GraphQL schema: it looks like {looks_like}; \
         {advice}"
    )]
    NotOpenApi {
        name: String,
        looks_like: String,
        advice: String,
        place: Option<Place>,
    },

    #[error("nothing in {} can be called: {message}; {advice}", told(place.as_ref(), name))]
    NothingToCall {
        name: String,
        message: String,
        advice: &'static str,
        place: Option<Place>,
    },

    #[error("{name} holds no schema: {message}")]
    IntrospectionRefused { name: String, message: String },

    #[error("{} names version {version}; 2.0, 3.0 and 3.1 can be read", told(place.as_ref(), name))]
    Version {
        name: String,
        version: String,
        place: Option<Place>,
    },
}

impl ReadError {
    /// Where in the text the trouble is, if it is anywhere in particular.
    pub fn place(&self) -> Option<&Place> {
        match self {
            Self::Empty { .. } | Self::TooBig { .. } | Self::IntrospectionRefused { .. } => None,
            Self::Unreadable { place, .. }
            | Self::NotOpenApi { place, .. }
            | Self::NothingToCall { place, .. }
            | Self::Version { place, .. } => place.as_ref(),
        }
    }
}

fn told(place: Option<&Place>, name: &str) -> String {
    place.map_or_else(|| name.to_owned(), ToString::to_string)
}

/// Reads a document and whatever it refers to.
pub fn read(source: &Source, fetch: &mut dyn Fetch) -> Result<Reading, ReadError> {
    read_with(source, fetch, &Scalars::new())
}

/// Reads a document; where it is a GraphQL schema, with what the user says of its scalars.
pub fn read_with(
    source: &Source,
    fetch: &mut dyn Fetch,
    scalars: &Scalars,
) -> Result<Reading, ReadError> {
    if let Some(reading) = graphql::read_introspection(source, scalars) {
        return reading;
    }
    if graphql::is_sdl(source) {
        return read_sdl_with(std::slice::from_ref(source), scalars);
    }
    let root = source::parse(source).map_err(|error| looks::explain(source, error))?;
    if let Some(reading) = graphql::read_tree(source, &root, scalars) {
        return reading;
    }
    let dialect = looks::dialect(source, &root)?;
    let loaded = reference::load(source, root, fetch);
    Ok(document::read(&loaded, dialect))
}

/// Reads a GraphQL schema in SDL that may be spread over several files.
pub fn read_sdl(sources: &[Source]) -> Result<Reading, ReadError> {
    read_sdl_with(sources, &Scalars::new())
}

/// The same, with what the user says of its scalars.
pub fn read_sdl_with(sources: &[Source], scalars: &Scalars) -> Result<Reading, ReadError> {
    graphql::read_sdl(sources, scalars)
}
