//! One run of an experiment, from a fresh service to its record.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::{Result, bail};
use fossick_campaign::{Budget, Event, Hunt, Keeping, Outcome, Settings};
use fossick_lab::{Cell, Experiment, Record};
use fossick_search::Strategy;
use fossick_suite::Limits;
use fossick_trace::{Count, Ending, Tally};
use fossick_transport::{Base, Client, accounts, is_secret};
use fossick_validate::Validators;
use tokio::runtime::Runtime;
use tokio::sync::watch;
use tokio::task::LocalSet;

use super::service::{Reached, Standing};
use crate::plan::is_loopback;
use crate::test::{LONGEST_ANSWER, base, cpu_seconds_of, runtime};

/// What a cell is run with.
pub(super) struct Run<'a> {
    pub(super) experiment: &'a Experiment,
    pub(super) cell: &'a Cell,
    pub(super) strategy: Strategy,
    pub(super) out: &'a Path,
}

impl Run<'_> {
    /// The record, or none where the lab is being stopped.
    pub(super) fn run(self, stop: watch::Receiver<bool>) -> Result<Option<Record>> {
        let service = self.experiment.service(&self.cell.service);
        let service = service.expect("a cell has a service of its file");
        let runtime = runtime()?;
        let standing = Standing::start(service, &runtime, self.out, stop.clone())?;
        let (started, cpu) = (Instant::now(), cpu_seconds());
        let outcome = self.hunt(&standing, &runtime, stop)?;
        match outcome.ending {
            Ending::Interrupted => return Ok(None),
            Ending::ServiceLost => bail!("the service was lost on the way"),
            Ending::Finished => {}
        }
        Ok(Some(Record {
            key: self.cell.key(),
            stamp: self.cell.stamp.clone(),
            metrics: metrics(&outcome, standing.reached(&runtime).as_ref()),
            curve: self.curve(&outcome),
            seconds: started.elapsed().as_secs_f64(),
            cpu_seconds: cpu_seconds() - cpu,
        }))
    }

    /// The course of the metric that the experiment is mainly about.
    fn curve(&self, outcome: &Outcome) -> Vec<(u64, f64)> {
        let course = match self.experiment.main.as_str() {
            "succeeded" => &outcome.graph.succeeded,
            _ => &outcome.curve,
        };
        let point = |(requests, count): &(u64, u64)| (*requests, *count as f64);
        course.iter().map(point).collect()
    }

    fn hunt(
        &self,
        standing: &Standing,
        runtime: &Runtime,
        mut stop: watch::Receiver<bool>,
    ) -> Result<Outcome> {
        let api = &standing.document.api;
        let (base, _) = base(Some(&standing.url), &standing.document)?;
        let settings = self.settings(standing, &base);
        let validators = Validators::new(api);
        let mut listen = |_: Event<'_>| {};
        let client = client(standing, base)?;
        let hunt = Hunt::new(api, &validators, client, settings, &mut listen);
        let stop = async move {
            // Whoever could say stop is gone: then the lab is over as well.
            let _ = stop.wait_for(|stop| *stop).await;
        };
        Ok(LocalSet::new().block_on(runtime, hunt.run(stop)))
    }

    fn settings(&self, standing: &Standing, base: &Base) -> Settings {
        let strategy = self.experiment.strategy(&self.cell.strategy);
        let looks = strategy.is_some_and(|strategy| strategy.whitebox);
        Settings {
            budget: Budget {
                time: None,
                requests: Some(self.cell.budget),
            },
            search: fossick_search::Settings {
                seed: self.cell.seed,
                free: is_loopback(&base.host),
                undeclared: false,
                credentials: standing.headers.iter().any(|(name, _)| is_secret(name)),
                users: Vec::new(),
                accounts: accounts(&standing.headers, &[]),
                inline: false,
                get: true,
                strategy: self.strategy.clone(),
                keep: false,
            },
            keep: self.experiment.metric("tests").map(|_| keeping()),
            reset: None,
            revive: None,
            printed: None,
            beside: Vec::new(),
            in_order: false,
            ignore: Vec::new(),
            silenced: Vec::new(),
            probe: standing.probe(looks),
        }
    }
}

