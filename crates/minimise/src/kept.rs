//! What was kept, and what was not.

use std::collections::{BTreeMap, BTreeSet};

use fossick_contract::Api;
use fossick_suite::{Change, Test, Written, unique};
use fossick_trace::{Episode, Target};
use serde_json::Value;

use crate::candidate::Candidate;
use crate::promised::Schemas;
use crate::writing::Drafted;

#[derive(Debug, Default)]
pub struct Kept {
    pub tests: Vec<Test>,
    /// Tests of the archive.
    pub before: usize,
    /// Calls of the chosen tests before and after they were made shorter.
    pub calls: (usize, usize),
    /// Targets that the suite reaches, of those that some test of the archive reaches again.
    pub targets: (usize, usize),
    /// Targets that the run reached and that nothing reaches again: the service is another by now.
    pub gone: usize,
    /// What answers are held against, by name.
    pub schemas: Vec<(String, Value)>,
    pub wavering: Vec<Wavering>,
    /// Parts of answers that change from run to run, by the kind of their change.
    pub volatile: BTreeMap<Change, usize>,
    /// Time was up before everything was made short and seen three times.
    pub hurried: bool,
    pub(crate) reached: BTreeSet<Target>,
    promised: Schemas,
}

/// A test that was left out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Wavering {
    /// What it was about.
    pub what: String,
    pub why: String,
}

impl Kept {
    /// Nothing yet, of so many tests; these are known to be faults.
    pub(crate) fn of(tests: usize, faults: &[Candidate]) -> Self {
        Self {
            before: tests,
            promised: Schemas::with(faults),
            ..Self::default()
        }
    }

    /// Takes a written test in, with what is promised of its answers; gives the parts of one that
    /// does not stay.
    pub(crate) fn take_in(&mut self, api: &Api, drafted: Drafted) -> Vec<Candidate> {
        let (test, runs) = (drafted.test, drafted.runs);
        let outcome = drafted
            .outcome
            .and_then(|written| self.with_promises(api, &test, &runs, written));
        match outcome {
            Ok(written) => {
                self.put(written);
                self.reached.extend(drafted.reached);
                Vec::new()
            }
            Err(why) => {
                let what = test.what();
                self.wavering.push(Wavering { what, why });
                test.parts
            }
        }
    }

    /// Adds what is promised of the answers. A fault's test that would go on passing when the fault
    /// is mended tells nothing.
    fn with_promises(
        &mut self,
        api: &Api,
        candidate: &Candidate,
        runs: &[Episode],
        mut written: Written,
    ) -> Result<Written, String> {
        if let Some(finding) = &candidate.finding {
            let at = finding.call;
            let call = candidate.script.calls.get(at);
            let promised = &mut self.promised;
            let is_shown = shows(&written.test)
                || call.is_some_and(|c| promised.break_promise(api, (c, at), runs, &mut written));
            if !is_shown {
                return Err("no check of it would tell that the fault is mended".to_owned());
            }
        }
        self.promised
            .promise(api, &candidate.script, runs, &mut written.test);
        Ok(written)
    }

    fn put(&mut self, written: Written) {
        for (_, part) in &written.volatile {
            *self.volatile.entry(part.change).or_insert(0) += 1;
        }
        self.tests.push(written.test);
    }

    /// As it is told and written: all in order, and how much of all targets it reaches.
    pub(crate) fn finish(mut self, all: &BTreeSet<Target>, hurried: bool) -> Self {
        self.targets = (self.reached.intersection(all).count(), all.len());
        self.hurried = hurried;
        self.schemas = std::mem::take(&mut self.promised).into_list();
        self.arrange();
        self
    }

    /// Faults first, then what works; within each in the order in which tests came. Names are
    /// unique.
    fn arrange(&mut self) {
        self.tests.sort_by_key(|test| test.group);
        let mut names = BTreeSet::new();
        for test in &mut self.tests {
            test.name = unique(&test.name, " ", &mut names);
        }
    }
}

