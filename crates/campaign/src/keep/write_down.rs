//! What was seen, as tests; and what wavers, as what it is.

use fossick_suite::{Sighting, Suite, Test, judge, write};
use fossick_trace::{Call, Episode, Finding, Role};

use super::{Candidate, Keeper, Kept, Wavering};

impl Keeper<'_, '_> {
    /// Writes tests down; tells which of them stay.
    pub(super) async fn write_down(
        &self,
        candidates: &[Candidate],
        runs: &[Vec<Episode>],
        kept: &mut Kept,
    ) -> Vec<bool> {
        let user_of = |call: &Call| match &call.user {
            None if self.keeping.users.is_empty() => None,
            None => Some(0),
            Some(name) => self
                .keeping
                .users
                .iter()
                .position(|user| user.name.as_ref() == Some(name)),
        };
        let mut stays = Vec::with_capacity(candidates.len());
        for (candidate, runs) in candidates.iter().zip(runs) {
            let finding = self.seen_again(candidate, runs);
            let sighting = Sighting {
                script: &candidate.script,
                runs,
                finding: finding.as_ref(),
            };
            let written = write(self.hunt.api, &sighting, &user_of, self.keeping.limits);
            let outcome = match written {
                Ok(_) if runs.len() < self.passes_wanted() => {
                    Err("there was no time to see it again".to_owned())
                }
                Ok(written) => self.verified(written.test.clone()).await.map(|()| written),
                Err(wavers) => Err(wavers.to_string()),
            };
            stays.push(outcome.is_ok());
            match outcome {
                Ok(mut written) => {
                    let promised = &mut kept.promised;
                    promised.promise(self.hunt.api, &candidate.script, runs, &mut written.test);
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
