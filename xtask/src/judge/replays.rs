//! What runs report, and what becomes of it when it is replayed.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use serde_json::Value;

/// A confirmed finding of a run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Finding {
    pub(super) code: String,
    pub(super) severity: String,
    pub(super) operation: String,
    pub(super) title: String,
    pub(super) file: PathBuf,
}

impl Finding {
    pub(super) fn is_grave(&self) -> bool {
        self.severity != "low"
    }
}

impl std::fmt::Display for Finding {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self {
            code,
            severity,
            operation,
            title,
            ..
        } = self;
        write!(f, "{code} {severity} {operation}: {title}")
    }
}

/// How a replay ended, by its exit code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Verdict {
    Gone,
    StillThere,
    SetUpFailed,
    Unknown,
}

impl Verdict {
    pub(super) fn of(code: Option<i32>) -> Self {
        match code {
            Some(0) => Self::Gone,
            Some(1) => Self::StillThere,
            Some(4) => Self::SetUpFailed,
            _ => Self::Unknown,
        }
    }
}

/// The confirmed findings of a report, with the files that replay them.
pub(super) fn findings(report: &Value, out: &Path) -> Vec<Finding> {
    let all = report.get("findings").and_then(Value::as_array);
    let confirmed = all
        .into_iter()
        .flatten()
        .filter(|finding| finding["confirmed"] == true);
    let text = |finding: &Value, key: &str| finding[key].as_str().unwrap_or_default().to_owned();
    confirmed
        .map(|finding| Finding {
            code: text(finding, "code"),
            severity: text(finding, "severity"),
            operation: text(finding, "operation"),
            title: text(finding, "title"),
            file: file_of(out, &text(finding, "fingerprint")).unwrap_or_default(),
        })
        .collect()
}

/// Files of findings carry the fingerprint; their names are for people.
fn file_of(out: &Path, fingerprint: &str) -> Option<PathBuf> {
    let runs = std::fs::read_dir(out).ok()?;
    let files = runs
        .flatten()
        .filter_map(|run| std::fs::read_dir(run.path()).ok())
        .flatten()
        .flatten();
    files.map(|file| file.path()).find(|path| {
        let is_report = path.ends_with("report.json") || path.ends_with("graph.json");
        let text = std::fs::read_to_string(path).unwrap_or_default();
        let read: Value = serde_json::from_str(&text).unwrap_or_default();
        !is_report && read["fingerprint"] == fingerprint
    })
}

/// The tests of a suite, by name.
pub(super) struct Suite {
    pub(super) tests: Vec<String>,
    faults: Vec<String>,
}

impl Suite {
    pub(super) fn read(file: &Path) -> Result<Self> {
        let text = std::fs::read_to_string(file).context("failed to read the suite")?;
        let read: Value = serde_json::from_str(&text)?;
        let all = read["tests"].as_array().cloned().unwrap_or_default();
        let name = |test: &Value| test["name"].as_str().unwrap_or_default().to_owned();
        let faults = all.iter().filter(|test| !test["fault"].is_null());
        Ok(Self {
            faults: faults.map(name).collect(),
            tests: all.iter().map(name).collect(),
        })
    }

    pub(super) fn is_of_a_fault(&self, name: &str) -> bool {
        self.faults.iter().any(|fault| fault == name)
    }

    /// Those that a replay did not see pass.
    pub(super) fn failed(&self, told: &str) -> Vec<String> {
        let passed: Vec<&str> = told
            .lines()
            .filter_map(|line| line.strip_prefix("passed"))
            .map(str::trim)
            .collect();
        let failed = self
            .tests
            .iter()
            .filter(|name| !passed.contains(&name.as_str()));
        failed.cloned().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_test_that_is_not_seen_to_pass_failed() {
        let suite = Suite {
            tests: vec!["one".to_owned(), "two".to_owned()],
            faults: vec!["two".to_owned()],
        };
        assert_eq!(suite.failed("passed  one\nfailed  two\n"), ["two"]);
        assert!(suite.is_of_a_fault("two") && !suite.is_of_a_fault("one"));
    }

    #[test]
    fn only_confirmed_findings_count() {
        let report = serde_json::json!({"findings": [
            {"code": "F101", "severity": "high", "confirmed": true, "fingerprint": "a"},
            {"code": "F102", "severity": "high", "confirmed": false, "fingerprint": "b"},
        ]});
        let found = findings(&report, Path::new("/no/such/folder"));
        assert_eq!(found.len(), 1);
        assert!(found[0].is_grave());
    }
}
