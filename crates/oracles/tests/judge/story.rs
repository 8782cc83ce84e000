//! Stories: episodes written down line by line, and judged.
//!
//! A line is a method, a target, a body, a status and an answer. `{0/id}` in a target takes the
//! value at `/id` from the answer of the first line, as a plan would. Lines begin as main calls
//! with valid data; what else they are is said after them.

use std::borrow::Cow;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use fossick_contract::{Api, Method, Operation};
use fossick_ingest::{NoFetch, Source, read};
use fossick_oracles::Judge;
use fossick_testkit::document_with;
use fossick_trace::{
    Answer, Call, Capture, Episode, Exchange, Failure, Finding, Intent, Outcome, Payload, Request,
    Role, Script, Take, Telling, Text,
};
use fossick_validate::Validators;
use serde_json::{Value, json};

/// A contract with everything that judging by it needs.
pub(crate) struct World {
    pub(crate) api: Api,
    pub(crate) validators: Validators,
}

impl World {
    pub(crate) fn of(paths: Value) -> Self {
        Self::with(paths, json!({}))
    }

    pub(crate) fn with(paths: Value, components: Value) -> Self {
        let source = Source {
            name: "openapi.json".to_owned(),
            text: document_with(paths, components),
        };
        let api = read(&source, &mut NoFetch).expect("it can be read").api;
        let validators = Validators::new(&api);
        Self { api, validators }
    }

    pub(crate) fn story(&self) -> Story<'_> {
        Story {
            world: self,
            calls: Vec::new(),
            exchanges: Vec::new(),
        }
    }

    /// The operation that serves a path, by its own method if one does.
    fn operation(&self, method: Method, path: &str) -> &Operation {
        let serves = |o: &&Operation| fits(&o.path.text, path);
        let own = |o: &&Operation| serves(o) && o.method == method;
        let all = &self.api.operations;
        all.iter()
            .find(own)
            .or_else(|| all.iter().find(serves))
            .unwrap_or_else(|| panic!("{path} is in the document"))
    }
}

fn fits(template: &str, path: &str) -> bool {
    let mut pieces = path.split('/');
    template.split('/').all(|part| {
        pieces
            .next()
            .is_some_and(|piece| part == piece || part.starts_with('{'))
    }) && pieces.next().is_none()
}

pub(crate) struct Story<'w> {
    world: &'w World,
    calls: Vec<Call>,
    exchanges: Vec<Exchange>,
}

impl Story<'_> {
    /// The next line. A body or answer of `null` is none.
    pub(crate) fn call(
        self,
        method: &str,
        target: &str,
        body: Value,
        status: u16,
        answer: Value,
    ) -> Self {
        let text = if answer.is_null() {
            String::new()
        } else {
            answer.to_string()
        };
        let headers = [("content-type", "application/json")];
        self.raw(method, target, &body, status, &headers, &text)
    }

    /// A line whose answer is said byte by byte.
    pub(crate) fn raw(
        self,
        method: &str,
        target: &str,
        body: &Value,
        status: u16,
        headers: &[(&str, &str)],
        answer: &str,
    ) -> Self {
        let headers = headers
            .iter()
            .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
            .collect();
        let bytes = Bytes::from(answer.to_owned());
        let answer = Answer::new(status, headers, bytes, false, Duration::ZERO);
        self.line(method, target, body, Outcome::Answered(answer))
    }

    /// A line that got no answer.
    pub(crate) fn unanswered(self, method: &str, target: &str, failure: Failure) -> Self {
        self.line(method, target, &Value::Null, Outcome::Failed(failure))
    }

    pub(crate) fn get(self, target: &str, status: u16, answer: Value) -> Self {
        self.call("GET", target, Value::Null, status, answer)
    }

    fn line(self, method: &str, target: &str, body: &Value, outcome: Outcome) -> Self {
        let method = Method::parse(method).expect("a method");
        let text = with_captures(target);
        let target = text
            .fill(|capture| self.captured(capture))
            .expect("earlier answers give what it takes");
        let path = target.split('?').next().expect("a path");
        let operation = self.world.operation(method, path);
        let bytes = match body {
            Value::Null => Bytes::new(),
            body => Bytes::from(body.to_string()),
        };
        let call = Call {
            operation: operation.label.as_str().into(),
            method,
            target: text,
            headers: vec![],
            payload: payload(&bytes),
            user: None,
            role: Role::Main,
            intent: Intent::Valid,
            graphql: None,
        };
        let request = Request {
            method,
            target,
            headers: vec![],
            body: bytes,
            user: None,
            anonymous: false,
        };
        self.push(call, Exchange { request, outcome })
    }

    /// The next line, said in full.
    pub(crate) fn push(mut self, call: Call, exchange: Exchange) -> Self {
        self.calls.push(call);
        self.exchanges.push(exchange);
        self
    }

    fn captured(&self, capture: &Capture) -> Option<Cow<'static, Value>> {
        let answer = self.exchanges.get(capture.call)?.outcome.answer()?;
        capture.take.from(answer).map(Cow::Owned)
    }

    fn last(&mut self) -> &mut Call {
        self.calls.last_mut().expect("something was called")
    }

    /// The last line only looks at what another did.
    pub(crate) fn checking(mut self) -> Self {
        self.last().role = Role::Check;
        self
    }

    /// What the sender of the last line knew of its data.
    pub(crate) fn meaning(mut self, intent: Intent) -> Self {
        self.last().intent = intent;
        self
    }

    /// The answer of the last line was longer than is read.
    pub(crate) fn cut(mut self) -> Self {
        if let Some(Exchange {
            outcome: Outcome::Answered(answer),
            ..
        }) = self.exchanges.last_mut()
        {
            answer.truncated = true;
        }
        self
    }

    /// Something done to each exchange, in their order.
    pub(crate) fn timed(mut self, change: impl FnMut(&mut Exchange)) -> Self {
        self.exchanges.iter_mut().for_each(change);
        self
    }

    pub(crate) fn episode(self) -> Episode {
        Episode {
            script: Arc::new(Script {
                calls: self.calls,
                ..Script::default()
            }),
            exchanges: self.exchanges,
            inside: Vec::new(),
            removed: Vec::new(),
        }
    }

    pub(crate) fn findings(self) -> Vec<Finding> {
        let world = self.world;
        Judge::new(&world.api, &world.validators).judge(&self.episode())
    }

    /// What one oracle says of the story.
    pub(crate) fn heard(self, code: &str) -> Vec<Finding> {
        let mut findings = self.findings();
        findings.retain(|finding| finding.code == code);
        findings
    }

    /// The one thing that one oracle says.
    pub(crate) fn one(self, code: &str) -> Finding {
        let mut heard = self.heard(code);
        assert_eq!(heard.len(), 1, "{code} speaks once: {heard:#?}");
        heard.remove(0)
    }

    #[track_caller]
    pub(crate) fn silent(self, code: &str) {
        let heard = self.heard(code);
        assert!(heard.is_empty(), "{code} is silent: {heard:#?}");
    }
}

