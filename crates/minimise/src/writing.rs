//! What was seen, as tests that pass as they stand.

use std::collections::VecDeque;

use fossick_suite::{Check, Is, JsonKind, Sighting, Test, What, Written, judge, write};
use fossick_trace::{Call, Episode, Finding, Location, Target};
use serde_json::Value;

use crate::candidate::Candidate;
use crate::context::Context;
use crate::kept::Kept;
use crate::trial::Trial;

/// So often a test is written anew.
const WRITINGS: usize = 4;

/// Writes tests down, one after the other.
pub(crate) struct Writing {
    waiting: VecDeque<(Candidate, Vec<Episode>)>,
    draft: Option<Draft>,
    parts: Vec<Candidate>,
}

impl Writing {
    pub(crate) fn new(seen: impl Iterator<Item = (Candidate, Vec<Episode>)>) -> Self {
        Self {
            waiting: seen.collect(),
            draft: None,
            parts: Vec::new(),
        }
    }

    /// Goes on with one test, and on to the next as soon as it is clear what became of it.
    pub(crate) fn propose(&mut self, context: &Context<'_>, kept: &mut Kept) -> Option<Trial> {
        loop {
            let draft = self.draft.as_ref();
            if let Some(trial) = draft.and_then(|draft| draft.propose(context)) {
                return Some(trial);
            }
            if let Some(done) = self.draft.take().and_then(Draft::finish) {
                let parts = kept.take_in(context.api, done);
                self.parts.extend(parts);
            }
            let (test, runs) = self.waiting.pop_front()?;
            self.draft = Some(Draft::new(test, runs, context));
        }
    }

    pub(crate) fn learn(&mut self, context: &Context<'_>, episode: Episode) {
        if let Some(draft) = &mut self.draft {
            draft.learn(context, episode);
        }
    }

    /// The parts of those that did not stay.
    pub(crate) fn finish(self) -> Vec<Candidate> {
        self.parts
    }
}

/// A test that is being written. Where it does not pass, something changes that was equal in all
/// runs: it is run once more and written anew, a few times.
struct Draft {
    test: Candidate,
    runs: Vec<Episode>,
    reached: Vec<Target>,
    writings: usize,
    state: State,
}

enum State {
    /// What it expects must be so once more.
    Written(Written),
    /// It is not: once more it is seen, and written anew.
    Wavers,
    Done(Result<Written, String>),
}

/// A test that was written as well as it can be, or why it was not.
pub(crate) struct Drafted {
    pub(crate) test: Candidate,
    pub(crate) runs: Vec<Episode>,
    /// What it was kept for, as far as it reaches that in every pass.
    pub(crate) reached: Vec<Target>,
    pub(crate) outcome: Result<Written, String>,
}

impl Draft {
    fn new(test: Candidate, runs: Vec<Episode>, context: &Context<'_>) -> Self {
        Self {
            reached: reached_each_time(&test, &runs, context),
            state: written(&test, &runs, context),
            test,
            runs,
            writings: WRITINGS,
        }
    }

    fn propose(&self, context: &Context<'_>) -> Option<Trial> {
        match &self.state {
            State::Written(written) => Some(Trial::as_left(&context.script(&written.test))),
            State::Wavers => Some(Trial::as_left(&self.test.script)),
            State::Done(_) => None,
        }
    }

    fn learn(&mut self, context: &Context<'_>, episode: Episode) {
        self.state = match std::mem::replace(&mut self.state, State::Wavers) {
            State::Written(written) => self.verified(written, &episode),
            State::Wavers => {
                self.runs.push(episode);
                written(&self.test, &self.runs, context)
            }
            State::Done(outcome) => State::Done(outcome),
        };
    }

    /// Whether all that a test expects is so in an episode of it as it stands.
    fn verified(&mut self, written: Written, episode: &Episode) -> State {
        let broken = judge(&written.test, episode, &|_, _| None);
        let Some(broken) = broken.first() else {
            return State::Done(Ok(written));
        };
        self.writings -= 1;
        match self.writings {
            0 => State::Done(Err(format!("step {}: {}", broken.step, broken.why))),
            _ => State::Wavers,
        }
    }

    fn finish(self) -> Option<Drafted> {
        let State::Done(outcome) = self.state else {
            return None;
        };
        Some(Drafted {
            test: self.test,
            runs: self.runs,
            reached: self.reached,
            outcome,
        })
    }
}

/// What a test was kept for, as far as it reaches that in every run.
fn reached_each_time(test: &Candidate, runs: &[Episode], context: &Context<'_>) -> Vec<Target> {
    let mut reached = test.targets.clone();
    for run in runs {
        let again = context.targets(test, run);
        reached.retain(|target| again.binary_search(target).is_ok());
    }
    reached
}

