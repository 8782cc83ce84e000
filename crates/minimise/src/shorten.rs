//! Each test as short as it can be.

use std::collections::{BTreeSet, VecDeque};
use std::ops::ControlFlow;
use std::sync::Arc;

use fossick_plan::Plan;
use fossick_trace::{Episode, Target};

use crate::candidate::Candidate;
use crate::context::Context;
use crate::look::Look;
use crate::trial::Trial;

/// Attempts at making one test shorter.
const TRIALS: usize = 40;

/// Leaves out steps and values as long as what only this test reaches is still reached.
pub(crate) struct Shorten {
    tests: Vec<Candidate>,
    /// What others reach.
    elsewhere: BTreeSet<Target>,
    /// So many tests had or have their turn.
    begun: usize,
    turn: Option<Turn>,
}

/// One test that is being made shorter.
struct Turn {
    /// What only this test reaches.
    own: Vec<Target>,
    shorter: VecDeque<Plan>,
    trials: usize,
    look: Option<Look>,
}

impl Shorten {
    pub(crate) fn new(tests: Vec<Candidate>, others: &[Candidate]) -> Self {
        let elsewhere = others.iter().flat_map(|other| other.targets.clone());
        Self {
            tests,
            elsewhere: elsewhere.collect(),
            begun: 0,
            turn: None,
        }
    }

    pub(crate) fn propose(&mut self, context: &Context<'_>) -> Option<Trial> {
        loop {
            let turn = self.turn.as_mut();
            if let Some(trial) = turn.and_then(|turn| turn.propose(context)) {
                return Some(trial);
            }
            self.turn = Some(self.begin(context)?);
        }
    }

    fn begin(&mut self, context: &Context<'_>) -> Option<Turn> {
        let test = self.tests.get(self.begun)?;
        self.begun += 1;
        Some(Turn {
            own: self.own(self.begun - 1),
            shorter: shorter(test, context),
            trials: TRIALS,
            look: None,
        })
    }

    /// What only one of the tests reaches.
    fn own(&self, at: usize) -> Vec<Target> {
        let is_own = |target: &&Target| {
            let mut tests = self.tests.iter().enumerate();
            !self.elsewhere.contains(target)
                && !tests.any(|(other, test)| other != at && test.reaches(target))
        };
        let targets = self.tests[at].targets.iter();
        targets.filter(is_own).copied().collect()
    }

    pub(crate) fn learn(&mut self, context: &Context<'_>, episode: &Episode) {
        let Some(turn) = &mut self.turn else { return };
        let Some(look) = turn.look.take() else { return };
        match look.learn(context, episode) {
            ControlFlow::Continue(look) => turn.look = Some(look),
            ControlFlow::Break(seen) if turn.is_as_good(&seen.test) => {
                turn.shorter = shorter(&seen.test, context);
                self.tests[self.begun - 1] = seen.test;
            }
            ControlFlow::Break(_) => {}
        }
    }

    pub(crate) fn finish(self) -> Vec<Candidate> {
        self.tests
    }
}

impl Turn {
    fn propose(&mut self, context: &Context<'_>) -> Option<Trial> {
        if self.look.is_none() && context.may_shorten() {
            self.look = self.begin(context);
        }
        self.look.as_ref().map(Look::propose)
    }

    fn begin(&mut self, context: &Context<'_>) -> Option<Look> {
        self.trials = self.trials.checked_sub(1)?;
        let test = context.candidate(Arc::new(self.shorter.pop_front()?));
        Some(Look::everywhere(test, context))
    }

    fn is_as_good(&self, test: &Candidate) -> bool {
        test.reaches_all(self.own.iter()) && !test.borrows
    }
}

fn shorter(test: &Candidate, context: &Context<'_>) -> VecDeque<Plan> {
    let plan = test.plan.iter();
    plan.flat_map(|plan| context.shorter(plan)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{Desk, GET, LIST, MAKE, Shed, body, borrowing, labels, paths, with_last};
    use serde_json::json;

    fn shorten(
        tests: Vec<Candidate>,
        others: &[Candidate],
        context: &Context<'_>,
        shed: &mut Shed,
    ) -> Vec<Candidate> {
        let mut shorten = Shorten::new(tests, others);
        while let Some(trial) = shorten.propose(context) {
            shorten.learn(context, &shed.run(&trial));
        }
        shorten.finish()
    }

    /// Makes a tool with a note, lists all, and reads it in a language.
    fn talkative(context: &Context<'_>) -> Candidate {
        let steps = vec![
            context.make("saw", Some("blunt")),
            context.plain(LIST),
            with_last(context.of_made(GET, 0), "en"),
        ];
        context.chosen(steps, &[(LIST, 200), (GET, 200)])
    }

    #[test]
    fn what_nobody_needs_is_left_out_and_what_is_reached_stays() {
        let context = Desk::new().context();
        let tests = shorten(vec![talkative(&context)], &[], &context, &mut Shed::new());
        assert_eq!(paths(&tests[0]), ["/tools", "/tools", "/tools/{}"]);
        let made = &tests[0].script.calls[0].payload;
        assert!(!format!("{made:?}").contains("blunt"), "{made:?}");
    }

    #[test]
    fn what_the_service_asks_for_stays() {
        let context = Desk::new().context();
        let mut strict = Shed::with(|request, _| {
            let plain = request.target.starts_with("/tools/") && !request.target.contains("lang=");
            plain.then(|| (400, json!({})))
        });
        let tests = shorten(vec![talkative(&context)], &[], &context, &mut strict);
        assert_eq!(paths(&tests[0])[2], "/tools/{}?lang=en");
    }

    #[test]
    fn what_others_reach_need_not_be_reached() {
        let context = Desk::new().context();
        let other = context.chosen(vec![context.plain(LIST)], &[(LIST, 200)]);
        let fault = std::slice::from_ref(&other);
        let tests = shorten(vec![talkative(&context)], fault, &context, &mut Shed::new());
        assert_eq!(labels(&tests[0]), [MAKE, GET]);
        let both = vec![talkative(&context), other];
        let tests = shorten(both, &[], &context, &mut Shed::new());
        assert_eq!(labels(&tests[0]), [MAKE, GET]);
        assert_eq!(labels(&tests[1]), [LIST], "only this one lists them now");
    }

    #[test]
    fn a_shorter_test_that_counts_on_others_is_none() {
        let context = Desk::new().resetting();
        let steps = vec![with_last(borrowing(context.plain(GET), 0, json!(1)), "en")];
        let test = context.chosen(steps, &[(GET, 200)]);
        let mut shed = Shed::new().holding(1);
        let tests = shorten(vec![test], &[], &context, &mut shed);
        assert_eq!(paths(&tests[0]), ["/tools/1?lang=en"]);
        assert_eq!(shed.log.len(), 2, "it was tried wherever it may be run");
    }

    #[test]
    fn after_some_attempts_a_test_is_short_enough() {
        let context = Desk::new().context();
        let test = context.chosen(vec![context.plain(LIST); 60], &[(LIST, 418)]);
        let mut shed = Shed::new();
        shorten(vec![test], &[], &context, &mut shed);
        assert_eq!(shed.log.len(), TRIALS);
    }

    #[test]
    fn a_third_of_the_time_is_kept_for_the_runs() {
        let mut context = Desk::new().context();
        context.spent = 0.7;
        let mut shed = Shed::with(|request, _| Some((500, body(request))));
        let tests = shorten(vec![talkative(&context)], &[], &context, &mut shed);
        assert_eq!((tests.len(), shed.log.len()), (1, 0));
    }
}
