//! A test on its way into the suite.

use std::sync::Arc;
use std::time::Duration;

use fossick_contract::is_uuid;
use fossick_plan::Plan;
use fossick_trace::{Call, Episode, Finding, Role, Script, Target, Unique};

use crate::condense::condensed;
use crate::context::Context;

#[derive(Debug, Clone, Default)]
pub(crate) struct Candidate {
    pub(crate) script: Script,
    pub(crate) plan: Option<Arc<Plan>>,
    pub(crate) finding: Option<Finding>,
    /// What it reaches now, in order.
    pub(crate) targets: Vec<Target>,
    /// What it reached when it came into the archive.
    pub(crate) reached_once: Vec<Target>,
    /// What it is about succeeded when it was run.
    pub(crate) works: bool,
    /// It counts on what others made: it holds values that earlier answers gave, or shows an error
    /// of somebody else's thing.
    pub(crate) borrows: bool,
    /// How long its answers took together.
    pub(crate) took: Duration,
    /// The tests that it was joined from.
    pub(crate) parts: Vec<Candidate>,
}

impl Candidate {
    pub(crate) fn new(mut script: Script) -> Self {
        // Whoever runs the tests makes names anew by exchanging letters; a UUID would be none then.
        let is_plain = |name: &Unique| name.as_text().is_some_and(|text| !is_uuid(text));
        script.names.retain(is_plain);
        Self {
            script: condensed(script),
            ..Self::default()
        }
    }

    /// Notes what it reaches, as a run shows.
    pub(crate) fn see(&mut self, context: &Context<'_>, episode: &Episode) {
        self.targets = context.targets(self, episode);
        self.works = works(episode);
        self.took = took(episode);
        self.borrows |= context.is_guest(episode);
    }

    /// Notes what it reaches in another run: only what it reaches there too stays.
    pub(crate) fn see_again(&mut self, context: &Context<'_>, episode: &Episode) {
        let again = context.targets(self, episode);
        self.targets
            .retain(|target| again.binary_search(target).is_ok());
        self.borrows |= context.is_guest(episode);
    }

    /// It waits so long for answers that others are better, if they reach the same.
    pub(crate) fn is_slow(&self) -> bool {
        self.took > Duration::from_millis(500)
    }

    /// Nobody waits so long for a test that shows no fault.
    pub(crate) fn is_too_slow(&self) -> bool {
        self.took > Duration::from_millis(1_500)
    }

    pub(crate) fn reaches(&self, target: &Target) -> bool {
        self.targets.binary_search(target).is_ok()
    }

    pub(crate) fn reaches_all<'t>(&self, mut wanted: impl Iterator<Item = &'t Target>) -> bool {
        wanted.all(|target| self.reaches(target))
    }

    /// The label of the operation that it is about.
    pub(crate) fn subject(&self) -> &str {
        let calls = &self.script.calls;
        let is_main = |call: &&Call| call.role == Role::Main;
        let main = calls.iter().rev().find(is_main);
        main.or(calls.last()).map_or("", |call| &*call.operation)
    }

    /// What it is about, for people.
    pub(crate) fn what(&self) -> String {
        match &self.finding {
            Some(finding) => format!("{} {}: {}", finding.code, finding.operation, finding.title),
            None => format!("{} ({} calls)", self.subject(), self.script.calls.len()),
        }
    }

    /// One that was not joined yet is its own part.
    pub(crate) fn own_parts(&self) -> Vec<Self> {
        if self.parts.is_empty() {
            return vec![self.clone()];
        }
        self.parts.clone()
    }
}

/// Whether what a test is about succeeded.
fn works(episode: &Episode) -> bool {
    let last = episode.exchanges.last();
    episode.is_complete() && last.is_some_and(|last| last.outcome.is_success())
}

/// Calls of all of them.
pub(crate) fn calls<'c>(candidates: impl IntoIterator<Item = &'c Candidate>) -> usize {
    let calls = |candidate: &Candidate| candidate.script.calls.len();
    candidates.into_iter().map(calls).sum()
}

/// How long the answers of an episode took together.
pub(crate) fn took(episode: &Episode) -> Duration {
    let answers = episode.exchanges.iter().map(|e| e.outcome.answer());
    answers.flatten().map(|answer| answer.elapsed).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{Desk, GET, LIST, Shed, over_an_item};
    use serde_json::json;

    #[test]
    fn a_uuid_is_no_name_to_be_made_anew() {
        let uuid = "8c7a2f9e-4f0b-4f7e-9b43-5d1c2f6a7b8c";
        let script = Script {
            names: ["amber", uuid]
                .map(|name| Unique::Text(name.to_owned()))
                .into(),
            ..Script::default()
        };
        let amber = Unique::Text("amber".to_owned());
        assert_eq!(Candidate::new(script).script.names, [amber]);
    }

    #[test]
    fn what_it_reaches_once_and_not_again_goes() {
        let context = Desk::new().context();
        let mut test = context.test(vec![context.about(GET, 1)]);
        let trial = crate::Trial::as_left(&test.script);
        test.see(&context, &Shed::new().holding(1).run(&trial));
        assert!(test.works && test.reaches(&context.status(GET, 200)));
        test.see_again(&context, &Shed::new().run(&trial));
        assert!(test.targets.is_empty(), "{:?}", test.targets);
    }

    #[test]
    fn a_failure_over_somebodys_thing_is_borrowed_where_nothing_begins_anew() {
        for (context, borrows) in [
            (Desk::new().context(), true),
            (Desk::new().resetting(), false),
        ] {
            let mut shed = Shed::with(|_, _| Some((200, over_an_item())));
            let mut test = context.test(vec![context.plain(LIST)]);
            let episode = shed.run(&crate::Trial::as_left(&test.script));
            test.see(&context, &episode);
            assert_eq!(test.borrows, borrows);
        }
    }

    #[test]
    fn what_got_not_to_its_end_does_not_work() {
        let context = Desk::new().context();
        let mut shed = Shed::with(|_, _| Some((201, json!({"name": "saw"}))));
        let mut test = context.test(vec![context.make("saw", None), context.of_made(GET, 0)]);
        let episode = shed.run(&crate::Trial::as_left(&test.script));
        assert_eq!(episode.exchanges.len(), 1, "nobody told the number");
        test.see(&context, &episode);
        assert!(!test.works);
    }

    #[test]
    fn a_test_is_about_its_last_main_call() {
        let context = Desk::new().context();
        let mut look = context.plain(LIST);
        look.role = Role::Check;
        let test = context.test(vec![
            context.make("saw", None),
            context.of_made(GET, 0),
            look,
        ]);
        assert_eq!(test.what(), "GET /tools/{id} (3 calls)");
    }
}