/// Whether a check of a test is about a suspected fault.
fn shows(test: &Test) -> bool {
    let mut checks = test.steps.iter().flat_map(|step| &step.checks);
    checks.any(|check| check.suspect)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{Desk, GET, LIST, Shed};
    use crate::trial::Trial;
    use fossick_suite::{Limits, Sighting, What, write};
    use serde_json::json;

    /// A test of a fault that no check of it is about.
    fn vague(code: &str, status: u16, tool: Value) -> (&'static Api, Drafted) {
        let context = Desk::new().context();
        let mut shed = Shed::with(move |_, _| Some((status, tool.clone())));
        let mut test = context.test(vec![context.about(GET, 1)]);
        test.finding = Some(context.finding(code, &test, &mut shed));
        let runs: Vec<Episode> = (0..3)
            .map(|_| shed.run(&Trial::anew(&test.script)))
            .collect();
        let sighting = Sighting {
            script: &test.script,
            runs: &runs,
            finding: test.finding.as_ref(),
            faulty: Vec::new(),
        };
        let written = write(context.api, &sighting, &|_| None, Limits::default());
        let mut written = written.expect("it is steady");
        for check in written.test.steps.iter_mut().flat_map(|s| &mut s.checks) {
            check.suspect = false;
        }
        let drafted = Drafted {
            test,
            runs,
            reached: Vec::new(),
            outcome: Ok(written),
        };
        (context.api, drafted)
    }

    #[test]
    fn a_fault_that_breaks_a_promise_is_shown_by_that() {
        let (api, drafted) = vague("F201", 200, json!({"id": 1, "name": 7}));
        let mut kept = Kept::default();
        kept.take_in(api, drafted);
        let is_broken = |what: &What| matches!(what, What::Schema(0));
        let checks = kept.tests[0].steps[0].checks.iter();
        let suspects: Vec<_> = checks.filter(|check| check.suspect).collect();
        assert!(suspects.len() == 1 && is_broken(&suspects[0].what));
        let kept = kept.finish(&BTreeSet::new(), false);
        assert_eq!(kept.schemas[0].0, "get tools id broken answer");
    }

    #[test]
    fn a_fault_of_somebody_elses_thing_in_a_list_is_left_out() {
        let context = Desk::new().context();
        let mut shed = Shed::with(|_, _| Some((200, json!([{"id": 1, "name": 7}]))));
        let mut test = context.test(vec![context.plain(LIST)]);
        test.finding = Some(context.finding("F201", &test, &mut shed));
        let runs = (0..3).map(|_| shed.run(&Trial::anew(&test.script)));
        let runs: Vec<Episode> = runs.collect();
        let sighting = Sighting {
            script: &test.script,
            runs: &runs,
            finding: test.finding.as_ref(),
            faulty: Vec::new(),
        };
        let written = write(context.api, &sighting, &|_| None, Limits::default());
        let drafted = Drafted {
            outcome: Ok(written.expect("it is steady")),
            test,
            runs,
            reached: Vec::new(),
        };
        let mut kept = Kept::default();
        kept.take_in(context.api, drafted);
        assert_eq!((kept.tests.len(), kept.wavering.len()), (0, 1));
    }

    #[test]
    fn a_fault_that_no_check_would_miss_is_left_out() {
        let (api, drafted) = vague("F101", 500, json!({}));
        let mut kept = Kept::default();
        kept.take_in(api, drafted);
        assert_eq!(kept.tests.len(), 0);
        let why = "no check of it would tell that the fault is mended";
        assert_eq!(kept.wavering[0].why, why);
    }

    #[test]
    fn faults_come_first_and_names_are_unique() {
        let (api, drafted) = vague("F201", 200, json!({"id": 1, "name": 7}));
        let mut plain = drafted.outcome.as_ref().expect("it is").test.clone();
        plain.group = fossick_suite::Group::Successes;
        let mut kept = Kept {
            tests: vec![plain.clone(), plain],
            ..Kept::default()
        };
        kept.take_in(api, drafted);
        let kept = kept.finish(&BTreeSet::new(), true);
        assert_eq!(kept.tests[0].group, fossick_suite::Group::Faults);
        let names: BTreeSet<&str> = kept.tests.iter().map(|test| &*test.name).collect();
        assert_eq!(names.len(), 3);
        assert!(kept.hurried);
    }
}
