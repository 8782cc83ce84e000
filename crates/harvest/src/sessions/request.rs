//! What a REST call sends and is given.

use fossick_contract::escape_token;
use serde_json::Value;

use super::exchange::{Exchange, Given, Label, Sent, Spot};
use super::given::{Finder, Standing};
use super::template::{is_id, segments};
use super::topics::{topic, topic_or};
use super::weight::{Weight, weight};
use crate::intake::{Body, Request};
use crate::privacy::{Guard, decoded};

/// Values of one call that are looked for in earlier answers.
pub(super) const SENT: usize = 100;

/// `kept` is the path as it may be kept.
pub(crate) fn of_request(
    request: &Request<'_>,
    kept: &str,
    answer: Option<&Value>,
    guard: &Guard,
) -> Exchange {
    let mut sending = Sending {
        guard,
        about: String::new(),
        sent: Vec::new(),
    };
    sending.path(&request.path);
    sending.pairs("query ", &request.query);
    match &request.body {
        Body::Json(value) => sending.body(value, "body ", "", ""),
        Body::Form(fields) => sending.pairs("body /", fields),
        _ => {}
    }
    Exchange {
        label: Label::Request {
            method: request.method.clone(),
            path: segments(&request.path, kept),
        },
        sent: sending.sent,
        given: answer.map_or_else(Vec::new, |answer| given(answer, guard)),
    }
}

fn given(answer: &Value, guard: &Guard) -> Vec<Given> {
    let mut finder = Finder {
        guard,
        root: None,
        given: Vec::new(),
        looked: 0,
    };
    let standing = Standing {
        pointer: "",
        name: "",
        topic: "",
        picks: &[],
    };
    finder.value(answer, standing);
    finder.given
}

struct Sending<'a> {
    guard: &'a Guard,
    /// What the path is about.
    about: String,
    sent: Vec<Sent>,
}

impl Sending<'_> {
    fn path(&mut self, path: &str) {
        for (at, segment) in path.split('/').enumerate() {
            self.push(&decoded(segment), self.about.clone(), Spot::Segment(at));
            if !segment.is_empty() && !is_id(segment) {
                self.about = topic(segment);
            }
        }
    }

    fn pairs(&mut self, what: &str, pairs: &[(String, String)]) {
        for (name, value) in pairs {
            if is_name(name, self.guard) {
                let topic = topic_or(name, &self.about);
                self.push(value, topic, Spot::Named(format!("{what}{name}")));
            }
        }
    }

    fn body(&mut self, value: &Value, place: &str, name: &str, outer: &str) {
        let push = |sending: &mut Self, text: &str| {
            let topic = topic_or(&topic_or(name, outer), &sending.about);
            sending.push(text, topic, Spot::Named(place.to_owned()));
        };
        match value {
            _ if self.sent.len() >= SENT => {}
            Value::Null | Value::Bool(_) => {}
            Value::Number(number) => push(self, &number.to_string()),
            Value::String(text) => push(self, text),
            Value::Array(items) => {
                let place = format!("{place}/-");
                for item in items {
                    self.body(item, &place, name, outer);
                }
            }
            Value::Object(fields) => {
                let outer = topic_or(name, outer);
                for (name, value) in fields {
                    if !is_name(name, self.guard) {
                        continue;
                    }
                    let place = format!("{place}/{}", escape_token(name));
                    self.body(value, &place, name, &outer);
                }
            }
        }
    }

    fn push(&mut self, text: &str, topic: String, spot: Spot) {
        let Some(weight) = weight(text).filter(|_| self.sent.len() < SENT) else {
            return;
        };
        self.sent.push(Sent {
            hash: self.guard.keyed().quick(text),
            weak: weight == Weight::Weak,
            topic,
            spot,
        });
    }
}

/// A name that is itself a value says nothing of the next call, and may be private.
pub(super) fn is_name(name: &str, guard: &Guard) -> bool {
    !is_id(name) && !guard.is_marked(name)
}
