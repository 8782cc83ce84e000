//! The rows as comma-separated values, one observation to a line, for a spreadsheet or a notebook.
//!
//! Three texts, because the three kinds of row have different columns; numbers are written in
//! full, and what is missing is left empty.

use super::{BudgetReport, Report};

impl Report {
    /// Every metric of every strategy on every service.
    pub fn csv(&self) -> String {
        let head = "budget,service,strategy,metric,runs,mean,median,deviation,min,max,rank";
        self.lines(head, |budget| {
            let row = |row: &super::SummaryRow| {
                let summary = row.summary;
                vec![
                    row.service.clone(),
                    row.strategy.clone(),
                    row.metric.clone(),
                    summary.map_or(0, |summary| summary.runs).to_string(),
                    number(summary.map(|summary| summary.mean)),
                    number(summary.map(|summary| summary.median)),
                    number(summary.map(|summary| summary.deviation)),
                    number(summary.map(|summary| summary.min)),
                    number(summary.map(|summary| summary.max)),
                    number(row.rank),
                ]
            };
            budget.summaries.iter().map(row).collect()
        })
    }

    /// Every comparison on every service.
    pub fn comparisons_csv(&self) -> String {
        self.lines("budget,service,a,b,metric,a12,p,relative", |budget| {
            let row = |row: &super::ComparisonRow| {
                vec![
                    row.service.clone(),
                    row.a.clone(),
                    row.b.clone(),
                    row.metric.clone(),
                    number(row.a12),
                    number(row.p),
                    number(row.relative),
                ]
            };
            budget.comparisons.iter().map(row).collect()
        })
    }

    /// The average rank of every strategy, with the Friedman test of its metric.
    pub fn ranks_csv(&self) -> String {
        let head = "budget,metric,strategy,services,average_rank,friedman_chi_square,friedman_p";
        self.lines(head, |budget| {
            let rows = budget.overall.iter().flat_map(|overall| {
                overall.average_ranks.iter().map(|average| {
                    vec![
                        overall.metric.clone(),
                        average.strategy.clone(),
                        overall.services.to_string(),
                        number(Some(average.rank)),
                        number(overall.friedman.map(|test| test.chi_square)),
                        number(overall.friedman.map(|test| test.p)),
                    ]
                })
            });
            rows.collect()
        })
    }

    fn lines(&self, head: &str, rows: impl Fn(&BudgetReport) -> Vec<Vec<String>>) -> String {
        let mut text = format!("{head}\n");
        for budget in &self.budgets {
            for row in rows(budget) {
                let quoted: Vec<String> = row.iter().map(|field| quote(field)).collect();
                text += &format!("{},{}\n", budget.budget, quoted.join(","));
            }
        }
        text
    }
}

fn number(value: Option<f64>) -> String {
    value.map(|value| value.to_string()).unwrap_or_default()
}

fn quote(field: &str) -> String {
    if field.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", field.replace('"', "\"\""))
    } else {
        field.to_owned()
    }
}
