//! Operations that the service asked us to leave alone for a while.
//!
//! A limit usually guards one operation (a login, a sign-up). Pausing everything for its sake would
//! waste the run; not pausing at all would be rude. So each rests on its own.

use std::collections::BTreeMap;
use std::time::{Duration, Instant, SystemTime};

use fossick_contract::{Api, OperationIndex};
use fossick_trace::{Answer, Episode};
use fossick_transport::retry_after;

/// Where a service says "too many" without saying how long.
const UNSAID: Duration = Duration::from_secs(5);

const LONGEST: Duration = Duration::from_mins(1);

#[derive(Debug, Default)]
pub(crate) struct Resting {
    until: BTreeMap<OperationIndex, Instant>,
}

fn asks_for_rest(answer: &Answer) -> bool {
    let says_when = answer.header("retry-after").is_some();
    answer.status == 429 || (answer.status == 503 && says_when)
}

impl Resting {
    /// Looks for limits in an episode; tells which operations must rest now.
    pub(crate) fn see(&mut self, api: &Api, episode: &Episode) -> Vec<OperationIndex> {
        let mut tired = Vec::new();
        for (_, call, exchange) in episode.steps() {
            let Some(answer) = exchange.outcome.answer().filter(|a| asks_for_rest(a)) else {
                continue;
            };
            let Some(index) = api.find(&call.operation) else {
                continue;
            };
            let asked = answer
                .header("retry-after")
                .and_then(|text| retry_after(text, SystemTime::now()));
            // A service may ask for anything; a run has no hours to spare.
            let until = Instant::now() + asked.unwrap_or(UNSAID).min(LONGEST);
            self.until.insert(index, until);
            tired.push(index);
        }
        tired
    }

    /// Operations that have rested enough.
    pub(crate) fn awake(&mut self) -> Vec<OperationIndex> {
        let now = Instant::now();
        let awake: Vec<OperationIndex> = self
            .until
            .iter()
            .filter(|(_, until)| **until <= now)
            .map(|(index, _)| *index)
            .collect();
        for index in &awake {
            self.until.remove(index);
        }
        awake
    }

    /// When the next one wakes, if any rests.
    pub(crate) fn next(&self) -> Option<Instant> {
        self.until.values().min().copied()
    }
}
