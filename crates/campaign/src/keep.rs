//! Making a suite: runs what the minimiser proposes, resets the service, and looks at the clock.
//! What is kept is the minimiser's business.

use std::pin::Pin;
use std::rc::Rc;
use std::sync::Arc;
use std::time::{Duration, Instant};

use fossick_minimise::{Fault, Found, Kept, Minimiser, Settings};
use fossick_suite::{Limits, User};
use fossick_trace::{Episode, Role, Script, Text};

use crate::candidates::Candidate;
use crate::hunt::Hunt;
use crate::runner;

/// Brings the service back to where it was.
pub type Reset = Rc<dyn Fn() -> Pin<Box<dyn Future<Output = Result<(), String>>>>>;

/// How a suite is made.
#[derive(Clone)]
pub struct Keeping {
    pub limits: Limits,
    pub time: Duration,
    pub reset: Option<Reset>,
    pub users: Vec<User>,
}

impl std::fmt::Debug for Keeping {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Keeping")
            .field("limits", &self.limits)
            .field("time", &self.time)
            .finish_non_exhaustive()
    }
}

impl Hunt<'_> {
    /// Makes a suite of what was found and reached.
    pub(crate) async fn keep(&self, keeping: &Keeping) -> Kept {
        if let Some(probes) = &self.probes {
            probes.report_all().await;
        }
        let started = Instant::now();
        let mut minimiser = self.minimiser(keeping);
        // Names are counted in a range of their own, beyond those of the confirmers.
        let mut salt = 1 << 40;
        loop {
            minimiser.spend(started.elapsed().div_duration_f64(keeping.time));
            let Some(trial) = minimiser.propose() else {
                return minimiser.finish();
            };
            if trial.anew {
                self.reset(keeping).await;
            }
            let mut episode = self.play(&trial.script, &mut salt).await;
            episode.forget_parsed();
            minimiser.learn(episode);
        }
    }

    /// Runs a script with names of its own, and with others where those were taken: a run leaves
    /// much behind, and where keys are short new ones meet it.
    async fn play(&self, script: &Script, salt: &mut u64) -> Episode {
        const TRIES: usize = 4;
        for _ in 1..TRIES {
            *salt += 1;
            let mut renamed = script.renamed(*salt);
            if salt.is_multiple_of(2) && !self.says_what_it_takes() {
                take_anything(&mut renamed);
            }
            let renamed = Arc::new(renamed);
            let episode = self.run_seen(renamed).await;
            if !was_taken(&episode) {
                return episode;
            }
        }
        *salt += 1;
        self.run_seen(Arc::new(script.renamed(*salt))).await
    }

    /// Runs a script, and hears what it reached inside the service; tests begin with a reset only
    /// where the minimiser says so.
    async fn run_seen(&self, script: Arc<Script>) -> Episode {
        let probes = self.probes.as_deref().filter(|probes| !probes.resets());
        runner::run_probed(&self.client, script, probes).await
    }

    /// Whether the user says which media types are taken.
    fn says_what_it_takes(&self) -> bool {
        let mut headers = self.client.settings().headers.iter();
        headers.any(|(name, _)| name.eq_ignore_ascii_case(ACCEPT))
    }

    fn minimiser(&self, keeping: &Keeping) -> Minimiser<'_> {
        let settings = Settings {
            limits: keeping.limits,
            users: keeping.users.clone(),
            resets: keeping.reset.is_some(),
            authority: self.client.settings().base.authority(),
        };
        Minimiser::new(
            self.api,
            self.validators,
            &self.judge,
            settings,
            self.found(),
        )
    }

    fn found(&self) -> Found {
        let candidates = self.candidates.borrow();
        let sure = candidates.done.iter().filter(|c| c.case.is_confirmed());
        let fault = |found: &Candidate| Fault {
            finding: found.case.finding.clone(),
            script: Script::clone(&found.script),
        };
        let search = self.search.borrow();
        let archive = search.archive();
        Found {
            faults: sure.map(fault).collect(),
            tests: archive.tests(),
            targets: archive.targets().copied().collect(),
            unique: search.unique_keys(),
            provenance: search.provenance(),
        }
    }

    async fn reset(&self, keeping: &Keeping) {
        if let Some(reset) = &keeping.reset
            && let Err(why) = reset().await
        {
            self.note(format!("the service could not be reset: {why}"));
        }
    }
}

const ACCEPT: &str = "accept";

/// Takes any media type, as most clients do: an answer that comes in another form then must not be
/// expected of a suite that others run.
fn take_anything(script: &mut Script) {
    for call in &mut script.calls {
        let mut names = call.headers.iter().map(|(name, _)| name);
        if !names.any(|name| name.eq_ignore_ascii_case(ACCEPT)) {
            let any = Text::fixed("*/*");
            call.headers.push((ACCEPT.to_owned(), any));
        }
    }
}

/// Whether a set-up step with a name of its own was refused as being there already.
fn was_taken(episode: &Episode) -> bool {
    const CONFLICT: u16 = 409;
    let last = episode.steps().next_back();
    last.is_some_and(|(_, call, exchange)| {
        let conflict = exchange.outcome.status() == Some(CONFLICT);
        conflict && call.role == Role::Setup && !episode.script.names.is_empty()
    })
}
