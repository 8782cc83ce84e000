//! What a GraphQL service answers, whatever it is: judged, learned from, and made fit to be shown.
//!
//! The input reads like an answer, as for [`crate::answer`]. Every call of a few plans gets it.

use std::borrow::Cow;
use std::sync::{Arc, OnceLock};

use bytes::Bytes;
use fossick_contract::Api;
use fossick_ingest::{NoFetch, Source, read};
use fossick_oracles::Judge;
use fossick_search::{Search, Settings};
use fossick_trace::{Answer, Call, Episode, Exchange, Outcome, Payload, Request, Script};
use fossick_validate::Validators;
use serde_json::Value;

use crate::answer::{parse, show};

const SCHEMA: &str = include_str!("library.graphql");

/// Plans that are answered.
const ROUNDS: usize = 150;

pub fn graphql_answer(data: &[u8]) {
    static READ: OnceLock<Option<(Api, Validators)>> = OnceLock::new();
    let Some((api, validators)) = READ.get_or_init(contract) else {
        return;
    };
    let answer = parse(data);
    let judge = Judge::new(api, validators);
    let settings = Settings {
        seed: 1,
        free: true,
        undeclared: true,
        credentials: false,
        get: true,
        ..Settings::default()
    };
    let mut search = Search::new(api, validators, settings);
    for _ in 0..ROUNDS {
        let Some(proposal) = search.propose() else {
            break;
        };
        let episode = play(search.render(&proposal.plan), &answer);
        let findings = judge.judge(&episode);
        // What was looked at once is remembered; that must not change what is said of it.
        assert_eq!(findings, judge.judge(&episode));
        for finding in &findings {
            show(finding, &episode);
        }
        search.learn(&proposal, &episode, &findings);
    }
}

fn contract() -> Option<(Api, Validators)> {
    let source = Source {
        name: "library.graphql".to_owned(),
        text: SCHEMA.to_owned(),
    };
    let api = read(&source, &mut NoFetch).ok()?.api;
    let validators = Validators::new(&api);
    Some((api, validators))
}

/// A script in a world where every call is answered the same.
fn play(script: Script, answer: &Answer) -> Episode {
    let exchanges = script.calls.iter().map_while(|call| {
        let key = call.graphql.as_deref().unwrap_or("");
        Some(Exchange {
            request: request(call, answer)?,
            outcome: Outcome::Answered(answer.clone().heard(key)),
        })
    });
    Episode {
        exchanges: exchanges.collect(),
        script: Arc::new(script),
        inside: Vec::new(),
        removed: Vec::new(),
    }
}

fn request(call: &Call, answer: &Answer) -> Option<Request> {
    let target = call
        .target
        .fill(|capture| capture.take.from(answer).map(Cow::Owned))?;
    Some(Request {
        method: call.method,
        target,
        headers: Vec::new(),
        body: body(&call.payload, answer)?,
        user: call.user.clone(),
        anonymous: false,
    })
}

fn body(payload: &Payload, answer: &Answer) -> Option<Bytes> {
    match payload {
        Payload::None => Some(Bytes::new()),
        Payload::Bytes { bytes, .. } => Some(bytes.clone()),
        Payload::Json { value, fills, .. } => {
            let mut value: Value = value.clone();
            for (pointer, capture) in fills {
                *value.pointer_mut(pointer)? = capture.take.from(answer)?;
            }
            Some(Bytes::from(value.to_string()))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_schema_is_read_whole() {
        let (api, _) = contract().expect("it is ours");
        assert_eq!(api.operations.len(), 8);
        assert!(api.unusable.is_empty());
    }

    /// Otherwise the fuzzer would look at refusals alone.
    #[test]
    fn plans_ask_for_something() {
        let (api, validators) = contract().expect("it is ours");
        let mut search = Search::new(&api, &validators, Settings::default());
        let proposal = search.propose().expect("there is something to ask");
        let answer = parse(b"200\n\n{\"data\":{}}");
        let episode = play(search.render(&proposal.plan), &answer);
        let asked = episode.exchanges.first().expect("a call");
        let body: Value = serde_json::from_slice(&asked.request.body).expect("JSON");
        let query = body["query"].as_str().expect("an operation");
        assert!(fossick_query::read(query, None).is_ok(), "{query}");
    }
}
