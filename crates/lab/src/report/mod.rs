//! What the results say: a table of every strategy on every service, and tests between them.
//!
//! [`tables`] computes plain rows once; each format only lays them out, so that all formats tell
//! the same numbers. A report may be made of half an experiment: what is missing is left empty
//! and the number of runs stands beside every mean.

mod compare;
mod csv;
mod grid;
mod json;
mod layout;
mod markdown;
mod number;
mod summarise;
mod text;

use serde::Serialize;

use crate::experiment::{Experiment, Metric};
use crate::record::Records;
use crate::stats::{Friedman, Summary};

pub use json::FORMAT_VERSION;
pub(crate) use number::decimals;

/// A difference that chance makes less often than this is called one.
pub const SIGNIFICANT: f64 = 0.05;

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Report {
    pub title: String,
    pub metrics: Vec<Metric>,
    pub main: String,
    /// Cells finished, of all.
    pub done: usize,
    pub all: usize,
    pub budgets: Vec<BudgetReport>,
}

/// Everything about the runs of one budget. Rows stand in the order of the lab file: services,
/// then strategies or comparisons, then metrics, none left out.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct BudgetReport {
    pub budget: u64,
    pub summaries: Vec<SummaryRow>,
    pub overall: Vec<OverallRow>,
    pub comparisons: Vec<ComparisonRow>,
}

/// One metric of one strategy on one service.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SummaryRow {
    pub service: String,
    pub strategy: String,
    pub metric: String,
    pub summary: Option<Summary>,
    /// 1 is the best mean on this service; equal means share their ranks.
    pub rank: Option<f64>,
}

/// One metric over all services on which every strategy has run.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct OverallRow {
    pub metric: String,
    pub services: usize,
    /// By strategy.
    pub average_ranks: Vec<AverageRank>,
    pub friedman: Option<Friedman>,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct AverageRank {
    pub strategy: String,
    pub rank: f64,
}

/// One metric of two strategies on one service.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ComparisonRow {
    pub service: String,
    pub a: String,
    pub b: String,
    pub metric: String,
    /// Chance that a run of `a` is better than a run of `b`.
    pub a12: Option<f64>,
    /// Two-sided, of the Mann–Whitney–Wilcoxon U test.
    pub p: Option<f64>,
    /// (mean of `a` − mean of `b`) / mean of `b`
    pub relative: Option<f64>,
    pub verdict: Verdict,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// `a` is better, and hardly by chance.
    Better,
    /// `b` is better, and hardly by chance.
    Worse,
    /// Nothing that chance would not make as well, or not enough runs to say.
    Open,
}

/// Computes every number of the report.
pub fn tables(experiment: &Experiment, records: &Records) -> Report {
    let cells = experiment.cells();
    let budget_report = |budget: &u64| BudgetReport {
        budget: *budget,
        summaries: summarise::summaries(experiment, records, *budget),
        overall: summarise::overall(experiment, records, *budget),
        comparisons: compare::comparisons(experiment, records, *budget),
    };
    Report {
        title: experiment.title.clone(),
        metrics: experiment.metrics.clone(),
        main: experiment.main.clone(),
        done: cells
            .iter()
            .filter(|cell| records.of(cell).is_some())
            .count(),
        all: cells.len(),
        budgets: experiment.budgets.iter().map(budget_report).collect(),
    }
}

#[cfg(test)]
mod tests;
