//! What a service answers, whatever it is: judged, learned from, and made fit to be shown.
//!
//! The input reads like an answer: a line with the status, lines with headers, an empty line, the
//! body. Every call of a few plans gets it.

use std::borrow::Cow;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use bytes::Bytes;
use fossick_contract::Api;
use fossick_ingest::{NoFetch, Source, read};
use fossick_oracles::Judge;
use fossick_search::{Search, Settings};
use fossick_trace::{Answer, Call, Episode, Exchange, Finding, Intent, Outcome, Request, Script};
use fossick_validate::Validators;

const DOCUMENT: &str = include_str!("shelf.json");

/// Plans that are answered.
const ROUNDS: usize = 200;

pub fn answer(data: &[u8]) {
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
        credentials: true,
        ..Settings::default()
    };
    let mut search = Search::new(api, validators, settings);
    for _ in 0..ROUNDS {
        let Some(proposal) = search.propose() else {
            break;
        };
        let episode = play(search.render(&proposal.plan), &answer);
        let findings = judge.judge(&episode);
        for finding in &findings {
            show(finding, &episode);
        }
        search.learn(&proposal, &episode, &findings);
    }
}

/// What people see of it: nothing of the service's may reach a terminal or a shell as it is.
pub(crate) fn show(finding: &Finding, episode: &Episode) {
    let shown = fossick_report::one_line(&finding.title);
    assert!(!shown.contains(['\u{1b}', '\n']), "{shown:?}");
    fossick_report::clean(&finding.why);
    fossick_report::curl("http://127.0.0.1", episode, finding.call);
}

fn contract() -> Option<(Api, Validators)> {
    let source = Source {
        name: "shelf.json".to_owned(),
        text: DOCUMENT.to_owned(),
    };
    let api = read(&source, &mut NoFetch).ok()?.api;
    let validators = Validators::new(&api);
    Some((api, validators))
}

/// Takes any bytes for an answer.
pub(crate) fn parse(data: &[u8]) -> Answer {
    let (head, body) = match data.windows(2).position(|pair| pair == b"\n\n") {
        Some(at) => (&data[..at], &data[at + 2..]),
        None => (data, &[][..]),
    };
    let head = String::from_utf8_lossy(head);
    let mut lines = head.lines();
    let status = lines
        .next()
        .and_then(|line| line.trim().parse().ok())
        .unwrap_or(200);
    let headers = lines.filter_map(|line| line.split_once(':'));
    let headers = headers.map(|(name, value)| (name.trim().to_owned(), value.trim().to_owned()));
    let body = Bytes::copy_from_slice(body);
    Answer::new(
        status,
        headers.collect(),
        body,
        false,
        Duration::from_millis(1),
    )
}

/// A script in a world where every call is answered the same.
fn play(script: Script, answer: &Answer) -> Episode {
    let exchanges = script.calls.iter().map_while(|call| {
        Some(Exchange {
            request: request(call, answer)?,
            outcome: Outcome::Answered(answer.clone()),
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
        body: Bytes::new(),
        user: call.user.clone(),
        anonymous: matches!(call.intent, Intent::Unauthenticated { .. }),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_document_is_read_whole() {
        let (api, _) = contract().expect("it is ours");
        assert_eq!(api.operations.len(), 10);
        assert!(api.unusable.is_empty());
    }

    #[test]
    fn any_bytes_are_an_answer() {
        let answer = parse(b"404\ncontent-type: text/plain\n\nnot here");
        assert_eq!((answer.status, &answer.body[..]), (404, &b"not here"[..]));
        assert_eq!(answer.header("Content-Type"), Some("text/plain"));
        assert_eq!(parse(&[0xff, 0xfe]).status, 200);
    }
}
