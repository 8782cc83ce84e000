//! What a team keeps: the archive becomes a suite.
//!
//! Every test of the archive is run once more, to see all that it reaches. The fewest that keep
//! every target stay; each is made as short as it can be, and then the whole suite is run three
//! times, forwards and backwards: what differs between the runs, or depends on what other tests
//! left behind, shows. Tests that waver are left out and told. All of it has a limit of time.

use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};
use std::future::Future;
use std::pin::Pin;
use std::rc::Rc;
use std::sync::Arc;
use std::time::{Duration, Instant};

use fossick_plan::Plan;
use fossick_search::Shrinker;
use fossick_suite::{
    Change, Limits, Offer, Sighting, Suite, Test, User, fewest, judge, unique, write,
};
use fossick_trace::{Episode, Finding, Role, Script, Target};

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

/// What was kept, and what was not.
#[derive(Debug, Default)]
pub struct Kept {
    pub tests: Vec<Test>,
    /// Tests of the archive.
    pub before: usize,
    /// Calls of the chosen tests before and after they were made shorter.
    pub calls: (usize, usize),
    /// Targets that the suite reaches, of those that the run reached.
    pub targets: (usize, usize),
    pub wavering: Vec<Wavering>,
    /// Parts of answers that change from run to run, by the kind of their change.
    pub volatile: BTreeMap<Change, usize>,
    /// Time was up before everything was made short and seen three times.
    pub hurried: bool,
}

/// A test that was left out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Wavering {
    /// What it was about.
    pub what: String,
    pub why: String,
}

/// So often every test is run before it is kept.
const RUNS: usize = 3;
/// Attempts at making one test shorter.
const TRIALS: usize = 40;

/// A test on its way into the suite.
struct Candidate {
    script: Script,
    plan: Option<Arc<Plan>>,
    finding: Option<Finding>,
    targets: Vec<Target>,
}

struct Keeper<'k, 'a> {
    hunt: &'k Hunt<'a>,
    keeping: &'k Keeping,
    end: Instant,
    salt: Cell<u64>,
}

impl Hunt<'_> {
    /// Makes a suite of what was found and reached.
    pub(crate) async fn keep(&self, keeping: &Keeping) -> Kept {
        let keeper = Keeper {
            hunt: self,
            keeping,
            end: Instant::now() + keeping.time,
            // A range of its own, beyond those of the confirmers.
            salt: Cell::new(1 << 40),
        };
        keeper.keep().await
    }
}

impl Keeper<'_, '_> {
    async fn keep(&self) -> Kept {
        let faults = self.faults();
        let archived = self.archived().await;
        let mut kept = Kept {
            before: self.hunt.search.borrow().archive().len() + faults.len(),
            ..Kept::default()
        };
        let all = self.all_targets();
        let mut candidates = faults;
        for fault in &mut candidates {
            self.measure(fault).await;
        }
        let mut chosen = choose(&candidates, &archived, &all);
        kept.calls.0 = calls(&candidates) + calls(&chosen);
        self.shorten(&mut chosen, &candidates).await;
        kept.calls.1 = calls(&candidates) + calls(&chosen);
        candidates.extend(chosen);
        let runs = self.passes(&candidates).await;
        let stays = self.write_down(&candidates, &runs, &mut kept).await;
        let reached: BTreeSet<Target> = candidates
            .iter()
            .zip(stays)
            .filter(|(_, stays)| *stays)
            .flat_map(|(candidate, _)| candidate.targets.iter().copied())
            .collect();
        kept.targets = (reached.intersection(&all).count(), all.len());
        kept.hurried = self.is_late();
        kept
    }

    fn is_late(&self) -> bool {
        Instant::now() > self.end
    }

    /// Every confirmed finding is a test of its own.
    fn faults(&self) -> Vec<Candidate> {
        let candidates = self.hunt.candidates.borrow();
        let sure = candidates.done.iter().filter(|found| found.is_sure());
        sure.map(|found| Candidate {
            script: Script::clone(&found.episode.script),
            plan: None,
            finding: Some(found.finding.clone()),
            targets: Vec::new(),
        })
        .collect()
    }

