//! A script that was run.

use std::collections::BTreeSet;
use std::sync::Arc;

use bytes::Bytes;
use fossick_contract::Method;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{Answer, Call, Outcome, Script};

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
    /// Every text that was sent: of a JSON body, and the parts of path and query.
    pub fn texts(&self) -> BTreeSet<String> {
        let mut found = BTreeSet::new();
        if let Ok(body) = serde_json::from_slice(&self.body) {
            texts(&body, DEEPEST, &mut found);
        }
        let target = percent_encoding::percent_decode_str(&self.target).decode_utf8_lossy();
        found.extend(target.split(['/', '?', '&', '=']).map(str::to_owned));
        found
    }
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
    /// What a probe in the service says that each call reached: number of the target, and how near
    /// in [0, 1]. Empty where there is no probe.
    pub reached: Vec<Vec<(u32, f32)>>,
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
}
