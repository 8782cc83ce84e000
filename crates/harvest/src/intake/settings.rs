//! How calls are taken in.

use std::collections::BTreeMap;

use crate::privacy::Privacy;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IntakeSettings {
    pub privacy: Privacy,
    /// Paths at which GraphQL is served, `*` for any text. Elsewhere a call is GraphQL only if it
    /// reads as such.
    pub graphql_paths: Vec<String>,
    /// Texts of persisted queries by their ids.
    pub manifest: BTreeMap<String, String>,
    /// Whether variables are kept that an operation does not have: services pass over them, but
    /// another recorder may have counted such calls apart.
    pub keep_undeclared: bool,
    /// Whether scripts, pictures and the like are left out.
    pub skip_assets: bool,
    /// Whether flows of sessions are looked for.
    pub flows: bool,
    pub limits: Limits,
}

impl IntakeSettings {
    pub fn new(privacy: Privacy) -> Self {
        Self {
            privacy,
            graphql_paths: vec!["*/graphql".to_owned(), "*/gql".to_owned()],
            manifest: BTreeMap::new(),
            keep_undeclared: false,
            skip_assets: true,
            flows: true,
            limits: Limits::default(),
        }
    }
}

/// Sizes are in bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// A larger body is counted by its digest and can't be made again.
    pub body: usize,
    /// A larger answer is not looked into.
    pub answer: usize,
    /// A call with a longer path and query is left out.
    pub target: usize,
    /// A batch with more members is left out.
    pub batch: usize,
    /// Of all texts of persisted queries that are remembered.
    pub persisted: usize,
    /// Sessions that are remembered.
    pub sessions: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            body: 1 << 20,
            answer: 1 << 20,
            target: 16 << 10,
            batch: 100,
            persisted: 32 << 20,
            sessions: 1000,
        }
    }
}
