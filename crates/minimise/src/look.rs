//! Looking at one test: what it reaches on what others left behind, where the service begins anew,
//! and when it counts on nothing.

use std::ops::ControlFlow;

use fossick_trace::Episode;

use crate::absence::far_away;
use crate::candidate::Candidate;
use crate::context::Context;
use crate::trial::Trial;

pub(crate) struct Look {
    test: Candidate,
    run: Run,
    /// It is to be seen where the service begins anew, too.
    again: bool,
    how_far: usize,
}

/// What is run now.
enum Run {
    AsLeft,
    /// The same test about things that nobody will ever make.
    Far(Box<Candidate>),
    Anew,
}

/// A test that was looked at.
pub(crate) struct Seen {
    pub(crate) test: Candidate,
    /// How many of its calls succeed before one does not.
    pub(crate) how_far: usize,
}

impl Look {
    /// On what others left behind.
    pub(crate) fn as_left(test: Candidate) -> Self {
        Self {
            test,
            run: Run::AsLeft,
            again: false,
            how_far: 0,
        }
    }

    /// Where the service begins anew, if it can; what it reached before and not there goes.
    pub(crate) fn anew(test: Candidate) -> Self {
        Self {
            run: Run::Anew,
            ..Self::as_left(test)
        }
    }

    /// One, then the other.
    pub(crate) fn twice(test: Candidate) -> Self {
        Self {
            again: true,
            ..Self::as_left(test)
        }
    }

    /// Wherever it may be run.
    pub(crate) fn everywhere(test: Candidate, context: &Context<'_>) -> Self {
        Self {
            again: context.settings.resets,
            ..Self::as_left(test)
        }
    }

    pub(crate) fn propose(&self) -> Trial {
        match &self.run {
            Run::AsLeft => Trial::as_left(&self.test.script),
            Run::Far(far) => Trial::as_left(&far.script),
            Run::Anew => Trial::anew(&self.test.script),
        }
    }

    /// Goes on looking, or is done.
    pub(crate) fn learn(
        mut self,
        context: &Context<'_>,
        episode: &Episode,
    ) -> ControlFlow<Seen, Self> {
        match std::mem::replace(&mut self.run, Run::Anew) {
            Run::AsLeft => {
                self.test.see(context, episode);
                self.how_far = successes(episode);
                if let Some(far) = far_test(&self.test, context, episode) {
                    self.run = Run::Far(Box::new(far));
                    return ControlFlow::Continue(self);
                }
            }
            Run::Far(far) => self.prefer(*far, context, episode),
            Run::Anew => {
                self.test.see_again(context, episode);
                self.again = false;
            }
        }
        if self.again {
            return ControlFlow::Continue(self);
        }
        ControlFlow::Break(Seen {
            test: self.test,
            how_far: self.how_far,
        })
    }

    /// A test that counts on nothing is worth what it reaches; a fault's must tell as much.
    fn prefer(&mut self, mut far: Candidate, context: &Context<'_>, episode: &Episode) {
        far.see(context, episode);
        let tells_as_much = match &far.finding {
            None => true,
            Some(finding) => {
                context.shown(finding, episode).is_some()
                    && far.reaches_all(self.test.targets.iter())
            }
        };
        if tells_as_much {
            self.test = far;
        }
    }
}

/// A test that counts on somebody or nobody having made a thing asks for one that nobody will ever
/// make instead.
fn far_test(test: &Candidate, context: &Context<'_>, episode: &Episode) -> Option<Candidate> {
    let script = far_away(&test.script, episode, !context.settings.resets)?;
    Some(Candidate {
        borrows: test.borrows && test.script.calls.len() > 1,
        script,
        ..test.clone()
    })
}

