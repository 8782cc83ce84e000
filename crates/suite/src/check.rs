//! What a test expects of an answer.

use serde::{Deserialize, Serialize};
use serde_json::Value;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Check {
    #[serde(flatten)]
    pub what: What,
    /// This is the suspected fault itself: kept as it is, or turned round (it must *not* be so)
    /// where faults are to fail.
    #[serde(default)]
    pub suspect: bool,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum What {
    Status(u16),
    /// The essence of the content type, without parameters, in lower case.
    MediaType(String),
    NoBody,
    /// The whole body, where it is text and not JSON.
    Text(String),
    /// Something in a JSON body.
    At {
        /// From the root of the body; empty for the body itself.
        path: Vec<Key>,
        is: Is,
    },
    /// The body fits [`crate::Suite::schemas`] at this place.
    Schema(usize),
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Key {
    Index(usize),
    Name(String),
}

impl From<&str> for Key {
    fn from(name: &str) -> Self {
        Self::Name(name.to_owned())
    }
}

impl From<usize> for Key {
    fn from(index: usize) -> Self {
        Self::Index(index)
    }
}

impl Key {
    /// The name of a property; an index has none.
    pub fn name(&self) -> Option<&str> {
        match self {
            Self::Name(name) => Some(name),
            Self::Index(_) => None,
        }
    }
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Is {
    /// A scalar.
    Equal(Value),
    /// The value of a variable of the test, type and all.
    Same(String),
    /// Changes from run to run: only its kind is promised.
    Kind(JsonKind),
    /// The number of items of a list.
    Size(usize),
    /// An object without this property, or a list without this place.
    Absent,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum JsonKind {
    Null,
    Boolean,
    Integer,
    Number,
    String,
    Array,
    Object,
}

impl JsonKind {
    pub fn of(value: &Value) -> Self {
        match value {
            Value::Null => Self::Null,
            Value::Bool(_) => Self::Boolean,
            Value::Number(number) if number.is_f64() => Self::Number,
            Value::Number(_) => Self::Integer,
            Value::String(_) => Self::String,
            Value::Array(_) => Self::Array,
            Value::Object(_) => Self::Object,
        }
    }
}
