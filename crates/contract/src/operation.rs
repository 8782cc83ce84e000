//! One operation: how it is called and what it may answer.

use std::fmt;

use indexmap::IndexMap;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{PathTemplate, Place, Requirement, RootField, ShapeId};

/// Where an operation stands in [`crate::Api::operations`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct OperationIndex(pub u32);

#[derive(Debug, Clone, PartialEq)]
pub struct Operation {
    /// `GET /projects/{id}`: unique in an API, and what people see.
    pub label: String,
    pub operation_id: Option<String>,
    pub method: Method,
    pub path: PathTemplate,
    pub tags: Vec<String>,
    pub summary: String,
    pub description: String,
    pub deprecated: bool,
    pub parameters: Vec<Parameter>,
    pub body: Option<Body>,
    /// In the document's order; exact statuses, classes and the default alike.
    pub responses: Vec<ResponseSpec>,
    /// Alternatives, any of which is enough; empty means that none is asked for.
    pub security: Vec<Requirement>,
    /// A base URL that overrides the API's.
    pub server: Option<String>,
    pub place: Option<Place>,
    /// Set where it is a field of a GraphQL service and not a path of a REST one.
    pub graphql: Option<Box<RootField>>,
}

impl Operation {
    /// The promise that fits a status: exact before class before default.
    pub fn response(&self, status: u16) -> Option<&ResponseSpec> {
        let by = |wanted: StatusPattern| self.responses.iter().find(move |r| r.status == wanted);
        by(StatusPattern::Exact(status))
            .or_else(|| by(StatusPattern::Class((status / 100) as u8)))
            .or_else(|| by(StatusPattern::Default))
    }

    pub fn parameter(&self, location: Location, name: &str) -> Option<&Parameter> {
        self.parameters
            .iter()
            .find(|p| p.location == location && p.name == name)
    }

    /// The shapes of successful JSON answers, the likeliest first.
    pub fn success_shapes(&self) -> impl Iterator<Item = ShapeId> {
        self.responses
            .iter()
            .filter(|r| r.status.is_success())
            .flat_map(|r| r.contents.iter())
            .filter(|c| is_json(&c.media_type))
            .filter_map(|c| c.shape)
    }

    /// What it does to the thing it is about.
    pub fn deed(&self) -> Deed {
        match &self.graphql {
            Some(root) => root.deed,
            None => Deed::of(self.method),
        }
    }

    pub fn needs_credentials(&self) -> bool {
        !self.security.is_empty() && self.security.iter().all(|r| !r.schemes.is_empty())
    }
}

/// What an operation does to the thing it is about. HTTP tells by the method, GraphQL by names.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Deed {
    Read,
    Create,
    /// Puts a whole thing in the place of another.
    Replace,
    Update,
    Delete,
    /// Something else: nobody can say what it changes.
    Other,
}

impl Deed {
    pub fn of(method: Method) -> Self {
        match method {
            Method::Post => Self::Create,
            Method::Put => Self::Replace,
            Method::Patch => Self::Update,
            Method::Delete => Self::Delete,
            Method::Get | Method::Head | Method::Options | Method::Trace | Method::Query => {
                Self::Read
            }
        }
    }

    /// It changes or removes something that is there already.
    pub fn changes(self) -> bool {
        matches!(self, Self::Replace | Self::Update | Self::Delete)
    }
}

/// Whether a media type is JSON or a dialect of it; parameters after `;` do not matter.
pub fn is_json(media_type: &str) -> bool {
    let essence = media_type.split(';').next().unwrap_or("").trim();
    essence.eq_ignore_ascii_case("application/json")
        || essence.eq_ignore_ascii_case("text/json")
        || ends_with_ignoring_case(essence, "+json")
}

