//! One line for a run, and what does not hold below it.

use std::collections::BTreeSet;
use std::fmt;

use super::replays::{Finding, Verdict};

#[derive(Debug, Default)]
pub(super) struct Score {
    service: String,
    seed: u64,
    confirmed: usize,
    grave: usize,
    pub(super) planted: Vec<String>,
    pub(super) met: BTreeSet<String>,
    pub(super) found: BTreeSet<String>,
    /// Confirmed, and not there on a fresh copy.
    pub(super) gone: Vec<(Finding, Verdict)>,
    /// There on the corrected copy as well.
    pub(super) on_twin: Vec<Finding>,
    /// Of no single planted fault.
    pub(super) unattributed: Vec<Finding>,
    /// What a run against the corrected copy reports.
    pub(super) alarms: Vec<Finding>,
    pub(super) tests: usize,
    pub(super) fail_fresh: Vec<String>,
    pub(super) fail_pytest: Vec<String>,
    pub(super) fail_twin: Vec<String>,
    pub(super) fail_twin_faults: Vec<String>,
}

impl Score {
    pub(super) const HEAD: &'static str = "service    seed  above low  all  faults met  found  gone  on twin  alarms  tests  failed  on twin: faults others";

    pub(super) fn new(service: String, seed: u64) -> Self {
        Self {
            service,
            seed,
            ..Self::default()
        }
    }

    pub(super) fn count(&mut self, findings: &[Finding]) {
        self.confirmed = findings.len();
        self.grave = findings.iter().filter(|f| f.is_grave()).count();
    }

    /// Everything that breaks a promise.
    pub(super) fn violations(&self) -> usize {
        self.gone.len()
            + self.on_twin.len()
            + self.alarms.len()
            + self.fail_fresh.len()
            + self.fail_pytest.len()
            + self.fail_twin.len()
    }
}

impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let planted = self.planted.len();
        write!(
            f,
            "{:<10} {:>4}  {:>9}  {:>3}  {:>10}  {:>5}  {:>4}  {:>7}  {:>6}  {:>5}  {:>6}  {:>15} {:>6}",
            self.service,
            self.seed,
            self.grave,
            self.confirmed,
            format!("{}/{planted}", self.met.len()),
            self.found.len(),
            self.gone.len(),
            self.on_twin.len(),
            self.alarms.len(),
            self.tests,
            self.fail_fresh.len() + self.fail_pytest.len(),
            self.fail_twin_faults.len(),
            self.fail_twin.len(),
        )?;
        if planted > 0 {
            let missed = self.planted.iter().filter(|p| !self.found.contains(*p));
            let missed: Vec<String> = missed
                .map(|fault| {
                    let met = self.met.contains(fault);
                    format!("{fault}{}", if met { " (met)" } else { "" })
                })
                .collect();
            write!(f, "\n    missed: {}", missed.join(", "))?;
        }
        for (finding, verdict) in &self.gone {
            write!(f, "\n    {verdict:?} on a fresh copy: {finding}")?;
        }
        let lists = [
            ("on the corrected copy", &self.on_twin),
            ("of no single fault", &self.unattributed),
            ("alarm", &self.alarms),
        ];
        for (what, findings) in lists {
            for finding in findings {
                write!(f, "\n    {what}: {finding}")?;
            }
        }
        let tests = [
            ("fails on a fresh copy", &self.fail_fresh),
            ("fails in pytest", &self.fail_pytest),
            ("fails on the corrected copy", &self.fail_twin),
        ];
        for (what, names) in tests {
            for name in names {
                write!(f, "\n    {what}: {name}")?;
            }
        }
        Ok(())
    }
}
