//! Playing a search against a service that is a closure: plans are run as a runner would, holes
//! filled and failed set-ups ending the script, but without sockets.

use std::borrow::Cow;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use fossick_contract::{Api, Method, OperationIndex};
use fossick_ingest::{NoFetch, Source, read};
use fossick_plan::{Plan, Step};
use fossick_search::{Proposal, Search, Settings};
use fossick_testkit::document_with;
use fossick_trace::{
    Answer, Call, Capture, Episode, Exchange, Outcome, Payload, Removal, Request, Role, Script,
    Text,
};
use fossick_validate::Validators;
use serde_json::{Value, json};

use crate::workshop::{Reply, Workshop, document, schemas};

pub(crate) struct World {
    pub(crate) api: Api,
    pub(crate) validators: Validators,
}

impl World {
    pub(crate) fn of(paths: Value, components: Value) -> Self {
        Self::document("openapi.json", document_with(paths, components))
    }

    pub(crate) fn document(name: &str, text: String) -> Self {
        let source = Source {
            name: name.to_owned(),
            text,
        };
        let api = read(&source, &mut NoFetch).expect("it can be read").api;
        let validators = Validators::new(&api);
        Self { api, validators }
    }

    pub(crate) fn workshop() -> Self {
        Self::of(document(), json!({ "schemas": schemas() }))
    }

    pub(crate) fn index(&self, label: &str) -> OperationIndex {
        let found = self.api.find(label);
        found.unwrap_or_else(|| panic!("{label} is there"))
    }

    pub(crate) fn search(&self, settings: Settings) -> Search<'_> {
        Search::new(&self.api, &self.validators, settings)
    }

    /// Plays so many rounds against a fresh workshop.
    pub(crate) fn played(&self, settings: Settings, rounds: usize) -> Vec<Round> {
        let mut workshop = Workshop::new();
        let mut search = self.search(settings);
        play(&mut search, rounds, |request| workshop.answer(request))
    }

    pub(crate) fn label(&self, step: &Step) -> &str {
        &self.api.operation(step.operation).label
    }

    /// The methods of a plan in order: `POST GET PUT GET`.
    pub(crate) fn verbs(&self, plan: &Plan) -> String {
        let verb = |step: &Step| self.method(step).as_str();
        plan.steps.iter().map(verb).collect::<Vec<_>>().join(" ")
    }

    pub(crate) fn method(&self, step: &Step) -> Method {
        let own = self.api.operation(step.operation).method;
        step.method.unwrap_or(own)
    }

    pub(crate) fn subject(&self, round: &Round) -> &str {
        &self.api.operation(round.proposal.subject).label
    }
}

/// A proposal and what became of it.
pub(crate) struct Round {
    pub(crate) proposal: Proposal,
    pub(crate) script: Arc<Script>,
    pub(crate) episode: Episode,
}

impl Round {
    pub(crate) fn main(&self) -> &Step {
        &self.proposal.plan.steps[self.proposal.plan.main()]
    }

    pub(crate) fn statuses(&self) -> Vec<u16> {
        let exchanges = self.episode.exchanges.iter();
        exchanges.filter_map(|e| e.outcome.status()).collect()
    }
}

pub(crate) fn free(seed: u64) -> Settings {
    Settings {
        seed,
        free: true,
        ..Settings::default()
    }
}

/// Proposes, runs and learns, so many times.
pub(crate) fn play(
    search: &mut Search<'_>,
    rounds: usize,
    mut service: impl FnMut(&Request) -> Reply,
) -> Vec<Round> {
    let mut played = Vec::with_capacity(rounds);
    for _ in 0..rounds {
        let proposal = search.propose().expect("there is always something to try");
        let script = Arc::new(search.render(&proposal.plan));
        let episode = run(&script, &mut service);
        search.learn(&proposal, &episode, &[]);
        played.push(Round {
            proposal,
            script,
            episode,
        });
    }
    played
}

pub(crate) fn run(script: &Arc<Script>, service: &mut impl FnMut(&Request) -> Reply) -> Episode {
    let mut episode = Episode {
        script: Arc::clone(script),
        exchanges: Vec::new(),
        inside: Vec::new(),
        removed: Vec::new(),
    };
    for call in &script.calls {
        let Some(request) = request(call, &episode) else {
            break;
        };
        let answer = answer(service(&request));
        let outcome = Outcome::Answered(match &call.graphql {
            Some(key) => answer.heard(key),
            None => answer,
        });
        let failed = !outcome.is_success();
        episode.exchanges.push(Exchange { request, outcome });
        if failed && call.role == Role::Setup {
            break;
        }
    }
    for cleanup in &script.cleanup {
        let made = episode.answer(cleanup.of).is_some_and(Answer::is_success);
        let request = request(&cleanup.call, &episode).filter(|_| made);
        let removed =
            request.map(|request| Removal::of(&Outcome::Answered(answer(service(&request)))));
        episode.removed.push(removed);
    }
    episode
}

fn answer((status, body): Reply) -> Answer {
    let bytes = match body {
        Value::Null => Bytes::new(),
        body => Bytes::from(body.to_string()),
    };
    let headers = vec![("content-type".to_owned(), "application/json".to_owned())];
    Answer::new(status, headers, bytes, false, Duration::ZERO)
}

fn request(call: &Call, episode: &Episode) -> Option<Request> {
    let captured = |capture: &Capture| {
        let answer = episode.answer(capture.call).filter(|a| a.is_success())?;
        capture.take.from(answer)
    };
    let body = match &call.payload {
        Payload::None => Bytes::new(),
        Payload::Bytes { bytes, .. } => bytes.clone(),
        Payload::Json { value, fills, .. } => {
            let mut value = value.clone();
            for (pointer, capture) in fills {
                *value.pointer_mut(pointer)? = captured(capture)?;
            }
            Bytes::from(value.to_string())
        }
    };
    let header = |(name, text): &(String, Text)| {
        let value = text.fill(|capture| captured(capture).map(Cow::Owned))?;
        Some((name.clone(), value))
    };
    Some(Request {
        method: call.method,
        target: call
            .target
            .fill(|capture| captured(capture).map(Cow::Owned))?,
        headers: call.headers.iter().filter_map(header).collect(),
        body,
        user: None,
        anonymous: false,
    })
}
