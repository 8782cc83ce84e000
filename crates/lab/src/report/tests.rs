//! The numbers of a whole report, and how each format shows them.

use super::*;
use crate::sample::{LAB, experiment, records};

fn report() -> Report {
    let experiment = experiment();
    tables(&experiment, &records(&experiment))
}

fn comparison<'a>(budget: &'a BudgetReport, service: &str, metric: &str) -> &'a ComparisonRow {
    budget
        .comparisons
        .iter()
        .find(|row| row.service == service && row.b == "base" && row.metric == metric)
        .expect("every comparison has its row")
}

#[test]
fn every_strategy_is_summed_up_on_every_service() {
    let report = report();
    assert_eq!((report.done, report.all, report.budgets.len()), (60, 60, 2));
    let row = &report.budgets[0].summaries[0];
    assert_eq!(
        (row.service.as_str(), row.strategy.as_str()),
        ("shop", "base")
    );
    let summary = row.summary.unwrap();
    assert_eq!(
        (summary.mean, summary.min, summary.max),
        (104.0, 102.0, 106.0)
    );
    assert_eq!(row.rank, Some(3.0));
    assert_eq!(report.budgets[0].summaries.len(), 2 * 3 * 3);
}

#[test]
fn a_clear_difference_is_told_from_none() {
    let report = report();
    let shop = comparison(&report.budgets[0], "shop", "targets");
    assert_eq!((shop.a12, shop.verdict), (Some(1.0), Verdict::Better));
    assert!((shop.p.unwrap() - 2.0 / 252.0).abs() < 1e-12);
    assert!((shop.relative.unwrap() - 60.0 / 104.0).abs() < 1e-12);
    let tracker = comparison(&report.budgets[0], "tracker", "targets");
    assert_eq!((tracker.a12, tracker.p), (Some(0.5), Some(1.0)));
    assert_eq!(
        (tracker.relative, tracker.verdict),
        (Some(0.0), Verdict::Open)
    );
}

#[test]
fn strategies_that_do_the_same_share_their_rank() {
    let report = report();
    let ranks: Vec<f64> = report.budgets[1].overall[0]
        .average_ranks
        .iter()
        .map(|average| average.rank)
        .collect();
    assert_eq!(ranks, [2.5, 2.0, 1.5]);
}

#[test]
fn where_less_is_better_the_faster_has_the_better_rank_and_effect() {
    let experiment = experiment();
    let mut records = records(&experiment);
    let quick: Vec<crate::Record> = records
        .iter()
        .filter(|record| record.key.contains("/rd-mio/"))
        .map(|record| crate::Record {
            seconds: 0.5,
            ..record.clone()
        })
        .collect();
    for record in quick {
        records.add(record);
    }
    let report = tables(&experiment, &records);
    let row = comparison(&report.budgets[0], "shop", "seconds");
    assert_eq!((row.a12, row.verdict), (Some(1.0), Verdict::Better));
    assert_eq!(row.relative, Some(-0.8));
    let ranks = &report.budgets[0].overall[2].average_ranks;
    assert_eq!((ranks[0].rank, ranks[2].rank), (2.5, 1.0));
}

#[test]
fn half_an_experiment_is_reported_as_such() {
    let experiment = experiment();
    let whole = records(&experiment);
    let text: String = whole
        .iter()
        .filter(|record| !record.key.starts_with("tracker/rd-mio/"))
        .map(crate::Record::line)
        .collect();
    let report = tables(&experiment, &Records::read(&text));
    assert_eq!((report.done, report.all), (50, 60));
    assert_eq!(report.budgets[0].overall[0].services, 1);
    assert_eq!(report.budgets[0].overall[0].friedman, None);
    assert_eq!(comparison(&report.budgets[0], "tracker", "targets").p, None);
    assert!(
        report
            .text(100)
            .contains("50 of 60 runs are done; the numbers may still change.")
    );
    assert!(report.markdown().contains("|  | rd-mio | 0 | – | – | – |"));
}

#[test]
fn an_experiment_without_results_still_has_a_report() {
    let report = tables(&experiment(), &Records::default());
    assert!(report.text(100).contains("0 of 60 runs are done"));
    assert!(
        report
            .markdown()
            .contains("| shop | base | 0 | – | – | – |")
    );
    assert!(!report.markdown().contains("NaN"));
    assert_eq!(report.ranks_csv().lines().count(), 1);
}

