//! What a new schema would break of what clients really call, and the calls as they should be.
//!
//! Each recorded call is walked together with the new schema. What it asks for and can't get any
//! more is told; besides, a version is made that the new schema takes: what is gone is left out,
//! what has a new name is followed where only one candidate fits, and whatever was changed is
//! listed. Where a repair would be a guess (a new required argument, a value that fits no more)
//! there is none, and it is said why. What only answers may feel (a field that may be null now) is
//! no break of a call.

mod document;
mod inputs;
mod rest;
mod similar;
mod variables;

use fossick_contract::Api;
use fossick_query::write_compact;
use fossick_validate::Validators;
use serde::Serialize;

use crate::suite::told;
use crate::{Call, GraphQlCall, Key, Record};

/// A call that the new schema breaks.
#[derive(Debug, Clone, PartialEq)]
pub struct Drift {
    pub key: Key,
    /// `query products`, `GET /projects/7`
    pub what: String,
    pub times_called: u64,
    /// Milliseconds since 1970.
    pub last_at: u64,
    pub breaks: Vec<Break>,
    pub repair: Repair,
}

/// Something that a call can't have any more.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Break {
    pub kind: Kind,
    /// Where in the call: `rooms.guide.name`, `rooms(first)`, `query limit`, `body /name`.
    pub place: String,
    pub told: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// The schema has no such root, or the call can't be read.
    Unreadable,
    NoField,
    NoType,
    /// A fragment on a type that can't be there.
    NeverThere,
    NoArgument,
    ArgumentType,
    RequiredArgument,
    /// A member of an enumeration that is none any more.
    NoMember,
    NoInputField,
    RequiredInputField,
    Value,
    /// What had parts has none any more, or the other way round.
    Parts,
    NoOperation,
    NoParameter,
    RequiredParameter,
    Body,
}

/// A call that the new schema takes, or why there is none.
#[derive(Debug, Clone, PartialEq)]
pub enum Repair {
    Done { call: Call, changes: Vec<String> },
    Impossible { why: Vec<String> },
}

/// What the new schema breaks, the most frequent call first.
///
/// The schema that the calls were made for may be given as well: then a field is followed only to
/// one of the same type, and what it was deprecated for counts.
pub fn drift(new: &Api, old: Option<&Api>, records: &[Record]) -> Vec<Drift> {
    let validators = Validators::new(new);
    let ground = Ground {
        new,
        old,
        validators: &validators,
    };
    let mut found: Vec<Drift> = records
        .iter()
        .filter_map(|record| ground.drift(record))
        .collect();
    found.sort_by(|a, b| {
        let rank = |drift: &Drift| (std::cmp::Reverse(drift.times_called), drift.key);
        rank(a).cmp(&rank(b))
    });
    found
}

/// What calls are held against.
#[derive(Clone, Copy)]
struct Ground<'a> {
    new: &'a Api,
    old: Option<&'a Api>,
    validators: &'a Validators,
}

impl Ground<'_> {
    fn drift(&self, record: &Record) -> Option<Drift> {
        let (mended, notes) = match &record.call {
            Call::GraphQl(call) if self.new.is_graphql() => self.graphql(call),
            Call::Rest(call) if !self.new.is_graphql() => rest::mended(self, call),
            _ => return None,
        };
        if notes.breaks.is_empty() {
            return None;
        }
        let repair = match mended {
            Some(call) if notes.beyond.is_empty() => Repair::Done {
                call,
                changes: notes.changes,
            },
            _ => Repair::Impossible { why: notes.beyond },
        };
        Some(Drift {
            key: record.key,
            what: told(&record.call),
            times_called: record.times_called,
            last_at: record.updated_at,
            breaks: notes.breaks,
            repair,
        })
    }

    fn graphql(&self, call: &GraphQlCall) -> (Option<Call>, Notes) {
        let document = match fossick_query::read(&call.query, None) {
            Ok(document) => document,
            Err(why) => return (None, Notes::hopeless("", why.to_string())),
        };
        let (mended, notes) = document::mended(self, &document, &call.variables);
        let call = mended.map(|(document, variables)| {
            Call::GraphQl(GraphQlCall {
                query: write_compact(&document),
                variables,
                ..call.clone()
            })
        });
        (call, notes)
    }
}

/// What was noticed on the way through a call.
#[derive(Debug, Default)]
struct Notes {
    breaks: Vec<Break>,
    changes: Vec<String>,
    /// Why there can be no repair.
    beyond: Vec<String>,
}

impl Notes {
    fn hopeless(place: &str, told: String) -> Self {
        let mut notes = Self::default();
        notes.broken(Kind::Unreadable, place, told.clone());
        notes.beyond.push(told);
        notes
    }

    fn broken(&mut self, kind: Kind, place: &str, told: String) {
        self.breaks.push(Break {
            kind,
            place: place.to_owned(),
            told,
        });
    }

    /// A break that nothing can be done about.
    fn lost(&mut self, kind: Kind, place: &str, told: String) {
        self.beyond.push(told.clone());
        self.broken(kind, place, told);
    }

    /// A break that was mended.
    fn mended(&mut self, kind: Kind, place: &str, told: String, change: String) {
        self.changes.push(change);
        self.broken(kind, place, told);
    }
}

#[cfg(test)]
mod tests;
