//! Many runs become one line: their mean after so many calls, and the middle half of them.
//!
//! Between two points of a run its value is the earlier one: what has been reached is known, what
//! comes next is not, so a curve never promises more than was measured. Before its first point a
//! run has reached nothing.

use std::collections::BTreeSet;

use serde::Serialize;

use crate::cell::Cell;
use crate::experiment::Experiment;
use crate::record::{Record, Records};
use crate::service::Service;
use crate::stats::{mean, quantile};
use crate::strategy::Strategy;

/// Points of a drawn line; more than a screen shows.
const POINTS: usize = 160;

/// All strategies on one service.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Plot {
    pub service: String,
    pub metric: String,
    /// Calls at the right end.
    pub budget: u64,
    pub curves: Vec<Curve>,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Curve {
    pub strategy: String,
    /// Place of the strategy in the lab file: its colour in every chart.
    pub place: usize,
    pub runs: usize,
    pub points: Vec<CurvePoint>,
}

#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct CurvePoint {
    pub calls: u64,
    pub mean: f64,
    /// First and third quartile.
    pub low: f64,
    pub high: f64,
}

/// One plot for each service that has a run at all.
pub fn plots(experiment: &Experiment, records: &Records) -> Vec<Plot> {
    let budget = experiment.budgets.iter().copied().max().unwrap_or_default();
    let plot = |service: &Service| {
        let curves: Vec<Curve> = experiment
            .strategies
            .iter()
            .enumerate()
            .filter_map(|(place, strategy)| {
                let runs = runs(experiment, records, service, strategy, budget);
                curve(strategy, place, &runs, budget)
            })
            .collect();
        Plot {
            service: service.name.clone(),
            metric: experiment.main.clone(),
            budget,
            curves,
        }
    };
    let plots = experiment.services.iter().map(plot);
    plots.filter(|plot| !plot.curves.is_empty()).collect()
}

/// For each seed, value after calls.
type Run = Vec<(u64, f64)>;

fn runs(
    experiment: &Experiment,
    records: &Records,
    service: &Service,
    strategy: &Strategy,
    budget: u64,
) -> Vec<Run> {
    let record = |seed: u64, budget: u64| records.of(&Cell::new(service, strategy, seed, budget));
    experiment
        .seeds
        .iter()
        .filter_map(|seed| {
            let longest = record(*seed, budget)?;
            let all = experiment
                .budgets
                .iter()
                .map(|budget| (*budget, record(*seed, *budget)));
            let run = if longest.curve.is_empty() {
                by_budget(all, &experiment.main)
            } else {
                by_calls(longest)
            };
            (!run.is_empty()).then_some(run)
        })
        .collect()
}

fn by_calls(record: &Record) -> Run {
    let mut run = record.curve.clone();
    run.retain(|(_, value)| value.is_finite());
    run.sort_by_key(|(calls, _)| *calls);
    run
}

/// Runs without a curve still know their end: several budgets make a coarse one.
fn by_budget<'a>(ends: impl Iterator<Item = (u64, Option<&'a Record>)>, metric: &str) -> Run {
    let end = |(budget, record): (u64, Option<&Record>)| {
        let value = record?.metric(metric)?;
        value.is_finite().then_some((budget, value))
    };
    let mut run: Run = ends.filter_map(end).collect();
    run.sort_by_key(|(calls, _)| *calls);
    run
}

fn curve(strategy: &Strategy, place: usize, runs: &[Run], budget: u64) -> Option<Curve> {
    if runs.is_empty() {
        return None;
    }
    let points = moments(runs, budget)
        .into_iter()
        .filter_map(|calls| point(runs, calls))
        .collect();
    Some(Curve {
        strategy: strategy.name.clone(),
        place,
        runs: runs.len(),
        points,
    })
}

/// The calls at which to draw: those that the runs themselves measured, where they are few, since
/// a grid of our own would cut their steps at odd places; even steps where they are many.
fn moments(runs: &[Run], budget: u64) -> Vec<u64> {
    let measured = runs.iter().flatten().map(|(calls, _)| *calls);
    let ends = [0, budget];
    let own: BTreeSet<u64> = measured
        .filter(|calls| *calls < budget)
        .chain(ends)
        .collect();
    if own.len() <= POINTS {
        return own.into_iter().collect();
    }
    let even = |step: usize| (u128::from(budget) * step as u128 / POINTS as u128) as u64;
    (0..=POINTS).map(even).collect()
}

fn point(runs: &[Run], calls: u64) -> Option<CurvePoint> {
    let values: Vec<f64> = runs.iter().map(|run| value_after(run, calls)).collect();
    Some(CurvePoint {
        calls,
        mean: mean(&values)?,
        low: quantile(&values, 0.25)?,
        high: quantile(&values, 0.75)?,
    })
}

fn value_after(run: &Run, calls: u64) -> f64 {
    let reached = run.partition_point(|(at, _)| *at <= calls);
    let last = reached.checked_sub(1).and_then(|place| run.get(place));
    last.map_or(0.0, |(_, value)| *value)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample::{experiment, records};

    #[test]
    fn a_run_holds_its_value_until_the_next_point() {
        let run = vec![(10, 5.0), (500, 6.0)];
        assert_eq!(
            [0, 9, 10, 499, 500, 9999].map(|calls| value_after(&run, calls)),
            [0.0, 0.0, 5.0, 5.0, 6.0, 6.0]
        );
    }

    #[test]
    fn a_curve_is_the_mean_with_the_middle_half_of_the_runs() {
        let runs: Vec<Run> = (1..=5).map(|seed| vec![(0, f64::from(seed))]).collect();
        let point = point(&runs, 0).unwrap();
        assert_eq!((point.low, point.mean, point.high), (2.0, 3.0, 4.0));
    }

    #[test]
    fn the_largest_budget_is_drawn_to_its_end() {
        let experiment = experiment();
        let plots = plots(&experiment, &records(&experiment));
        assert_eq!(plots.len(), 2);
        let rd = &plots[0].curves[2];
        assert_eq!(
            (rd.strategy.as_str(), rd.runs, rd.points.len()),
            ("rd-mio", 5, 21)
        );
        let end = rd.points.last().unwrap();
        assert_eq!((end.calls, end.mean.round()), (10_000, 172.0));
    }

    #[test]
    fn lines_of_many_points_are_drawn_in_even_steps() {
        let busy: Run = (0..5000).map(|calls| (calls * 2, calls as f64)).collect();
        let moments = moments(&[busy], 10_000);
        assert_eq!(
            (moments.len(), moments[0], moments[1], moments[160]),
            (161, 0, 62, 10_000)
        );
        assert_eq!(super::moments(&[vec![(3, 1.0), (99, 2.0)]], 10), [0, 3, 10]);
    }

    #[test]
    fn runs_without_a_curve_are_drawn_by_their_ends() {
        let experiment = experiment();
        let whole = records(&experiment);
        let bare: String = whole
            .iter()
            .map(|record| {
                Record {
                    curve: Vec::new(),
                    ..record.clone()
                }
                .line()
            })
            .collect();
        let plots = plots(&experiment, &Records::read(&bare));
        let points = &plots[0].curves[0].points;
        let after = |calls: u64| {
            points
                .iter()
                .find(|point| point.calls >= calls)
                .unwrap()
                .mean
        };
        assert_eq!((after(0), after(1000), after(10_000)), (0.0, 104.0, 113.0));
    }
}