fn payload(bytes: &Bytes) -> Payload {
    if bytes.is_empty() {
        return Payload::None;
    }
    Payload::Bytes {
        media_type: "application/json".to_owned(),
        bytes: bytes.clone(),
    }
}

/// `/projects/{0/id}` as text with a hole.
fn with_captures(target: &str) -> Text {
    let mut text = Text::default();
    let mut rest = target;
    while let Some((before, after)) = rest.split_once('{') {
        let (hole, after) = after.split_once('}').expect("a closed hole");
        let at = hole.find('/').expect("a pointer");
        text.push_str(before);
        text.push_capture(Capture {
            call: hole[..at].parse().expect("a line's number"),
            take: Take::Pointer(hole[at..].to_owned()),
        });
        rest = after;
    }
    if !rest.is_empty() {
        text.push_str(rest);
    }
    text
}

pub(crate) fn edge(place: &str, value: &str, declared: bool) -> Intent {
    Intent::Edge {
        place: place.to_owned(),
        value: value.to_owned(),
        declared,
    }
}

/// Two values together: the second is left out where it is empty.
pub(crate) fn edges(all: [(&str, &str); 2]) -> Intent {
    let telling = |(place, value): (&str, &str)| Telling {
        place: place.to_owned(),
        value: (!value.is_empty()).then(|| value.to_owned()),
        declared: true,
    };
    Intent::Edges(all.map(telling).to_vec())
}

pub(crate) fn broken(place: &str, constraint: &str) -> Intent {
    Intent::Broken {
        place: place.to_owned(),
        constraint: constraint.to_owned(),
        detail: "told in words".to_owned(),
    }
}

pub(crate) fn stranger(parameter: &str) -> Intent {
    Intent::Stranger {
        parameter: parameter.to_owned(),
    }
}

/// A desk with projects and their tasks, without a word on what they look like: whatever is
/// answered conforms, so that only the oracles of state have something to say.
pub(crate) fn desk() -> World {
    let any = json!({"description": "", "content": {"application/json": {}}});
    let operation = || json!({"responses": {"default": any}});
    let hole = |name: &str| json!({"name": name, "in": "path", "required": true, "schema": {"type": "string"}});
    World::of(json!({
        "/projects": {"get": operation(), "post": operation()},
        "/projects/{id}": {
            "parameters": [hole("id")],
            "get": operation(), "put": operation(), "patch": operation(), "delete": operation(),
        },
        "/projects/{id}/tasks": {
            "parameters": [hole("id")],
            "get": operation(), "post": operation(), "delete": operation(),
        },
        "/projects/{id}/tasks/{task}": {
            "parameters": [hole("id"), hole("task")],
            "get": operation(), "put": operation(), "patch": operation(), "delete": operation(),
        },
    }))
}