fn successes(episode: &Episode) -> usize {
    let exchanges = episode.exchanges.iter();
    exchanges.take_while(|e| e.outcome.is_success()).count()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{Desk, GET, LIST, Shed, paths};
    use serde_json::json;

    /// Looks until it is done.
    fn look(mut look: Look, context: &Context<'_>, shed: &mut Shed) -> Seen {
        loop {
            let episode = shed.run(&look.propose());
            match look.learn(context, &episode) {
                ControlFlow::Continue(more) => look = more,
                ControlFlow::Break(seen) => return seen,
            }
        }
    }

    #[test]
    fn what_nobody_made_is_asked_for_where_nobody_will_make_it() {
        let context = Desk::new().resetting();
        let test = context.test(vec![context.about(GET, 49)]);
        let seen = look(Look::as_left(test), &context, &mut Shed::new());
        assert_eq!(paths(&seen.test), ["/tools/2100000049"]);
        assert!(seen.test.reaches(&context.status(GET, 404)) && !seen.test.works);
    }

    #[test]
    fn what_somebody_made_stays_where_the_service_begins_anew() {
        let context = Desk::new().resetting();
        let test = context.test(vec![context.about(GET, 1)]);
        let mut shed = Shed::new().holding(1);
        let seen = look(Look::as_left(test), &context, &mut shed);
        assert_eq!(
            (paths(&seen.test), seen.how_far),
            (vec!["/tools/1".to_owned()], 1)
        );
        assert_eq!(shed.log.len(), 1);
    }

    #[test]
    fn what_somebody_made_counts_for_nothing_where_it_does_not() {
        let context = Desk::new().context();
        let test = context.test(vec![context.about(GET, 1)]);
        let seen = look(Look::as_left(test), &context, &mut Shed::new().holding(1));
        assert_eq!(paths(&seen.test), ["/tools/2100000001"]);
        assert!(!seen.test.reaches(&context.status(GET, 200)));
        assert_eq!(seen.how_far, 1, "of the test as it was");
    }

    #[test]
    fn a_test_of_one_call_that_asks_for_nobodys_thing_borrows_no_more() {
        let context = Desk::new().context();
        let borrowing = |steps| Candidate {
            borrows: true,
            ..context.test(steps)
        };
        let one = borrowing(vec![context.about(GET, 5)]);
        let two = borrowing(vec![context.about(GET, 5), context.plain(LIST)]);
        let after = |test| look(Look::as_left(test), &context, &mut Shed::new()).test;
        assert!(!after(one).borrows);
        assert!(after(two).borrows);
    }

    #[test]
    fn a_fault_is_moved_only_where_that_tells_as_much() {
        let context = Desk::new().context();
        let fails = |request: &fossick_trace::Request, _| {
            (request.target == "/tools").then(|| (500, json!({})))
        };
        let test = context.test(vec![context.about(GET, 1), context.plain(LIST)]);
        let finding = context.finding("F101", &test, &mut Shed::with(fails));
        let fault = Candidate {
            finding: Some(finding),
            ..test
        };
        let after = |shed: Shed| {
            let mut shed = shed;
            look(Look::as_left(fault.clone()), &context, &mut shed).test
        };
        let nobodys = after(Shed::with(fails));
        assert_eq!(paths(&nobodys), ["/tools/2100000001", "/tools"]);
        let somebodys = after(Shed::with(fails).holding(1));
        assert_eq!(
            paths(&somebodys),
            ["/tools/1", "/tools"],
            "200 is told only here"
        );
    }

    #[test]
    fn a_fault_that_does_not_show_far_away_stays_where_it_is() {
        let context = Desk::new().context();
        let after_the_first = || {
            let mut first = false;
            Shed::with(move |request, _| {
                let lists = request.target == "/tools";
                let wrong = lists && first;
                first = request.target == "/tools/1";
                wrong.then(|| (200, json!([{"id": 1, "name": 7}])))
            })
        };
        let test = context.test(vec![context.about(GET, 1), context.plain(LIST)]);
        let finding = context.finding("F201", &test, &mut after_the_first());
        let fault = Candidate {
            finding: Some(finding),
            ..test
        };
        let seen = look(Look::as_left(fault), &context, &mut after_the_first());
        assert_eq!(paths(&seen.test), ["/tools/1", "/tools"]);
    }

    #[test]
    fn a_test_is_worth_what_it_reaches_wherever_it_is_run() {
        let context = Desk::new().resetting();
        let test = || context.test(vec![context.about(GET, 1)]);
        let mut shed = Shed::new().holding(1).resetting();
        let seen = look(Look::twice(test()), &context, &mut shed);
        assert!(seen.test.targets.is_empty(), "{:?}", seen.test.targets);
        assert_eq!(
            shed.log,
            ["as left: GET /tools/{id}", "anew: GET /tools/{id}"]
        );
        let mut shed = Shed::new().holding(1);
        look(Look::everywhere(test(), &context), &context, &mut shed);
        assert_eq!(shed.log.len(), 2);
    }

    #[test]
    fn where_nothing_begins_anew_one_look_is_everywhere() {
        let context = Desk::new().context();
        let test = context.test(vec![context.plain(LIST)]);
        let mut shed = Shed::new();
        look(Look::everywhere(test, &context), &context, &mut shed);
        assert_eq!(shed.log, ["as left: GET /tools"]);
    }
}
