//! How callers show who they are, as far as a document tells.

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SecurityScheme {
    ApiKey {
        place: KeyPlace,
        name: String,
    },
    Basic,
    Bearer,
    /// Another scheme of the `Authorization` header, by name.
    Http(String),
    OAuth2,
    OpenIdConnect,
    /// Something else, kept by its type so that it can be told.
    Other(String),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KeyPlace {
    Header,
    Query,
    Cookie,
}

/// Schemes that are needed together. None at all means that anonymous calls are welcome.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Requirement {
    pub schemes: Vec<String>,
}
