//! Which rows and columns the tables have, the same for Markdown and for the terminal.

use crate::experiment::{Better, Metric};

use super::grid::{Entry, Grid};
use super::number::{decimals, p_value, percent, rank};
use super::{BudgetReport, ComparisonRow, OverallRow, Report, SummaryRow, Verdict};

const NOTHING: &str = "–";

impl Report {
    /// The two tables of one budget; that of the comparisons only where there are any.
    pub(super) fn grids(&self, budget: &BudgetReport) -> Vec<Grid> {
        let mut grids = vec![self.summary_grid(budget)];
        if !budget.comparisons.is_empty() {
            grids.push(self.comparison_grid(budget));
        }
        grids
    }

    fn width(&self) -> usize {
        self.metrics.len().max(1)
    }

    fn summary_grid(&self, budget: &BudgetReport) -> Grid {
        let decimals: Vec<usize> = self
            .metrics
            .iter()
            .map(|metric| column_decimals(budget, metric))
            .collect();
        let mut groups: Vec<Vec<Vec<Entry>>> = budget
            .summaries
            .chunk_by(|left, right| left.service == right.service)
            .map(|service| {
                let rows = service.chunks(self.width());
                group(rows.map(|row| summary_row(row, &decimals)).collect())
            })
            .collect();
        groups.extend(overall_groups(&budget.overall));
        let names = self.metrics.iter().map(headline);
        Grid {
            caption: "mean [min, max] and rank".to_owned(),
            words: 2,
            fixed: 3,
            unit: 1,
            head: ["Service", "Strategy", "runs"]
                .map(str::to_owned)
                .into_iter()
                .chain(names)
                .collect(),
            groups,
            note: "Rank 1 is the best on a service and stands out.".to_owned(),
        }
    }

    fn comparison_grid(&self, budget: &BudgetReport) -> Grid {
        let heads = self.metrics.iter().flat_map(|metric| {
            let name = &metric.name;
            [format!("{name} A12"), "p".to_owned(), "relative".to_owned()]
        });
        let mut groups: Vec<Vec<Vec<Entry>>> = budget
            .comparisons
            .chunk_by(|left, right| left.service == right.service)
            .map(|service| {
                let rows = service.chunks(self.width());
                group(rows.map(comparison_row).collect())
            })
            .collect();
        groups.push(group(self.tally_rows(budget)));
        Grid {
            caption: "A against B".to_owned(),
            words: 2,
            fixed: 2,
            unit: 3,
            head: ["Service", "A vs. B"]
                .map(str::to_owned)
                .into_iter()
                .chain(heads)
                .collect(),
            groups,
            note: "A12 is the chance that a run of A is better than a run of B; p is two-sided \
                   (Mann–Whitney–Wilcoxon); relative is (A − B) / B of the means. What stands out \
                   has p < 0.05; ▼ marks where B is the better one."
                .to_owned(),
        }
    }

    /// For each pair and metric: on how many services A is better, open, worse.
    fn tally_rows(&self, budget: &BudgetReport) -> Vec<Vec<Entry>> {
        let first_service = budget.comparisons.first().map(|row| row.service.as_str());
        budget
            .comparisons
            .iter()
            .filter(|row| Some(row.service.as_str()) == first_service)
            .collect::<Vec<_>>()
            .chunks(self.width())
            .map(|pair| tally_row(budget, pair))
            .collect()
    }
}

fn headline(metric: &Metric) -> String {
    match metric.better {
        Better::Higher => metric.name.clone(),
        Better::Lower => format!("{} (less is better)", metric.name),
    }
}

fn column_decimals(budget: &BudgetReport, metric: &Metric) -> usize {
    let largest = budget
        .summaries
        .iter()
        .filter(|row| row.metric == metric.name)
        .filter_map(|row| row.summary)
        .map(|summary| summary.max.abs())
        .fold(0.0, f64::max);
    decimals(largest)
}

/// Says the name of a group once, in its first row.
fn group(mut rows: Vec<Vec<Entry>>) -> Vec<Vec<Entry>> {
    for row in rows.iter_mut().skip(1) {
        if let Some(first) = row.first_mut() {
            *first = Entry::default();
        }
    }
    rows
}