    /// The archive, each test run once more to see all that it reaches.
    async fn archived(&self) -> Vec<Candidate> {
        let tests = self.hunt.search.borrow().archive().tests();
        let mut candidates = Vec::with_capacity(tests.len());
        for test in tests {
            let script = self.hunt.search.borrow_mut().render_repeatable(&test.plan);
            let mut candidate = Candidate {
                script,
                plan: Some(test.plan),
                finding: None,
                targets: test.targets,
            };
            // Half of the time; the rest is for seeing the chosen ones again.
            if Instant::now() + self.keeping.time / 2 < self.end {
                self.measure(&mut candidate).await;
            }
            candidates.push(candidate);
        }
        candidates
    }

    /// Targets that the run reached and that a test can be asked to reach again.
    fn all_targets(&self) -> BTreeSet<Target> {
        let search = self.hunt.search.borrow();
        let targets = search.archive().targets();
        // A fault is kept by its own test if it came back, and by none if it did not. What gets
        // no answer can't be asserted.
        targets
            .filter(|target| !matches!(target, Target::Fault(_) | Target::NoAnswer(_)))
            .copied()
            .collect()
    }

    async fn measure(&self, candidate: &mut Candidate) {
        let episode = self.run(&candidate.script).await;
        candidate.targets = self.targets(candidate, &episode);
    }

    fn targets(&self, candidate: &Candidate, episode: &Episode) -> Vec<Target> {
        let search = self.hunt.search.borrow();
        match &candidate.plan {
            Some(plan) => search.targets_of(plan, episode, &[]),
            None => search.targets_of_script(episode),
        }
    }

    async fn run(&self, script: &Script) -> Episode {
        if let Some(reset) = &self.keeping.reset
            && let Err(why) = reset().await
        {
            self.hunt
                .note(format!("the service could not be reset: {why}"));
        }
        self.salt.set(self.salt.get() + 1);
        let script = Arc::new(script.renamed(self.salt.get()));
        let mut episode = runner::run(&self.hunt.client, script).await;
        episode.forget_parsed();
        episode
    }

    /// Leaves out steps and values as long as what only this test reaches is still reached.
    async fn shorten(&self, chosen: &mut [Candidate], faults: &[Candidate]) {
        let seed = self.hunt.settings.search.seed;
        let mut shrinker = Shrinker::new(self.hunt.api, self.hunt.validators, seed);
        for at in 0..chosen.len() {
            let others = chosen.iter().enumerate().filter(|(other, _)| *other != at);
            let others = others.map(|(_, candidate)| candidate).chain(faults);
            let elsewhere: BTreeSet<Target> =
                others.flat_map(|other| other.targets.clone()).collect();
            let own: Vec<Target> = chosen[at]
                .targets
                .iter()
                .filter(|target| !elsewhere.contains(target))
                .copied()
                .collect();
            self.shorten_one(&mut chosen[at], &own, &mut shrinker).await;
        }
    }

