//! The stages of making a suite, one after the other.

use std::collections::BTreeSet;
use std::sync::Arc;

use fossick_contract::Api;
use fossick_oracles::Judge;
use fossick_plan::Spot;
use fossick_search::{Archived, Provenance};
use fossick_trace::{Episode, Finding, Script, Target};
use fossick_validate::Validators;

use crate::candidate::{Candidate, calls};
use crate::choose::{choose, missing, reached_again, worth_reaching};
use crate::context::{Context, Settings};
use crate::guests::leave_guests_out;
use crate::join::Join;
use crate::kept::Kept;
use crate::measure::Measure;
use crate::passes::Passes;
use crate::recover::Recover;
use crate::shorten::Shorten;
use crate::trial::Trial;
use crate::writing::Writing;

/// What a run found, to make a suite of.
#[derive(Debug, Clone, Default)]
pub struct Found {
    pub faults: Vec<Fault>,
    pub tests: Vec<Archived>,
    /// Everything that was reached.
    pub targets: BTreeSet<Target>,
    /// Where calls hold values that must be unique, by operation.
    pub unique: Vec<BTreeSet<Spot>>,
    /// Where things come from, where somebody looked at the start.
    pub provenance: Option<Provenance>,
}

/// A fault that came back whenever it was looked for.
#[derive(Debug, Clone)]
pub struct Fault {
    pub finding: Finding,
    /// What shows it, with names as they were first.
    pub script: Script,
}

/// Makes a suite: `propose` and `learn` take turns until there is nothing more to run.
pub struct Minimiser<'a> {
    context: Context<'a>,
    stage: Stage,
    round: Round,
    /// So often others may still take the places of tests that waver.
    rounds: usize,
    faults: Vec<Candidate>,
    archived: Vec<Candidate>,
    /// Targets of the run that are worth reaching.
    in_run: BTreeSet<Target>,
    /// Those of them that some test reaches again.
    all: BTreeSet<Target>,
    /// Places of archived tests that were chosen once.
    tried: BTreeSet<usize>,
    /// The faults, and the tests that were first chosen.
    whole: Arc<[Candidate]>,
    kept: Kept,
}

enum Stage {
    Measure(Measure),
    Recover(Box<Recover>),
    Shorten(Shorten),
    Join(Join),
    Passes(Passes),
    Writing(Writing),
    Done,
}

/// Which tests the later stages are about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Round {
    /// All that were first chosen.
    Whole,
    /// The parts of joined ones that waver.
    Parts,
    /// Others in the places of those that waver.
    Others,
    /// Others that count on what the service always begins with.
    Borrowers,
}

/// So often others take the places of tests that waver, and so often those that borrow do.
const ROUNDS: usize = 12;

impl<'a> Minimiser<'a> {
    pub fn new(
        api: &'a Api,
        validators: &'a Validators,
        judge: &'a Judge<'a>,
        settings: Settings,
        found: Found,
    ) -> Self {
        let context = Context::new(
            api,
            validators,
            judge,
            settings,
            found.unique,
            found.provenance,
        );
        let faults = faults(found.faults);
        let archived = archived(found.tests, &context);
        let all: Vec<Candidate> = faults.iter().chain(&archived).cloned().collect();
        Self {
            kept: Kept::of(all.len(), &faults),
            stage: Stage::Measure(Measure::new(all)),
            round: Round::Whole,
            rounds: ROUNDS,
            faults,
            archived,
            in_run: worth_reaching(&found.targets),
            all: BTreeSet::new(),
            tried: BTreeSet::new(),
            whole: Arc::new([]),
            context,
        }
    }

    /// Tells how much of the time is used; all of it at one.
    pub fn spend(&mut self, spent: f64) {
        self.context.spent = spent;
    }

    /// The next script to run; none when the suite is made.
    pub fn propose(&mut self) -> Option<Trial> {
        loop {
            let context = &self.context;
            let trial = match &mut self.stage {
                Stage::Measure(measure) => measure.propose(context),
                Stage::Recover(recover) => recover.propose(context),
                Stage::Shorten(shorten) => shorten.propose(context),
                Stage::Join(join) => join.propose(context),
                Stage::Passes(passes) => passes.propose(context),
                Stage::Writing(writing) => writing.propose(context, &mut self.kept),
                Stage::Done => return None,
            };
            if trial.is_some() {
                return trial;
            }
            self.move_on();
        }
    }