fn summary_row(row: &[SummaryRow], decimals: &[usize]) -> Vec<Entry> {
    let Some(first) = row.first() else {
        return Vec::new();
    };
    let runs = row
        .iter()
        .filter_map(|row| row.summary)
        .map(|summary| summary.runs)
        .max();
    let mut entries = vec![
        Entry::plain(&first.service),
        Entry::plain(&first.strategy),
        Entry::plain(runs.unwrap_or(0).to_string()),
    ];
    entries.extend(
        row.iter()
            .zip(decimals)
            .map(|(row, decimals)| summary_entry(row, *decimals)),
    );
    entries
}

fn summary_entry(row: &SummaryRow, decimals: usize) -> Entry {
    let (Some(summary), Some(place)) = (row.summary, row.rank) else {
        return Entry::plain(NOTHING);
    };
    let text = format!(
        "{:.decimals$} [{:.decimals$}, {:.decimals$}] ({})",
        summary.mean,
        summary.min,
        summary.max,
        rank(place)
    );
    Entry::bold_if(text, place == 1.0)
}

/// The average rank of each strategy and the Friedman test, below all services. Nothing where no
/// service is complete yet.
fn overall_groups(overall: &[OverallRow]) -> Vec<Vec<Vec<Entry>>> {
    let strategies: Vec<&str> = overall
        .iter()
        .map(|row| &row.average_ranks)
        .max_by_key(|ranks| ranks.len())
        .map(|ranks| ranks.iter().map(|rank| rank.strategy.as_str()).collect())
        .unwrap_or_default();
    if strategies.is_empty() {
        return Vec::new();
    }
    let ranks = strategies
        .iter()
        .map(|strategy| average_row(overall, strategy))
        .collect();
    vec![group(ranks), vec![friedman_row(overall)]]
}

fn average_row(overall: &[OverallRow], strategy: &str) -> Vec<Entry> {
    let mut entries = ["Average rank", strategy, ""].map(Entry::plain).to_vec();
    for row in overall {
        let own = row
            .average_ranks
            .iter()
            .find(|rank| rank.strategy == strategy);
        let best = row
            .average_ranks
            .iter()
            .map(|rank| rank.rank)
            .reduce(f64::min);
        entries.push(own.map_or(Entry::plain(NOTHING), |own| {
            Entry::bold_if(format!("{:.1}", own.rank), Some(own.rank) == best)
        }));
    }
    entries
}

fn friedman_row(overall: &[OverallRow]) -> Vec<Entry> {
    let mut entries = ["Friedman χ², p", "", ""].map(Entry::plain).to_vec();
    entries.extend(overall.iter().map(|row| match row.friedman {
        Some(test) => {
            let text = format!("{:.1}, {}", test.chi_square, p_value(test.p));
            Entry::bold_if(text, test.p < super::SIGNIFICANT)
        }
        None => Entry::plain(NOTHING),
    }));
    entries
}

fn comparison_row(row: &[ComparisonRow]) -> Vec<Entry> {
    let Some(first) = row.first() else {
        return Vec::new();
    };
    let mut entries = vec![Entry::plain(&first.service), Entry::plain(pair(first))];
    entries.extend(row.iter().flat_map(comparison_entries));
    entries
}

fn pair(row: &ComparisonRow) -> String {
    format!("{} vs. {}", row.a, row.b)
}

fn comparison_entries(row: &ComparisonRow) -> [Entry; 3] {
    let mark = if row.verdict == Verdict::Worse {
        "▼ "
    } else {
        ""
    };
    let texts = [
        row.a12.map(|a12| format!("{mark}{a12:.2}")),
        row.p.map(p_value),
        row.relative.map(percent),
    ];
    let bold = row.verdict != Verdict::Open;
    texts.map(|text| match text {
        Some(text) => Entry::bold_if(text, bold),
        None => Entry::plain(NOTHING),
    })
}

fn tally_row(budget: &BudgetReport, pair_rows: &[&ComparisonRow]) -> Vec<Entry> {
    let Some(first) = pair_rows.first() else {
        return Vec::new();
    };
    let mut entries = vec![
        Entry::plain("better / open / worse"),
        Entry::plain(pair(first)),
    ];
    for row in pair_rows {
        let count = |verdict: Verdict| {
            let same = |other: &&ComparisonRow| {
                (&other.a, &other.b, &other.metric) == (&row.a, &row.b, &row.metric)
                    && other.verdict == verdict
            };
            budget.comparisons.iter().filter(same).count()
        };
        entries.push(Entry::plain(format!(
            "{} / {} / {}",
            count(Verdict::Better),
            count(Verdict::Open),
            count(Verdict::Worse)
        )));
        entries.extend([Entry::default(), Entry::default()]);
    }
    entries
}
