//! What a team keeps: the archive becomes a suite.
//!
//! Every test of the archive is run again, to see all that it reaches; what the run reached and no
//! test reaches now is looked for with variants of them. The fewest that keep every target stay;
//! each is made as short as it can be, those about one thing are joined, and then the whole suite
//! is run three times, forwards and backwards: what differs between the runs, or depends on what
//! other tests left behind, shows. Tests that waver are left out and told, and others take their
//! places. All of it has a limit of time.

mod absence;
mod choose;
mod condense;
mod join;
mod look;
mod measure;
mod promised;
mod recover;
mod shorten;
mod write_down;

use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};
use std::future::Future;
use std::pin::Pin;
use std::rc::Rc;
use std::sync::Arc;
use std::time::{Duration, Instant};

use fossick_contract::is_uuid;
use fossick_plan::Plan;
use fossick_search::{targets_of, targets_of_script};
use fossick_suite::{Change, Limits, Test, User, unique};
use fossick_trace::{Episode, Finding, Script, Target};
use serde_json::Value;

use crate::hunt::Hunt;
use choose::{choose, missing, reached_again};
use condense::condensed;
use measure::leave_guests_out;
use promised::Schemas;

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
    /// Targets that the suite reaches, of those that some test of the archive reaches again.
    pub targets: (usize, usize),
    /// Targets that the run reached and that nothing reaches again: the service is another by now.
    pub gone: usize,
    /// What answers are held against, by name.
    pub schemas: Vec<(String, Value)>,
    pub wavering: Vec<Wavering>,
    /// Parts of answers that change from run to run, by the kind of their change.
    pub volatile: BTreeMap<Change, usize>,
    /// Time was up before everything was made short and seen three times.
    pub hurried: bool,
    reached: BTreeSet<Target>,
    promised: Schemas,
}

impl Kept {
    /// Faults first, then what works; within each in the order in which tests came. Names are
    /// unique.
    fn arrange(&mut self) {
        self.tests.sort_by_key(|test| test.group);
        let mut names = BTreeSet::new();
        for test in &mut self.tests {
            test.name = unique(&test.name, " ", &mut names);
        }
    }
}

/// A test that was left out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Wavering {
    /// What it was about.
    pub what: String,
    pub why: String,
}

/// A test on its way into the suite.
#[derive(Clone)]
struct Candidate {
    script: Script,
    plan: Option<Arc<Plan>>,
    finding: Option<Finding>,
    /// What it reaches now, in order.
    targets: Vec<Target>,
    /// What it reached when it came into the archive.
    reached_once: Vec<Target>,
    /// What it is about succeeded when it was run.
    works: bool,
    /// It counts on what others made: it holds values that earlier answers gave, or shows an error
    /// of somebody else's thing.
    borrows: bool,
    /// The tests that it was joined from.
    parts: Vec<Candidate>,
}

