//! Means and ranks of every strategy on every service, and over all services.

use crate::cell::Cell;
use crate::experiment::{Better, Experiment, Metric};
use crate::record::{Record, Records};
use crate::service::Service;
use crate::stats::{self, Summary, places};
use crate::strategy::Strategy;

use super::{AverageRank, OverallRow, SummaryRow};

/// The finished runs of one strategy on one service, in the order of the seeds.
pub(crate) fn runs<'a>(
    experiment: &'a Experiment,
    records: &'a Records,
    service: &'a Service,
    strategy: &'a Strategy,
    budget: u64,
) -> impl Iterator<Item = &'a Record> {
    experiment
        .seeds
        .iter()
        .filter_map(move |seed| records.of(&Cell::new(service, strategy, *seed, budget)))
}

pub(super) fn values(
    experiment: &Experiment,
    records: &Records,
    (service, strategy, budget): (&Service, &Strategy, u64),
    metric: &Metric,
) -> Vec<f64> {
    runs(experiment, records, service, strategy, budget)
        .filter_map(|record| record.metric(&metric.name))
        .filter(|value| value.is_finite())
        .collect()
}

pub(super) fn summaries(
    experiment: &Experiment,
    records: &Records,
    budget: u64,
) -> Vec<SummaryRow> {
    let mut rows = Vec::new();
    for service in &experiment.services {
        let columns: Vec<Vec<(Option<Summary>, Option<f64>)>> = experiment
            .metrics
            .iter()
            .map(|metric| ranked(&means(experiment, records, service, budget, metric), metric))
            .collect();
        for (place, strategy) in experiment.strategies.iter().enumerate() {
            for (metric, column) in experiment.metrics.iter().zip(&columns) {
                let (summary, rank) = column.get(place).copied().unwrap_or_default();
                rows.push(SummaryRow {
                    service: service.name.clone(),
                    strategy: strategy.name.clone(),
                    metric: metric.name.clone(),
                    summary,
                    rank,
                });
            }
        }
    }
    rows
}

/// One metric on one service, by strategy.
fn means(
    experiment: &Experiment,
    records: &Records,
    service: &Service,
    budget: u64,
    metric: &Metric,
) -> Vec<Option<Summary>> {
    let summary = |strategy| {
        let of = (service, strategy, budget);
        Summary::of(&values(experiment, records, of, metric))
    };
    experiment.strategies.iter().map(summary).collect()
}

/// Ranks those that have run at all among themselves.
fn ranked(summaries: &[Option<Summary>], metric: &Metric) -> Vec<(Option<Summary>, Option<f64>)> {
    let present: Vec<f64> = summaries
        .iter()
        .flatten()
        .map(|summary| summary.mean)
        .collect();
    let mut ranks = places(&present, metric.better == Better::Higher).into_iter();
    summaries
        .iter()
        .map(|summary| (*summary, summary.and_then(|_| ranks.next())))
        .collect()
}

pub(super) fn overall(experiment: &Experiment, records: &Records, budget: u64) -> Vec<OverallRow> {
    let row = |metric: &Metric| overall_row(experiment, records, budget, metric);
    experiment.metrics.iter().map(row).collect()
}

fn overall_row(
    experiment: &Experiment,
    records: &Records,
    budget: u64,
    metric: &Metric,
) -> OverallRow {
    let higher = metric.better == Better::Higher;
    let whole_row = |service| {
        let summaries = means(experiment, records, service, budget, metric);
        let means: Option<Vec<f64>> = summaries
            .iter()
            .map(|summary| summary.map(|summary| summary.mean))
            .collect();
        // Ranked downwards, so that the best has the lowest average rank.
        means.map(|means| places(&means, higher))
    };
    let rows: Vec<Vec<f64>> = experiment.services.iter().filter_map(whole_row).collect();
    let average_ranks = experiment
        .strategies
        .iter()
        .zip(stats::average_ranks(&rows))
        .map(|(strategy, rank)| AverageRank {
            strategy: strategy.name.clone(),
            rank,
        })
        .collect();
    OverallRow {
        metric: metric.name.clone(),
        services: rows.len(),
        average_ranks,
        friedman: stats::friedman(&rows),
    }
}
