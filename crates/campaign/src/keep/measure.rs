//! What each test reaches by itself.

use std::time::Instant;

use fossick_trace::{Episode, Finding};
use serde_json::Value;

use super::absence::far_away;
use super::{Candidate, Keeper, Wavering, reaches_all, write_down};

impl Keeper<'_, '_> {
    /// Runs every test twice more to see all that it reaches: on what the run left behind, and
    /// where the service begins anew, if it can. What it reaches both times it reaches by itself.
    pub(super) async fn measure(&self, faults: &mut [Candidate], archived: &mut [Candidate]) {
        for candidate in faults.iter_mut().chain(archived.iter_mut()) {
            if self.has_time_to_measure() {
                self.look_at(candidate).await;
            }
        }
        for candidate in faults.iter_mut().chain(archived.iter_mut()) {
            if self.has_time_to_measure() {
                self.look_again(candidate).await;
            }
        }
    }

    pub(super) fn has_time_to_measure(&self) -> bool {
        Instant::now() + self.keeping.time / 2 < self.end
    }

    /// Sees what a test reaches wherever it is run: on what others left behind, and where the
    /// service begins anew.
    pub(super) async fn look(&self, candidate: &mut Candidate) {
        self.look_at(candidate).await;
        if self.keeping.reset.is_some() {
            self.look_again(candidate).await;
        }
    }

    /// Runs a test on what the run left behind; tells how many of its calls succeed before one
    /// does not.
    pub(super) async fn look_at(&self, candidate: &mut Candidate) -> usize {
        let episode = self.run_on(&candidate.script).await;
        candidate.targets = self.targets(candidate, &episode);
        candidate.works = works(&episode);
        candidate.borrows |= self.is_guest(&episode);
        self.count_on_nothing(candidate, &episode).await;
        let exchanges = episode.exchanges.iter();
        exchanges.take_while(|e| e.outcome.is_success()).count()
    }

    /// Runs a test where the service begins anew, if it can; only what it reaches there too stays.
    pub(super) async fn look_again(&self, candidate: &mut Candidate) {
        let episode = self.run(&candidate.script).await;
        let again = self.targets(candidate, &episode);
        candidate
            .targets
            .retain(|target| again.binary_search(target).is_ok());
        candidate.borrows |= self.is_guest(&episode);
    }

    /// A test that counts on somebody or nobody having made a thing asks for one that nobody will
    /// ever make instead, and is worth what it reaches then.
    async fn count_on_nothing(&self, candidate: &mut Candidate, episode: &Episode) {
        let all = self.keeping.reset.is_none();
        let Some(script) = far_away(&candidate.script, episode, all) else {
            return;
        };
        let mut far = Candidate {
            borrows: candidate.borrows && candidate.script.calls.len() > 1,
            script,
            ..candidate.clone()
        };
        let episode = self.run_on(&far.script).await;
        far.targets = self.targets(&far, &episode);
        far.works = works(&episode);
        far.borrows |= self.is_guest(&episode);
        let tells_as_much =
            || self.shows(&far, &episode) && reaches_all(&far.targets, candidate.targets.iter());
        if far.finding.is_none() || tells_as_much() {
            *candidate = far;
        }
    }

    /// Whether a test shows its fault in an episode.
    fn shows(&self, candidate: &Candidate, episode: &Episode) -> bool {
        let known = candidate.finding.as_ref().map(Finding::fingerprint);
        let found = self.hunt.judge.judge(episode);
        known.is_some_and(|known| found.iter().any(|finding| finding.fingerprint() == known))
    }

    /// Whether an answer fails over an item of a list. Who stands there is a matter of what others
    /// made; where the service can't begin anew nothing else would show that.
    pub(super) fn is_guest(&self, episode: &Episode) -> bool {
        let answers = episode.exchanges.iter().map(|e| e.outcome.answer());
        self.keeping.reset.is_none()
            && answers
                .flatten()
                .any(|answer| answer.json().is_some_and(fails_over_an_item))
    }
}

/// Faults that show only over somebody else's things are left out where the same cause shows
/// over the test's own: these come back on a service that begins anew.
pub(super) fn leave_guests_out(faults: &mut Vec<Candidate>) -> Vec<Wavering> {
    let cause = |fault: &Candidate| {
        let finding = fault.finding.as_ref();
        finding.map(|finding| (finding.code.clone(), finding.cause.clone()))
    };
    let hosts: Vec<_> = faults.iter().filter(|f| !f.borrows).map(cause).collect();
    let (guests, own): (Vec<Candidate>, _) = std::mem::take(faults)
        .into_iter()
        .partition(|fault| fault.borrows && hosts.contains(&cause(fault)));
    *faults = own;
    let told = |guest: &Candidate| Wavering {
        what: write_down::what(guest),
        why: "it shows only over things that others made".to_owned(),
    };
    guests.iter().map(told).collect()
}

/// Whether what a test is about succeeded.
fn works(episode: &Episode) -> bool {
    let last = episode.exchanges.last();
    episode.is_complete() && last.is_some_and(|last| last.outcome.is_success())
}

/// Whether a GraphQL answer has an error whose path leads through a list.
fn fails_over_an_item(body: &Value) -> bool {
    let errors = body.get("errors").and_then(Value::as_array);
    let paths = errors
        .into_iter()
        .flatten()
        .filter_map(|error| error.get("path")?.as_array());
    paths.flatten().any(Value::is_number)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn an_error_below_a_list_is_about_an_item() {
        let at = |path: Value| json!({"data": null, "errors": [{"message": "no", "path": path}]});
        assert!(fails_over_an_item(&at(json!(["books", 3, "reviews"]))));
        assert!(!fails_over_an_item(&at(json!(["addReview", "comment"]))));
        assert!(!fails_over_an_item(&at(Value::Null)));
        assert!(!fails_over_an_item(&json!({"path": [1]})));
    }
}
