//! Two strategies against each other on every service.

use crate::experiment::{Better, Comparison, Experiment, Metric};
use crate::record::Records;
use crate::service::Service;
use crate::stats::{a12, mann_whitney, mean};

use super::summarise::values;
use super::{ComparisonRow, SIGNIFICANT, Verdict};

pub(super) fn comparisons(
    experiment: &Experiment,
    records: &Records,
    budget: u64,
) -> Vec<ComparisonRow> {
    let mut rows = Vec::new();
    for service in &experiment.services {
        for comparison in &experiment.comparisons {
            for metric in &experiment.metrics {
                let sample = |name: &str| {
                    experiment.strategy(name).map_or_else(Vec::new, |strategy| {
                        values(experiment, records, (service, strategy, budget), metric)
                    })
                };
                let (a, b) = (sample(&comparison.a), sample(&comparison.b));
                rows.push(row(service, comparison, metric, &a, &b));
            }
        }
    }
    rows
}

fn row(
    service: &Service,
    comparison: &Comparison,
    metric: &Metric,
    a: &[f64],
    b: &[f64],
) -> ComparisonRow {
    let larger = a12(a, b);
    let a12 = match metric.better {
        Better::Higher => larger,
        Better::Lower => larger.map(|larger| 1.0 - larger),
    };
    let p = mann_whitney(a, b).map(|test| test.p);
    ComparisonRow {
        service: service.name.clone(),
        a: comparison.a.clone(),
        b: comparison.b.clone(),
        metric: metric.name.clone(),
        a12,
        p,
        relative: relative(a, b),
        verdict: verdict(a12, p),
    }
}

/// None where there is nothing to be a share of; two noughts are equal all the same.
fn relative(a: &[f64], b: &[f64]) -> Option<f64> {
    let (a, b) = (mean(a)?, mean(b)?);
    if a == b {
        return Some(0.0);
    }
    (b != 0.0).then(|| (a - b) / b.abs())
}

fn verdict(a12: Option<f64>, p: Option<f64>) -> Verdict {
    match (a12, p) {
        (Some(a12), Some(p)) if p < SIGNIFICANT && a12 > 0.5 => Verdict::Better,
        (Some(a12), Some(p)) if p < SIGNIFICANT && a12 < 0.5 => Verdict::Worse,
        _ => Verdict::Open,
    }
}
