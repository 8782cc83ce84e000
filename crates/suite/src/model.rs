//! What a suite is made of.

use fossick_contract::Method;
use fossick_trace::{Extent, Take};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::Check;

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Suite {
    /// The format of this text, [`Suite::VERSION`].
    pub version: u32,
    /// The name of the API.
    pub title: String,
    /// How the suite was made, for the head of each file: `fossick test openapi.yaml --seed 1`.
    pub origin: String,
    /// Where the service is, unless `FOSSICK_BASE_URL` says otherwise; without a slash at its end.
    pub base_url: String,
    /// Who sends the requests; the first one where nothing is said.
    #[serde(default)]
    pub users: Vec<User>,
    #[serde(default)]
    pub service: Service,
    /// JSON Schemas that answers are held against, by name; each stands alone.
    #[serde(default)]
    pub schemas: Vec<(String, Value)>,
    pub tests: Vec<Test>,
}

impl Suite {
    pub const VERSION: u32 = 1;
}

/// Somebody with credentials, which are never written down: they come from the environment.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct User {
    /// `alice`; the only user needs no name.
    #[serde(default)]
    pub name: Option<String>,
    #[serde(default)]
    pub headers: Vec<SecretHeader>,
    #[serde(default)]
    pub login: Option<Login>,
}

/// A header whose value stands in a variable of the environment.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SecretHeader {
    pub name: String,
    /// `ALICE_AUTHORIZATION`: capitals, digits and underscores.
    pub variable: String,
}

/// A request that gives a token, sent once before the tests of its user.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Login {
    pub request: Request,
    pub take: Take,
    /// The header that carries the token, and what stands before it there: `Bearer `.
    pub header: String,
    pub prefix: String,
}

/// How to start, stop and reset the service, where somebody said so.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Service {
    #[serde(default)]
    pub start: Option<String>,
    #[serde(default)]
    pub stop: Option<String>,
    #[serde(default)]
    pub reset: Option<Reset>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Reset {
    /// A line for the shell.
    Command(String),
    /// Called with POST.
    Url(String),
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Test {
    /// Lower-case words of letters and digits, unique in the suite: `deleted project is still served`.
    pub name: String,
    pub group: Group,
    /// What happens and why it is kept; lines for a comment.
    #[serde(default)]
    pub about: Vec<String>,
    /// What is thought to be wrong with the behaviour that the test shows.
    #[serde(default)]
    pub fault: Option<Fault>,
    /// Texts that must be new each time.
    #[serde(default)]
    pub fresh: Vec<Fresh>,
    /// It changes nothing, so it may run beside others and leaves nothing to be reset.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub quiet: bool,
    pub steps: Vec<Step>,
}

/// Which file a test goes into.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Group {
    Faults,
    Successes,
    Others,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fault {
    /// `F302`
    pub code: String,
    pub title: String,
    pub why: String,
    /// What ends when it is mended.
    #[serde(default, skip_serializing_if = "Extent::is_whole")]
    pub extent: Extent,
}

/// A text that must be new each time: a second thing of the same name is often refused.
///
/// A new one has the make of the old one: its last five letters and digits are each exchanged for
/// another of their kind (`a-z`, `A-Z`, `0-9`), so that patterns and bounds hold as before.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fresh {
    /// The variable that holds it: `name`, in snake case.
    pub variable: String,
    /// `amber-x6fch`
    pub like: String,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Step {
    /// What the step is for, if that is worth a comment: `makes a project`.
    #[serde(default)]
    pub about: Option<String>,
    pub request: Request,
    /// What is kept of the answer for later steps.
    #[serde(default)]
    pub saves: Vec<Save>,
    #[serde(default)]
    pub checks: Vec<Check>,
}

/// A value of an answer under a name: snake case, unique in its test.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Save {
    pub variable: String,
    pub take: Take,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Request {
    pub method: Method,
    /// Path and query below the base URL. What is fixed is escaped already; a variable's value is
    /// escaped when it is put in, as a component of a URI.
    pub path: Vec<Piece>,
    /// Besides credentials and the content type of the body.
    #[serde(default)]
    pub headers: Vec<(String, Vec<Piece>)>,
    #[serde(default)]
    pub body: Body,
    /// Place in [`Suite::users`]; `None` sends no credentials at all.
    #[serde(default)]
    pub user: Option<usize>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Piece {
    Fixed(String),
    Variable(String),
}

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(tag = "form", rename_all = "lowercase")]
pub enum Body {
    #[default]
    None,
    Json {
        media_type: String,
        value: Template,
    },
    /// Forms, XML, and JSON that is broken on purpose. Variables go in as they are.
    Text {
        media_type: String,
        text: Vec<Piece>,
    },
    Bytes {
        media_type: String,
        bytes: Vec<u8>,
    },
}

/// JSON with holes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Template {
    /// Without holes.
    Value(Value),
    /// A text, parts of which are variables.
    Text(Vec<Piece>),
    /// The variable's value with its own type.
    Variable(String),
    List(Vec<Template>),
    Object(Vec<(String, Template)>),
}
