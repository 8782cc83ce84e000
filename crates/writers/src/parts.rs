//! Which tests stand together in a file.

use fossick_suite::{Group, Suite, Test};

/// Longer files are split: nobody reviews a thousand lines at once.
const LINES: usize = 400;

/// The tests of one file, each with its text.
#[derive(Debug)]
pub(crate) struct Part<'a> {
    pub(crate) group: Group,
    /// The first of its group has none.
    pub(crate) number: Option<usize>,
    pub(crate) tests: Vec<(&'a Test, String)>,
}

impl Part<'_> {
    /// `faults`, `faults_2`
    pub(crate) fn name(&self) -> String {
        match self.number {
            None => word(self.group).to_owned(),
            Some(number) => format!("{}_{number}", word(self.group)),
        }
    }
}

pub(crate) const GROUPS: [Group; 3] = [Group::Faults, Group::Successes, Group::Others];

pub(crate) fn word(group: Group) -> &'static str {
    match group {
        Group::Faults => "faults",
        Group::Successes => "successes",
        Group::Others => "others",
    }
}

/// What the head of a file says of its tests.
pub(crate) fn heading(group: Group) -> &'static str {
    match group {
        Group::Faults => "suspected faults",
        Group::Successes => "requests that succeed",
        Group::Others => "requests that are refused, and what else was seen",
    }
}

/// The tests by group, in the order of the suite.
pub(crate) fn parts<'a>(
    suite: &'a Suite,
    mut write: impl FnMut(&'a Test) -> String,
) -> Vec<Part<'a>> {
    let mut parts = Vec::new();
    for group in GROUPS {
        let tests = suite.tests.iter().filter(|test| test.group == group);
        let mut lines = 0;
        let mut number = 0;
        for test in tests {
            let text = write(test);
            let more = text.lines().count();
            if number == 0 || lines + more > LINES {
                number += 1;
                lines = 0;
                let number = (number > 1).then_some(number);
                parts.push(Part {
                    group,
                    number,
                    tests: Vec::new(),
                });
            }
            lines += more;
            if let Some(part) = parts.last_mut() {
                part.tests.push((test, text));
            }
        }
    }
    parts
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_long_group_takes_several_files() {
        let test = |name: &str| json!({"name": name, "group": "others", "steps": []});
        let suite: Suite = serde_json::from_value(json!({
            "version": 1, "title": "", "origin": "", "base_url": "",
            "tests": [test("a"), test("b"), test("c")]
        }))
        .expect("a suite");
        let parts = parts(&suite, |_| "line\n".repeat(150));
        let names: Vec<_> = parts
            .iter()
            .map(|part| (part.name(), part.tests.len()))
            .collect();
        assert_eq!(
            names,
            [("others".to_owned(), 2), ("others_2".to_owned(), 1)]
        );
    }
}
