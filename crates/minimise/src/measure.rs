//! What each test reaches by itself.
//!
//! Every test is run twice more to see all that it reaches: on what the run left behind, and where
//! the service begins anew, if it can. What it reaches both times it reaches by itself. All are
//! seen once before the first is seen again: much may have happened in between.

use std::ops::ControlFlow;
use std::time::Duration;

use fossick_trace::Episode;

use crate::candidate::Candidate;
use crate::context::Context;
use crate::look::Look;
use crate::trial::Trial;

pub(crate) struct Measure {
    tests: Vec<Candidate>,
    /// So many looks were begun: one at each test, then another.
    begun: usize,
    look: Option<Look>,
}

impl Measure {
    pub(crate) fn new(tests: Vec<Candidate>) -> Self {
        Self {
            tests,
            begun: 0,
            look: None,
        }
    }

    pub(crate) fn propose(&mut self, context: &Context<'_>) -> Option<Trial> {
        while self.look.is_none() && context.may_measure() && self.begun < 2 * self.tests.len() {
            let at = self.begun % self.tests.len();
            if context.is_slow(&self.tests[at]) {
                self.tests[at].took = Duration::MAX;
                self.begun += 1;
                continue;
            }
            self.look = self.begin();
        }
        self.look.as_ref().map(Look::propose)
    }

    fn begin(&mut self) -> Option<Look> {
        let count = self.tests.len();
        let test = |at: usize| self.tests.get(at).cloned();
        let look = match self.begun.checked_sub(count) {
            None => Look::as_left(test(self.begun)?),
            Some(again) => Look::anew(test(again)?),
        };
        self.begun += 1;
        Some(look)
    }

    pub(crate) fn learn(&mut self, context: &Context<'_>, episode: &Episode) {
        let Some(look) = self.look.take() else { return };
        match look.learn(context, episode) {
            ControlFlow::Continue(look) => self.look = Some(look),
            ControlFlow::Break(seen) => {
                let at = (self.begun - 1) % self.tests.len();
                self.tests[at] = seen.test;
            }
        }
    }

    /// The tests with what they reach, in their order.
    pub(crate) fn finish(self) -> Vec<Candidate> {
        self.tests
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{Desk, GET, LIST, Shed, paths};

    #[test]
    fn all_are_seen_once_before_the_first_is_seen_again() {
        let context = Desk::new().resetting();
        let tests = vec![
            context.test(vec![context.plain(LIST)]),
            context.test(vec![context.about(GET, 1)]),
        ];
        let mut measure = Measure::new(tests);
        let mut shed = Shed::new().holding(1).resetting();
        while let Some(trial) = measure.propose(&context) {
            measure.learn(&context, &shed.run(&trial));
        }
        let order = [
            "as left: GET /tools",
            "as left: GET /tools/{id}",
            "anew: GET /tools",
            "anew: GET /tools/{id}",
        ];
        assert_eq!(shed.log, order);
        let tests = measure.finish();
        assert!(tests[0].reaches(&context.status(LIST, 200)));
        assert!(tests[1].targets.is_empty(), "its tool is gone");
    }

    #[test]
    fn after_half_of_the_time_what_is_begun_is_ended_and_no_more() {
        let mut context = Desk::new().context();
        let archived = Candidate {
            targets: vec![context.status(LIST, 200)],
            ..context.test(vec![context.plain(LIST)])
        };
        let tests = vec![context.test(vec![context.about(GET, 3)]), archived];
        let mut measure = Measure::new(tests);
        let mut shed = Shed::new();
        let first = measure.propose(&context).expect("there is time");
        measure.learn(&context, &shed.run(&first));
        context.spent = 0.5;
        let far = measure.propose(&context).expect("it is under way");
        measure.learn(&context, &shed.run(&far));
        assert_eq!(measure.propose(&context), None);
        let tests = measure.finish();
        assert_eq!(paths(&tests[0]), ["/tools/2100000003"]);
        assert_eq!(tests[1].targets, [context.status(LIST, 200)], "as archived");
    }

    #[test]
    fn no_tests_take_no_time() {
        let context = Desk::new().context();
        assert_eq!(Measure::new(Vec::new()).propose(&context), None);
    }
}
