//! What was seen, as tests; and what wavers, as what it is.

use fossick_suite::{Sighting, Suite, Test, Written, judge, write};
use fossick_trace::{Call, Episode, Finding, Role};

use super::{Candidate, Keeper, Kept, Wavering};

/// So often a test is written anew.
const WRITINGS: usize = 4;

impl Keeper<'_, '_> {
    /// Writes tests down; tells which of them stay.
    pub(super) async fn write_down(
        &self,
        candidates: &[Candidate],
        runs: Vec<Vec<Episode>>,
        kept: &mut Kept,
    ) -> Vec<bool> {
        let mut stays = Vec::with_capacity(candidates.len());
        for (candidate, mut runs) in candidates.iter().zip(runs) {
            let outcome = self.steady(candidate, &mut runs).await;
            let outcome =
                outcome.and_then(|written| self.with_promises(candidate, &runs, written, kept));
            stays.push(outcome.is_ok());
            match outcome {
                Ok(written) => {
                    for (_, part) in &written.volatile {
                        *kept.volatile.entry(part.change).or_insert(0) += 1;
                    }
                    kept.tests.push(written.test);
                }
                Err(why) => kept.wavering.push(Wavering {
                    what: what(candidate),
                    why,
                }),
            }
        }
        stays
    }

    /// Adds what is promised of the answers. A fault's test that would go on passing when the fault
    /// is mended tells nothing.
    fn with_promises(
        &self,
        candidate: &Candidate,
        runs: &[Episode],
        mut written: Written,
        kept: &mut Kept,
    ) -> Result<Written, String> {
        let (api, promised) = (self.hunt.api, &mut kept.promised);
        let test = &mut written.test;
        if let Some(finding) = &candidate.finding {
            let at = finding.call;
            let shows = |test: &Test| test.steps.iter().flat_map(|s| &s.checks).any(|c| c.suspect);
            let call = candidate.script.calls.get(at);
            let is_shown = shows(test)
                || call.is_some_and(|call| promised.break_promise(api, (call, at), runs, test));
            if !is_shown {
                return Err("no check of it would tell that the fault is mended".to_owned());
            }
        }
        kept.promised.promise(api, &candidate.script, runs, test);
        Ok(written)
    }

    /// A test that passes as it stands, or why there is none. Where it does not pass, something
    /// changes that was equal in all runs: it is run once more and written anew, a few times.
    async fn steady(
        &self,
        candidate: &Candidate,
        runs: &mut Vec<Episode>,
    ) -> Result<Written, String> {
        let mut wavers = String::new();
        for _ in 0..WRITINGS {
            let written = self.written(candidate, runs)?;
            match self.verified(written.test.clone()).await {
                Ok(()) => return Ok(written),
                Err(why) => wavers = why,
            }
            runs.push(self.run_on(&candidate.script).await);
        }
        Err(wavers)
    }

    fn written(&self, candidate: &Candidate, runs: &[Episode]) -> Result<Written, String> {
        if candidate.finding.is_none() && runs.iter().any(|run| self.is_guest(run)) {
            return Err("it fails over things that others made".to_owned());
        }
        let finding = self.seen_again(candidate, runs);
        let sighting = Sighting {
            script: &candidate.script,
            runs,
            finding: finding.as_ref(),
        };
        let user_of = |call: &Call| self.user_of(call);
        let written = write(self.hunt.api, &sighting, &user_of, self.keeping.limits)
            .map_err(|wavers| wavers.to_string())?;
        if runs.len() < self.passes_wanted() {
            return Err("there was no time to see it again".to_owned());
        }
        Ok(written)
    }

    /// The place of the user who sends a call.
    fn user_of(&self, call: &Call) -> Option<usize> {
        let users = &self.keeping.users;
        match &call.user {
            None if users.is_empty() => None,
            None => Some(0),
            Some(name) => users
                .iter()
                .position(|user| user.name.as_ref() == Some(name)),
        }
    }

    /// The finding as it shows in the first of the runs: where the service begins anew, its words
    /// are the same each time.
    fn seen_again(&self, candidate: &Candidate, runs: &[Episode]) -> Option<Finding> {
        let known = candidate.finding.as_ref()?;
        let found = runs.first().map(|run| self.hunt.judge.judge(run));
        let again = found
            .into_iter()
            .flatten()
            .find(|finding| finding.fingerprint() == known.fingerprint());
        Some(again.unwrap_or_else(|| known.clone()))
    }

    /// Runs a written test as it stands: what it expects must be so once more.
    async fn verified(&self, test: Test) -> Result<(), String> {
        let suite = Suite {
            users: self.keeping.users.clone(),
            ..Suite::default()
        };
        let script = fossick_suite::script(&suite, &test);
        let episode = self.run_on(&script).await;
        match judge(&test, &episode, &|_, _| None).first() {
            Some(broken) => Err(format!("step {}: {}", broken.step, broken.why)),
            None => Ok(()),
        }
    }
}

/// What a test is about, for people.
pub(super) fn what(candidate: &Candidate) -> String {
    if let Some(finding) = &candidate.finding {
        return format!("{} {}: {}", finding.code, finding.operation, finding.title);
    }
    let calls = &candidate.script.calls;
    let main = calls.iter().rev().find(|call| call.role == Role::Main);
    let label = main.or(calls.last()).map_or("", |call| &*call.operation);
    format!("{label} ({} calls)", calls.len())
}