    /// Hears what came of the script that was last proposed.
    pub fn learn(&mut self, episode: Episode) {
        self.context.note_slow(&episode);
        let context = &self.context;
        match &mut self.stage {
            Stage::Measure(measure) => measure.learn(context, &episode),
            Stage::Recover(recover) => recover.learn(context, &episode),
            Stage::Shorten(shorten) => shorten.learn(context, &episode),
            Stage::Join(join) => join.learn(context, &episode),
            Stage::Passes(passes) => passes.learn(episode),
            Stage::Writing(writing) => writing.learn(context, episode),
            Stage::Done => {}
        }
    }

    /// What is kept, and what is not.
    pub fn finish(self) -> Kept {
        self.kept.finish(&self.all, self.context.is_late())
    }

    /// A stage has nothing more to run.
    fn move_on(&mut self) {
        self.stage = match std::mem::replace(&mut self.stage, Stage::Done) {
            Stage::Measure(measure) => self.measured(measure.finish()),
            Stage::Recover(recover) => self.recovered(recover.finish()),
            Stage::Shorten(shorten) => self.shortened(shorten.finish()),
            Stage::Join(join) => self.joined(join.finish()),
            Stage::Passes(passes) => Stage::Writing(Writing::new(passes.finish())),
            Stage::Writing(writing) => self.written(writing.finish()),
            Stage::Done => Stage::Done,
        };
    }

    fn measured(&mut self, mut tests: Vec<Candidate>) -> Stage {
        self.archived = tests.split_off(self.faults.len());
        self.faults = tests;
        self.kept.wavering = leave_guests_out(&mut self.faults);
        Stage::Recover(Box::new(Recover::new(&self.archived, &self.in_run)))
    }

    fn recovered(&mut self, recovered: Vec<Candidate>) -> Stage {
        self.archived.extend(recovered);
        let tests = self.faults.iter().chain(&self.archived);
        self.all = reached_again(tests, &self.in_run);
        self.kept.gone = self.in_run.len() - self.all.len();
        let wanted = missing(&self.all, self.faults.iter());
        let (tried, chosen) = choose(&self.archived, &wanted, &BTreeSet::new());
        self.tried = tried;
        self.kept.calls.0 = calls(self.faults.iter().chain(&chosen));
        Stage::Shorten(Shorten::new(chosen, &self.faults))
    }

    fn shortened(&self, tests: Vec<Candidate>) -> Stage {
        match self.round {
            Round::Whole => Stage::Join(Join::new(tests, self.context.api)),
            _ => self.passes(tests),
        }
    }

    fn joined(&mut self, chosen: Vec<Candidate>) -> Stage {
        let tests = [std::mem::take(&mut self.faults), chosen].concat();
        self.kept.calls.1 = calls(&tests);
        self.whole = tests.clone().into();
        self.passes(tests)
    }

    fn passes(&self, tests: Vec<Candidate>) -> Stage {
        Stage::Passes(Passes::new(tests, &self.whole, &self.context))
    }

    fn written(&mut self, parts: Vec<Candidate>) -> Stage {
        // What wavers as a whole may be steady in its parts.
        if self.round == Round::Whole {
            self.round = Round::Parts;
            return self.passes(parts);
        }
        if self.round == Round::Parts {
            self.round = Round::Others;
        }
        self.fill()
    }

    /// Others take the places of tests that waver, as far as there are any.
    fn fill(&mut self) -> Stage {
        let wanted: BTreeSet<Target> = self.all.difference(&self.kept.reached).copied().collect();
        let (places, tests) = choose(&self.archived, &wanted, &self.tried);
        if self.rounds == 0 || tests.is_empty() || self.context.is_late() {
            return self.lend();
        }
        self.rounds -= 1;
        self.tried.extend(places);
        // The less a test asks for, the less can waver.
        Stage::Shorten(Shorten::new(tests, &[]))
    }

    /// Where the service always begins with the same things, these may be borrowed.
    fn lend(&mut self) -> Stage {
        if self.round == Round::Borrowers || !self.context.settings.resets {
            return Stage::Done;
        }
        self.round = Round::Borrowers;
        self.rounds = ROUNDS;
        for test in &mut self.archived {
            test.borrows = false;
        }
        self.fill()
    }
}