#[test]
fn markdown_shows_means_ranks_and_tests() {
    let markdown = report().markdown();
    for line in [
        "# Do resources help?",
        "All 60 runs are done.",
        "## 1,000 calls",
        "| Service | Strategy | runs | targets | findings | seconds (less is better) |",
        "| :-- | :-- | --: | --: | --: | --: |",
        "| shop | base | 5 | 104.0 [102.0, 106.0] (3) | 3.00 [3.00, 3.00] (2) | 2.50 [2.50, 2.50] (2) |",
        "|  | rd-mio | 5 | **164.0 [162.0, 166.0] (1)** | 3.00 [3.00, 3.00] (2) | 2.50 [2.50, 2.50] (2) |",
        "| Average rank | base |  | 2.5 | **2.0** | **2.0** |",
        "| Friedman χ², p |  |  | 2.0, 0.368 | 0.0, 1.000 | 0.0, 1.000 |",
        "| shop | rd-mio vs. base | **1.00** | **0.008** | **+57.7%** | 0.50 | 1.000 | +0.0% | 0.50 | 1.000 | +0.0% |",
        "| better / open / worse | rd-mio vs. base | 1 / 1 / 0 |  |  | 0 / 2 / 0 |  |  | 0 / 2 / 0 |  |  |",
    ] {
        assert!(
            markdown.lines().any(|shown| shown == line),
            "{line}\n\n{markdown}"
        );
    }
}

#[test]
fn every_row_of_markdown_has_as_many_columns_as_its_head() {
    let markdown = report().markdown();
    for table in markdown.split("\n\n").filter(|part| part.starts_with('|')) {
        let widths: Vec<usize> = table
            .lines()
            .map(|line| line.matches('|').count())
            .collect();
        assert!(widths.windows(2).all(|pair| pair[0] == pair[1]), "{table}");
    }
}

#[test]
fn terminal_text_is_aligned() {
    let text = report().text(200);
    let row = |start: &str| {
        text.lines()
            .find(|line| line.starts_with(start))
            .expect(start)
    };
    assert_eq!(
        row("shop"),
        "shop             base          5   104.0 [102.0, 106.0] (3)   3.00 [3.00, 3.00] (2)      2.50 [2.50, 2.50] (2)"
    );
    assert_eq!(
        row("Service").find("targets").map(|at| at + 7),
        row("shop").find("(3)").map(|at| at + 3)
    );
    assert!(text.contains("164.0 [162.0, 166.0] (1)*"));
}

#[test]
fn a_table_too_wide_for_the_terminal_is_cut_between_metrics() {
    let text = report().text(80);
    assert!(
        text.lines().all(|line| line.chars().count() <= 80),
        "{text}"
    );
    let heads = |text: &str| text.matches("A vs. B").count();
    assert_eq!((heads(&text), heads(&report().text(300))), (2 * 3, 2));
    assert!(text.contains("164.0 [162.0, 166.0] (1)*"));
    assert!(report().text(0).contains("164.0 [162.0, 166.0] (1)*"));
}

#[test]
fn names_cannot_break_out_of_a_table() {
    let text = LAB.replace("services.shop", "services.\"a|b,*<i>\"");
    let experiment = Experiment::read(&text, "lab.toml").unwrap();
    let report = tables(&experiment, &records(&experiment));
    assert!(report.markdown().contains("| a\\|b,\\*&lt;i> | base |"));
    assert!(
        report
            .csv()
            .contains("\n1000,\"a|b,*<i>\",base,targets,5,104,")
    );
}

#[test]
fn csv_has_a_line_for_every_row() {
    let report = report();
    assert_eq!(report.csv().lines().count(), 1 + 2 * 18);
    assert_eq!(report.comparisons_csv().lines().count(), 1 + 2 * 12);
    assert_eq!(report.ranks_csv().lines().count(), 1 + 2 * 9);
    assert!(
        report
            .csv()
            .contains("\n1000,shop,base,targets,5,104,104,1.58")
    );
    assert!(
        report
            .ranks_csv()
            .contains("\n1000,targets,base,2,2.5,2,0.36")
    );
}

#[test]
fn json_says_its_version_and_the_same_numbers() {
    let value: serde_json::Value = serde_json::from_str(&report().json()).unwrap();
    assert_eq!(value["version"], FORMAT_VERSION);
    assert_eq!(
        value["budgets"][0]["summaries"][0]["summary"]["mean"],
        104.0
    );
    assert_eq!(value["budgets"][0]["comparisons"][0]["verdict"], "better");
    assert_eq!(value["metrics"][2]["better"], "lower");
}