    async fn shorten_one(
        &self,
        candidate: &mut Candidate,
        own: &[Target],
        shrinker: &mut Shrinker<'_>,
    ) {
        let Some(mut plan) = candidate.plan.clone() else {
            return;
        };
        let mut trials = TRIALS;
        'again: while trials > 0 {
            let shows = plan.steps.len().saturating_sub(1);
            for (shorter, _) in shrinker.shorter(&plan, shows) {
                // A third of the time is kept for the three runs.
                if trials == 0 || Instant::now() + self.keeping.time / 3 > self.end {
                    return;
                }
                trials -= 1;
                let script = self.hunt.search.borrow_mut().render_repeatable(&shorter);
                let episode = self.run(&script).await;
                let search = self.hunt.search.borrow();
                let reached = search.targets_of(&shorter, &episode, &[]);
                drop(search);
                if own
                    .iter()
                    .all(|target| reached.binary_search(target).is_ok())
                {
                    plan = Arc::new(shorter);
                    candidate.script = script;
                    candidate.plan = Some(Arc::clone(&plan));
                    candidate.targets = reached;
                    continue 'again;
                }
            }
            return;
        }
    }

    /// The whole suite, a few times, forwards and backwards.
    async fn passes(&self, candidates: &[Candidate]) -> Vec<Vec<Episode>> {
        let mut runs: Vec<Vec<Episode>> = candidates.iter().map(|_| Vec::new()).collect();
        for pass in 0..RUNS {
            for step in 0..candidates.len() {
                let at = if pass % 2 == 0 {
                    step
                } else {
                    candidates.len() - 1 - step
                };
                if pass > 0 && self.is_late() {
                    continue;
                }
                runs[at].push(self.run(&candidates[at].script).await);
            }
        }
        runs
    }

    /// Writes tests down; tells which of them stay.
    async fn write_down(
        &self,
        candidates: &[Candidate],
        runs: &[Vec<Episode>],
        kept: &mut Kept,
    ) -> Vec<bool> {
        let user_of = |call: &fossick_trace::Call| match &call.user {
            None if self.keeping.users.is_empty() => None,
            None => Some(0),
            Some(name) => self
                .keeping
                .users
                .iter()
                .position(|user| user.name.as_ref() == Some(name)),
        };
        let mut names = BTreeSet::new();
        let mut stays = Vec::with_capacity(candidates.len());
        for (candidate, runs) in candidates.iter().zip(runs) {
            let sighting = Sighting {
                script: &candidate.script,
                runs,
                finding: candidate.finding.as_ref(),
            };
            let written = write(self.hunt.api, &sighting, &user_of, self.keeping.limits);
            let outcome = match written {
                Ok(_) if runs.len() < RUNS => Err("there was no time to see it again".to_owned()),
                Ok(written) => self.verified(written.test.clone()).await.map(|()| written),
                Err(wavers) => Err(wavers.to_string()),
            };
            stays.push(outcome.is_ok());
            match outcome {
                Ok(mut written) => {
                    for (_, part) in &written.volatile {
                        *kept.volatile.entry(part.change).or_insert(0) += 1;
                    }
                    written.test.name = unique(&written.test.name, " ", &mut names);
                    kept.tests.push(written.test);
                }
                Err(why) => kept.wavering.push(Wavering {
                    what: what(candidate),
                    why,
                }),
            }
        }
        kept.tests.sort_by_key(|test| test.group);
        stays
    }

    /// Runs a written test as it stands: what it expects must be so once more.
    async fn verified(&self, test: Test) -> Result<(), String> {
        let suite = Suite {
            version: Suite::VERSION,
            title: String::new(),
            origin: String::new(),
            base_url: String::new(),
            users: self.keeping.users.clone(),
            service: fossick_suite::Service::default(),
            schemas: Vec::new(),
            tests: Vec::new(),
        };
        let script = fossick_suite::script(&suite, &test);
        let episode = self.run(&script).await;
        match judge(&test, &episode, &|_, _| None).first() {
            Some(broken) => Err(format!("step {}: {}", broken.step, broken.why)),
            None => Ok(()),
        }
    }
}

/// The fewest tests of the archive that reach what the faults' own tests do not.
fn choose(faults: &[Candidate], archived: &[Candidate], all: &BTreeSet<Target>) -> Vec<Candidate> {
    let covered: BTreeSet<Target> = faults.iter().flat_map(|f| f.targets.clone()).collect();
    let wanted = |target: &&Target| all.contains(target) && !covered.contains(target);
    let offers: Vec<Offer<Target>> = archived
        .iter()
        .map(|candidate| Offer {
            targets: candidate.targets.iter().filter(wanted).copied().collect(),
            cost: candidate.script.calls.len(),
        })
        .collect();
    fewest(&offers)
        .into_iter()
        .map(|at| Candidate {
            script: archived[at].script.clone(),
            plan: archived[at].plan.clone(),
            finding: None,
            targets: offers[at].targets.clone(),
        })
        .collect()
}

fn calls(candidates: &[Candidate]) -> usize {
    candidates.iter().map(|c| c.script.calls.len()).sum()
}

/// What a test is about, for people.
fn what(candidate: &Candidate) -> String {
    if let Some(finding) = &candidate.finding {
        return format!("{} {}: {}", finding.code, finding.operation, finding.title);
    }
    let calls = &candidate.script.calls;
    let main = calls.iter().rev().find(|call| call.role == Role::Main);
    let label = main.or(calls.last()).map_or("", |call| &*call.operation);
    format!("{label} ({} calls)", calls.len())
}
