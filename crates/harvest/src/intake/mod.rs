//! From what went by to what is kept.
//!
//! [`Intake::take`] decides whether a call is GraphQL or REST, takes batches apart, finds the text
//! behind persisted queries, lets nothing private pass, and writes every call in the one form under
//! which all that mean the same are counted. It remembers what it needs for that and for the flows
//! of sessions, within bounds. Bodies come as they are meant: whoever saw the call undoes its
//! transfer and content encodings.

mod answers;
mod asks;
mod media;
mod multipart;
mod operation;
mod persisted;
mod request;
mod rest;
mod settings;
mod skipped;
mod target;

use std::collections::BTreeMap;

pub use persisted::{NotAManifest, read_manifest};
pub use settings::{IntakeSettings, Limits};
pub use skipped::Skipped;

use answers::{answer_json, sighting};
use asks::{Ask, Asks};
use persisted::Persisted;
pub(crate) use request::{Body, Request};
use serde_json::Value;

use crate::privacy::{Globs, Guard};
use crate::sessions::{self, Sessions};
use crate::{Call, Flow, Seen, Sighting};

/// What became of a call that was seen.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Taken {
    /// None, one, or one for each member of a batch.
    pub sightings: Vec<Sighting>,
    pub flows: Vec<Flow>,
    /// Why something was left out; of a batch, the first of its members that was.
    pub skipped: Option<Skipped>,
}

/// Settings, and what is remembered from one call to the next.
pub struct Intake {
    settings: IntakeSettings,
    paths: Globs,
    guard: Guard,
    persisted: Persisted,
    sessions: Sessions,
    skipped: BTreeMap<Skipped, u64>,
}

impl Intake {
    pub fn new(settings: IntakeSettings) -> Self {
        let guard = Guard::new(&settings.privacy);
        let manifest = settings.manifest.clone();
        Self {
            paths: Globs::new(&settings.graphql_paths),
            persisted: Persisted::new(manifest, settings.limits.persisted),
            sessions: Sessions::new(settings.limits.sessions, guard.keyed().clone()),
            guard,
            settings,
            skipped: BTreeMap::new(),
        }
    }

    /// What of a call is kept.
    pub fn take(&mut self, seen: &Seen) -> Taken {
        let mut taken = Taken::default();
        match skipped::at_sight(seen, &self.settings) {
            Some(why) => self.skip(why, &mut taken),
            None => self.read(seen, &mut taken),
        }
        taken
    }

    /// How many calls were left out until now, and why.
    pub fn skipped(&self) -> &BTreeMap<Skipped, u64> {
        &self.skipped
    }

    fn skip(&mut self, why: Skipped, taken: &mut Taken) {
        *self.skipped.entry(why).or_default() += 1;
        taken.skipped.get_or_insert(why);
    }

    fn read(&mut self, seen: &Seen, taken: &mut Taken) {
        let request = Request::read(seen, self.settings.limits.body);
        let on_path = self.paths.has(request.path.trim_end_matches('/'));
        match asks::find(&request, on_path, &self.persisted) {
            Some(asks) => self.graphql(&request, &asks, taken),
            None if on_path => self.skip(Skipped::NotReadable, taken),
            None => self.rest(&request, taken),
        }
    }

    fn graphql(&mut self, request: &Request<'_>, asks: &Asks, taken: &mut Taken) {
        if asks.list.len() > self.settings.limits.batch {
            return self.skip(Skipped::TooLarge, taken);
        }
        let answer = answer_json(request.seen, self.settings.limits.answer);
        for (at, ask) in asks.list.iter().enumerate() {
            let own = match &answer {
                Some(answers) if asks.batched => answers.get(at),
                whole => whole.as_ref(),
            };
            if let Err(why) = self.operation(request, ask, own, taken) {
                self.skip(why, taken);
            }
        }
    }

    fn operation(
        &mut self,
        request: &Request<'_>,
        ask: &Ask,
        answer: Option<&Value>,
        taken: &mut Taken,
    ) -> Result<(), Skipped> {
        let text = ask.text(&mut self.persisted)?;
        let document = operation::read(&text, ask.name.as_deref())?;
        let variables = if self.settings.keep_undeclared {
            ask.variables.clone()
        } else {
            operation::declared(&document, &ask.variables)
        };
        if self.settings.flows {
            let exchange = sessions::of_operation(&document, &variables, answer, &self.guard);
            taken
                .flows
                .extend(self.sessions.follow(request.seen, exchange));
        }
        let mut cover = self.guard.cover();
        cover.headers(&request.seen.headers);
        let call = operation::call(&request.path, document, variables, &mut cover);
        let failed =
            answer.is_some_and(|answer| answer.get("errors").is_some_and(|e| !e.is_null()));
        taken
            .sightings
            .push(sighting(request.seen, Call::GraphQl(call), cover, failed));
        Ok(())
    }

    fn rest(&mut self, request: &Request<'_>, taken: &mut Taken) {
        let mut cover = self.guard.cover();
        let call = rest::call(request, &self.guard, &mut cover);
        if self.settings.flows {
            let answer = answer_json(request.seen, self.settings.limits.answer);
            let exchange = sessions::of_request(request, &call.path, answer.as_ref(), &self.guard);
            taken
                .flows
                .extend(self.sessions.follow(request.seen, exchange));
        }
        taken
            .sightings
            .push(sighting(request.seen, Call::Rest(call), cover, false));
    }
}
