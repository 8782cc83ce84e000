//! A field that is being resolved: its arguments, checked and complete, and the store.

use serde::de::DeserializeOwned;
use serde_json::Value;

use super::faults::GraphqlFault;
use super::store::Store;
use crate::faults::Faults;

/// No list is longer, whatever `first` says.
const LONGEST_LIST: usize = 100;

pub(crate) struct Call<'a> {
    pub(crate) store: &'a mut Store,
    pub(crate) faults: Faults<GraphqlFault>,
    pub(crate) arguments: Value,
}

/// Why a field has no value.
#[derive(Debug)]
pub(crate) enum Refused {
    /// An error of the answer: its code and its message.
    Told(&'static str, String),
    /// The whole request goes down. Only a planted fault does this.
    Crash,
}

impl Refused {
    pub(crate) fn not_found(what: &str) -> Self {
        Self::Told("NOT_FOUND", format!("there is no such {what}"))
    }

    pub(crate) fn bad_input(message: impl Into<String>) -> Self {
        Self::Told("BAD_USER_INPUT", message.into())
    }

    pub(crate) fn broken(message: impl Into<String>) -> Self {
        Self::Told("INTERNAL_SERVER_ERROR", message.into())
    }
}

pub(crate) type Outcome = Result<Value, Refused>;

impl Call<'_> {
    pub(crate) fn faulty(&self, fault: GraphqlFault) -> bool {
        self.faults.has(fault)
    }

    pub(crate) fn number(&self, name: &str) -> i64 {
        self.arguments[name].as_i64().unwrap_or_default()
    }

    pub(crate) fn text(&self, name: &str) -> Option<&str> {
        self.arguments[name].as_str()
    }

    /// An identifier, which may also be written as a number.
    pub(crate) fn id(&self, name: &str) -> String {
        let id = &self.arguments[name];
        id.as_str().map_or_else(|| id.to_string(), str::to_owned)
    }

    /// How many things are wanted; null wants as many as there may be.
    pub(crate) fn first(&self) -> Result<usize, Refused> {
        match self.arguments["first"].as_i64() {
            None => Ok(LONGEST_LIST),
            Some(first) => usize::try_from(first)
                .map(|first| first.min(LONGEST_LIST))
                .map_err(|_| Refused::bad_input("first can't be negative")),
        }
    }

    pub(crate) fn input<T: DeserializeOwned>(&self) -> Result<T, Refused> {
        read(self.arguments["input"].clone())
    }
}

/// Turns JSON that has been checked into one of our things.
pub(crate) fn read<T: DeserializeOwned>(value: Value) -> Result<T, Refused> {
    serde_json::from_value(value).map_err(|error| Refused::bad_input(error.to_string()))
}