fn written(test: &Candidate, runs: &[Episode], context: &Context<'_>) -> State {
    match attempt(test, runs, context) {
        Ok(written) => State::Written(written),
        Err(why) => State::Done(Err(why)),
    }
}

fn attempt(test: &Candidate, runs: &[Episode], context: &Context<'_>) -> Result<Written, String> {
    if test.finding.is_none() && runs.iter().any(|run| context.is_guest(run)) {
        return Err("it fails over things that others made".to_owned());
    }
    let finding = seen_again(test, runs, context);
    let sighting = Sighting {
        script: &test.script,
        runs,
        finding: finding.as_ref(),
        faulty: faulty(test, runs, context),
    };
    let user_of = |call: &Call| context.user_of(call);
    let mut written = write(context.api, &sighting, &user_of, context.settings.limits)
        .map_err(|wavers| wavers.to_string())?;
    forget_address(&context.settings.authority, &mut written.test);
    if runs.len() < context.passes() {
        return Err("there was no time to see it again".to_owned());
    }
    Ok(written)
}

/// Services tell links to themselves: of these nothing is expected but that they are texts.
fn forget_address(authority: &str, test: &mut Test) {
    if authority.is_empty() {
        return;
    }
    for check in test.steps.iter_mut().flat_map(|step| &mut step.checks) {
        if let What::At { is, .. } = &mut check.what
            && let Is::Equal(Value::String(text)) = is
            && text.contains(authority)
        {
            *is = Is::Kind(JsonKind::String);
        }
    }
    let speaks = |check: &Check| matches!(&check.what, What::Text(t) if t.contains(authority));
    for step in &mut test.steps {
        step.checks.retain(|check| !speaks(check));
    }
}

/// Where some run shows a fault, the test's own apart.
fn faulty(test: &Candidate, runs: &[Episode], context: &Context<'_>) -> Vec<(usize, Location)> {
    let own = test.finding.as_ref().map(|finding| finding.call);
    let shown = runs.iter().flat_map(|run| context.flaws(run));
    let others = shown.filter(|finding| Some(finding.call) != own);
    others
        .map(|finding| (finding.call, finding.location))
        .collect()
}

