//! A call in the one form under which all that mean the same are counted together.

use fossick_contract::RootKind;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// What is kept of a request. Everything in it has been through the privacy rules.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum Call {
    GraphQl(GraphQlCall),
    Rest(RestCall),
}

/// One operation; a batch is taken apart before.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct GraphQlCall {
    /// Where it was sent, without the query: `/graphql`.
    pub path: String,
    pub root: RootKind,
    /// The operation as `fossick_query::write_compact` writes it: one line, fragments laid in.
    pub query: String,
    pub operation_name: Option<String>,
    /// Keys sorted, at every level; the operation's own variables only.
    pub variables: Map<String, Value>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RestCall {
    /// In capitals.
    pub method: String,
    /// Without the query, as sent.
    pub path: String,
    /// Decoded, sorted by name; values of one name keep their order.
    pub query: Vec<(String, String)>,
    /// `accept` and those that say what the body is; never one that says who sent it.
    pub headers: Vec<(String, String)>,
    pub content: Content,
}

#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(tag = "form", rename_all = "lowercase")]
pub enum Content {
    #[default]
    None,
    /// Keys sorted, at every level.
    Json {
        media_type: String,
        value: Value,
    },
    /// Decoded and sorted by name, as a query is.
    Form {
        fields: Vec<(String, String)>,
    },
    Text {
        media_type: String,
        text: String,
    },
    /// What is neither: its size and a digest; such calls are counted but can't be made again.
    Opaque {
        media_type: String,
        size: u64,
        digest: String,
    },
}

/// Under which a call is counted: the first half of the SHA-256 of its form as JSON.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Key(pub [u8; 16]);

impl std::fmt::Display for Key {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl Call {
    pub fn key(&self) -> Key {
        use sha2::{Digest as _, Sha256};
        let text = serde_json::to_vec(self).expect("plain data becomes JSON");
        let digest = Sha256::digest(text);
        let mut half = [0; 16];
        half.copy_from_slice(&digest[..16]);
        Key(half)
    }
}
