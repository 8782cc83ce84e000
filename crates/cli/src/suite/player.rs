//! Runs the tests of a suite without any framework.
//!
//! Tests that change nothing run beside each other; the others alone, each on a service that was
//! reset before it, where the suite says how. What came of them is told in the suite's order,
//! whatever the order of the answers. A schema is compiled once for all tests that share it.

use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap, VecDeque};
use std::rc::Rc;
use std::sync::Arc;

use anyhow::{Result, bail};
use fossick_campaign::run;
use fossick_suite::{Broken, Reset, Suite, judge, script};
use fossick_trace::{Answer, Episode, Failure, Outcome};
use fossick_transport::Client;
use fossick_validate::Fit;
use serde_json::Value;
use tokio::runtime::Runtime;
use tokio::task::{JoinSet, LocalSet};

use crate::exit::Unreachable;

/// What came of a test.
pub(crate) struct Played {
    pub(crate) broken: Vec<Broken>,
    /// Of its last step.
    pub(crate) answer: Option<Answer>,
}

/// Plays all tests; `each` hears of them in the suite's order.
pub(crate) fn play_all(
    runtime: &Runtime,
    client: &Client,
    suite: &Rc<Suite>,
    at_once: usize,
    each: impl FnMut(usize, Played) -> Result<()>,
) -> Result<()> {
    let mut player = Player {
        client: client.clone(),
        suite: Rc::clone(suite),
        fits: Rc::default(),
        under_way: JoinSet::new(),
        told: Told {
            next: 0,
            waiting: BTreeMap::new(),
            each,
        },
    };
    LocalSet::new().block_on(runtime, async {
        tokio::select! {
            played = player.all(at_once.max(1)) => played,
            // A service that was started for the tests must not outlive them.
            _ = tokio::signal::ctrl_c() => bail!("stopped"),
        }
    })
}

struct Player<E> {
    client: Client,
    suite: Rc<Suite>,
    fits: Rc<RefCell<Fits>>,
    under_way: JoinSet<(usize, Result<Played>)>,
    told: Told<E>,
}

impl<E: FnMut(usize, Played) -> Result<()>> Player<E> {
    async fn all(&mut self, at_once: usize) -> Result<()> {
        let mut touched = true;
        for at in 0..self.suite.tests.len() {
            let quiet = self.suite.tests[at].quiet;
            self.wait(if quiet { at_once - 1 } else { 0 }).await?;
            if touched && self.suite.service.reset.is_some() {
                self.wait(0).await?;
                self.reset().await?;
            }
            touched = !quiet;
            self.begin(at);
        }
        self.wait(0).await
    }

    async fn reset(&self) -> Result<()> {
        match &self.suite.service.reset {
            Some(Reset::Command(line) | Reset::Url(line)) => {
                crate::reset::reset(line, Vec::new()).await
            }
            None => Ok(()),
        }
    }

    fn begin(&mut self, at: usize) {
        let (client, suite) = (self.client.clone(), Rc::clone(&self.suite));
        let fits = Rc::clone(&self.fits);
        self.under_way.spawn_local(async move {
            let played = play(&client, &suite, at, &fits).await;
            (at, played)
        });
    }

    /// Waits until no more than so many are under way.
    async fn wait(&mut self, most: usize) -> Result<()> {
        while self.under_way.len() > most {
            if let Some(ended) = self.under_way.join_next().await {
                let (at, played) = ended?;
                self.told.tell(at, played?)?;
            }
        }
        Ok(())
    }
}

/// Keeps what came early until it is its turn.
struct Told<E> {
    next: usize,
    waiting: BTreeMap<usize, Played>,
    each: E,
}

impl<E: FnMut(usize, Played) -> Result<()>> Told<E> {
    fn tell(&mut self, at: usize, played: Played) -> Result<()> {
        self.waiting.insert(at, played);
        while let Some(played) = self.waiting.remove(&self.next) {
            (self.each)(self.next, played)?;
            self.next += 1;
        }
        Ok(())
    }
}

async fn play(client: &Client, suite: &Suite, at: usize, fits: &RefCell<Fits>) -> Result<Played> {
    let test = &suite.tests[at];
    let script = script(suite, test).renamed(fossick_campaign::fresh_salt());
    let mut episode = run(client, Arc::new(script)).await;
    if let Some(why) = unreachable(&episode) {
        return Err(Unreachable(why).into());
    }
    let misfit = |at: usize, body: &Value| {
        let (name, schema) = suite.schemas.get(at)?;
        let first = fits.borrow_mut().of(at, schema).misfit(body)?;
        Some(format!("the body does not fit {name}: {first}"))
    };
    let broken = judge(test, &episode, &misfit);
    let last = episode.exchanges.pop();
    Ok(Played {
        broken,
        answer: last.and_then(|exchange| match exchange.outcome {
            Outcome::Answered(answer) => Some(answer),
            Outcome::Failed(_) => None,
        }),
    })
}

fn unreachable(episode: &Episode) -> Option<String> {
    let outcomes = episode.exchanges.iter().map(|exchange| &exchange.outcome);
    let mut failures = outcomes.filter_map(|outcome| match outcome {
        Outcome::Failed(Failure::Unreachable(why)) => Some(why.clone()),
        _ => None,
    });
    failures.next()
}

/// Compiled schemas, the latest few hundred: tests that share one are seldom far apart, and a
/// large suite has more than memory should hold.
#[derive(Default)]
struct Fits {
    kept: HashMap<usize, Rc<Fit>>,
    order: VecDeque<usize>,
}

const MOST_FITS: usize = 512;

impl Fits {
    fn of(&mut self, at: usize, schema: &Value) -> Rc<Fit> {
        if let Some(known) = self.kept.get(&at) {
            return Rc::clone(known);
        }
        if self.order.len() >= MOST_FITS
            && let Some(oldest) = self.order.pop_front()
        {
            self.kept.remove(&oldest);
        }
        let fit = Rc::new(Fit::new(schema));
        self.order.push_back(at);
        self.kept.insert(at, Rc::clone(&fit));
        fit
    }
}
