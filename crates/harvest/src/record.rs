//! What a store keeps: a call, how often and when it was seen, and what became of it.

use serde::{Deserialize, Serialize};

use crate::{Call, Key};

/// A call that was seen, ready to be counted.
#[derive(Debug, Clone, PartialEq)]
pub struct Sighting {
    pub key: Key,
    pub call: Call,
    /// Milliseconds since 1970.
    pub first_at: u64,
    pub last_at: u64,
    pub times: u64,
    pub statuses: Statuses,
    pub took: Took,
    pub redactions: Vec<Redaction>,
}

/// All sightings of one call.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Record {
    pub key: Key,
    pub call: Call,
    /// Milliseconds since 1970.
    pub created_at: u64,
    pub updated_at: u64,
    pub times_called: u64,
    pub statuses: Statuses,
    pub took: Took,
    pub redactions: Vec<Redaction>,
}

/// How many answers there were of each class; a call without a known answer is in none.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Statuses {
    pub informational: u64,
    pub successful: u64,
    pub redirected: u64,
    pub client_error: u64,
    pub server_error: u64,
    /// Successful by status, with `errors` in its GraphQL answer.
    pub with_errors: u64,
}

/// How long answers took, in microseconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Took {
    /// Answers that were timed.
    pub answers: u64,
    pub total: u64,
    pub most: u64,
}

/// Something that did not reach the store as it was.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Redaction {
    /// Where: `header authorization`, `variables /input/password`, `query email`, `body /token`.
    pub place: String,
    pub how: How,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum How {
    Dropped,
    /// Exchanged for another of the same shape, always the same one for the same value.
    Pseudonym,
}

/// A value of one call's answer that a later call of the same session sent.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Flow {
    /// `POST /projects`, `POST /projects/{}/tasks`; `createProject` for GraphQL.
    pub from: String,
    /// JSON pointer into the answer, `-` for any item of a list: `/items/-/id`.
    pub pointer: String,
    pub to: String,
    /// `path 1` (the second hole), `query project`, `body /projectId`, `argument project.id`.
    pub place: String,
    pub times: u64,
}
