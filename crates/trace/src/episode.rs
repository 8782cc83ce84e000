//! A script that was run.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::sync::Arc;

use bytes::Bytes;
use fossick_contract::Method;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{Answer, Call, Capture, Insight, Intent, Outcome, Payload, Script};

/// A request as it went out, holes filled and credentials added.
#[derive(Debug, Clone)]
pub struct Request {
    pub method: Method,
    /// Path and query below the base URL, as sent.
    pub target: String,
    pub headers: Vec<(String, String)>,
    pub body: Bytes,
    /// Named user whose credentials are added on the way out; secrets are not kept here.
    pub user: Option<String>,
    /// Sent without any credentials.
    pub anonymous: bool,
}

impl Request {
    /// Every text that was sent: of a JSON body, those that stand in the operation of GraphQL, and
    /// the parts of path and query.
    pub fn texts(&self) -> BTreeSet<String> {
        let mut found = BTreeSet::new();
        if let Ok(body) = serde_json::from_slice::<Value>(&self.body) {
            texts(&body, DEEPEST, &mut found);
            let operation = body.get("query").and_then(Value::as_str);
            found.extend(operation.into_iter().flat_map(literals));
        }
        found.extend(
            self.plain_target()
                .split(['/', '?', '&', '='])
                .map(str::to_owned),
        );
        found
    }

    /// The texts that were sent as data: of GraphQL, those of its variables.
    pub fn data_texts(&self) -> BTreeSet<String> {
        let body: Value = serde_json::from_slice(&self.body).unwrap_or_default();
        let variables = body.get("query").and_then(|_| body.get("variables"));
        let mut found = BTreeSet::new();
        texts(variables.unwrap_or(&body), DEEPEST, &mut found);
        found
    }

    /// Whether a text or a number stands in what was sent, and not as a part of another.
    pub fn mentions(&self, text: &str) -> bool {
        stands_in(&self.plain_target(), text)
            || stands_in(&String::from_utf8_lossy(&self.body), text)
    }

    fn plain_target(&self) -> Cow<'_, str> {
        percent_encoding::percent_decode_str(&self.target).decode_utf8_lossy()
    }
}

/// Whether a text stands in another, and not as a part of a longer word.
pub fn stands_in(sentence: &str, text: &str) -> bool {
    sentence.match_indices(text).any(|(at, found)| {
        let before = sentence[..at].chars().next_back();
        let after = sentence[at + found.len()..].chars().next();
        let ends = |c: Option<char>| c.is_none_or(|c| !c.is_alphanumeric());
        ends(before) && ends(after)
    })
}

/// Deeper nobody looks for texts.
const DEEPEST: usize = 32;

fn texts(value: &Value, depth: usize, into: &mut BTreeSet<String>) {
    match value {
        _ if depth == 0 => {}
        Value::String(text) => {
            into.insert(text.clone());
        }
        Value::Array(items) => items.iter().for_each(|item| texts(item, depth - 1, into)),
        Value::Object(map) => map.values().for_each(|item| texts(item, depth - 1, into)),
        _ => {}
    }
}

/// The texts in quotes that stand in an operation of GraphQL, which escapes them as JSON does.
fn literals(operation: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut rest = operation;
    while let Some(start) = rest.find('"') {
        let quoted = &rest[start..];
        let mut texts = serde_json::Deserializer::from_str(quoted).into_iter::<String>();
        let Some(Ok(text)) = texts.next() else {
            break;
        };
        rest = &quoted[texts.byte_offset()..];
        found.push(text);
    }
    found
}

#[derive(Debug, Clone)]
pub struct Exchange {
    pub request: Request,
    pub outcome: Outcome,
}

/// What a call came to, in short.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Heard {
    pub status: Option<u16>,
    pub worked: bool,
}

/// What happened, call by call. Shorter than its script where a set-up call failed.
#[derive(Debug, Clone)]
pub struct Episode {
    pub script: Arc<Script>,
    pub exchanges: Vec<Exchange>,
    /// What a probe in the service says of each call. Empty where there is no probe.
    pub inside: Vec<Insight>,
    /// What became of the calls of the script's cleanup, in their order. None for those that were
    /// not sent, because there was nothing to remove.
    pub removed: Vec<Option<Removal>>,
}

/// What became of a call that was to remove something.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Removal {
    Removed,
    Refused,
    /// The service failed over it.
    Failed,
}

impl Removal {
    pub fn of(outcome: &Outcome) -> Self {
        match outcome.status() {
            _ if outcome.is_success() => Self::Removed,
            Some(status) if status < 500 => Self::Refused,
            _ => Self::Failed,
        }
    }
}

impl Episode {
    /// Calls that were made, each with what came of it.
    pub fn steps(&self) -> impl DoubleEndedIterator<Item = (usize, &Call, &Exchange)> {
        self.script
            .calls
            .iter()
            .zip(&self.exchanges)
            .enumerate()
            .map(|(at, (call, exchange))| (at, call, exchange))
    }

    /// Requests that were sent for it.
    pub fn requests(&self) -> usize {
        self.exchanges.len() + self.removed.iter().flatten().count()
    }

    /// Whether what a call made was removed when the script was over.
    pub fn is_removed(&self, call: usize) -> bool {
        let mut cleanup = self.script.cleanup.iter().zip(&self.removed);
        cleanup.any(|(cleanup, removed)| cleanup.of == call && *removed == Some(Removal::Removed))
    }