/// The finding as it shows in the first of the runs: where the service begins anew, its words are
/// the same each time.
fn seen_again(test: &Candidate, runs: &[Episode], context: &Context<'_>) -> Option<Finding> {
    let known = test.finding.as_ref()?;
    let again = runs.first().and_then(|run| context.shown(known, run));
    Some(again.unwrap_or_else(|| known.clone()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{Desk, GET, LOANS, Shed, over_an_item};
    use serde_json::json;

    /// What is kept of a test that was run so often; and the parts that come back.
    fn wrote(
        test: &Candidate,
        runs: usize,
        context: &Context<'_>,
        shed: &mut Shed,
    ) -> (Kept, Vec<Candidate>) {
        let seen = (0..runs).map(|_| shed.run(&Trial::anew(&test.script)));
        let seen = (test.clone(), seen.collect());
        shed.log.clear();
        let (mut writing, mut kept) = (Writing::new([seen].into_iter()), Kept::default());
        while let Some(trial) = writing.propose(context, &mut kept) {
            writing.learn(context, shed.run(&trial));
        }
        (kept, writing.finish())
    }

    fn loans(context: &Context<'_>) -> Candidate {
        context.chosen(vec![context.plain(LOANS)], &[(LOANS, 200)])
    }

    /// A service whose loans are as a function says, by the number of calls before.
    fn lending(loans: impl Fn(usize) -> (u16, Value) + 'static) -> Shed {
        Shed::with(move |_, before| Some(loans(before)))
    }

    #[test]
    fn a_steady_test_is_run_as_it_stands_and_kept() {
        let context = Desk::new().context();
        let mut shed = lending(|_| (200, json!([])));
        let (kept, _) = wrote(&loans(&context), 3, &context, &mut shed);
        assert_eq!((kept.tests.len(), kept.wavering.len()), (1, 0));
        assert!(kept.reached.contains(&context.status(LOANS, 200)));
        assert_eq!(shed.log.len(), 1);
    }

    #[test]
    fn what_it_reaches_in_some_runs_only_is_not_what_it_is_kept_for() {
        let context = Desk::new().context();
        let test = context.chosen(vec![context.plain(LOANS)], &[(LOANS, 200), (LOANS, 404)]);
        let mut shed = lending(|_| (200, json!([])));
        let (kept, _) = wrote(&test, 3, &context, &mut shed);
        assert_eq!(kept.reached.len(), 1);
    }

    #[test]
    fn a_test_that_wavers_is_left_out_and_its_parts_come_back() {
        let context = Desk::new().context();
        let test = Candidate {
            parts: vec![loans(&context), loans(&context)],
            ..loans(&context)
        };
        let mut shed = lending(|before| (if before == 1 { 404 } else { 200 }, json!([])));
        let (kept, parts) = wrote(&test, 3, &context, &mut shed);
        assert_eq!((kept.tests.len(), parts.len()), (0, 2));
        let left_out = &kept.wavering[0];
        assert_eq!(left_out.what, "GET /loans (1 calls)");
        assert!(left_out.why.starts_with("step 1 answered 200 once and 404"));
        assert_eq!(shed.log, [""; 0], "that was clear before");
    }

    #[test]
    fn what_changes_after_the_passes_is_asserted_by_its_type() {
        let context = Desk::new().context();
        let mut shed = lending(|before| {
            let mark = format!("mark {}", before.max(2));
            (404, json!({"mark": mark, "of": "saw"}))
        });
        let (kept, _) = wrote(&loans(&context), 3, &context, &mut shed);
        assert_eq!((kept.tests.len(), kept.volatile.values().sum()), (1, 1));
        assert_eq!(shed.log.len(), 3, "tried, seen once more, tried again");
    }

    #[test]
    fn links_to_the_service_itself_hold_wherever_it_stands() {
        let mut context = Desk::new().context();
        context.settings.authority = "127.0.0.1:8080".to_owned();
        let body = json!({"next": "http://127.0.0.1:8080/loans?page=2", "of": "saw"});
        let mut shed = lending(move |_| (404, body.clone()));
        let (kept, _) = wrote(&loans(&context), 3, &context, &mut shed);
        let checks = serde_json::to_string(&kept.tests[0].steps[0].checks).expect("can be written");
        assert!(!checks.contains("8080"), "{checks}");
        assert!(
            checks.contains(r#"["next"],"is":{"kind":"string"}"#),
            "{checks}"
        );
        assert!(
            checks.contains(r#"["of"],"is":{"equal":"saw"}"#),
            "{checks}"
        );
    }

    #[test]
    fn a_test_that_never_passes_as_it_stands_is_left_out() {
        let context = Desk::new().context();
        let mut shed = lending(|before| {
            let told = before < 3 || before.is_multiple_of(2);
            let body = if told {
                json!({"of": "saw"})
            } else {
                json!({})
            };
            (404, body)
        });
        let (kept, _) = wrote(&loans(&context), 3, &context, &mut shed);
        assert_eq!(kept.tests.len(), 0);
        assert_eq!(kept.wavering[0].why, "step 1: /of is missing");
        assert_eq!(
            shed.log.len(),
            7,
            "four tries, and three looks between them"
        );
    }

    #[test]
    fn a_test_that_was_not_seen_often_enough_is_left_out() {
        for (context, runs) in [(Desk::new().context(), 2), (Desk::new().resetting(), 3)] {
            let mut shed = lending(|_| (200, json!([])));
            let (kept, _) = wrote(&loans(&context), runs, &context, &mut shed);
            let why = "there was no time to see it again";
            assert_eq!(kept.wavering[0].why, why);
        }
    }

    #[test]
    fn a_failure_over_somebodys_thing_is_kept_only_where_all_begins_anew() {
        let failing = || lending(|_| (200, over_an_item()));
        let context = Desk::new().context();
        let (kept, _) = wrote(&loans(&context), 3, &context, &mut failing());
        assert_eq!(
            kept.wavering[0].why,
            "it fails over things that others made"
        );
        let context = Desk::new().resetting();
        let (kept, _) = wrote(&loans(&context), 4, &context, &mut failing());
        assert_eq!(kept.tests.len(), 1);
    }

    #[test]
    fn a_crash_is_not_what_a_test_of_something_else_expects() {
        let context = Desk::new().context();
        let test = context.chosen(vec![context.plain(LOANS); 2], &[(LOANS, 200)]);
        let mut shed = lending(|before| {
            let crashes = before % 2 == 1;
            (if crashes { 500 } else { 200 }, json!([]))
        });
        let (kept, _) = wrote(&test, 3, &context, &mut shed);
        assert_eq!(kept.tests[0].steps.len(), 1, "the crash is left out");
        let mut shed = lending(|_| (500, json!([])));
        let (kept, _) = wrote(&loans(&context), 3, &context, &mut shed);
        assert!(kept.wavering[0].why.contains("nothing but faults"));
    }

    #[test]
    fn a_fault_is_told_as_it_shows_in_the_first_run() {
        let context = Desk::new().context();
        // That it fails over somebody's thing does not matter: it is all there is of the fault.
        let mut shed = lending(|_| (500, over_an_item()));
        let test = context.test(vec![context.about(GET, 1)]);
        let mut finding = context.finding("F101", &test, &mut shed);
        let title = std::mem::replace(&mut finding.title, "in other words".to_owned());
        let test = Candidate {
            finding: Some(finding),
            ..test
        };
        let (kept, _) = wrote(&test, 3, &context, &mut shed);
        let fault = kept.tests[0].fault.as_ref().expect("it is about a fault");
        assert_eq!(fault.title, title);
    }
}
