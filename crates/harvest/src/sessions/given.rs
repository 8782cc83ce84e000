//! Values of an answer that can be ids.
//!
//! Fields of GraphQL go by their own names and not by what one query called them.

use fossick_contract::escape_token;
use fossick_query::{Asked, Pick};
use serde_json::Value;

use super::exchange::Given;
use super::template::is_id;
use super::topics::{is_identifier, topic_or};
use super::weight::{Weight, weight};
use crate::privacy::Guard;

/// Values that are remembered of one answer.
const VALUES: usize = 256;
/// Values that are looked at to find them.
const LOOKED: usize = 4000;

pub(super) struct Finder<'a> {
    pub guard: &'a Guard,
    pub root: Option<String>,
    pub given: Vec<Given>,
    pub looked: usize,
}

/// Where a value stands.
#[derive(Clone, Copy)]
pub(super) struct Standing<'a> {
    pub pointer: &'a str,
    /// The nearest name.
    pub name: &'a str,
    /// What the names around it are about.
    pub topic: &'a str,
    pub picks: &'a [Pick],
}

impl Finder<'_> {
    pub(super) fn value(&mut self, value: &Value, standing: Standing<'_>) {
        self.looked += 1;
        if self.looked > LOOKED || self.given.len() >= VALUES {
            return;
        }
        match value {
            Value::Null | Value::Bool(_) => {}
            Value::Number(number) => self.scalar(&number.to_string(), standing),
            Value::String(text) => self.scalar(text, standing),
            Value::Array(items) => {
                let pointer = format!("{}/-", standing.pointer);
                let pointer = pointer.as_str();
                for item in items {
                    self.value(
                        item,
                        Standing {
                            pointer,
                            ..standing
                        },
                    );
                }
            }
            Value::Object(fields) => {
                let topic = topic_or(standing.name, standing.topic);
                for (key, value) in fields {
                    self.field(key, value, standing, &topic);
                }
            }
        }
    }

    /// A name that is itself a value says nothing of the next answer, and may be private.
    fn field(&mut self, key: &str, value: &Value, outer: Standing<'_>, topic: &str) {
        let asked = asked(outer.picks, key);
        let name = asked.map_or(key, |asked| &asked.name);
        if name == "__typename" || is_id(name) || self.guard.is_marked(name) {
            return;
        }
        let pointer = format!("{}/{}", outer.pointer, escape_token(name));
        let standing = Standing {
            pointer: &pointer,
            name,
            topic,
            picks: asked.map_or(&[], |asked| &asked.picks),
        };
        self.value(value, standing);
    }

    fn scalar(&mut self, text: &str, standing: Standing<'_>) {
        let Some(weight) = weight(text) else {
            return;
        };
        let weak = weight == Weight::Weak;
        if weak && !is_identifier(standing.name) {
            return;
        }
        self.given.push(Given {
            hash: self.guard.keyed().quick(text),
            weak,
            topic: topic_or(standing.name, standing.topic),
            root: self.root.clone(),
            pointer: standing.pointer.to_owned(),
        });
    }
}

pub(super) fn asked<'a>(picks: &'a [Pick], key: &str) -> Option<&'a Asked> {
    picks.iter().find_map(|pick| match pick {
        Pick::Field(asked) => (asked.key() == key).then_some(asked),
        Pick::Part(part) => self::asked(&part.picks, key),
    })
}
