//! A script that was run.

use std::sync::Arc;

use bytes::Bytes;
use fossick_contract::Method;

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

#[derive(Debug, Clone)]
pub struct Exchange {
    pub request: Request,
    pub outcome: Outcome,
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

    pub fn answer(&self, index: usize) -> Option<&Answer> {
        self.exchanges.get(index)?.outcome.answer()
    }
}