/// Whether a text ends so, without regard to case.
pub fn ends_with_ignoring_case(text: &str, tail: &str) -> bool {
    let at = text.len().checked_sub(tail.len());
    at.and_then(|at| text.get(at..))
        .is_some_and(|end| end.eq_ignore_ascii_case(tail))
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum Method {
    Get,
    Post,
    Put,
    Patch,
    Delete,
    Head,
    Options,
    Trace,
    Query,
}

impl Method {
    pub const ALL: [Self; 9] = [
        Self::Get,
        Self::Post,
        Self::Put,
        Self::Patch,
        Self::Delete,
        Self::Head,
        Self::Options,
        Self::Trace,
        Self::Query,
    ];

    pub fn as_str(self) -> &'static str {
        match self {
            Self::Get => "GET",
            Self::Post => "POST",
            Self::Put => "PUT",
            Self::Patch => "PATCH",
            Self::Delete => "DELETE",
            Self::Head => "HEAD",
            Self::Options => "OPTIONS",
            Self::Trace => "TRACE",
            Self::Query => "QUERY",
        }
    }

    /// Reads a method in any case, as documents write it.
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL
            .into_iter()
            .find(|method| method.as_str().eq_ignore_ascii_case(text))
    }

    /// Methods that by HTTP's own rules only look.
    pub fn is_safe(self) -> bool {
        matches!(
            self,
            Self::Get | Self::Head | Self::Options | Self::Trace | Self::Query
        )
    }
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Location {
    Path,
    Query,
    Header,
    Cookie,
}

impl fmt::Display for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Path => "path",
            Self::Query => "query",
            Self::Header => "header",
            Self::Cookie => "cookie",
        })
    }
}

#[derive(Debug, Clone, PartialEq)]
pub struct Parameter {
    pub name: String,
    pub location: Location,
    pub required: bool,
    pub shape: ShapeId,
    pub encoding: Encoding,
    pub examples: Vec<Value>,
    pub description: String,
    pub deprecated: bool,
    /// Reserved characters go out as they are.
    pub allow_reserved: bool,
}

/// How a parameter's value becomes text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Encoding {
    Style {
        style: Style,
        explode: bool,
    },
    /// Serialised whole as this media type, then escaped.
    Content(String),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Style {
    Simple,
    Label,
    Matrix,
    Form,
    SpaceDelimited,
    PipeDelimited,
    /// Swagger 2.0's `tsv`.
    TabDelimited,
    DeepObject,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Body {
    pub required: bool,
    /// At least one, in the document's order.
    pub contents: Vec<Content>,
}

/// One media type of a body and what is promised of it.
#[derive(Debug, Clone, PartialEq)]
pub struct Content {
    pub media_type: String,
    /// `None` where the document names the media type and nothing more.
    pub shape: Option<ShapeId>,
    pub examples: Vec<Value>,
    /// For multipart and urlencoded bodies: how single properties are sent.
    pub parts: IndexMap<String, PartEncoding>,
}

#[derive(Debug, Clone, Default, PartialEq)]
pub struct PartEncoding {
    pub content_type: Option<String>,
    pub style: Option<Style>,
    pub explode: Option<bool>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct ResponseSpec {
    pub status: StatusPattern,
    pub description: String,
    pub contents: Vec<Content>,
    pub headers: Vec<Header>,
    pub links: Vec<Link>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum StatusPattern {
    Exact(u16),
    /// `4XX`
    Class(u8),
    Default,
}

impl StatusPattern {
    pub fn is_success(self) -> bool {
        matches!(self, Self::Exact(200..=299) | Self::Class(2))
    }
}

impl fmt::Display for StatusPattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Exact(status) => write!(f, "{status}"),
            Self::Class(class) => write!(f, "{class}XX"),
            Self::Default => f.write_str("default"),
        }
    }
}

#[derive(Debug, Clone, PartialEq)]
pub struct Header {
    pub name: String,
    pub required: bool,
    pub shape: Option<ShapeId>,
}

/// An OpenAPI link: a value of this answer is a parameter of another operation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Link {
    pub name: String,
    pub target: OperationIndex,
    /// Parameter name (`path.id` and `id` both occur) and runtime expression (`$response.body#/id`).
    pub parameters: Vec<(String, String)>,
    /// Runtime expression for the whole body.
    pub body: Option<String>,
}