/// A suite is made to be counted, with all the time that it takes within reason.
fn keeping() -> Keeping {
    Keeping {
        limits: Limits::default(),
        time: Duration::from_mins(1),
        reset: None,
        users: Vec::new(),
    }
}

fn client(standing: &Standing, base: Base) -> Result<Client> {
    let mut settings = fossick_transport::Settings::new(base);
    settings.headers.clone_from(&standing.headers);
    // Calls that race each other in the service would make the same seed another run.
    settings.connections = 1;
    settings.max_body = LONGEST_ANSWER;
    settings.longest_pause = std::time::Duration::ZERO;
    Ok(Client::new(settings)?)
}

fn metrics(outcome: &Outcome, reached: Option<&Reached>) -> BTreeMap<String, f64> {
    let succeeded = outcome.tallies.iter().filter(|tally| tally.succeeded());
    let succeeded = succeeded.count() as f64;
    let confirmed = outcome.findings.iter().filter(|shown| shown.is_confirmed());
    let mut metrics = vec![
        ("targets", outcome.targets as f64),
        ("operations_ok", succeeded),
        (
            "operations_5xx",
            count(outcome, |tally| failures(tally) > 0),
        ),
        ("statuses", statuses(outcome)),
        ("succeeded", succeeded),
        ("not_found", not_found(outcome)),
        ("sequences", outcome.graph.sequences as f64),
        ("edges_added", f64::from(outcome.graph.edges_added)),
        ("edges_removed", f64::from(outcome.graph.edges_removed)),
        ("findings", confirmed.count() as f64),
        ("requests", outcome.requests as f64),
    ];
    if let Some(kept) = &outcome.kept {
        metrics.push(("tests", kept.tests.len() as f64));
    }
    if outcome.graphql.is_some() {
        let share = |has: fn(&Tally) -> bool| {
            100.0 * count(outcome, has) / outcome.tallies.len().max(1) as f64
        };
        metrics.push(("no_errors", share(|tally| tally.without_errors > 0)));
        metrics.push(("with_errors", share(|tally| tally.with_errors > 0)));
    }
    if let Some(&Reached { lines, branches }) = reached {
        metrics.push(("lines_covered", lines.covered as f64));
        metrics.push(("branches_covered", branches.covered as f64));
        metrics.push(("lines", percent(lines)));
        metrics.push(("branches", percent(branches)));
    }
    let named = |(name, value): (&str, f64)| (name.to_owned(), value);
    metrics.into_iter().map(named).collect()
}

fn count(outcome: &Outcome, has: impl Fn(&Tally) -> bool) -> f64 {
    outcome.tallies.iter().filter(|tally| has(tally)).count() as f64
}

fn failures(tally: &Tally) -> u64 {
    let failed = tally.statuses.iter().filter(|(status, _)| **status >= 500);
    failed.map(|(_, often)| *often).sum()
}

/// Different statuses of an operation, on average.
fn statuses(outcome: &Outcome) -> f64 {
    let all: usize = outcome
        .tallies
        .iter()
        .map(|tally| tally.statuses.len())
        .sum();
    all as f64 / outcome.tallies.len().max(1) as f64
}

/// How many of a hundred answers said that there is no such thing.
fn not_found(outcome: &Outcome) -> f64 {
    let answers: u64 = outcome.tallies.iter().map(|tally| tally.requests).sum();
    let missing = |tally: &Tally| tally.statuses.get(&404).copied().unwrap_or(0);
    let missing: u64 = outcome.tallies.iter().map(missing).sum();
    100.0 * missing as f64 / answers.max(1) as f64
}

fn percent(count: Count) -> f64 {
    100.0 * count.covered as f64 / count.total.max(1) as f64
}

/// Processor time of this thread: the service and the other cells have threads of their own.
fn cpu_seconds() -> f64 {
    cpu_seconds_of("/proc/thread-self/stat")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_status_of_500_or_above_is_a_failure() {
        let tally = Tally {
            statuses: [(200, 7), (404, 2), (500, 3), (503, 1)].into(),
            ..Tally::default()
        };
        assert_eq!(failures(&tally), 4);
        assert_eq!(failures(&Tally::default()), 0);
    }
}
