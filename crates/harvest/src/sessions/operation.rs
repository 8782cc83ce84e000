//! What an operation of GraphQL sends and is given, root field by root field.

use fossick_contract::escape_token;
use fossick_query::{Asked, Document, Literal, Pick};
use serde_json::{Map, Value};

use super::exchange::{Exchange, Given, Label, Sent, Spot};
use super::given::{Finder, Standing, asked};
use super::request::{SENT, is_name};
use super::topics::{topic, topic_or};
use super::weight::{Weight, weight};
use crate::privacy::Guard;

pub(crate) fn of_operation(
    document: &Document,
    variables: &Map<String, Value>,
    answer: Option<&Value>,
    guard: &Guard,
) -> Exchange {
    let mut sending = Sending {
        guard,
        variables,
        root: "",
        sent: Vec::new(),
    };
    sending.picks(&document.picks, "");
    let data = answer.and_then(|answer| answer.get("data")?.as_object());
    Exchange {
        label: Label::Operation,
        sent: sending.sent,
        given: data.map_or_else(Vec::new, |data| given(data, &document.picks, guard)),
    }
}

fn given(data: &Map<String, Value>, picks: &[Pick], guard: &Guard) -> Vec<Given> {
    let mut found = Vec::new();
    for (key, value) in data {
        let Some(asked) = asked(picks, key) else {
            continue;
        };
        let mut finder = Finder {
            guard,
            root: Some(asked.name.clone()),
            given: Vec::new(),
            looked: 0,
        };
        let standing = Standing {
            pointer: &format!("/data/{}", escape_token(&asked.name)),
            name: &asked.name,
            topic: "",
            picks: &asked.picks,
        };
        finder.value(value, standing);
        found.append(&mut finder.given);
    }
    found
}

struct Sending<'a> {
    guard: &'a Guard,
    variables: &'a Map<String, Value>,
    root: &'a str,
    sent: Vec<Sent>,
}

/// Where a value stands: `argument createTask.input.projectId`.
#[derive(Clone, Copy)]
struct At<'a> {
    place: &'a str,
    topic: &'a str,
}

impl<'a> Sending<'a> {
    /// `path` are the fields above: `user/`.
    fn picks(&mut self, picks: &'a [Pick], path: &str) {
        for pick in picks {
            match pick {
                Pick::Part(part) => self.picks(&part.picks, path),
                Pick::Field(asked) => {
                    if path.is_empty() {
                        self.root = &asked.name;
                    }
                    self.asked(asked, path);
                }
            }
        }
    }

    fn asked(&mut self, asked: &'a Asked, path: &str) {
        let field = format!("{path}{}", asked.name);
        let about = topic(&asked.name);
        for (name, literal) in &asked.arguments {
            let (place, topic) = (format!("argument {field}.{name}"), topic_or(name, &about));
            let at = At {
                place: &place,
                topic: &topic,
            };
            self.literal(literal, at);
        }
        if !asked.picks.is_empty() {
            self.picks(&asked.picks, &format!("{field}/"));
        }
    }

    fn literal(&mut self, literal: &Literal, at: At<'_>) {
        match literal {
            Literal::Null | Literal::Boolean(_) | Literal::Enum(_) => {}
            Literal::Variable(name) => {
                if let Some(value) = self.variables.get(name) {
                    self.value(value, at);
                }
            }
            Literal::Number(text) | Literal::Text(text) => self.push(text, at),
            Literal::List(items) => items.iter().for_each(|item| self.literal(item, at)),
            Literal::Object(fields) => {
                for (name, literal) in fields {
                    at.within(name, |at| self.literal(literal, at));
                }
            }
        }
    }

    fn value(&mut self, value: &Value, at: At<'_>) {
        match value {
            _ if self.sent.len() >= SENT => {}
            Value::Null | Value::Bool(_) => {}
            Value::Number(number) => self.push(&number.to_string(), at),
            Value::String(text) => self.push(text, at),
            Value::Array(items) => items.iter().for_each(|item| self.value(item, at)),
            Value::Object(fields) => {
                for (name, value) in fields {
                    if is_name(name, self.guard) {
                        at.within(name, |at| self.value(value, at));
                    }
                }
            }
        }
    }

    fn push(&mut self, text: &str, at: At<'_>) {
        let Some(weight) = weight(text).filter(|_| self.sent.len() < SENT) else {
            return;
        };
        self.sent.push(Sent {
            hash: self.guard.keyed().quick(text),
            weak: weight == Weight::Weak,
            topic: at.topic.to_owned(),
            spot: Spot::Argument {
                root: self.root.to_owned(),
                place: at.place.to_owned(),
            },
        });
    }
}

impl At<'_> {
    fn within(self, name: &str, then: impl FnOnce(At<'_>)) {
        let (place, topic) = (format!("{}.{name}", self.place), topic_or(name, self.topic));
        then(At {
            place: &place,
            topic: &topic,
        });
    }
}
