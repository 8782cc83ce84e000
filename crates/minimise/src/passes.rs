//! The whole suite, a few times, forwards and backwards.
//!
//! What differs between the passes, or depends on what other tests left behind, shows. Whatever
//! the time, every test is run once; where it is up, quick ones are still run as often as it takes.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

use fossick_trace::Episode;

use crate::candidate::{Candidate, took};
use crate::context::{Context, RUNS};
use crate::trial::Trial;

pub(crate) struct Passes {
    tests: Vec<Candidate>,
    /// The whole suite, which is run before the last pass where the others began anew.
    whole: Arc<[Candidate]>,
    runs: Vec<Vec<Episode>>,
    waiting: VecDeque<Turn>,
    now: Option<Turn>,
}

/// Somebody's turn to be run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Turn {
    /// A test of the suite, in one of the passes.
    See { at: usize, pass: usize },
    /// One that is only there to leave something behind.
    Leave(usize),
}

impl Passes {
    /// Some tests of the whole suite.
    pub(crate) fn new(
        tests: Vec<Candidate>,
        whole: &Arc<[Candidate]>,
        context: &Context<'_>,
    ) -> Self {
        Self {
            runs: vec![Vec::new(); tests.len()],
            waiting: turns(context.passes(), tests.len(), whole.len()),
            tests,
            whole: Arc::clone(whole),
            now: None,
        }
    }

    pub(crate) fn propose(&mut self, context: &Context<'_>) -> Option<Trial> {
        let late = context.is_late();
        if late {
            let (tests, runs, overdue) = (&self.tests, &self.runs, context.is_overdue());
            self.waiting.retain(|turn| {
                let first = turn.is_first() && turn.is_worth_it(tests, context);
                first || (!overdue && turn.is_quick(runs))
            });
        }
        let turn = self.waiting.pop_front()?;
        self.now = Some(turn);
        Some(match turn {
            Turn::See { at, pass } if pass < RUNS => Trial::anew(&self.tests[at].script),
            Turn::See { at, .. } => Trial::as_left(&self.tests[at].script),
            Turn::Leave(at) => Trial::as_left(&self.whole[at].script),
        })
    }

    pub(crate) fn learn(&mut self, episode: Episode) {
        if let Some(Turn::See { at, .. }) = self.now.take() {
            self.runs[at].push(episode);
        }
    }

    /// Each test with what came of it.
    pub(crate) fn finish(self) -> impl Iterator<Item = (Candidate, Vec<Episode>)> {
        self.tests.into_iter().zip(self.runs)
    }
}

impl Turn {
    fn is_first(self) -> bool {
        matches!(self, Self::See { pass: 0, .. })
    }

    /// One that waits long for answers is not begun late, unless it shows a fault.
    fn is_worth_it(self, tests: &[Candidate], context: &Context<'_>) -> bool {
        match self {
            Self::See { at, .. } => {
                let slow = tests[at].is_slow() || context.is_slow(&tests[at]);
                tests[at].finding.is_some() || !slow
            }
            Self::Leave(_) => false,
        }
    }

    fn is_quick(self, runs: &[Vec<Episode>]) -> bool {
        const QUICK: Duration = Duration::from_millis(250);
        let run = match self {
            Self::See { at, .. } => runs[at].first(),
            Self::Leave(_) => None,
        };
        run.is_some_and(|run| took(run) < QUICK)
    }
}

fn turns(passes: usize, tests: usize, whole: usize) -> VecDeque<Turn> {
    let mut turns = VecDeque::new();
    for pass in 0..passes {
        // Nobody would meet what is left behind where nobody is to be seen.
        if pass == RUNS && tests > 0 {
            turns.extend((0..whole).map(Turn::Leave));
        }
        let forwards = pass % 2 == 0;
        let place = |step| if forwards { step } else { tests - 1 - step };
        turns.extend((0..tests).map(|step| Turn::See {
            at: place(step),
            pass,
        }));
    }
    turns
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{Desk, LIST, LOANS, Shed};

    fn two(context: &Context<'_>) -> Vec<Candidate> {
        let labels = [LIST, LOANS].into_iter();
        labels
            .map(|label| context.test(vec![context.plain(label)]))
            .collect()
    }

    fn passes(context: &Context<'_>) -> (Shed, Vec<usize>) {
        let tests = two(context);
        let whole = tests.clone().into();
        let mut passes = Passes::new(tests, &whole, context);
        let mut shed = Shed::new();
        while let Some(trial) = passes.propose(context) {
            passes.learn(shed.run(&trial));
        }
        let runs = passes.finish().map(|(_, runs)| runs.len());
        let runs = runs.collect();
        (shed, runs)
    }

    #[test]
    fn every_test_is_seen_three_times_forwards_and_backwards() {
        let (shed, runs) = passes(&Desk::new().context());
        let (list, loans) = ("anew: GET /tools", "anew: GET /loans");
        assert_eq!(shed.log, [list, loans, loans, list, list, loans]);
        assert_eq!(runs, [3, 3]);
    }

    #[test]
    fn where_all_begins_anew_a_last_pass_meets_what_the_suite_left_behind() {
        let (shed, runs) = passes(&Desk::new().resetting());
        let (list, loans) = ("as left: GET /tools", "as left: GET /loans");
        assert_eq!(shed.log[6..], [list, loans, loans, list]);
        assert_eq!(runs, [4, 4]);
    }

    #[test]
    fn nothing_is_left_behind_for_nobody() {
        let context = Desk::new().resetting();
        let whole = two(&context).into();
        let mut passes = Passes::new(Vec::new(), &whole, &context);
        assert_eq!(passes.propose(&context), None);
    }

    #[test]
    fn when_time_is_up_every_test_is_seen_once() {
        let mut context = Desk::new().resetting();
        context.spent = 1.1;
        let (shed, runs) = passes(&context);
        assert_eq!((shed.log.len(), runs), (2, vec![1, 1]));
    }
}
