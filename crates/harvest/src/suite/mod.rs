//! Records as a suite: one test for each call that was seen.
//!
//! A test makes the call again and holds the answer against what the schema promises, and against
//! nothing else: what came back at the time is not kept. The tests that reach most of the schema
//! come first, then those that are used most and cost least, so that whoever has little time runs
//! the beginning. Users and their secrets are the suite's and come from the environment; nothing
//! of who called at the time is left in a record.

mod graphql;
mod names;
mod order;
mod paths;
mod rest;

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;
use std::time::Duration;

use fossick_contract::Api;
use fossick_query::Document;
use fossick_suite::{Check, Service, Suite, Test, User, What};
use serde_json::Value;

use crate::promise::{Promise, Strictness};
use crate::tuples::{Tuple, Tuples};
use crate::{Call, Key, Record, Took};
pub use names::{date, grouped};
use order::Offer;
pub use paths::{Resolved, resolve};

/// What a suite is to be.
#[derive(Debug, Clone, Default)]
pub struct Settings {
    /// How it was made, for people.
    pub origin: String,
    /// Where the service is; for GraphQL the endpoint itself.
    pub base_url: String,
    pub users: Vec<User>,
    pub service: Service,
    /// Headers of every request that are no secret.
    pub headers: Vec<(String, String)>,
    /// Calls that change something as well.
    pub mutations: bool,
    pub strictness: Strictness,
    /// The fewest tests that still reach everything that all of them reach.
    pub fewest: bool,
    /// As many tests as take no longer than this, one after another.
    pub time: Option<Duration>,
}

/// A suite and what is known of its tests besides.
#[derive(Debug, Clone, Default)]
pub struct Made {
    pub suite: Suite,
    /// For each test of the suite.
    pub sources: Vec<Source>,
    pub left_out: Vec<LeftOut>,
}

/// Where a test comes from.
#[derive(Debug, Clone)]
pub struct Source {
    pub key: Key,
    /// What its answer is promised to be; for GraphQL alone.
    pub promise: Option<Arc<Promise>>,
    pub tuples: BTreeSet<Tuple>,
}

/// A record that is no test.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LeftOut {
    pub key: Key,
    /// `query products`
    pub what: String,
    pub why: Why,
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Why {
    #[error("it changes something; --mutations takes such calls along")]
    Changes,
    #[error("it is no call of this kind of API")]
    OtherKind,
    #[error("{0}")]
    NotReadable(#[from] fossick_query::NotReadable),
    #[error("the schema has no {0}")]
    NoRoot(&'static str),
    #[error("the document has no operation for it")]
    NoOperation,
    #[error("its body was not kept")]
    NoBody,
    #[error("its method is none that tests send")]
    Method,
    #[error("the tests before it reach all that it reaches")]
    Idle,
    #[error("the time is up before it")]
    TimeIsUp,
}

/// A test before it has its place.
struct Draft<'r> {
    record: &'r Record,
    /// Without its name.
    test: Test,
    name: String,
    /// What its checks refer to, by name.
    schema: Option<(String, Value)>,
    promise: Option<Arc<Promise>>,
    tuples: BTreeSet<Tuple>,
}

/// Makes a suite of records.
pub fn suite(api: &Api, records: &[Record], settings: &Settings) -> Made {
    let mut left_out = Vec::new();
    let mut drafts = Vec::new();
    let mut leave = |record: &Record, why| left_out.push(LeftOut::new(record, why));
    if api.is_graphql() {
        let mut reader = graphql::Reader::new(api, records, settings);
        for record in records {
            match reader.draft(record) {
                Ok(draft) => drafts.push(draft),
                Err(why) => leave(record, why),
            }
        }
    } else {
        for record in records {
            match rest::draft(api, record, settings) {
                Ok(draft) => drafts.push(draft),
                Err(why) => leave(record, why),
            }
        }
    }
    let order = order::order(&offers(&drafts), settings.fewest, settings.time);
    for (at, why) in order.left_out {
        leave(drafts[at].record, why);
    }
    let mut places: Vec<Option<Draft<'_>>> = drafts.into_iter().map(Some).collect();
    let chosen = order.chosen.iter().filter_map(|at| places[*at].take());
    let (suite, sources) = written(api, settings, chosen);
    Made {
        suite,
        sources,
        left_out,
    }
}

/// The documents of records, each read once; the tuples of a schema with what they tell of it.
pub fn tuples<'g>(api: &'g Api, records: &[Record]) -> (Tuples<'g>, Vec<Option<Document>>) {
    let documents: Vec<_> = records.iter().map(graphql::document).collect();
    let seen: Vec<_> = documents.iter().flatten().collect();
    (Tuples::new(&api.types, &seen), documents)
}

fn offers(drafts: &[Draft<'_>]) -> Vec<Offer> {
    let offers = drafts.iter().map(|draft| Offer {
        tuples: draft.tuples.iter().cloned().collect(),
        used: draft.record.times_called,
        took: mean(draft.record.took),
        key: draft.record.key,
    });
    offers.collect()
}

/// What an answer usually takes; nothing where none was timed.
fn mean(took: Took) -> Duration {
    Duration::from_micros(took.total.checked_div(took.answers).unwrap_or(0))
}

fn written<'r>(
    api: &Api,
    settings: &Settings,
    drafts: impl Iterator<Item = Draft<'r>>,
) -> (Suite, Vec<Source>) {
    let mut suite = Suite {
        version: Suite::VERSION,
        title: api.title.clone(),
        origin: settings.origin.clone(),
        base_url: settings.base_url.trim_end_matches('/').to_owned(),
        users: settings.users.clone(),
        service: settings.service.clone(),
        ..Suite::default()
    };
    let mut sources = Vec::new();
    let mut names = Names::default();
    let mut known = HashMap::new();
    for draft in drafts {
        let mut test = draft.test;
        test.name = names.free(&draft.name);
        if let Some((name, schema)) = draft.schema {
            let schemas = &mut suite.schemas;
            let at = *known.entry(schema.to_string()).or_insert_with(|| {
                schemas.push((name, schema));
                schemas.len() - 1
            });
            if let Some(last) = test.steps.last_mut() {
                last.checks.push(plain(What::Schema(at)));
            }
        }
        suite.tests.push(test);
        sources.push(Source {
            key: draft.record.key,
            promise: draft.promise,
            tuples: draft.tuples,
        });
    }
    (suite, sources)
}

/// Names of tests; thousands may want the same.
#[derive(Default)]
struct Names {
    taken: BTreeSet<String>,
    next: HashMap<String, u64>,
}

impl Names {
    /// The wanted name, or with the next free number.
    fn free(&mut self, wanted: &str) -> String {
        let mut name = wanted.to_owned();
        let next = self.next.entry(wanted.to_owned()).or_insert(2);
        while !self.taken.insert(name.clone()) {
            name = format!("{wanted} {next}");
            *next += 1;
        }
        name
    }
}

fn plain(what: What) -> Check {
    Check {
        what,
        suspect: false,
    }
}

impl LeftOut {
    fn new(record: &Record, why: Why) -> Self {
        Self {
            key: record.key,
            what: names::told(&record.call),
            why,
        }
    }
}

/// What a call is, for people: `query products`, `GET /projects/7`.
pub fn told(call: &Call) -> String {
    names::told(call)
}

#[cfg(test)]
mod tests;
