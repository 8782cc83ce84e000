//! What the answer to a GraphQL operation must look like.
//!
//! A [`Promise`] follows from the schema and the operation alone: which keys there must be, which
//! may be null, of what kind each value is. It is written as a JSON Schema for tests that run
//! anywhere ([`Promise::schema`]), and walked together with an answer to count what was asserted
//! and to say what is wrong in the words of the GraphQL schema ([`Promise::review`]). Both say the
//! same. What the values *are* is nobody's promise.

mod build;
mod included;
mod leaf;
mod review;
mod schema;

use std::sync::Arc;

use fossick_contract::{Api, RootKind};
use fossick_query::Document;
use serde_json::{Map, Value};

use leaf::Leaf;
pub use review::{Flaw, Review};

/// How strictly answers are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Strictness {
    /// Let an `ID` be a whole number as well.
    ///
    /// The specification has it that an ID is always written as a text, and clients in languages
    /// with types rely on it; so a number is a fault, unless somebody says that the service has
    /// always written its identifiers so.
    pub integer_ids: bool,
}

/// What an answer must look like.
#[derive(Debug, Clone, PartialEq)]
pub struct Promise {
    /// Objects and what must be in them; those asked for in the same way stand here once.
    sets: Vec<Set>,
    root: SetId,
}

type SetId = usize;

/// What an object must hold, by the type that it is of.
#[derive(Debug, Clone, PartialEq, Default)]
struct Set {
    /// The type that the schema declares.
    on: Arc<str>,
    /// None where nothing is known of the type: anything goes.
    cases: Vec<Case>,
}

/// What objects of some types must hold.
#[derive(Debug, Clone, PartialEq)]
struct Case {
    types: Vec<Arc<str>>,
    keys: Vec<Wanted>,
}

/// A key, and what stands under it.
#[derive(Debug, Clone, PartialEq)]
struct Wanted {
    key: Arc<str>,
    /// `Book.title`
    owner: Arc<str>,
    /// False where nobody can say whether it must be there.
    certain: bool,
    held: Held,
}

#[derive(Debug, Clone, PartialEq)]
enum Held {
    /// The name of one of the case's types.
    Typename,
    /// Not in the schema: anything goes.
    Anything,
    /// In the schema, but its type is cut off: no more is known than this.
    Untold { nullable: bool, listed: bool },
    Value {
        /// Whether null may stand at each level of the lists, outermost first.
        nullable: Box<[bool]>,
        what: What,
    },
}

#[derive(Debug, Clone, PartialEq)]
enum What {
    Leaf(Arc<Leaf>),
    Object(SetId),
}

impl Promise {
    /// What the schema promises of an operation with these variables; nothing where it has no such
    /// root.
    pub fn of(
        api: &Api,
        document: &Document,
        variables: &Map<String, Value>,
        strictness: Strictness,
    ) -> Option<Self> {
        let root = match document.kind {
            RootKind::Query => api.types.query?,
            RootKind::Mutation => api.types.mutation?,
        };
        let mut build = build::Build::new(&api.types, document, variables, strictness);
        let root = build.set(root, &[&document.picks]);
        Some(Self {
            sets: build.finish(),
            root,
        })
    }
}

#[cfg(test)]
mod tests;
