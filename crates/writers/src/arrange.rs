//! Tests as they are to be written: in files that can be reviewed, and with faults as asked.
//!
//! Status first in each step, for nothing else can be understood without it; and no variable that
//! nobody uses.

use std::collections::BTreeSet;

pub(crate) use fossick_suite::holes::{of_pieces, of_template, variables};
use fossick_suite::{Group, Suite, Test, What};

use crate::turned::turned;
use crate::{Faults, Manner};

/// About as many lines as somebody reads in one sitting.
const MOST_LINES: usize = 600;

/// Tests for one file.
#[derive(Debug)]
pub(crate) struct Part {
    /// `faults`, `faults_2`
    pub name: String,
    pub group: Group,
    pub tests: Vec<Test>,
}

/// The suite in parts, in the order of their names in [`Group`].
pub(crate) fn parts(suite: &Suite, manner: &Manner) -> Vec<Part> {
    let tests = tests(suite, manner);
    let mut parts = Vec::new();
    for group in [Group::Faults, Group::Successes, Group::Others] {
        let of_group = tests.iter().filter(|test| test.group == group).cloned();
        for (at, tests) in split(of_group).into_iter().enumerate() {
            let number = if at == 0 {
                String::new()
            } else {
                format!("_{}", at + 1)
            };
            let name = format!("{}{number}", group_name(group));
            parts.push(Part { name, group, tests });
        }
    }
    parts
}

pub(crate) fn group_name(group: Group) -> &'static str {
    match group {
        Group::Faults => "faults",
        Group::Successes => "successes",
        Group::Others => "others",
    }
}

fn split(tests: impl Iterator<Item = Test>) -> Vec<Vec<Test>> {
    let mut files: Vec<Vec<Test>> = Vec::new();
    let mut lines = 0;
    for test in tests {
        let more = length(&test);
        match files.last_mut() {
            Some(file) if lines + more <= MOST_LINES => file.push(test),
            _ => {
                files.push(vec![test]);
                lines = 0;
            }
        }
        lines += more;
    }
    files
}

fn length(test: &Test) -> usize {
    let steps = test.steps.iter().map(|step| 10 + step.checks.len());
    10 + steps.sum::<usize>()
}

/// All tests, ready to be written one after the other.
pub(crate) fn tests(suite: &Suite, manner: &Manner) -> Vec<Test> {
    suite
        .tests
        .iter()
        .map(|test| ready(test, manner.faults))
        .collect()
}

fn ready(test: &Test, faults: Faults) -> Test {
    let mut test = turned(test, faults).into_owned();
    for step in &mut test.steps {
        step.checks
            .sort_by_key(|check| !matches!(check.what, What::Status(_)));
    }
    let used = used(&test);
    test.fresh.retain(|fresh| used.contains(&fresh.variable));
    for step in &mut test.steps {
        step.saves.retain(|save| used.contains(&save.variable));
    }
    test
}

/// Variables that some request or check needs.
fn used(test: &Test) -> BTreeSet<String> {
    let mut used = BTreeSet::new();
    for step in &test.steps {
        used.extend(variables(&step.request));
        let checks = step.checks.iter();
        used.extend(checks.flat_map(|check| check.what.variables().map(str::to_owned)));
    }
    used
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn test() -> Test {
        let test = json!({
            "name": "t",
            "group": "faults",
            "fresh": [{"variable": "a", "like": "x"}, {"variable": "b", "like": "x"}],
            "steps": [{
                "request": {"method": "GET", "path": [{"fixed": "/"}, {"variable": "b"}]},
                "checks": [{"no_body": null}, {"status": 200}],
            }],
        });
        serde_json::from_value(test).expect("a test")
    }

    #[test]
    fn status_comes_first_and_what_nobody_uses_goes() {
        let test = ready(&test(), Faults::Pass);
        assert_eq!(test.steps[0].checks[0].what, What::Status(200));
        assert_eq!(test.fresh.len(), 1);
        assert_eq!(test.fresh[0].variable, "b");
    }

    #[test]
    fn what_finds_an_item_is_used() {
        let mut test = test();
        let check = json!({"at": {"path": [{"where": ["id"], "is": "a"}], "is": "absent"}});
        let check = serde_json::from_value(check).expect("a check");
        test.steps[0].checks.push(check);
        assert_eq!(ready(&test, Faults::Pass).fresh.len(), 2);
    }

    #[test]
    fn many_tests_go_into_several_files() {
        let tests = (0..200).map(|_| test());
        let files = split(tests);
        assert!(files.len() > 3);
        assert_eq!(files.iter().map(Vec::len).sum::<usize>(), 200);
    }
}
