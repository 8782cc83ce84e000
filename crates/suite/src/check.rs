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
    Item(Item),
}

/// The item of a list that carries a value of the test, wherever it stands there.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Item {
    /// Names on the way from the item to the value; none where the item is the value.
    #[serde(rename = "where")]
    pub at: Vec<String>,
    /// The variable that holds the value.
    pub is: String,
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

impl What {
    /// The variables of the test that a check needs.
    pub fn variables(&self) -> impl Iterator<Item = &str> {
        let (path, is) = match self {
            Self::At { path, is } => (path.as_slice(), Some(is)),
            _ => (&[][..], None),
        };
        let items = path.iter().filter_map(|key| match key {
            Key::Item(item) => Some(item.is.as_str()),
            Key::Index(_) | Key::Name(_) => None,
        });
        let same = is.and_then(|is| match is {
            Is::Same(variable) => Some(variable.as_str()),
            _ => None,
        });
        items.chain(same)
    }
}

impl Key {
    /// The name of a property; an item of a list has none.
    pub fn name(&self) -> Option<&str> {
        match self {
            Self::Name(name) => Some(name),
            Self::Index(_) | Self::Item(_) => None,
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
    /// An object without this property, or a list without this place or item.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_item_is_written_as_where_its_value_stands_and_what_that_is() {
        let text = r#"{"at":{"path":["lots",{"where":["node","id"],"is":"lot_id"},0,"n"],"is":{"same":"n"}}}"#;
        let what: What = serde_json::from_str(text).expect("a check");
        assert_eq!(serde_json::to_string(&what).ok().as_deref(), Some(text));
        assert_eq!(what.variables().collect::<Vec<_>>(), ["lot_id", "n"]);
    }
}
