//! Which findings are told, and in which of three ways.
//!
//! A cause is told once, at the finding that ranks first; the others it hits are listed there.
//! A run may carry those others as findings of their own or only as `also`: both read the same.

use std::collections::BTreeSet;

use fossick_trace::{Case, Run, Severity};

pub(crate) struct Causes<'a> {
    /// Confirmed, one for each cause, in the order of the run.
    pub told: Vec<&'a Case>,
    /// Findings behind them, every operation counted.
    pub findings: usize,
    /// Seen in the run, but not every time it was tried again.
    pub wavering: Vec<&'a Case>,
}

impl<'a> Causes<'a> {
    pub(crate) fn of(run: &'a Run) -> Self {
        let mut covered = BTreeSet::new();
        let mut told = Vec::new();
        for case in run.findings.iter().filter(|r| r.is_confirmed()) {
            if covered.insert(case.finding.fingerprint()) {
                told.push(case);
            }
            covered.extend(case.also.iter().map(|(print, _)| print.clone()));
        }
        let is_elsewhere = |case: &&Case| covered.contains(&case.finding.fingerprint());
        let unsure = run.findings.iter().filter(|case| !case.is_confirmed());
        let (leaning, wavering): (Vec<&Case>, Vec<&Case>) = unsure.partition(is_elsewhere);
        Self {
            told,
            findings: covered.len() - leaning.len(),
            wavering,
        }
    }

    /// What is told in full and what is folded.
    pub(crate) fn split(&self, all: bool) -> (Vec<&'a Case>, Vec<&'a Case>) {
        self.told
            .iter()
            .partition(|r| all || r.finding.severity > Severity::Low)
    }
}
