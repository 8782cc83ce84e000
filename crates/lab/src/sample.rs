//! A small experiment and made-up results of it, for the tests of this crate.

use crate::{Experiment, Record, Records};

pub(crate) const LAB: &str = r#"
title = "Do resources help?"
budgets = [1000, 10000]
seeds = 5
metrics = ["targets", "findings", "seconds"]
lower_is_better = ["seconds"]
main = "targets"
parallel = 2
comparisons = [["rd-mio", "base"], ["rd-mio", "r-mio"]]

[strategies.base]
strategy = "mio"
smart = true

[strategies.r-mio]
strategy = "mio"
resources = "con-archive"
p_s = 0.5

[strategies.rd-mio]
strategy = "mio"
resources = "con-archive"
p_s = 0.5
p_d = 1
prematch = true
population = 10

[services.shop]
synth = "dense-central-existence-shown"

[services.tracker]
command = "tracker/start.sh {port}"
ready = "http://127.0.0.1:{port}/health"
schema = "http://127.0.0.1:{port}/openapi.json"
url = "http://127.0.0.1:{port}"
reset = "http://127.0.0.1:{port}/__reset"
headers = { Authorization = "Bearer test" }
"#;

pub(crate) fn experiment() -> Experiment {
    Experiment::read(LAB, "lab.toml").expect("the sample is sound")
}

/// Every cell finished. Later strategies reach more on `shop` and the same on `tracker`.
pub(crate) fn records(experiment: &Experiment) -> Records {
    let lines: String = experiment
        .cells()
        .iter()
        .map(|cell| {
            let place = ["base", "r-mio", "rd-mio"]
                .iter()
                .position(|name| *name == cell.strategy)
                .unwrap_or_default();
            let gain = if cell.service == "shop" {
                30.0 * place as f64
            } else {
                0.0
            };
            let reach = 100.0 + gain + cell.seed as f64 + cell.budget as f64 / 1000.0;
            record(cell, reach).line()
        })
        .collect();
    Records::read(&lines)
}

fn record(cell: &crate::Cell, reach: f64) -> Record {
    let curve = (0..=20)
        .map(|step| {
            let share = f64::from(step) / 20.0;
            let calls = (share * cell.budget as f64) as u64;
            (calls, (reach * (1.0 - (-5.0 * share).exp())).round())
        })
        .collect();
    Record {
        key: cell.key(),
        stamp: cell.stamp.clone(),
        metrics: [("targets".to_owned(), reach), ("findings".to_owned(), 3.0)].into(),
        curve,
        seconds: 2.5,
        cpu_seconds: 1.25,
    }
}
