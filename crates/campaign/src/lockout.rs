//! Noticing that the service has begun to refuse us, and what did it.
//!
//! Only calls that used to work are counted, so that a service which always refused some of them
//! raises no alarm.

use std::collections::{HashMap, HashSet, VecDeque};

use fossick_contract::{Api, Deed, Operation, OperationIndex};
use fossick_search::{Risk, risk_of};
use fossick_trace::{Episode, Failure, Outcome};

/// So many calls in a row are looked at…
const WINDOW: usize = 24;
/// …and so many of them must be refused.
const ALARM: usize = 22;
const WRITES_KEPT: usize = 200;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Refusal {
    Credentials(u16),
    Unavailable,
    Unreachable,
}

impl std::fmt::Display for Refusal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Credentials(status) => write!(f, "answers {status}"),
            Self::Unavailable => f.write_str("answers 503"),
            Self::Unreachable => f.write_str("can't be reached"),
        }
    }
}

/// A write that succeeded, and when.
#[derive(Debug, Clone)]
struct Write {
    operation: OperationIndex,
    request: u64,
}

#[derive(Debug)]
pub(crate) struct Watch {
    by_label: HashMap<String, OperationIndex>,
    worked: HashSet<OperationIndex>,
    window: VecDeque<(Option<Refusal>, u64)>,
    writes: VecDeque<Write>,
    requests: u64,
}

/// What is known when the alarm goes off.
#[derive(Debug, Clone)]
pub(crate) struct Alarm {
    pub(crate) refusal: Refusal,
    /// Number of the first request that was refused.
    pub(crate) since: u64,
    pub(crate) suspects: Vec<(OperationIndex, u64)>,
}

impl Watch {
    pub(crate) fn new(api: &Api) -> Self {
        let label = |(index, operation): (_, &Operation)| (operation.label.clone(), index);
        Self {
            by_label: api.indexed().map(label).collect(),
            worked: HashSet::new(),
            window: VecDeque::new(),
            writes: VecDeque::new(),
            requests: 0,
        }
    }

    /// Looks at what happened; tells if it looks like a lock-out.
    pub(crate) fn see(&mut self, api: &Api, episode: &Episode) -> Option<Alarm> {
        for (_, call, exchange) in episode.steps() {
            self.requests += 1;
            let Some(&index) = self.by_label.get(&*call.operation) else {
                continue;
            };
            self.see_one(api, index, call.intent.is_valid(), &exchange.outcome);
        }
        let refused = self
            .window
            .iter()
            .filter(|(refusal, _)| refusal.is_some())
            .count();
        (self.window.len() >= WINDOW && refused >= ALARM).then(|| self.alarm(api))?
    }

    fn see_one(&mut self, api: &Api, index: OperationIndex, ordinary: bool, outcome: &Outcome) {
        let refusal = refusal(outcome);
        if outcome.is_success() {
            let is_first = ordinary && self.worked.insert(index);
            // Reads may end a session too; the first time they work is the time to see it.
            if is_first || api.operation(index).deed() != Deed::Read {
                self.writes.push_back(Write {
                    operation: index,
                    request: self.requests,
                });
                if self.writes.len() > WRITES_KEPT {
                    self.writes.pop_front();
                }
            }
        }
        // A switch that locks others out goes on working itself: only reads speak for the service.
        let telling = refusal.is_some() || api.operation(index).deed() == Deed::Read;
        if ordinary
            && telling
            && (self.worked.contains(&index) || refusal == Some(Refusal::Unreachable))
        {
            self.window.push_back((refusal, self.requests));
            if self.window.len() > WINDOW {
                self.window.pop_front();
            }
        }
    }

    fn alarm(&self, api: &Api) -> Option<Alarm> {
        let (refusal, since) = self
            .window
            .iter()
            .find_map(|(refusal, at)| Some(((*refusal)?, *at)))?;
        let mut suspects: Vec<(OperationIndex, u64)> = Vec::new();
        for write in self
            .writes
            .iter()
            .rev()
            .filter(|w| w.request < since + WINDOW as u64)
        {
            if !suspects
                .iter()
                .any(|(operation, _)| *operation == write.operation)
            {
                suspects.push((write.operation, write.request));
            }
        }
        // Words first, then nearness in time.
        suspects.sort_by_key(|(operation, _)| match risk_of(api.operation(*operation)) {
            Risk::Last => 0,
            Risk::OwnOnly => 1,
            Risk::None => 2,
        });
        suspects.truncate(3);
        Some(Alarm {
            refusal,
            since,
            suspects,
        })
    }

    /// Starts over after a lock-out has ended.
    pub(crate) fn forgive(&mut self) {
        self.window.clear();
        self.writes.clear();
    }
}

fn refusal(outcome: &Outcome) -> Option<Refusal> {
    match outcome {
        Outcome::Answered(answer) => match answer.status {
            401 | 403 => Some(Refusal::Credentials(answer.status)),
            503 => Some(Refusal::Unavailable),
            _ => None,
        },
        Outcome::Failed(Failure::Unreachable(_)) => Some(Refusal::Unreachable),
        Outcome::Failed(_) => None,
    }
}
