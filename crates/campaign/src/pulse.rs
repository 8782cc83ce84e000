//! Whether the service is there.

use std::cell::RefCell;
use std::sync::Arc;
use std::time::{Duration, Instant};

use bytes::Bytes;
use fossick_contract::Method;
use fossick_trace::{Failure, Outcome, Request, Script};
use fossick_transport::Client;

use crate::runner;

/// How long a service that somebody else runs is waited for, in steps.
const WAITS: [Duration; 7] = [
    Duration::from_millis(100),
    Duration::from_millis(250),
    Duration::from_millis(650),
    Duration::from_secs(1),
    Duration::from_secs(2),
    Duration::from_secs(4),
    Duration::from_secs(7),
];

pub(crate) struct Pulse {
    client: Client,
    /// Nobody waits beyond this.
    until: Option<Instant>,
    /// A call that worked before: a proxy may answer others although nobody is behind it.
    witness: RefCell<Option<Arc<Script>>>,
}

impl Pulse {
    pub(crate) fn of(client: Client, until: Option<Instant>) -> Self {
        Self {
            client,
            until,
            witness: RefCell::default(),
        }
    }

    /// Takes in a call that works and changes nothing. The first one stays.
    pub(crate) fn know(&self, witness: Option<&Arc<Script>>) {
        let mut known = self.witness.borrow_mut();
        if known.is_none() {
            *known = witness.cloned();
        }
    }

    /// Whether the service answers.
    pub(crate) async fn beats(&self) -> bool {
        let witness = self.witness.borrow().clone();
        let outcome = match witness {
            Some(script) => {
                let mut episode = runner::run(&self.client, script).await;
                episode.exchanges.pop().map(|exchange| exchange.outcome)
            }
            None => Some(self.client.send(&knock()).await),
        };
        outcome.is_some_and(|outcome| !is_lost(&outcome))
    }

    /// Waits until the service answers. Tells whether it had to, or why it waits no longer.
    pub(crate) async fn wait(&self) -> Result<bool, String> {
        if self.beats().await {
            return Ok(false);
        }
        for wait in WAITS {
            let over = self
                .until
                .is_some_and(|until| Instant::now() + wait > until);
            if over {
                break;
            }
            tokio::time::sleep(wait).await;
            if self.beats().await {
                return Ok(true);
            }
        }
        Err("it does not answer any more".to_owned())
    }
}

/// Whether nobody answered: no connection, one that broke, none in time, or a proxy that says so.
pub(crate) fn is_lost(outcome: &Outcome) -> bool {
    match outcome {
        Outcome::Failed(failure) => matches!(
            failure,
            Failure::Unreachable(_)
                | Failure::Dropped(_)
                | Failure::Ended(_)
                | Failure::TimedOut(_)
        ),
        Outcome::Answered(answer) => matches!(answer.status, 502 | 504) && answer.json().is_none(),
    }
}

fn knock() -> Request {
    Request {
        method: Method::Get,
        target: String::new(),
        headers: Vec::new(),
        body: Bytes::new(),
        user: None,
        anonymous: false,
    }
}
