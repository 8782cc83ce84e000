//! What every stage may ask: the contract, the oracles, the settings, and how much time is left.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use fossick_contract::Api;
use fossick_oracles::Judge;
use fossick_plan::{Plan, Spot};
use fossick_search::{Provenance, Shrinker, borrows, targets_of, targets_of_script};
use fossick_suite::{Limits, Suite, Test, User};
use fossick_trace::{Call, Episode, Finding, Location, Script, Severity, Target};
use fossick_validate::Validators;

use crate::candidate::Candidate;
use crate::guests::{meets_a_leftover, meets_by_chance, misses_by_chance, shows_a_guest};

/// How a suite is made.
#[derive(Debug, Clone, Default)]
pub struct Settings {
    pub limits: Limits,
    pub users: Vec<User>,
    /// The service can be brought back to where it was.
    pub resets: bool,
    /// Host and port of the service: others run the suite against a copy somewhere else.
    pub authority: String,
}

pub(crate) struct Context<'a> {
    pub(crate) api: &'a Api,
    pub(crate) judge: &'a Judge<'a>,
    shrinker: Shrinker<'a>,
    labels: Vec<Arc<str>>,
    pub(crate) settings: Settings,
    /// The used share of the time; more than one when it is up.
    pub(crate) spent: f64,
    /// Operations that took long to answer: tests with them are seen last.
    slow: BTreeSet<Arc<str>>,
    /// Where things come from, where somebody looked at the start.
    provenance: Option<Provenance>,
}

/// So often every test is run before it is kept.
pub(crate) const RUNS: usize = 3;

/// Half of the time is for seeing what there is.
const TO_MEASURE: f64 = 1.0 / 2.0;
/// A third of the time is kept for the three runs.
const TO_SHORTEN: f64 = 2.0 / 3.0;

impl<'a> Context<'a> {
    pub(crate) fn new(
        api: &'a Api,
        validators: &'a Validators,
        judge: &'a Judge<'a>,
        settings: Settings,
        unique: Vec<BTreeSet<Spot>>,
        provenance: Option<Provenance>,
    ) -> Self {
        let labels = api.operations.iter().map(|o| Arc::from(o.label.as_str()));
        // What is left out is no matter of chance, so any seed will do.
        let mut shrinker = Shrinker::new(api, validators, 0);
        shrinker.spare(unique);
        Self {
            api,
            judge,
            shrinker,
            labels: labels.collect(),
            settings,
            spent: 0.0,
            slow: BTreeSet::new(),
            provenance,
        }
    }

    /// Remembers what took long.
    pub(crate) fn note_slow(&mut self, episode: &Episode) {
        const LONG: Duration = Duration::from_millis(800);
        for (call, exchange) in episode.script.calls.iter().zip(&episode.exchanges) {
            let answer = exchange.outcome.answer();
            if answer.is_some_and(|answer| answer.elapsed > LONG) {
                self.slow.insert(Arc::clone(&call.operation));
            }
        }
    }

    /// Whether a test may take long. One of a fault is worth it.
    pub(crate) fn is_slow(&self, test: &Candidate) -> bool {
        let mut calls = test.script.calls.iter();
        test.finding.is_none() && calls.any(|call| self.slow.contains(&call.operation))
    }

    pub(crate) fn may_measure(&self) -> bool {
        self.spent < TO_MEASURE
    }

    pub(crate) fn may_shorten(&self) -> bool {
        self.spent <= TO_SHORTEN
    }

    pub(crate) fn is_late(&self) -> bool {
        self.spent > 1.0
    }

    /// So late that even what is nearly done is left.
    pub(crate) fn is_overdue(&self) -> bool {
        self.spent > 2.5
    }

    /// On a service that begins anew each time everything is equal, the first tool and the first
    /// loan alike; a last pass on what the whole suite left behind tells them apart, and those who
    /// run the suite may not be able to reset anything.
    pub(crate) fn passes(&self) -> usize {
        RUNS + usize::from(self.settings.resets)
    }