impl Candidate {
    fn new(mut script: Script) -> Self {
        // Whoever runs the tests makes names anew by exchanging letters; a UUID would be none then.
        script.names.retain(|name| !is_uuid(name));
        Self {
            script: condensed(script),
            plan: None,
            finding: None,
            targets: Vec::new(),
            reached_once: Vec::new(),
            works: false,
            borrows: false,
            parts: Vec::new(),
        }
    }
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
        let mut faults = self.faults();
        let mut archived = self.archived();
        let mut kept = Kept {
            before: archived.len() + faults.len(),
            ..Kept::default()
        };
        self.measure(&mut faults, &mut archived).await;
        kept.wavering = leave_guests_out(&mut faults);
        let in_run = self.all_targets();
        let recovered = self.recover(&archived, &in_run).await;
        archived.extend(recovered);
        let all = reached_again(faults.iter().chain(&archived), &in_run);
        kept.gone = in_run.len() - all.len();
        let wanted = missing(&all, faults.iter());
        let (mut tried, mut chosen) = choose(&archived, &wanted, &BTreeSet::new());
        kept.calls.0 = calls(&faults) + calls(&chosen);
        self.shorten(&mut chosen, &faults).await;
        let chosen = self.join(chosen).await;
        kept.calls.1 = calls(&faults) + calls(&chosen);
        faults.extend(chosen);
        let parts = self.settle(&faults, &faults, &mut kept).await;
        // What wavers as a whole may be steady in its parts.
        self.settle(&parts, &faults, &mut kept).await;
        self.fill(&archived, &all, &mut tried, &faults, &mut kept)
            .await;
        // Where the service always begins with the same things, these may be borrowed.
        if self.keeping.reset.is_some() {
            for test in &mut archived {
                test.borrows = false;
            }
            self.fill(&archived, &all, &mut tried, &faults, &mut kept)
                .await;
        }
        kept.targets = (kept.reached.intersection(&all).count(), all.len());
        kept.hurried = self.is_late();
        kept.schemas = std::mem::take(&mut kept.promised).into_list();
        kept.arrange();
        kept
    }

    /// Sees tests a few times and writes down those that are steady; gives the parts of the others.
    async fn settle(
        &self,
        tests: &[Candidate],
        whole: &[Candidate],
        kept: &mut Kept,
    ) -> Vec<Candidate> {
        let runs = self.passes(tests, whole).await;
        let reached: Vec<Vec<Target>> = tests
            .iter()
            .zip(&runs)
            .map(|(test, runs)| self.reached_each_time(test, runs))
            .collect();
        let stays = self.write_down(tests, runs, kept).await;
        let mut parts = Vec::new();
        for ((test, reached), stays) in tests.iter().zip(reached).zip(stays) {
            if stays {
                kept.reached.extend(reached);
            } else {
                parts.extend(test.parts.iter().cloned());
            }
        }
        parts
    }

    /// What a test was kept for, as far as it reaches that in every run.
    fn reached_each_time(&self, test: &Candidate, runs: &[Episode]) -> Vec<Target> {
        let mut reached = test.targets.clone();
        for run in runs {
            let again = self.targets(test, run);
            reached.retain(|target| again.binary_search(target).is_ok());
        }
        reached
    }

    fn is_late(&self) -> bool {
        Instant::now() > self.end
    }

    /// Every confirmed finding is a test of its own, if it stands alone.
    fn faults(&self) -> Vec<Candidate> {
        let candidates = self.hunt.candidates.borrow();
        let sure = candidates
            .done
            .iter()
            .filter(|found| found.is_sure() && !found.borrows);
        let mut faults: Vec<Candidate> = sure
            .map(|found| Candidate {
                finding: Some(found.finding.clone()),
                ..Candidate::new(Script::clone(&found.script))
            })
            .collect();
        // They were confirmed in any order; a suite has one.
        faults.sort_by_cached_key(|fault| {
            let finding = fault.finding.as_ref();
            finding.map(|f| (f.code.clone(), f.operation.clone(), f.mark.clone()))
        });
        faults
    }

    fn archived(&self) -> Vec<Candidate> {
        let tests = self.hunt.search.borrow().archive().tests();
        tests
            .into_iter()
            .map(|test| Candidate {
                targets: test.targets.clone(),
                reached_once: test.targets,
                borrows: test.borrows,
                ..self.candidate(Plan::clone(&test.plan))
            })
            .collect()
    }

    fn candidate(&self, plan: Plan) -> Candidate {
        let script = self.hunt.search.borrow().render_repeatable(&plan);
        Candidate {
            borrows: fossick_search::borrows(&plan),
            plan: Some(Arc::new(plan)),
            ..Candidate::new(script)
        }
    }

    fn targets(&self, candidate: &Candidate, episode: &Episode) -> Vec<Target> {
        let api = self.hunt.api;
        match &candidate.plan {
            Some(plan) => targets_of(api, plan, episode),
            None => targets_of_script(api, episode),
        }
    }

    /// Targets that the run reached and that a test can be asked to reach again.
    fn all_targets(&self) -> BTreeSet<Target> {
        let search = self.hunt.search.borrow();
        let targets = search.archive().targets();
        let known: BTreeSet<Target> = targets.copied().collect();
        // A fault is kept by its own test if it came back, and by none if it did not. What gets
        // no answer can't be asserted.
        let is_silent = |target: &Target| match target {
            Target::Fault(_) | Target::NoAnswer(_) => true,
            Target::Fails(operation) => known.contains(&Target::NoAnswer(*operation)),
            _ => false,
        };
        known
            .iter()
            .filter(|target| !is_silent(target))
            .copied()
            .collect()
    }
}

/// Whether sorted targets hold all that are wanted.
fn reaches_all<'t>(reached: &[Target], mut wanted: impl Iterator<Item = &'t Target>) -> bool {
    wanted.all(|target| reached.binary_search(target).is_ok())
}

fn calls(candidates: &[Candidate]) -> usize {
    candidates.iter().map(|c| c.script.calls.len()).sum()
}
