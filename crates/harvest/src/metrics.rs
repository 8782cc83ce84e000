//! The figures by which a harvest is judged: those of section IV-B3 of the `AutoGraphQL` paper,
//! under its names.
//!
//! What a schema and the records alone tell is always known; how the tests fare only after a run.

use std::collections::BTreeSet;

use fossick_contract::{Api, RootKind};
use serde::Serialize;

use crate::promise::Flaw;
use crate::suite::tuples;
use crate::tuples::Tuple;
use crate::{Call, Record};

/// All ten, and how they compare to another suite where one is given.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct Metrics {
    pub types: usize,
    pub entry_points: usize,
    pub unique_queries: usize,
    pub assertions_evaluated: Option<u64>,
    pub passing: Option<u64>,
    pub failing: Option<u64>,
    pub schema_faults: Option<u64>,
    pub schema_tuples: usize,
    pub covered_tuples: usize,
    /// In percent, to one digit behind the point.
    pub schema_cov_generated: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub distinct_tuples: Option<usize>,
}

/// The figures and the tuples behind them.
#[derive(Debug, Clone, Default)]
pub struct Measured {
    pub metrics: Metrics,
    /// As published lists write them: `querywebhook`.
    pub covered: BTreeSet<String>,
    /// Those that the other suite does not reach.
    pub distinct: BTreeSet<String>,
}

/// What a native run of the tests came to.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Run {
    pub assertions: u64,
    pub passing: u64,
    pub failing: u64,
    /// Faults that failing tests have in common count once.
    pub faults: BTreeSet<String>,
}

impl Run {
    /// Counts a test.
    pub fn add(&mut self, assertions: u64, flaws: &[Flaw], broken: Option<&str>) {
        self.assertions += assertions;
        let Some(broken) = broken else {
            self.passing += 1;
            return;
        };
        self.failing += 1;
        let told = flaws
            .iter()
            .map(|flaw| format!("{} {}", flaw.owner, flaw.constraint));
        self.faults.extend(told);
        if flaws.is_empty() {
            self.faults.insert(broken.to_owned());
        }
    }
}

/// Measures records of queries, and of mutations by choice.
pub fn measure(api: &Api, records: &[Record], mutations: bool) -> Measured {
    let (tuples, documents) = tuples(api, records);
    let counted = records.iter().zip(&documents);
    let counted = counted.filter(|(record, _)| mutations || is_query(record));
    let counted: Vec<_> = counted
        .filter_map(|(_, document)| document.as_ref())
        .collect();
    let covered: BTreeSet<_> = counted
        .iter()
        .flat_map(|document| tuples.asked(document))
        .collect();
    let all = tuples.all().len();
    Measured {
        metrics: Metrics {
            types: tuples.types(),
            entry_points: tuples.entry_points(),
            unique_queries: counted.len(),
            schema_tuples: all,
            covered_tuples: covered.len(),
            schema_cov_generated: percent(covered.len(), all),
            ..Metrics::default()
        },
        covered: covered.iter().map(Tuple::flat).collect(),
        distinct: BTreeSet::new(),
    }
}

impl Measured {
    /// Adds what a run came to.
    pub fn with_run(mut self, run: &Run) -> Self {
        self.metrics.assertions_evaluated = Some(run.assertions);
        self.metrics.passing = Some(run.passing);
        self.metrics.failing = Some(run.failing);
        self.metrics.schema_faults = Some(run.faults.len() as u64);
        self
    }

    /// Compares with the tuples that another suite reaches.
    pub fn against(mut self, other: &BTreeSet<String>) -> Self {
        self.distinct = self.covered.difference(other).cloned().collect();
        self.metrics.distinct_tuples = Some(self.distinct.len());
        self
    }
}

fn is_query(record: &Record) -> bool {
    matches!(&record.call, Call::GraphQl(call) if call.root == RootKind::Query)
}

fn percent(part: usize, whole: usize) -> f64 {
    if whole == 0 {
        return 0.0;
    }
    (part as f64 * 1000.0 / whole as f64).round() / 10.0
}

/// Why a text is no list of tuples.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NoList {
    #[error("it has no column `schemaTuple`; the first line names the columns")]
    NoTuples,
    #[error("line {0} has too few columns")]
    Short(usize),
}

/// Reads a published list of tuples: a column `schemaTuple`, and one that says whether it was
/// `visited` unless all were.
pub fn read_list(text: &str) -> Result<BTreeSet<String>, NoList> {
    let mut lines = text.trim_start_matches('\u{feff}').lines();
    let head: Vec<&str> = lines
        .next()
        .unwrap_or("")
        .split(',')
        .map(str::trim)
        .collect();
    let column = |name: &str| {
        head.iter()
            .position(|title| title.eq_ignore_ascii_case(name))
    };
    let tuple = column("schemaTuple").ok_or(NoList::NoTuples)?;
    let visited = column("visited");
    let mut found = BTreeSet::new();
    for (at, line) in lines
        .enumerate()
        .filter(|(_, line)| !line.trim().is_empty())
    {
        let cells: Vec<&str> = line.split(',').map(str::trim).collect();
        let cell = |column: usize| cells.get(column).copied().ok_or(NoList::Short(at + 2));
        let is_visited = match visited {
            Some(visited) => cell(visited)?.eq_ignore_ascii_case("true"),
            None => true,
        };
        if is_visited {
            found.insert(cell(tuple)?.to_lowercase());
        }
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_of_tuples_are_read_by_their_titles() {
        let text = "schemaTuple,visited,timesVisited\nQueryA,True,2\nqueryb,False,0\n\n";
        assert_eq!(read_list(text), Ok(BTreeSet::from(["querya".to_owned()])));
        let plain = "id,schemaTuple\n7,x\n";
        assert_eq!(read_list(plain), Ok(BTreeSet::from(["x".to_owned()])));
        assert_eq!(read_list("a,b\n"), Err(NoList::NoTuples));
        assert_eq!(read_list("schemaTuple,visited\nx\n"), Err(NoList::Short(2)));
    }

    #[test]
    fn faults_of_several_tests_count_once() {
        let flaw = Flaw {
            owner: "Saw.id".to_owned(),
            constraint: "null",
            place: "saws/*/id".to_owned(),
        };
        let elsewhere = Flaw {
            place: "saw/id".to_owned(),
            ..flaw.clone()
        };
        let mut run = Run::default();
        run.add(9, &[], None);
        run.add(5, &[flaw], Some("null"));
        run.add(5, &[elsewhere], Some("null"));
        run.add(1, &[], Some("the status is 500 and not 200"));
        assert_eq!((run.assertions, run.passing, run.failing), (20, 1, 3));
        assert_eq!(run.faults.len(), 2);
    }

    #[test]
    fn coverage_is_told_in_percent_to_one_digit() {
        assert!((percent(506, 1884) - 26.9).abs() < 1e-9);
        assert!(percent(0, 0).abs() < 1e-9);
    }
}
