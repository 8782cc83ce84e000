//! Noticing that an answer took far longer than usual, and asking for it again in contrast.

use std::collections::VecDeque;
use std::time::Duration;

use fossick_contract::{Deed, OperationIndex};
use fossick_plan::{Spot, Step};
use fossick_trace::{Answer, Role};

use crate::proposal::{Proposal, Way};
use crate::search::Search;
use crate::tasks::Task;

/// Shorter than this nobody looks at it.
const LONG: Duration = Duration::from_secs(1);
/// So many times as long as the median.
const TIMES: u32 = 20;
/// Fewer answers than these have no median worth the name.
const FEWEST: usize = 5;
const KEPT: usize = 31;
/// Contrasts for one operation: a service that is slow here and there costs time each time.
const MOST: u32 = 3;

/// How long the last successes of an operation took.
#[derive(Debug, Default)]
pub(crate) struct Times {
    last: VecDeque<Duration>,
    contrasted: u32,
}

impl Times {
    /// Hears of an answer; tells whether it took far longer than usual.
    fn hear(&mut self, answer: &Answer) -> bool {
        let mut sorted: Vec<Duration> = self.last.iter().copied().collect();
        sorted.sort_unstable();
        let median = sorted
            .get(sorted.len() / 2)
            .filter(|_| sorted.len() >= FEWEST);
        let slow =
            median.is_some_and(|median| answer.elapsed > LONG && answer.elapsed > *median * TIMES);
        if answer.is_success() {
            self.last.push_back(answer.elapsed);
            if self.last.len() > KEPT {
                self.last.pop_front();
            }
        }
        let wanted = slow && self.contrasted < MOST;
        self.contrasted += u32::from(wanted);
        wanted
    }
}

impl Search<'_> {
    /// Hears how long a step took; what took far too long is looked at next.
    pub(crate) fn learn_time(&mut self, step: &Step, answer: &Answer) {
        let known = &mut self.known[step.operation.0 as usize];
        if step.method.is_none() && known.times.hear(answer) {
            known.tasks.push_front(Task::Slow(Box::new(step.clone())));
        }
    }

    /// The usual call, the slow one, the usual one, the slow one.
    pub(crate) fn in_contrast(&mut self, index: OperationIndex, slow: &Step) -> Option<Proposal> {
        if self.api.operation(index).deed() == Deed::Delete {
            return None;
        }
        let (mut plan, uses) = self.base(index)?;
        let main = plan.main();
        plan.steps.truncate(main + 1);
        let mut usual = plan.steps.pop()?;
        usual.role = Role::Check;
        let mut slow = slow.clone();
        slow.role = Role::Main;
        slow.binds.clear();
        for bind in &usual.binds {
            let spot: &Spot = &bind.spot;
            slow.copy(&usual, spot, spot);
        }
        if (&slow.arguments, &slow.body, &slow.ask) == (&usual.arguments, &usual.body, &usual.ask) {
            return None;
        }
        plan.steps
            .extend([usual.clone(), slow.clone(), usual, slow]);
        Some(Proposal::new(plan, index, Way::Contrast, uses))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(milliseconds: u64) -> Answer {
        let elapsed = Duration::from_millis(milliseconds);
        Answer::new(200, Vec::new(), "".into(), false, elapsed)
    }

    #[test]
    fn only_what_takes_far_longer_than_usual_is_slow() {
        let mut times = Times::default();
        assert!(!times.hear(&answer(3_000)), "nobody knows what is usual");
        for _ in 0..6 {
            assert!(!times.hear(&answer(10)));
        }
        assert!(!times.hear(&answer(900)));
        assert!(times.hear(&answer(3_000)));
    }

    #[test]
    fn a_service_that_is_slow_as_a_whole_has_no_slow_answers() {
        let mut times = Times::default();
        for _ in 0..10 {
            assert!(!times.hear(&answer(400)));
        }
        assert!(!times.hear(&answer(3_000)));
    }
}