    pub(crate) fn candidate(&self, plan: Arc<Plan>) -> Candidate {
        let script = self.shrinker.repeatable(&self.labels, &plan);
        Candidate {
            borrows: borrows(&plan),
            plan: Some(plan),
            ..Candidate::new(script)
        }
    }

    /// Plans that leave something out, the boldest first.
    pub(crate) fn shorter(&self, plan: &Plan) -> impl Iterator<Item = Plan> {
        let shows = plan.steps.len().saturating_sub(1);
        let shorter = self.shrinker.shorter(plan, shows);
        shorter.into_iter().map(|(plan, _)| plan)
    }

    /// What a test reaches in an episode, in order.
    pub(crate) fn targets(&self, test: &Candidate, episode: &Episode) -> Vec<Target> {
        match &test.plan {
            Some(plan) => targets_of(self.api, plan, episode),
            None => targets_of_script(self.api, episode),
        }
    }

    /// A finding as it shows in an episode, if it does.
    pub(crate) fn shown(&self, known: &Finding, episode: &Episode) -> Option<Finding> {
        let found = self.judge.judge(episode);
        found.into_iter().find(|found| found.is_of_fault(known))
    }

    /// The faults that an episode shows, and values that are wrong in a small way: a test of what
    /// works holds on to neither.
    pub(crate) fn flaws(&self, episode: &Episode) -> impl Iterator<Item = Finding> {
        let of_value = |finding: &Finding| matches!(finding.location, Location::Body { .. });
        let found = self.judge.judge(episode).into_iter();
        found.filter(move |finding| finding.severity > Severity::Low || of_value(finding))
    }

    /// Whether an answer fails over somebody else's thing; where the service can't begin anew
    /// nothing else would show that.
    pub(crate) fn is_guest(&self, episode: &Episode) -> bool {
        let by_chance = |known| meets_by_chance(self.api, known, episode);
        !self.settings.resets
            && (shows_a_guest(episode)
                || meets_a_leftover(self.api, episode)
                || misses_by_chance(self.api, episode)
                || self.provenance.as_ref().is_some_and(by_chance))
    }

    /// The place of the user who sends a call.
    pub(crate) fn user_of(&self, call: &Call) -> Option<usize> {
        let users = &self.settings.users;
        match &call.user {
            None if users.is_empty() => None,
            None => Some(0),
            Some(name) => users
                .iter()
                .position(|user| user.name.as_ref() == Some(name)),
        }
    }

    /// A written test as it will be run.
    pub(crate) fn script(&self, test: &Test) -> Script {
        let suite = Suite {
            users: self.settings.users.clone(),
            ..Suite::default()
        };
        fossick_suite::script(&suite, test)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{Desk, LIST};

    #[test]
    fn time_is_shared_out_among_the_stages() {
        let mut context = Desk::new().context();
        let allowed = |context: &Context<'_>| {
            (
                context.may_measure(),
                context.may_shorten(),
                !context.is_late(),
            )
        };
        for (spent, wanted) in [
            (0.0, (true, true, true)),
            (0.5, (false, true, true)),
            (0.7, (false, false, true)),
            (1.1, (false, false, false)),
            (f64::INFINITY, (false, false, false)),
        ] {
            context.spent = spent;
            assert_eq!(allowed(&context), wanted, "{spent}");
        }
    }

    #[test]
    fn calls_of_nobody_in_particular_are_the_first_users() {
        let mut context = Desk::new().context();
        let mut call = context
            .test(vec![context.plain(LIST)])
            .script
            .calls
            .remove(0);
        assert_eq!(context.user_of(&call), None);
        let named = |name: &str| User {
            name: Some(name.to_owned()),
            ..User::default()
        };
        context.settings.users = vec![named("ann"), named("bob")];
        assert_eq!(context.user_of(&call), Some(0));
        for (name, place) in [("bob", Some(1)), ("eve", None)] {
            call.user = Some(name.to_owned());
            assert_eq!(context.user_of(&call), place, "{name}");
        }
    }
}