    /// Makes it small before it is kept.
    pub fn forget_parsed(&mut self) {
        for exchange in &mut self.exchanges {
            if let Outcome::Answered(answer) = &mut exchange.outcome {
                answer.forget();
            }
        }
    }

    pub fn is_complete(&self) -> bool {
        self.exchanges.len() == self.script.calls.len()
    }

    /// What each call came to, to hold later runs against.
    pub fn heard(&self) -> Vec<Heard> {
        let heard = |exchange: &Exchange| Heard {
            status: exchange.outcome.status(),
            worked: exchange.outcome.is_success(),
        };
        self.exchanges.iter().map(heard).collect()
    }

    pub fn answer(&self, index: usize) -> Option<&Answer> {
        self.exchanges.get(index)?.outcome.answer()
    }

    /// The request of a call after these, or `None` if an earlier answer did not give what it needs.
    pub fn request(&self, call: &Call) -> Option<Request> {
        let look_up = |capture: &Capture| self.captured(capture);
        let mut target = String::with_capacity(64);
        call.target.fill_into(&mut target, look_up)?;
        let mut headers = Vec::with_capacity(call.headers.len() + 1);
        for (name, text) in &call.headers {
            headers.push((name.clone(), text.fill_header(look_up)?));
        }
        let body = self.body(&call.payload)?;
        if let Some(media_type) = call.payload.media_type() {
            headers.push(("content-type".to_owned(), media_type.to_owned()));
        }
        Some(Request {
            method: call.method,
            target,
            headers,
            body,
            user: call.user.clone(),
            anonymous: matches!(call.intent, Intent::Unauthenticated { .. }),
        })
    }

    fn captured<'e>(&'e self, capture: &Capture) -> Option<Cow<'e, Value>> {
        let answer = self.answer(capture.call).filter(|a| a.is_success())?;
        let taken = capture.take.from(answer)?;
        (!taken.is_null()).then_some(Cow::Owned(taken))
    }

    fn body(&self, payload: &Payload) -> Option<Bytes> {
        match payload {
            Payload::None => Some(Bytes::new()),
            Payload::Bytes { bytes, .. } => Some(bytes.clone()),
            Payload::Json { value, fills, .. } => {
                let mut value = value.clone();
                for (pointer, capture) in fills {
                    let filler = self.captured(capture)?.into_owned();
                    if let Some(place) = value.pointer_mut(pointer) {
                        *place = filler;
                    }
                }
                serde_json::to_vec(&value).ok().map(Bytes::from)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Role, Take, Text};
    use serde_json::json;
    use std::time::Duration;

    fn request(target: &str, body: &Value) -> Request {
        Request {
            method: Method::Post,
            target: target.to_owned(),
            headers: vec![],
            body: body.to_string().into(),
            user: None,
            anonymous: false,
        }
    }

    #[test]
    fn a_number_that_is_a_part_of_another_was_not_sent() {
        let sent = request("/loans/7?since=2023-04-01", &json!({"days": 14}));
        assert!(sent.mentions("7") && sent.mentions("14") && sent.mentions("2023"));
        assert!(!sent.mentions("3") && !sent.mentions("4") && !sent.mentions("202"));
    }

    #[test]
    fn the_data_of_graphql_are_its_variables() {
        let body = json!({"query": "query { a(b: \"c\") }", "variables": {"d": ["e"]}});
        assert_eq!(
            request("/graphql", &body).data_texts(),
            ["e".to_owned()].into()
        );
        let plain = json!({"name": "axe", "variables": {"d": "e"}});
        let texts = ["axe", "e"].map(str::to_owned);
        assert_eq!(request("/tools", &plain).data_texts(), texts.into());
    }

    fn call(target: Text, payload: Payload) -> Call {
        Call {
            operation: "GET /a".into(),
            method: Method::Get,
            target,
            headers: vec![],
            payload,
            user: None,
            role: Role::Main,
            intent: Intent::Valid,
            graphql: None,
        }
    }

    fn id() -> Capture {
        Capture {
            call: 0,
            take: Take::Pointer("/id".to_owned()),
        }
    }

    fn after(status: u16, body: &Value) -> Episode {
        let first = call(Text::fixed("/a"), Payload::None);
        let mut episode = Episode {
            script: Arc::default(),
            exchanges: vec![],
            inside: vec![],
            removed: Vec::new(),
        };
        let request = episode.request(&first).expect("it needs nothing");
        let body = Bytes::from(body.to_string());
        let answer = Answer::new(status, vec![], body, false, Duration::ZERO);
        let outcome = Outcome::Answered(answer);
        episode.exchanges.push(Exchange { request, outcome });
        episode
    }

    #[test]
    fn a_request_takes_what_earlier_answers_gave() {
        let mut target = Text::fixed("/a/");
        target.push_capture(id());
        let payload = Payload::Json {
            media_type: "application/json".to_owned(),
            value: json!({"of": null, "n": 1}),
            fills: vec![("/of".to_owned(), id())],
        };
        let call = call(target, payload);
        let request = after(201, &json!({"id": 7})).request(&call);
        let request = request.expect("all is there");
        assert_eq!(request.target, "/a/7");
        assert_eq!(&request.body[..], br#"{"of":7,"n":1}"#);
        let refused = [(400, json!({"id": 7})), (201, json!({"id": null}))];
        for (status, body) in refused {
            assert!(after(status, &body).request(&call).is_none(), "{body}");
        }
    }
}