/// Every fault is a test of its own.
fn faults(found: Vec<Fault>) -> Vec<Candidate> {
    let mut faults: Vec<Candidate> = found
        .into_iter()
        .map(|fault| Candidate {
            finding: Some(fault.finding),
            ..Candidate::new(fault.script)
        })
        .collect();
    // They were confirmed in any order; a suite has one.
    faults.sort_by_cached_key(|fault| {
        let finding = fault.finding.as_ref();
        finding.map(|f| (f.code.clone(), f.operation.clone(), f.mark.clone()))
    });
    faults
}

fn archived(tests: Vec<Archived>, context: &Context<'_>) -> Vec<Candidate> {
    let candidate = |test: Archived| Candidate {
        targets: test.targets.clone(),
        reached_once: test.targets,
        borrows: test.borrows,
        ..context.candidate(test.plan)
    };
    tests.into_iter().map(candidate).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{
        DELETE, Desk, GET, LIST, LOANS, MAKE, Shed, borrowing, over_an_item, with_last,
    };
    use fossick_contract::Method;
    use fossick_plan::{Plan, Step};
    use fossick_search::borrows;
    use fossick_suite::Group;
    use serde_json::{Value, json};

    /// The steps of a test, and the statuses that it reached.
    type Tested = (Vec<Step>, &'static [(&'static str, u16)]);

    /// What a run found.
    fn found(context: &Context<'_>, tests: Vec<Tested>) -> Found {
        let archived = |(steps, reaches): Tested| {
            let plan = Arc::new(Plan { steps });
            Archived {
                targets: context.chosen(plan.steps.clone(), reaches).targets,
                borrows: borrows(&plan),
                plan,
            }
        };
        let tests: Vec<Archived> = tests.into_iter().map(archived).collect();
        Found {
            faults: Vec::new(),
            targets: tests.iter().flat_map(|test| test.targets.clone()).collect(),
            tests,
            unique: Vec::new(),
            provenance: None,
        }
    }

    /// What is kept where time goes by with what is run.
    fn kept_in_time(
        context: &Context<'static>,
        found: Found,
        spent: impl Fn(usize) -> f64,
        shed: &mut Shed,
    ) -> Kept {
        let desk = Desk::new();
        let settings = context.settings.clone();
        let (api, validators, judge) = (desk.api, desk.validators, desk.judge);
        let mut minimiser = Minimiser::new(api, validators, judge, settings, found);
        let before = shed.log.len();
        loop {
            minimiser.spend(spent(shed.log.len() - before));
            let Some(trial) = minimiser.propose() else {
                return minimiser.finish();
            };
            minimiser.learn(shed.run(&trial));
        }
    }

    fn kept(context: &Context<'static>, found: Found, shed: &mut Shed) -> Kept {
        kept_in_time(context, found, |_| 0.0, shed)
    }

    fn names(kept: &Kept) -> Vec<&str> {
        kept.tests.iter().map(|test| &*test.name).collect()
    }

    /// Tools are made, read in a language, removed, and not found.
    fn usual(context: &Context<'_>) -> Found {
        let made = |step| vec![context.make("saw", Some("blunt")), step];
        let read = with_last(context.of_made(GET, 0), "en");
        found(
            context,
            vec![
                (vec![context.plain(LIST)], &[(LIST, 200)]),
                (made(read), &[(MAKE, 201), (GET, 200)]),
                (made(context.of_made(DELETE, 0)), &[(DELETE, 204)]),
                (vec![context.about(GET, 49)], &[(GET, 404)]),
            ],
        )
    }

    #[test]
    fn an_archive_becomes_a_short_suite_that_reaches_as_much() {
        for context in [Desk::new().context(), Desk::new().resetting()] {
            let mut shed = Shed::new().resetting();
            let kept = kept(&context, usual(&context), &mut shed);
            assert_eq!((kept.before, kept.gone, kept.targets), (4, 0, (5, 5)));
            assert_eq!(kept.wavering, []);
            assert_eq!(names(&kept).len(), 2, "{:?}", names(&kept));
            assert_eq!(kept.calls, (6, 5), "what makes a tool is there once");
            assert!(!kept.hurried && !kept.schemas.is_empty());
        }
    }

    #[test]
    fn the_same_answers_give_the_same_suite() {
        let context = Desk::new().context();
        let suite = || kept(&context, usual(&context), &mut Shed::new()).tests;
        assert_eq!(suite(), suite());
    }

    #[test]
    fn when_time_is_up_from_the_start_everything_is_told_and_nothing_kept() {
        let context = Desk::new().context();
        let mut shed = Shed::new();
        let kept = kept_in_time(&context, usual(&context), |_| 1.5, &mut shed);
        assert!(kept.hurried && kept.tests.is_empty());
        assert_eq!((shed.log.len(), kept.wavering.len()), (4, 4));
        let why = "there was no time to see it again";
        assert!(kept.wavering.iter().all(|wavering| wavering.why == why));
        assert_eq!(kept.targets, (0, 5));
    }

    /// Loans, and then loans of something after a list: the one is as good as the other.
    fn loans(context: &Context<'_>) -> Found {
        let lent = with_last(context.plain(LOANS), "saw");
        let tests: Vec<Tested> = vec![
            (vec![context.plain(LOANS)], &[(LOANS, 200)]),
            (vec![context.plain(LIST), lent], &[(LOANS, 200)]),
        ];
        found(context, tests)
    }

    /// A service whose loans of nothing in particular fail, but for some calls.
    fn lending(works: &'static [usize]) -> Shed {
        let mut plain = 0;
        Shed::with(move |request, _| {
            plain += usize::from(request.target == "/loans");
            let fails = request.target == "/loans" && !works.contains(&plain);
            fails.then(|| (500, json!({})))
        })
    }

    #[test]
    fn another_test_takes_the_place_of_one_that_wavers() {
        let context = Desk::new().context();
        let kept = kept(&context, loans(&context), &mut lending(&[1, 2, 4]));
        assert_eq!(kept.wavering.len(), 1);
        assert_eq!(kept.wavering[0].what, "GET /loans (1 calls)");
        assert_eq!((kept.tests.len(), kept.targets), (1, (1, 1)));
    }

    #[test]
    fn a_test_that_wavers_is_not_tried_again() {
        let context = Desk::new().context();
        // The second is short enough to be the first when it is tried, and wavers then as well.
        let kept = kept(&context, loans(&context), &mut lending(&[1, 2, 4, 6, 7, 9]));
        assert_eq!((kept.tests.len(), kept.wavering.len()), (0, 2));
        assert_eq!(kept.targets, (0, 1));
    }

    #[test]
    fn when_time_is_up_nobody_takes_the_place_of_a_test_that_wavers() {
        let context = Desk::new().context();
        let mut shed = lending(&[1, 2, 4]);
        let spent = |runs| if runs < 7 { 0.0 } else { 1.5 };
        let kept = kept_in_time(&context, loans(&context), spent, &mut shed);
        assert_eq!((kept.tests.len(), kept.wavering.len()), (0, 1));
        assert!(kept.hurried && shed.log.len() == 7);
    }

    /// A tool that was just read can be removed once, and then every other time.
    fn sulky() -> impl FnMut(&fossick_trace::Request, usize) -> Option<(u16, Value)> {
        let (mut last, mut removed) = (String::new(), 0);
        move |request, _| {
            let was_read = request.method == Method::Delete && last == request.target;
            last = match request.method {
                Method::Get => request.target.clone(),
                _ => String::new(),
            };
            removed += usize::from(was_read);
            (was_read && removed % 2 == 0).then_some((409, Value::Null))
        }
    }

    #[test]
    fn what_wavers_as_a_whole_is_kept_in_its_parts() {
        let context = Desk::new().context();
        let made = |step| vec![context.make("saw", None), step];
        let tests: Vec<Tested> = vec![
            (made(context.of_made(GET, 0)), &[(GET, 200)]),
            (made(context.of_made(DELETE, 0)), &[(DELETE, 204)]),
        ];
        let found = found(&context, tests);
        let kept = kept(&context, found, &mut Shed::with(sulky()));
        assert_eq!(kept.wavering.len(), 1);
        assert_eq!(kept.wavering[0].what, "DELETE /tools/{id} (3 calls)");
        assert_eq!((kept.tests.len(), kept.targets), (2, (2, 2)));
    }

    #[test]
    fn what_is_always_there_may_be_borrowed_where_the_service_begins_anew() {
        let suite = |context: &Context<'static>| {
            let steps = vec![borrowing(context.plain(GET), 0, json!(1))];
            let found = found(context, vec![(steps, &[(GET, 200)])]);
            kept(context, found, &mut Shed::new().stocked(1).resetting())
        };
        let anew = suite(&Desk::new().resetting());
        assert_eq!((anew.tests.len(), anew.targets), (1, (1, 1)));
        let left = suite(&Desk::new().context());
        assert_eq!((left.tests.len(), left.targets, left.gone), (0, (0, 0), 1));
    }

    #[test]
    fn what_was_told_by_others_is_borrowed_only_where_the_service_begins_anew() {
        let suite = |context: &Context<'static>| {
            let read = borrowing(context.of_made(GET, 0), 1, json!("en"));
            let steps = vec![context.make("saw", None), read];
            let found = found(context, vec![(steps, &[(GET, 200)])]);
            let mut strict = Shed::with(|request, _| {
                let read = request.target.starts_with("/tools/");
                (read && !request.target.contains("lang=")).then(|| (400, json!({})))
            });
            kept(context, found, &mut strict).targets
        };
        assert_eq!(suite(&Desk::new().resetting()), (1, 1));
        assert_eq!(suite(&Desk::new().context()), (0, 1));
    }

    #[test]
    fn what_is_recovered_is_kept_like_the_others() {
        let context = Desk::new().context();
        let read = with_last(context.of_made(GET, 0), "en");
        let steps = vec![context.make("saw", None), read];
        let found = found(&context, vec![(steps, &[(GET, 200)])]);
        let mut pickier = Shed::with(|request, _| {
            let refused = request.target.contains("lang=");
            refused.then(|| (400, json!({})))
        });
        let kept = kept(&context, found, &mut pickier);
        assert_eq!((kept.tests.len(), kept.targets, kept.gone), (1, (1, 1), 0));
    }

    /// A crash of loans.
    fn fault(context: &Context<'_>, steps: Vec<Step>, shed: &mut Shed) -> Fault {
        let test = context.test(steps);
        Fault {
            finding: context.finding("F101", &test, shed),
            script: test.script,
        }
    }

    #[test]
    fn a_fault_is_a_test_of_its_own() {
        let context = Desk::new().context();
        let mut shed = lending(&[]);
        let fault = fault(&context, vec![context.plain(LOANS)], &mut shed);
        let found = Found {
            faults: vec![fault],
            ..usual(&context)
        };
        let kept = kept(&context, found, &mut shed);
        assert_eq!(kept.before, 5);
        let groups: Vec<Group> = kept.tests.iter().map(|test| test.group).collect();
        assert_eq!(groups.iter().filter(|g| **g == Group::Faults).count(), 1);
        assert_eq!(groups[0], Group::Faults);
    }

    #[test]
    fn what_a_fault_reaches_on_its_way_needs_no_other_test() {
        let context = Desk::new().context();
        let mut shed = lending(&[]);
        let steps = vec![context.plain(LIST), context.plain(LOANS)];
        let list: Vec<Tested> = vec![(vec![context.plain(LIST)], &[(LIST, 200)])];
        let found = Found {
            faults: vec![fault(&context, steps, &mut shed)],
            ..found(&context, list)
        };
        let kept = kept(&context, found, &mut shed);
        assert_eq!((kept.tests.len(), kept.targets), (1, (1, 1)));
    }

    #[test]
    fn a_fault_that_shows_over_others_things_too_is_kept_once() {
        let context = Desk::new().context();
        let mut shed = Shed::with(|request, _| {
            let of_all = request.target == "/loans";
            Some((500, if of_all { json!({}) } else { over_an_item() }))
        });
        let own = fault(&context, vec![context.plain(LOANS)], &mut shed);
        let of_one = with_last(context.plain(LOANS), "saw");
        let guest = Fault {
            script: context.test(vec![of_one]).script,
            ..own.clone()
        };
        let found = Found {
            faults: vec![guest, own],
            ..Found::default()
        };
        let kept = kept(&context, found, &mut shed);
        assert_eq!((kept.tests.len(), kept.wavering.len()), (1, 1));
        let why = "it shows only over things that others made";
        assert_eq!(kept.wavering[0].why, why);
    }
}
